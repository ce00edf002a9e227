//! `judge show`: prints a run again, or one of its games.

use super::{NAME, moves};
use anyhow::{Context, Result};
use clap::Args;
use columns_cli::options::{JsonOption, integer_between};
use columns_cli::{json, stderr};
use columns_judge::row::Row;
use columns_judge::store::{Run, Store};
use columns_judge::table::{self, Table};
use columns_judge::verdict;
use serde_json::json;
use std::process::ExitCode;

/// Show the table of a run again, or one of its games as text
///
/// For a game, prints where each column lands and which jewels it clears: small letters are jewels, capital
/// letters are jewels that the next step clears, and dots are empty cells. The exit status is 1 for an
/// invalid plan.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    judge show\n  \
    judge show wider --json > wider.json\n  \
    judge show last 0007 --column 9")]
pub(crate) struct Options {
    /// The run [default: last]
    #[arg(value_name = "RUN", default_value = "last", hide_default_value = true)]
    run: String,
    /// A case of the run, such as 0007 or 7
    case: Option<String>,
    /// Show this column of the game only, counted from 1 [default: all]
    #[arg(long, value_name = "N", requires = "case", value_parser = integer_between(0, usize::MAX))]
    column: Option<usize>,
    #[command(flatten)]
    json: JsonOption,
    #[command(flatten)]
    store: Store,
}

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    let run = args.store.read(&args.run)?;
    if let Some(case) = &args.case {
        return show_game(args, &run, case);
    }
    let table = Table::new(run.rows.iter().map(|row| row.name.clone()), Vec::new());
    let text = format_as_played(&run, &table);
    let folder = run.folder.display().to_string();
    let json = || {
        let (head, rows, summary) = (&run.head, &run.rows, run.summary());
        json::to_pretty(&json!({"run": folder, "head": head, "summary": summary, "rows": rows}))
    };
    args.json.print(json, &text)?;
    Ok(ExitCode::SUCCESS)
}

/// Formats a run as `judge run` prints it, below a line about the run.
fn format_as_played(run: &Run, table: &Table) -> String {
    let rows = run.rows.iter().map(|row| table.row_line(row) + "\n");
    let rows: String = rows.collect();
    let (header, summary) = (table.header_line(), table::format_summary(&run.summary()));
    let description = run.description();
    format!("{description}\n{header}\n{rows}\n{summary}")
}

/// Prints the game of a run on a case: as text, or only its row as JSON.
fn show_game(args: &Options, run: &Run, case: &str) -> Result<ExitCode> {
    let number: Option<u64> = case.parse().ok();
    let is_named = |row: &&Row| row.name == case || row.seed.is_some() && row.seed == number;
    let label = run.label();
    let row = run.rows.iter().find(is_named);
    let row = row.with_context(|| format!("{case}: run {label} has no game on such a case"))?;
    let name = &row.name;
    let case = run.cases().into_iter().find(|entry| entry.name() == *name);
    let case = case.context("a row has a case")?.load()?;
    let lost = || format!("{name}: run {label} does not have the plan of this game any more");
    let plan = run.read_output(row).with_context(lost)?;
    match verdict::parse_plan(&case, &plan) {
        Ok(plan) => {
            let text = moves::describe_game(&case, &plan, args.column)?;
            args.json.print(|| json::to_line(row), &text)?;
            Ok(ExitCode::SUCCESS)
        }
        Err(reason) => {
            stderr::warn(NAME, &format!("{name}: {reason:#}"));
            Ok(ExitCode::FAILURE)
        }
    }
}
