//! Builds a child from its parent, and ranks the child again with the network.

use super::options::DescribedPosition;
use super::search::{Move, Position, Search};
use crate::samegame::planes::Planes;
use columns_core::simd::{Isa, Kernel};

/// The kernel that builds a child.
pub(super) struct Build<'a, 'g, const N: usize, const P: usize, const B: u32, const C: usize> {
    pub(super) search: &'a mut Search<'g, N, P, B, C>,
    pub(super) parent: &'a Position<N, P, B>,
    pub(super) mv: Move,
}

impl<const N: usize, const P: usize, const B: u32, const C: usize> Kernel
    for Build<'_, '_, N, P, B, C>
{
    type Return = Position<N, P, B>;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> Position<N, P, B> {
        let Self { search, parent, mv } = self;
        let mut board = parent.board;
        let links = board.compute_links();
        let mut remaining = [0; N];
        for word in 0..N {
            remaining[word] = Planes::<N, P, B>::linked_cells(&links, word);
        }
        let place = (mv.word as usize, 1 << mv.bit);
        let size = Planes::<N, P, B>::take_group(&links, &mut remaining, place, &mut search.runs);
        board.remove_group(&search.runs);
        let points = parent.points + search.scoring.group_points(size as usize);
        search.unranked_position(board, parent.tiles_left - size, points)
    }
}

/// The kernel that ranks a position by the hand-set evaluation and the network, if there is one. Returns
/// the description of the position for observers.
pub(super) struct Rerank<'a, 'g, const N: usize, const P: usize, const B: u32, const C: usize> {
    pub(super) search: &'a Search<'g, N, P, B, C>,
    pub(super) position: &'a mut Position<N, P, B>,
}

impl<const N: usize, const P: usize, const B: u32, const C: usize> Kernel
    for Rerank<'_, '_, N, P, B, C>
{
    type Return = DescribedPosition;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> DescribedPosition {
        let Self { search, position } = self;
        let (shapes, features) = position
            .board
            .compute_shapes_and_features::<C>(search.colour_count);
        let value = search.value(&shapes, position.tiles_left, position.points);
        let learned = search
            .network
            .map_or(0, |network| network.compute_value(isa, &features));
        let hash = position.hash();
        position.rank = search.rank(value + search.learned_scale * f64::from(learned), hash);
        let hand_set_value = (value / search.learned_scale) as i32;
        DescribedPosition {
            hash,
            value: hand_set_value + learned,
            hand_set_value,
            features,
        }
    }
}
