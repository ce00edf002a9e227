//! Modules and values with the names of libraries and of the standard library's crates.

mod columns_core {
    pub mod rules {
        pub const POINTS: u32 = 48;
    }
    pub fn alloc() -> u32 {
        3
    }
}
mod bot {
    pub use super::columns_core::rules;
}

fn main() {
    let columns_bot = 5;
    println!("{} {} {}", columns_core::rules::POINTS + columns_bot, bot::rules::POINTS, columns_core::alloc());
}
