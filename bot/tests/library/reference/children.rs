//! Compares the list of children with placements played on a grid.

use super::grid::Grid;
use super::position::{Position, PositionTest, test_positions};
use super::potential::{chain_value, encode_filler, fire, jewel_codes, scale_weight};
use crate::random::Random;
use columns_bot::eval::child_value::{MAX_PREDICTION, predict_child_values};
use columns_bot::eval::scaled::Value;
use columns_bot::eval::state::State;
use columns_bot::search::children::ExpandKernel;
use columns_bot::search::moves::Move;
use columns_core::beam::{Children, Scores};
use columns_core::field::Chain;
use columns_core::field::lines::PlacementSet;
use columns_core::rules::plan::Placement;
use columns_core::simd::{Cells, Isa, Kernel, Portable};

/// The entry that the list should contain for a child.
#[derive(Debug)]
struct ExpectedChild {
    placement: Placement,
    keeps_trigger: bool,
    scores: Scores<2>,
    /// An upper bound on the scores. The search computes the scores only if this bound beats the
    /// threshold.
    upper_bound: Scores<2>,
    /// The index of the first step of the trigger's chain in which the column matches, if there is one.
    first_interfering_step: Option<u32>,
    /// If the column interferes: the points and the steps of the trigger's new chain, and the field
    /// afterwards.
    new_chain: Option<(u32, u32, Grid)>,
    /// The cost of this child: the steps played only for it, plus one for each chain.
    steps: u32,
}

/// A reference implementation of the search. It plays the placements of the position's next column on the
/// grid.
struct ReferenceSearch<'a, const W: usize, const P: usize> {
    position: &'a Position<W, P>,
    state: &'a State<W, P>,
}

impl<const W: usize, const P: usize> ReferenceSearch<'_, W, P> {
    /// Computes the scores of a child from its points, the points and steps of its best chain, its field,
    /// and its number of open stacks.
    fn scores(&self, points: u32, chain: (u32, u32), grid: &Grid, open: usize) -> Scores<2> {
        let weights = &self.position.weights;
        let earned = points as i32 * 256;
        let placed_columns = self.position.placed_columns + 1;
        if placed_columns == self.position.case.columns().len() {
            return Scores {
                value: earned,
                quota_scores: [earned; 2],
            };
        }
        let field_value =
            chain_value(weights, grid, chain.0, chain.1) + self.state.potential.structure_value.0;
        let excess = self.position.context.queue.colour_excess(placed_columns);
        let occupied: i32 = grid.heights().iter().sum();
        let blocked = (grid.width - open) as i32;
        let quota = |factor, cell: i32| {
            earned + field_value / 256 * scale_weight(factor)
                - blocked * scale_weight(weights.room_stack)
                - occupied * cell
        };
        let crowded = scale_weight(weights.room_cell_crowded / 3.0);
        Scores {
            value: earned + field_value + self.state.learned_value.0,
            quota_scores: [
                quota(
                    weights.room_value_factor,
                    scale_weight(weights.room_cell) + excess * crowded,
                ),
                quota(
                    weights.survival_value_factor,
                    scale_weight(weights.survival_cell),
                ),
            ],
        }
    }

    fn child(&self, placement: Placement, column: Option<[u8; 3]>) -> ExpectedChild {
        let (position, state) = (self.position, self.state);
        let (grid, Placement { stack, shift }) = (&position.grid, placement);
        let best = (
            state.potential.best_chain.points,
            state.potential.best_chain.steps,
        );
        let trigger = state.potential.trigger;
        let mut child = grid.clone();
        let mut cleared = 0;
        match (column, grid.stacks[stack].last()) {
            (Some(mut jewels), _) => {
                jewels.rotate_left(shift);
                child = grid.with_jewels(stack, &jewels, true);
            }
            (None, Some(&(code, _))) => {
                cleared = grid.count(code) as u32;
                child
                    .stacks
                    .iter_mut()
                    .for_each(|stack| stack.retain(|jewel| jewel.0 != code));
            }
            (None, None) => {}
        }
        let landed = child.clone();
        let (points, steps) = child.resolve();
        let points = points + cleared;
        let expected = |scores, upper_bound| ExpectedChild {
            placement,
            keeps_trigger: false,
            scores,
            upper_bound,
            first_interfering_step: None,
            new_chain: None,
            steps: 0,
        };
        if column.is_none() || steps > 0 {
            let (earned, open) = (state.points + points, child.open_stacks().len());
            let upper_bound = self.scores(earned, best, &child, open);
            if column.is_some() && points == 1 {
                return ExpectedChild {
                    steps: steps + 1,
                    ..expected(upper_bound, upper_bound)
                };
            }
            let is_open = |x: u8| child.stacks[usize::from(x)].len() + 3 <= grid.height;
            let fired = trigger
                .filter(|trigger| is_open(trigger.stack))
                .map(|t| fire::<P>(&child, t));
            let chain = fired.as_ref().map_or((0, 0), |fired| (fired.0, fired.1));
            let simulated = self.scores(earned, chain, &child, open);
            let scores = match column {
                Some(_) => Scores {
                    value: simulated.value.min(upper_bound.value),
                    quota_scores: [0, 1]
                        .map(|i| simulated.quota_scores[i].min(upper_bound.quota_scores[i])),
                },
                None => simulated,
            };
            let steps = steps + 1 + fired.map_or(0, |fired| fired.1 + 1);
            return ExpectedChild {
                steps,
                ..expected(scores, scores)
            };
        }
        // The search assumes that the stack under the column stays open, even if it is now full.
        let open = grid.open_stacks().len();
        let is_last = position.placed_columns + 1 == position.case.columns().len();
        let Some(trigger) = trigger.filter(|_| !is_last) else {
            let scores = self.scores(state.points, (0, 0), &child, open);
            return expected(scores, scores);
        };
        if usize::from(trigger.stack) == stack {
            let other = state.potential.other_stack_chain;
            let scores = self.scores(state.points, (other.points, other.steps), &child, open);
            return expected(scores, scores);
        }
        // Play the trigger's chain step by step, after the column has landed.
        let mut field = landed.with_jewels(trigger.stack.into(), &jewel_codes(trigger), false);
        let (mut points, mut steps, mut first) = (0, 0, None);
        loop {
            let step = field.step();
            if step.has_marked_match && first.is_none() {
                first = Some(steps);
            }
            if step.matches == 0 {
                break;
            }
            steps += 1;
            points += steps * step.matches;
        }
        let field = encode_filler::<P>(field);
        let scores = self.scores(state.points, (points, steps), &child, open);
        if let Some(first) = first {
            let first_interfering_step = Some(first);
            return ExpectedChild {
                first_interfering_step,
                new_chain: Some((points, steps, field)),
                steps: steps - first + 1,
                ..expected(scores, scores)
            };
        }
        // The state's chain is unchanged, and the column lies on the field after the chain.
        assert_eq!(
            (points, steps),
            best,
            "{placement:?} of {column:?} on {grid:?}"
        );
        let mut jewels = column.unwrap();
        jewels.rotate_left(shift);
        let (_, _, after) = fire::<P>(grid, trigger);
        assert_eq!(field, after.with_jewels(stack, &jewels, true));
        let values = predict_child_values(
            Portable,
            &position.context.geometry,
            &state.field,
            &state.after_chain,
            trigger.stack.into(),
            column.unwrap(),
        );
        let (mut upper_bound, mut scores) = (scores, scores);
        upper_bound.value += MAX_PREDICTION;
        scores.value += values[shift][stack].min(MAX_PREDICTION);
        ExpectedChild {
            keeps_trigger: true,
            ..expected(scores, upper_bound)
        }
    }
}

#[derive(Default)]
struct ChildrenTest {
    quiet: usize,
    interfering: usize,
    late: usize,
    left_out: usize,
}

impl ChildrenTest {
    /// Compares the listed moves with the expected ones. Returns the number of chain steps played, plus one
    /// for each chain.
    fn compare<const W: usize, const P: usize>(
        &mut self,
        position: &Position<W, P>,
        state: &State<W, P>,
        children: &[ExpectedChild],
        threshold: Scores<2>,
    ) -> u32 {
        let mut list = Children::default();
        let kernel = ExpandKernel {
            context: &position.context,
            placed_columns: position.placed_columns,
            state,
            children: &mut list,
            threshold,
            played_steps: 0,
        };
        let steps = kernel.run(Portable);
        let key = |placement: Placement| (placement.stack, placement.shift);
        let listed = list
            .iter()
            .map(|(mv, scores, known)| (key(mv.placement()), mv, scores, known));
        let mut listed: Vec<_> = listed.collect();
        listed.sort_by_key(|child| child.0);
        let admitted = |child: &&ExpectedChild| {
            child.scores.exceeds_any(&threshold) && child.upper_bound.exceeds_any(&threshold)
        };
        let expected: Vec<_> = children.iter().filter(admitted).collect();
        let message = || {
            format!(
                "{:?} {:?} {:?}",
                position.grid,
                state.potential,
                position.column()
            )
        };
        assert_eq!(listed.len(), expected.len(), "{}", message());
        for ((place, mv, scores, known_chain), child) in listed.iter().zip(&expected) {
            assert_eq!(*place, key(child.placement), "{}", message());
            assert_eq!(*scores, child.scores, "{child:?} {}", message());
            assert_eq!(
                *mv != Move::new(child.placement),
                child.keeps_trigger || child.first_interfering_step.is_some(),
                "{child:?} {}",
                message()
            );
            let known_chain =
                known_chain.map(|known| (known.chain.points, known.chain.steps, known.after_chain));
            let new_chain = child.new_chain.as_ref();
            let new_chain =
                new_chain.map(|(points, steps, after)| (*points, *steps, after.to_field()));
            assert_eq!(known_chain, new_chain, "{child:?} {}", message());
        }
        self.left_out += children.len() - listed.len();
        steps
    }
}

impl PositionTest for ChildrenTest {
    fn test<const W: usize, const P: usize>(
        &mut self,
        position: &Position<W, P>,
        random: &mut Random,
    ) {
        let Some(column) = position.column() else {
            return;
        };
        let mut state = position.state(random);
        state.learned_value = Value(random.below(40_000) as i32 - 20_000);
        let reference = ReferenceSearch {
            position,
            state: &state,
        };
        let is_distinct =
            |shift: usize| shift == 0 || column.is_some_and(|[a, b, c]| a != b || b != c);
        let mut children = Vec::new();
        for stack in position.grid.open_stacks() {
            for shift in (0..3).filter(|&shift| is_distinct(shift)) {
                children.push(reference.child(Placement { stack, shift }, column));
            }
        }
        let steps = self.compare(position, &state, &children, Scores::MIN);
        self.quiet += children.iter().filter(|child| child.keeps_trigger).count();
        self.interfering += children
            .iter()
            .filter(|child| child.first_interfering_step.is_some())
            .count();
        self.late += children
            .iter()
            .filter(|child| child.first_interfering_step >= Some(2))
            .count();
        let followed = Self::trace(position, &state, &children);
        assert_eq!(
            steps,
            followed + children.iter().map(|child| child.steps).sum::<u32>()
        );
        // The same comparison with thresholds that only some of the children beat.
        if let Some(child) = children.get(random.below(children.len().max(1))) {
            let mut threshold = Scores {
                quota_scores: [i32::MAX; 2],
                ..child.scores
            };
            self.compare(position, &state, &children, threshold);
            threshold = Scores {
                value: i32::MAX,
                ..child.scores
            };
            self.compare(position, &state, &children, threshold);
        }
        let weights = &position.weights;
        let (context, placed_columns) = (&position.context, position.placed_columns);
        let excess = f64::from(context.queue.colour_excess(placed_columns)) / 3.0;
        let shares = [
            weights.room_share + excess * weights.room_share_crowded,
            weights.survival_share,
        ];
        assert_eq!(context.quota_shares(placed_columns), shares);
    }
}

impl ChildrenTest {
    /// Checks, for each placement, that the bit masks find the same first interfering step as the grid.
    /// Returns the number of steps for which the search follows the trigger's chain, plus one; 0 if it
    /// follows no chain.
    fn trace<const W: usize, const P: usize>(
        position: &Position<W, P>,
        state: &State<W, P>,
        children: &[ExpectedChild],
    ) -> u32 {
        let is_last = position.placed_columns + 1 == position.case.columns().len();
        let (Some(trigger), Some(Some(jewels)), false) =
            (state.potential.trigger, position.column(), is_last)
        else {
            return 0;
        };
        let is_followed =
            |child: &&ExpectedChild| child.keeps_trigger || child.first_interfering_step.is_some();
        let followed: Vec<_> = children.iter().filter(is_followed).collect();
        let geometry = &position.context.geometry;
        let tops = geometry
            .tops(state.field.occupied())
            .and(geometry.landing_cells);
        let floor = Portable.load(&geometry.floor.0);
        let mut first_steps = std::collections::HashMap::new();
        let mut chain = Chain::default();
        for (before, stepper) in trigger.trace(Portable, &state.field) {
            for placement in stepper
                .matching_placements(floor, jewels)
                .and(PlacementSet::from_tops(tops, 3))
                .iter()
            {
                first_steps
                    .entry((placement.stack, placement.shift))
                    .or_insert(before.steps);
            }
            chain = before;
        }
        assert_eq!(chain, state.potential.best_chain);
        for child in &followed {
            let place = (child.placement.stack, child.placement.shift);
            assert_eq!(
                first_steps.get(&place).copied(),
                child.first_interfering_step,
                "{place:?} {:?}",
                position.grid
            );
        }
        let last = followed
            .iter()
            .map(|child| child.first_interfering_step.unwrap_or(chain.steps));
        last.max().unwrap_or(0) + 1
    }
}

#[test]
fn children_are_ranked_as_if_each_had_been_played() {
    let mut test = ChildrenTest::default();
    test_positions(4, 6, &mut test);
    let ChildrenTest {
        quiet,
        interfering,
        late,
        left_out,
    } = test;
    let counts = format!("{quiet} {interfering} {late} {left_out}");
    assert!(
        quiet > 5_000 && interfering > 500 && late > 100 && left_out > 10_000,
        "{counts}"
    );
}

#[test]
fn the_worked_example_of_the_module_is_correct() {
    let mut grid = Grid::new(6, 13);
    for (x, stack) in [(1, [1, 2].as_slice()), (2, &[1, 2]), (3, &[2])] {
        grid = grid.with_jewels(x, stack, false);
    }
    let first = |column: &[u8]| {
        let mut field = grid
            .with_jewels(4, column, true)
            .with_jewels(0, &[1], false);
        (1..=3).find(|_| field.step().has_marked_match)
    };
    assert_eq!(first(&[2, 3, 3]), Some(2));
    assert_eq!(first(&[3, 2, 3]), None);
}

#[test]
fn a_child_remembers_sixteen_ancestors() {
    struct HistoryTest;
    impl PositionTest for HistoryTest {
        fn test<const W: usize, const P: usize>(
            &mut self,
            position: &Position<W, P>,
            random: &mut Random,
        ) {
            let state = position.state(random);
            let chain = state.potential.best_chain;
            let mut history = state.history;
            history.push(position.placed_columns, state.points, chain);
            assert_eq!(history.parent_chain, chain);
            // The parent replaces only the oldest ancestor, the one 16 columns ago.
            let mut expected = (state.history.points, state.history.chain_points);
            expected.0[position.placed_columns % 16] = state.points;
            expected.1[position.placed_columns % 16] = chain.points as u16;
            assert_eq!((history.points, history.chain_points), expected);
        }
    }
    test_positions(6, 1, &mut HistoryTest);
}
