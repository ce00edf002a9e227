//! Samples groups of states from the layers of a beam search.

use crate::learn::{dataset::Group, rollouts::Labeller};
use columns_bot::observe::states::{ObservedState, RolloutConfig, StateObserver, play_observed};
use columns_bot::search::Player;
use columns_core::{beam::Budget, rules::case::Case};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The settings for sampling groups from a beam search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SamplingSettings {
    /// Width of the beam, in states.
    pub beam_width: usize,
    /// The number of layers from one group to the next.
    pub layer_interval: usize,
    /// How the states of a group are chosen.
    pub group_kind: GroupKind,
}

/// The kind of groups to sample from a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupKind {
    /// The ancestor of the best state at the end, and other states of its layer.
    BestAncestor {
        /// The minimum number of layers from a group to the best state at the end. The farther ahead that
        /// state is, the more likely it is that its ancestor is better than the other states of the group.
        min_layers_ahead: usize,
    },
    /// States with labels from rollouts.
    Rollouts {
        /// The number of columns that a rollout places.
        columns: usize,
        /// The width of a rollout's beam, in states.
        width: usize,
    },
}

/// The number of survivors in a full group, not counting the ancestor of the best state. If that ancestor is
/// not among the chosen survivors, the group has one more survivor.
const SURVIVORS_PER_GROUP: usize = 13;
/// The number of pruned states in a full group. If there is an additional survivor, it replaces one of the
/// pruned states.
const PRUNED_PER_GROUP: usize = 6;

/// Plays a case, and returns groups from some of its layers.
pub fn sample_groups(case: &Case, player: Player, settings: SamplingSettings) -> Vec<Group> {
    let (budget, layer_interval) = (Budget::Width(settings.beam_width), settings.layer_interval);
    match settings.group_kind {
        GroupKind::BestAncestor { min_layers_ahead } => {
            let mut recorder = GroupRecorder {
                layer_interval,
                min_layers_ahead,
                ..GroupRecorder::default()
            };
            play_observed(case, player, budget, &mut recorder);
            recorder.into_groups()
        }
        GroupKind::Rollouts { columns, width } => {
            let mut labeller = Labeller {
                layer_interval,
                rollout_config: RolloutConfig { columns, width },
                groups: Vec::new(),
            };
            play_observed(case, player, budget, &mut labeller);
            labeller.groups
        }
    }
}

/// Records some states of the selected layers of a game.
#[derive(Debug, Default)]
struct GroupRecorder {
    layer_interval: usize,
    min_layers_ahead: usize,
    /// The evaluated states of the latest selected layer.
    evaluated_states: Vec<ObservedState>,
    /// The selected layers, each with some of its states.
    layers: Vec<(usize, Vec<ObservedState>)>,
    /// The states on the path to the best state, one for each layer.
    best_path: Vec<ObservedState>,
}

/// Returns the sort key of a state for a pseudo-random order of its layer.
pub(crate) fn shuffle_key(state: &ObservedState) -> u64 {
    (state.hash ^ 0x5851_f42d_4c95_7f2d).wrapping_mul(0xda94_2042_e4dd_58b5)
}

impl GroupRecorder {
    /// Returns the groups: one from each selected layer, except the root and the last
    /// `min_layers_ahead` layers. Leaves out groups of a single state.
    fn into_groups(self) -> Vec<Group> {
        let last = self.best_path.len().saturating_sub(1);
        let mut groups = Vec::new();
        for (layer, states) in self.layers {
            if layer == 0 || layer.saturating_add(self.min_layers_ahead) > last {
                continue;
            }
            let best = &self.best_path[layer];
            let mut group = Group::default();
            group.push(best.hand_set_value, &best.features);
            let others = states.iter().filter(|state| state.hash != best.hash);
            for state in others.take(SURVIVORS_PER_GROUP + PRUNED_PER_GROUP) {
                group.push(state.hand_set_value, &state.features);
            }
            if group.hand_set_values.len() > 1 {
                groups.push(group);
            }
        }
        groups
    }
}

impl StateObserver for GroupRecorder {
    fn on_evaluated(
        &mut self,
        layer: usize,
        states: Vec<ObservedState>,
        _: &mut dyn FnMut(usize, RolloutConfig) -> i32,
    ) {
        if layer.is_multiple_of(self.layer_interval) {
            self.evaluated_states = states;
            self.evaluated_states.sort_by_key(shuffle_key);
        }
    }

    fn on_survived(&mut self, layer: usize, hashes: Vec<u64>) {
        if !layer.is_multiple_of(self.layer_interval) {
            return;
        }
        let hashes: HashSet<u64> = hashes.into_iter().collect();
        let (survivors, pruned): (Vec<_>, Vec<_>) = std::mem::take(&mut self.evaluated_states)
            .into_iter()
            .partition(|state| hashes.contains(&state.hash));
        // Take one more survivor, since the ancestor of the best state may be one of them.
        let survivors = survivors.into_iter().take(SURVIVORS_PER_GROUP + 1);
        let pruned = pruned.into_iter().take(PRUNED_PER_GROUP);
        self.layers.push((layer, survivors.chain(pruned).collect()));
    }

    fn on_best_path(&mut self, states: Vec<ObservedState>) {
        self.best_path = states;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_bot::learned::features::FEATURE_COUNT;

    fn number(n: u64) -> ObservedState {
        ObservedState {
            hash: n,
            value: 0,
            hand_set_value: n as i32,
            features: [n as i16; FEATURE_COUNT],
        }
    }

    /// Records layers 0 to 8. Each has a hundred numbered states, and the first sixty survive. In each layer,
    /// the path to the best state visits the state whose number ends in 33.
    fn groups(layer_interval: usize, min_layers_ahead: usize) -> Vec<Group> {
        let mut recorder = GroupRecorder {
            layer_interval,
            min_layers_ahead,
            ..GroupRecorder::default()
        };
        for layer in 0..=8 {
            let numbers = layer as u64 * 100..layer as u64 * 100 + 100;
            recorder.on_evaluated(
                layer,
                numbers.clone().map(number).collect(),
                &mut |_, _| unreachable!(),
            );
            recorder.on_survived(layer, numbers.take(60).collect());
        }
        recorder.on_best_path((0..=8).map(|layer| number(layer * 100 + 33)).collect());
        recorder.into_groups()
    }

    #[test]
    fn a_group_holds_the_ancestor_then_survivors_then_pruned_states() {
        let all = groups(2, 3);
        assert_eq!(all.len(), 2);
        for (group, layer) in all.iter().zip([2, 4]) {
            assert_eq!(group.hand_set_values[0], layer * 100 + 33);
            assert_eq!(
                group.hand_set_values.len(),
                1 + SURVIVORS_PER_GROUP + PRUNED_PER_GROUP
            );
            let different: HashSet<&i32> = group.hand_set_values.iter().collect();
            assert_eq!(
                different.len(),
                group.hand_set_values.len(),
                "no state occurs twice"
            );
            let pruned = |base: &i32| (layer * 100 + 60..layer * 100 + 100).contains(base);
            let (survivors, others) = group.hand_set_values.split_at(1 + SURVIVORS_PER_GROUP);
            // If the ancestor is not among the `SURVIVORS_PER_GROUP + 1` recorded survivors, the group has
            // one survivor more and one pruned state fewer.
            assert!(!survivors.iter().any(pruned) && others[1..].iter().all(pruned));
            let features = group.features.chunks_exact(FEATURE_COUNT);
            let features: Vec<i32> = features.map(|features| features[0].into()).collect();
            assert_eq!(features, group.hand_set_values);
        }
        for (layer_interval, min_layers_ahead, layers) in [
            (1, 4, &[1, 2, 3, 4][..]),
            (2, 0, &[2, 4, 6, 8]),
            (5, 0, &[5]),
            (1, usize::MAX, &[]),
        ] {
            let groups = groups(layer_interval, min_layers_ahead);
            let actual: Vec<i32> = groups
                .iter()
                .map(|group| group.hand_set_values[0] / 100)
                .collect();
            assert_eq!(actual, layers);
        }
    }
}
