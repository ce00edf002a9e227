//! What the learned evaluation sees of a state: small whole numbers that depend neither on the
//! names of the colours nor on left and right.

use crate::eval::potential::{Potential, Survey};
use crate::eval::shape::Shape;
use crate::search::context::Context;
use crate::search::state::{State, PAST};
use columns_core::field::Field;

/// How many numbers there are.
pub const FEATURES: usize = 96;

/// The index of the number of colours that come.
pub const COLOURS: usize = 2;

/// The numbers of one state, in the order in which `describe` writes them.
pub type Features = [i16; FEATURES];

/// Describes an evaluated state after `placed` columns.
#[inline(always)]
pub(crate) fn describe<const W: usize, const P: usize>(
    context: &Context<W>,
    state: &State<W, P>,
    survey: &Survey<W, P>,
    placed: usize,
) -> Features {
    let Context { shape, queue, .. } = context;
    let mut out = Writer {
        features: [0; FEATURES],
        at: 0,
    };
    let height = shape.height as i32;
    let [full, after] = &survey.patterns;
    let heights = &full.heights[..shape.width];

    // The size and how far the game is.
    let row = placed.min(queue.soon.len() - 1);
    out.put(shape.width as i32);
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
        survey.soon_above,
        full.reach[0],
        full.reach[3],
        after.reach[0],
    ]);

    put_room(&mut out, heights, height, full.count as i32);
    put_chain(&mut out, state, survey);
    put_trigger(&mut out, heights, height, state.potential.trigger.stack);
    let code = state.potential.trigger.code as usize;
    out.put(i32::from(queue.soon[row][code]));
    out.put(i32::from(queue.next[row][code]));

    // The next magic column, and what it takes at least.
    out.put(i32::from(queue.next_magic[row]));
    out.put(least_taken(shape, &state.field, heights) as i32);
    out.put(heights.iter().filter(|&&height| height == 0).count() as i32);
    debug_assert_eq!(out.at, FEATURES);
    out.features
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

/// The best chain, and what the last columns changed.
#[inline(always)]
fn put_chain<const W: usize, const P: usize>(
    out: &mut Writer,
    state: &State<W, P>,
    survey: &Survey<W, P>,
) {
    let [full, after] = &survey.patterns;
    let Potential { chain, other, .. } = state.potential;
    let history = &state.history;
    out.put_large(chain.points as i32);
    out.put(chain.steps as i32);
    out.put((chain.points / chain.steps.max(1)) as i32);
    out.put_large(other.points as i32);
    out.put(other.steps as i32);
    out.put(chain.steps as i32 - history.chain.steps as i32);
    out.put(survey.triggers as i32);
    out.put(survey.strong as i32);
    out.put(full.count as i32 - after.count as i32);
    for columns in [1, 4, 8, 16] {
        out.put_large(chain.points as i32 - i32::from(history.chains[columns - 1]));
        out.put_large((state.points - history.points[columns - 1]) as i32);
    }
    let quiet = history
        .points
        .iter()
        .position(|&points| points + 20 < state.points);
    out.put(quiet.unwrap_or(PAST) as i32);
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
