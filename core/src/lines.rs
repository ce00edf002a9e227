//! Where one more jewel would complete a line of three.

use crate::field::{Field, Mask};

/// The cells that would complete a line with two jewels of the set `same`, for
/// cells with nothing above them (a vertical line needs its two jewels below).
#[inline(always)]
pub fn completed_by<const W: usize>(same: Mask<W>) -> Mask<W> {
    let left = same.left();
    let far_left = left.left();
    let right = same.right();
    let far_right = right.right();
    let level = far_left.or(right).and(left).or(right.and(far_right));
    let rising = far_left
        .below(2)
        .or(right.above(1))
        .and(left.below(1))
        .or(right.above(1).and(far_right.above(2)));
    let falling = far_left
        .above(2)
        .or(right.below(1))
        .and(left.above(1))
        .or(right.below(1).and(far_right.below(2)));
    let vertical = same.below(1).and(same.below(2));
    level.or(rising).or(falling).or(vertical)
}

/// The cells that some colour would complete a line at, by where a jewel of
/// that colour lies.
///
/// A cell can be in several sets, with several colours.
#[derive(Debug, Clone, Copy)]
pub struct Completions<const W: usize> {
    /// For each of [`Completions::NEIGHBOURS`], the cells completed by the colour
    /// of that neighbour.
    pub sets: [Mask<W>; 7],
}

impl<const W: usize> Completions<W> {
    /// The neighbours (stacks to the right, rows up) whose colour a set of
    /// [`Completions::sets`] asks for.
    pub const NEIGHBOURS: [(isize, isize); 7] =
        [(1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1), (0, -1)];

    /// All completions on a field, those of cells in the air and on occupied
    /// cells included.
    #[inline(always)]
    pub fn of<const P: usize>(field: &Field<W, P>) -> Self {
        let occupied = field.occupied();
        let planes = field.planes();
        let right = planes.map(Mask::right);
        let far = right.map(Mask::right);
        // Jewels like the next one of their line, and like the next but one.
        let level = occupied.without(differ(planes, &right, |m| m));
        let rising = occupied.without(differ(planes, &right, |m| m.above(1)));
        let falling = occupied.without(differ(planes, &right, |m| m.below(1)));
        let vertical = occupied.without(differ(planes, planes, |m| m.above(1)));
        let level2 = occupied.without(differ(planes, &far, |m| m));
        let rising2 = occupied.without(differ(planes, &far, |m| m.above(2)));
        let falling2 = occupied.without(differ(planes, &far, |m| m.below(2)));
        Self {
            sets: [
                level.right(),
                level.left().or(level2).left(),
                rising.right().above(1),
                rising.left().below(1).or(rising2).left().below(1),
                falling.right().below(1).or(falling2.left().above(1)),
                falling.left().left().above(2),
                vertical.below(2),
            ],
        }
    }

    /// The cells of all sets.
    #[inline(always)]
    pub fn any(&self) -> Mask<W> {
        self.sets.iter().fold(Mask::EMPTY, |all, set| all.or(*set))
    }
}

/// Cells whose colour differs from that of another cell: `other` has the planes of
/// these, but for a `shift`.
#[inline(always)]
pub(crate) fn differ<const W: usize, const P: usize>(
    planes: &[Mask<W>; P],
    other: &[Mask<W>; P],
    shift: impl Fn(Mask<W>) -> Mask<W>,
) -> Mask<W> {
    let mut differ = Mask::EMPTY;
    for p in 0..P {
        differ = differ.or(planes[p].xor(shift(other[p])));
    }
    differ
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Portable;
    use crate::notation;

    type F = Field<4, 3>;
    const SIZE: (usize, usize) = (8, 13);

    fn field(text: &str) -> F {
        let rows = notation::parse(text, SIZE.0).unwrap();
        F::from_rows(&rows, |colour| colour.index() as u8 + 1)
    }

    /// A jewel of the colour at the cell makes a match, by the match test itself.
    fn completes(field: &F, x: usize, y: u32, code: u8) -> bool {
        let mut field = *field;
        field.put(x, y, code);
        field.matches(Portable).0 > 0
    }

    #[test]
    fn completions_are_those_that_the_match_test_finds() {
        // Colours in a pattern of period 31, which holds every kind of pair.
        let mut tried = 0;
        for seed in 0..1000_u32 {
            let mut text = String::new();
            let mut state = seed * 2 + 1;
            let heights: Vec<u32> = (0..SIZE.0 as u32).map(|x| (seed / (x + 1)) % 7).collect();
            for y in (0..7).rev() {
                for height in &heights {
                    state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
                    let letter = (b'a' + (state >> 28 & 3) as u8) as char;
                    text.push(if y < *height { letter } else { '.' });
                }
                text.push('/');
            }
            let field = field(&text);
            if field.matches(Portable).0 > 0 {
                continue;
            }
            tried += 1;
            let found = Completions::of(&field);
            for (x, height) in heights.iter().enumerate() {
                for code in 1..=5 {
                    let cell = 1_u64 << (21 * (x / 4) as u32 + height);
                    let by_colour = completed_by(field.of_colour(code)).0[x % 4] & cell != 0;
                    let expected = completes(&field, x, *height, code);
                    assert_eq!(by_colour, expected, "{text} stack {x} code {code}");
                    let neighbours = Completions::<4>::NEIGHBOURS.iter().zip(&found.sets);
                    let by_neighbour = neighbours.into_iter().any(|(&(dx, dy), set)| {
                        let (x2, y2) = (x as isize + dx, *height as isize + dy);
                        set.0[x % 4] & cell != 0 && field.cell(x2 as usize, y2 as u32) == code
                    });
                    assert_eq!(by_neighbour, expected, "{text} stack {x} code {code}");
                }
            }
        }
        assert!(tried > 200, "{tried}");
    }
}
