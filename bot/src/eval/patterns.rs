//! The patterns of a field: counts of pairs of equal colour and of completions, and the surface.
//!
//! ```text
//! . c c . . .    near pairs: level `aa` and `cc`, falling `cc`: pairs [2, 0, 1, 0, ...]
//! . a a c . .    completions: `a` left of `aa`, `c` left and right of `cc`, a falling `c` on stack 1
//!                by_direction [3 level, 0 rising, 1 falling, 0 upright]
//!                by_height [3 on top of a stack, 1 a cell higher (`c` on stack 0), 4 in all]
//! ```

use crate::case::shape::Shape;
use crate::eval::context::Context;
use columns_core::field::lines::{Completions, Pairs, Placements};
use columns_core::field::{Field, MAX_WIDTH, Mask};
use columns_core::simd::{Cells, Isa, Kernel, Lanes};

/// The counts of pairs and completions of a field, and measures of its surface.
#[derive(Debug, Clone, Copy, Default)]
pub struct Patterns {
    /// Jewels with the colour of their neighbour in each of four directions, then those with the
    /// colour of the jewel at twice the distance.
    pub pairs: [u32; 8],
    /// Empty cells at which one jewel would complete a line, for each direction of the line: level,
    /// rising, falling, upright.
    pub by_direction: [u32; 4],
    /// Empty cells on top of a stack, or one cell higher, that complete a level line, and those
    /// that complete an upright line.
    pub reach: [u32; 2],
    /// Empty cells that complete any line: first those on top of a stack, then those one cell
    /// higher, then all of them.
    pub by_height: [u32; 3],
    /// The number of colours that complete a line on top of a stack, each weighted by how soon it
    /// comes.
    pub soon: u32,
    /// The number of placements with which the next column makes a match when it lands.
    pub next: u32,
    /// The number of occupied cells.
    pub count: u32,
    /// The heights of the stacks.
    pub heights: [u32; MAX_WIDTH],
    /// The height of the highest stack.
    pub high: u32,
    /// The height of the lowest stack.
    pub low: u32,
    /// The sum of the absolute height differences between neighbouring stacks.
    pub rough: u32,
    /// The sum of the squares of the heights.
    pub squares: u32,
}

impl Patterns {
    /// Counts the patterns of a field after `placed` columns, except `soon`.
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
            _ => Placements::from_tops(Mask::EMPTY, 3),
        };
        isa.enter(Find {
            shape,
            occupied: field.occupied(),
            pairs: Pairs::from_field(isa, field),
            next,
            patterns: self,
        });
    }
}

/// The kernel that counts the patterns. Its type has no parameter for the number of planes, so its
/// code is compiled only once for all layouts of a width.
struct Find<'a, L, const W: usize> {
    shape: &'a Shape<W>,
    occupied: Mask<W>,
    pairs: Pairs<L>,
    /// The placements of the next column that match, including those on stacks without room.
    next: Placements<W>,
    patterns: &'a mut Patterns,
}

impl<L: Lanes<W>, const W: usize> Kernel for Find<'_, L, W> {
    type Answer = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        let Self {
            shape,
            occupied,
            pairs,
            patterns,
            ..
        } = self;
        patterns.count = occupied.count();
        patterns.heights = shape.heights(occupied);
        patterns.low = u32::MAX;
        for direction in 0..4 {
            patterns.pairs[direction] = Mask(pairs.near[direction].words()).count();
            patterns.pairs[direction + 4] = Mask(pairs.far[direction].words()).count();
        }
        let open = shape.cells.without(occupied);
        let tops = shape.tops(occupied);
        let above = tops.up::<1>();
        let near = tops.or(above).and(shape.cells);
        let completions = Completions::from_pairs(&pairs);
        let [right, left, rising, rising_2, falling, falling_2, upright] = completions.sets;
        let by_direction = [
            right.or(left),
            rising.or(rising_2),
            falling.or(falling_2),
            upright,
        ];
        patterns.by_direction = by_direction.map(|kind| kind.and(open).count());
        patterns.reach = [by_direction[0], by_direction[3]].map(|kind| kind.and(near).count());
        let any = completions.any.and(open);
        patterns.by_height = [any.and(tops), any.and(above), any].map(Mask::count);
        let landing = Placements::from_tops(tops.and(shape.landing), 3);
        patterns.next = self.next.and(landing).count();
        let heights = &patterns.heights[..shape.width];
        for (x, &height) in heights.iter().enumerate() {
            patterns.high = patterns.high.max(height);
            patterns.low = patterns.low.min(height);
            patterns.squares += height * height;
            if x > 0 {
                patterns.rough += height.abs_diff(heights[x - 1]);
            }
        }
    }
}
