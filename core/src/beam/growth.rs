//! The parts of a search that any thread can compute: lists of children, and states.

use super::game::{Candidate, Children, Game, ListedHash};
use super::hashes::Hashes;
use super::layers::Survivors;
use super::selector::Scores;
use crate::team::Work;
use std::sync::Arc;

/// Asks a game.
pub(super) struct Growth<'g, G, const Q: usize>(pub(super) &'g G);

/// What the parts of a batch have in common.
pub(super) enum Job<G: Game<Q>, const Q: usize> {
    /// List the children of a layer's survivors.
    List(usize, Arc<Survivors<G::State>>),
    /// Build and evaluate states.
    Build(Plot<G, Q>),
}

/// What a layer is built from.
pub(super) struct Plot<G: Game<Q>, const Q: usize> {
    pub(super) layer: usize,
    /// The survivors of the layers from `oldest` on.
    pub(super) parents: Vec<Arc<Survivors<G::State>>>,
    pub(super) oldest: usize,
    /// The candidates to build, best first.
    pub(super) chosen: Vec<Candidate<G::Move, G::ListedHash>>,
    /// The hashes of the states that the leader has received: all of them come before the parts that are not received.
    pub(super) known: Hashes,
}

/// A range of survivors or candidates.
#[derive(Clone, Copy)]
pub(super) struct Part<const Q: usize> {
    pub(super) start: usize,
    pub(super) end: usize,
    /// A child is listed if it beats these scores.
    pub(super) required: Scores<Q>,
}

/// The children of some survivors, or new states.
pub(super) struct Output<G: Game<Q>, const Q: usize> {
    pub(super) children: Children<G::Move, G::ListedHash, Q>,
    /// The work that listing them took.
    pub(super) work: u64,
    pub(super) states: Vec<G::State>,
    /// For each state: the index of its candidate, and its hash.
    pub(super) origins: Vec<(usize, u64)>,
    built: Vec<G::Child>,
    scratch: G::Scratch,
}

impl<G: Game<Q>, const Q: usize> Default for Output<G, Q> {
    fn default() -> Self {
        Self {
            children: Children::default(),
            work: 0,
            states: Vec::new(),
            origins: Vec::new(),
            built: Vec::new(),
            scratch: G::Scratch::default(),
        }
    }
}

impl<G: Game<Q>, const Q: usize> Work for Growth<'_, G, Q> {
    type Job = Job<G, Q>;
    type Part = Part<Q>;
    type Output = Output<G, Q>;

    fn run(&self, job: &Job<G, Q>, part: &Part<Q>, output: &mut Output<G, Q>) {
        match job {
            Job::List(layer, parents) => self.list(*layer, parents, part, output),
            Job::Build(plot) => self.build(plot, part, output),
        }
    }
}

impl<G: Game<Q>, const Q: usize> Growth<'_, G, Q> {
    /// Lists the children of some survivors.
    fn list(
        &self,
        layer: usize,
        parents: &Survivors<G::State>,
        part: &Part<Q>,
        output: &mut Output<G, Q>,
    ) {
        let Output {
            children,
            scratch,
            work,
            ..
        } = output;
        children.listed.clear();
        children.layer = layer as u32;
        *work = 0;
        for parent in part.start..part.end {
            children.parent = parent as u32;
            let state = parents.state(parent);
            *work += u64::from(
                self.0
                    .expand(scratch, layer, state, &part.required, children),
            );
        }
    }

    /// Builds some candidates and evaluates those that are no known duplicates.
    fn build(&self, plot: &Plot<G, Q>, part: &Part<Q>, output: &mut Output<G, Q>) {
        let Output {
            states,
            origins,
            built,
            scratch,
            ..
        } = output;
        states.clear();
        origins.clear();
        built.clear();
        // The hashes of this part, by their last bits.
        let mut seen = 0_u64;
        for index in part.start..part.end {
            let candidate = &plot.chosen[index];
            let layer = candidate.layer as usize;
            let parent = plot.parents[layer - plot.oldest].state(candidate.parent as usize);
            let child = self.0.build(scratch, layer, parent, candidate.mv);
            let mut hash = 0;
            if candidate.hash.get().is_none() {
                hash = self.0.hash(&child);
                let bit = 1 << (hash & 63);
                let is_here = seen & bit != 0 && origins.iter().any(|&(_, other)| other == hash);
                if is_here || plot.known.contains(hash) {
                    continue;
                }
                seen |= bit;
            }
            origins.push((index, hash));
            built.push(child);
        }
        self.0.evaluate(plot.layer, built, states);
    }
}
