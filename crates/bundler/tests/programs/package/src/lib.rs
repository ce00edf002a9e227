//! The library of the program.

pub mod game;
mod search;

pub use search::best;

/// Doubles a value.
#[macro_export]
macro_rules! twice {
    ($value:expr) => {
        $crate::game::double($value)
    };
}

pub const WIDTH: u32 = if cfg!(feature = "wide") { 12 } else { 6 };
