//! The implementation of the beam search's [`Game`] for SameGame.

use super::build::Build;
use super::expand::Expand;
use super::search::{Move, Position, Search};
use columns_core::beam::{Children, Game, Scores};
use columns_core::simd;

impl<const N: usize, const P: usize, const B: u32, const C: usize> Game<0> for Search<N, P, B, C> {
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

    fn evaluate(
        &mut self,
        _: usize,
        children: &[Position<N, P, B>],
        positions: &mut Vec<Position<N, P, B>>,
    ) {
        positions.extend_from_slice(children);
    }

    /// Returns equal scores for all positions. The beam keeps every position that it builds, in the order of
    /// the listed children.
    fn scores(&self, _: &Position<N, P, B>) -> Scores<0> {
        Scores {
            value: 0,
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
