//! Compares each feature with a plain function over cells.

use super::grid::{DIRECTIONS, Grid};
use super::position::{Position, PositionTest, test_positions};
use super::potential::fire_all;
use crate::random::Random;
use columns_bot::eval::state::State;
use columns_bot::learned::features::{FEATURE_COUNT, FEATURE_DESCRIPTIONS, FeaturesKernel};
use columns_core::simd::{InstructionSet, run};

/// Returns the empty cells at which some colour completes a line in one of the directions.
fn completions(grid: &Grid, codes: u8, directions: &[(isize, isize)]) -> Vec<(isize, isize)> {
    let completes = |cell| {
        let by = |code| {
            directions
                .iter()
                .any(|&direction| grid.completes(cell, direction, code))
        };
        (1..=codes).any(by)
    };
    let is_open = |&(x, y): &(isize, isize)| grid.cell(x, y) == 0;
    grid.cells()
        .filter(is_open)
        .filter(|&cell| completes(cell))
        .collect()
}

/// Computes the feature `name` (without the prefix `after_`) of a field. Returns `None` unless the feature
/// exists for both the field and the field after the chain.
fn patterns<const W: usize, const P: usize>(
    position: &Position<W, P>,
    grid: &Grid,
    name: &str,
) -> Option<Vec<i32>> {
    let heights = grid.heights();
    let row_above = |cell: &(isize, isize)| cell.1 - heights[cell.0 as usize] as isize;
    let all = completions(grid, position.colour_count, &DIRECTIONS);
    Some(match name {
        "pairs" => {
            let count_pairs = |distance: isize, (dx, dy): (isize, isize)| {
                let code = |(x, y), i| grid.cell(x + i * dx, y + i * dy);
                let is_pair =
                    |&cell: &_| code(cell, 0) != 0 && code(cell, 0) == code(cell, distance);
                grid.cells().filter(is_pair).count() as i32
            };
            let pairs =
                [1, 2].map(|distance| DIRECTIONS.map(|direction| count_pairs(distance, direction)));
            pairs.concat()
        }
        "completions" => DIRECTIONS
            .map(|direction| completions(grid, position.colour_count, &[direction]).len() as i32)
            .to_vec(),
        "levels" => {
            let rows = [0, 1].map(|row| all.iter().filter(|cell| row_above(cell) == row).count());
            vec![rows[0] as i32, rows[1] as i32, all.len() as i32]
        }
        "soon" => vec![completion_weight(position, grid, 0)],
        "next" => {
            let Some(Some(jewels)) = position.column() else {
                return Some(vec![0]);
            };
            let shifted = |shift| {
                let mut jewels = jewels;
                jewels.rotate_left(shift);
                jewels
            };
            let columns = (0..3).map(shifted);
            let placements =
                columns.flat_map(|jewels| grid.open_stacks().into_iter().map(move |x| (x, jewels)));
            // Only lines with a new jewel count: with 7 or 15 colours, a filler has the code of a colour, so
            // it may already be in a line.
            let matches = |&(x, jewels): &(usize, [u8; 3])| {
                grid.with_jewels(x, &jewels, true).step().has_marked_match
            };
            vec![placements.filter(matches).count() as i32]
        }
        "jewels" => vec![heights.iter().sum()],
        "high" => vec![*heights.iter().max().unwrap()],
        "low" => vec![*heights.iter().min().unwrap()],
        "rough" => vec![
            heights
                .windows(2)
                .map(|pair| (pair[0] - pair[1]).abs())
                .sum(),
        ],
        "squares" => vec![
            heights
                .iter()
                .map(|height| height * height)
                .sum::<i32>()
                .min(2000),
        ],
        _ => return None,
    })
}

/// Sums, over the open stacks, the weights of the colours that complete a line in one cell of the stack: the
/// lowest empty cell if `above` is 0, the cell above it if `above` is 1.
fn completion_weight<const W: usize, const P: usize>(
    position: &Position<W, P>,
    grid: &Grid,
    above: isize,
) -> i32 {
    let mut weight = 0;
    for x in grid.open_stacks() {
        let cell = (x as isize, grid.stacks[x].len() as isize + above);
        for code in 1..=position.colour_count {
            if grid.completes_any(cell, code) {
                weight += position.upcoming_weight(code) as i32;
            }
        }
    }
    weight
}

/// Counts the cells, on top of a stack or one cell higher, at which a jewel completes a line in the direction
/// with this index.
fn completions_in_reach<const W: usize, const P: usize>(
    position: &Position<W, P>,
    grid: &Grid,
    direction: usize,
) -> i32 {
    let cells = completions(grid, position.colour_count, &[DIRECTIONS[direction]]);
    let near = |cell: &&(isize, isize)| cell.1 <= grid.heights()[cell.0 as usize] as isize + 1;
    cells.iter().filter(near).count() as i32
}

/// Computes all numbers of one feature.
fn expected<const W: usize, const P: usize>(
    position: &Position<W, P>,
    state: &State<W, P>,
    after: &Grid,
    name: &str,
) -> Vec<i32> {
    let grid = &position.grid;
    let (height, last) = (grid.height as i32, grid.width - 1);
    let heights = grid.heights();
    let free: Vec<i32> = heights.iter().map(|top| height - top).collect();
    let large = |number: i32| number.clamp(-2000, 2000);
    let (chain, other) = (
        state.potential.best_chain,
        state.potential.other_stack_chain,
    );
    let points = chain.points as i32;
    let (stack, code) = state
        .potential
        .trigger
        .map_or((0, 0), |t| (usize::from(t.stack), t.code));
    let rest = &position.case.columns()[position.placed_columns..];
    let codes = |i: usize| {
        rest[i]
            .shifted(0)
            .map(|jewels| jewels.map(|c| position.code(c)))
    };
    let (source_grid, name) = match name.strip_prefix("after_") {
        Some(name) => (after, name),
        None => (grid, name),
    };
    if let Some(numbers) = patterns(position, source_grid, name) {
        return numbers;
    }
    let fired_triggers = fire_all(position);
    match name {
        "width" => vec![grid.width as i32],
        "height" => vec![height],
        "colours" => {
            let ahead = (0..rest.len().min(50)).filter_map(codes).flatten();
            vec![ahead.collect::<std::collections::HashSet<u8>>().len() as i32]
        }
        "columns_left" => vec![rest.len().min(60) as i32],
        "soon_above" => vec![completion_weight(position, grid, 1)],
        "reach" => vec![
            completions_in_reach(position, grid, 0),
            completions_in_reach(position, grid, 3),
            completions_in_reach(position, after, 0),
        ],
        "tight" => [3, 5, 8]
            .map(|n| free.iter().filter(|&&free| free < n).count() as i32)
            .to_vec(),
        "free" => vec![free.iter().sum()],
        "edges" => {
            let edges = [free[0], free[last]];
            vec![
                edges[0] + edges[1],
                edges[0].min(edges[1]),
                edges[0].max(edges[1]),
            ]
        }
        "beside_edges" => vec![free[1] + free[last - 1]],
        "edge_step" => vec![(free[0] - free[1]).max(free[last] - free[last - 1])],
        "middle" => vec![free[last / 2] + free[grid.width / 2]],
        "surface" => {
            let beside =
                |x: usize| [x.checked_sub(1), Some(x + 1)].map(|x| heights.get(x?).copied());
            let wells = (0..=last).filter(|&x| {
                let sides = beside(x).into_iter().flatten();
                sides.min().unwrap() - heights[x] >= 3
            });
            let towers =
                (1..last).map(|x| heights[x] - beside(x).into_iter().flatten().max().unwrap());
            let rough = (2..=last).map(|x| (heights[x] - heights[x - 2]).abs());
            vec![
                wells.count() as i32,
                towers.max().unwrap().max(0),
                rough.sum(),
            ]
        }
        "chain" => vec![
            large(points),
            chain.steps as i32,
            points / (chain.steps as i32).max(1),
        ],
        "other_chain" => vec![large(other.points as i32), other.steps as i32],
        "longer" => vec![chain.steps as i32 - state.history.parent_chain.steps as i32],
        "triggers" => {
            let strong = fired_triggers
                .iter()
                .filter(|fired| 2 * fired.points >= chain.points);
            vec![fired_triggers.len() as i32, strong.count() as i32]
        }
        "cleared" => vec![heights.iter().sum::<i32>() - after.heights().iter().sum::<i32>()],
        "gains" => [1, 4, 8, 16]
            .map(|columns| {
                let at = (position.placed_columns + 16 - columns) % 16;
                let chains = points - i32::from(state.history.chain_points[at]);
                let points_gained = state.points as i32 - state.history.points[at] as i32;
                [large(chains), large(points_gained)]
            })
            .concat(),
        "quiet" => {
            let ancestors = (1..=16).map(|columns| (position.placed_columns + 16 - columns) % 16);
            let less = ancestors.take_while(|&at| state.history.points[at] + 20 >= state.points);
            vec![less.count() as i32]
        }
        "trigger" => vec![free[stack], stack.min(last - stack) as i32],
        "beside_trigger" => (1..=3)
            .flat_map(|distance| {
                let sides = [stack.checked_sub(distance), Some(stack + distance)];
                let sides =
                    sides.map(|x| x.and_then(|x| heights.get(x)).copied().unwrap_or(height));
                let steps = sides.map(|side| side - heights[stack]);
                [steps[0].max(steps[1]), steps[0].min(steps[1])]
            })
            .collect(),
        "trigger_comes" => {
            let holds = |&i: &usize| codes(i).is_some_and(|codes| codes.contains(&code));
            let first = (0..rest.len()).find(holds).unwrap_or(20).min(20);
            vec![
                if code == 0 {
                    0
                } else {
                    position.upcoming_weight(code) as i32
                },
                first as i32,
            ]
        }
        "next_magic" => {
            let magic = (0..rest.len()).find(|&i| codes(i).is_none());
            vec![magic.unwrap_or(20).min(20) as i32]
        }
        "least_taken" => {
            let tops = grid
                .open_stacks()
                .into_iter()
                .map(|x| grid.stacks[x].last().map_or(0, |top| grid.count(top.0)));
            vec![tops.min().unwrap_or(12 * 19) as i32]
        }
        "empty" => vec![heights.iter().filter(|&&height| height == 0).count() as i32],
        other => panic!("no reference for {other}"),
    }
}

struct FeaturesTest {
    last: bool,
}

impl PositionTest for FeaturesTest {
    fn test<const W: usize, const P: usize>(
        &mut self,
        position: &Position<W, P>,
        random: &mut Random,
    ) {
        let state = position.state(random);
        let kernel = FeaturesKernel {
            context: &position.context,
            state: &state,
            placed_columns: position.placed_columns,
        };
        let features = run(InstructionSet::Portable, kernel);
        let trigger = state.potential.trigger;
        let fired = fire_all(position)
            .into_iter()
            .find(|fired| Some(fired.trigger) == trigger);
        let after = fired.map_or_else(|| position.grid.clone(), |fired| fired.after);
        let mut at = 0;
        for &(name, count, _) in FEATURE_DESCRIPTIONS {
            let numbers: Vec<i32> = features[at..at + count].iter().map(|&n| n.into()).collect();
            let expected = expected(position, &state, &after, name);
            assert_eq!(
                numbers, expected,
                "{name} of {:?} after {}",
                position.grid, position.placed_columns
            );
            at += count;
        }
        self.last |= position.placed_columns == 40;
        assert!(features[at..].iter().all(|&number| number == 0) && FEATURE_COUNT - at <= 1);
    }
}

#[test]
fn each_feature_is_that_of_a_plain_function_over_cells() {
    let mut test = FeaturesTest { last: false };
    test_positions(2, 2, &mut test);
    assert!(test.last);
}
