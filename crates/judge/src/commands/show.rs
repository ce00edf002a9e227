//! `judge show`: prints a run again, or one of its games.

use super::moves;
use anyhow::{Context, Result};
use clap::Args;
use columns_cli::json;
use columns_cli::options::{JsonOption, integer_between};
use columns_cli::output::count_text;
use columns_cli::stderr::to_one_line;
use columns_judge::row::Row;
use columns_judge::store::{Run, Store, game_file_path};
use columns_judge::table::{self, Table};
use columns_judge::verdict;
use serde_json::json;
use std::fs;
use std::process::ExitCode;

/// Show the table of a run again, or one of its games as text
///
/// For a game, prints its result, the end of the bot's standard error, and the field after each column and
/// each step of its chain. Lower-case letters are jewels, capital letters are jewels that the next step
/// clears, and dots are empty cells. The exit status is 1 for a failed game.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    judge show\n  \
    judge show wider --json > wider.json\n  \
    judge show --number layers\n  \
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
    /// Print all that is kept of the bot's standard error, not only its last 20 lines
    #[arg(long, requires = "case")]
    stderr: bool,
    /// Show a number that the bot reported, or a field of a game; can be repeated
    #[arg(long, value_name = "NAME", conflicts_with = "case")]
    number: Vec<String>,
    #[command(flatten)]
    json: JsonOption,
    #[command(flatten)]
    store: Store,
}

/// The maximum number of lines of standard error that are printed for a game, unless `--stderr` is given.
const MAX_STDERR_LINES: usize = 20;

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    let run = args.store.read(&args.run)?;
    if let Some(case) = &args.case {
        return show_game(args, &run, case);
    }
    let table = Table::new(
        run.rows.iter().map(|row| row.name.clone()),
        args.number.clone(),
    );
    let rows = run.rows.iter().map(|row| table.row_line(row, None) + "\n");
    let (rows, summary) = (rows.collect::<String>(), run.summary());
    let (description, header) = (run.description(), table.header_line());
    let text_summary = table::format_summary(&summary);
    let text = format!("{description}\n{header}\n{rows}\n{text_summary}");
    let folder = run.folder.display().to_string();
    let json = || {
        let (head, rows) = (&run.head, &run.rows);
        json::to_pretty(&json!({"run": folder, "head": head, "summary": summary, "rows": rows}))
    };
    args.json.print(json, &text)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the game of a run on a case: its result, the bot's standard error, and its columns. As JSON, prints
/// the row of the game with the text of standard error.
fn show_game(args: &Options, run: &Run, case: &str) -> Result<ExitCode> {
    let row = find_row(run, case)?;
    let stderr = fs::read(game_file_path(&run.folder, "err", &row.name)).unwrap_or_default();
    let stderr = String::from_utf8_lossy(&stderr);
    let json = || {
        let mut game = serde_json::to_value(row)?;
        game["stderr"] = stderr.as_ref().into();
        json::to_pretty(&game)
    };
    let max_lines = if args.stderr {
        usize::MAX
    } else {
        MAX_STDERR_LINES
    };
    let text =
        format_result(row) + &format_stderr(&stderr, max_lines) + &describe_plan(args, run, row)?;
    args.json.print(json, &text)?;
    Ok(ExitCode::from(u8::from(row.game.status.is_failed())))
}

/// Finds a game by the exact name of its case, or else by its seed.
fn find_row<'a>(run: &'a Run, case: &str) -> Result<&'a Row> {
    let seed: Option<u64> = case.parse().ok();
    let named = run.rows.iter().find(|row| row.name == case);
    let has_seed = |row: &&Row| row.seed.is_some() && row.seed == seed;
    let row = named.or_else(|| run.rows.iter().find(has_seed));
    row.with_context(|| format!("{case}: run {} has no game on such a case", run.label()))
}

/// Formats the result of a game: `0007: crashed: exit status: 3: boom`, or `0008: ok, 633889 points`.
fn format_result(row: &Row) -> String {
    let result = format!("{}: {}", row.name, table::ending(row));
    let is_failed = row.game.status.is_failed();
    let points = (!is_failed).then(|| format!(", {} points", row.game.score));
    to_one_line(&(result + &points.unwrap_or_default())) + "\n"
}

/// Formats the last `max_lines` lines of a bot's standard error, below a title. Returns an empty string if
/// there are none.
fn format_stderr(stderr: &str, max_lines: usize) -> String {
    let lines: Vec<&str> = stderr.lines().collect();
    let last = &lines[lines.len().saturating_sub(max_lines)..];
    let title = match lines.len() {
        0 => return String::new(),
        all if all > last.len() => {
            let all = count_text(all, "line");
            format!(
                "standard error, the last {} of {all} (all with --stderr):\n",
                last.len()
            )
        }
        _ => "standard error:\n".into(),
    };
    let last = last.iter().map(|line| format!("  {}\n", to_one_line(line)));
    title + &last.collect::<String>()
}

/// Describes the columns of a game. Returns an empty string if the game has failed and its plan is missing or
/// invalid.
fn describe_plan(args: &Options, run: &Run, row: &Row) -> Result<String> {
    let entries = run.cases();
    let case = entries.iter().find(|entry| entry.name() == row.name);
    let case = case.context("a row has a case")?.load()?;
    let lost = || {
        format!(
            "{}: run {} no longer has the plan of this game",
            row.name,
            run.label()
        )
    };
    let plan = run.read_output(row).with_context(lost);
    match plan.and_then(|plan| verdict::parse_plan(&case, &plan)) {
        Ok(plan) => moves::describe_game(&case, &plan, args.column),
        Err(_) if row.game.status.is_failed() => Ok(String::new()),
        Err(error) => Err(error),
    }
}
