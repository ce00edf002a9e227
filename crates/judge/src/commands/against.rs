//! Plays a comparison with a base run: `judge run --against RUN`, and each round of `judge watch`.
//!
//! The cases of the base are played in a fixed shuffled order. A sequential test decides as soon as the
//! change is clear, so most comparisons need only a few games. The run is kept, and its head names the base.

use super::run::{resume_advice, shuffle};
use anyhow::{Result, ensure};
use columns_cli::output::count_text;
use columns_cli::stderr;
use columns_judge::arena::process::FinishedProcess;
use columns_judge::cases::CaseEntry;
use columns_judge::compare::pair;
use columns_judge::games::GameRunner;
use columns_judge::row::Row;
use columns_judge::store::{Run, RunWriter};
use columns_stats::{Candidate, Question, Verdict};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The exit status if the sequential test has not decided, for example because no cases are left.
const UNDECIDED_STATUS: u8 = 3;

/// The comparison of a run in progress with its base run.
pub(crate) struct BaseComparison {
    base: Run,
    games: GameRunner,
    writer: RunWriter,
    pairs: Pairs,
    start: Instant,
}

/// The games of both runs. The sequential test receives them in the order of `cases`, even if a resumed run
/// already has games on later cases.
struct Pairs {
    /// The cases that the base has played, in the order of play.
    cases: Vec<CaseEntry>,
    base_rows: HashMap<String, Row>,
    /// The rows of this run that the test has not received yet, by the name of the case.
    pending_rows: HashMap<String, Row>,
    candidate: Candidate,
}

impl Pairs {
    /// Passes the next pairs to the test, until it has decided or a row is missing.
    fn advance(&mut self) {
        while self.candidate.verdict().is_none()
            && let Some(case) = self.cases.get(self.candidate.pairs().len())
            && let Some(row) = self.pending_rows.remove(&case.name())
        {
            let base = &self.base_rows[&row.name];
            self.candidate.add_pair(pair(base, &row));
        }
    }
}

impl BaseComparison {
    /// Prepares to compare the run of `writer` with `base`. The test first receives the games that a resumed
    /// run already has.
    ///
    /// # Errors
    /// Returns an error if the base of a resumed run has been replaced by a run without games or with other
    /// cases.
    pub(crate) fn new(base: Run, games: GameRunner, writer: RunWriter) -> Result<Self> {
        check_has_games(&base)?;
        let (run, cases) = (writer.run.folder.display(), &base.head.cases);
        ensure!(
            *cases == writer.run.head.cases,
            "{run}: expected run {} to have the same cases as this comparison with it, found {}",
            base.label(),
            cases.options_text()
        );
        let by_name = |row: &Row| (row.name.clone(), row.clone());
        let base_rows: HashMap<String, Row> = base.distinct_rows().map(by_name).collect();
        let mut cases = writer.run.cases();
        cases.retain(|case| base_rows.contains_key(&case.name()));
        shuffle(&mut cases);
        let mut pairs = Pairs {
            candidate: Candidate::new(Question::default(), cases.len(), 1),
            pending_rows: writer.run.rows.iter().map(by_name).collect(),
            base_rows,
            cases,
        };
        pairs.advance();
        Ok(Self {
            base,
            games,
            writer,
            pairs,
            start: Instant::now(),
        })
    }

    /// Prints a note for each condition in which the base differs from this run.
    fn print_notes(&self) {
        let (head, label) = (&self.writer.run.head, self.base.label());
        for (what, [base, now]) in self.base.head.differences(head) {
            stderr::log(&format!("note: {what}: {base} in run {label}, {now} now"));
        }
    }

    /// Returns the sequential test.
    pub(crate) fn candidate(&self) -> &Candidate {
        &self.pairs.candidate
    }

    /// Returns the number of cases of the comparison, played or not.
    pub(crate) fn case_count(&self) -> usize {
        self.pairs.cases.len()
    }

    /// Prints notes on different conditions, and plays until the test has decided, no cases are left, the
    /// time is up, or `stop` is set. `show` receives each row after the test has received it.
    ///
    /// # Errors
    /// Returns an error if a game cannot be played or kept, or if `show` fails.
    pub(crate) fn play(
        &mut self,
        stop: &AtomicBool,
        max_time: Option<Duration>,
        mut show: impl FnMut(&Row, &Candidate) -> Result<()>,
    ) -> Result<()> {
        self.print_notes();
        let (writer, pairs) = (&self.writer, &mut self.pairs);
        if pairs.candidate.verdict().is_some() {
            return Ok(());
        }
        let mut missing = writer.run.unplayed_cases();
        missing.retain(|case| pairs.base_rows.contains_key(&case.name()));
        shuffle(&mut missing);
        let on_row = |row: &Row| {
            pairs.pending_rows.insert(row.name.clone(), row.clone());
            pairs.advance();
            if pairs.candidate.verdict().is_some() {
                stop.store(true, Ordering::Relaxed);
            }
            show(row, &pairs.candidate)
        };
        let keep = |row: &Row, process: &FinishedProcess| writer.keep_game(row, process);
        with_timeout(max_time, stop, || {
            self.games.play(&missing, stop, keep, on_row)
        })
    }

    /// Describes the result in a line. If the test has received games but not decided, a second line gives
    /// advice.
    pub(crate) fn report(&self) -> String {
        let (candidate, cases) = (self.candidate(), self.case_count());
        let advice = match candidate.pairs().len() {
            _ if candidate.verdict().is_some() => String::new(),
            0 => String::new(),
            games if games < cases => resume_advice(&self.writer.run.folder) + "\n",
            _ => {
                let (base, all) = (self.base.label(), count_text(cases, "case"));
                format!(
                    "all of run {base} is played ({all}): for an answer, play a base with more --seeds \
                     first\n"
                )
            }
        };
        let (text, seconds) = (result_text(candidate), self.start.elapsed().as_secs());
        format!("{text}, {seconds} s\n{advice}")
    }

    /// Waits until all rows are on disk. Returns the run, or removes it and returns `None` if no game has
    /// ended.
    ///
    /// # Errors
    /// Returns an error if the rows cannot be written, or if the run cannot be read or removed.
    pub(crate) fn finish(self) -> Result<Option<Run>> {
        self.writer.sync()?;
        self.writer.into_run()
    }
}

/// Checks that a run can be the base of a comparison.
///
/// # Errors
/// Returns an error if the run has no games.
pub(crate) fn check_has_games(base: &Run) -> Result<()> {
    ensure!(
        !base.rows.is_empty(),
        "run {}: expected a run with games to compare with, found none in it",
        base.label()
    );
    Ok(())
}

/// Calls `play`, and sets `stop` if it takes longer than `max_time`. `None` means no limit.
fn with_timeout<T>(max_time: Option<Duration>, stop: &AtomicBool, play: impl FnOnce() -> T) -> T {
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

/// Formats the current result, such as `worse: -16.04 % (with each game's change clipped at a factor of e:
/// -25.11 to -6.20 %, 90 % sure) after 31 games`.
pub(crate) fn result_text(candidate: &Candidate) -> String {
    let verdict = candidate.verdict().map(|verdict| verdict.to_string());
    let verdict = verdict.unwrap_or("undecided".into());
    let games = count_text(candidate.pairs().len(), "game");
    format!("{verdict}: {} after {games}", candidate.estimate_text())
}

/// Returns the exit status of a verdict: 0 better or no worse, 1 worse or not better, 3 undecided.
pub(crate) fn exit_status(candidate: &Candidate) -> ExitCode {
    match candidate.verdict() {
        Some(Verdict::Better | Verdict::NoWorse) => ExitCode::SUCCESS,
        Some(Verdict::NotBetter | Verdict::Worse) => ExitCode::FAILURE,
        None => ExitCode::from(UNDECIDED_STATUS),
    }
}

/// Returns what `--json` prints after the games: the run, the verdict, and the change with its interval.
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
