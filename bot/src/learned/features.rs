//! The features: small integers that describe a state for the learned evaluation. The table in this module
//! has a row for each feature. Renaming the colours does not change the features. Mirroring the field
//! exchanges rising and falling lines, and changes other features only if triggers tie or if there is no
//! trigger.
//!
//! ```text
//! . c c . . .    best chain: an `a` on stack 0, then the three `c`: 3 points, 2 steps, empty field
//! . a a c . .
//!
//! pairs          2 0 1 0  0 0 0 0    horizontal `aa`, `cc`, falling `cc`; none at twice the distance
//! completions    3 0 1 0             cells that complete a line: horizontal, rising, falling, vertical
//! levels         3 1 4               3 on top of a stack, 1 one cell higher, 4 in all
//! rough          4                   |0 - 2| + |2 - 2| + |2 - 1| + |1 - 0| + |0 - 0|
//! chain          3 2 1               points, steps, points per step
//! cleared        5                   6 jewels cleared, less the `a` that the trigger adds
//! ```

use crate::case::geometry::FieldGeometry;
use crate::case::queue::ColumnQueue;
use crate::eval::context::Context;
use crate::eval::potential::{FeatureInputs, Potential, evaluate};
use crate::eval::state::{HISTORY_LENGTH, History, State};
use columns_core::field::{Field, MAX_WIDTH};
use columns_core::rules::case::HEIGHTS;
use columns_core::simd::{Isa, Kernel};

/// Generates the table of features, and the code that computes them. Each row defines one feature: a doc
/// comment, a name, the number of values, and an expression for the values. The statements in braces before
/// the rows run first, and their variables may be used in every row, as may `$state`.
macro_rules! features {
    (
        $state:ident: { $($given:tt)* }
        $($(#[doc = $what:literal])* $name:ident[$count:literal] = $numbers:expr;)*
    ) => {
        /// The total number of feature values, rounded up to an even number. If it was rounded up, the last
        /// value is 0.
        pub const FEATURE_COUNT: usize = usize::div_ceil(0 $(+ $count)*, 2) * 2;

        /// The name, the number of values, and the description of each feature.
        #[cfg(feature = "tools")]
        pub const FEATURE_DESCRIPTIONS: &[(&str, usize, &str)] =
            &[$((stringify!($name), $count, concat!($($what),*))),*];

        impl FeatureSource<'_> {
            /// Computes the values of all features, in the order of the table.
            #[inline(always)]
            #[allow(unused_assignments)] // of `at` after the last row
            pub(crate) fn compute_features(&self) -> Features {
                let $state = self;
                $($given)*
                let (mut all, mut at) = ([0; FEATURE_COUNT], 0);
                $(
                    let numbers: [_; $count] = $numbers;
                    for (to, number) in all[at..at + $count].iter_mut().zip(numbers) {
                        *to = number as i16;
                    }
                    at += $count;
                )*
                all
            }
        }
    };
}

features! { s: {
        let row = s.placed_columns;
        let [current, after_chain] = &s.feature_inputs.patterns;
        let Potential { trigger, best_chain: chain, other_stack_chain: other, .. } = *s.potential;
        let last = s.heights.len() - 1;
        let free = [0, 1, last - 1, last, last / 2, s.heights.len() / 2].map(|x| s.free(x));
        let [edge, beside, other_beside, other_edge, middle, other_middle] = free;
        // If there is no trigger, the trigger's features describe a jewel of code 0 on stack 0.
        let (x, code) = trigger.map_or((0, 0), |t| (t.stack as usize, t.code as usize));
    }
    /// Width of the field in stacks.
    width[1] = [s.heights.len()];
    /// Height of the field in cells.
    height[1] = [s.height];
    /// Colours among the next 50 columns.
    colours[1] = [s.queue.upcoming_colour_counts[row]];
    /// Columns left, at most 60.
    columns_left[1] = [(s.queue.columns.len() - s.placed_columns).min(60)];
    /// The number of pairs of equal colour in each of four directions: first of adjacent jewels, then of
    /// jewels two cells apart.
    pairs[8] = current.pair_counts;
    /// The number of empty cells that complete a line in each direction: horizontal, rising, falling,
    /// vertical.
    completions[4] = current.completions_by_direction;
    /// Empty cells that complete any line: those on top of a stack, those one cell above, and all.
    levels[3] = current.completions_by_height;
    /// Colours that complete a line on top of a stack, weighted by how soon they come.
    soon[1] = [current.completion_weight];
    /// Placements of the next column that make a match when it lands.
    next[1] = [current.matching_placement_count];
    /// The number of jewels on the field.
    jewels[1] = [current.jewel_count];
    /// The height of the highest stack.
    high[1] = [current.max_height];
    /// The height of the lowest stack.
    low[1] = [current.min_height];
    /// The sum of the differences between neighbouring heights.
    rough[1] = [current.bumpiness];
    /// The sum of the squares of the heights, at most 2000.
    squares[1] = [current.squared_height_sum.min(2000)];
    /// After the best chain: the number of pairs of equal colour in each of four directions: first of
    /// adjacent jewels, then of jewels two cells apart.
    after_pairs[8] = after_chain.pair_counts;
    /// After the best chain: the number of empty cells that complete a line in each direction:
    /// horizontal, rising, falling, vertical.
    after_completions[4] = after_chain.completions_by_direction;
    /// After the best chain: empty cells that complete any line: those on top of a stack, those one
    /// cell above, and all.
    after_levels[3] = after_chain.completions_by_height;
    /// After the best chain: colours that complete a line on top of a stack, weighted by how soon
    /// they come.
    after_soon[1] = [after_chain.completion_weight];
    /// After the best chain: placements of the next column that make a match when it lands.
    after_next[1] = [after_chain.matching_placement_count];
    /// After the best chain: the number of jewels.
    after_jewels[1] = [after_chain.jewel_count];
    /// After the best chain: the height of the highest stack.
    after_high[1] = [after_chain.max_height];
    /// After the best chain: the height of the lowest stack.
    after_low[1] = [after_chain.min_height];
    /// After the best chain: the sum of the differences between neighbouring heights.
    after_rough[1] = [after_chain.bumpiness];
    /// After the best chain: the sum of the squares of the heights, at most 2000.
    after_squares[1] = [after_chain.squared_height_sum.min(2000)];
    /// Colours that complete a line in the second empty cell of a stack, weighted by how soon they
    /// come.
    soon_above[1] = [s.feature_inputs.completion_weight_above];
    /// Of the empty cells on top of a stack or one cell higher, the number that complete a horizontal line,
    /// the number that complete a vertical line, and, after the best chain, the number that complete a
    /// horizontal line.
    reach[3] = [current.completions_in_reach[0], current.completions_in_reach[1],
        after_chain.completions_in_reach[0]];
    /// The numbers of stacks with fewer than 3, with fewer than 5 and with fewer than 8 free cells.
    tight[3] = s.tight_stack_counts();
    /// Free cells of the whole field.
    free[1] = [s.heights.len() as i32 * s.height - current.jewel_count as i32];
    /// Free cells of the two stacks at the edges: the sum, the minimum and the maximum.
    edges[3] = [edge + other_edge, edge.min(other_edge), edge.max(other_edge)];
    /// Free cells of the stacks next to the edges.
    beside_edges[1] = [beside + other_beside];
    /// Rows by which an edge stack is lower than the stack next to it: the maximum of both edges.
    edge_step[1] = [(edge - beside).max(other_edge - other_beside)];
    /// Free cells of the two stacks in the middle.
    middle[1] = [middle + other_middle];
    /// The number of wells at least three deep, the height of the highest tower, and the sum of the height
    /// differences between stacks two apart.
    surface[3] = s.surface();
    /// The best chain: points, steps, points per step.
    chain[3] = [chain.points.min(2000), chain.steps, chain.points / chain.steps.max(1)];
    /// The best chain set off on another stack: points, steps.
    other_chain[2] = [other.points.min(2000), other.steps];
    /// Steps of the best chain, less the steps of the parent's best chain.
    longer[1] = [chain.steps as i32 - s.history.parent_chain.steps as i32];
    /// The number of triggers, and the number of those that score at least half as much as the best one.
    triggers[2] = [s.feature_inputs.trigger_count, s.feature_inputs.strong_trigger_count];
    /// Decrease in the number of jewels from the field to the field after the best chain.
    cleared[1] = [current.jewel_count as i32 - after_chain.jewel_count as i32];
    /// Growth of the best chain, and of the points of the game, over the last 1, 4, 8 and 16
    /// columns.
    gains[8] = s.gains();
    /// The number of most recent columns, at most 16, that scored at most 20 matches in total.
    quiet[1] = [s.quiet()];
    /// Stack of the trigger: its free cells, and the number of stacks between it and the nearest edge.
    trigger[2] = [s.free(x), x.min(last - x) as i32];
    /// Heights of the stacks 1, 2 and 3 away from the trigger, less the height of its own stack: at
    /// each distance the higher stack, then the lower one.
    beside_trigger[6] = s.neighbour_heights(x);
    /// Weight of the trigger's colour by how soon it comes, and the number of columns before it
    /// comes.
    trigger_comes[2] = [s.queue.upcoming_weights[row][code], s.queue.columns_until_colour[row][code]];
    /// Columns before the next magic column, at most 20.
    next_magic[1] = [s.queue.columns_until_magic[row]];
    /// The fewest jewels that a magic column can clear.
    least_taken[1] = [s.least_taken];
    /// Empty stacks.
    empty[1] = [s.heights.iter().filter(|&&height| height == 0).count()];
}

/// The features of one state, in the order of the table.
pub type Features = [i16; FEATURE_COUNT];

/// Returns a label for each number: the name of its feature, such as `soon_above`. If a feature has
/// several numbers, their labels end with 1, 2 and so on: `reach 2`.
#[cfg(feature = "tools")]
pub fn feature_labels() -> Vec<String> {
    let numbers = FEATURE_DESCRIPTIONS.iter().flat_map(|&(name, count, _)| {
        (1..=count).map(move |number| match count {
            1 => name.to_string(),
            _ => format!("{name} {number}"),
        })
    });
    numbers.collect()
}

/// The parts of a state from which the features are computed. The type does not depend on the layout
/// of the field, so that the compiler makes only one copy of the code.
#[derive(Clone, Copy)]
pub(crate) struct FeatureSource<'a> {
    queue: &'a ColumnQueue,
    placed_columns: usize,
    height: i32,
    heights: &'a [u32],
    points: u32,
    potential: &'a Potential,
    history: &'a History,
    feature_inputs: &'a FeatureInputs,
    least_taken: u32,
}

impl<'a> FeatureSource<'a> {
    /// Borrows the parts of an evaluated state after `placed_columns` columns. `feature_inputs` must come
    /// from [`evaluate`] with `with_features` set.
    #[inline(always)]
    pub(crate) fn new<const W: usize, const P: usize>(
        context: &'a Context<W>,
        state: &'a State<W, P>,
        feature_inputs: &'a FeatureInputs,
        placed_columns: usize,
    ) -> Self {
        let geometry = &context.geometry;
        let heights = &feature_inputs.patterns[0].heights[..geometry.width];
        Self {
            queue: &context.queue,
            placed_columns,
            height: geometry.height as i32,
            heights,
            points: state.points,
            potential: &state.potential,
            history: &state.history,
            feature_inputs,
            least_taken: least_taken(geometry, &state.field, heights),
        }
    }
}

/// The kernel that computes the features of a state, for observers.
pub struct FeaturesKernel<'a, const W: usize, const P: usize> {
    /// The case and the weights of the game.
    pub context: &'a Context<W>,
    /// The state whose features are computed.
    pub state: &'a State<W, P>,
    /// The number of columns placed.
    pub placed_columns: usize,
}

impl<const W: usize, const P: usize> Kernel for FeaturesKernel<'_, W, P> {
    type Output = Features;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Features {
        let Self {
            context,
            state,
            placed_columns,
        } = self;
        let mut state = *state;
        let feature_inputs = evaluate(isa, context, &mut state, placed_columns, true);
        FeatureSource::new(context, &state, &feature_inputs, placed_columns).compute_features()
    }
}

impl FeatureSource<'_> {
    /// Counts the free cells of a stack.
    #[inline(always)]
    fn free(&self, x: usize) -> i32 {
        self.height - self.heights[x] as i32
    }

    #[inline(always)]
    fn tight_stack_counts(&self) -> [i32; 3] {
        let mut counts = [0; 3];
        for x in 0..self.heights.len() {
            for (count, room) in counts.iter_mut().zip([3, 5, 8]) {
                *count += i32::from(self.free(x) < room);
            }
        }
        counts
    }

    #[inline(always)]
    fn surface(&self) -> [i32; 3] {
        let (heights, last) = (self.heights, self.heights.len() - 1);
        let (mut wells, mut tower, mut rough) = (0, 0, 0);
        for x in 1..last {
            let [left, here, right] =
                [heights[x - 1], heights[x], heights[x + 1]].map(|height| height as i32);
            wells += i32::from(left.min(right) - here >= 3);
            tower = tower.max(here - left.max(right));
            rough += (left - right).abs();
        }
        wells += i32::from(self.free(0) - self.free(1) >= 3);
        wells += i32::from(self.free(last) - self.free(last - 1) >= 3);
        [wells, tower, rough]
    }

    /// Returns the history index of the ancestor `columns` columns ago.
    #[inline(always)]
    fn ancestor(&self, columns: usize) -> usize {
        (self.placed_columns + HISTORY_LENGTH - columns) % HISTORY_LENGTH
    }

    #[inline(always)]
    fn gains(&self) -> [i32; 8] {
        let (history, chain) = (self.history, self.potential.best_chain.points as i32);
        let mut gains = [0; 8];
        for (i, &columns) in [1, 4, 8, 16].iter().enumerate() {
            let at = self.ancestor(columns);
            gains[2 * i] = chain - i32::from(history.chain_points[at]);
            gains[2 * i + 1] = (self.points - history.points[at]) as i32;
        }
        gains.map(|gain| gain.clamp(-2000, 2000))
    }

    #[inline(always)]
    fn quiet(&self) -> i32 {
        let is_less = |columns| self.history.points[self.ancestor(columns)] + 20 < self.points;
        let quiet = (1..=HISTORY_LENGTH).position(is_less);
        quiet.unwrap_or(HISTORY_LENGTH) as i32
    }

    /// Returns the heights of the stacks 1, 2 and 3 away from stack `x`, less the height of stack `x`.
    /// At each distance, the higher stack comes first. Stacks outside the field count as full.
    #[inline(always)]
    fn neighbour_heights(&self, x: usize) -> [i32; 6] {
        let top = self.heights[x] as i32;
        let height = |stack: Option<&u32>| stack.map_or(self.height, |&height| height as i32);
        let mut heights = [0; 6];
        for distance in 1..=3 {
            let left = height(self.heights.get(x.wrapping_sub(distance)));
            let right = height(self.heights.get(x + distance));
            heights[2 * distance - 2] = left.max(right) - top;
            heights[2 * distance - 1] = left.min(right) - top;
        }
        heights
    }
}

/// Returns the minimum number of jewels that a magic column can clear. On an empty stack, it clears nothing.
/// On any other stack, it clears all jewels of the topmost jewel's colour. If no stack has room for a column,
/// returns the number of cells of the largest field.
#[inline(always)]
fn least_taken<const W: usize, const P: usize>(
    geometry: &FieldGeometry<W>,
    field: &Field<W, P>,
    heights: &[u32],
) -> u32 {
    let mut least = (MAX_WIDTH * HEIGHTS.end()) as u32;
    let mut counted = 0_u32;
    for (x, &height) in heights.iter().enumerate() {
        if height == 0 {
            return 0;
        }
        let code = field.cell(x, height - 1);
        if height + 3 <= geometry.height && counted >> code & 1 == 0 {
            counted |= 1 << code;
            least = least.min(field.cells_of_colour(code).count());
        }
    }
    least
}
