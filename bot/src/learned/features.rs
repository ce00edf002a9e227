//! What the learned evaluation sees of a state: small whole numbers that depend neither on the
//! names of the colours nor on left and right.

use crate::eval::patterns::Patterns;
use crate::eval::potential::{Potential, Survey};
use crate::eval::shape::Shape;
use crate::learned::networks::Network;
use crate::search::context::Context;
use crate::search::pieces::PieceQueue;
use crate::search::state::{History, State, PAST};
use columns_core::field::Field;
use columns_core::simd::{Isa, Kernel};

/// How many numbers there are.
pub const FEATURES: usize = 96;

/// The index of the number of colours that come.
pub const COLOURS: usize = 2;

/// The numbers of one state, in the order in which `describe` writes them.
pub type Features = [i16; FEATURES];

/// Describes an evaluated state after `placed` columns, in `wanted` if there is one, and returns
/// what the network makes of it.
#[inline(always)]
pub(crate) fn learned_value<I: Isa, const W: usize, const P: usize>(
    isa: I,
    context: &Context<W>,
    state: &State<W, P>,
    survey: &Survey<W, P>,
    placed: usize,
    network: Option<&Network>,
    wanted: Option<&mut Features>,
) -> i32 {
    let shape = &context.shape;
    let heights = &survey.patterns[0].heights[..shape.width];
    isa.enter(Describe {
        queue: &context.queue,
        placed,
        height: shape.height as i32,
        heights,
        points: state.points,
        potential: &state.potential,
        history: &state.history,
        patterns: &survey.patterns,
        soon_above: survey.soon_above,
        triggers: survey.triggers,
        strong: survey.strong,
        least_taken: least_taken(shape, &state.field, heights),
        network,
        wanted,
    })
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
    /// Those of the field, and of what the best chain leaves.
    patterns: &'a [Patterns; 2],
    soon_above: u32,
    triggers: u32,
    strong: u32,
    least_taken: u32,
    network: Option<&'a Network>,
    wanted: Option<&'a mut Features>,
}

impl Kernel for Describe<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Self {
            queue,
            placed,
            height,
            heights,
            potential,
            ..
        } = self;
        let mut out = Writer {
            features: [0; FEATURES],
            at: 0,
        };
        let [full, after] = self.patterns;

        // The size and how far the game is.
        let row = placed.min(queue.soon.len() - 1);
        out.put(heights.len() as i32);
        out.put(height);
        out.put(i32::from(queue.colours[row]));
        out.put((queue.columns.len() - placed).min(60) as i32);

        // Both fields.
        for patterns in [full, after] {
            out.put_all(&patterns.pairs);
            out.put_all(&patterns.kinds);
            out.put_all(&patterns.levels);
            out.put_all(&[patterns.soon, patterns.next, patterns.count]);
            out.put_all(&[patterns.high, patterns.low, patterns.rough]);
            out.put_large(patterns.squares as i32);
        }
        out.put_all(&[
            self.soon_above,
            full.reach[0],
            full.reach[1],
            after.reach[0],
        ]);

        put_room(&mut out, heights, height, full.count as i32);
        self.put_chain(&mut out);
        put_trigger(&mut out, heights, height, potential.trigger.stack);
        let code = potential.trigger.code as usize;
        out.put(i32::from(queue.soon[row][code]));
        out.put(i32::from(queue.next[row][code]));

        // The next magic column, and what it takes at least.
        out.put(i32::from(queue.next_magic[row]));
        out.put(self.least_taken as i32);
        out.put(heights.iter().filter(|&&height| height == 0).count() as i32);
        debug_assert_eq!(out.at, FEATURES);
        if let Some(wanted) = self.wanted {
            *wanted = out.features;
        }
        self.network
            .map_or(0, |network| network.value(isa, &out.features))
    }
}

/// How much room the stacks leave, and the surface.
#[inline(always)]
fn put_room(out: &mut Writer, heights: &[u32], height: i32, count: i32) {
    let last = heights.len() - 1;
    let free = |x: usize| height - heights[x] as i32;
    let mut tight = [0; 3];
    for x in 0..heights.len() {
        for (tight, room) in tight.iter_mut().zip([3, 5, 8]) {
            *tight += u32::from(free(x) < room);
        }
    }
    out.put_all(&tight);
    out.put(heights.len() as i32 * height - count);
    out.put(free(0) + free(last));
    out.put(free(0).min(free(last)));
    out.put(free(0).max(free(last)));
    out.put(free(1) + free(last - 1));
    out.put((free(0) - free(1)).max(free(last) - free(last - 1)));
    out.put(free(last / 2) + free(heights.len() / 2));
    let (mut wells, mut tower, mut rough) = (0, 0, 0);
    for x in 1..last {
        let [left, here, right] = [heights[x - 1], heights[x], heights[x + 1]].map(|h| h as i32);
        wells += i32::from(left.min(right) - here >= 3);
        tower = tower.max(here - left.max(right));
        rough += (left - right).abs();
    }
    out.put(
        wells + i32::from(free(0) - free(1) >= 3) + i32::from(free(last) - free(last - 1) >= 3),
    );
    out.put(tower);
    out.put(rough);
}

impl Describe<'_> {
    /// The best chain, and what the last columns changed.
    #[inline(always)]
    fn put_chain(&self, out: &mut Writer) {
        let [full, after] = self.patterns;
        let Potential { chain, other, .. } = self.potential;
        let history = self.history;
        out.put_large(chain.points as i32);
        out.put(chain.steps as i32);
        out.put((chain.points / chain.steps.max(1)) as i32);
        out.put_large(other.points as i32);
        out.put(other.steps as i32);
        out.put(chain.steps as i32 - history.chain.steps as i32);
        out.put(self.triggers as i32);
        out.put(self.strong as i32);
        out.put(full.count as i32 - after.count as i32);
        for columns in [1, 4, 8, 16] {
            out.put_large(chain.points as i32 - i32::from(history.chains[columns - 1]));
            out.put_large((self.points - history.points[columns - 1]) as i32);
        }
        let is_less = |&points: &u32| points + 20 < self.points;
        let quiet = history.points.iter().position(is_less);
        out.put(quiet.unwrap_or(PAST) as i32);
    }
}

/// Where the trigger is, and the stacks around it. Outside of the field counts as a full stack.
#[inline(always)]
fn put_trigger(out: &mut Writer, heights: &[u32], height: i32, stack: u8) {
    let last = heights.len() - 1;
    let x = stack as usize;
    let top = heights[x] as i32;
    out.put(height - top);
    out.put(x.min(last - x) as i32);
    for distance in 1..=3 {
        let left = if x >= distance {
            heights[x - distance] as i32
        } else {
            height
        };
        let right = if x + distance <= last {
            heights[x + distance] as i32
        } else {
            height
        };
        out.put(left.max(right) - top);
        out.put(left.min(right) - top);
    }
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

/// Writes one number after the other.
struct Writer {
    features: Features,
    at: usize,
}

impl Writer {
    #[inline(always)]
    fn put(&mut self, value: i32) {
        self.features[self.at] = value as i16;
        self.at += 1;
    }

    /// Writes a number that is cut to ±2000.
    #[inline(always)]
    fn put_large(&mut self, value: i32) {
        self.put(value.clamp(-2000, 2000));
    }

    #[inline(always)]
    fn put_all(&mut self, values: &[u32]) {
        for &value in values {
            self.put(value as i32);
        }
    }
}
