//! Groups whose states have labels from rollouts: a narrow beam search from each state.

use crate::learn::{dataset::Group, sampling::shuffle_key};
use columns_bot::observe::states::{ObservedState, RolloutConfig, StateObserver};

/// The maximum number of states in a group from the best third of a layer. Most of these states survive.
const BEST_PER_GROUP: usize = 8;
/// The maximum number of states in a group from the other two thirds of a layer.
const OTHERS_PER_GROUP: usize = 4;

/// Observes a game and collects groups with labels.
#[derive(Debug)]
pub struct Labeller {
    /// The number of layers from one group to the next.
    pub layer_interval: usize,
    /// The depth and the beam width of the search from each state.
    pub rollout_config: RolloutConfig,
    /// The groups so far, in the order of their layers.
    pub groups: Vec<Group>,
}

/// Chooses states of a layer in a pseudo-random order: some from the best third by value, then some from the
/// other two thirds. Returns their indices.
fn choose_states(states: &[ObservedState]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..states.len()).collect();
    order.sort_by_key(|&i| (-i64::from(states[i].value), states[i].hash));
    let (best, others) = order.split_at_mut(states.len().div_ceil(3));
    for part in [&mut *best, &mut *others] {
        part.sort_by_key(|&i| shuffle_key(&states[i]));
    }
    let best = best.iter().take(BEST_PER_GROUP);
    best.chain(others.iter().take(OTHERS_PER_GROUP))
        .copied()
        .collect()
}

impl StateObserver for Labeller {
    fn on_evaluated(
        &mut self,
        layer: usize,
        states: Vec<ObservedState>,
        rollout: &mut dyn FnMut(usize, RolloutConfig) -> i32,
    ) {
        // A single state cannot be ranked.
        if layer == 0 || !layer.is_multiple_of(self.layer_interval) || states.len() < 2 {
            return;
        }
        let mut group = Group::default();
        for index in choose_states(&states) {
            group.push(states[index].hand_set_value, &states[index].features);
            group
                .rollout_values
                .push(rollout(index, self.rollout_config));
        }
        self.groups.push(group);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_bot::learned::features::FEATURE_COUNT;

    #[test]
    fn states_of_the_best_third_come_first_each_with_its_own_label() {
        let (columns, width) = (12, 30);
        let expected = RolloutConfig { columns, width };
        let mut labelled = Labeller {
            layer_interval: 2,
            rollout_config: expected,
            groups: Vec::new(),
        };
        let state = |i: u64| ObservedState {
            hash: i,
            value: i as i32 * 10,
            hand_set_value: i as i32 * 10 + 1,
            features: [i as i16; FEATURE_COUNT],
        };
        for layer in 0..=3 {
            labelled.on_evaluated(layer, (0..30).map(state).collect(), &mut |index, ahead| {
                assert_eq!((layer, ahead), (2, expected));
                1000 + index as i32
            });
        }
        let [group] = &labelled.groups[..] else {
            panic!("one layer in two: {}", labelled.groups.len());
        };
        let of = |base: &i32| (base - 1) / 10;
        let states: Vec<i32> = group.hand_set_values.iter().map(of).collect();
        let (best, others) = states.split_at(BEST_PER_GROUP);
        assert!(best.iter().all(|&i| i >= 20), "{states:?}");
        assert!(others.iter().all(|&i| i < 20) && others.len() == OTHERS_PER_GROUP);
        let values: Vec<i32> = group
            .rollout_values
            .iter()
            .map(|value| value - 1000)
            .collect();
        assert_eq!(values, states);
        labelled.on_evaluated(2, vec![state(1)], &mut |_, _| unreachable!());
        assert_eq!(labelled.groups.len(), 1);
    }
}
