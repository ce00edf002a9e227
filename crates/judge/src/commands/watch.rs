//! `judge watch`: plays the bot whenever one of its files changes, and reports whether it has become better.
//!
//! The judge polls the files: file notifications would miss changes in network folders, and in Windows
//! folders under WSL. It checks the same files before each game anyway.

use super::run::shuffle;
use anyhow::{Context, Result, ensure};
use clap::Args;
use columns_cli::options::parse_duration;
use columns_cli::output::{self, count_text};
use columns_cli::{command, progress, stderr};
use columns_judge::arena::process::FinishedProcess;
use columns_judge::compare::pair;
use columns_judge::config::Config;
use columns_judge::games::GameRunner;
use columns_judge::head::Head;
use columns_judge::program::files::{FilePatterns, FileStamp};
use columns_judge::row::Row;
use columns_judge::store::{Run, RunWriter, Store};
use columns_stats::{Candidate, Question};
use std::collections::HashMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{io, thread};

/// Play the bot of columns.toml whenever one of its files changes, and compare it with a base run
///
/// After each change the judge builds the bot and plays the cases of the base run, until a sequential test
/// has decided or --max-time is over; press Enter to play longer. Another change stops these games. The run
/// is kept, but never becomes the base by itself.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  judge watch\n  judge watch --base wider --max-time 5m")]
pub(crate) struct Options {
    /// The run to compare with [default: the last complete one]
    #[arg(long, value_name = "RUN")]
    base: Option<String>,
    /// Maximum time of a comparison
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_duration)]
    max_time: Duration,
    #[command(flatten)]
    store: Store,
}

/// The interval at which the judge checks the files, Enter and the clock.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// The number of games after which the progress line shows a result.
const MIN_GAMES_SHOWN: usize = 5;

/// Set when the user presses Enter.
static ENTER_PRESSED: AtomicBool = AtomicBool::new(false);

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    let config = Config::read()?;
    ensure!(
        config.bot.is_some() && !config.files.is_empty(),
        "expected a columns.toml with a bot and the files to watch (judge init writes one)"
    );
    let base = if let Some(run) = &args.base {
        args.store.read(run)?
    } else {
        let complete = args.store.find_newest(Run::is_complete)?;
        complete.context("expected a complete run to compare with: judge run plays one")?
    };
    command::on_interrupt(None, || {})?;
    // The thread ends with the process.
    thread::spawn(|| {
        let lines = io::stdin().lines().map_while(Result::ok);
        lines.for_each(|_| ENTER_PRESSED.store(true, Ordering::Relaxed));
    });
    let mut watch = Watch {
        stamps: read_stamps(&config.file_patterns(&args.store.folder))?,
        args,
        config,
        base,
    };
    watch.follow()?;
    Ok(ExitCode::from(command::interrupted_status()))
}

/// Formats the result so far, such as `worse: -16.04 % (with each game's change clipped at a factor of e:
/// -25.11 to -6.20 %, 90 % sure) after 31 games`.
fn result_text(candidate: &Candidate) -> String {
    let verdict = candidate.verdict().map(|verdict| verdict.to_string());
    let verdict = verdict.unwrap_or("undecided".into());
    let games = count_text(candidate.pairs().len(), "game");
    format!("{verdict}: {} after {games}", candidate.estimate_text())
}

/// Lists the files that the patterns match, with their stamps.
fn read_stamps(patterns: &FilePatterns) -> Result<Vec<(PathBuf, FileStamp)>> {
    let stamp = |path: PathBuf| {
        let stamp = FileStamp::read(&patterns.folder.join(&path))?;
        Ok((path, stamp))
    };
    patterns.find()?.into_iter().map(stamp).collect()
}

/// The bot to watch, and the run to compare it with.
struct Watch<'a> {
    args: &'a Options,
    config: Config,
    base: Run,
    /// The stamps of the watched files when the judge last checked them.
    stamps: Vec<(PathBuf, FileStamp)>,
}

impl Watch<'_> {
    /// Compares the bot after every change, until the user ends the command.
    fn follow(&mut self) -> Result<()> {
        let (base, games) = (self.base.label(), count_text(self.base.rows.len(), "game"));
        let files = count_text(self.stamps.len(), "file");
        let text = format!("watching {files}; the base is run {base} with {games}\n");
        output::print(&text)?;
        while !command::is_interrupted() {
            if self.changed_stamps().is_some() {
                // An editor may write several files: wait until they stop changing.
                while let Some(now) = self.changed_stamps() {
                    self.stamps = now;
                    thread::sleep(POLL_INTERVAL);
                }
                if let Err(error) = self.compare() {
                    stderr::warn(super::NAME, &format!("{error:#}"));
                }
            }
            thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    }

    /// Returns the stamps of the watched files if one has changed since the last check.
    fn changed_stamps(&self) -> Option<Vec<(PathBuf, FileStamp)>> {
        // While a file is being replaced, it is missing for a moment.
        let now = read_stamps(&self.config.file_patterns(&self.args.store.folder)).ok()?;
        (now != self.stamps).then_some(now)
    }

    fn is_interrupted(&self) -> bool {
        command::is_interrupted() || self.changed_stamps().is_some()
    }

    /// Builds the bot and plays the cases of the base, until the test has decided, no case is left, a watched
    /// file has changed, or the user has ended the command. Pauses when the time is over, until the user
    /// presses Enter.
    fn compare(&self) -> Result<()> {
        let base = &self.base.head;
        let program = self
            .config
            .build_program(None, base.limits, &self.args.store.folder)?;
        let pool = base.pool();
        let games = GameRunner { program, pool };
        let mut head = Head::new(&games, base.cases.clone())?;
        head.base_run = Some(self.base.number.clone());
        let mut cases = self.base.cases();
        let writer = RunWriter::begin(&self.args.store, &head, &self.base.folder.join("in"))?;
        let rows = self.base.rows.iter().map(|row| (&*row.name, row));
        let rows: HashMap<&str, &Row> = rows.collect();
        cases.retain(|case| rows.contains_key(&*case.name()));
        shuffle(&mut cases);
        let mut candidate = Candidate::new(Question::default(), cases.len(), 1);
        let start = Instant::now();
        loop {
            let stop = AtomicBool::new(false);
            let bar = progress::new_bar(0, "{msg}");
            let left = &cases[candidate.pairs().len()..];
            let show = |row: &Row| {
                if candidate.verdict().is_none() {
                    candidate.add_pair(pair(rows[&*row.name], row));
                    stop.fetch_or(candidate.verdict().is_some(), Ordering::Relaxed);
                }
                if candidate.pairs().len() >= MIN_GAMES_SHOWN {
                    bar.set_message(result_text(&candidate));
                }
                Ok(())
            };
            let keep = |row: &Row, process: &FinishedProcess| writer.keep_game(row, process);
            let played = self.play_until_pause(&stop, || games.play(left, &stop, keep, show));
            bar.finish_and_clear();
            writer.sync()?;
            // If a file has changed, the error in `played` may be about that change: ignore it.
            if self.is_interrupted() {
                return Ok(());
            }
            played?;
            let (result, seconds) = (result_text(&candidate), start.elapsed().as_secs());
            if candidate.verdict().is_some() || candidate.pairs().len() == cases.len() {
                return output::print(&format!("{result}, {seconds} s\n"));
            }
            ENTER_PRESSED.store(false, Ordering::Relaxed);
            output::print(&format!("{result}; Enter plays on\n"))?;
            while !ENTER_PRESSED.load(Ordering::Relaxed) {
                if self.is_interrupted() {
                    return Ok(());
                }
                thread::sleep(POLL_INTERVAL);
            }
        }
    }

    /// Calls `play` in another thread. Sets `stop` when the time is over, a watched file has changed, or the
    /// user has ended the command.
    fn play_until_pause<T: Send>(&self, stop: &AtomicBool, play: impl FnOnce() -> T + Send) -> T {
        let start = Instant::now();
        thread::scope(|scope| {
            let games = scope.spawn(play);
            while !games.is_finished() {
                thread::sleep(POLL_INTERVAL);
                if start.elapsed() > self.args.max_time || self.is_interrupted() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            games.join().expect("no panic")
        })
    }
}
