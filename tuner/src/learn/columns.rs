//! Groups from games of the Columns Game.

use super::dataset::Group;
use super::model::{Model, OUT};
use columns_bot::features::FEATURES;
use columns_bot::network::{largest, Network, HIDDEN, OUTPUT, UNIT, WEIGHT};
use columns_bot::search::{play, Player, Seen, Watch};
use columns_core::beam::Budget;
use columns_core::case::Case;
use columns_core::isa::Path;
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

/// Keeps some states of some layers.
struct Recorder {
    sampling: Sampling,
    evaluated: Vec<Seen>,
    layers: Vec<(usize, Vec<Seen>)>,
    best: Vec<Seen>,
}

/// Some order of the states of a layer, unrelated to anything.
fn shuffled(seen: &Seen) -> u64 {
    (seen.hash ^ 0x5851_f42d_4c95_7f2d).wrapping_mul(0xda94_2042_e4dd_58b5)
}

impl Watch for Recorder {
    fn evaluated(&mut self, layer: usize, states: Vec<Seen>) {
        if layer.is_multiple_of(self.sampling.every) {
            self.evaluated = states;
            self.evaluated.sort_by_key(shuffled);
        }
    }

    fn survived(&mut self, layer: usize, hashes: Vec<u64>) {
        if !layer.is_multiple_of(self.sampling.every) {
            return;
        }
        let survivors: HashSet<u64> = hashes.into_iter().collect();
        let (kept, cut): (Vec<Seen>, Vec<Seen>) = std::mem::take(&mut self.evaluated)
            .into_iter()
            .partition(|seen| survivors.contains(&seen.hash));
        // One more, since the best may be among them.
        let kept = kept.into_iter().take(self.sampling.survivors + 1);
        let cut = cut.into_iter().take(self.sampling.cut);
        self.layers.push((layer, kept.chain(cut).collect()));
    }

    fn best(&mut self, states: Vec<Seen>) {
        self.best = states;
    }
}

/// Plays a case and takes groups from its layers.
pub fn groups(case: &Case, player: Player, width: usize, sampling: Sampling) -> Vec<Group> {
    let mut recorder = Recorder {
        sampling,
        evaluated: Vec::new(),
        layers: Vec::new(),
        best: Vec::new(),
    };
    let budget = Budget::Width(width);
    play(case, player, budget, &|| 0.0, Path::detect(), &mut recorder);
    let end = recorder.best.len();
    let mut groups = Vec::new();
    for (layer, states) in recorder.layers {
        if layer == 0 || layer + sampling.ahead >= end {
            continue;
        }
        let best = recorder.best[layer];
        let mut group = Group::default();
        group.push(best.base, &best.features);
        let others = states.iter().filter(|seen| seen.hash != best.hash);
        for seen in others.take(sampling.survivors + sampling.cut) {
            group.push(seen.base, &seen.features);
        }
        if group.base.len() > 1 {
            groups.push(group);
        }
    }
    groups
}

/// Beyond this the weights that come out of a unit would be too coarse.
const LARGEST_STRETCH: f64 = 16.0;

/// The model in whole numbers, as the bot has it.
pub fn network(model: &Model) -> Network {
    let mut network = Network::ZERO;
    let layout = model.layout();
    let whole = |value: f64, count| {
        value
            .round()
            .clamp(-f64::from(largest(count)), f64::from(largest(count)))
    };
    for i in 0..FEATURES {
        network.mean[i] = model.mean[i] as i16;
        let scale = f64::from(model.scale[i]) * UNIT * 256.0;
        network.scale[i] = scale.round().min(32_767.0) as i16;
        let weight = f64::from(model.parameters[layout.linear + i] * OUT);
        network.linear[i] = whole(weight * WEIGHT, 2) as i16;
    }
    for unit in 0..HIDDEN {
        // What goes into a unit may be larger if what comes out of it is smaller: the more of its
        // digits a weight uses, the finer it is.
        let weights = (0..FEATURES).map(|i| model.parameters[i * HIDDEN + unit].abs());
        let most = f64::from(weights.fold(0.0, f32::max));
        let stretch = (f64::from(largest(1)) / (most * WEIGHT)).min(LARGEST_STRETCH);
        for i in 0..FEATURES {
            let weight = f64::from(model.parameters[i * HIDDEN + unit]);
            network.first[i / 2][unit][i % 2] = whole(weight * stretch * WEIGHT, 1) as i16;
        }
        let bias = f64::from(model.parameters[layout.bias + unit]);
        network.bias[unit] = whole(bias * stretch * UNIT * WEIGHT, 3) as i32;
        let weight = f64::from(model.parameters[layout.output + unit] * OUT);
        network.output[unit] = whole(weight / stretch * OUTPUT, 2) as i16;
    }
    network
}
