//! `judge list`: lists the runs of the store.

use super::NAME;
use anyhow::Result;
use clap::Args;
use columns_cases::digest::Digest;
use columns_cli::json;
use columns_cli::options::JsonOption;
use columns_cli::stderr::{self, to_one_line};
use columns_cli::table::{format_table, left_cell};
use columns_judge::store::{Run, Store};
use comfy_table::Cell;
use serde_json::json;
use std::collections::HashMap;

/// List the runs, the oldest first
///
/// `best %` is the mean of score / best known score over the cases that other runs played too; `of` is the
/// number of these cases. The best known score of a case is the highest of any run. Cases with equal texts
/// are the same case.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  judge list\n  judge list --json")]
pub(crate) struct Options {
    #[command(flatten)]
    store: Store,
    #[command(flatten)]
    json: JsonOption,
}

pub(crate) fn run(args: &Options) -> Result<()> {
    let mut runs = Vec::new();
    for path in args.store.run_folders()? {
        match Run::read(&path) {
            Ok(run) => runs.push(run),
            // One damaged run must not keep the others out of the list.
            Err(error) => stderr::warn(NAME, &format!("{error:#}")),
        }
    }
    let best = best_scores(&runs);
    let json = || {
        let run = |run: &Run| {
            let (percent, cases) = relative_percent(run, &best).unzip();
            json!({
                "run": run.folder.display().to_string(),
                "head": run.head,
                "cases": run.cases().len(),
                "summary": run.summary(),
                "best_percent": percent,
                "best_of": cases,
            })
        };
        json::to_pretty(&runs.iter().map(run).collect::<Vec<_>>())
    };
    let rows: Vec<_> = runs.iter().map(|run| titled_cells(run, &best)).collect();
    let table = match rows.first() {
        None => format!("no runs in {}\n", args.store.folder.display()),
        Some(first) => {
            let titles = first.each_ref().map(|(title, _)| left_cell(title));
            let cells = rows.into_iter().map(|row| row.map(|(_, cell)| cell));
            format_table(titles, cells)
        }
    };
    args.json.print(json, &table)
}

/// The best score of each case, and the number of runs that played it: see [`Run::distinct_rows`].
type BestScores = HashMap<Digest, (u64, usize)>;

/// Computes the best score of each case over all runs.
fn best_scores(runs: &[Run]) -> BestScores {
    let mut best = BestScores::new();
    for row in runs.iter().flat_map(Run::distinct_rows) {
        let (score, players) = best.entry(row.case_digest).or_default();
        *score = row.game.score.max(*score);
        *players += 1;
    }
    best
}

/// Returns the mean of score / best score in percent, and the number of cases in the mean. A case counts if
/// another run played it too, and at least one of the runs scored points. Returns `None` if no case counts.
fn relative_percent(run: &Run, best: &BestScores) -> Option<(f64, usize)> {
    let shares = run.distinct_rows().filter_map(|row| {
        let (best, players) = best[&row.case_digest];
        (players > 1 && best > 0).then(|| row.game.score as f64 / best as f64)
    });
    let shares: Vec<f64> = shares.collect();
    let count = shares.len();
    (count > 0).then(|| (100.0 * shares.iter().sum::<f64>() / count as f64, count))
}

/// Returns the cells of a run with the titles of their columns.
fn titled_cells(run: &Run, best: &BestScores) -> [(&'static str, Cell); 9] {
    let head = &run.head;
    let cases = match (run.rows.len(), run.cases().len()) {
        (played, all) if played == all => all.to_string(),
        (played, all) => format!("{played} of {all}"),
    };
    let or_dash = |cell: Option<String>| cell.unwrap_or("-".into());
    let (percent, shared) = relative_percent(run, best).unzip();
    let percent = or_dash(percent.map(|percent| format!("{percent:.2}")));
    let shared = or_dash(shared.map(|shared| shared.to_string()));
    let mark = if head.has_changes { "+" } else { "" };
    let commit = head.commit.as_ref().map(|commit| commit.clone() + mark);
    let base_text = |base: &String| format!("(watch of {base})");
    let base = head.base_run.as_ref().map(base_text);
    let bot = [Some(head.bot_identity()), base, head.comment.clone()];
    let bot: Vec<String> = bot.into_iter().flatten().collect();
    [
        ("run", Cell::new(&run.number)),
        ("name", left_cell(&or_dash(head.name.clone()))),
        ("started", left_cell(&head.local_start_time())),
        ("cases", Cell::new(cases)),
        ("failed", Cell::new(run.summary().failed_games())),
        ("best %", Cell::new(percent)),
        ("of", Cell::new(shared)),
        ("commit", left_cell(&or_dash(commit))),
        ("bot, comment", left_cell(&to_one_line(&bot.join("  ")))),
    ]
}
