//! The patterns of a field: counts of equal-coloured pairs and of completions, and measures of the surface.
//!
//! ```text
//! . c c . . .    near pairs: horizontal `aa` and `cc`, falling `cc`: pairs [2, 0, 1, 0, ...]
//! . a a c . .    completions: `a` left of `aa`, `c` left and right of `cc`, a falling `c` on stack 1
//!                by direction: 3 horizontal, 0 rising, 1 falling, 0 vertical
//!                by height: 3 on top of a stack, 1 a cell higher (`c` on stack 0), 4 in all
//! ```

use crate::case::geometry::FieldGeometry;
use crate::eval::context::Context;
use columns_core::field::lines::{ColourPairs, Completions, PlacementSet};
use columns_core::field::{Field, MAX_WIDTH, Mask};
use columns_core::simd::{Cells, Isa, Kernel, Lanes};

/// The counts of pairs and completions of a field, and measures of its surface.
#[derive(Debug, Clone, Copy, Default)]
pub struct Patterns {
    /// The number of jewels with the colour of their neighbour, in each of four directions; then the
    /// number with the colour of the jewel at twice the distance, in the same directions.
    pub pair_counts: [u32; 8],
    /// The number of empty cells at which one jewel would complete a line, for each direction of the
    /// line: horizontal, rising, falling, vertical.
    pub completions_by_direction: [u32; 4],
    /// The number of empty cells, on top of a stack or one cell higher, at which one jewel would
    /// complete a horizontal line; then the same for a vertical line.
    pub completions_in_reach: [u32; 2],
    /// The number of empty cells at which one jewel would complete any line: those on top of a stack,
    /// those one cell above, and all.
    pub completions_by_height: [u32; 3],
    /// The sum, over the stacks with room for a column, of the
    /// [weights](crate::case::queue::ColumnQueue::upcoming_weights) of the colours that complete a line on
    /// top of the stack.
    pub completion_weight: u32,
    /// The number of placements with which the next column makes a match when it lands.
    pub matching_placement_count: u32,
    /// The number of jewels on the field, including a filler that was not cleared.
    pub jewel_count: u32,
    /// The number of jewels on each stack, 0 beyond the width of the field.
    pub heights: [u32; MAX_WIDTH],
    /// The height of the highest stack, in cells.
    pub max_height: u32,
    /// The height of the lowest stack, in cells.
    pub min_height: u32,
    /// The sum of the absolute height differences between neighbouring stacks.
    pub bumpiness: u32,
    /// The sum of the squares of the heights.
    pub squared_height_sum: u32,
}

impl Patterns {
    /// Counts the patterns of a field after `placed` columns. `self` must be the default. Does not set
    /// `completion_weight`.
    #[inline(always)]
    pub(crate) fn count<I: Isa, const W: usize, const P: usize>(
        &mut self,
        isa: I,
        context: &Context<W>,
        field: &Field<W, P>,
        placed: usize,
    ) {
        let Context {
            geometry, queue, ..
        } = context;
        let next = match queue.columns.get(placed) {
            Some(&Some(jewels)) => {
                let floor = isa.load(&geometry.floor.0);
                field
                    .stepper_after_drop(isa, 0, 0, [0; 3])
                    .matching_placements(floor, jewels)
            }
            _ => PlacementSet::from_tops(Mask::EMPTY, 3),
        };
        isa.enter(CountPatternsKernel {
            geometry,
            occupied: isa.load(&field.occupied().0),
            cells: isa.load(&geometry.cells.0),
            floor: isa.load(&geometry.floor.0),
            pairs: ColourPairs::from_field(isa, field),
            next,
            patterns: self,
        });
    }
}

/// The kernel that counts the patterns. Its type does not depend on the number of planes, so that the
/// compiler makes only one copy for all layouts of a width.
struct CountPatternsKernel<'a, L, const W: usize> {
    geometry: &'a FieldGeometry<W>,
    /// In registers, since the processor delays a load that is wider than the latest stores to the same
    /// memory.
    occupied: L,
    cells: L,
    floor: L,
    pairs: ColourPairs<L>,
    /// The placements of the next column that match, including those on stacks without room.
    next: PlacementSet<W>,
    patterns: &'a mut Patterns,
}

impl<L: Lanes<W>, const W: usize> Kernel for CountPatternsKernel<'_, L, W> {
    type Return = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        let Self {
            geometry,
            occupied,
            pairs,
            patterns,
            ..
        } = self;
        let [a, b, c, d] = L::count_each(pairs.adjacent);
        let [e, f, g, h] = L::count_each(pairs.two_apart);
        patterns.pair_counts = [a, b, c, d, e, f, g, h];
        let open = self.cells.without(occupied);
        let tops = occupied.up::<1>().or(self.floor).without(occupied);
        let above = tops.up::<1>();
        let near = tops.or(above).and(self.cells);
        let completions = Completions::from_pairs(&pairs);
        let [right, left, rising, rising_2, falling, falling_2, vertical] =
            completions.by_neighbour;
        let horizontal = right.or(left);
        let rising = rising.or(rising_2);
        let falling = falling.or(falling_2);
        patterns.completions_by_direction = L::count_each([
            horizontal.and(open),
            rising.and(open),
            falling.and(open),
            vertical.and(open),
        ]);
        let any = completions.for_any_neighbour.and(open);
        let [a, b, c, d] = L::count_each([
            horizontal.and(near),
            vertical.and(near),
            any.and(tops),
            any.and(above),
        ]);
        patterns.completions_in_reach = [a, b];
        patterns.completions_by_height = [c, d, Mask(any.words()).count()];
        let (occupied, tops) = (Mask(occupied.words()), Mask(tops.words()));
        patterns.jewel_count = occupied.count();
        patterns.min_height = u32::MAX;
        let landing = PlacementSet::from_tops(tops.and(geometry.landing_cells), 3);
        patterns.matching_placement_count = self.next.and(landing).count();
        // Like `geometry.heights`, but in place: copying the array would load several heights at once, which
        // defeats store forwarding, since they have just been stored one by one.
        for x in 0..geometry.width {
            let height = occupied.stack_bits(x).trailing_ones();
            patterns.heights[x] = height;
            patterns.max_height = patterns.max_height.max(height);
            patterns.min_height = patterns.min_height.min(height);
            patterns.squared_height_sum += height * height;
            if x > 0 {
                patterns.bumpiness += height.abs_diff(patterns.heights[x - 1]);
            }
        }
    }
}
