//! The referee, which plays a plan on a case.
//!
//! The referee uses the [`naive`](super::naive) field on purpose: official points come from the rules as
//! the statement words them, not from the fast simulator that the bot's search uses.

use crate::rules::case::{Case, Column};
use crate::rules::naive::{GameOver, NaiveField, Step};
use crate::rules::plan::{Placement, Plan};

/// A game in progress. The caller plays one column at a time.
#[derive(Debug, Clone)]
pub struct Referee {
    columns: Vec<Column>,
    field: NaiveField,
    outcome: Outcome,
}

/// One column that landed, and the steps of its chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The column that landed, as the case lists it, before the shifts.
    pub column: Column,
    /// The stack that the column landed on, and the number of its cyclic shifts.
    pub placement: Placement,
    /// True if a plan or a player chose the placement. False if the plan does not mention the column, so
    /// the placement is the default one.
    pub is_planned: bool,
    /// The row in which the lowest jewel landed, 0 for the floor.
    pub landing_row: usize,
    /// The steps of the chain; the step of a magic column comes first.
    pub steps: Vec<Step>,
    /// The points of the game up to and including this turn.
    pub total_points: u64,
    /// The number of steps of the longest chain up to and including this turn.
    pub longest_chain: usize,
}

/// The result of a plan, or of a game in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outcome {
    /// The points of all columns that landed.
    pub points: u64,
    /// The number of columns that landed.
    pub placed_columns: usize,
    /// True if the game ended before all columns had landed, because one did not fit.
    pub ended_early: bool,
    /// The number of steps of the longest chain. The step of a magic column does not count: it has neither
    /// matches nor a combo.
    pub longest_chain: usize,
}

impl Referee {
    /// Starts the game of `case` with an empty field.
    pub fn new(case: &Case) -> Self {
        Self {
            columns: case.columns().to_vec(),
            field: NaiveField::new(case.width(), case.height()),
            outcome: Outcome::default(),
        }
    }

    /// Returns the field between two columns, settled and without matches.
    pub fn field(&self) -> &NaiveField {
        &self.field
    }

    /// Returns the result of the turns played so far.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Returns the column that falls next, or `None` when the game is over.
    pub fn next_column(&self) -> Option<Column> {
        let next = self.columns.get(self.outcome.placed_columns).copied();
        next.filter(|_| !self.outcome.ended_early)
    }

    /// Drops the next column, and plays its chain.
    ///
    /// # Errors
    /// Returns an error if the game ends because the column does not fit, or if the game is already
    /// over.
    ///
    /// # Panics
    /// If `placement` names a stack outside the field or more than two shifts. [`Plan::parse`]
    /// rejects these placements.
    pub fn play(&mut self, placement: Placement) -> Result<Turn, GameOver> {
        self.play_turn(placement, true)
    }

    /// Drops the next column at its placement in `plan`, or at [`Placement::DEFAULT`] if the plan
    /// does not mention this column (statement, section Scoring).
    ///
    /// # Errors
    /// Returns an error under the same conditions as [`play`](Self::play).
    ///
    /// # Panics
    /// Under the same conditions as [`play`](Self::play).
    pub fn play_from_plan(&mut self, plan: &Plan) -> Result<Turn, GameOver> {
        let index = self.outcome.placed_columns;
        self.play_turn(plan.placement(index), index < plan.placements.len())
    }

    fn play_turn(&mut self, placement: Placement, is_planned: bool) -> Result<Turn, GameOver> {
        assert!(
            placement.stack < self.field.width() && placement.shift <= 2,
            "{placement:?} is no placement on a field of {} stacks",
            self.field.width()
        );
        let column = self.next_column().ok_or(GameOver)?;
        let landing_row = self.field.stack_height(placement.stack);
        let steps = self.field.place(column, placement).map_err(|over| {
            self.outcome.ended_early = true;
            over
        })?;
        let game = &mut self.outcome;
        game.placed_columns += 1;
        game.points += steps.iter().map(|step| step.points).sum::<u64>();
        game.longest_chain = chain_length(&steps).max(game.longest_chain);
        Ok(Turn {
            column,
            placement,
            is_planned,
            landing_row,
            total_points: game.points,
            longest_chain: game.longest_chain,
            steps,
        })
    }
}

impl Turn {
    /// Returns the number of steps of this turn's chain, not counting the step of a magic column.
    pub fn chain_length(&self) -> usize {
        chain_length(&self.steps)
    }

    /// Returns the field after the landing, then two fields for each step: before and after the jewels
    /// fall. `before` is the field before this turn. (The fields never contain a magic column. A viewer
    /// can draw it in the three cells from [`landing_row`](Self::landing_row) up.)
    ///
    /// # Panics
    /// If this turn's column does not fit onto `before`, which therefore cannot be the field
    /// before this turn.
    pub fn fields(&self, before: &NaiveField) -> Vec<NaiveField> {
        let mut fields = Vec::with_capacity(1 + 2 * self.steps.len());
        let mut field = before.clone();
        field
            .land(self.column, self.placement)
            .expect("the field before a turn has room for its column");
        fields.push(field.clone());
        for step in &self.steps {
            field.clear_cells(&step.cleared);
            fields.push(field.clone());
            field.settle();
            fields.push(field.clone());
        }
        fields
    }
}

/// Plays a plan to the end and returns every turn.
///
/// # Panics
/// If a placement of the plan names a stack outside the field or more than two shifts.
/// [`Plan::parse`] rejects these placements.
pub fn replay(case: &Case, plan: &Plan) -> Vec<Turn> {
    let mut game = Referee::new(case);
    std::iter::from_fn(|| game.play_from_plan(plan).ok()).collect()
}

/// Plays a plan to the end and returns only its result.
///
/// # Panics
/// Under the same conditions as [`replay`].
pub fn score(case: &Case, plan: &Plan) -> Outcome {
    let mut game = Referee::new(case);
    while game.play_from_plan(plan).is_ok() {}
    game.outcome()
}

/// Counts the steps of a chain. The step in which a magic column clears jewels has no matches, and does not
/// count.
fn chain_length(steps: &[Step]) -> usize {
    steps.iter().filter(|step| !step.matches.is_empty()).count()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::rules::case::MATCH_POINTS;

    /// The sample input of the statement.
    pub(crate) const SAMPLE: &str =
        "6 13\n11\naba\nbba\nbbb\naab\nbac\ncac\n***\nccb\ncda\naad\ndbc\n";
    /// The sample output of the statement.
    const SAMPLE_PLAN: &str = "11\n1 0\n2 0\n3 0\n3 0\n4 0\n5 0\n6 0\n6 0\n1 0\n2 0\n3 0\n";

    fn plan(case: &Case, text: &str) -> Plan {
        Plan::parse(text, case.width(), case.columns().len()).unwrap()
    }

    /// Starts a game on a field 6 wide and 13 high. `field` is its text in the notation of `rules::notation`.
    fn game(field: &str, columns: &str) -> Referee {
        Referee {
            columns: columns
                .split(' ')
                .map(|word| word.parse().unwrap())
                .collect(),
            field: NaiveField::parse(field, 6, 13).unwrap(),
            outcome: Outcome::default(),
        }
    }

    fn at(position: usize, shift: usize) -> Placement {
        Placement {
            stack: position - 1,
            shift,
        }
    }

    #[test]
    fn the_sample_scores_141() {
        let case: Case = SAMPLE.parse().unwrap();
        let plan = plan(&case, SAMPLE_PLAN);
        let outcome = score(&case, &plan);
        assert_eq!((outcome.points, outcome.placed_columns), (141, 11));
        assert!(!outcome.ended_early);
    }

    /// Returns a field in notation: a stack of `height` jewels that do not match, at position 1.
    fn tower(height: usize) -> String {
        let row = |i: usize| ["a.....", "b....."][i % 2];
        (0..height).rev().map(row).collect::<Vec<_>>().join("/")
    }

    #[test]
    fn a_column_that_does_not_fit_ends_the_game_magic_or_not() {
        for column in ["abc", "aaa", "***"] {
            let mut fits = game(&tower(10), column);
            assert!(fits.play(at(1, 0)).is_ok(), "{column}");
            let mut full = game(&tower(11), &format!("{column} abc"));
            assert_eq!(full.play(at(1, 0)), Err(GameOver), "{column}");
            assert!(full.outcome().ended_early);
            assert_eq!(
                (full.outcome().placed_columns, full.outcome().points),
                (0, 0)
            );
            assert_eq!(full.field().to_notation(), tower(11));
            // The game stays over, even for a stack with room.
            assert_eq!(full.next_column(), None);
            let over = full.play(at(2, 0)).unwrap_err();
            assert_eq!(over.to_string(), "the game is over: no further column fits");
        }
    }

    #[test]
    fn columns_the_plan_does_not_mention_go_to_position_1_and_score() {
        let case: Case = "6 13\n5\nabc\naaa\nbca\nbbb\nccc\n".parse().unwrap();
        let plan = plan(&case, "1\n6 1\n");
        let turns: Vec<_> = replay(&case, &plan)
            .iter()
            .map(|t| {
                (
                    t.is_planned,
                    t.placement,
                    t.landing_row,
                    t.total_points / MATCH_POINTS,
                )
            })
            .collect();
        assert_eq!(
            turns,
            [
                (true, at(6, 1), 0, 0),
                (false, Placement::DEFAULT, 0, 1),
                (false, Placement::DEFAULT, 0, 1),
                (false, Placement::DEFAULT, 3, 2),
                (false, Placement::DEFAULT, 3, 3),
            ]
        );
        assert!(!score(&case, &plan).ended_early);
    }

    #[test]
    fn the_default_placement_can_end_the_game() {
        // Four columns fit at position 1. The plan puts one column there and one elsewhere, so three default
        // placements fit, and the fourth ends the game.
        let case: Case = format!("6 13\n7\n{}", "abc\n".repeat(7)).parse().unwrap();
        let plan = plan(&case, "2\n1 0\n3 0\n");
        assert_eq!(replay(&case, &plan).len(), 5);
        let outcome = Outcome {
            points: 0,
            placed_columns: 5,
            ended_early: true,
            longest_chain: 0,
        };
        assert_eq!(score(&case, &plan), outcome);
    }

    #[test]
    fn a_full_field_at_the_very_end_is_not_an_early_end() {
        let case: Case = format!("6 13\n4\n{}", "abc\n".repeat(4)).parse().unwrap();
        let outcome = score(&case, &Plan::default());
        assert_eq!((outcome.placed_columns, outcome.ended_early), (4, false));
    }

    #[test]
    fn the_fields_of_a_turn_show_landing_clearing_and_settling() {
        let mut game = game("aa.bb.", "abc");
        let before = game.field().clone();
        let turn = game.play(at(3, 0)).unwrap();
        let fields = turn.fields(&before);
        let fields: Vec<_> = fields.iter().map(NaiveField::to_notation).collect();
        let landed = "..c.../..b.../aaabb.";
        let [cleared, settled] = ["..c.../..b.../...bb.", "..c.../..bbb."];
        assert_eq!(
            fields,
            [landed, cleared, settled, "..c.../......", "..c..."]
        );
        assert_eq!(turn.steps[0].matches, [[(0, 0), (1, 0), (2, 0)]]);
        assert_eq!(turn.steps[1].cleared, [(2, 0), (3, 0), (4, 0)]);
    }

    #[test]
    #[should_panic(expected = "is no placement on a field of 6 stacks")]
    fn a_plan_for_a_wider_field_panics() {
        let case: Case = SAMPLE.parse().unwrap();
        score(&case, &Plan::parse("1\n7 0\n", 12, 11).unwrap());
    }
}
