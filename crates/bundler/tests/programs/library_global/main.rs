//! Paths that begin with two colons, and a module with the name of the library.

use ::columns_core::rules::case::MATCH_POINTS;

mod columns_core {
    pub const MATCH_POINTS: u32 = 1;
}

fn width() -> usize {
    let case: ::columns_core::rules::case::Case = "6 13\n1\nabc\n".parse().unwrap();
    case.width()
}

fn main() {
    println!("{} {} {}", MATCH_POINTS, columns_core::MATCH_POINTS, width());
}
