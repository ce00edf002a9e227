//! The implementation of the beam search's [`Game`] for SameGame, and of its observer.

use super::build::{Build, Rerank};
use super::expand::Expand;
use super::options::{DescribedPosition, Observer};
use super::search::{Move, Position, Search};
use columns_core::beam::{self, Children, Game, Scores, Survivor};
use columns_core::simd;

impl<const N: usize, const P: usize, const B: u32, const C: usize> Search<'_, N, P, B, C> {
    /// Returns the layer of a position: the number of removed tiles.
    fn layer(&self, position: &Position<N, P, B>) -> usize {
        (self.initial_tile_count - position.tiles_left) as usize
    }

    /// Ranks a built position by the evaluation and the network.
    fn rerank(&self, position: &mut Position<N, P, B>) -> DescribedPosition {
        let search = self;
        simd::run(self.cpu, Rerank { search, position })
    }
}

impl<const N: usize, const P: usize, const B: u32, const C: usize> Game<0>
    for Search<'_, N, P, B, C>
{
    type State = Position<N, P, B>;
    type Child = Position<N, P, B>;
    type Move = Move;
    type ListedHash = u64;

    fn expand(
        &mut self,
        _: usize,
        position: &Position<N, P, B>,
        _: Scores<0>,
        children: &mut Children<Move, u64, 0>,
    ) {
        let (cpu, search) = (self.cpu, self);
        let kernel = Expand {
            search,
            position,
            children,
        };
        simd::run(cpu, kernel);
    }

    fn build(&mut self, _: usize, parent: &Position<N, P, B>, mv: Move) -> Position<N, P, B> {
        let (cpu, search) = (self.cpu, self);
        simd::run(cpu, Build { search, parent, mv })
    }

    fn hash(&self, position: &Position<N, P, B>) -> u64 {
        position.hash()
    }

    /// Reranks the children if the search requires it. Otherwise the beam keeps every position that it
    /// builds, in the order of the candidates.
    fn evaluate(
        &mut self,
        _: usize,
        children: &[Position<N, P, B>],
        positions: &mut Vec<Position<N, P, B>>,
    ) {
        let first = positions.len();
        positions.extend_from_slice(children);
        if self.needs_rerank {
            for position in &mut positions[first..] {
                self.rerank(position);
            }
        }
    }

    fn scores(&self, position: &Position<N, P, B>) -> Scores<0> {
        Scores {
            value: position.rank,
            quota_scores: [],
        }
    }

    fn score(&self, position: &Position<N, P, B>) -> i64 {
        position.score
    }

    fn quota_shares(&self, _: usize) -> [f64; 0] {
        []
    }
}

/// An adapter that passes the positions of a beam to an [`Observer`], if there is one.
#[derive(Default)]
pub(super) struct ObserverAdapter<'a>(pub(super) Option<&'a mut dyn Observer>);

impl<'g, const N: usize, const P: usize, const B: u32, const C: usize>
    beam::Observer<Search<'g, N, P, B, C>, 0> for ObserverAdapter<'_>
{
    fn on_evaluated(
        &mut self,
        game: &Search<'g, N, P, B, C>,
        layer: usize,
        positions: &[Position<N, P, B>],
    ) {
        if let Some(observer) = &mut self.0 {
            let described = positions
                .iter()
                .map(|position| game.rerank(&mut position.clone()));
            observer.on_evaluated(layer, described.collect());
        }
    }

    fn on_survived(
        &mut self,
        _: &Search<'g, N, P, B, C>,
        layer: usize,
        survivors: &[Survivor<Position<N, P, B>>],
    ) {
        if let Some(observer) = &mut self.0 {
            let hashes = survivors.iter().map(|survivor| survivor.state.hash());
            observer.on_survived(layer, hashes.collect());
        }
    }

    fn on_played(
        &mut self,
        game: &mut Search<'g, N, P, B, C>,
        root: Position<N, P, B>,
        path: &[Move],
    ) {
        let Some(observer) = &mut self.0 else {
            return;
        };
        let mut position = root;
        let mut positions = vec![(game.layer(&position), game.rerank(&mut position))];
        for &mv in path {
            position = game.build(0, &position, mv);
            positions.push((game.layer(&position), game.rerank(&mut position)));
        }
        observer.on_best_path(positions);
    }
}
