//! The patterns of a field: counts of equal-coloured pairs and of completions, and measures of the surface.
//!
//! ```text
//! . c c . . .    adjacent:   horizontal `aa` and `cc`, falling `cc`: pairs [2, 0, 1, 0, ...]
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
    /// The number of pairs of equal colour in each of four directions: first of adjacent jewels, then of
    /// jewels two cells apart.
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
    /// The [weights](crate::case::queue::ColumnQueue::upcoming_weights) of the colours that complete a line
    /// on top of a stack, summed over the stacks with room for a column.
    pub completion_weight: u32,
    /// The number of placements of the next column that make a match when it lands.
    pub matching_placement_count: u32,
    /// The number of jewels on the field. After a chain, the trigger's filler counts too.
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
    /// Counts the jewels, and measures the surface of a field that is `width` stacks wide.
    #[inline(always)]
    fn measure_surface<const W: usize>(&mut self, width: usize, occupied: Mask<W>) {
        self.jewel_count = occupied.count();
        self.min_height = u32::MAX;
        // Like `FieldGeometry::heights`, but in place, since a copy would be slow: one instruction would load
        // several heights that have just been stored one by one, and store forwarding would fail.
        for x in 0..width {
            let height = occupied.stack_bits(x).trailing_ones();
            self.heights[x] = height;
            self.max_height = self.max_height.max(height);
            self.min_height = self.min_height.min(height);
            self.squared_height_sum += height * height;
            if x > 0 {
                self.bumpiness += height.abs_diff(self.heights[x - 1]);
            }
        }
    }
}

/// Counts the patterns of one field after `placed_columns` columns, or of two fields if the registers have
/// room for two ([`SETS`](Lanes::SETS)). `patterns` must hold one default [`Patterns`] for each of `fields`.
/// `completion_weight` stays 0.
#[inline(always)]
pub(crate) fn count_patterns<I: Isa, const W: usize, const P: usize>(
    isa: I,
    context: &Context<W>,
    fields: &[&Field<W, P>],
    placed_columns: usize,
    patterns: &mut [Patterns],
) {
    let Context {
        geometry, queue, ..
    } = context;
    let stepper = fields[0].load_two(isa, fields[fields.len() - 1]);
    let floor = isa.load(&geometry.floor.0);
    let next_column_marks = match queue.columns.get(placed_columns) {
        Some(&Some(jewels)) => stepper.matching_marks(floor, jewels),
        _ => floor.splat(0),
    };
    isa.enter(CountPatternsKernel {
        geometry,
        occupied: stepper.occupied(),
        cells: isa.load(&geometry.cells.0),
        floor,
        pairs: stepper.colour_pairs(),
        next_column_marks,
        patterns,
    });
}

/// The kernel that counts the patterns. Its type does not depend on the number of planes, so that the
/// compiler makes only one copy for all layouts of a width.
struct CountPatternsKernel<'a, L, const W: usize> {
    geometry: &'a FieldGeometry<W>,
    /// The occupied cells. This set and those below are passed in registers. If they were passed in memory,
    /// their words would be stored one by one, and the load of a whole set right after that would stall.
    occupied: L,
    cells: L,
    floor: L,
    pairs: ColourPairs<L>,
    /// The marks of the next column's placements that match, including those on stacks without room.
    next_column_marks: L,
    /// The patterns of each field that the registers contain.
    patterns: &'a mut [Patterns],
}

impl<L: Lanes<W>, const W: usize> Kernel for CountPatternsKernel<'_, L, W> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        let Self {
            geometry,
            occupied,
            pairs,
            next_column_marks,
            ..
        } = self;
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
        let any = completions.for_any_neighbour.and(open);
        let mut groups = [
            pairs.adjacent,
            pairs.two_apart,
            [
                horizontal.and(open),
                rising.and(open),
                falling.and(open),
                vertical.and(open),
            ],
            [
                horizontal.and(near),
                vertical.and(near),
                any.and(tops),
                any.and(above),
            ],
            [any, occupied, tops, next_column_marks],
        ];
        // The zip with `0..SETS` bounds the loop by a constant, so that the compiler, which does not know the
        // length of `self.patterns`, can unroll it.
        for (_, patterns) in (0..L::SETS).zip(self.patterns) {
            let [adjacent, two_apart, by_direction, by_height, others] = groups;
            let [any, occupied, tops, next_column_marks] = others;
            let [a, b, c, d] = L::count_each(adjacent);
            let [e, f, g, h] = L::count_each(two_apart);
            patterns.pair_counts = [a, b, c, d, e, f, g, h];
            patterns.completions_by_direction = L::count_each(by_direction);
            let [a, b, c, d] = L::count_each(by_height);
            patterns.completions_in_reach = [a, b];
            patterns.completions_by_height = [c, d, Mask(any.words()).count()];
            let landing = Mask(tops.words()).and(geometry.landing_cells);
            let landing = PlacementSet::from_tops(landing, 3);
            let next_placements = PlacementSet::from_marks(next_column_marks);
            patterns.matching_placement_count = next_placements.and(landing).count();
            patterns.measure_surface(geometry.width, Mask(occupied.words()));
            for group in &mut groups {
                for set in group {
                    *set = set.second();
                }
            }
        }
    }
}
