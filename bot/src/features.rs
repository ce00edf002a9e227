//! What the learned evaluation sees of a state: small whole numbers that depend neither on the
//! names of the colours nor on left and right.

use crate::context::Context;
use crate::potential::{Potential, Survey};
use crate::state::{State, PAST};
use columns_core::field::{Field, Mask};
use columns_core::isa::{Isa, Lanes};
use columns_core::lines::{Completions, Pairs, Placements};

/// How many numbers there are.
pub const FEATURES: usize = 96;

/// Which of them is the number of colours that come.
pub const COLOURS: usize = 2;

/// The numbers of one state, in the order in which [`Context::describe`] writes them.
pub type Features = [i16; FEATURES];

/// How the colours of a field lie to each other, and its surface.
#[derive(Debug, Clone, Copy, Default)]
pub struct Patterns {
    /// Jewels of the same colour as their neighbour in each of four directions, then as the next
    /// but one.
    pub pairs: [u32; 8],
    /// Empty cells that one jewel would make a level, rising, falling or upright line with.
    pub kinds: [u32; 4],
    /// Those of a level, a rising and so on line on top of a stack or one above.
    pub reach: [u32; 4],
    /// All of them on top of a stack, one above, and anywhere.
    pub levels: [u32; 3],
    /// The colours that complete a line on top of a stack, weighted by how soon they come.
    pub soon: u32,
    /// Placements of the next column that match at once.
    pub next: u32,
    /// How many cells are occupied.
    pub count: u32,
    /// The heights of the stacks.
    pub heights: [u32; 12],
    /// The highest and the lowest of them, the sum of the differences of neighbours, and that of the
    /// squares.
    pub high: u32,
    /// See `high`.
    pub low: u32,
    /// See `high`.
    pub rough: u32,
    /// See `high`.
    pub squares: u32,
}

impl<const W: usize> Context<W> {
    /// The heights of the stacks.
    #[inline(always)]
    pub fn heights(&self, occupied: Mask<W>) -> [u32; 12] {
        let mut heights = [0; 12];
        for (x, height) in heights.iter_mut().enumerate().take(self.width) {
            *height = occupied.stack(x).trailing_ones();
        }
        heights
    }

    /// Looks at a field after `placed` columns.
    #[inline(always)]
    pub fn patterns<I: Isa, const P: usize>(
        &self,
        isa: I,
        field: &Field<W, P>,
        pairs: &Pairs<I::Lanes<W>>,
        completions: &Completions<W>,
        soon: u32,
        placed: usize,
    ) -> Patterns {
        let mut found = Patterns {
            soon,
            ..Patterns::default()
        };
        let occupied = field.occupied();
        found.count = occupied.count();
        for direction in 0..4 {
            found.pairs[direction] = Mask(pairs.near[direction].words()).count();
            found.pairs[direction + 4] = Mask(pairs.far[direction].words()).count();
        }
        let open = self.cells.without(occupied);
        let tops = self.tops(occupied);
        let near = tops.or(tops.below(1)).and(self.cells);
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
        if let Some(&Some(jewels)) = self.columns.get(placed) {
            let landing = tops.and(self.landing);
            let floor = isa.load(&self.floor.0);
            let hits = field.held(isa, 0, 0, [0; 3]).matching(floor, jewels);
            found.next = hits.and(Placements::of(landing, 3)).count();
        }
        found.heights = self.heights(occupied);
        let heights = &found.heights[..self.width];
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

    /// The fewest jewels that a magic column could take, by where it lands: none on an empty stack,
    /// elsewhere all of the colour on top.
    #[inline(always)]
    fn least_taken<const P: usize>(&self, field: &Field<W, P>, heights: &[u32]) -> u32 {
        let mut least = 12 * 19;
        let mut seen = 0_u32;
        for (x, &height) in heights.iter().enumerate() {
            if height == 0 {
                return 0;
            }
            let code = field.cell(x, height - 1);
            if height + 3 <= self.height && seen >> code & 1 == 0 {
                seen |= 1 << code;
                least = least.min(field.of_colour(code).count());
            }
        }
        least
    }

    /// Describes an evaluated state after `placed` columns.
    #[inline(always)]
    pub fn describe<const P: usize>(
        &self,
        state: &State<W, P>,
        survey: &Survey<W, P>,
        placed: usize,
    ) -> Features {
        let mut out = Writer {
            features: [0; FEATURES],
            at: 0,
        };
        let height = self.height as i32;
        let (full, after) = (&survey.full, &survey.after);

        // The case and where it stands.
        let row = placed.min(self.soon.len() - 1);
        out.put(self.width as i32);
        out.put(height);
        out.put(i32::from(self.colours[row]));
        out.put((self.columns.len() - placed).min(60) as i32);

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

        // Room.
        let heights = &full.heights[..self.width];
        let last = self.width - 1;
        let free = |x: usize| height - heights[x] as i32;
        let mut tight = [0; 3];
        for x in 0..self.width {
            for (tight, room) in tight.iter_mut().zip([3, 5, 8]) {
                *tight += u32::from(free(x) < room);
            }
        }
        out.put_all(&tight);
        out.put(self.width as i32 * height - full.count as i32);
        out.put(free(0) + free(last));
        out.put(free(0).min(free(last)));
        out.put(free(0).max(free(last)));
        out.put(free(1) + free(last - 1));
        out.put((free(0) - free(1)).max(free(last) - free(last - 1)));
        out.put(free(last / 2) + free(self.width / 2));
        let (mut wells, mut tower, mut rough) = (0, 0, 0);
        for x in 1..last {
            let [left, here, right] =
                [heights[x - 1], heights[x], heights[x + 1]].map(|h| h as i32);
            wells += i32::from(left.min(right) - here >= 3);
            tower = tower.max(here - left.max(right));
            rough += (left - right).abs();
        }
        out.put(
            wells + i32::from(free(0) - free(1) >= 3) + i32::from(free(last) - free(last - 1) >= 3),
        );
        out.put(tower);
        out.put(rough);

        // The chain.
        let Potential {
            trigger,
            chain,
            other,
            ..
        } = state.potential;
        let before = &state.before;
        out.put_large(chain.points as i32);
        out.put(chain.steps as i32);
        out.put((chain.points / chain.steps.max(1)) as i32);
        out.put_large(other.points as i32);
        out.put(other.steps as i32);
        out.put(chain.steps as i32 - before.chain.steps as i32);
        out.put(survey.triggers as i32);
        out.put(survey.strong as i32);
        out.put(full.count as i32 - after.count as i32);

        // What the last columns changed.
        for columns in [1, 4, 8, 16] {
            out.put_large(chain.points as i32 - i32::from(before.chains[columns - 1]));
            out.put_large((state.points - before.points[columns - 1]) as i32);
        }
        let quiet = before
            .points
            .iter()
            .position(|&points| points + 20 < state.points);
        out.put(quiet.unwrap_or(PAST) as i32);

        // The trigger and what lies around it.
        let x = trigger.stack as usize;
        let top = heights[x] as i32;
        out.put(height - top);
        out.put(x.min(last - x) as i32);
        for distance in 1..=3 {
            // What is outside of the field is as high as it.
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
        let code = trigger.code as usize;
        out.put(i32::from(self.soon[row][code]));
        out.put(i32::from(self.next[row][code]));

        // The next magic column, and what it takes at least.
        out.put(i32::from(self.next_magic[row]));
        out.put(self.least_taken(&state.field, heights) as i32);
        out.put(heights.iter().filter(|&&height| height == 0).count() as i32);
        debug_assert_eq!(out.at, FEATURES);
        out.features
    }
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

    /// A number that may be larger than is of interest.
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
