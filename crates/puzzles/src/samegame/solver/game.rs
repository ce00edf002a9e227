//! The implementation of the beam search's [`Game`] for SameGame.

use super::build::BuildKernel;
use super::expand::ExpandKernel;
use super::search::{Move, Position, Search};
use columns_core::beam::{Children, Game, Scores};
use columns_core::simd;

impl<const N: usize, const P: usize, const B: u32, const C: usize> Game<0> for Search<N, P, B, C> {
    type State = Position<N, P, B>;
    type Move = Move;
    type ListedHash = [u64; 1];
    type Memo = ();

    fn expand(
        &mut self,
        _: usize,
        position: &Position<N, P, B>,
        _: Scores<0>,
        children: &mut Children<Move, [u64; 1], 0>,
    ) {
        let (cpu, search) = (self.cpu, self);
        let kernel = ExpandKernel {
            search,
            position,
            children,
        };
        simd::run(cpu, kernel);
    }

    fn build(&mut self, _: usize, mv: Move, _: Option<&()>, position: &mut Position<N, P, B>) {
        let (cpu, search) = (self.cpu, self);
        let parent = &*position;
        *position = simd::run(cpu, BuildKernel { search, parent, mv });
    }

    fn hash(&self, position: &Position<N, P, B>) -> u64 {
        position.hash()
    }

    /// Adds equal scores for all positions, since the scores decide nothing: the beam keeps every position
    /// that it builds, in the order of the listed children.
    fn evaluate(
        &mut self,
        _: usize,
        positions: &mut [Position<N, P, B>],
        scores: &mut Vec<Scores<0>>,
    ) {
        let equal = Scores {
            value: 0,
            quota_scores: [],
        };
        scores.extend(positions.iter().map(|_| equal));
    }

    fn score(&self, position: &Position<N, P, B>) -> i64 {
        position.score
    }

    fn quota_shares(&self, _: usize) -> [f64; 0] {
        []
    }
}
