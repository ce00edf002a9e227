//! `judge list`: lists the runs of the store.

use super::NAME;
use anyhow::Result;
use clap::Args;
use columns_cli::json;
use columns_cli::options::JsonOption;
use columns_cli::stderr::{self, to_one_line};
use columns_cli::table::{format_table, left_cell};
use columns_judge::best::BestScores;
use columns_judge::store::{Run, Store};
use comfy_table::Cell;
use serde_json::json;

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
    let best = BestScores::new(&runs);
    let json = || {
        let run = |run: &Run| {
            let (percent, cases) = best.mean_percent(run).unzip();
            json!({
                "run": run.folder.display().to_string(),
                "head": run.head,
                "cases": run.cases().len(),
                "summary": run.summary(),
                "best_percent": percent,
                "shared_cases": cases,
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

/// Returns the cells of a run with the titles of their columns.
fn titled_cells(run: &Run, best: &BestScores) -> [(&'static str, Cell); 9] {
    let head = &run.head;
    let cases = match (run.rows.len(), run.cases().len()) {
        (played, all) if played == all => all.to_string(),
        (played, all) => format!("{played} of {all}"),
    };
    let or_dash = |cell: Option<String>| cell.unwrap_or("-".into());
    let (percent, shared) = best.mean_percent(run).unzip();
    let percent = or_dash(percent.map(|percent| format!("{percent:.2}")));
    let shared = or_dash(shared.map(|shared| shared.to_string()));
    let mark = if head.has_changes { "+" } else { "" };
    let commit = head.commit.as_ref().map(|commit| commit.clone() + mark);
    let base_text = |base: &String| format!("(watch of {base})");
    let base = head.base_run.as_ref().map(base_text);
    let bot = [Some(run.bot_identity()), base, head.comment.clone()];
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
