//! Keeps the games of a run on disk, so that the same command resumes the run after any interruption.
//!
//! `FILE.part` is a [ledger](columns_cli::ledger): its head holds the report without games, and the run appends a line for
//! each game that ends.
//!
//! ```json
//! {"crc":"1a2b3c4d","ledger":"judge run","format":1,"report":{"format":1,"judge":"0.2.0","bot":"./mine",…,"rows":[]}}
//! {"crc":"5e6f7a8b","name":"0003","seed":3,"digest":"5e6f7a8b1a2b3c4d","score":631868,…}
//! ```
//!
//! When the run ends or is interrupted, it writes its report to `FILE` and removes `FILE.part`. A killed run leaves
//! `FILE.part` behind. When the same command starts again, it reads whichever of the two files exist.

use crate::cases::Entry;
use crate::report::Report;
use crate::row::Row;
use anyhow::{Context, Result, bail, ensure};
use columns_cli::ledger::{Head, Ledger};
use columns_cli::{file, input, json};
use columns_generator::digest::digest;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Advice at the end of the messages about a file of another run.
const ADVICE: &str = "give another file, or remove this one to play all games again";

/// The head of `FILE.part`.
#[derive(Debug, Serialize, Deserialize)]
struct Begun {
    /// The report of the run, without games and times.
    report: Report,
}

impl Head for Begun {
    const LEDGER: &'static str = "judge run";
    const WHAT: &'static str = "a run of the judge";
    const FORMAT: u32 = 1;
}

/// The files of a run, and its earlier games.
#[derive(Debug, Default)]
pub struct Record {
    /// The file of the report; `None` if no report is kept.
    path: Option<PathBuf>,
    /// `FILE.part`. `None` if no report is kept, or if it goes to a device, which cannot be read back.
    part: Option<(PathBuf, Ledger<Row>)>,
    /// The games that earlier invocations of the command have played. They are not played again.
    pub kept: Vec<Row>,
    /// Duration of the run according to the earlier report, in seconds.
    pub elapsed_s: f64,
}

impl Record {
    /// True if an earlier invocation of the command may have left games for the report at this path.
    pub fn is_at(path: &Path) -> bool {
        path.is_file() || part(path).exists()
    }

    /// Opens or creates the record of a run. `head` is its report without games and times, and `cases` are all its cases.
    ///
    /// # Errors
    /// If the file cannot be read or written, is damaged, is not a report, or is used by another process. Also if it
    /// belongs to a run with another bot, other cases or other conditions. The error names the file.
    pub fn open(path: Option<PathBuf>, head: &Report, cases: &[Entry]) -> Result<Self> {
        let mut record = Self {
            path,
            ..Self::default()
        };
        let is_kept = |path: &PathBuf| path.is_file() || !path.exists();
        let Some(path) = record.path.clone().filter(is_kept) else {
            return Ok(record);
        };
        // Check the report first, so that a rejected command does not create `FILE.part`.
        if fs::metadata(&path).is_ok_and(|file| file.len() > 0) {
            let report = Report::read(&path)?;
            check(&report, head, cases).with_context(|| input::name(&path))?;
            (record.elapsed_s, record.kept) = (report.elapsed_s, report.rows);
        }
        let (part, report) = (part(&path), head.clone());
        let (mut games, mut begun) = Ledger::open_or_begin(&part, &Begun { report })?;
        while let Some(row) = games.pass()? {
            begun.report.rows.push(row);
        }
        check(&begun.report, head, cases).with_context(|| input::name(&part))?;
        record.kept.extend(begun.report.rows);
        let mut names = HashSet::new();
        record.kept.retain(|row| names.insert(row.name.clone()));
        record.part = Some((part, games));
        Ok(record)
    }

    /// Appends a game that has ended.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, row: &Row) -> Result<()> {
        let part = self.part.as_mut();
        part.map_or(Ok(()), |(_, games)| games.record(row))
    }

    /// Writes the report, unless it has no games, and removes `FILE.part`.
    ///
    /// # Errors
    /// If the report cannot be written. The games are then still in `FILE.part`.
    pub fn close(self, report: &Report) -> Result<()> {
        if let Some(path) = self.path.filter(|_| !report.rows.is_empty()) {
            file::write(&path, json::pretty(report)?.as_bytes())?;
        }
        self.part.map_or(Ok(()), |(path, _)| {
            fs::remove_file(&path)
                .with_context(|| format!("{}: cannot be removed", input::name(&path)))
        })
    }
}

/// Returns the path of `FILE.part`.
fn part(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// Fails if the games of `report` are from another bot than `head`, were played under other conditions, or were played on
/// a case that is not among `cases` or whose text has changed.
fn check(report: &Report, head: &Report, cases: &[Entry]) -> Result<()> {
    if (&report.bot, &report.bot_digest) != (&head.bot, &head.bot_digest) {
        let [earlier, current] = [report, head].map(|r| format!("{} ({})", r.bot, r.identity()));
        bail!("expected the games of {current}, found those of {earlier}: {ADVICE}");
    }
    for ((what, earlier), (_, current)) in report.conditions().into_iter().zip(head.conditions()) {
        ensure!(
            earlier == current,
            "{what}: expected {current}, found games with {earlier}: {ADVICE}"
        );
    }
    let cases: HashMap<String, &Entry> = cases.iter().map(|case| (case.name(), case)).collect();
    for row in &report.rows {
        let case = cases.get(&row.name).map(|case| case.load()).transpose()?;
        ensure!(
            case.is_some_and(|case| digest(&case) == row.digest),
            "expected the cases of this command, found a game on another case {}: {ADVICE}",
            row.name
        );
    }
    Ok(())
}
