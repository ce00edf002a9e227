//! Glob imports and grouped imports of the library, also in a nested module.

use columns_core::rules::{case::*, plan::Placement};

mod inner {
    use super::*;
    pub fn shown() -> String {
        use columns_core::{rules::case::MATCH_POINTS as POINTS, simulator::Simulator};
        let case: Case = "6 13\n2\nabc\nabc\n".parse().unwrap();
        let mut game = Simulator::new(&case);
        let _ = game.place(Placement { stack: 0, shift: 1 });
        format!("{} {} {}", POINTS, game.points(), game.stack_height(0))
    }
}

fn main() {
    println!("{} {}", inner::shown(), MATCH_POINTS);
}
