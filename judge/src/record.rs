//! Keeps the games of a run on disk, so that the same command resumes the run after any interruption.
//!
//! The first line of `FILE.part` is the report without its games. Below it the run appends a line for each game that ends:
//!
//! ```json
//! {"format":1,"judge":"0.2.0","bot":"./mine","bot_digest":"1a2b3c4d5e6f7a8b",…,"rows":[]}
//! {"name":"0003","seed":3,"digest":"5e6f7a8b1a2b3c4d","score":631868,…}
//! ```
//!
//! When the run ends or is interrupted, it writes its report to `FILE` and removes `FILE.part`. A killed run leaves
//! `FILE.part` behind. When the same command starts again, it reads whichever of the two files exist.

use crate::cases::Entry;
use crate::report::{LIMIT, Report};
use crate::row::Row;
use anyhow::{Context, Result, bail, ensure};
use columns_cli::{file, input, json, lock};
use columns_generator::digest::digest;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Advice at the end of the messages about a file of another run.
const ADVICE: &str = "give another file, or remove this one to play all games again";

/// The files of a run, and its earlier games.
#[derive(Debug, Default)]
pub struct Record {
    /// The file of the report; `None` if no report is kept.
    path: Option<PathBuf>,
    /// `FILE.part`, locked. `None` if no report is kept, or if it goes to a device, which cannot be read back.
    part: Option<(PathBuf, File)>,
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

    /// Opens or creates the record of a run. `head` is its report without games, and `cases` are all its cases.
    ///
    /// # Errors
    /// If the file cannot be read or written, is not a report, or is used by another process. Also if it belongs to a run
    /// with another bot, other cases or other conditions. The error names the file.
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
        let text = part.exists().then(|| input::read(&part, LIMIT));
        let mut text = text.transpose()?.unwrap_or_default();
        // A killed process may have left an incomplete line.
        text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
        let part_name = input::name(&part);
        let (first, games) = text.split_once('\n').unwrap_or_default();
        if !first.is_empty() {
            let checked = Report::parse(first).and_then(|earlier| check(&earlier, head));
            checked.with_context(|| part_name.clone())?;
        }
        for (line, game) in (2..).zip(games.lines()) {
            let at = || format!("{part_name}: line {line}: expected a game of `judge run`");
            let row = serde_json::from_str(game).with_context(at)?;
            record.kept.push(row);
        }
        let mut names = HashSet::new();
        record.kept.retain(|row| names.insert(row.name.clone()));
        check_cases(&record.kept, cases).with_context(|| name.clone())?;
        // Create the file only now, so that a rejected command leaves no file behind.
        let busy = format!("{name}: another process is playing this run");
        let mut games = lock::open(&part, &busy)?;
        games.set_len(text.len() as u64)?;
        games.seek(SeekFrom::End(0))?;
        if text.is_empty() {
            append(&mut games, &part_name, head)?;
        }
        record.part = Some((part, games));
        Ok(record)
    }

    /// Appends a game that has ended.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, row: &Row) -> Result<()> {
        let part = self.part.as_mut();
        part.map_or(Ok(()), |(path, games)| {
            append(games, &input::name(path), row)
        })
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

/// Appends a value to a file as a line of JSON. `name` is the file's name in messages.
///
/// Writes the line in a single call, so that a process that is killed rarely leaves an incomplete line.
///
/// # Errors
/// If the file cannot be written.
pub fn append(file: &mut impl Write, name: &str, value: &impl Serialize) -> Result<()> {
    let line = serde_json::to_string(value)? + "\n";
    let written = file.write_all(line.as_bytes());
    written.with_context(|| format!("{name}: cannot be written"))
}

/// Returns the path of `FILE.part`.
fn part(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// Fails if `report` is from another bot than `head`, or from a run under other conditions.
fn check(report: &Report, head: &Report) -> Result<()> {
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
    Ok(())
}

/// Fails if a game was played on a case that is not among `cases`, or whose text has changed.
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
