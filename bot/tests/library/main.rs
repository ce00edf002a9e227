//! Tests of the library through its public API. Here the twins run on two of the six layouts of the field; in
//! `tests/all_layouts.rs`, they run on all six.

/// Calls `$on!(words, planes)` with the layout of the field, if the twins run on this layout here.
macro_rules! on_layout {
    ($width:expr, $colours:expr, $on:ident) => {
        match ($width, $colours) {
            (..=6, 8..=15) => $on!(2, 4),
            (7.., ..=7) => $on!(4, 3),
            _ => {}
        }
    };
}

mod child_value;
mod explain;
mod game;
mod networks;
#[path = "../../../crates/core/tests/support/random.rs"]
mod random;
mod search;
mod states;
mod submission;
mod threads;
mod twins;
mod weights;

use columns_bot::Weights;
use columns_bot::learned::networks::built_in_networks;
use columns_bot::search::Player;
use columns_core::rules::case::Case;
use columns_core::rules::plan::Placement;
use columns_core::rules::replay::Referee;
use std::sync::OnceLock;

/// Returns the player with the built-in weights and networks.
fn player() -> Player<'static> {
    static WEIGHTS: OnceLock<Weights> = OnceLock::new();
    Player {
        weights: WEIGHTS.get_or_init(Weights::default),
        networks: built_in_networks(),
    }
}

/// Returns the game after these placements, which must fit.
fn played(case: &Case, placements: &[Placement]) -> Referee {
    let mut game = Referee::new(case);
    for &placement in placements {
        game.play(placement).unwrap();
    }
    game
}
