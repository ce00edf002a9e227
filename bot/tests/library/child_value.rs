use crate::fields::parse_field;
use columns_bot::case::geometry::FieldGeometry;
use columns_bot::eval::child_value::*;
use columns_core::field::Field;
use columns_core::simd::Portable;

const WIDTH: usize = 8;
const HEIGHT: usize = 13;

fn field(text: &str) -> Field<4, 3> {
    parse_field(text, WIDTH)
}

fn mirrored(text: &str) -> String {
    let rows = text.split('/').map(|row| row.chars().rev().collect());
    rows.collect::<Vec<String>>().join("/")
}

/// A field, the field after a chain, and the stack of the chain's trigger.
type Position = (Field<4, 3>, Field<4, 3>, usize);

/// Computes the model's prediction cell by cell.
fn expected(position: &Position, jewels: [u8; 3], x: usize, shift: usize) -> i32 {
    let (field, after_chain, trigger) = position;
    let mut column = jewels;
    column.rotate_left(shift);
    let bottom = after_chain.stack_height(x) as isize;
    let same = |dx: isize, y: isize, code: u8| {
        let x = x as isize + dx;
        let inside = (0..WIDTH as isize).contains(&x) && y >= 0;
        i32::from(inside && after_chain.cell(x as usize, y as u32) == code)
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
        Some(x) if x < WIDTH => field.stack_height(x) as i32,
        _ => HEIGHT as i32,
    };
    let y = height(Some(x));
    let steps = [x.checked_sub(1), Some(x + 1)].map(|beside| (y + 3 - height(beside)).abs());
    BIAS + PER_NEIGHBOUR / 2 * neighbours
        + PER_ROW * y
        + PER_ROW_AFTER_CHAIN * bottom as i32
        + PER_HEIGHT_STEP * (steps[0] + steps[1])
        + [0, BESIDE_TRIGGER, TWO_FROM_TRIGGER, 0, 0, 0, 0, 0][x.abs_diff(*trigger)]
        + if x % (WIDTH - 1) == 0 { AT_EDGE } else { 0 }
}

#[test]
fn the_model_counts_cell_by_cell_and_is_the_same_in_a_mirror() {
    let geometry = FieldGeometry::<4>::new(WIDTH, HEIGHT);
    let before_chain = "a......b/ca.a...c/bd.b.dca/acbdaccb/dbaccabd";
    let after_chain = "......b./..a..ac./d.abcbaa";
    let position = (field(before_chain), field(after_chain), 2);
    let mirrored_position = (
        field(&mirrored(before_chain)),
        field(&mirrored(after_chain)),
        5,
    );
    let all = |(field, after_chain, trigger): &Position, jewels| {
        predict_child_values(Portable, &geometry, field, after_chain, *trigger, jewels)
    };
    let mut distinct_values = std::collections::HashSet::new();
    for jewels in [[1, 2, 3], [1, 1, 2], [2, 4, 2], [3, 3, 3]] {
        let values = all(&position, jewels);
        let mirrored_values = all(&mirrored_position, jewels);
        for shift in 0..3 {
            for x in 0..WIDTH {
                let value = values[shift][x];
                let place = format!("{jewels:?} shift {shift} stack {x}");
                assert_eq!(value, expected(&position, jewels, x, shift), "{place}");
                assert_eq!(value, mirrored_values[shift][WIDTH - 1 - x], "{place}");
                distinct_values.insert(value);
            }
        }
    }
    assert!(distinct_values.len() > 25, "{}", distinct_values.len());
}

#[test]
fn the_worked_example_of_the_module_is_correct() {
    let geometry = FieldGeometry::<4>::new(WIDTH, HEIGHT);
    let before_chain = field(".cc...../.aac....");
    let predict = |after_chain| {
        let jewels = [2, 3, 2];
        predict_child_values(Portable, &geometry, &before_chain, after_chain, 0, jewels)
    };
    let values = predict(&Field::EMPTY);
    assert_eq!(
        [values[0][4], values[0][7], values[0][3]],
        [207, -1038, -54]
    );
    // One jewel remains after the chain, and the column lands on it.
    let values = predict(&field("...d...."));
    assert_eq!(values[0][3], -54 - 110);
}
