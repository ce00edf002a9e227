//! `judge list`: lists the runs of the store.

use anyhow::{Error, Result};
use clap::Args;
use columns_cli::json;
use columns_cli::options::JsonOption;
use columns_cli::stderr::to_one_line;
use columns_cli::table::{format_table, left_cell};
use columns_judge::best::BestScores;
use columns_judge::store::{Run, Store, run_label};
use comfy_table::Cell;
use serde_json::{Value, json};
use std::path::Path;

/// List the runs, oldest first
///
/// `% of best` is the mean of score / best known score over the cases that other runs also played; `shared`
/// is the number of these cases. The best known score of a case is the highest score of any run. Cases with
/// the same text count as the same case.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  judge list\n  judge list --json")]
pub(crate) struct Options {
    #[command(flatten)]
    store: Store,
    #[command(flatten)]
    json: JsonOption,
}

const TITLES: [&str; 9] = [
    "run",
    "name",
    "started",
    "cases",
    "failed",
    "% of best",
    "shared",
    "commit",
    "bot, comment",
];

pub(crate) fn run(args: &Options) -> Result<()> {
    let runs = args.store.read_all()?;
    let best = BestScores::new(runs.iter().filter_map(|(_, run)| run.as_ref().ok()));
    let json = || {
        let runs = runs.iter().map(|(folder, run)| match run {
            Ok(run) => run_json(run, &best),
            Err(error) => {
                json!({"run": folder.display().to_string(), "damaged": format!("{error:#}")})
            }
        });
        json::to_pretty(&runs.collect::<Vec<_>>())
    };
    let table = if runs.is_empty() {
        format!("no runs in {}\n", args.store.folder.display())
    } else {
        let cells = runs.iter().map(|(folder, run)| match run {
            Ok(run) => run_cells(run, &best),
            Err(error) => damaged_cells(folder, error),
        });
        format_table(TITLES.map(left_cell), cells)
    };
    args.json.print(json, &table)
}

fn run_json(run: &Run, best: &BestScores) -> Value {
    let (percent, cases) = best.mean_percent(run).unzip();
    json!({
        "run": run.folder.display().to_string(),
        "head": run.head,
        "cases": run.cases().len(),
        "summary": run.summary(),
        "best_percent": percent,
        "shared_cases": cases,
    })
}

/// Returns the table cells of a run that cannot be read.
fn damaged_cells(folder: &Path, error: &Error) -> [Cell; 9] {
    let mut cells = TITLES.map(|_| left_cell("-"));
    cells[0] = Cell::new(run_label(folder));
    cells[8] = left_cell(&to_one_line(&format!("damaged: {error:#}")));
    cells
}

fn run_cells(run: &Run, best: &BestScores) -> [Cell; 9] {
    let head = &run.head;
    let cases = match (run.rows.len(), run.cases().len()) {
        (played, all) if played == all => all.to_string(),
        (played, all) => format!("{played} of {all}"),
    };
    let or_dash = |cell: Option<String>| cell.unwrap_or("-".into());
    let (percent, shared) = best.mean_percent(run).unzip();
    let percent = or_dash(percent.map(|percent| format!("{percent:.2}")));
    let shared = or_dash(shared.map(|shared| shared.to_string()));
    let mark = if head.has_uncommitted_changes {
        "+"
    } else {
        ""
    };
    let commit = head.commit.as_ref().map(|commit| commit.clone() + mark);
    let base_text = |base: &String| format!("(against {base})");
    let base = head.base_run.as_ref().map(base_text);
    let bot = [Some(run.bot_identity()), base, head.comment.clone()];
    let bot: Vec<String> = bot.into_iter().flatten().collect();
    [
        Cell::new(&run.number),
        left_cell(&or_dash(head.name.clone())),
        left_cell(&head.local_start_time()),
        Cell::new(cases),
        Cell::new(run.summary().failed_games()),
        Cell::new(percent),
        Cell::new(shared),
        left_cell(&or_dash(commit)),
        left_cell(&to_one_line(&bot.join("  "))),
    ]
}
