//! How the colours of a field lie to each other, and its surface.

use crate::case::shape::Shape;
use crate::eval::context::Context;
use columns_core::field::lines::{Completions, Pairs, Placements};
use columns_core::field::{Field, Mask, MAX_WIDTH};
use columns_core::simd::{Cells, Isa, Kernel, Lanes};

/// How the colours of a field lie to each other, and its surface.
#[derive(Debug, Clone, Copy, Default)]
pub struct Patterns {
    /// Jewels that have the colour of their neighbour in each of four directions, then those that
    /// have the colour of the jewel at twice the distance.
    pub pairs: [u32; 8],
    /// Empty cells where one jewel would complete a line: level, rising, falling and upright ones.
    pub kinds: [u32; 4],
    /// Of the level and of the upright ones, the cells on top of a stack or one above.
    pub reach: [u32; 2],
    /// Of the empty cells that would complete any line: those on top of a stack, one above, and
    /// all.
    pub levels: [u32; 3],
    /// The number of colours that complete a line on top of a stack, each weighted by how soon it
    /// comes.
    pub soon: u32,
    /// The number of placements of the next column that match when they land.
    pub next: u32,
    /// The number of occupied cells.
    pub count: u32,
    /// The heights of the stacks.
    pub heights: [u32; MAX_WIDTH],
    /// The height of the highest stack.
    pub high: u32,
    /// The height of the lowest stack.
    pub low: u32,
    /// The sum of the differences of neighbouring heights.
    pub rough: u32,
    /// The sum of the squares of the heights.
    pub squares: u32,
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
        let next = match queue.columns.get(placed) {
            Some(&Some(jewels)) => {
                let floor = isa.load(&shape.floor.0);
                field.stepper(isa, 0, 0, [0; 3]).matching(floor, jewels)
            }
            _ => Placements::of(Mask::EMPTY, 3),
        };
        isa.enter(Find {
            shape,
            occupied: field.occupied(),
            pairs: Pairs::of(isa, field),
            next,
            found: self,
        });
    }
}

/// The patterns of a field, of however many planes.
struct Find<'a, L, const W: usize> {
    shape: &'a Shape<W>,
    occupied: Mask<W>,
    pairs: Pairs<L>,
    /// Where the next column matches, if it lies there.
    next: Placements<W>,
    found: &'a mut Patterns,
}

impl<L: Lanes<W>, const W: usize> Kernel for Find<'_, L, W> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        let Self {
            shape,
            occupied,
            pairs,
            found,
            ..
        } = self;
        found.count = occupied.count();
        found.heights = shape.heights(occupied);
        found.low = u32::MAX;
        for direction in 0..4 {
            found.pairs[direction] = Mask(pairs.near[direction].words()).count();
            found.pairs[direction + 4] = Mask(pairs.far[direction].words()).count();
        }
        let open = shape.cells.without(occupied);
        let tops = shape.tops(occupied);
        let above = tops.up::<1>();
        let near = tops.or(above).and(shape.cells);
        let completions = Completions::by(&pairs);
        let [right, left, rising, rising_2, falling, falling_2, upright] = completions.sets;
        let kinds = [
            right.or(left),
            rising.or(rising_2),
            falling.or(falling_2),
            upright,
        ];
        found.kinds = kinds.map(|kind| kind.and(open).count());
        found.reach = [kinds[0], kinds[3]].map(|kind| kind.and(near).count());
        let any = completions.any.and(open);
        found.levels = [any.and(tops), any.and(above), any].map(Mask::count);
        let landing = Placements::of(tops.and(shape.landing), 3);
        found.next = self.next.and(landing).count();
        let heights = &found.heights[..shape.width];
        for (x, &height) in heights.iter().enumerate() {
            found.high = found.high.max(height);
            found.low = found.low.min(height);
            found.squares += height * height;
            if x > 0 {
                found.rough += height.abs_diff(heights[x - 1]);
            }
        }
    }
}
