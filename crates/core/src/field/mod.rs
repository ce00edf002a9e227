//! The playfield in bit planes: a fast implementation of the rules.
//!
//! A colour is a small code, 0 for an empty cell. Plane `p` is the set ([`Mask`]) of the cells
//! whose code has bit `p`: 3 planes hold 7 colours, 4 planes 15, and 5 planes all 26.
//!
//! ```text
//! field    codes    plane 0   plane 1   differs from the right neighbour:
//! b . .    2 0 0    . . .     # . .     (plane 0 ^ plane 0 moved left) | the same for plane 1
//! a c c    1 3 3    # # #     . # #     # . .
//!                                       # . #   -> the first `c` has a neighbour of its colour
//! ```
//!
//! A line of three consists of two pairs of equal neighbours, so a few exclusive-ors find all lines of the
//! field.
//!
//! A chain is played in registers ([`Lanes`]) from its first step to its last. [`Field::put`] writes to
//! memory, and a processor stalls if it loads a plane soon after one of its words was written.
//! [`Field::place`] and [`Field::drop_and_resolve`] therefore add jewels in registers.

mod layout;
pub mod lines;
mod mask;
mod trigger;

use crate::simd::{Cells, Isa, Kernel, Lanes, SLOT_BITS};
use std::ops::Add;

pub use layout::{Layout, LayoutTask};
pub(crate) use mask::{FLOOR, ROOF};
pub use mask::{MAX_WIDTH, Mask};
pub use trigger::{ChainTrace, Trigger};

/// The points and the length of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Chain {
    /// The sum of combo × matches over all steps, plus the number of jewels that a magic column clears, in
    /// units of [`MATCH_POINTS`](crate::rules::case::MATCH_POINTS).
    pub points: u32,
    /// The number of steps, not counting the step in which a magic column clears jewels.
    pub steps: u32,
}

impl Chain {
    /// Adds a step with this number of matches to the chain.
    #[inline(always)]
    pub fn add_step(&mut self, match_count: u32) {
        self.steps += 1;
        self.points += self.steps * match_count;
    }
}

impl Add for Chain {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self {
            points: self.points + other.points,
            steps: self.steps + other.steps,
        }
    }
}

/// The playfield, as `P` planes of `W` words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field<const W: usize, const P: usize> {
    planes: [Mask<W>; P],
}

impl<const W: usize, const P: usize> Field<W, P> {
    /// The empty field with which a game starts.
    pub const EMPTY: Self = Self {
        planes: [Mask::EMPTY; P],
    };

    /// Returns a hash of all planes, for finding duplicates in a search.
    pub fn hash(&self) -> u64 {
        // A sum of products, each of two words. The processor computes the products in parallel.
        let (mut hash, mut key) = (0_u64, 0x9e37_79b9_7f4a_7c15_u64);
        for plane in self.planes {
            for pair in plane.0.chunks_exact(2) {
                let product = u128::from(pair[0] ^ key) * u128::from(pair[1] ^ key.rotate_left(29));
                hash = hash.wrapping_add(product as u64 ^ (product >> 64) as u64);
                key = key.wrapping_mul(0xd134_2543_de82_ef95);
            }
        }
        hash
    }

    /// Returns the cells that hold a jewel.
    #[inline(always)]
    pub fn occupied(&self) -> Mask<W> {
        occupied(&self.planes)
    }

    /// Returns the cells of one colour.
    #[inline(always)]
    pub fn cells_of_colour(&self, code: u8) -> Mask<W> {
        cells_of_colour(&self.planes, code)
    }

    /// Returns the colour code of a cell, 0 if it is empty.
    #[inline(always)]
    pub fn cell(&self, x: usize, y: u32) -> u8 {
        let (word, bit) = (x % W, SLOT_BITS * (x / W) as u32 + y);
        let mut code = 0;
        for (p, plane) in self.planes.iter().enumerate() {
            code |= ((plane.0[word] >> bit & 1) as u8) << p;
        }
        code
    }

    /// Puts a jewel into an empty cell.
    ///
    /// # Panics
    /// If the layout has no cell (`x`, `y`), or no code `code`.
    #[inline(always)]
    pub fn put(&mut self, x: usize, y: u32, code: u8) {
        assert!(x < 3 * W && y < SLOT_BITS && code >> P == 0);
        let (word, bit) = (x % W, SLOT_BITS * (x / W) as u32 + y);
        for (p, plane) in self.planes.iter_mut().enumerate() {
            plane.0[word] |= u64::from(code >> p & 1) << bit;
        }
    }

    /// Returns the number of jewels on a stack.
    #[inline(always)]
    pub fn stack_height(&self, x: usize) -> u32 {
        let word = self
            .planes
            .iter()
            .fold(0, |all, plane| all | plane.0[x % W]);
        // The highest bit of a slot is never occupied. Setting it here avoids a test for zero.
        let free = !(word >> (SLOT_BITS * (x / W) as u32)) | 1 << (SLOT_BITS - 1);
        free.trailing_zeros()
    }

    /// Loads the field into registers.
    #[inline(always)]
    pub fn load<I: Isa>(&self, isa: I) -> Stepper<I::Lanes<W>, W, P> {
        self.load_two(isa, self)
    }

    /// Loads this field and `second` into registers if the registers have room for both
    /// ([`SETS`](crate::simd::Lanes::SETS)), otherwise only this field.
    #[inline(always)]
    pub fn load_two<I: Isa>(&self, isa: I, second: &Self) -> Stepper<I::Lanes<W>, W, P> {
        let mut planes = [isa.load(&[0; W]); P];
        for p in 0..P {
            planes[p] = isa.load_two(&self.planes[p].0, &second.planes[p].0);
        }
        Stepper { planes }
    }

    #[inline(always)]
    fn from_planes<L: Lanes<W>>(planes: [L; P]) -> Self {
        let mut field = Self::EMPTY;
        for (plane, lanes) in field.planes.iter_mut().zip(planes) {
            *plane = Mask(lanes.words());
        }
        field
    }

    /// Drops a column onto stack `x`, and plays its chain. Returns the chain and the field after the chain,
    /// or `None` if the game ends because the column does not fit into `height` rows.
    ///
    /// `column` has the codes from bottom to top, 0 for no jewel; `None` is a magic column.
    #[inline(always)]
    pub fn place<I: Isa>(
        &self,
        isa: I,
        height: u32,
        x: usize,
        column: Option<[u8; 3]>,
    ) -> Option<(Chain, Self)> {
        let floor = self.stack_height(x);
        if floor + 3 > height {
            return None;
        }
        let mut stepper = self.stepper_after_drop(isa, x, floor, column.unwrap_or_default());
        let mut cleared_count = 0;
        if column.is_none() && floor > 0 {
            let cleared = self.cells_of_colour(self.cell(x, floor - 1));
            cleared_count = cleared.count();
            settle(&mut stepper.planes, isa.load(&cleared.0));
        }
        let mut chain = stepper.resolve(1);
        chain.points += cleared_count;
        Some((chain, stepper.to_field()))
    }

    /// Puts up to three jewels (codes from bottom to top, 0 for no jewel) onto stack `x`, the lowest in row
    /// `y`, and plays the chain. The first step has combo `combo`. Returns the chain and the field after it.
    /// No jewel may lie above row 19.
    #[inline(always)]
    pub fn drop_and_resolve<I: Isa>(
        &self,
        isa: I,
        x: usize,
        y: u32,
        codes: [u8; 3],
        combo: u32,
    ) -> (Chain, Self) {
        let mut stepper = self.stepper_after_drop(isa, x, y, codes);
        (stepper.resolve(combo), stepper.to_field())
    }

    /// Returns the field with up to three more jewels (codes from bottom to top, 0 for no jewel) on top of
    /// stack `x`. Does not clear matches. No jewel may lie above row 19.
    #[inline(always)]
    #[must_use]
    pub fn with_column<I: Isa>(&self, isa: I, x: usize, codes: [u8; 3]) -> Self {
        let stepper = self.stepper_after_drop(isa, x, self.stack_height(x), codes);
        stepper.to_field()
    }

    /// Loads the field into registers, and puts up to three jewels (codes from bottom to top, 0 for no jewel)
    /// onto stack `x`, the lowest in row `y`. No jewel may lie above row 19.
    #[inline(always)]
    pub fn stepper_after_drop<I: Isa>(
        &self,
        isa: I,
        x: usize,
        y: u32,
        codes: [u8; 3],
    ) -> Stepper<I::Lanes<W>, W, P> {
        let mut stepper = self.load(isa);
        drop_in(&mut stepper.planes, x, y, codes);
        stepper
    }
}

/// The kernel that places a column. See [`Field::place`].
pub struct PlaceKernel<'a, const W: usize, const P: usize> {
    /// The field before the placement.
    pub field: &'a Field<W, P>,
    /// The height of the field, in cells.
    pub height: u32,
    /// The stack that the column falls onto.
    pub stack: usize,
    /// The codes from bottom to top, 0 for no jewel; `None` for a magic column.
    pub column: Option<[u8; 3]>,
}

impl<const W: usize, const P: usize> Kernel for PlaceKernel<'_, W, P> {
    type Output = Option<(Chain, Field<W, P>)>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        self.field.place(isa, self.height, self.stack, self.column)
    }
}

/// A field in registers, on which a chain can be played step by step.
#[derive(Debug, Clone, Copy)]
pub struct Stepper<L, const W: usize, const P: usize> {
    pub(crate) planes: [L; P],
}

impl<L: Lanes<W>, const W: usize, const P: usize> Stepper<L, W, P> {
    /// Returns the cells that hold a jewel.
    #[inline(always)]
    pub fn occupied(&self) -> L {
        occupied(&self.planes)
    }

    /// Copies the field from the registers to memory.
    #[inline(always)]
    pub fn to_field(&self) -> Field<W, P> {
        Field::from_planes(self.planes)
    }

    /// Plays one step: clears all matches, and lets the jewels above fall. Returns the number of matches, 0
    /// at the end of the chain.
    #[inline(always)]
    pub fn step(&mut self) -> u32 {
        let lines = find_lines(&self.planes);
        let [vertical, horizontal, rising, falling] = lines;
        let (level, sloped) = (vertical.or(horizontal), rising.or(falling));
        let any = level.or(sloped);
        if any.is_empty() {
            return 0;
        }
        settle(&mut self.planes, cells(lines));
        // A cell rarely represents two lines. If none does, counting the union gives the same number, and is
        // faster than counting four sets.
        let twice = vertical.and(horizontal).or(rising.and(falling));
        if twice.or(level.and(sloped)).is_empty() {
            Mask(any.words()).count()
        } else {
            L::count_each(lines).iter().sum()
        }
    }

    /// Plays steps until nothing matches. The first step has combo `combo`.
    #[inline(always)]
    fn resolve(&mut self, combo: u32) -> Chain {
        let mut chain = Chain::default();
        loop {
            let match_count = self.step();
            if match_count == 0 {
                return chain;
            }
            chain.points += (combo + chain.steps) * match_count;
            chain.steps += 1;
        }
    }
}

/// Adds up to three jewels (codes from bottom to top, 0 for no jewel) to stack `x` in registers, the
/// lowest in row `y`.
#[inline(always)]
fn drop_in<L: Lanes<W>, const W: usize, const P: usize>(
    planes: &mut [L; P],
    x: usize,
    y: u32,
    codes: [u8; 3],
) {
    let bit = SLOT_BITS * (x / W) as u32 + y;
    let codes = u32::from_le_bytes([codes[0], codes[1], codes[2], 0]);
    for (p, plane) in planes.iter_mut().enumerate() {
        // A multiplication gathers bit `p` of each of the three codes.
        let spread = codes >> p & 0x01_0101;
        let bits = spread.wrapping_mul(1 << 2 | 1 << 9 | 1 << 16) >> 16 & 7;
        *plane = plane.with_word(x % W, u64::from(bits) << bit);
    }
}

/// Returns the cells that hold a jewel.
#[inline(always)]
fn occupied<L: Cells, const P: usize>(planes: &[L; P]) -> L {
    let mut all = planes[0];
    for &plane in &planes[1..] {
        all = all.or(plane);
    }
    all
}

/// Returns the cells whose bits in the planes spell `code`. Code 0 selects the empty cells.
#[inline(always)]
fn cells_of_colour<L: Cells, const P: usize>(planes: &[L; P], code: u8) -> L {
    let mut same = planes[0].splat(u64::MAX);
    for (p, &plane) in planes.iter().enumerate() {
        same = if code >> p & 1 == 1 {
            same.and(plane)
        } else {
            same.without(plane)
        };
    }
    same
}

/// Returns the lines of three, a set for each direction: vertical, horizontal, rising, falling. Each line
/// is represented by one cell: the lowest cell of a vertical line, the leftmost cell of a horizontal or
/// rising line, the cell below the leftmost one of a falling line.
#[inline(always)]
fn find_lines<L: Cells, const P: usize>(planes: &[L; P]) -> [L; 4] {
    let occupied = occupied(planes);
    let none = planes[0].splat(0);
    let [mut vertical, mut horizontal, mut rising, mut falling] = [none; 4];
    for plane in planes {
        let above = plane.down::<1>();
        let beside = plane.left();
        vertical = vertical.or(plane.xor(above));
        horizontal = horizontal.or(plane.xor(beside));
        rising = rising.or(plane.xor(beside.down::<1>()));
        falling = falling.or(above.xor(beside));
    }
    // A jewel that does not differ from its neighbour forms a pair with it. Two adjacent pairs are a line.
    let vertical = occupied.without(vertical);
    let horizontal = occupied.without(horizontal);
    let rising = occupied.without(rising);
    let falling = occupied.down::<1>().without(falling);
    [
        vertical.and(vertical.down::<1>()),
        horizontal.and(horizontal.left()),
        rising.and(rising.left().down::<1>()),
        falling.and(falling.left().up::<1>()),
    ]
}

/// Returns the cells of all lines. Each line is represented as [`find_lines`] describes.
#[inline(always)]
fn cells<L: Cells>([vertical, horizontal, rising, falling]: [L; 4]) -> L {
    let second = rising.up::<1>();
    let first = vertical.or(vertical.up::<1>()).or(vertical.up::<2>());
    let first = first.or(horizontal.or(rising).or(falling.up::<1>()));
    let next = horizontal.or(falling).or(second).right();
    let last = horizontal
        .or(falling.down::<1>())
        .or(second.up::<1>())
        .right2();
    first.or(next).or(last)
}

/// Removes the jewels in a set of cells, and drops the jewels above them. Each round clears the lowest
/// remaining cell of `removed` in every stack.
///
/// ```text
/// stack   # . # # . #    the floor is at the right; the cells `.` are in `removed`
/// round 1   # . # # #    the lowest of these cells cleared, all jewels above it one row down
/// round 2     # # # #
/// ```
#[inline(always)]
fn settle<L: Cells, const P: usize>(planes: &mut [L; P], mut removed: L) {
    let (floor, roof) = (removed.splat(FLOOR), removed.splat(ROOF));
    loop {
        // The subtraction borrows from the lowest cell of `removed`, or from the roof, and thereby sets
        // all bits below.
        let removed_or_roof = removed.or(roof);
        let borrowed = removed_or_roof.sub_words(floor);
        let below = borrowed.without(removed_or_roof);
        let up_to_lowest = borrowed.xor(removed_or_roof);
        for plane in planes.iter_mut() {
            *plane = plane.and(below).or(plane.without(up_to_lowest).down::<1>());
        }
        removed = removed.without(up_to_lowest).down::<1>();
        if removed.is_empty() {
            break;
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
