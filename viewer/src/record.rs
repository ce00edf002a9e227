//! A game so far, every turn of it, so that any moment can be shown.

use crate::reading::Reading;
use crate::words::counted;
use columns_core::rules::case::{Case, Column};
use columns_core::rules::naive::NaiveField;
use columns_core::rules::plan::{Placement, Plan};
use columns_core::rules::replay::{Referee, Turn};
use columns_core::text::grouped;
use serde::Serialize;

/// How many of the turns that pay the most a summary names.
pub const BEST: usize = 10;

/// How many turns lie between two games that are kept whole; those between are played again.
const STRIDE: usize = 128;

/// A game so far.
pub struct Record {
    case: Case,
    turns: Vec<Turn>,
    /// How many jewels lie on the field after each turn.
    cells: Vec<usize>,
    /// As the game was before every [`STRIDE`]th turn.
    kept: Vec<Referee>,
    /// As it is after the last turn.
    game: Referee,
    /// See [`Failed`].
    failed: Option<Failed>,
    /// The field that was asked for last, and before which turn it is.
    last: (usize, NaiveField),
    /// The mistake that ends the plan, if there is one.
    broken: Option<String>,
}

/// The placement of the column after the last turn, which did not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failed {
    /// The placement.
    pub placement: Placement,
    /// Whether the plan or the player said so; else it is the default placement.
    pub planned: bool,
}

/// What there is to say about a whole game.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// Width of the field in stacks.
    pub width: usize,
    /// Height of the field in cells.
    pub height: usize,
    /// How many columns the case has.
    pub columns: usize,
    /// The letters that occur, in order.
    pub palette: String,
    /// The indices of the magic columns, from 0.
    pub magic: Vec<usize>,
    /// How many columns landed.
    pub placed: usize,
    /// The number of columns that the plan placed.
    pub planned: usize,
    /// True if a column did not fit.
    pub ended_early: bool,
    /// Points in all.
    pub points: u64,
    /// Steps of the longest chain.
    pub longest: usize,
    /// Points of each turn.
    pub gained: Vec<u64>,
    /// Steps of the chain of each turn; the clearing of a magic column is none.
    pub chains: Vec<usize>,
    /// The turns of the chains of two steps or more and of magic that pays; in a game without any,
    /// those of everything that pays.
    pub events: Vec<usize>,
    /// The turns that pay the most, at most [`BEST`], the most first.
    pub best: Vec<usize>,
    /// How many jewels lie on the field after each turn.
    pub cells: Vec<usize>,
    /// Why the plan is invalid.
    pub broken: Option<String>,
}

/// The chain of one turn as a whole.
#[derive(Debug, Serialize)]
pub struct Whole {
    /// How many jewels lie on the field before the column, and with it.
    pub before: [usize; 2],
    /// The steps, the clearing of a magic column included.
    pub steps: Vec<Bar>,
    /// All that in a sentence.
    pub text: String,
}

/// One step of a chain as a whole.
#[derive(Debug, Serialize)]
pub struct Bar {
    /// The combo; 0 for the clearing of a magic column.
    pub combo: usize,
    /// How many matches it has.
    pub matches: usize,
    /// How many jewels it clears.
    pub cleared: usize,
    /// What it pays.
    pub points: u64,
    /// How many jewels are left after it.
    pub left: usize,
}

impl Record {
    /// A game before its first column.
    pub fn new(case: Case) -> Self {
        let game = Referee::new(&case);
        Self {
            last: (0, game.field().clone()),
            kept: vec![game.clone()],
            game,
            case,
            turns: Vec::new(),
            cells: Vec::new(),
            failed: None,
            broken: None,
        }
    }

    /// A plan as it was read: to the end of the game where it is valid, else up to its mistake.
    pub fn read(case: Case, reading: Reading) -> Self {
        if reading.broken.is_none() {
            return Self::of(case, &reading.plan);
        }
        Self {
            broken: reading.broken,
            ..Self::begun(case, &reading.plan)
        }
    }

    /// What a plan mentions, played as far as it fits.
    pub fn begun(case: Case, plan: &Plan) -> Self {
        let mut record = Self::new(case);
        for &placement in &plan.placements {
            if !record.play(placement) {
                break;
            }
        }
        record
    }

    /// A plan played to the end, columns that it does not mention included.
    pub fn of(case: Case, plan: &Plan) -> Self {
        let mut record = Self::new(case);
        loop {
            let index = record.turns.len();
            if record.game.next_column().is_none() {
                return record;
            }
            match record.game.follow(plan) {
                Ok(turn) => record.keep(turn),
                Err(_) => {
                    record.failed = Some(Failed {
                        placement: plan.placement(index),
                        planned: index < plan.placements.len(),
                    });
                }
            }
        }
    }

    fn keep(&mut self, turn: Turn) {
        let cleared: usize = turn.steps.iter().map(|step| step.cleared.len()).sum();
        let before = self.cells.last().copied().unwrap_or(0);
        self.cells.push(before + jewels(&turn) - cleared);
        self.turns.push(turn);
        if self.turns.len().is_multiple_of(STRIDE) {
            self.kept.push(self.game.clone());
        }
    }

    /// Lets the next column fall; whether there was one and it fitted.
    pub fn play(&mut self, placement: Placement) -> bool {
        if self.game.next_column().is_none() {
            return false;
        }
        if let Ok(turn) = self.game.play(placement) {
            self.keep(turn);
            return true;
        }
        self.failed = Some(Failed {
            placement,
            planned: true,
        });
        false
    }

    /// Takes back all turns from the given one on.
    #[allow(clippy::missing_panics_doc, reason = "what was played can be played")]
    pub fn take_back(&mut self, turn: usize) {
        let turn = turn.min(self.turns.len());
        self.kept.truncate(turn / STRIDE + 1);
        self.game = self.kept[turn / STRIDE].clone();
        for turn in &self.turns[self.game.outcome().placed..turn] {
            self.game
                .play(turn.placement)
                .expect("it has been played before");
        }
        self.turns.truncate(turn);
        self.cells.truncate(turn);
        self.failed = None;
        self.last = (0, NaiveField::new(self.case.width(), self.case.height()));
    }

    /// The case.
    pub fn case(&self) -> &Case {
        &self.case
    }

    /// The turns so far.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The game after the last turn.
    pub fn game(&self) -> &Referee {
        &self.game
    }

    /// See [`Failed`].
    pub fn failed(&self) -> Option<Failed> {
        self.failed
    }

    /// The mistake that ends the plan, if there is one.
    pub fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    /// Where the first `turns` columns went.
    pub fn placements(&self, turns: usize) -> Vec<Placement> {
        let turns = &self.turns[..turns.min(self.turns.len())];
        turns.iter().map(|turn| turn.placement).collect()
    }

    /// The plan that makes this game: the placements that were planned.
    pub fn plan(&self) -> Plan {
        let planned = self.turns.iter().take_while(|turn| turn.planned);
        Plan {
            placements: planned.map(|turn| turn.placement).collect(),
        }
    }

    /// The field before a turn; with the number of turns, the last field.
    pub fn field_before(&mut self, turn: usize) -> &NaiveField {
        let turn = turn.min(self.turns.len());
        // Plays on from the nearest field that is known.
        let kept = turn / STRIDE;
        if self.last.0 > turn || self.last.0 < kept * STRIDE {
            self.last = (kept * STRIDE, self.kept[kept].field().clone());
        }
        let (at, field) = &mut self.last;
        for turn in &self.turns[*at..turn] {
            turn.apply(field);
        }
        *at = turn;
        field
    }

    /// The chain of a turn as a whole; `None` where there is no such turn.
    pub fn whole(&self, turn: usize) -> Option<Whole> {
        let played = self.turns.get(turn)?;
        let before = turn.checked_sub(1).map_or(0, |last| self.cells[last]);
        let landed = before + jewels(played);
        let mut left = landed;
        let mut combo = 0;
        let mut bars = Vec::new();
        for step in &played.steps {
            let by_magic = step.matches.is_empty();
            combo += usize::from(!by_magic);
            left -= step.cleared.len();
            bars.push(Bar {
                combo: if by_magic { 0 } else { combo },
                matches: step.matches.len(),
                cleared: step.cleared.len(),
                points: step.points,
                left,
            });
        }
        let points: u64 = bars.iter().map(|bar| bar.points).sum();
        let text = if bars.is_empty() {
            "This column clears nothing.".to_string()
        } else {
            format!(
                "{}, {} points, from {} to {}.",
                counted(played.chain(), "step", "steps"),
                grouped(points),
                counted(landed, "jewel", "jewels"),
                grouped(left as u64)
            )
        };
        Some(Whole {
            before: [before, landed],
            steps: bars,
            text,
        })
    }

    /// What there is to say about the whole game.
    pub fn summary(&self) -> Summary {
        let columns = self.case.columns();
        let magic = (0..columns.len()).filter(|&index| is_magic(columns[index]));
        let before = [0].into_iter().chain(self.turns.iter().map(|t| t.points));
        let gained = self.turns.iter().zip(before).map(|(t, b)| t.points - b);
        let gained: Vec<u64> = gained.collect();
        let paying: Vec<usize> = (0..gained.len()).filter(|&turn| gained[turn] > 0).collect();
        let mut events = paying.clone();
        events.retain(|&turn| self.turns[turn].chain() > 1 || is_magic(columns[turn]));
        if events.is_empty() {
            events.clone_from(&paying);
        }
        let mut best = paying;
        best.sort_by_key(|&turn| std::cmp::Reverse(gained[turn]));
        best.truncate(BEST);
        Summary {
            width: self.case.width(),
            height: self.case.height(),
            columns: columns.len(),
            palette: self.case.palette().iter().map(|c| c.letter()).collect(),
            magic: magic.collect(),
            placed: self.turns.len(),
            planned: self.turns.iter().take_while(|turn| turn.planned).count(),
            ended_early: self.game.outcome().ended_early,
            points: if self.broken.is_some() {
                0
            } else {
                self.game.outcome().points
            },
            longest: self.game.outcome().longest_chain,
            gained,
            events,
            best,
            chains: self.turns.iter().map(Turn::chain).collect(),
            cells: self.cells.clone(),
            broken: self.broken.clone(),
        }
    }
}

fn is_magic(column: Column) -> bool {
    column == Column::Magic
}

/// How many jewels a column leaves on the field when it lands: those of a magic one vanish.
fn jewels(turn: &Turn) -> usize {
    turn.column.shifted(0).map_or(0, |jewels| jewels.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_core::rules::quickstart::quickstart;
    use columns_core::rules::replay;
    use columns_generator::{generate, Profile, Spec};

    fn long() -> (Case, Plan) {
        let spec = Spec::new(Profile::MagicFrequent).with_columns(700);
        let spec = spec.and_then(|spec| spec.with_colours(4)).unwrap();
        let case = generate(5, &spec);
        let plan = quickstart(&case);
        (case, plan)
    }

    #[test]
    fn every_field_is_that_of_the_referee_in_any_order() {
        let (case, plan) = long();
        let replay = replay::replay(&case, &plan);
        let mut record = Record::of(case, &plan);
        let turns = replay.turns.len();
        assert!(turns > 2 * STRIDE, "{turns}");
        let order = [0, 1, turns, 130, 127, 128, 129, 1, 300, 299];
        for turn in order.into_iter().chain(200..290) {
            let expected = replay.field_before(turn);
            assert_eq!(*record.field_before(turn), expected, "{turn}");
        }
        let summary = record.summary();
        assert_eq!(summary.points, replay.outcome.points);
        assert_eq!(summary.gained.iter().sum::<u64>(), summary.points);
        assert_eq!(summary.ended_early, replay.outcome.ended_early);
        assert_eq!(record.plan(), plan);
        // The jewels on the field, counted one by one.
        for turn in 0..turns {
            let field = record.field_before(turn + 1);
            let filled = |i: &usize| field.cell(i % field.width(), i / field.width()).is_some();
            let cells = (0..field.width() * field.height()).filter(filled).count();
            assert_eq!(summary.cells[turn], cells, "{turn}");
            let whole = record.whole(turn).unwrap();
            let left = whole.steps.last().map_or(whole.before[1], |bar| bar.left);
            assert_eq!(left, cells);
            let paid: u64 = whole.steps.iter().map(|bar| bar.points).sum();
            assert_eq!(paid, summary.gained[turn]);
        }
        // What one goes to from chain to chain, and the best of all.
        let chains = summary.chains.iter().filter(|&&steps| steps > 1).count();
        assert!(chains > 5 && summary.events.len() > chains, "{chains}");
        let pays = |turn: &usize| summary.gained[*turn];
        assert!(summary.events.is_sorted() && summary.events.iter().all(|turn| pays(turn) > 0));
        let best: Vec<u64> = summary.best.iter().map(pays).collect();
        assert_eq!(best.first(), summary.gained.iter().max());
        assert!(best.len() == BEST && best.is_sorted_by(|a, b| a >= b));
    }

    #[test]
    fn an_invalid_plan_is_played_up_to_its_mistake() {
        let case: Case = "6 13\n3\naaa\naaa\nbcd\n".parse().unwrap();
        let mut record = Record::read(case.clone(), Reading::of("3\n1 0\n7 0\n1 0\n", &case));
        let summary = record.summary();
        assert_eq!((summary.placed, summary.points), (1, 0));
        let end = record.frame(1, 0);
        assert_eq!(end.ending, Some("Invalid plan"));
        let text = "Plan error, line 3: expected the position of placement 2 of 3, \
             from 1 to 6, found \"7\". An invalid plan scores 0.";
        assert_eq!(end.text, text);
    }

    #[test]
    fn taking_back_and_playing_again_is_the_same_game() {
        let (case, plan) = long();
        let mut record = Record::new(case.clone());
        for &placement in &plan.placements {
            record.play(placement);
        }
        let end = record.game().clone();
        record.take_back(131);
        assert_eq!(record.turns().len(), 131);
        assert_eq!(record.game().outcome().placed, 131);
        for &placement in &plan.placements[131..] {
            record.play(placement);
        }
        assert_eq!(record.game().field(), end.field());
        assert_eq!(record.game().outcome().points, end.outcome().points);
        assert_eq!(record.turns(), Record::of(case, &plan).turns());
    }
}
