//! The turns of a game, and the field before each of them.

use crate::landing::Landing;
use crate::words::count_text;
use columns_core::rules::case::{Case, Column};
use columns_core::rules::naive::NaiveField;
use columns_core::rules::plan::{Placement, Plan};
use columns_core::rules::replay::{Referee, Turn};
use columns_core::text::group_digits;
use serde::Serialize;

/// The maximum number of turns in [`GameSummary::best_turns`].
pub(crate) const MAX_BEST_TURNS: usize = 10;

/// A game as a list of turns, with the field before each of them.
pub(crate) struct Record {
    pub(crate) case: Case,
    pub(crate) turns: Vec<Turn>,
    /// The plan up to the end of the game, without default placements. The last placement may be the one of
    /// [`Record::overflow`].
    pub(crate) plan: Plan,
    /// The field before each turn, and after the last one: about 11 MB for the longest game on the largest
    /// field.
    fields: Vec<NaiveField>,
    /// The game after the last turn.
    pub(crate) game: Referee,
    /// The placement of the column that did not fit and ended the game; `None` if there is no such column.
    pub(crate) overflow: Option<Landing>,
    /// The error message if the plan is invalid.
    pub(crate) error: Option<String>,
}

/// The figures that the page shows for a whole game.
#[derive(Debug, Serialize)]
pub(crate) struct GameSummary {
    /// The letters of the case's colours, in alphabetical order.
    pub(crate) palette: String,
    /// The indices of the magic columns, from 0.
    pub(crate) magic_columns: Vec<usize>,
    /// The number of columns that landed.
    pub(crate) placed: usize,
    /// The number of placements that come from the plan.
    pub(crate) planned: usize,
    /// Total points; 0 for an invalid plan.
    pub(crate) points: u64,
    /// The number of steps in the longest chain.
    pub(crate) longest_chain: usize,
    pub(crate) points_by_turn: Vec<u64>,
    /// The number of steps in the chain of each turn. A clearing by magic does not count as a step.
    pub(crate) steps_by_turn: Vec<usize>,
    /// The turns with a chain of two or more steps, and the turns in which a magic column scores. If there
    /// are none, all turns that score.
    pub(crate) event_turns: Vec<usize>,
    /// The turns with the most points, best first, at most [`MAX_BEST_TURNS`].
    pub(crate) best_turns: Vec<usize>,
    /// The error message of an invalid plan.
    pub(crate) error: Option<String>,
}

/// The sizes of the steps in the chain of one turn.
#[derive(Debug, Serialize)]
pub(crate) struct Chain {
    /// The number of jewels on the field after the column has landed.
    pub(crate) jewels_after_landing: usize,
    /// The numbers of matches and of cleared jewels in each step. A clearing by a magic column has no
    /// matches.
    pub(crate) steps: Vec<(usize, usize)>,
    /// A sentence that describes the chain.
    pub(crate) text: String,
}

/// Reads a plan up to its mistake, if it has one. Returns the plan, the number of columns to play, and the
/// error message for the mistake. A valid plan plays all columns.
pub(crate) fn parse_valid_part(case: &Case, text: &str) -> (Plan, usize, Option<String>) {
    let total = case.columns().len();
    let (plan, mistake) = Plan::parse_prefix(text, case.width(), total);
    let columns = mistake.as_ref().map_or(total, |_| plan.placements.len());
    (plan, columns, mistake.map(|mistake| mistake.to_string()))
}

impl Record {
    /// Plays a plan: a valid plan to the end of the game, an invalid plan up to its mistake.
    pub(crate) fn from_plan(case: Case, text: &str) -> Self {
        let (plan, columns, error) = parse_valid_part(&case, text);
        Self {
            error,
            ..Self::new(case, &plan, columns)
        }
    }

    /// Plays the first `columns` columns of a game, or fewer if one does not fit. After the end of the plan,
    /// columns have default placements.
    pub(crate) fn new(case: Case, plan: &Plan, columns: usize) -> Self {
        let game = Referee::new(&case);
        let mut record = Self {
            fields: vec![game.field().clone()],
            game,
            case,
            turns: Vec::new(),
            plan: Plan::default(),
            overflow: None,
            error: None,
        };
        for index in 0..columns {
            if !record.place(plan.placement(index), index < plan.placements.len()) {
                break;
            }
        }
        record
    }

    /// Plays the next column. Returns false if there is no next column, or if it does not fit.
    pub(crate) fn play(&mut self, placement: Placement) -> bool {
        self.place(placement, true)
    }

    /// Plays the next column like [`Record::play`]. `is_planned` is false for a default placement.
    fn place(&mut self, placement: Placement, is_planned: bool) -> bool {
        if self.game.next_column().is_none() {
            return false;
        }
        if is_planned {
            self.plan.placements.push(placement);
        }
        match self.game.play(placement) {
            Ok(turn) => {
                self.turns.push(Turn { is_planned, ..turn });
                self.fields.push(self.game.field().clone());
            }
            Err(_) => self.overflow = Some(Landing::new(self.game.field(), placement)),
        }
        self.overflow.is_none()
    }

    /// Takes back all turns from `turn` on.
    pub(crate) fn take_back_from(&mut self, turn: usize) {
        let placements = self.placements(turn);
        let turns = placements.len();
        *self = Self::new(self.case.clone(), &Plan { placements }, turns);
    }

    /// Returns the placements of the first `turns` turns.
    pub(crate) fn placements(&self, turns: usize) -> Vec<Placement> {
        let turns = &self.turns[..turns.min(self.turns.len())];
        turns.iter().map(|turn| turn.placement).collect()
    }

    /// Returns the field before a turn. Indices past the end return the field after the last turn.
    pub(crate) fn field_before(&self, turn: usize) -> &NaiveField {
        &self.fields[turn.min(self.turns.len())]
    }

    /// Returns the chain of a turn; `None` if the turn does not exist.
    pub(crate) fn chain(&self, turn: usize) -> Option<Chain> {
        let field = self.field_before(turn);
        let before: usize = (0..field.width()).map(|x| field.stack_height(x)).sum();
        let turn = self.turns.get(turn)?;
        let jewels_after_landing = before + if is_magic(turn.column) { 0 } else { 3 };
        let cleared: usize = turn.steps.iter().map(|step| step.cleared.len()).sum();
        let text = match turn.steps.len() {
            0 => "This column clears nothing.".to_string(),
            _ => format!(
                "{}, {} points, from {} to {}.",
                count_text(turn.chain_length(), "step", "steps"),
                group_digits(turn_points(turn)),
                count_text(jewels_after_landing, "jewel", "jewels"),
                jewels_after_landing - cleared
            ),
        };
        let steps = turn.steps.iter();
        Some(Chain {
            jewels_after_landing,
            steps: steps.map(|s| (s.matches.len(), s.cleared.len())).collect(),
            text,
        })
    }

    /// Computes the figures that the page shows for the whole game.
    pub(crate) fn summary(&self) -> GameSummary {
        let columns = self.case.columns();
        let magic = (0..columns.len()).filter(|&index| is_magic(columns[index]));
        let points_by_turn: Vec<u64> = self.turns.iter().map(turn_points).collect();
        let scoring_turns: Vec<usize> = (0..points_by_turn.len())
            .filter(|&turn| points_by_turn[turn] > 0)
            .collect();
        let mut event_turns = scoring_turns.clone();
        event_turns.retain(|&turn| self.turns[turn].chain_length() > 1 || is_magic(columns[turn]));
        if event_turns.is_empty() {
            event_turns.clone_from(&scoring_turns);
        }
        let mut best_turns = scoring_turns;
        best_turns.sort_by_key(|&turn| std::cmp::Reverse(points_by_turn[turn]));
        best_turns.truncate(MAX_BEST_TURNS);
        GameSummary {
            palette: self.case.palette().iter().map(|c| c.letter()).collect(),
            magic_columns: magic.collect(),
            placed: self.turns.len(),
            planned: self.plan.placements.len(),
            points: if self.error.is_some() {
                0
            } else {
                self.game.outcome().points
            },
            longest_chain: self.game.outcome().longest_chain,
            points_by_turn,
            event_turns,
            best_turns,
            steps_by_turn: self.turns.iter().map(Turn::chain_length).collect(),
            error: self.error.clone(),
        }
    }
}

/// Returns the points of a single turn; `Turn::total_points` also counts earlier turns.
fn turn_points(turn: &Turn) -> u64 {
    turn.steps.iter().map(|step| step.points).sum()
}

fn is_magic(column: Column) -> bool {
    column == Column::Magic
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_core::rules::quickstart::play_quickstart;
    use columns_generator::{Profile, Spec, generate};

    fn long_game() -> (Case, Plan) {
        let spec = Spec::new(Profile::MagicFrequent).with_columns(700);
        let spec = spec.and_then(|spec| spec.with_colours(4)).unwrap();
        let case = generate(5, &spec);
        let plan = play_quickstart(&case);
        (case, plan)
    }

    #[test]
    fn fields_and_figures_equal_the_referees() {
        let (case, plan) = long_game();
        let mut referee = Referee::new(&case);
        let mut fields = vec![referee.field().clone()];
        while referee.play_from_plan(&plan).is_ok() {
            fields.push(referee.field().clone());
        }
        let record = Record::new(case, &plan, usize::MAX);
        let turns = fields.len() - 1;
        assert!(record.fields == fields && turns > 300, "{turns}");
        let summary = record.summary();
        assert_eq!(summary.points, referee.outcome().points);
        assert_eq!(summary.points_by_turn.iter().sum::<u64>(), summary.points);
        assert_eq!(summary.placed, referee.outcome().placed_columns);
        assert_eq!(record.plan, plan);
        // The jewels that a chain leaves are the filled cells of the field before the next turn.
        for turn in 0..turns {
            let field = record.field_before(turn + 1);
            let filled = |i: &usize| field.cell(i % field.width(), i / field.width()).is_some();
            let cells = (0..field.width() * field.height()).filter(filled).count();
            let chain = record.chain(turn).unwrap();
            let cleared: usize = chain.steps.iter().map(|(_, cleared)| cleared).sum();
            assert_eq!(chain.jewels_after_landing - cleared, cells, "{turn}");
            let matches = chain.steps.iter().filter(|&&(matches, _)| matches > 0);
            assert_eq!(matches.count(), summary.steps_by_turn[turn], "{turn}");
            let points = format!(", {} points, ", group_digits(summary.points_by_turn[turn]));
            assert_eq!(chain.text.contains(&points), !chain.steps.is_empty());
        }
        // Event turns are in ascending order and score points. The best turns are in descending order of
        // points.
        let chains = summary
            .steps_by_turn
            .iter()
            .filter(|&&steps| steps > 1)
            .count();
        assert!(chains > 5 && summary.event_turns.len() > chains, "{chains}");
        let pays = |turn: &usize| summary.points_by_turn[*turn];
        assert!(
            summary.event_turns.is_sorted()
                && summary.event_turns.iter().all(|turn| pays(turn) > 0)
        );
        let best: Vec<u64> = summary.best_turns.iter().map(pays).collect();
        assert_eq!(best.first(), summary.points_by_turn.iter().max());
        assert!(best.len() == MAX_BEST_TURNS && best.is_sorted_by(|a, b| a >= b));
    }

    #[test]
    fn an_invalid_plan_stops_at_its_mistake() {
        let case: Case = "6 13\n3\naaa\naaa\nbcd\n".parse().unwrap();
        let record = Record::from_plan(case, "3\n1 0\n7 0\n1 0\n");
        let summary = record.summary();
        assert_eq!((summary.placed, summary.points), (1, 0));
        let end = record.frame(1, 0);
        assert_eq!(end.end_reason, Some("Invalid plan"));
        let text = "Plan error, line 3: expected the position of placement 2 of 3, \
             from 1 to 6, found \"7\". An invalid plan scores 0.";
        assert_eq!(end.text, text);
    }

    #[test]
    fn undone_turns_replay_to_the_same_game() {
        let (case, plan) = long_game();
        let mut record = Record::new(case.clone(), &plan, 0);
        for &placement in &plan.placements {
            record.play(placement);
        }
        let end = record.game.clone();
        record.take_back_from(131);
        assert_eq!(record.turns.len(), 131);
        assert_eq!(record.game.outcome().placed_columns, 131);
        for &placement in &plan.placements[131..] {
            record.play(placement);
        }
        assert_eq!(record.game.field(), end.field());
        assert_eq!(record.game.outcome().points, end.outcome().points);
        assert_eq!(record.turns, Record::new(case, &plan, usize::MAX).turns);
    }
}
