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
    /// The patterns of a field after `placed` columns. `soon` is passed on.
    #[inline(always)]
    pub(crate) fn of<I: Isa, const W: usize, const P: usize>(
        isa: I,
        context: &Context<W>,
        field: &Field<W, P>,
        pairs: &Pairs<I::Lanes<W>>,
        completions: &Completions<W>,
        soon: u32,
        placed: usize,
    ) -> Self {
        let Context { shape, queue, .. } = context;
        let mut found = Self {
            soon,
            ..Self::default()
        };
        let occupied = field.occupied();
        found.count = occupied.count();
        for direction in 0..4 {
            found.pairs[direction] = Mask(pairs.near[direction].words()).count();
            found.pairs[direction + 4] = Mask(pairs.far[direction].words()).count();
        }
        let open = shape.cells.without(occupied);
        let tops = shape.tops(occupied);
        let near = tops.or(tops.below(1)).and(shape.cells);
        let sets = &completions.sets;
        for (kind, count) in found.kinds.iter_mut().enumerate() {
            let set = match kind {
                3 => sets[6],
                _ => sets[2 * kind].or(sets[2 * kind + 1]),
            };
            *count = set.and(open).count();
            found.reach[kind] = set.and(near).count();
        }
        let any = completions.any.and(open);
        found.levels = [
            any.and(tops).count(),
            any.and(tops.below(1)).count(),
            any.count(),
        ];
        if let Some(&Some(jewels)) = queue.columns.get(placed) {
            let landing = tops.and(shape.landing);
            let floor = isa.load(&shape.floor.0);
            let hits = field.stepper(isa, 0, 0, [0; 3]).matching(floor, jewels);
            found.next = hits.and(Placements::of(landing, 3)).count();
        }
        found.heights = shape.heights(occupied);
        let heights = &found.heights[..shape.width];
        found.low = u32::MAX;
        for (x, &height) in heights.iter().enumerate() {
            found.high = found.high.max(height);
            found.low = found.low.min(height);
            found.squares += height * height;
            if x > 0 {
                found.rough += height.abs_diff(heights[x - 1]);
            }
        }
        found
    }
}
