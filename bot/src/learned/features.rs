//! What the learned evaluation sees of a state: small whole numbers that depend neither on the
//! names of the colours nor on left and right. They stand in one table, a row for each feature.

use crate::eval::patterns::Patterns;
use crate::eval::potential::{Potential, Survey};
use crate::eval::scaled::Value;
use crate::eval::shape::Shape;
use crate::learned::networks::Network;
use crate::search::context::Context;
use crate::search::pieces::PieceQueue;
use crate::search::state::{History, State, PAST};
use columns_core::field::Field;
use columns_core::simd::{Isa, Kernel};

/// Makes the table and the code that computes its rows. A row says what a feature is, its name, of
/// how many numbers it is made, and what these are for the state `$state`. In braces before the rows
/// stands what several of them need.
macro_rules! features {
    (
        $state:ident: { $($given:tt)* }
        $($(#[doc = $what:literal])* $name:ident[$count:literal] = $numbers:expr;)*
    ) => {
        /// How many numbers there are. They come in pairs; one that is left over has a 0 beside it.
        pub const FEATURES: usize = usize::div_ceil(0 $(+ $count)*, 2) * 2;

        /// The table: the name of each feature, of how many numbers it is made, and what it is.
        pub const DESCRIPTIONS: &[(&str, usize, &str)] =
            &[$((stringify!($name), $count, concat!($($what),*))),*];

        impl Describe<'_> {
            /// The numbers of all features, in the order of the table.
            #[inline(always)]
            #[allow(unused_assignments)] // of the place after the last row
            fn numbers(&self) -> Features {
                let $state = self;
                $($given)*
                let (mut all, mut at) = ([0; FEATURES], 0);
                $(
                    let numbers: [i32; $count] = $numbers;
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
        let row = s.placed.min(s.queue.soon.len() - 1);
        let [full, rest] = &s.survey.patterns;
        let Potential { trigger, chain, other, .. } = *s.potential;
        let last = s.heights.len() - 1;
        let free = [0, 1, last - 1, last, last / 2, s.heights.len() / 2].map(|x| s.free(x));
        let [edge, beside, other_beside, other_edge, middle, other_middle] = free;
        let (x, code) = (trigger.stack as usize, trigger.code as usize);
    }
    /// Stacks of the field.
    width[1] = [s.heights.len() as i32];
    /// Cells of a stack.
    height[1] = [s.height];
    /// Colours among the next 50 columns.
    colours[1] = [i32::from(s.queue.colours[row])];
    /// Columns left, at most 60.
    columns_left[1] = [(s.queue.columns.len() - s.placed).min(60) as i32];
    /// The field: pairs by direction, completions, matches of the next column, jewels, surface.
    field[22] = patterns(full);
    /// The same for what the best chain leaves.
    rest[22] = patterns(rest);
    /// How soon colours come that complete a line one above the top of a stack.
    soon_above[1] = [s.survey.soon_above as i32];
    /// Cells in reach that complete a level line, an upright one; a level one on the rest.
    reach[3] = [full.reach[0] as i32, full.reach[1] as i32, rest.reach[0] as i32];
    /// Stacks with fewer than 3, 5 and 8 free cells.
    tight[3] = s.tight();
    /// Free cells.
    free[1] = [s.heights.len() as i32 * s.height - full.count as i32];
    /// Free cells of the stacks at the edges: of both, the fewer, the more.
    edges[3] = [edge + other_edge, edge.min(other_edge), edge.max(other_edge)];
    /// Free cells of the stacks next to the edges.
    beside_edges[1] = [beside + other_beside];
    /// How much lower an edge is than the stack next to it, where that is more.
    edge_step[1] = [(edge - beside).max(other_edge - other_beside)];
    /// Free cells of the two stacks in the middle.
    middle[1] = [middle + other_middle];
    /// Wells three deep, the height of the highest tower, differences of stacks two apart.
    surface[3] = s.surface();
    /// The best chain: points, steps, points a step.
    chain[3] = [large(chain.points as i32), chain.steps as i32,
        (chain.points / chain.steps.max(1)) as i32];
    /// The best chain that is set off on another stack: points, steps.
    other_chain[2] = [large(other.points as i32), other.steps as i32];
    /// How many steps longer the best chain is than the parent's.
    longer[1] = [chain.steps as i32 - s.history.chain.steps as i32];
    /// Triggers, and those that pay at least half as much as the best.
    triggers[2] = [s.survey.triggers as i32, s.survey.strong as i32];
    /// Jewels that the best chain clears.
    cleared[1] = [full.count as i32 - rest.count as i32];
    /// What the best chain and the points gained with the last 1, 4, 8, 16 columns.
    gains[8] = s.gains();
    /// Columns since more than 20 matches were paid, at most 16.
    quiet[1] = [s.quiet()];
    /// Where the trigger is: free cells above it, stacks between it and the edge.
    trigger[2] = [s.free(x), x.min(last - x) as i32];
    /// How much higher the stacks 1, 2, 3 away from the trigger are: the higher, the lower.
    beside_trigger[6] = s.beside(x);
    /// How soon the trigger's colour comes, and how many columns come before it.
    trigger_comes[2] = [i32::from(s.queue.soon[row][code]), i32::from(s.queue.next[row][code])];
    /// Columns before the next magic one, at most 20.
    next_magic[1] = [i32::from(s.queue.next_magic[row])];
    /// The fewest jewels that a magic column can clear.
    least_taken[1] = [s.least_taken as i32];
    /// Empty stacks.
    empty[1] = [s.heights.iter().filter(|&&height| height == 0).count() as i32];
}

/// The numbers of one state, in the order of [`DESCRIPTIONS`].
pub type Features = [i16; FEATURES];

/// A name for each number: `soon_above`, or `reach 2` for the second of several.
pub fn labels() -> Vec<String> {
    let numbers = DESCRIPTIONS.iter().flat_map(|&(name, count, _)| {
        (1..=count).map(move |number| match count {
            1 => name.to_string(),
            _ => format!("{name} {number}"),
        })
    });
    numbers.collect()
}

/// Describes an evaluated state after `placed` columns, in `wanted` if there is one, and returns
/// what the network makes of it.
#[inline(always)]
pub(crate) fn learned_value<I: Isa, const W: usize, const P: usize>(
    isa: I,
    context: &Context<W>,
    state: &State<W, P>,
    survey: &Survey,
    placed: usize,
    network: Option<&Network>,
    wanted: Option<&mut Features>,
) -> Value {
    let shape = &context.shape;
    let heights = &survey.patterns[0].heights[..shape.width];
    Value(isa.enter(Describe {
        queue: &context.queue,
        placed,
        height: shape.height as i32,
        heights,
        points: state.points,
        potential: &state.potential,
        history: &state.history,
        survey,
        least_taken: least_taken(shape, &state.field, heights),
        network,
        wanted,
    }))
}

/// What a state is described by, whatever the layout of its field, so that this is compiled once
/// for all of them.
struct Describe<'a> {
    queue: &'a PieceQueue,
    placed: usize,
    height: i32,
    heights: &'a [u32],
    points: u32,
    potential: &'a Potential,
    history: &'a History,
    survey: &'a Survey,
    least_taken: u32,
    network: Option<&'a Network>,
    wanted: Option<&'a mut Features>,
}

impl Kernel for Describe<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let features = self.numbers();
        if let Some(wanted) = self.wanted {
            *wanted = features;
        }
        self.network
            .map_or(0, |network| network.value(isa, &features))
    }
}

impl Describe<'_> {
    /// The free cells of a stack.
    #[inline(always)]
    fn free(&self, x: usize) -> i32 {
        self.height - self.heights[x] as i32
    }

    #[inline(always)]
    fn tight(&self) -> [i32; 3] {
        let mut tight = [0; 3];
        for x in 0..self.heights.len() {
            for (tight, room) in tight.iter_mut().zip([3, 5, 8]) {
                *tight += i32::from(self.free(x) < room);
            }
        }
        tight
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

    #[inline(always)]
    fn gains(&self) -> [i32; 8] {
        let (history, chain) = (self.history, self.potential.chain.points as i32);
        let mut gains = [0; 8];
        for (i, columns) in [1, 4, 8, 16].into_iter().enumerate() {
            gains[2 * i] = large(chain - i32::from(history.chains[columns - 1]));
            gains[2 * i + 1] = large((self.points - history.points[columns - 1]) as i32);
        }
        gains
    }

    #[inline(always)]
    fn quiet(&self) -> i32 {
        let is_less = |&points: &u32| points + 20 < self.points;
        let quiet = self.history.points.iter().position(is_less);
        quiet.unwrap_or(PAST) as i32
    }

    /// How much higher the stacks 1, 2 and 3 away from a stack are. Outside of the field counts as a
    /// full stack.
    #[inline(always)]
    fn beside(&self, x: usize) -> [i32; 6] {
        let top = self.heights[x] as i32;
        let height = |stack: Option<&u32>| stack.map_or(self.height, |&height| height as i32);
        let mut beside = [0; 6];
        for distance in 1..=3 {
            let left = height(self.heights.get(x.wrapping_sub(distance)));
            let right = height(self.heights.get(x + distance));
            beside[2 * distance - 2] = left.max(right) - top;
            beside[2 * distance - 1] = left.min(right) - top;
        }
        beside
    }
}

/// What the learned evaluation sees of the patterns of a field.
#[inline(always)]
fn patterns(found: &Patterns) -> [i32; 22] {
    let [a, b, c, d, e, f, g, h] = found.pairs;
    let [level, rising, falling, upright] = found.kinds;
    let [on_top, above, all] = found.levels;
    let (soon, next, count) = (found.soon, found.next, found.count);
    let (high, low, rough) = (found.high, found.low, found.rough);
    let squares = found.squares.min(2000);
    [
        a, b, c, d, e, f, g, h, level, rising, falling, upright, on_top, above, all, soon, next,
        count, high, low, rough, squares,
    ]
    .map(|number| number as i32)
}

/// A number that is cut to ±2000.
#[inline(always)]
fn large(number: i32) -> i32 {
    number.clamp(-2000, 2000)
}

/// The fewest jewels that a magic column can clear: none on an empty stack, on others all of the
/// colour on top.
#[inline(always)]
fn least_taken<const W: usize, const P: usize>(
    shape: &Shape<W>,
    field: &Field<W, P>,
    heights: &[u32],
) -> u32 {
    let mut least = 12 * 19;
    let mut seen = 0_u32;
    for (x, &height) in heights.iter().enumerate() {
        if height == 0 {
            return 0;
        }
        let code = field.cell(x, height - 1);
        if height + 3 <= shape.height && seen >> code & 1 == 0 {
            seen |= 1 << code;
            least = least.min(field.of_colour(code).count());
        }
    }
    least
}
