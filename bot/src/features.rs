//! What the learned evaluation sees of a state: small whole numbers that depend neither on the
//! names of the colours nor on left and right.

use crate::context::{Codes, Context};
use crate::potential::{Survey, Trigger};
use crate::state::{State, PAST};
use columns_core::field::{Field, Mask};
use columns_core::isa::{Isa, Lanes};
use columns_core::lines::{Completions, Pairs, Placements};

/// How many numbers there are.
pub const FEATURES: usize = 128;

/// The numbers of one state, in the order in which [`Context::describe`] writes them.
pub type Features = [i16; FEATURES];

/// How the colours of a field lie to each other.
#[derive(Debug, Clone, Copy, Default)]
pub struct Patterns {
    /// Jewels of the same colour as their neighbour in each of four directions, then as the next
    /// but one.
    pub pairs: [u32; 8],
    /// Empty cells that one jewel would make a level, rising, falling or upright line with.
    pub kinds: [u32; 4],
    /// Those on top of a stack, one, two and three above the top, and all.
    pub levels: [u32; 5],
    /// As `kinds`, but only on top of a stack and one above it.
    pub reach: [u32; 4],
    /// The colours that complete a line on top of a stack and one above it, weighted by how soon
    /// they come.
    pub soon: [u32; 2],
    /// Placements of the next column that match at once.
    pub next: u32,
    /// Highest and lowest stack, sum of the differences of neighbours, sum of squared heights.
    pub high: u32,
    /// See `high`.
    pub low: u32,
    /// See `high`.
    pub rough: u32,
    /// See `high`.
    pub squares: u32,
}

/// The colours, a bit each, that would complete a line on top of each stack and one above it.
pub type Wanted = [[u32; 12]; 2];

impl<const W: usize> Context<W> {
    /// The colours that complete lines on and above `tops`.
    #[inline(always)]
    pub fn wanted<const P: usize>(
        field: &Field<W, P>,
        completions: &Completions<W>,
        tops: Mask<W>,
    ) -> Wanted {
        let mut codes = [[0_u32; 12]; 2];
        for (&(dx, dy), set) in Completions::<W>::NEIGHBOURS.iter().zip(&completions.sets) {
            for level in 0..2_u32 {
                let hits = set.and(tops.below(level));
                for word in 0..W {
                    let mut bits = hits.0[word];
                    while bits != 0 {
                        let bit = bits.trailing_zeros();
                        bits &= bits - 1;
                        let x = Self::stack_of(word, bit);
                        let y = (bit % 21) as isize + dy;
                        let code = field.cell((x as isize + dx) as usize, y as u32);
                        codes[level as usize][x] |= 1 << code;
                    }
                }
            }
        }
        codes
    }

    /// The heights of the stacks.
    #[inline(always)]
    pub fn heights(&self, occupied: Mask<W>) -> [u32; 12] {
        let mut heights = [0; 12];
        for (x, height) in heights.iter_mut().enumerate().take(self.width) {
            let stack = occupied.0[x % W] >> (21 * (x / W)) & ((1 << 21) - 1);
            *height = stack.trailing_ones();
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
        wanted: &Wanted,
        placed: usize,
    ) -> Patterns {
        let mut found = Patterns::default();
        for direction in 0..4 {
            found.pairs[direction] = Mask(pairs.near[direction].words()).count();
            found.pairs[direction + 4] = Mask(pairs.far[direction].words()).count();
        }
        let occupied = field.occupied();
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
        for (level, count) in found.levels.iter_mut().enumerate() {
            *count = match level {
                4 => any.count(),
                _ => any.and(tops.below(level as u32)).count(),
            };
        }
        let soon = &self.soon[placed.min(self.soon.len() - 1)];
        for (level, stacks) in wanted.iter().enumerate() {
            for &stack in &stacks[..self.width] {
                let mut left = stack;
                while left != 0 {
                    found.soon[level] += u32::from(soon[left.trailing_zeros() as usize]);
                    left &= left - 1;
                }
            }
        }
        if let Some(&Some(jewels)) = self.columns.get(placed) {
            let landing = tops.and(self.landing);
            let floor = isa.load(&self.floor.0);
            let hits = field.held(isa, 0, 0, [0; 3]).matching(floor, jewels);
            found.next = hits.and(Placements::of(landing, 3)).count();
        }
        let heights = self.heights(occupied);
        let heights = &heights[..self.width];
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

    /// Describes an evaluated state after `placed` columns.
    #[inline(always)]
    pub fn describe<const P: usize>(
        &self,
        state: &State<W, P>,
        survey: &Survey<W, P>,
        placed: usize,
    ) -> Features {
        let mut features = [0; FEATURES];
        let mut at = 0;
        let mut put = |value: i32| {
            features[at] = value.clamp(-2000, 2000) as i16;
            at += 1;
        };
        let potential = &state.potential;
        let height = self.height as i32;
        let occupied = state.field.occupied();

        // The case and where it stands.
        put(self.width as i32);
        put(height);
        put(self.colours[placed.min(self.colours.len() - 1)] as i32);
        put((self.columns.len() - placed).min(60) as i32);
        put(placed.min(40) as i32);

        // Both fields.
        for (field, patterns) in [
            (occupied, &survey.full),
            (survey.rest.occupied(), &survey.after),
        ] {
            patterns.pairs.iter().for_each(|&n| put(n as i32));
            patterns.kinds.iter().for_each(|&n| put(n as i32));
            patterns.levels.iter().for_each(|&n| put(n as i32));
            patterns.soon.iter().for_each(|&n| put(n as i32));
            put(patterns.next as i32);
            put(field.count() as i32);
            put(patterns.high as i32);
            put(patterns.low as i32);
            put(patterns.rough as i32);
            put(patterns.squares as i32);
        }
        // 5 + 2 * 25 so far. Room.
        let heights = self.heights(occupied);
        let heights = &heights[..self.width];
        let free = |x: usize| height - heights[x] as i32;
        for room in [3, 5, 8] {
            put((0..self.width).filter(|&x| free(x) < room).count() as i32);
        }
        put(free(0) + free(self.width - 1));
        put(free(0).min(free(self.width - 1)));
        let middle = (self.width - 1) / 2;
        put(free(middle) + free(self.width / 2));

        // The chain.
        let chain = potential.chain;
        put(chain.points as i32);
        put(chain.steps as i32);
        put(potential.other.points as i32);
        put(potential.other.steps as i32);
        put(chain.points as i32 - state.before.chain.points as i32);
        put(chain.steps as i32 - state.before.chain.steps as i32);
        put((state.points - state.before.points[0]) as i32);
        put(survey.triggers as i32);
        put(survey.strong as i32);
        put(survey.strong_stacks.count_ones() as i32);
        put((state.field.occupied().count() - survey.rest.occupied().count()) as i32);

        // The trigger and what lies around it.
        let Trigger { stack, code, count } = potential.trigger;
        let x = stack as usize;
        let at_stack = |x: isize| match usize::try_from(x) {
            Ok(x) if x < self.width => heights[x] as i32,
            _ => height,
        };
        let top = heights[x] as i32;
        put(i32::from(count));
        put(height - top);
        put(x.min(self.width - 1 - x) as i32);
        for distance in 1..=3 {
            let (left, right) = (
                at_stack(x as isize - distance) - top,
                at_stack(x as isize + distance) - top,
            );
            put(left.max(right));
            put(left.min(right));
        }
        let row = placed.min(self.soon.len() - 1);
        put(i32::from(self.soon[row][code as usize]));
        put(i32::from(self.next[row][code as usize]));
        put(i32::from(self.next_magic[row]));
        put(i32::from(count == 0));
        let jewels: Codes = self.columns.get(placed).copied().flatten();
        put(jewels.map_or(0, |jewels| {
            jewels.iter().filter(|&&j| j == code).count() as i32
        }));

        // How the colours are spread.
        for field in [&state.field, &survey.rest] {
            let (mut squares, mut most, mut few) = (0, 0, 0);
            for code in 1..=self.codes {
                let n = field.of_colour(code).count() as i32;
                squares += n * n;
                most = most.max(n);
                few += i32::from(n > 0 && n < 4);
            }
            put(squares);
            put(most);
            put(few);
        }
        // What the last columns changed.
        let before = &state.before;
        let grown = |columns: usize| chain.points as i32 - i32::from(before.chains[columns - 1]);
        let gained = |columns: usize| (state.points - before.points[columns - 1]) as i32;
        put(grown(2));
        put(grown(4));
        put(gained(4));
        put(survey.third as i32);
        put(grown(8));
        put(grown(16));
        put(gained(8));
        put(gained(16));
        let best = before.chains.iter().copied().max().unwrap_or(0);
        put(i32::from(best) - chain.points as i32);
        let quiet = before
            .points
            .iter()
            .position(|&points| points + 20 < state.points);
        put(quiet.unwrap_or(PAST) as i32);

        // The shape of the surface.
        let last = self.width - 1;
        put(free(0).max(free(last)));
        put(free(1) + free(last - 1));
        put((free(0) - free(1)).max(free(last) - free(last - 1)));
        let (mut well, mut wells, mut tower, mut rough) = (0, 0, 0, 0);
        for x in 0..self.width {
            let here = heights[x] as i32;
            let (left, right) = (at_stack(x as isize - 1), at_stack(x as isize + 1));
            let depth = left.min(right) - here;
            well = well.max(depth);
            wells += i32::from(depth >= 3);
            if x > 0 && x < last {
                tower = tower.max(here - left.max(right));
                rough += (left - right).abs();
            }
        }
        put(well);
        put(wells);
        put(tower);
        put(rough);
        put(self.width as i32 * height - occupied.count() as i32);
        for patterns in [&survey.full, &survey.after] {
            patterns.reach.iter().for_each(|&n| put(n as i32));
        }
        put(survey.sum as i32);
        put(survey.some as i32);
        put(survey.single as i32);
        put(survey.ready[0] as i32);
        put(survey.ready[1] as i32);
        put((chain.points / chain.steps.max(1)) as i32);
        debug_assert_eq!(at, FEATURES);
        features
    }
}
