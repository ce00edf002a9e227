//! The outcome of a run: the result, the verdict, and the numbers behind them.

use super::state::RunState;
use crate::game_result::make_pair;
use crate::player::Player;
use columns_stats::{ComparisonTable, Pair};
use serde_json::{Value, json};

impl RunState {
    /// Returns the values of the result's fitted parameters, in the order of the axes. If no player has
    /// passed the gate, returns the values of the last judged player, or else of the start.
    pub fn fitted_values(&self) -> Vec<f64> {
        let judged = self.passed_judgement().or(self.judgements.last());
        let average = judged.and_then(|judged| self.average(judged.generation));
        self.space.rounded_or_start(average)
    }

    /// Returns the result: the last player that passed the gate, or the start.
    pub fn result_player(&self) -> Player {
        match self.passed_judgement() {
            Some(_) => self.space.player(&self.fitted_values()),
            None => self.space.start_player(),
        }
    }

    /// Returns the verdict on the run in one line.
    pub fn verdict_text(&self) -> String {
        match (self.passed_judgement(), self.judgements.last()) {
            (_, None) => "Nothing was found that beats the start: the result is the start.".into(),
            (Some(passed), Some(last)) if last != passed => format!(
                "{} What was found later was not shown to be better than that (judgement {}).",
                passed.verdict_text, last.number
            ),
            (_, Some(last)) => last.verdict_text.clone(),
        }
    }

    /// Describes why the search stopped; empty if it has not.
    pub fn stop_text(&self) -> String {
        self.stop_reason
            .map_or(String::new(), |reason| reason.to_string())
    }

    /// Returns the table of the last judgement's games: B is the judged player, and A is the start or the
    /// earlier result. `None` if nothing has been judged.
    pub fn comparison_table(&self) -> Option<ComparisonTable> {
        let games = self.judged_games.chunks_exact(2);
        let pairs = games.map(|games| {
            make_pair(
                games[0].seed,
                &self.config.case_spec,
                [&games[0].result, &games[1].result],
            )
        });
        let pairs: Vec<Pair> = pairs.collect();
        (!pairs.is_empty()).then(|| ComparisonTable::new(1, &pairs))
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
                "steps": axis.coordinate(value),
            })
        });
        json!({
            "objective": self.config.objective,
            "cases": self.config.case_spec,
            "games": self.search_game_count,
            "generations": self.generations.len(),
            "best_generation": self.best_generation(),
            "stopped": self.stop_reason,
            "parameters": parameters.collect::<Vec<_>>(),
            "looks": self.judgements,
            "verdict": self.verdict_text(),
            "losses": self.failed_games,
            "target": self.config.target,
            "comparison": self.comparison_table(),
        })
    }
}
