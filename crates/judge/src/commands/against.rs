//! A comparison with a base run while it is played: `judge run --against RUN`, and each round of `judge
//! watch`.
//!
//! The cases of the base are played in a fixed shuffled order. A sequential test decides as soon as the
//! change is clear, so most comparisons need only a few games. The run is kept, and its head names the base.

use super::run::{resume_advice, shuffle};
use anyhow::{Result, ensure};
use columns_cli::output::count_text;
use columns_judge::arena::process::FinishedProcess;
use columns_judge::cases::CaseEntry;
use columns_judge::compare::pair;
use columns_judge::games::GameRunner;
use columns_judge::head::Head;
use columns_judge::row::Row;
use columns_judge::store::{Run, RunWriter, Store};
use columns_stats::{Candidate, Question, Verdict};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The exit status of a comparison without an answer.
const UNDECIDED_STATUS: u8 = 3;

/// The number of games after which the first result is printed; the next ones follow at twice the number.
const FIRST_REPORT: usize = 10;

/// A comparison that is being played.
pub(crate) struct Against {
    base: Run,
    games: GameRunner,
    writer: RunWriter,
    /// The cases that the base has played, in the order of play.
    cases: Vec<CaseEntry>,
    /// The rows of this run whose pairs the test has not seen yet, by the name of the case.
    waiting: HashMap<String, Row>,
    candidate: Candidate,
    start: Instant,
}

impl Against {
    /// Begins a run on the cases of `base`. `describe` completes its head.
    ///
    /// # Errors
    /// Returns an error if the base has no games, or if the run cannot be begun.
    pub(crate) fn begin(
        store: &Store,
        base: Run,
        games: GameRunner,
        describe: impl FnOnce(&mut Head),
    ) -> Result<Self> {
        expect_games(&base)?;
        let mut head = Head::new(&games, base.head.cases.clone())?;
        head.base_run = Some(base.number.clone());
        describe(&mut head);
        let writer = RunWriter::begin(store, &head, &base.folder.join("in"))?;
        Self::new(base, games, writer)
    }

    /// Continues a comparison, which may have games.
    ///
    /// # Errors
    /// Returns an error if the base has no games.
    pub(crate) fn new(base: Run, games: GameRunner, writer: RunWriter) -> Result<Self> {
        expect_games(&base)?;
        let names: Vec<&String> = base.distinct_rows().map(|row| &row.name).collect();
        let mut cases = writer.run.cases();
        cases.retain(|case| names.contains(&&case.name()));
        shuffle(&mut cases);
        let rows = writer.run.rows.iter();
        Ok(Self {
            candidate: Candidate::new(Question::default(), cases.len(), 1),
            waiting: rows.map(|row| (row.name.clone(), row.clone())).collect(),
            start: Instant::now(),
            base,
            games,
            writer,
            cases,
        })
    }

    /// Describes how the conditions of the base differ from those of this run.
    pub(crate) fn notes(&self) -> Vec<String> {
        let now = self.writer.run.head.conditions();
        let conditions = self.base.head.conditions().into_iter().zip(now);
        let differ = conditions.filter(|((_, base), (_, now))| base != now);
        let label = self.base.label();
        differ
            .map(|((what, base), (_, now))| format!("{what}: {base} in run {label}, {now} now"))
            .collect()
    }

    /// Plays until the test has decided, the cases are used up, the time is over, or `stop` is set. `show`
    /// receives each row, after the test has seen it. At first it is called without a row for the games that
    /// the run had before.
    ///
    /// # Errors
    /// Returns an error if a game cannot be played or kept, or if `show` fails.
    pub(crate) fn play(
        &mut self,
        stop: &AtomicBool,
        max_time: Option<Duration>,
        mut show: impl FnMut(Option<&Row>, &Candidate) -> Result<()>,
    ) -> Result<()> {
        let mut missing = self.cases.clone();
        missing.retain(|case| !self.waiting.contains_key(&case.name()));
        let Self {
            base,
            games,
            writer,
            cases,
            waiting,
            candidate,
            ..
        } = self;
        let rows = base.rows.iter().map(|row| (row.name.as_str(), row));
        let rows: HashMap<&str, &Row> = rows.collect();
        // The test sees the pairs in the order of the cases, whatever games the run had before.
        let mut advance = |waiting: &mut HashMap<String, Row>| {
            while candidate.verdict().is_none() {
                let case = cases.get(candidate.pairs().len()).map(CaseEntry::name);
                let Some(row) = case.and_then(|name| waiting.remove(&name)) else {
                    break;
                };
                candidate.add_pair(pair(rows[row.name.as_str()], &row));
            }
            candidate.clone()
        };
        let before = advance(waiting);
        if !before.pairs().is_empty() {
            show(None, &before)?;
        }
        if before.verdict().is_some() {
            return Ok(());
        }
        let on_row = |row: &Row| {
            waiting.insert(row.name.clone(), row.clone());
            let now = advance(waiting);
            if now.verdict().is_some() {
                stop.store(true, Ordering::Relaxed);
            }
            show(Some(row), &now)
        };
        let keep = |row: &Row, process: &FinishedProcess| writer.keep_game(row, process);
        within(max_time, stop, || games.play(&missing, stop, keep, on_row))
    }

    /// Waits until all rows are on the disk, and describes the result. A run without games leaves no folder.
    ///
    /// # Errors
    /// Returns an error if the rows cannot be written.
    pub(crate) fn finish(self) -> Result<Outcome> {
        self.writer.sync()?;
        let folder = self.writer.run.folder.clone();
        let has_games = self.writer.remove_if_empty()?;
        let (candidate, case_count) = (self.candidate, self.cases.len());
        let advice = if !has_games || candidate.verdict().is_some() {
            String::new()
        } else if candidate.pairs().len() < case_count {
            resume_advice(&folder) + "\n"
        } else {
            let (base, all) = (self.base.label(), count_text(case_count, "case"));
            format!(
                "all of run {base} is played ({all}): for an answer, play a base with more --seeds first\n"
            )
        };
        let (text, seconds) = (result_text(&candidate), self.start.elapsed().as_secs());
        Ok(Outcome {
            candidate,
            case_count,
            folder,
            has_games,
            report: format!("{text}, {seconds} s\n{advice}"),
        })
    }
}

/// The result of a comparison that has been played.
pub(crate) struct Outcome {
    pub(crate) candidate: Candidate,
    /// The number of cases of the comparison, played or not.
    pub(crate) case_count: usize,
    /// The folder of the run, which no longer exists if no game has ended.
    pub(crate) folder: PathBuf,
    /// True if a game has ended.
    pub(crate) has_games: bool,
    /// A line with the result, and a line that says how to get an answer if there is none.
    pub(crate) report: String,
}

/// Checks that a run can be the base of a comparison.
///
/// # Errors
/// Returns an error if the run has no games.
pub(crate) fn expect_games(base: &Run) -> Result<()> {
    ensure!(
        !base.rows.is_empty(),
        "run {}: expected a run with games to compare with, found none in it",
        base.label()
    );
    Ok(())
}

/// Calls `play`. Sets `stop` when `max_time` is over.
fn within<T>(max_time: Option<Duration>, stop: &AtomicBool, play: impl FnOnce() -> T) -> T {
    let Some(max_time) = max_time else {
        return play();
    };
    thread::scope(|scope| {
        let (done, is_done) = mpsc::channel::<()>();
        scope.spawn(move || {
            if is_done.recv_timeout(max_time) == Err(RecvTimeoutError::Timeout) {
                stop.store(true, Ordering::Relaxed);
            }
        });
        let played = play();
        drop(done);
        played
    })
}

/// True if the result after this number of games is printed.
pub(crate) fn is_reported(games: usize) -> bool {
    games.is_multiple_of(FIRST_REPORT) && (games / FIRST_REPORT).is_power_of_two()
}

/// Formats the result so far, such as `worse: -16.04 % (with each game's change clipped at a factor of e:
/// -25.11 to -6.20 %, 90 % sure) after 31 games`.
pub(crate) fn result_text(candidate: &Candidate) -> String {
    let verdict = candidate.verdict().map(|verdict| verdict.to_string());
    let verdict = verdict.unwrap_or("undecided".into());
    let games = count_text(candidate.pairs().len(), "game");
    format!("{verdict}: {} after {games}", candidate.estimate_text())
}

/// Returns the exit status of a verdict: 0 better, 1 worse or not better, 3 undecided.
pub(crate) fn status(candidate: &Candidate) -> ExitCode {
    match candidate.verdict() {
        Some(Verdict::Better | Verdict::NoWorse) => ExitCode::SUCCESS,
        Some(Verdict::NotBetter | Verdict::Worse) => ExitCode::FAILURE,
        None => ExitCode::from(UNDECIDED_STATUS),
    }
}

/// Returns the result as JSON.
pub(crate) fn to_json(run: &Run, candidate: &Candidate) -> Value {
    json!({
        "run": run.folder.display().to_string(),
        "summary": run.summary(),
        "base_run": run.head.base_run,
        "verdict": candidate.verdict(),
        "percent_change": candidate.percent_change(),
        "interval": candidate.interval(),
        "pairs": candidate.pairs().len(),
    })
}
