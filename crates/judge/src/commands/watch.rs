//! `judge watch`: plays the bot whenever its sources change, and reports whether it has become better.
//!
//! The system reports events in the folders of the sources. After an event, the judge compares the contents
//! of the sources with their contents at the end of the last build. Files that a build writes, and files
//! whose contents stay the same, do not start another build.

use super::against::{self, BaseComparison};
use super::watcher::{Sources, watch};
use anyhow::{Context, Result};
use clap::Args;
use columns_cli::options::parse_duration;
use columns_cli::output::{self, count_text};
use columns_cli::{command, progress, stderr};
use columns_judge::config::Config;
use columns_judge::games::GameRunner;
use columns_judge::head::Head;
use columns_judge::program::files::join_paths;
use columns_judge::store::{Run, RunWriter, Store};
use notify::Watcher;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// Play the bot of columns.toml whenever its sources change, and compare it with a base run
///
/// After each change the judge builds the bot and plays the cases of the base run, as `judge run --against`
/// does, until a sequential test has decided or --max-time has passed. Another change stops these games. The
/// run is kept, but never becomes the base by itself. Ctrl-C ends the command.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  judge watch\n  judge watch --base wider --max-time 5m")]
pub(crate) struct Options {
    /// The run to compare with [default: the last complete one]
    #[arg(long, value_name = "RUN")]
    base: Option<String>,
    /// Maximum time of a comparison [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    max_time: Option<Duration>,
    #[command(flatten)]
    store: Store,
}

/// The maximum time of a comparison if neither `--max-time` nor columns.toml sets one.
const DEFAULT_MAX_TIME: Duration = Duration::from_secs(60);

/// A build begins once no event has arrived for this long, since an editor may write several files.
const QUIET_TIME: Duration = Duration::from_millis(200);

/// The maximum time from the first event to the build, even if further events arrive.
const MAX_DELAY: Duration = Duration::from_secs(1);

/// The interval at which [`Watch::compare`] checks whether the games have ended.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    let (sender, events) = mpsc::channel();
    let signal = sender.clone();
    command::on_interrupt(move || {
        // Sending cannot fail: the receiver lives as long as the command.
        let _ = signal.send(());
    })?;
    let config = Config::read()?;
    let sources = Sources::new(&config, &args.store.folder)?;
    let base = if let Some(run) = &args.base {
        args.store.read(run)?
    } else {
        let complete = args.store.find_newest(Run::is_complete)?;
        complete.context("expected a complete run to compare with: judge run plays one")?
    };
    against::check_has_games(&base)?;
    let watcher = watch(&sources, &args.store.folder, &sender)?;
    let (label, games) = (base.label(), count_text(base.rows.len(), "game"));
    let files = count_text(sources.len(), "file");
    output::print(&format!(
        "watching {files}; the base is run {label} with {games}\n"
    ))?;
    let mut watch = Watch {
        args,
        config,
        base,
        sources,
        watcher,
        sender,
        events,
    };
    watch.follow()?;
    Ok(ExitCode::from(command::interrupted_status()))
}

/// The bot to watch, and the run to compare it with.
struct Watch<'a> {
    args: &'a Options,
    config: Config,
    base: Run,
    sources: Sources,
    watcher: Box<dyn Watcher>,
    sender: Sender<()>,
    /// Receives a message for each event in a watched folder, and for each signal.
    events: Receiver<()>,
}

impl Watch<'_> {
    /// Compares the bot after every change, until the user ends the command.
    fn follow(&mut self) -> Result<()> {
        let mut changed = Vec::new();
        while !command::is_interrupted() {
            if changed.is_empty() {
                self.events.recv()?;
                changed = self.wait_until_quiet();
                continue;
            }
            changed = self.build_and_compare(&changed).unwrap_or_else(|error| {
                if !command::is_interrupted() {
                    stderr::warn(super::NAME, &format!("{error:#}"));
                }
                Vec::new()
            });
        }
        Ok(())
    }

    /// Waits until the files stop changing, but at most [`MAX_DELAY`]. Returns the files whose contents have
    /// changed since the last build.
    fn wait_until_quiet(&mut self) -> Vec<PathBuf> {
        let end = Instant::now() + MAX_DELAY;
        let mut left = MAX_DELAY;
        while !command::is_interrupted()
            && !left.is_zero()
            && self.events.recv_timeout(left.min(QUIET_TIME)).is_ok()
        {
            left = end.saturating_duration_since(Instant::now());
        }
        // A source folder may have been replaced: watch the one that is there now, before reading it.
        self.watch_again();
        self.sources.read()
    }

    /// Replaces the watcher, since it may watch folders that no longer exist. If a folder disappears during
    /// this call, keeps the old watcher, which reports the event.
    fn watch_again(&mut self) {
        if let Ok(watcher) = watch(&self.sources, &self.args.store.folder, &self.sender) {
            self.watcher = watcher;
        }
    }

    /// Builds the bot and compares it with the base. Returns the files that changed during the games.
    fn build_and_compare(&mut self, changed: &[PathBuf]) -> Result<Vec<PathBuf>> {
        let store = &self.args.store.folder;
        // If the bot writes to its own sources, this line names the file that triggers endless builds.
        stderr::log(&format!("changed: {}", join_paths(changed)));
        // Mark the changes as handled. If columns.toml is not valid or the build fails, only a further change
        // starts another build.
        self.sources.accept();
        // Read columns.toml in each round: it may have changed during an earlier build.
        self.config = Config::read()?;
        self.sources = Sources::new(&self.config, store)?;
        self.watch_again();
        let limits = self.base.head.limits;
        let program = self.config.build_program(None, true, limits, store);
        if self.config.build.is_some() {
            // Files that the build has written, or that the user has saved in the meantime, do not start
            // another build.
            let changed_in_build = self.sources.read();
            self.sources.accept();
            if !changed_in_build.is_empty() {
                let files = join_paths(&changed_in_build);
                stderr::log(&format!(
                    "note: changed during the build, so no further build begins: {files}; if you saved it, \
                     save another change to play it"
                ));
            }
        }
        let (program, pool) = (program?, self.base.head.pool());
        program.files.mark_as_sources(self.sources.paths());
        let games = GameRunner { program, pool };
        let mut head = Head::new(&games, self.base.head.cases.clone())?;
        head.base_run = Some(self.base.number.clone());
        let writer = RunWriter::begin(&self.args.store, &head, &self.base.folder.join("in"))?;
        self.compare(BaseComparison::new(self.base.clone(), games, writer)?)
    }

    /// Plays until the test has decided, no cases are left, the time is up, a source has changed, or the user
    /// has ended the command. Returns the changed files.
    fn compare(&mut self, mut comparison: BaseComparison) -> Result<Vec<PathBuf>> {
        let (stop, bar) = (AtomicBool::new(false), progress::new_bar(0, "{msg}"));
        let max_time = self.args.max_time.or(self.config.play.max_time);
        let max_time = max_time.unwrap_or(DEFAULT_MAX_TIME);
        let (played, changed) = thread::scope(|scope| {
            let games = scope.spawn(|| {
                comparison.play(&stop, Some(max_time), |_, candidate| {
                    bar.set_message(against::result_text(candidate));
                    Ok(())
                })
            });
            let mut changed = Vec::new();
            while !games.is_finished() {
                let event = self.events.recv_timeout(CHECK_INTERVAL);
                if event.is_ok() && changed.is_empty() {
                    changed = self.wait_until_quiet();
                }
                if !changed.is_empty() || command::is_interrupted() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            (games.join().expect("no panic"), changed)
        });
        bar.finish_and_clear();
        let report = comparison.report();
        comparison.finish()?;
        // If a file has changed, the error in `played` may be about that change: ignore it.
        if changed.is_empty() && !command::is_interrupted() {
            played?;
            output::print(&report)?;
        }
        Ok(changed)
    }
}
