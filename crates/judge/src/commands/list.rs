//! `judge list`: lists the runs of the store.

use super::{NAME, StoreOptions};
use anyhow::Result;
use clap::Args;
use columns_cli::options::Json;
use columns_cli::table::{aligned, text};
use columns_cli::{json, stderr};
use columns_judge::best::BestScores;
use columns_judge::store::Run;
use serde_json::json;
use std::process::ExitCode;

/// List the runs, the oldest first
///
/// `best %` is the mean of score / best known score over the cases that other runs played too; `of` is the number of these
/// cases. The best known score of a case is that of any run. Cases with equal texts are the same case.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  judge list\n  judge list --json")]
pub(crate) struct Options {
    #[command(flatten)]
    store: StoreOptions,
    #[command(flatten)]
    json: Json,
}

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    let mut runs = Vec::new();
    for path in args.store.store().runs()? {
        match Run::read(&path) {
            Ok(run) => runs.push(run),
            // A damaged run must not hide the others.
            Err(error) => stderr::warn(NAME, &format!("{error:#}")),
        }
    }
    let best = BestScores::new(&runs);
    let json = || {
        let run = |run: &Run| {
            let relative = best.relative(run);
            json!({
                "run": run.folder.display().to_string(),
                "head": run.head,
                "cases": run.cases().len(),
                "summary": run.summary(),
                "best_percent": relative.map(|(percent, _)| percent),
                "best_of": relative.map(|(_, cases)| cases),
            })
        };
        json::pretty(&runs.iter().map(run).collect::<Vec<_>>())
    };
    let rows = runs.iter().map(|run| row(run, &best));
    let numbers = ["run", "name", "started", "cases", "failed", "best %", "of"];
    let titles = numbers
        .map(Into::into)
        .into_iter()
        .chain(["commit", "bot, comment"].map(text));
    let table = if runs.is_empty() {
        format!("no runs in {}\n", args.store.store().folder.display())
    } else {
        aligned(titles, rows)
    };
    args.json.write(json, &table)?;
    Ok(ExitCode::SUCCESS)
}

/// Formats the cells of a run.
fn row(run: &Run, best: &BestScores) -> [comfy_table::Cell; 9] {
    let head = &run.head;
    let (played, all) = (run.rows.len(), run.cases().len());
    let cases = if played == all {
        all.to_string()
    } else {
        format!("{played} of {all}")
    };
    let relative = best.relative(run);
    let dirty = if head.dirty { "+" } else { "" };
    let commit = head
        .commit
        .as_ref()
        .map_or("-".into(), |commit| format!("{commit}{dirty}"));
    let watch = head
        .base
        .as_ref()
        .map(|base| format!("  (watch of {})", base.trim_start_matches('0')));
    let comment = head.comment.as_ref().map(|comment| format!("  {comment}"));
    let bot = format!(
        "{}{}{}",
        head.identity(),
        watch.unwrap_or_default(),
        comment.unwrap_or_default()
    );
    [
        run.number.as_str().into(),
        text(head.name.as_deref().unwrap_or("-")),
        // Date and time to the minute.
        text(&format!("{:.16}", head.started).replace('T', " ")),
        cases.into(),
        run.summary().failed().into(),
        relative
            .map_or("-".into(), |(percent, _)| format!("{percent:.2}"))
            .into(),
        relative
            .map_or("-".into(), |(_, cases)| cases.to_string())
            .into(),
        text(&commit),
        text(&bot),
    ]
}
