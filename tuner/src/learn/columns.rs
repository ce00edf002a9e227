//! Groups from games of the Columns Game.

use super::dataset::Group;
use super::sampling::{Described, Recorder, Sampling};
use columns_bot::search::{play, Player, Seen, Watch};
use columns_core::beam::Budget;
use columns_core::case::Case;
use columns_core::isa::Path;

impl Described for Seen {
    fn hash(&self) -> u64 {
        self.hash
    }

    fn base(&self) -> i32 {
        self.base
    }

    fn features(&self) -> &[i16] {
        &self.features
    }
}

impl Watch for Recorder<Seen> {
    fn evaluated(&mut self, layer: usize, states: Vec<Seen>) {
        Recorder::evaluated(self, layer, states);
    }

    fn survived(&mut self, layer: usize, hashes: Vec<u64>) {
        Recorder::survived(self, layer, hashes);
    }

    fn best(&mut self, states: Vec<Seen>) {
        Recorder::best(self, states.into_iter().enumerate().collect());
    }
}

/// Plays a case and takes groups from its layers.
pub fn groups(case: &Case, player: Player, width: usize, sampling: Sampling) -> Vec<Group> {
    let mut recorder = Recorder::new(sampling);
    let budget = Budget::Width(width);
    play(case, player, budget, &|| 0.0, Path::detect(), &mut recorder);
    recorder.groups()
}
