//! Compares the matches of random fields with the definition of a match, and tests every way to clear a
//! stack.

use super::{Field, Mask, cells, find_lines, settle};
use crate::isas::{on_all_isas, warn_of_missing_bmi2};
use crate::random::Random;
use crate::rules::case::HEIGHTS;
use crate::simd::{Cells, Isa, Kernel, Lanes, SLOT_BITS};
use std::ops::Range;

impl<const W: usize, const P: usize> Field<W, P> {
    /// Returns the number of matches in each direction, and the jewels in at least one of them.
    #[inline(always)]
    pub(crate) fn matches<I: Isa>(&self, isa: I) -> ([u32; 4], Mask<W>) {
        let lines = find_lines(&self.load(isa).planes);
        (I::Lanes::count_each(lines), Mask(cells(lines).words()))
    }

    /// Removes jewels and drops the jewels above them.
    #[inline(always)]
    pub(crate) fn remove<I: Isa>(&mut self, isa: I, removed: Mask<W>) {
        let mut stepper = self.load(isa);
        settle(&mut stepper.planes, isa.load(&removed.0));
        *self = stepper.to_field();
    }
}

const ROWS: Range<usize> = 0..*HEIGHTS.end();

/// A cell as (stack, row).
type Cell = (usize, usize);

fn mask<const W: usize>(cells: impl IntoIterator<Item = Cell>) -> Mask<W> {
    let mut mask = Mask::EMPTY;
    for (x, y) in cells {
        mask.0[x % W] |= 1 << (SLOT_BITS as usize * (x / W) + y);
    }
    mask
}

/// Finds the matches of a field by testing every line of three cells. Returns the number of
/// matches in each direction, and the jewels in at least one of them.
fn expected_matches<const W: usize, const P: usize>(field: &Field<W, P>) -> ([u32; 4], Mask<W>) {
    let (mut counts, mut cells) = ([0; 4], Vec::new());
    for x in 0..3 * W {
        for y in ROWS {
            for (direction, (dx, dy)) in [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().enumerate() {
                let line = [0, 1, 2].map(|i| (x + i * dx, y.wrapping_add_signed(i as isize * dy)));
                let inside = line.iter().all(|&(x, y)| x < 3 * W && ROWS.contains(&y));
                if inside {
                    let [a, b, c] = line.map(|(x, y)| field.cell(x, y as u32));
                    if a != 0 && a == b && b == c {
                        counts[direction] += 1;
                        cells.extend(line);
                    }
                }
            }
        }
    }
    (counts, mask(cells))
}

#[derive(Clone, Copy)]
struct MatchesKernel<const W: usize, const P: usize>(Field<W, P>);

impl<const W: usize, const P: usize> Kernel for MatchesKernel<W, P> {
    type Return = ([u32; 4], Mask<W>);
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Return {
        self.0.matches(isa)
    }
}

fn check_random_fields<const W: usize, const P: usize>(random: &mut Random) {
    for round in 0..if cfg!(miri) { 2 } else { 2_000 } {
        let colours = 1 + random.below((1 << P) - 1);
        let empty_in = 1 + random.below(30);
        let mut field = Field::<W, P>::EMPTY;
        for x in 0..3 * W {
            for y in ROWS {
                if random.below(empty_in) != 0 {
                    field.put(x, y as u32, 1 + random.below(colours) as u8);
                }
            }
        }
        let expected = expected_matches(&field);
        for (isa, matches) in on_all_isas(MatchesKernel(field)) {
            assert_eq!(matches, expected, "{isa}, W {W}, P {P}, round {round}");
        }
    }
}

#[test]
fn matches_agree_with_the_definition() {
    warn_of_missing_bmi2();
    let random = &mut Random(1);
    check_random_fields::<2, 3>(random);
    check_random_fields::<2, 4>(random);
    check_random_fields::<2, 5>(random);
    check_random_fields::<4, 3>(random);
    check_random_fields::<4, 4>(random);
    check_random_fields::<4, 5>(random);
}

/// The kernel that clears every subset of a full stack, and random subsets of the other stacks in
/// its word.
#[derive(Clone, Copy)]
struct ClearingKernel<const W: usize, const P: usize>;

impl<const W: usize, const P: usize> Kernel for ClearingKernel<W, P> {
    type Return = ();
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let random = &mut Random(1);
        for subset in 0..1_usize << ROWS.end {
            let examined = subset % (3 * W);
            let (mut field, mut settled) = (Field::<W, P>::EMPTY, Field::EMPTY);
            let mut removed = Mask::EMPTY;
            for x in (examined % W..3 * W).step_by(W) {
                let (vanishing, height) = if x == examined {
                    (subset, ROWS.end)
                } else {
                    let height = random.below(ROWS.end + 1);
                    (random.below(1 << height), height)
                };
                let mut floor = 0;
                for y in 0..height {
                    let code = 1 + random.below((1 << P) - 1) as u8;
                    field.put(x, y as u32, code);
                    if vanishing >> y & 1 == 0 {
                        settled.put(x, floor, code);
                        floor += 1;
                    } else {
                        removed = removed.or(mask([(x, y)]));
                    }
                }
            }
            field.remove(isa, removed);
            assert!(field == settled, "stack {examined}, {subset:b}");
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "3 million fields")]
fn every_way_to_clear_a_stack_settles() {
    on_all_isas(ClearingKernel::<2, 3>);
    on_all_isas(ClearingKernel::<4, 5>);
}

#[test]
fn a_jewel_outside_the_layout_panics() {
    for (x, y, code) in [(12, 0, 1), (0, 21, 1), (0, 0, 8)] {
        let put = || {
            let mut field = Field::<4, 3>::EMPTY;
            field.put(x, y, code);
        };
        assert!(std::panic::catch_unwind(put).is_err(), "{x} {y} {code}");
    }
}
