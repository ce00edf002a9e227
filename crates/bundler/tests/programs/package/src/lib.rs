//! Exported macros, one of them under a `#[cfg]`, a re-export, and a constant that depends on a feature.

pub mod game;
mod search;

pub use search::best;

#[cfg(target_arch = "x86_64")]
#[macro_export]
macro_rules! answer {
    () => {
        42
    };
}
#[cfg(not(target_arch = "x86_64"))]
#[macro_export]
macro_rules! answer {
    () => {
        6 * 7
    };
}
#[macro_export]
macro_rules! twice {
    ($value:expr) => {
        $crate::game::double($value)
    };
}

pub const WIDTH: u32 = if cfg!(feature = "wide") { 12 } else { 6 };
