//! Groups from the layers of a beam search, of any game.

use super::dataset::Group;
use columns_core::network::Described;
use std::collections::HashSet;

/// What is taken from a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    /// A group is taken from every so many layers.
    pub every: usize,
    /// The best state of the end must be at least so many layers away, so that what it
    /// descends from has proved itself.
    pub ahead: usize,
    /// How many other survivors of the layer are in a group.
    pub survivors: usize,
    /// How many states that did not survive are in a group.
    pub cut: usize,
}

/// Keeps some states of some layers. It is told of a layer's states, and then which of them survived;
/// after the search of the states on the way to the best one.
#[derive(Debug)]
pub struct Recorder<F> {
    sampling: Sampling,
    evaluated: Vec<Described<F>>,
    layers: Vec<(usize, Vec<Described<F>>)>,
    best: Vec<(usize, Described<F>)>,
}

/// Some order of the states of a layer, unrelated to anything.
pub(super) fn shuffled<F>(state: &Described<F>) -> u64 {
    (state.hash ^ 0x5851_f42d_4c95_7f2d).wrapping_mul(0xda94_2042_e4dd_58b5)
}

impl<F: AsRef<[i16]>> Recorder<F> {
    /// One that has seen nothing yet.
    pub fn new(sampling: Sampling) -> Self {
        Self {
            sampling,
            evaluated: Vec::new(),
            layers: Vec::new(),
            best: Vec::new(),
        }
    }

    /// All states of a layer that were evaluated.
    pub fn evaluated(&mut self, layer: usize, states: Vec<Described<F>>) {
        if layer.is_multiple_of(self.sampling.every) {
            self.evaluated = states;
            self.evaluated.sort_by_key(shuffled);
        }
    }

    /// The hashes of those that survived.
    pub fn survived(&mut self, layer: usize, hashes: Vec<u64>) {
        if !layer.is_multiple_of(self.sampling.every) {
            return;
        }
        let survivors: HashSet<u64> = hashes.into_iter().collect();
        let (kept, cut): (Vec<_>, Vec<_>) = std::mem::take(&mut self.evaluated)
            .into_iter()
            .partition(|state| survivors.contains(&state.hash));
        // One more, since the best may be among them.
        let kept = kept.into_iter().take(self.sampling.survivors + 1);
        let cut = cut.into_iter().take(self.sampling.cut);
        self.layers.push((layer, kept.chain(cut).collect()));
    }

    /// The states on the way to the best one and their layers.
    pub fn best(&mut self, states: Vec<(usize, Described<F>)>) {
        self.best = states;
    }

    /// The groups: one from each layer on the way to the best state.
    pub fn groups(self) -> Vec<Group> {
        let Sampling {
            ahead,
            survivors,
            cut,
            ..
        } = self.sampling;
        let last = self.best.last().map_or(0, |&(layer, _)| layer);
        let mut groups = Vec::new();
        for (layer, states) in self.layers {
            if layer == 0 || layer + ahead > last {
                continue;
            }
            let Ok(at) = self.best.binary_search_by_key(&layer, |&(layer, _)| layer) else {
                continue;
            };
            let best = &self.best[at].1;
            let mut group = Group::default();
            group.push(best.base, best.features.as_ref());
            let others = states.iter().filter(|state| state.hash != best.hash);
            for state in others.take(survivors + cut) {
                group.push(state.base, state.features.as_ref());
            }
            if group.base.len() > 1 {
                groups.push(group);
            }
        }
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(n: u64) -> Described<[i16; 1]> {
        Described {
            hash: n,
            value: 0,
            base: n as i32,
            features: [n as i16],
        }
    }

    /// Layers 0 to 8 hold ten numbers each, of which the first six survive; the best
    /// one's way goes through layers 0, 2, 5 and 8, each time over the number that ends in 3.
    fn groups(sampling: Sampling) -> Vec<Group> {
        let mut recorder = Recorder::new(sampling);
        for layer in 0..=8 {
            let numbers = layer as u64 * 10..layer as u64 * 10 + 10;
            recorder.evaluated(layer, numbers.clone().map(number).collect());
            recorder.survived(layer, numbers.take(6).collect());
        }
        recorder.best([0, 2, 5, 8].map(|l| (l, number(l as u64 * 10 + 3))).into());
        recorder.groups()
    }

    #[test]
    fn a_group_holds_the_best_one_first_then_survivors_then_others() {
        let sampling = Sampling {
            every: 1,
            ahead: 3,
            survivors: 4,
            cut: 2,
        };
        let found = groups(sampling);
        assert_eq!(found.len(), 2);
        for (group, layer) in found.iter().zip([2, 5]) {
            assert_eq!(group.base[0], layer * 10 + 3);
            assert_eq!(group.base.len(), 7);
            let mut all = group.base.clone();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), 7, "nothing is there twice");
            let cut = |base: &i32| (layer * 10 + 6..layer * 10 + 10).contains(base);
            let (survivors, others) = group.base.split_at(5);
            assert!(survivors.iter().all(|base| !cut(base)));
            assert!(others.iter().all(cut));
            let features: Vec<i32> = group.features.iter().map(|&f| f.into()).collect();
            assert_eq!(features, group.base);
        }
        let layers = |every, ahead| -> Vec<i32> {
            let sampling = Sampling {
                every,
                ahead,
                ..sampling
            };
            groups(sampling).iter().map(|g| g.base[0] / 10).collect()
        };
        assert_eq!(layers(1, 4), [2]);
        assert_eq!(layers(1, 0), [2, 5, 8]);
        assert_eq!(layers(2, 0), [2, 8]);
        assert_eq!(layers(5, 0), [5]);
    }
}
