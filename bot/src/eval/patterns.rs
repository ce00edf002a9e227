//! How the colours of a field lie to each other, and its surface.

use crate::search::context::Context;
use columns_core::field::lines::{Completions, Pairs, Placements};
use columns_core::field::{Field, Mask};
use columns_core::simd::{Isa, Lanes};

/// How the colours of a field lie to each other, and its surface.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Patterns {
    /// Jewels that have the colour of their neighbour in each of four directions, then those that
    /// have the colour of the jewel at twice the distance.
    pub(crate) pairs: [u32; 8],
    /// Empty cells where one jewel would complete a line: level, rising, falling and upright ones.
    pub(crate) kinds: [u32; 4],
    /// Of `kinds`, the cells on top of a stack or one above.
    pub(crate) reach: [u32; 4],
    /// Of the empty cells that would complete any line: those on top of a stack, one above, and
    /// all.
    pub(crate) levels: [u32; 3],
    /// How many colours complete a line on top of a stack, each weighted by how soon it comes.
    pub(crate) soon: u32,
    /// How many placements of the next column match at once.
    pub(crate) next: u32,
    /// How many cells are occupied.
    pub(crate) count: u32,
    /// The heights of the stacks.
    pub(crate) heights: [u32; 12],
    /// The height of the highest stack.
    pub(crate) high: u32,
    /// The height of the lowest stack.
    pub(crate) low: u32,
    /// The sum of the differences of neighbouring heights.
    pub(crate) rough: u32,
    /// The sum of the squares of the heights.
    pub(crate) squares: u32,
}

impl Patterns {
    /// Finds the patterns of a field after `placed` columns, but for `soon`.
    #[inline(always)]
    pub(crate) fn find<I: Isa, const W: usize, const P: usize>(
        &mut self,
        isa: I,
        context: &Context<W>,
        field: &Field<W, P>,
        placed: usize,
    ) {
        let Context { shape, queue, .. } = context;
        let pairs = Pairs::of(isa, field);
        let completions = Completions::by(&pairs);
        let occupied = field.occupied();
        self.count = occupied.count();
        for direction in 0..4 {
            self.pairs[direction] = Mask(pairs.near[direction].words()).count();
            self.pairs[direction + 4] = Mask(pairs.far[direction].words()).count();
        }
        let open = shape.cells.without(occupied);
        let tops = shape.tops(occupied);
        let near = tops.or(tops.below(1)).and(shape.cells);
        let sets = &completions.sets;
        for (kind, count) in self.kinds.iter_mut().enumerate() {
            let set = match kind {
                3 => sets[6],
                _ => sets[2 * kind].or(sets[2 * kind + 1]),
            };
            *count = set.and(open).count();
            self.reach[kind] = set.and(near).count();
        }
        let any = completions.any.and(open);
        self.levels = [
            any.and(tops).count(),
            any.and(tops.below(1)).count(),
            any.count(),
        ];
        if let Some(&Some(jewels)) = queue.columns.get(placed) {
            let landing = tops.and(shape.landing);
            let floor = isa.load(&shape.floor.0);
            let hits = field.stepper(isa, 0, 0, [0; 3]).matching(floor, jewels);
            self.next = hits.and(Placements::of(landing, 3)).count();
        }
        self.heights = shape.heights(occupied);
        let heights = &self.heights[..shape.width];
        self.low = u32::MAX;
        for (x, &height) in heights.iter().enumerate() {
            self.high = self.high.max(height);
            self.low = self.low.min(height);
            self.squares += height * height;
            if x > 0 {
                self.rough += height.abs_diff(heights[x - 1]);
            }
        }
    }
}
