//! Compares runs with the best scores. The best score of a case is the highest in the runs of a store.

use crate::store::Run;
use columns_generator::digest::Digest;
use std::collections::HashMap;

/// The best score of each case, and the number of runs that played it: see [`Run::distinct_rows`].
#[derive(Debug, Default)]
pub struct BestScores(HashMap<Digest, (u64, usize)>);

impl BestScores {
    /// Computes the best score of each case over these runs.
    pub fn new(runs: &[Run]) -> Self {
        let mut best = HashMap::new();
        for run in runs {
            for row in run.distinct_rows() {
                let (score, players) = best.entry(row.case_digest).or_insert((0, 0));
                *score = row.game.score.max(*score);
                *players += 1;
            }
        }
        Self(best)
    }

    /// Returns the mean of score / best score in percent, and the number of cases in this mean: those that
    /// other runs played too. Leaves out cases on which every run scored 0. `None` if no case is left.
    pub fn relative_percent(&self, run: &Run) -> Option<(f64, usize)> {
        let shares = run.distinct_rows().filter_map(|row| {
            let (best, players) = self.0.get(&row.case_digest)?;
            (*players > 1 && *best > 0).then(|| row.game.score as f64 / *best as f64)
        });
        let shares: Vec<f64> = shares.collect();
        let count = shares.len();
        (count > 0).then(|| (100.0 * shares.iter().sum::<f64>() / count as f64, count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::tests::run;

    #[test]
    fn only_cases_that_other_runs_played_count() {
        let first = run(&[("1", 100), ("2", 50), ("3", 0), ("fresh", 999)]);
        let second = run(&[("1", 80), ("2", 100), ("3", 0)]);
        let alone = run(&[("other", 7)]);
        let best = BestScores::new(&[first.clone(), second.clone(), alone.clone()]);
        assert_eq!(best.relative_percent(&first), Some((75.0, 2)));
        assert_eq!(best.relative_percent(&second), Some((90.0, 2)));
        assert_eq!(best.relative_percent(&alone), None);
    }
}
