//! Finds cells at which one more jewel would complete a line of three, and placements of a column that make a
//! match.
//!
//! ```text
//! . b b .    column `cab` (`c` lowest): [`Stepper::matching_placements`] returns two placements,
//! a a c .    shift 2 (`bca`) on stack 0 and shift 1 (`abc`) on stack 3: `b` completes the upper row
//! ```
//!
//! `matching_placements` shifts the set of `b` cells left and right, and combines the shifted sets into the
//! set of cells at which a `b` completes a line, for all stacks at the same time. The column's `b` lands 0, 1
//! or 2 cells above the lowest empty cell of a stack. Therefore the method shifts the combined set down by
//! that distance, and intersects it with the set of lowest empty cells.

use crate::field::{FLOOR, Field, MAX_WIDTH, Mask, ROOF, Stepper, cells_of_colour, occupied};
use crate::rules::plan::Placement;
use crate::simd::{Cells, Isa, Lanes, SLOT_BITS};
use std::iter;

/// Returns the cells at which one more jewel would complete a line with two jewels of the set `same`.
/// Of the vertical lines, only those with the new jewel at the top count, since no jewel lies above it.
#[inline(always)]
fn find_completing_cells<L: Cells>(same: L) -> L {
    // `left` holds the cells whose left neighbour is in `same`; the other sets are named in the same way.
    let (left, right) = (same.right(), same.left());
    let (far_left, far_right) = (same.right2(), right.left());
    let horizontal = far_left.or(right).and(left).or(right.and(far_right));
    let (low, high) = (left.up::<1>(), right.down::<1>());
    let rising = far_left.up::<2>().or(high).and(low);
    let rising = rising.or(high.and(far_right.down::<2>()));
    let (high, low) = (left.down::<1>(), right.up::<1>());
    let falling = far_left.down::<2>().or(low).and(high);
    let falling = falling.or(low.and(far_right.up::<2>()));
    let vertical = same.up::<1>().and(same.up::<2>());
    horizontal.or(rising).or(falling.or(vertical))
}

/// A set of placements of a column. The three highest bits of a stack's slot stand for the shifts 0, 1
/// and 2, the lowest of them for shift 0.
#[must_use]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlacementSet<const W: usize>(Mask<W>);

impl<const W: usize> PlacementSet<W> {
    /// Returns the placements with the first `shifts` shifts (1 or 3) on every stack that has a
    /// cell in `tops`. `tops` must have at most one cell in each stack, none above row 19.
    #[inline(always)]
    pub fn from_tops(tops: Mask<W>, shifts: usize) -> Self {
        let mut marks = roofs(tops).down::<2>();
        if shifts > 1 {
            marks = marks.or(marks.up::<1>()).or(marks.up::<2>());
        }
        Self(marks)
    }

    /// Creates the set from the marks that [`Stepper::matching_marks`] returns.
    #[inline(always)]
    pub fn from_marks(marks: impl Lanes<W>) -> Self {
        Self(Mask(marks.words()))
    }

    /// True if the set contains no placement.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of placements in the set.
    #[inline(always)]
    pub fn count(self) -> u32 {
        self.0.count()
    }

    /// Returns the placements in both sets.
    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        Self(self.0.and(other.0))
    }

    /// Returns the placements of this set that are not in `other`.
    #[inline(always)]
    pub fn without(self, other: Self) -> Self {
        Self(self.0.without(other.0))
    }

    /// Returns the three placements on one stack.
    #[inline(always)]
    pub fn from_stack(stack: usize) -> Self {
        let bit = SLOT_BITS * (stack / W) as u32 + SLOT_BITS - 3;
        let mut marks = Mask::EMPTY;
        marks.0[stack % W] = 7 << bit;
        Self(marks)
    }

    /// Iterates over the placements: shift by shift, each from left to right.
    #[inline(always)]
    pub fn iter(self) -> impl Iterator<Item = Placement> {
        // The mark of slot `s` and word `w` becomes bit `s × W + w`: a multiplication moves the bits of each
        // slot next to those of the previous slot.
        let close_up = 1_u64 << 48 | 1 << (27 + W) | 1 << (6 + 2 * W);
        let mut rest = 0;
        for shift in 0..3 {
            let mut marks = 0;
            for word in 0..W {
                marks |= (self.0.0[word] >> (SLOT_BITS as usize - 3 + shift) & FLOOR) << word;
            }
            rest |= marks.wrapping_mul(close_up) >> 48 << (16 * shift);
        }
        iter::from_fn(move || {
            let at = rest.trailing_zeros() as usize;
            (rest != 0).then(|| {
                rest &= rest - 1;
                Placement {
                    stack: at % 16,
                    shift: at / 16,
                }
            })
        })
    }
}

/// Returns the roofs of the stacks that have a cell in `tops`. `tops` must have at most one cell in
/// each stack, below the roof. The sum of this cell and all cells below the roof carries into the roof.
#[inline(always)]
fn roofs<L: Cells>(tops: L) -> L {
    tops.add_words(tops.splat(ROOF - FLOOR))
        .and(tops.splat(ROOF))
}

impl<L: Lanes<W>, const W: usize, const P: usize> Stepper<L, W, P> {
    /// Returns the marks of a column's placements that make a match when it lands. `floor` has the lowest
    /// cell of every stack. `jewels` are the column's codes from bottom to top.
    #[inline(always)]
    pub fn matching_marks(&self, floor: L, jewels: [u8; 3]) -> L {
        let planes = &self.planes;
        let occupied = occupied(planes);
        let tops = occupied.up::<1>().or(floor).without(occupied);
        let none = tops.splat(0);
        let mut completed = [none; 3];
        let mut below = [none; 3];
        for i in 0..3 {
            if i > 0 && jewels[i] == jewels[i - 1] {
                (completed[i], below[i]) = (completed[i - 1], below[i - 1]);
                continue;
            }
            let same = cells_of_colour(planes, jewels[i]);
            completed[i] = find_completing_cells(same);
            below[i] = same.up::<1>();
        }
        let mut marks = none;
        for shift in 0..3 {
            let [a, b, c] = [shift, (shift + 1) % 3, (shift + 2) % 3];
            let mut hit = completed[a]
                .or(completed[b].down::<1>())
                .or(completed[c].down::<2>());
            // Two equal jewels match with a third below them; three equal ones match anywhere.
            if jewels[a] == jewels[b] {
                hit = if jewels[b] == jewels[c] {
                    tops
                } else {
                    hit.or(below[a])
                };
            }
            marks = marks.down::<1>().or(roofs(hit.and(tops)));
        }
        marks
    }

    /// Returns the placements of a column that make a match when it lands. The arguments are those of
    /// [`matching_marks`](Self::matching_marks).
    #[inline(always)]
    pub fn matching_placements(&self, floor: L, jewels: [u8; 3]) -> PlacementSet<W> {
        PlacementSet::from_marks(self.matching_marks(floor, jewels))
    }

    /// Finds all pairs of jewels of equal colour.
    #[inline(always)]
    pub fn colour_pairs(&self) -> ColourPairs<L> {
        let planes = &self.planes;
        let occupied = occupied(planes);
        // First collect the cells that differ from their neighbour in a direction, or from the cell at twice
        // the distance. The remaining jewels represent the pairs.
        let none = occupied.splat(0);
        let mut adjacent = [none; 4];
        let mut two_apart = [none; 4];
        for &plane in planes {
            let right = plane.left();
            let next = right.left();
            adjacent[0] = adjacent[0].or(plane.xor(right));
            adjacent[1] = adjacent[1].or(plane.xor(right.down::<1>()));
            adjacent[2] = adjacent[2].or(plane.xor(right.up::<1>()));
            adjacent[3] = adjacent[3].or(plane.xor(plane.down::<1>()));
            two_apart[0] = two_apart[0].or(plane.xor(next));
            two_apart[1] = two_apart[1].or(plane.xor(next.down::<2>()));
            two_apart[2] = two_apart[2].or(plane.xor(next.up::<2>()));
            two_apart[3] = two_apart[3].or(plane.xor(plane.down::<2>()));
        }
        for direction in 0..4 {
            adjacent[direction] = occupied.without(adjacent[direction]);
            two_apart[direction] = occupied.without(two_apart[direction]);
        }
        ColourPairs {
            adjacent,
            two_apart,
        }
    }
}

/// The colours that would complete a line on top of each stack, or one cell higher.
#[derive(Debug, Clone, Copy)]
pub struct CompletingColours {
    /// For each stack, a bit for each code that completes a line. The first half is for a jewel on top of
    /// the stack, the second half for a jewel one cell higher.
    pub code_sets: [[u32; MAX_WIDTH]; 2],
    /// For each half of `code_sets`, the sum of the weights of the marked codes. A code counts once for each
    /// stack.
    pub total_weights: [u32; 2],
}

/// Finds, for each stack, which of the codes 1 to `colours` would complete a line on top of it, or one cell
/// higher. `weights[code]` is the weight of a code, 0 for code 0. `tops` has the lowest empty cell of each
/// stack to search, none above row 19.
#[inline(always)]
pub fn find_completing_colours<I: Isa, const W: usize, const P: usize>(
    isa: I,
    field: &Field<W, P>,
    tops: Mask<W>,
    colours: u8,
    weights: &[u8],
) -> CompletingColours {
    let (planes, sets) = load_colours(isa, field);
    let first = isa.load(&tops.0);
    let second = first.up::<1>();
    let none = first.splat(0);
    let mut completing = CompletingColours {
        code_sets: [[0; MAX_WIDTH]; 2],
        total_weights: [0; 2],
    };
    let (codes, palette_mask) = (colours as usize | (sets - 1), (2 << colours) - 2);
    // The colours are processed in groups, since a slot has no room for the marks of 26 colours.
    for start in (1..=codes).step_by(MAX_MARKED_COLOURS) {
        let (mut marked, mut last) = ([none; 2], 0);
        for code in (start..=codes.min(start + MAX_MARKED_COLOURS - 1)).step_by(sets) {
            let completed = find_completing_cells(cells_of_colour(&planes, code as u8));
            let hits = [completed.and(first), completed.and(second)];
            for half in 0..2 {
                // New marks are in the roof, the highest bit of a slot. First shift the earlier marks
                // down, by one bit for each code.
                for _ in 0..sets {
                    marked[half] = marked[half].down::<1>();
                }
                marked[half] = marked[half].or(roofs(hits[half]));
                completing.total_weights[half] += weigh(hits[half], code, weights);
            }
            last = code;
        }
        for (stacks, mut marked) in completing.code_sets.iter_mut().zip(marked) {
            if sets == 2 {
                marked = marked.or(marked.second().down::<1>());
            }
            let marks = Mask(marked.words());
            for (x, codes) in stacks.iter_mut().enumerate().take(3 * W) {
                *codes |= (marks.stack_bits(x) << last >> (SLOT_BITS - 1)) as u32 & palette_mask;
            }
        }
    }
    completing
}

/// Returns the planes of a field, and the number of sets in a register. The lowest plane of the second set is
/// complemented, so that a search for an odd code finds the jewels of the next lower code in the second set.
#[inline(always)]
fn load_colours<I: Isa, const W: usize, const P: usize>(
    isa: I,
    field: &Field<W, P>,
) -> ([I::Lanes<W>; P], usize) {
    let mut planes = field.load(isa).planes;
    planes[0] = planes[0].xor(isa.load_two(&[0; W], &[u64::MAX; W]));
    (planes, I::Lanes::<W>::SETS)
}

/// Returns the sum of the weights of the cells in `hits`. Each cell of the first set has the weight of
/// `code`. Each cell of the second set, if there is one, has the weight of the next lower code.
#[inline(always)]
fn weigh<L: Lanes<W>, const W: usize>(mut hits: L, code: usize, weights: &[u8]) -> u32 {
    let mut sum: u32 = 0;
    for set in 0..L::SETS {
        let weight = weights.get(code - set).map_or(0, |&weight| weight.into());
        sum += Mask(hits.words()).count() * weight;
        hits = hits.second();
    }
    sum
}

/// Returns the first of the two sums in [`CompletingColours::total_weights`]. This is faster than
/// [`find_completing_colours`].
#[inline(always)]
pub fn sum_completing_weights<I: Isa, const W: usize, const P: usize>(
    isa: I,
    field: &Field<W, P>,
    tops: Mask<W>,
    colours: u8,
    weights: &[u8],
) -> u32 {
    let (planes, sets) = load_colours(isa, field);
    let tops = isa.load(&tops.0);
    let mut weight = 0;
    for code in (1..=colours as usize | (sets - 1)).step_by(sets) {
        let hits = find_completing_cells(cells_of_colour(&planes, code as u8)).and(tops);
        weight += weigh(hits, code, weights);
    }
    weight
}

/// The maximum number of colours that [`find_completing_colours`] marks in a slot at the same time.
const MAX_MARKED_COLOURS: usize = 20;

/// The cells at which a jewel of the same colour as a neighbour would complete a line.
///
/// A cell can be in several sets, for several colours.
#[derive(Debug, Clone, Copy)]
pub struct Completions<L> {
    /// A set for each neighbour: the cells at which a jewel of the same colour as this neighbour would
    /// complete a line. The neighbours are, in this order: right, left, above right, below left, below right,
    /// above left, below.
    pub by_neighbour: [L; 7],
    /// The union of all sets.
    pub for_any_neighbour: L,
}

impl<L: Cells> Completions<L> {
    /// Finds the completions from the pairs of equal colour. The sets include occupied cells, and empty cells
    /// without support.
    #[inline(always)]
    pub fn from_pairs(pairs: &ColourPairs<L>) -> Self {
        let ColourPairs {
            adjacent,
            two_apart,
        } = *pairs;
        let [horizontal, rising, falling, vertical] = adjacent;
        let [horizontal2, rising2, falling2, _] = two_apart;
        let by_neighbour = [
            horizontal.left(),
            horizontal.right2().or(horizontal2.right()),
            rising.left().down::<1>(),
            rising.right2().up::<2>().or(rising2.right().up::<1>()),
            falling.left().up::<1>().or(falling2.right().down::<1>()),
            falling.right2().down::<2>(),
            vertical.up::<2>(),
        ];
        let mut for_any_neighbour = by_neighbour[0];
        for &set in &by_neighbour[1..] {
            for_any_neighbour = for_any_neighbour.or(set);
        }
        Self {
            by_neighbour,
            for_any_neighbour,
        }
    }
}

/// The pairs of jewels of equal colour. A pair is represented by its left or lower jewel. The other jewel
/// lies in one of four directions: horizontal to the right, rising to the right, falling to the right, above.
#[derive(Debug, Clone, Copy)]
pub struct ColourPairs<L> {
    /// The pairs of neighbours, for each of the four directions.
    pub adjacent: [L; 4],
    /// The pairs at twice the distance, for the same directions.
    pub two_apart: [L; 4],
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields;
    use crate::isas::on_all_isas;
    use crate::random::Random;
    use crate::simd::{Kernel, Portable};

    type F = Field<4, 3>;
    const SIZE: (usize, usize) = (8, 13);
    /// The neighbours of [`Completions::by_neighbour`] as (stacks to the right, rows up).
    const NEIGHBOURS: [(isize, isize); 7] =
        [(1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1), (0, -1)];

    fn field(text: &str) -> F {
        fields::parse_field(text, SIZE.0)
    }

    /// True if a jewel of colour `code` in this cell makes a match, according to [`Field::has_match`].
    fn completes(field: &F, x: usize, y: u32, code: u8) -> bool {
        let mut field = *field;
        field.put(x, y, code);
        field.has_match()
    }

    #[test]
    fn completions_agree_with_the_match_test() {
        let mut random = Random(1);
        let mut tried = 0;
        for seed in 0..if cfg!(miri) { 3 } else { 1000_u32 } {
            let mut text = String::new();
            let heights: Vec<u32> = (0..SIZE.0 as u32).map(|x| (seed / (x + 1)) % 7).collect();
            for y in (0..7).rev() {
                for height in &heights {
                    let letter = (b'a' + random.below(4) as u8) as char;
                    text.push(if y < *height { letter } else { '.' });
                }
                text.push('/');
            }
            let field = field(&text);
            if field.has_match() {
                continue;
            }
            tried += 1;
            let completions = Completions::from_pairs(&field.load(Portable).colour_pairs());
            let floor = Mask::from_size(SIZE.0, 1);
            let tops = field
                .occupied()
                .up::<1>()
                .or(floor)
                .without(field.occupied());
            let weights: Vec<u8> = (0..27).collect();
            let low = find_completing_colours(Portable, &field, tops, 5, &weights);
            let worth = |completing: &CompletingColours| {
                completing.code_sets.map(|stacks| -> u32 {
                    let hits = |code| {
                        stacks
                            .iter()
                            .filter(|&codes| codes >> code & 1 == 1)
                            .count()
                    };
                    (1..=26).map(|code| code * hits(code) as u32).sum()
                })
            };
            assert_eq!(low.total_weights, worth(&low), "{text}");
            let sum = sum_completing_weights(Portable, &field, tops, 5, &weights);
            assert_eq!(low.total_weights[0], sum, "{text}");
            // The same with the colours `r` to `u`, whose codes 18 to 21 lie on both sides of
            // `MAX_MARKED_COLOURS`.
            let high = text.chars().map(|c| match c {
                'a'..='d' => (c as u8 + 17) as char,
                other => other,
            });
            let high: Field<4, 5> = fields::parse_field(&high.collect::<String>(), SIZE.0);
            let high = find_completing_colours(Portable, &high, tops, 26, &weights);
            let moved = low.code_sets.map(|stacks| stacks.map(|codes| codes << 17));
            assert_eq!(high.code_sets, moved, "{text}");
            assert_eq!(high.total_weights, worth(&high), "{text}");
            let bits = low.code_sets;
            for (x, height) in heights.iter().enumerate() {
                for code in 1..=5 {
                    let cell = 1_u64 << (21 * (x / 4) as u32 + height);
                    let same = Portable.load(&field.cells_of_colour(code).0);
                    let by_colour = find_completing_cells(same).words()[x % 4] & cell != 0;
                    let expected = completes(&field, x, *height, code);
                    assert_eq!(by_colour, expected, "{text} stack {x} code {code}");
                    let neighbours = NEIGHBOURS.iter().zip(&completions.by_neighbour);
                    let by_neighbour = neighbours.into_iter().any(|(&(dx, dy), set)| {
                        let (x2, y2) = (x as isize + dx, *height as isize + dy);
                        set.words()[x % 4] & cell != 0 && field.cell(x2 as usize, y2 as u32) == code
                    });
                    assert_eq!(by_neighbour, expected, "{text} stack {x} code {code}");
                    assert_eq!(bits[0][x] >> code & 1 == 1, expected, "{text} stack {x}");
                    let mut other = field;
                    other.put(x, *height, 7);
                    let expected = completes(&other, x, height + 1, code);
                    assert_eq!(bits[1][x] >> code & 1 == 1, expected, "{text} stack {x}");
                }
            }
        }
        assert!(tried > 200 || cfg!(miri), "{tried}");
    }

    /// The kernel that finds the completing colours of a field, among `colours` colours.
    #[derive(Clone, Copy)]
    struct CompletingColoursKernel<const P: usize> {
        field: Field<2, P>,
        colours: u8,
    }

    impl<const P: usize> Kernel for CompletingColoursKernel<P> {
        type Output = ([[u32; MAX_WIDTH]; 2], [u32; 2], u32);

        #[inline(always)]
        fn run<I: Isa>(self, isa: I) -> Self::Output {
            let Self { field, colours } = self;
            let occupied = field.occupied();
            let tops = occupied.up::<1>().or(Mask::from_size(6, 1));
            let tops = tops.without(occupied);
            let weights: [u8; 27] = std::array::from_fn(|code| 3 * code as u8);
            let result = find_completing_colours(isa, &field, tops, colours, &weights);
            let sum = sum_completing_weights(isa, &field, tops, colours, &weights);
            (result.code_sets, result.total_weights, sum)
        }
    }

    fn check_completing_colours<const P: usize>(random: &mut Random, colours: u8) {
        let mut field = Field::<2, P>::EMPTY;
        for x in 0..6 {
            for y in 0..random.below(17) as u32 {
                field.put(x, y, 1 + random.below(colours.into()) as u8);
            }
        }
        let kernel = CompletingColoursKernel { field, colours };
        let expected = kernel.run(Portable);
        for (name, result) in on_all_isas(kernel) {
            assert_eq!(result, expected, "{name}: {colours} colours, {field:?}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri does not support `cpuid`")]
    fn six_stacks_have_the_same_completing_colours_with_every_instruction_set() {
        let mut random = Random(5);
        for _ in 0..200 {
            for colours in 1..=7 {
                check_completing_colours::<3>(&mut random, colours);
            }
            for colours in 18..=26 {
                check_completing_colours::<5>(&mut random, colours);
            }
        }
    }

    #[test]
    fn matching_placements_agree_with_the_match_test() {
        let text = "a....b../ab.a.bc./bacbacab/cabcabca/";
        let field = field(text);
        assert!(!field.has_match(), "{text}");
        let floor = Mask::<4>::from_size(SIZE.0, 1);
        let mut fired = 0;
        for number in 0..if cfg!(miri) { 2 } else { 64 } {
            let jewels = [1 + number % 4, 1 + number / 4 % 4, 1 + number / 16];
            let stepper = field.load(Portable);
            let matching = stepper.matching_placements(Portable.load(&floor.0), jewels);
            let matching: Vec<_> = matching.iter().map(|p| (p.shift, p.stack)).collect();
            let mut expected = Vec::new();
            for shift in 0..3 {
                let mut column = jewels;
                column.rotate_left(shift);
                for x in 0..SIZE.0 {
                    let mut after = field;
                    for (y, code) in (field.stack_height(x)..).zip(column) {
                        after.put(x, y, code);
                    }
                    if after.has_match() {
                        expected.push((shift, x));
                    }
                }
            }
            assert_eq!(matching, expected, "{jewels:?}");
            fired += matching.len();
        }
        assert!(fired > 100 || cfg!(miri), "{fired}");
    }

    #[test]
    fn the_worked_example_of_the_module_is_correct() {
        let field = field(".bb...../aac...../");
        let floor = Portable.load(&Mask::<4>::from_size(4, 1).0);
        let stepper = field.load(Portable);
        let matching = stepper.matching_placements(floor, [3, 1, 2]).iter();
        let placements: Vec<_> = matching.map(|p| (p.shift, p.stack)).collect();
        assert_eq!(placements, [(1, 3), (2, 0)]);
    }

    #[test]
    fn a_set_of_placements_holds_shifts_on_stacks() {
        type Set = PlacementSet<4>;
        let placements = |set: Set| set.iter().map(|p| (p.shift, p.stack)).collect::<Vec<_>>();
        let cell = |x, row| {
            Mask::from_size(x + 1, row + 1)
                .without(Mask::from_size(x, row + 1))
                .without(Mask::from_size(12, row))
        };
        let stacks = [(0, 0), (3, 5), (4, 12), (11, 18)];
        let tops = stacks
            .iter()
            .fold(Mask::EMPTY, |tops, &(x, row)| tops.or(cell(x, row)));
        let on = |shifts: usize| -> Vec<(usize, usize)> {
            let shifts = 0..shifts;
            shifts
                .flat_map(|shift| stacks.map(|(x, _)| (shift, x)))
                .collect()
        };
        assert_eq!(placements(Set::from_tops(tops, 3)), on(3));
        assert_eq!(placements(Set::from_tops(tops, 1)), on(1));
        for (set, count) in [
            (Set::from_tops(tops, 3), 12),
            (Set::from_tops(tops, 1), 4),
            (Set::from_stack(3), 3),
            (Set::from_tops(Mask::EMPTY, 3), 0),
        ] {
            assert_eq!((set.count(), set.is_empty()), (count, count == 0));
        }
        for x in 0..12 {
            assert_eq!(placements(Set::from_stack(x)), [(0, x), (1, x), (2, x)]);
        }
        let first = Set::from_tops(tops, 1);
        assert_eq!(placements(first.and(Set::from_stack(4))), [(0, 4)]);
        assert_eq!(
            placements(Set::from_stack(4).without(first)),
            [(1, 4), (2, 4)]
        );
    }
}
