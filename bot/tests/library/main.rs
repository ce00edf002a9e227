//! Tests of the library through its public API.

mod admission;
mod child_value;
mod explain;
mod networks;
mod search;
mod submission;
mod threads;
mod watch;
mod weights;
mod weights_file;

use columns_core::rules::case::Case;
use columns_core::rules::plan::Placement;
use columns_core::rules::replay::Referee;

/// Returns the game after these placements, which must fit.
fn played(case: &Case, placements: &[Placement]) -> Referee {
    let mut game = Referee::new(case);
    for &placement in placements {
        game.play(placement).unwrap();
    }
    game
}
