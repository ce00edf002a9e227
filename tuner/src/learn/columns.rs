//! Samples groups of states, for training a network, from games of the Columns Game.

use crate::learn::sampling::{GroupRecorder, SamplingSettings};
use crate::learn::{dataset::Group, rollouts::Labeller};
use columns_bot::observe::states::{DescribedState, RolloutConfig, StateObserver, play_observed};
use columns_bot::{learned::features::Features, search::Player};
use columns_core::{beam::Budget, rules::case::Case};

impl StateObserver for GroupRecorder<Features> {
    fn on_evaluated(
        &mut self,
        layer: usize,
        states: Vec<DescribedState>,
        _: &mut dyn FnMut(usize, RolloutConfig) -> i32,
    ) {
        self.record_evaluated(layer, states);
    }

    fn on_survived(&mut self, layer: usize, hashes: Vec<u64>) {
        self.record_survivors(layer, hashes);
    }

    fn on_best_path(&mut self, states: Vec<DescribedState>) {
        self.record_best_path(states.into_iter().enumerate().collect());
    }
}

/// Plays a case, and returns groups from its layers.
pub fn sample_groups(
    case: &Case,
    player: Player,
    width: usize,
    sampling: SamplingSettings,
) -> Vec<Group> {
    let mut recorder = GroupRecorder::new(sampling);
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
