//! `judge watch`: plays the bot whenever one of its files changes, and says whether it has become better.
//!
//! The files are polled. Notifications of the system would not tell of changes in a folder of another machine, or of
//! Windows below WSL, and the judge checks the same files before each game anyway.

use super::StoreOptions;
use super::run::shuffled;
use anyhow::{Context, Result, ensure};
use clap::Args;
use columns_cli::command;
use columns_cli::options::duration;
use columns_cli::output::{self, count};
use columns_cli::{progress, stderr};
use columns_judge::compare::pair;
use columns_judge::config::Config;
use columns_judge::games::Games;
use columns_judge::program::Stamp;
use columns_judge::row::Row;
use columns_judge::store::{Head, Playing, Run, Store};
use columns_stats::{Candidate, Question};
use std::collections::HashMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};
use std::{io, thread};

/// Play the bot of columns.toml whenever one of its files changes, and compare it with a base run
///
/// It builds the bot, plays the cases of the base run in an order fixed beforehand, and stops as soon as a sequential test
/// has decided, or after --max-time. Enter then plays on. A new change stops the games. The run is kept, marked, and never
/// becomes the base by itself.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  judge watch\n  judge watch --base wider --max-time 5m")]
pub(crate) struct Options {
    /// The run to compare with [default: the last complete one]
    #[arg(long, value_name = "RUN")]
    base: Option<String>,
    /// Time for a comparison
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    max_time: Duration,
    #[command(flatten)]
    store: StoreOptions,
}

/// Interval at which the files, Enter and the clock are checked.
const PULSE: Duration = Duration::from_millis(200);

/// Number of games before the interval is shown.
const FIRST_GAMES: usize = 5;

/// True once the user has ended the command.
static ENDED: AtomicBool = AtomicBool::new(false);

/// Why the games of a comparison have stopped.
enum Pause {
    /// The test has decided, or there is no further case.
    Decided,
    /// The time is over.
    Time,
    /// A watched file has changed, or the user has ended the command.
    Interrupted,
}

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    let config = Config::read()?;
    ensure!(
        config.bot.is_some() && !config.watch.is_empty(),
        "expected a columns.toml with a bot and the files to watch (judge init writes one)"
    );
    let store = args.store.store();
    let base = if let Some(run) = &args.base {
        store.read(run)?
    } else {
        let last = store.complete()?.pop();
        last.context("expected a complete run to compare with: judge run plays one")?
    };
    command::on_interrupt(None, || ENDED.store(true, Ordering::Relaxed))?;
    let mut watch = Watch {
        entered: enter(),
        stamps: config.watched_stamps()?,
        config,
        store,
        base,
        max_time: args.max_time,
    };
    watch.follow()?;
    Ok(ExitCode::from(command::stopped_status()))
}

/// Returns a channel that receives a message for every line of standard input.
fn enter() -> Receiver<()> {
    let (sender, entered) = mpsc::channel();
    let read = move || {
        io::stdin()
            .lines()
            .map_while(Result::ok)
            .try_for_each(|_| sender.send(()))
    };
    // The thread ends with the process.
    drop(thread::spawn(read));
    entered
}

/// The bot that is watched, and what it is compared with.
struct Watch {
    config: Config,
    store: Store,
    base: Run,
    max_time: Duration,
    /// The watched files when they were last seen.
    stamps: Vec<(PathBuf, Stamp)>,
    entered: Receiver<()>,
}

impl Watch {
    /// Compares the bot after every change, until the user ends the command.
    fn follow(&mut self) -> Result<()> {
        let (base, games) = (self.base.label(), count(self.base.rows.len(), "game"));
        let files = count(self.stamps.len(), "file");
        output::print(&format!(
            "watching {files}; the base is run {base} with {games}; intervals are of the mean change, \
             each game's change clipped at a factor of e\n"
        ))?;
        loop {
            while !self.has_changed() {
                if ENDED.load(Ordering::Relaxed) {
                    return Ok(());
                }
                thread::sleep(PULSE);
            }
            // An editor may write several files: wait until they rest.
            while self.has_changed_again() {
                thread::sleep(PULSE);
            }
            if let Err(error) = self.compare() {
                stderr::warn(super::NAME, &format!("{error:#}"));
            }
        }
    }

    /// True if the watched files differ from those that were last seen.
    fn has_changed(&self) -> bool {
        // A file that is being replaced is missing for a moment.
        self.config
            .watched_stamps()
            .is_ok_and(|now| now != self.stamps)
    }

    /// Like [`has_changed`](Self::has_changed), and remembers the files.
    fn has_changed_again(&mut self) -> bool {
        let has_changed = self.has_changed();
        if let Ok(now) = self.config.watched_stamps() {
            self.stamps = now;
        }
        has_changed
    }

    /// Builds the bot and plays the cases of the base, until the test has decided.
    fn compare(&self) -> Result<()> {
        let head = &self.base.head;
        let program = self.config.program(None, head.limits())?;
        let pool = head.pool().pool(program.threads())?;
        let mut new = Head::new(&program, &pool, head.cases.clone())?;
        new.base = Some(self.base.number.clone());
        let playing = Playing::begin(&self.store, &new, &self.base.cases())?;
        let known: HashMap<String, &Row> = self
            .base
            .rows
            .iter()
            .map(|row| (row.name.clone(), row))
            .collect();
        let mut cases = shuffled(self.base.cases());
        cases.retain(|case| known.contains_key(&case.name()));
        let mut candidate = Candidate::new(Question::default(), cases.len());
        let start = Instant::now();
        loop {
            let left = &cases[candidate.pairs().len()..];
            let play = |stop: &AtomicBool, show: &mut dyn FnMut(&Row)| {
                let games = Games {
                    program: &program,
                    pool: &pool,
                    stop,
                };
                games.play(
                    left,
                    |row, played| playing.keep(row, played),
                    |row| {
                        show(row);
                        Ok(())
                    },
                )
            };
            let pause = self.play(play, &known, &mut candidate)?;
            playing.sync()?;
            let seconds = start.elapsed().as_secs();
            let brief = candidate.brief();
            match pause {
                Pause::Interrupted => return Ok(()),
                Pause::Decided => return output::print(&format!("{brief}, {seconds} s\n")),
                Pause::Time => output::print(&format!("{brief}; Enter plays on\n"))?,
            }
            while self.entered.try_recv().is_err() {
                if self.has_changed() || ENDED.load(Ordering::Relaxed) {
                    return Ok(());
                }
                thread::sleep(PULSE);
            }
        }
    }

    /// Plays games with `play` until the test has decided, the time is over, or a file changes.
    fn play(
        &self,
        play: impl FnOnce(&AtomicBool, &mut dyn FnMut(&Row)) -> Result<()> + Send,
        known: &HashMap<String, &Row>,
        candidate: &mut Candidate,
    ) -> Result<Pause> {
        let (stop, start) = (AtomicBool::new(false), Instant::now());
        let (sender, rows) = mpsc::channel();
        let bar = progress::bar(0, "{msg}");
        thread::scope(|scope| {
            let stop = &stop;
            let games = scope.spawn(move || play(stop, &mut |row| drop(sender.send(row.clone()))));
            let pause = loop {
                match rows.recv_timeout(PULSE) {
                    Ok(row) => {
                        candidate.add(pair(known[&row.name], &row));
                        if candidate.pairs().len() >= FIRST_GAMES {
                            bar.set_message(candidate.brief());
                        }
                        if candidate.answer().is_some() {
                            break Pause::Decided;
                        }
                    }
                    Err(mpsc::RecvTimeoutError::Disconnected) => break Pause::Decided,
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                }
                if ENDED.load(Ordering::Relaxed) || self.has_changed() {
                    break Pause::Interrupted;
                }
                if start.elapsed() > self.max_time {
                    break Pause::Time;
                }
            };
            stop.store(true, Ordering::Relaxed);
            let played = games.join().expect("no panic");
            bar.finish_and_clear();
            match pause {
                // The program has changed under its last games.
                Pause::Interrupted => Ok(pause),
                pause => played.map(|()| pause),
            }
        })
    }
}
