//! Takes groups of states from the layers of a beam search, for any game.

use crate::learn::dataset::Group;
use columns_core::network::DescribedState;
use std::collections::HashSet;

/// Settings that select the layers of a game from which groups are taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SamplingSettings {
    /// The number of layers from one group to the next.
    pub layer_interval: usize,
    /// The minimum number of layers from a group to the best state at the end. After that many layers, the
    /// ancestor of the best state is likely to be better than the other states of the group.
    pub min_layers_ahead: usize,
}

/// The number of survivors in a full group, besides the ancestor of the best state. If that ancestor is not
/// among the chosen survivors, the group has one survivor more.
const SURVIVORS_PER_GROUP: usize = 13;
/// The number of pruned states in a full group. If there is an additional survivor, it replaces one of
/// the pruned states.
const PRUNED_PER_GROUP: usize = 6;

/// Records some states of the selected layers. The recorder receives the states of each layer, then the
/// hashes of the survivors, and after the search the states on the path to the best state.
#[derive(Debug)]
pub struct GroupRecorder<F> {
    sampling: SamplingSettings,
    evaluated: Vec<DescribedState<F>>,
    layers: Vec<(usize, Vec<DescribedState<F>>)>,
    best: Vec<(usize, DescribedState<F>)>,
}

/// Returns the sort key of a state for a pseudo-random order of its layer.
pub(crate) fn shuffle_key<F>(state: &DescribedState<F>) -> u64 {
    (state.hash ^ 0x5851_f42d_4c95_7f2d).wrapping_mul(0xda94_2042_e4dd_58b5)
}

impl<F: AsRef<[i16]>> GroupRecorder<F> {
    /// Creates a recorder for the layers that `sampling` selects.
    pub fn new(sampling: SamplingSettings) -> Self {
        Self {
            sampling,
            evaluated: Vec::new(),
            layers: Vec::new(),
            best: Vec::new(),
        }
    }

    /// Receives all evaluated states of a layer.
    pub fn record_evaluated(&mut self, layer: usize, states: Vec<DescribedState<F>>) {
        if layer.is_multiple_of(self.sampling.layer_interval) {
            self.evaluated = states;
            self.evaluated.sort_by_key(shuffle_key);
        }
    }

    /// Receives the hashes of the survivors of the layer.
    pub fn record_survivors(&mut self, layer: usize, hashes: Vec<u64>) {
        if !layer.is_multiple_of(self.sampling.layer_interval) {
            return;
        }
        let hashes: HashSet<u64> = hashes.into_iter().collect();
        let (survivors, pruned): (Vec<_>, Vec<_>) = std::mem::take(&mut self.evaluated)
            .into_iter()
            .partition(|state| hashes.contains(&state.hash));
        // Take one survivor more, since the ancestor of the best state may be one of them.
        let survivors = survivors.into_iter().take(SURVIVORS_PER_GROUP + 1);
        let pruned = pruned.into_iter().take(PRUNED_PER_GROUP);
        self.layers.push((layer, survivors.chain(pruned).collect()));
    }

    /// Receives the states on the path to the best state, with their layers.
    pub fn record_best_path(&mut self, states: Vec<(usize, DescribedState<F>)>) {
        self.best = states;
    }

    /// Returns the groups: one from each selected layer on the path to the best state, except the root and
    /// the last [`min_layers_ahead`](SamplingSettings::min_layers_ahead) layers.
    pub fn into_groups(self) -> Vec<Group> {
        let last = self.best.last().map_or(0, |&(layer, _)| layer);
        let mut groups = Vec::new();
        for (layer, states) in self.layers {
            if layer == 0 || layer.saturating_add(self.sampling.min_layers_ahead) > last {
                continue;
            }
            let Ok(at) = self.best.binary_search_by_key(&layer, |&(layer, _)| layer) else {
                continue;
            };
            let best = &self.best[at].1;
            let mut group = Group::default();
            group.push(best.hand_set_value, best.features.as_ref());
            let others = states.iter().filter(|state| state.hash != best.hash);
            for state in others.take(SURVIVORS_PER_GROUP + PRUNED_PER_GROUP) {
                group.push(state.hand_set_value, state.features.as_ref());
            }
            if group.hand_set_values.len() > 1 {
                groups.push(group);
            }
        }
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(n: u64) -> DescribedState<[i16; 1]> {
        DescribedState {
            hash: n,
            value: 0,
            hand_set_value: n as i32,
            features: [n as i16],
        }
    }

    /// Records layers 0 to 8 of a hundred numbered states each; the first sixty survive. The path
    /// to the best state visits layers 0, 2, 5 and 8, in each the state whose number ends in 33.
    fn groups(layer_interval: usize, min_layers_ahead: usize) -> Vec<Group> {
        let mut recorder = GroupRecorder::new(SamplingSettings {
            layer_interval,
            min_layers_ahead,
        });
        for layer in 0..=8 {
            let numbers = layer as u64 * 100..layer as u64 * 100 + 100;
            recorder.record_evaluated(layer, numbers.clone().map(number).collect());
            recorder.record_survivors(layer, numbers.take(60).collect());
        }
        let best = [0, 2, 5, 8].map(|l| (l, number(l as u64 * 100 + 33)));
        recorder.record_best_path(best.into());
        recorder.into_groups()
    }

    #[test]
    fn a_group_holds_the_ancestor_then_survivors_then_pruned_states() {
        let all = groups(1, 3);
        assert_eq!(all.len(), 2);
        for (group, layer) in all.iter().zip([2, 5]) {
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
            // If the ancestor is not among the `SURVIVORS_PER_GROUP + 1` recorded survivors, the last of them
            // takes the place of a pruned state.
            assert!(!survivors.iter().any(pruned) && others[1..].iter().all(pruned));
            let features: Vec<i32> = group.features.iter().map(|&f| f.into()).collect();
            assert_eq!(features, group.hand_set_values);
        }
        for (layer_interval, min_layers_ahead, layers) in [
            (1, 4, &[2][..]),
            (1, 0, &[2, 5, 8]),
            (2, 0, &[2, 8]),
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
