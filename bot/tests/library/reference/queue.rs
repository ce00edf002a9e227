//! Compares the column queue with the letters of the case, and the geometry with plain cells.

use super::position::{Position, PositionTest, test_positions};
use crate::random::Random;
use columns_bot::case::geometry::FieldGeometry;
use columns_bot::case::queue::ColumnQueue;
use columns_core::field::Mask;
use columns_core::rules::case::{Case, Column};

struct QueueTest;

impl PositionTest for QueueTest {
    fn test<const W: usize, const P: usize>(&mut self, position: &Position<W, P>, _: &mut Random) {
        let ColumnQueue {
            columns,
            upcoming_colour_counts,
            upcoming_weights,
            columns_until_colour,
            columns_until_magic,
            ..
        } = &position.context.queue;
        let queue = &position.context.queue;
        let placed_columns = position.placed_columns;
        let rest = &position.case.columns()[placed_columns..];
        let codes = |column: &Column| {
            column
                .shifted(0)
                .map(|jewels| jewels.map(|c| position.code(c)))
        };
        assert_eq!(
            columns[placed_columns..],
            rest.iter().map(codes).collect::<Vec<_>>()
        );
        let ahead = rest.iter().take(50).filter_map(codes).flatten();
        let distinct = ahead.collect::<std::collections::HashSet<u8>>().len();
        assert_eq!(
            usize::from(upcoming_colour_counts[placed_columns]),
            distinct
        );
        assert_eq!(
            queue.colour_excess(placed_columns),
            (distinct as i32 - 7).clamp(0, 3)
        );
        for code in 1..=position.colour_count {
            let holds = |column: &Column| codes(column).is_some_and(|codes| codes.contains(&code));
            let first = rest.iter().position(holds).unwrap_or(20).min(20);
            assert_eq!(
                usize::from(columns_until_colour[placed_columns][usize::from(code)]),
                first
            );
            assert_eq!(
                u32::from(upcoming_weights[placed_columns][usize::from(code)]),
                position.upcoming_weight(code)
            );
            assert_eq!(
                queue.has_colour_after(placed_columns, code),
                position.has_colour_left(code)
            );
        }
        let magic = rest.iter().position(|&column| column == Column::Magic);
        assert_eq!(
            usize::from(columns_until_magic[placed_columns]),
            magic.unwrap_or(20).min(20)
        );
        assert_eq!(queue.is_exhausted(placed_columns), rest.is_empty());
    }
}

#[test]
fn the_queue_agrees_with_the_letters_of_the_case() {
    test_positions(11, 2, &mut QueueTest);
}

#[test]
fn far_columns_are_not_counted() {
    // `abc`, 49 columns of one colour, then a fourth colour, which is beyond the next 50 columns at
    // first.
    let columns = ["abc"].into_iter().chain(["aaa"; 49]).chain(["ddd", "***"]);
    let columns: Vec<String> = columns.map(String::from).collect();
    let case: Case = format!("6 13\n52\n{}\n", columns.join("\n"))
        .parse()
        .unwrap();
    let queue = ColumnQueue::new(&case);
    assert_eq!(queue.upcoming_colour_counts[..3], [3, 2, 2]);
    assert_eq!(
        (
            queue.columns_until_colour[0][4],
            queue.columns_until_colour[29][4],
            queue.columns_until_colour[31][4]
        ),
        (20, 20, 19)
    );
    assert_eq!(
        (
            queue.columns_until_magic[0],
            queue.columns_until_magic[32],
            queue.columns_until_magic[51]
        ),
        (20, 19, 0)
    );
}

#[test]
fn the_geometry_of_a_field_is_its_cells() {
    struct GeometryTest;
    impl PositionTest for GeometryTest {
        fn test<const W: usize, const P: usize>(
            &mut self,
            position: &Position<W, P>,
            _: &mut Random,
        ) {
            let grid = &position.grid;
            let geometry = FieldGeometry::<W>::new(grid.width, grid.height);
            let occupied = position.field.occupied();
            let cells = |mask: Mask<W>| {
                let mut cells: Vec<_> = mask.cells().collect();
                cells.sort_unstable();
                cells
            };
            let cells_where = |is_in: &dyn Fn(usize, usize) -> bool| -> Vec<(usize, u32)> {
                let cells = grid.cells().map(|(x, y)| (x as usize, y as usize));
                cells
                    .filter(|&(x, y)| is_in(x, y))
                    .map(|(x, y)| (x, y as u32))
                    .collect()
            };
            assert_eq!(cells(geometry.cells), cells_where(&|_, _| true));
            assert_eq!(cells(geometry.floor), cells_where(&|_, y| y == 0));
            assert_eq!(
                cells(geometry.landing_cells),
                cells_where(&|_, y| y + 3 <= grid.height)
            );
            assert_eq!(
                cells(occupied),
                cells_where(&|x, y| y < grid.stacks[x].len())
            );
            let tops: Vec<_> = (0..grid.width)
                .map(|x| (x, grid.stacks[x].len() as u32))
                .collect();
            assert_eq!(cells(geometry.tops(occupied)), tops);
            let heights: Vec<u32> = tops.iter().map(|top| top.1).collect();
            assert_eq!(geometry.heights(occupied)[..grid.width], heights);
            let occupancy = geometry.occupancy(&position.field);
            assert_eq!(occupancy.occupied_cells as u32, heights.iter().sum::<u32>());
            assert_eq!(
                occupancy.blocked_stacks as usize,
                grid.width - grid.open_stacks().len()
            );
        }
    }
    test_positions(12, 2, &mut GeometryTest);
}
