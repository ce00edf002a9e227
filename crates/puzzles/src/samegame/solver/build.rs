//! Builds a child from its parent.

use super::search::{Move, Position, Search};
use crate::samegame::planes::Planes;
use columns_core::simd::{Isa, Kernel};

/// The kernel that removes the group of `mv` from the board of `parent`, and scores the resulting position.
pub(super) struct BuildKernel<'a, const N: usize, const P: usize, const B: u32, const C: usize> {
    pub(super) search: &'a mut Search<N, P, B, C>,
    pub(super) parent: &'a Position<N, P, B>,
    pub(super) mv: Move,
}

impl<const N: usize, const P: usize, const B: u32, const C: usize> Kernel
    for BuildKernel<'_, N, P, B, C>
{
    type Output = Position<N, P, B>;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> Position<N, P, B> {
        let Self { search, parent, mv } = self;
        let mut board = parent.board;
        let links = board.compute_links();
        let mut remaining = Planes::<N, P, B>::all_linked_cells(&links);
        let place = (mv.word as usize, 1 << mv.bit);
        let size = Planes::<N, P, B>::take_group(&links, &mut remaining, place, &mut search.runs);
        board.remove_group(&search.runs);
        let points = parent.points + search.scoring.group_points(size as usize);
        search.new_position(board, parent.tiles_left - size, points)
    }
}
