//! Explains the bot's moves to people: shows the numbers that the bot compares, converted to points.
//!
//! * [`explain`]: evaluates a state of a game, and each placement of the next column;
//! * [`advise`]: also shows how the search would continue from this state.
//!
//! The contest's program does not use this module.

use crate::case::queue::shifted;
use crate::eval::context::Context;
use crate::eval::potential::Potential;
use crate::eval::quotas::QUOTA_COUNT;
use crate::eval::state::{HISTORY_LENGTH, State};
use crate::search::game::ColumnsGame;
use crate::search::player::Player;
use crate::search::smallest_layout;
use columns_core::beam::{self, Budget, Clock, Scores};
use columns_core::field::{Chain, Field, LayoutTask, Trigger};
use columns_core::network::VALUE_SCALE;
use columns_core::rules::case::{Case, Colour, MATCH_POINTS};
use columns_core::rules::plan::Placement;
use columns_core::simd::InstructionSet;

/// The best chain that one jewel would set off, on top of a stack or on another jewel.
#[derive(Debug, Clone, PartialEq)]
pub struct BestChain {
    /// The stack that the jewel falls onto, 0 for the leftmost.
    pub stack: usize,
    /// The colour of the jewel, or of the upper one if there are two.
    pub colour: Colour,
    /// The number of jewels: 1 if the jewel lies on top of the stack, 2 if it lies on another jewel, which
    /// matches nothing.
    pub jewel_count: usize,
    /// The points of the chain, as the problem statement counts them.
    pub points: u64,
    /// The number of steps of the chain, at least 1.
    pub steps: usize,
}

/// A placement of the next column: what it scores immediately, and what the field promises afterwards.
#[derive(Debug, Clone, PartialEq)]
pub struct EvaluatedPlacement {
    /// The placement. If several shifts result in the same column, only the first is evaluated.
    pub placement: Placement,
    /// The points that the placement scores immediately, as the problem statement counts them.
    pub points: u64,
    /// The number of steps of the chain that the placement sets off immediately.
    pub steps: usize,
    /// The best chain that the field promises after the placement; `None` if no jewel sets off a chain.
    pub best_chain: Option<BestChain>,
    /// The worth of the placement, in points: the points that it scores immediately, plus the
    /// evaluation of the field afterwards. The search ranks states by this value.
    pub value: f64,
}

/// The bot's evaluation of a state, and of the placements of the next column.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The best chain that the field promises; `None` if no jewel sets off a chain.
    pub best_chain: Option<BestChain>,
    /// The evaluation of the field, in points.
    pub value: f64,
    /// The possible placements of the next column, the most valuable first. Of several shifts that result in
    /// the same column, only the first is listed. Empty if no placement fits or no column is left.
    pub placements: Vec<EvaluatedPlacement>,
}

/// The best continuation that the search found for a game in progress.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// The next placements, in order. Empty if the search reached no further layer.
    pub placements: Vec<Placement>,
    /// The total points of these placements, as the problem statement counts them.
    pub points: u64,
    /// The number of states that the search built.
    pub nodes: u64,
}

/// Explains the state of `case` after the placements in `start`. Returns `None` if one of these placements
/// does not fit or is not valid on this field, or if there are more placements than columns.
pub fn explain(
    case: &Case,
    start: &[Placement],
    player: Player,
    cpu: InstructionSet,
) -> Option<Explanation> {
    let (explanation, _) = advise(case, start, 0, player, Budget::Width(1), &|| 0.0, cpu)?;
    Some(explanation)
}

/// Explains the state like [`explain`], and searches at most `columns_ahead` columns ahead. Returns `None` in
/// the same cases as `explain`.
pub fn advise(
    case: &Case,
    start: &[Placement],
    columns_ahead: usize,
    player: Player,
    budget: Budget,
    clock: Clock,
    cpu: InstructionSet,
) -> Option<(Explanation, Advice)> {
    let analysis = Analysis {
        case,
        start,
        player,
        cpu,
        columns_ahead,
        budget,
        clock,
    };
    smallest_layout(case).run(analysis)
}

/// The task that explains a state, and searches from it.
struct Analysis<'a> {
    case: &'a Case,
    start: &'a [Placement],
    player: Player<'a>,
    cpu: InstructionSet,
    /// The maximum number of columns to search ahead.
    columns_ahead: usize,
    budget: Budget,
    clock: Clock<'a>,
}

impl<const W: usize, const P: usize> LayoutTask<W, P> for Analysis<'_> {
    type Output = Option<(Explanation, Advice)>;

    #[inline(never)]
    fn run(self) -> Self::Output {
        let context = Context::new(self.case, self.player.weights);
        let placed_columns = self.start.len();
        let mut game = ColumnsGame::<W, P>::new(self.cpu, &context, self.player, placed_columns);
        let mut state = State::root(Field::EMPTY, 0);
        for (index, &placement) in self.start.iter().enumerate() {
            let (_, mut child) = place_next(&mut game, index, &state, placement)?;
            // Evaluate only the last `HISTORY_LENGTH` ancestors: the learned evaluation uses no others.
            if index + HISTORY_LENGTH >= placed_columns {
                game.evaluate_one(index, &mut state);
                child.history = state.history;
                child
                    .history
                    .push(index, state.points, state.potential.best_chain);
            }
            state = child;
        }
        let scores = game.evaluate_one(placed_columns, &mut state);
        let explanation = explain_state(self.case, &mut game, &state, &scores);
        let columns_ahead = self
            .columns_ahead
            .min(self.case.columns().len() - placed_columns);
        let settings = self.player.settings();
        let result = beam::search(
            &mut game,
            state,
            columns_ahead,
            &settings,
            self.budget,
            &|_| (self.clock)(),
            &mut (),
        );
        let advice = Advice {
            placements: result.path.iter().map(|mv| mv.placement()).collect(),
            points: (result.score as u64 - u64::from(state.points)) * MATCH_POINTS,
            nodes: result.costs.nodes,
        };
        Some((explanation, advice))
    }
}

/// Places the next column. Returns its chain and the state afterwards, without a history. Returns `None` if
/// no column is left, or if the placement does not fit or is not valid on this field.
fn place_next<const W: usize, const P: usize>(
    game: &mut ColumnsGame<'_, W, P>,
    placed_columns: usize,
    state: &State<W, P>,
    placement: Placement,
) -> Option<(Chain, State<W, P>)> {
    let has_column = placed_columns < game.context.queue.columns.len();
    if !has_column || placement.stack >= game.context.geometry.width || placement.shift > 2 {
        return None;
    }
    let (chain, field) = game.place(placed_columns, &state.field, placement)?;
    Some((chain, State::root(field, state.points + chain.points)))
}

/// Explains a state, and evaluates every possible placement of the next column.
fn explain_state<const W: usize, const P: usize>(
    case: &Case,
    game: &mut ColumnsGame<'_, W, P>,
    state: &State<W, P>,
    scores: &Scores<QUOTA_COUNT>,
) -> Explanation {
    let palette = &game.context.queue.palette;
    let placed_columns = game.placed_at_root;
    let column = game.context.queue.columns.get(placed_columns).copied();
    let mut placements = Vec::new();
    for stack in 0..case.width() {
        for shift in 0..3 {
            let same = |other| match column {
                Some(Some(jewels)) => shifted(jewels, shift) == shifted(jewels, other),
                _ => true,
            };
            let placement = Placement { stack, shift };
            if (0..shift).any(same) {
                continue;
            }
            let Some((chain, mut child)) = place_next(game, placed_columns, state, placement)
            else {
                continue;
            };
            child.history = state.history;
            child
                .history
                .push(placed_columns, state.points, state.potential.best_chain);
            let child_scores = game.evaluate_one(placed_columns + 1, &mut child);
            placements.push(EvaluatedPlacement {
                placement,
                points: u64::from(chain.points) * MATCH_POINTS,
                steps: chain.steps as usize,
                best_chain: best_chain(palette, child.potential),
                value: worth(&child_scores, state.points),
            });
        }
    }
    // A stable sort: ties stay in the order of stacks and shifts.
    placements.sort_by(|a, b| b.value.total_cmp(&a.value));
    Explanation {
        best_chain: best_chain(palette, state.potential),
        value: worth(scores, state.points),
        placements,
    }
}

/// Returns the worth of a state in points, less the points of `earned` matches.
fn worth(scores: &Scores<QUOTA_COUNT>, earned: u32) -> f64 {
    let value = f64::from(scores.value) / f64::from(VALUE_SCALE);
    (value - f64::from(earned)) * MATCH_POINTS as f64
}

fn best_chain(palette: &[Colour], potential: Potential) -> Option<BestChain> {
    let Potential {
        trigger,
        best_chain,
        ..
    } = potential;
    let colour = |code: u8| palette.get(usize::from(code).checked_sub(1)?).copied();
    let Trigger {
        stack,
        code,
        is_on_filler,
    } = trigger?;
    Some(BestChain {
        stack: stack.into(),
        colour: colour(code)?,
        jewel_count: 1 + usize::from(is_on_filler),
        points: u64::from(best_chain.points) * MATCH_POINTS,
        steps: best_chain.steps as usize,
    })
}
