//! The result of `tuner fit --rehearse`: the share of a known loss that a fit recovers.

use columns_cli::table::aligned;
use columns_tuner::experiment::{event::Recovery, outcome::Outcome};

/// Formats the results of rehearsals, of which there is at least one.
pub(crate) fn text(all: &[(Recovery, Outcome)]) -> String {
    let percent = |percent: f64| format!("{percent:+.1} %");
    let rows = all.iter().zip(1..).map(|((recovery, outcome), number)| {
        let (low, high) = recovery.interval;
        [
            number.to_string(),
            percent(recovery.start),
            percent(recovery.result),
            format!("{low:+.1} to {high:+.1} %"),
            format!("{:.0} %", 100.0 * recovery.share()),
            outcome.games.to_string(),
            outcome.why(),
        ]
    });
    let head = "start|loses|result|95 %|recovered|games|stopped, since";
    let table = aligned(head.split('|').collect::<Vec<_>>(), rows);
    let shares = all.iter().map(|(recovery, _)| recovery.share());
    let mean = shares.clone().sum::<f64>() / all.len() as f64;
    let least = shares.fold(f64::INFINITY, f64::min);
    let seeds = all[0].0.seeds;
    format!(
        "Against the weights as they were, on the held-out seeds {seeds}:\n\n{table}\n\
         A fit with these settings recovers {:.0} % of a loss in the mean, {:.0} % at the least.\n",
        100.0 * mean,
        100.0 * least
    )
}
