//! Tests of the library through its public API. Here the module `reference` tests two of the six layouts of
//! the field; in `tests/all_layouts.rs`, it tests all six.

/// Like `for_layout!`, but evaluates `$code!(name, words, planes)` only for the two layouts that the module
/// `reference` tests here.
macro_rules! on_layout {
    ($layout:expr, $code:ident) => {
        match $layout {
            columns_core::field::Layout::Narrow15 => $code!(Narrow15, 2, 4),
            columns_core::field::Layout::Wide7 => $code!(Wide7, 4, 3),
            _ => {}
        }
    };
}

mod child_value;
mod explain;
#[path = "../../../crates/core/tests/support/fields.rs"]
mod fields;
mod game;
mod networks;
#[path = "../../../crates/core/tests/support/random.rs"]
mod random;
mod reference;
mod search;
mod states;
mod submission;
mod threads;
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
fn play_placements(case: &Case, placements: &[Placement]) -> Referee {
    let mut game = Referee::new(case);
    for &placement in placements {
        game.play(placement).unwrap();
    }
    game
}
