//! The games of a run, kept so that the same command continues after any stop.
//!
//! While the run plays it appends a line to `FILE.part` for every game that ends, below a first line with the head of the report:
//!
//! ```json
//! {"format":1,"judge":"0.2.0","bot":"./mine","bot_digest":"1a2b3c4d5e6f7a8b",…,"rows":[]}
//! {"name":"0003","seed":3,"digest":"5e6f7a8b1a2b3c4d","score":631868,…}
//! ```
//!
//! At the end, or when it is interrupted, the run writes its report to `FILE` and removes `FILE.part`. The next run of the command
//! reads both files.

use crate::cases::Entry;
use crate::report::{Report, LIMIT};
use crate::row::Row;
use anyhow::{bail, ensure, Context, Result};
use columns_cli::{file, input, json, lock};
use columns_generator::digest::digest;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What a refused command line is told to do.
const ADVICE: &str = "give another file, or remove this one to play all games again";

/// The report of a run and its games so far.
#[derive(Debug, Default)]
pub struct Record {
    /// The file of the report, if there is one.
    path: Option<PathBuf>,
    /// `FILE.part`, locked; `None` for a device, which keeps nothing to continue.
    part: Option<(PathBuf, File)>,
    /// The games that need not be played again.
    pub kept: Vec<Row>,
    /// The time that an earlier report counts, in seconds.
    pub elapsed_s: f64,
}

impl Record {
    /// True if an earlier run may have left games at this path.
    pub fn is_at(path: &Path) -> bool {
        path.is_file() || part(path).exists()
    }

    /// Opens the record of the run with this head and these cases, or creates it.
    ///
    /// # Errors
    /// One line that names the file: it is no report, or one of another bot, of other cases or limits; another process plays the
    /// run; it cannot be read or written.
    pub fn open(path: Option<PathBuf>, head: &Report, cases: &[Entry]) -> Result<Self> {
        let mut record = Self {
            path,
            ..Self::default()
        };
        let is_kept = |path: &PathBuf| path.is_file() || !path.exists();
        let Some(path) = record.path.clone().filter(is_kept) else {
            return Ok(record);
        };
        let (name, part) = (input::name(&path), part(&path));
        if fs::metadata(&path).is_ok_and(|file| file.len() > 0) {
            let report = Report::read(&path)?;
            check(&report, head).with_context(|| name.clone())?;
            (record.elapsed_s, record.kept) = (report.elapsed_s, report.rows);
        }
        let mut text = if part.exists() {
            input::read(&part, LIMIT)?
        } else {
            String::new()
        };
        // A process that was killed may have left a part of a line.
        text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
        let shown = input::name(&part);
        let (first, games) = text.split_once('\n').unwrap_or_default();
        if !first.is_empty() {
            let checked = Report::parse(first).and_then(|earlier| check(&earlier, head));
            checked.with_context(|| shown.clone())?;
        }
        for (line, game) in (2..).zip(games.lines()) {
            let at = || format!("{shown}: line {line}: expected a game of `judge run`");
            let row = serde_json::from_str(game).with_context(at)?;
            record.kept.push(row);
        }
        let mut names = HashSet::new();
        record.kept.retain(|row| names.insert(row.name.clone()));
        check_cases(&record.kept, cases).with_context(|| name.clone())?;
        // Not before: a command that is refused leaves nothing.
        let busy = format!("{name}: another process is playing this run");
        let mut games = lock::open(&part, &busy)?;
        games.set_len(text.len() as u64)?;
        games.seek(SeekFrom::End(0))?;
        if text.is_empty() {
            append(&mut games, &shown, head)?;
        }
        record.part = Some((part, games));
        Ok(record)
    }

    /// Adds a game that has ended.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, row: &Row) -> Result<()> {
        let part = self.part.as_mut();
        part.map_or(Ok(()), |(path, games)| {
            append(games, &input::name(path), row)
        })
    }

    /// Writes the report, unless no game has ended, and removes what is then superfluous.
    ///
    /// # Errors
    /// If the report cannot be written. Nothing is lost then.
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

/// Appends a value as a line of JSON to the file `name`, in one call, so that a killed process leaves whole lines.
///
/// # Errors
/// If the file cannot be written.
pub fn append(file: &mut impl Write, name: &str, value: &impl Serialize) -> Result<()> {
    let line = serde_json::to_string(value)? + "\n";
    let written = file.write_all(line.as_bytes());
    written.with_context(|| format!("{name}: cannot be written"))
}

/// The file of the games of a run that has not ended.
fn part(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// Fails if a report is not of the bot, or not under the conditions, of the run with this head.
fn check(report: &Report, head: &Report) -> Result<()> {
    if (&report.bot, &report.bot_digest) != (&head.bot, &head.bot_digest) {
        let [was, is] = [report, head].map(|of| format!("{} ({})", of.bot, of.identity()));
        bail!("expected the games of {is}, found those of {was}: {ADVICE}");
    }
    for ((what, was), (_, is)) in report.conditions().into_iter().zip(head.conditions()) {
        ensure!(
            was == is,
            "{what}: expected {is}, found games with {was}: {ADVICE}"
        );
    }
    Ok(())
}

/// Fails if a game is on a case that is not, or no longer, one of these.
fn check_cases(games: &[Row], cases: &[Entry]) -> Result<()> {
    let cases: HashMap<String, &Entry> = cases.iter().map(|case| (case.name(), case)).collect();
    for row in games {
        let case = cases.get(&row.name).map(|case| case.load()).transpose()?;
        ensure!(
            case.is_some_and(|case| digest(&case) == row.digest),
            "expected the cases of this command, found a game on another case {}: {ADVICE}",
            row.name
        );
    }
    Ok(())
}
