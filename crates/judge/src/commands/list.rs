//! `judge list`: lists the runs of the store.

use super::{NAME, StoreOptions};
use anyhow::Result;
use clap::Args;
use columns_cli::options::JsonOption;
use columns_cli::table::{format_table, left_cell};
use columns_cli::{json, stderr};
use columns_judge::best::BestScores;
use columns_judge::store::Run;
use comfy_table::Cell;
use serde_json::json;
use std::process::ExitCode;

/// List the runs, the oldest first
///
/// `best %` is the mean of score / best known score over the cases that other runs played too; `of` is the
/// number of these cases. The best known score of a case is the highest of any run. Cases with equal texts
/// are the same case.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  judge list\n  judge list --json")]
pub(crate) struct Options {
    #[command(flatten)]
    store: StoreOptions,
    #[command(flatten)]
    json: JsonOption,
}

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    let store = args.store.store();
    let mut runs = Vec::new();
    for path in store.run_folders()? {
        match Run::read(&path) {
            Ok(run) => runs.push(run),
            // One damaged run must not keep the others out of the list.
            Err(error) => stderr::warn(NAME, &format!("{error:#}")),
        }
    }
    let best = BestScores::new(&runs);
    let json = || {
        let run = |run: &Run| {
            let (percent, cases) = best.relative_percent(run).unzip();
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
    let table = if runs.is_empty() {
        format!("no runs in {}\n", store.folder.display())
    } else {
        format_table(
            TITLES.map(left_cell),
            runs.iter().map(|run| row(run, &best)),
        )
    };
    args.json.print(json, &table)?;
    Ok(ExitCode::SUCCESS)
}

const TITLES: [&str; 9] = [
    "run",
    "name",
    "started",
    "cases",
    "failed",
    "best %",
    "of",
    "commit",
    "bot, comment",
];

/// Formats the cells of a run, in the order of [`TITLES`].
fn row(run: &Run, best: &BestScores) -> [Cell; 9] {
    let head = &run.head;
    let cases = match (run.rows.len(), run.cases().len()) {
        (played, all) if played == all => all.to_string(),
        (played, all) => format!("{played} of {all}"),
    };
    let or_dash = |cell: Option<String>| cell.unwrap_or("-".into());
    let (percent, shared) = best.relative_percent(run).unzip();
    let dirty = if head.has_changes { "+" } else { "" };
    let commit = head
        .commit
        .as_ref()
        .map(|commit| format!("{commit}{dirty}"));
    let watch = head
        .base_run
        .as_ref()
        .map(|base| format!("  (watch of {base})"));
    let comment = head.comment.as_ref().map(|comment| format!("  {comment}"));
    let bot = [Some(head.bot_identity()), watch, comment];
    [
        Cell::new(&run.number),
        left_cell(head.name.as_deref().unwrap_or("-")),
        // The date and the time, to the minute.
        left_cell(&format!("{:.16}", head.start_time).replace('T', " ")),
        Cell::new(cases),
        Cell::new(run.summary().failed_games()),
        Cell::new(or_dash(percent.map(|percent| format!("{percent:.2}")))),
        Cell::new(or_dash(shared.map(|shared| shared.to_string()))),
        left_cell(&or_dash(commit)),
        left_cell(&bot.into_iter().flatten().collect::<String>()),
    ]
}
