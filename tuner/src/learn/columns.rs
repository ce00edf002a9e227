//! Groups from games of the Columns Game.

use crate::learn::sampling::{Recorder, Sampling};
use crate::learn::{dataset::Group, rollouts::Labeller};
use columns_bot::observe::states::{DescribedState, RolloutConfig, StateObserver, play_observed};
use columns_bot::{learned::features::Features, search::Player};
use columns_core::{beam::Budget, rules::case::Case};

impl StateObserver for Recorder<Features> {
    fn on_evaluated(
        &mut self,
        layer: usize,
        states: Vec<DescribedState>,
        _: &mut dyn FnMut(usize, RolloutConfig) -> i32,
    ) {
        Recorder::record_evaluated(self, layer, states);
    }

    fn on_survived(&mut self, layer: usize, hashes: Vec<u64>) {
        Recorder::record_survivors(self, layer, hashes);
    }

    fn on_best_path(&mut self, states: Vec<DescribedState>) {
        Recorder::record_best_path(self, states.into_iter().enumerate().collect());
    }
}

/// Plays a case, and returns groups from its layers.
pub fn sample_groups(case: &Case, player: Player, width: usize, sampling: Sampling) -> Vec<Group> {
    let mut recorder = Recorder::new(sampling);
    play_observed(case, player, Budget::Width(width), &mut recorder);
    recorder.into_groups()
}

/// Plays a case, and returns groups from one layer in `layer_interval`, labelled by rollouts.
pub fn sample_labelled_groups(
    case: &Case,
    player: Player,
    width: usize,
    layer_interval: usize,
    rollout_config: RolloutConfig,
) -> Vec<Group> {
    let groups = Vec::new();
    let mut labelled = Labeller {
        layer_interval,
        rollout_config,
        groups,
    };
    play_observed(case, player, Budget::Width(width), &mut labelled);
    labelled.groups
}
