//! One game in this process, and what it is worth.

use crate::player::Player;
use columns_bot::observe::meter::play_metered;
use columns_core::{rules::case::Case, simd::Cpu};
use serde::{Deserialize, Serialize};

/// The result of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Played {
    /// The points of the plan.
    pub points: u64,
    /// How many columns the case has.
    pub columns: usize,
    /// How many of them were placed before the game was over.
    pub placed: usize,
    /// The mean width of the beam.
    pub width: u64,
}

impl Played {
    /// The natural logarithm of the points per column: short and long cases, small and large fields
    /// count alike. A game without points counts as one with 1 point. The same to the bit on every
    /// machine.
    pub fn log_score(&self) -> f64 {
        libm::log(self.points.max(1) as f64 / self.columns as f64)
    }

    /// Whether a program lost the game: it was over a limit, invalid or crashed, so that nothing was
    /// placed.
    pub fn is_lost(&self) -> bool {
        self.placed == 0
    }

    /// Whether the game was over before all columns had landed.
    pub fn died(&self) -> bool {
        self.placed < self.columns
    }
}

/// Plays a case with `work` microseconds of work ([`columns_bot::observe::meter`]); the game is the
/// same on every machine.
pub fn play(case: &Case, player: &Player, work: u64) -> Played {
    let solution = play_metered(case, player.bot(), work as f64 / 1e6, Cpu::detect());
    Played {
        points: solution.points,
        columns: case.columns().len(),
        placed: solution.found.depth,
        width: solution.found.survivors / solution.found.layers.max(1) as u64,
    }
}
