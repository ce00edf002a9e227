//! What the calling thread does with the outputs of the parts, in their order.

use super::admission::AdmissionThreshold;
use super::game::{Candidate, Game, ListedHash, Observer};
use super::growth::{Growth, Output, Part, Plot};
use super::layers::{place, Layers};
use super::search::SearchResult;
use super::selector::Scores;
use super::width::WidthController;
use crate::team::Batch;
use std::mem;

/// After this many parents each, the search checks the clock.
const PARENTS_A_CHECK: usize = 64;
/// After this many candidates each, it does so while it builds a layer: about a millisecond.
const CANDIDATES_A_CHECK: usize = 256;

/// Lists the children of a layer.
pub(super) struct Listing<'b, 'a, G: Game<Q>, O, const Q: usize> {
    pub(super) observer: &'b mut O,
    pub(super) controller: &'b mut WidthController<'a>,
    pub(super) result: &'b mut SearchResult<G::Move>,
    pub(super) layers: &'b mut Layers<G::State, G::Move, G::ListedHash, Q>,
    /// What the children have to beat, unless the game lists all.
    pub(super) threshold: Option<AdmissionThreshold<Q>>,
    /// The number of survivors in a part.
    pub(super) size: usize,
    /// The survivors that are not in a part yet.
    pub(super) next: usize,
    pub(super) count: usize,
    /// By how many layers the farthest child advances.
    pub(super) reach: usize,
}

impl<G: Game<Q>, O, const Q: usize> Listing<'_, '_, G, O, Q> {
    /// What a child has to beat, by all that were received.
    fn required(&self) -> Scores<Q> {
        let threshold = self.threshold.as_ref();
        threshold.map_or(Scores::LOWEST, AdmissionThreshold::scores)
    }
}

impl<G: Game<Q>, O: Observer<G, Q>, const Q: usize> Batch<Growth<'_, G, Q>>
    for Listing<'_, '_, G, O, Q>
{
    fn next(&mut self) -> Option<Part<Q>> {
        let start = self.next;
        self.next = (start + self.size).min(self.count);
        (start < self.count).then(|| Part {
            start,
            end: self.next,
            required: self.required(),
        })
    }

    fn take(&mut self, part: &Part<Q>, output: &mut Output<G, Q>) -> bool {
        let Output { children, work, .. } = output;
        self.observer
            .expanded(part.end - part.start, children.listed.len(), *work);
        // The threshold has risen since the part was named.
        let required = self.required();
        for &(advance, scores, candidate) in &children.listed {
            if let Some(threshold) = &mut self.threshold {
                if !scores.beats(&required) {
                    continue;
                }
                threshold.add(&scores);
            }
            self.result.candidates += 1;
            self.reach = self.reach.max(advance as usize);
            self.layers.push(advance, scores, candidate);
        }
        let check = part.end < self.count
            && part.end / PARENTS_A_CHECK > part.start / PARENTS_A_CHECK
            && self.controller.is_late();
        self.result.complete &= !check;
        !check
    }
}

/// The candidate that a state was built from.
type Origin<G, const Q: usize> = Candidate<<G as Game<Q>>::Move, <G as Game<Q>>::ListedHash>;

/// The states of a layer that are built.
pub(super) struct Built<G: Game<Q>, const Q: usize> {
    /// See [`place`].
    pub(super) chunks: Vec<Vec<G::State>>,
    /// For each state that is no duplicate: its place, and its candidate.
    pub(super) origins: Vec<(u32, Origin<G, Q>)>,
    /// The scores of these states.
    pub(super) scores: Vec<Scores<Q>>,
}

/// Builds the states of a layer.
pub(super) struct Building<'b, 'a, G: Game<Q>, O, const Q: usize> {
    pub(super) game: &'b G,
    pub(super) observer: &'b mut O,
    pub(super) controller: &'b mut WidthController<'a>,
    pub(super) result: &'b mut SearchResult<G::Move>,
    pub(super) layers: &'b mut Layers<G::State, G::Move, G::ListedHash, Q>,
    pub(super) built: &'b mut Built<G, Q>,
    pub(super) plot: &'b Plot<G, Q>,
    /// The number of candidates in a part: a power of two.
    pub(super) size: usize,
    /// The candidates that are not in a part yet.
    pub(super) next: usize,
}

impl<G: Game<Q>, O: Observer<G, Q>, const Q: usize> Batch<Growth<'_, G, Q>>
    for Building<'_, '_, G, O, Q>
{
    fn next(&mut self) -> Option<Part<Q>> {
        let (start, count) = (self.next, self.plot.chosen.len());
        self.next = (start + self.size).min(count);
        (start < count).then_some(Part {
            start,
            end: self.next,
            required: Scores::LOWEST,
        })
    }

    fn take(&mut self, part: &Part<Q>, output: &mut Output<G, Q>) -> bool {
        let chunk = self.built.chunks.len();
        for (at, (state, &(index, hash))) in output.states.iter().zip(&output.origins).enumerate() {
            let candidate = self.plot.chosen[index];
            // Where hashes of candidates are known, no duplicate was chosen.
            if candidate.hash.get().is_some() || self.plot.known.insert(hash) {
                self.observer.built(state);
                self.built.origins.push((place(chunk, at), candidate));
                self.built.scores.push(self.game.scores(state));
            }
        }
        let states = mem::replace(&mut output.states, self.layers.chunk());
        self.built.chunks.push(states);
        let check = part.end < self.plot.chosen.len()
            && part.end % CANDIDATES_A_CHECK == 0
            && self.controller.is_late();
        self.result.complete &= !check;
        !check
    }
}
