//! `judge history`: lists runs with their relative scores.

use anyhow::{Context, Result, ensure};
use clap::Args;
use columns_cli::options::Json;
use columns_cli::{input, json};
use columns_judge::report::Report;
use columns_judge::standing;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

/// List runs from the oldest to the newest, relative to the best score of each case
///
/// Without names it lists all reports in this folder. The relative score of a run is the mean of
/// score / best score over its cases; the best score is that of all listed runs. Cases with equal
/// texts are the same case, even under different names.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  judge run --seeds 1..=100 --json runs/wider.json --comment 'wider beam'
  judge history runs
  judge history --cases runs/wider.json runs/narrow.json")]
pub(crate) struct Options {
    /// Reports of `judge run --json`, or folders of reports [default: this folder]
    #[arg(value_name = "FILE", default_value = ".", hide_default_value = true)]
    files: Vec<PathBuf>,
    /// List the cases instead: the best score of each, and the score of each run as a percentage of it
    #[arg(long)]
    cases: bool,
    #[command(flatten)]
    json: Json,
}

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    let mut runs = Vec::new();
    for path in &args.files {
        if path.is_dir() {
            runs.extend(reports(path)?);
        } else {
            runs.push(Report::read(path)?);
        }
    }
    args.json
        .check(&["bot_version"], runs.iter().map(|run| &run.file))?;
    standing::set_relative(&mut runs);
    let text = if args.cases {
        standing::cases(&runs)
    } else {
        standing::table(&runs)
    };
    args.json.write(|| json::pretty(&runs), &text)?;
    Ok(ExitCode::SUCCESS)
}

/// Reads the reports among the files `*.json` of a folder.
fn reports(folder: &Path) -> Result<Vec<Report>> {
    let listing: io::Result<Vec<_>> = fs::read_dir(folder).and_then(Iterator::collect);
    let name = input::name(folder);
    let listing = listing.with_context(|| format!("{name}: cannot be read"))?;
    let paths = listing.iter().map(fs::DirEntry::path);
    let paths = paths.filter(|path| path.extension() == Some("json".as_ref()));
    let has_report = |text: String| text.starts_with('{') && text.contains("\"bot_version\"");
    let is_report = |path: &PathBuf| fs::read_to_string(path).is_ok_and(has_report);
    // Show `a.json`, not `./a.json`.
    let read = |path: PathBuf| Report::read(path.strip_prefix(".").unwrap_or(&path));
    let reports: Vec<Report> = paths.filter(is_report).map(read).collect::<Result<_>>()?;
    ensure!(
        !reports.is_empty(),
        "{name}: expected reports of `judge run --json`, found none"
    );
    Ok(reports)
}
