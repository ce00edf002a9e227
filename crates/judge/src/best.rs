//! The best known score of each case, over the runs of a store. Cases with the same text are the same case.

use crate::row::Row;
use crate::store::Run;
use columns_cases::digest::Digest;
use std::collections::{HashMap, HashSet};

/// The best score of each case, and the number of runs that played it.
#[derive(Debug, Clone, Default)]
pub struct BestScores(HashMap<Digest, (u64, usize)>);

impl BestScores {
    /// Finds the best scores in these runs.
    pub fn new<'a>(runs: impl IntoIterator<Item = &'a Run>) -> Self {
        let mut best = Self::default();
        for row in runs.into_iter().flat_map(Run::distinct_rows) {
            best.add(row);
        }
        best
    }

    /// Adds a game. The caller must add at most one game per run and case. Returns true if other runs' games
    /// on the case were added before, and this game beats them all.
    fn add(&mut self, row: &Row) -> bool {
        let (score, runs) = self.0.entry(row.case_digest).or_default();
        let is_new = *runs > 0 && row.game.score > *score;
        *score = row.game.score.max(*score);
        *runs += 1;
        is_new
    }

    /// Returns the score of an added game as a percentage of the best score. Returns `None` if no other run
    /// played the case, or if no run scored points on it.
    fn percent(&self, row: &Row) -> Option<f64> {
        let (best, runs) = *self.0.get(&row.case_digest)?;
        (runs > 1 && best > 0).then(|| 100.0 * row.game.score as f64 / best as f64)
    }

    /// Returns the mean of score / best score in percent, and the number of cases in the mean: those that
    /// another run also played, and on which some run scored points. Returns `None` if there is no such case.
    pub fn mean_percent(&self, run: &Run) -> Option<(f64, usize)> {
        let percents: Vec<f64> = run
            .distinct_rows()
            .filter_map(|row| self.percent(row))
            .collect();
        let count = percents.len();
        (count > 0).then(|| (percents.iter().sum::<f64>() / count as f64, count))
    }
}

/// The games of a run that is being played, compared with the best known scores.
#[derive(Debug)]
pub struct BestTracker {
    /// The best scores so far, over the other runs and this one.
    pub best: BestScores,
    /// The number of games in this run that beat the best score of any other run on the same case.
    pub new_best_games: usize,
    cases: HashSet<Digest>,
}

impl BestTracker {
    /// Starts with the best scores of the other runs.
    pub fn new(best: BestScores) -> Self {
        Self {
            best,
            new_best_games: 0,
            cases: HashSet::new(),
        }
    }

    /// Adds the next game of the run. Returns `new best`, or its score as a share of the best known score,
    /// such as `85.00 % of best`. Returns `None` if the score cannot be compared, or if the run has already
    /// played a case with the same text.
    pub fn add(&mut self, row: &Row) -> Option<String> {
        if !self.cases.insert(row.case_digest) {
            return None;
        }
        if self.best.add(row) {
            self.new_best_games += 1;
            return Some("new best".into());
        }
        let percent = self.best.percent(row)?;
        Some(format!("{percent:.2} % of best"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::tests::run;

    #[test]
    fn a_run_is_compared_with_the_best_of_the_others() {
        let (a, b) = (run(&[("1", 100), ("2", 50)]), run(&[("1", 80), ("4", 5)]));
        let new = run(&[("1", 90), ("2", 60), ("3", 7), ("4", 0)]);
        let mut tracker = BestTracker::new(BestScores::new([&a, &b]));
        let mut copies = new.rows.clone();
        copies.extend_from_within(..2);
        let shown: Vec<_> = copies.iter().map(|row| tracker.add(row)).collect();
        let expected = ["90.00 % of best", "new best", "", "0.00 % of best", "", ""];
        assert_eq!(
            shown,
            expected.map(|text| (!text.is_empty()).then(|| text.into()))
        );
        assert_eq!(tracker.new_best_games, 1);
        // `judge list` uses no tracker, but computes its mean from all runs. Both means must be equal.
        let listed = BestScores::new([&a, &b, &new]).mean_percent(&new);
        assert_eq!(tracker.best.mean_percent(&new), listed);
        assert_eq!(listed, Some(((90.0 + 100.0) / 3.0, 3)));
    }
}
