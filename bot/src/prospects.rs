//! What a placement is likely to change the evaluation by, before the child is built.
//!
//! A placement that takes no part in the chain of the state's trigger leaves the worth of that
//! chain as it is. The evaluation of such a child then depends on what its jewels lie next to on
//! the field that the chain leaves, and on the surface. A linear model of a few numbers foresees
//! most of the difference between children of one parent (correlation 0.72). It was fitted by least
//! squares to the evaluations of children, see docs/experiments/search.md.

use crate::scaled::SCALE;
use crate::shape::Shape;
use crate::state::State;

/// One prospect in a thousand is higher than this, in [`SCALE`].
pub(crate) const HIGHEST: i32 = 10 * SCALE;

/// For a neighbour of the same colour, on the field that the chain leaves; half of it for one at
/// twice the distance.
const NEIGHBOUR: i32 = 630;
/// For each row that the column lands higher, on the full field and on what the chain leaves.
const ROW: i32 = -179;
const ROW_AFTER: i32 = -110;
/// For each row between the top of the column and that of a stack next to it.
const STEP: i32 = -82;
/// On a stack next to the trigger's, and one further off.
const BY_TRIGGER: i32 = 463;
const NEAR_TRIGGER: i32 = 297;
/// At the edge, whose outside counts as high as the field.
const EDGE: i32 = -589;
/// For every placement.
const EVERY: i32 = 617;

/// The cells around three rows that a jewel in the lowest of them may have neighbours in: three
/// rows left and right, each counted twice, and three rows at twice the distance, counted once.
const AROUND: u64 = (0b111 * (1 | 1 << 5) * (1 | 1 << 10)) | ((0b1_0101 * (1 | 1 << 7)) << 20);

/// The prospects of all placements of a column, by shift and stack, in [`SCALE`].
#[inline(always)]
pub(crate) fn prospects<const W: usize, const P: usize>(
    shape: &Shape<W>,
    state: &State<W, P>,
    jewels: [u8; 3],
) -> [[i32; 12]; 3] {
    let full = shape.heights(state.field.occupied());
    let after = shape.heights(state.rest.occupied());
    // For each jewel of the column: its neighbours if it lay lowest, in the middle, at the top.
    let mut hits = [[[0; 12]; 3]; 3];
    for i in 0..3 {
        if i > 0 && jewels[i] == jewels[i - 1] {
            hits[i] = hits[i - 1];
            continue;
        }
        let same = state.rest.of_colour(jewels[i]);
        // Two empty stacks on either side, and two empty rows below.
        let mut stacks = [0; 16];
        for (x, stack) in stacks[2..].iter_mut().enumerate().take(shape.width) {
            *stack = same.stack(x) << 2;
        }
        for x in 0..shape.width {
            let y = after[x];
            let [left2, left, _, right, right2] =
                [stacks[x], stacks[x + 1], 0, stacks[x + 3], stacks[x + 4]];
            let near = left >> (y + 1) & 31 | (right >> (y + 1) & 31) << 5;
            let far = left2 >> y & 127 | (right2 >> y & 127) << 7;
            let around = near | near << 10 | far << 20;
            for (row, hits) in hits[i].iter_mut().enumerate() {
                hits[x] = (around & AROUND << row).count_ones() as i32;
            }
        }
    }
    let mut prospects = [[0; 12]; 3];
    let height = shape.height as i32;
    let trigger = state.potential.trigger.stack as usize;
    for x in 0..shape.width {
        let y = full[x] as i32;
        let step =
            |beside: Option<&u32>| (y + 3 - beside.map_or(height, |&beside| beside as i32)).abs();
        let left = if x > 0 { full.get(x - 1) } else { None };
        let right = full[..shape.width].get(x + 1);
        let surface = EVERY
            + ROW * y
            + ROW_AFTER * after[x] as i32
            + STEP * (step(left) + step(right))
            + match x.abs_diff(trigger) {
                1 => BY_TRIGGER,
                2 => NEAR_TRIGGER,
                _ => 0,
            }
            + if x == 0 || x + 1 == shape.width {
                EDGE
            } else {
                0
            };
        for (shift, prospects) in prospects.iter_mut().enumerate() {
            let neighbours =
                hits[shift][0][x] + hits[(shift + 1) % 3][1][x] + hits[(shift + 2) % 3][2][x];
            prospects[x] = surface + NEIGHBOUR / 2 * neighbours;
        }
    }
    prospects
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Before;
    use columns_core::field::Field;
    use columns_core::notation;

    const WIDTH: usize = 8;
    const HEIGHT: usize = 13;

    fn field(text: &str) -> Field<4, 3> {
        let mut field = Field::EMPTY;
        for (y, row) in (0..).zip(notation::parse(text, WIDTH).unwrap()) {
            for (x, cell) in row.into_iter().enumerate() {
                let code = cell.map_or(0, |colour| colour.index() as u8 + 1);
                field.put(x, y, code);
            }
        }
        field
    }

    fn mirrored(text: &str) -> String {
        let rows = text.split('/').map(|row| row.chars().rev().collect());
        rows.collect::<Vec<String>>().join("/")
    }

    /// The prospects cell by cell.
    fn expected(state: &State<4, 3>, jewels: [u8; 3], x: usize, shift: usize) -> i32 {
        let mut column = jewels;
        column.rotate_left(shift);
        let bottom = state.rest.stack_height(x) as isize;
        let same = |dx: isize, y: isize, code: u8| {
            let x = x as isize + dx;
            let inside = (0..WIDTH as isize).contains(&x) && y >= 0;
            i32::from(inside && state.rest.cell(x as usize, y as u32) == code)
        };
        let mut neighbours = 0;
        for (row, code) in (bottom..).zip(column) {
            for side in [-1, 1] {
                for slope in [-1, 0, 1] {
                    neighbours += 2 * same(side, row + slope, code);
                    neighbours += same(2 * side, row + 2 * slope, code);
                }
            }
        }
        let height = |x: Option<usize>| match x {
            Some(x) if x < WIDTH => state.field.stack_height(x) as i32,
            _ => HEIGHT as i32,
        };
        let y = height(Some(x));
        let steps = [x.checked_sub(1), Some(x + 1)].map(|beside| (y + 3 - height(beside)).abs());
        let trigger = state.potential.trigger.stack as usize;
        EVERY
            + NEIGHBOUR / 2 * neighbours
            + ROW * y
            + ROW_AFTER * bottom as i32
            + STEP * (steps[0] + steps[1])
            + [0, BY_TRIGGER, NEAR_TRIGGER, 0, 0, 0, 0, 0][x.abs_diff(trigger)]
            + if x % (WIDTH - 1) == 0 { EDGE } else { 0 }
    }

    #[test]
    fn prospects_are_those_found_cell_by_cell_and_the_same_in_a_mirror() {
        let shape = Shape::<4>::new(WIDTH, HEIGHT);
        let full = "a......b/ca.a...c/bd.b.dca/acbdaccb/dbaccabd";
        let rest = "......b./..a..ac./d.abcbaa";
        let state = |full: &str, rest: &str, stack| {
            let mut state = State::new(field(full), 0, Before::default());
            state.rest = field(rest);
            state.potential.trigger.stack = stack;
            state
        };
        let state_in_mirror = state(&mirrored(full), &mirrored(rest), 5);
        let state = state(full, rest, 2);
        let mut different = std::collections::HashSet::new();
        for jewels in [[1, 2, 3], [1, 1, 2], [2, 4, 2], [3, 3, 3]] {
            let found = prospects(&shape, &state, jewels);
            let in_mirror = prospects(&shape, &state_in_mirror, jewels);
            for shift in 0..3 {
                for x in 0..WIDTH {
                    let value = found[shift][x];
                    let place = format!("{jewels:?} shift {shift} stack {x}");
                    assert_eq!(value, expected(&state, jewels, x, shift), "{place}");
                    assert_eq!(value, in_mirror[shift][WIDTH - 1 - x], "{place}");
                    different.insert(value);
                }
            }
        }
        assert!(different.len() > 25, "{}", different.len());
    }
}
