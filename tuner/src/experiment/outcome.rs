//! The outcome of a run: the result, the verdict, and the numbers that support them.

use super::state::RunState;
use crate::player::Player;
use columns_stats::ComparisonTable;
use serde_json::{Value, json};

impl RunState {
    /// Returns the values of the result's fitted parameters, in the order of the axes. If no player has
    /// passed the gate, returns the values of the last judged player, or of the start if no player has been
    /// judged.
    pub fn fitted_values(&self) -> Vec<f64> {
        let judged = self.last_passing_judgement().or(self.judgements.last());
        let average = judged.and_then(|judged| self.average(judged.generation));
        self.space.rounded_or_start(average)
    }

    /// Returns the result: the last player that passed the gate, or the start.
    pub fn result_player(&self) -> Player {
        match self.last_passing_judgement() {
            Some(_) => self.space.player(&self.fitted_values()),
            None => self.space.start_player(),
        }
    }

    /// Returns the last judged player that did not become a result; `None` if every judged player did.
    pub fn rejected_player(&self) -> Option<Player> {
        let mut judged = self.judgements.iter().rev();
        let rejected = judged.find(|judgement| !judgement.passes(&self.limits))?;
        Some(self.player(rejected.generation))
    }

    /// Returns the verdict on the run in one line.
    pub fn verdict_text(&self) -> String {
        match (self.last_passing_judgement(), self.judgements.last()) {
            (_, None) => "Nothing was found that beats the start: the result is the start.".into(),
            (passed, Some(last)) if last.is_better && passed != Some(last) => format!(
                "{}{} Since it fails in more games, the result stays as it was; --allow-failures accepts it.",
                passed.map_or(String::new(), |passed| format!("{} ", passed.verdict_text)),
                last.verdict_text
            ),
            (Some(passed), Some(last)) if last != passed => format!(
                "{} What was found later was not shown to be better than that (judgement {}).",
                passed.verdict_text, last.number
            ),
            (_, Some(last)) => last.verdict_text.clone(),
        }
    }

    /// Returns the table of the last judgement's games: B is the judged player, and A is its opponent, the
    /// start or the result before that judgement. `None` if nothing has been judged.
    pub fn comparison_table(&self) -> Option<ComparisonTable> {
        let candidate = self.judged_candidate.as_ref()?;
        Some(ComparisonTable::new(1, candidate.pairs()))
    }

    /// Returns the contents of `result.json`: the outcome, for other programs. If a parameter has a list of
    /// values, its `start` and `value` are indices into the list.
    pub(super) fn outcome_json(&self) -> Value {
        let axes = self.space.axes().iter().zip(self.fitted_values());
        let parameters = axes.map(|(axis, value)| {
            json!({
                "name": axis.name,
                "start": axis.start,
                "value": value,
                "moved_steps": axis.coordinate(value),
            })
        });
        json!({
            "objective": self.config.objective,
            "case_spec": self.config.case_spec,
            "search_game_count": self.search_game_count,
            "generation_count": self.generations.len(),
            "best_generation": self.best_generation(),
            "stop_reason": self.stop_reason,
            "parameters": parameters.collect::<Vec<_>>(),
            "judgements": self.judgements,
            "verdict": self.verdict_text(),
            "failed_games": self.failed_games,
            "target": self.config.target,
            "comparison": self.comparison_table(),
        })
    }
}
