//! A bot over many cases, in parallel.

use crate::cases::{self, Entry};
use crate::process::{self, End, Finished, Limits};
use crate::row::{Mark, Row};
use crate::verdict;
use anyhow::{bail, Context, Result};
use columns_cli::file;
use columns_core::rules::case::{Case, Column};
use columns_core::rules::quickstart::quickstart;
use columns_core::rules::replay;
use columns_generator::digest::{fnv1a, EMPTY};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// A bot: a command that reads a case and prints a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bot {
    words: Vec<String>,
}

impl Bot {
    /// A command line, split into words as a shell does. It is the value of this option.
    ///
    /// # Errors
    /// Names the option, for an empty line or one with an open quote.
    pub fn parse(option: &str, line: &str) -> Result<Self> {
        let words = shell_words::split(line)
            .with_context(|| format!("{option}: expected a command line, found {line:?}"))?;
        if words.is_empty() {
            bail!("{option}: expected a command line, found nothing");
        }
        Ok(Self { words })
    }

    /// The bot of this build: the executable `bot` beside this one.
    ///
    /// # Errors
    /// If there is none.
    pub fn of_this_build() -> Result<Self> {
        let own = std::env::current_exe().context("cannot tell where this executable is")?;
        let path = own.with_file_name(format!("bot{}", std::env::consts::EXE_SUFFIX));
        if !path.is_file() {
            bail!(
                "{}: no such file: build the bot as well, or name one with --bot CMD",
                path.display()
            );
        }
        Ok(Self {
            words: vec![path.to_string_lossy().into_owned()],
        })
    }

    /// What tells this bot from others: the first line that its program prints when asked for its
    /// version, within a second, or else a digest of the program. The program gets no other
    /// arguments, so that a script for a shell is not run. `None` if there is no such program.
    pub fn version(&self) -> Option<String> {
        let mut asked = Command::new(&self.words[0]);
        asked.arg("--version");
        let limits = Limits {
            time: Duration::from_secs(1),
            memory: 1 << 30,
        };
        let said = process::play(&mut asked, String::new(), limits).ok()?;
        let text = String::from_utf8_lossy(&said.output);
        let line = shown(text.lines().next().unwrap_or_default());
        // A bot that does not know the option may print a plan.
        let is_version = line.contains(char::is_numeric) && line.contains(char::is_alphabetic);
        if said.end == End::Exited && is_version {
            return Some(line);
        }
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let program = Path::new(&self.words[0]);
        let bytes = if program.components().count() > 1 {
            std::fs::read(program).ok()
        } else {
            std::env::split_paths(&folders).find_map(|path| std::fs::read(path.join(program)).ok())
        };
        Some(format!("digest {:016x}", fnv1a(EMPTY, &bytes?)))
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]);
        command
    }
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shell_words::join(&self.words))
    }
}

/// What to play, and how.
#[derive(Debug, Clone)]
pub struct Run {
    /// The bot.
    pub bot: Bot,
    /// The cases, in the order of the rows.
    pub cases: Vec<Entry>,
    /// What the bot may use on each.
    pub limits: Limits,
    /// How many games at a time, at least 1.
    pub jobs: usize,
    /// Where the plans go, if they are kept: a folder that exists.
    pub out: Option<PathBuf>,
}

impl Run {
    /// Plays every case. `show` gets the rows in the order of the cases, each
    /// as soon as it and all before it are there; `finished` is called after every
    /// game.
    ///
    /// # Errors
    /// A case that cannot be read, a bot that cannot be started, a plan that
    /// cannot be written, or an error of `show`: the run stops then.
    pub fn play(
        &self,
        mut finished: impl FnMut(&Row),
        mut show: impl FnMut(&Row) -> Result<()>,
    ) -> Result<Vec<Row>> {
        let next = AtomicUsize::new(0);
        let (results, arrived) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.clamp(1, self.cases.len().max(1)) {
                let results = results.clone();
                let next = &next;
                scope.spawn(move || loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(entry) = self.cases.get(index) else {
                        break;
                    };
                    if results.send((index, self.game(entry))).is_err() {
                        break;
                    }
                });
            }
            drop(results);
            let collected = self.collect(&arrived, &mut finished, &mut show);
            if collected.is_err() {
                next.store(self.cases.len(), Ordering::Relaxed);
                drop(process::kill_all());
            }
            collected
        })
    }

    fn collect(
        &self,
        arrived: &mpsc::Receiver<(usize, Result<Row>)>,
        finished: &mut impl FnMut(&Row),
        show: &mut impl FnMut(&Row) -> Result<()>,
    ) -> Result<Vec<Row>> {
        let mut waiting: Vec<Option<Row>> = vec![None; self.cases.len()];
        let mut rows = Vec::with_capacity(self.cases.len());
        for (index, row) in arrived {
            finished(waiting[index].insert(row?));
            while let Some(row) = waiting.get_mut(rows.len()).and_then(Option::take) {
                show(&row)?;
                rows.push(row);
            }
        }
        Ok(rows)
    }

    /// Plays one case, now and in this thread; [`Run::cases`] and [`Run::jobs`] do not matter.
    ///
    /// # Errors
    /// A case that cannot be read, a bot that cannot be started, a plan that cannot be written.
    pub fn game(&self, entry: &Entry) -> Result<Row> {
        let case = entry.load()?;
        let baseline = replay::score(&case, &quickstart(&case)).points;
        let played = process::play(&mut self.bot.command(), case.to_string(), self.limits)
            .with_context(|| format!("cannot run the bot {}", self.bot))?;
        if let Some(out) = &self.out {
            file::write(&entry.plan(out), &played.output)?;
        }
        Ok(self.row(entry, &case, baseline, &played))
    }

    fn row(&self, entry: &Entry, case: &Case, baseline: u64, played: &Finished) -> Row {
        let judged = self.judged(case, played);
        let (mark, outcome, reason) = match judged {
            Ok(outcome) if outcome.ended_early => (Mark::Died, Some(outcome), None),
            Ok(outcome) => (Mark::Ok, Some(outcome), None),
            Err((mark, reason)) => (mark, None, Some(reason)),
        };
        let score = outcome.map_or(0, |outcome| outcome.points);
        let columns = case.columns();
        Row {
            name: entry.name.clone(),
            seed: entry.seed,
            digest: cases::digest(case),
            width: case.width(),
            height: case.height(),
            columns: columns.len(),
            magic: columns.iter().filter(|&&c| c == Column::Magic).count(),
            colours: case.palette().len(),
            palette: entry.palette(case),
            score,
            points_per_column: score as f64 / columns.len() as f64,
            quickstart: baseline,
            placed: outcome.map(|outcome| outcome.placed),
            longest_chain: outcome.map(|outcome| outcome.longest_chain),
            wall_s: played.wall.as_secs_f64(),
            cpu_s: played.cpu.as_secs_f64(),
            peak_memory_mib: played.peak_memory as f64 / f64::from(1 << 20),
            mark,
            reason,
        }
    }

    /// The contest's verdict: limits first, then the bot's status, then the plan.
    fn judged(&self, case: &Case, played: &Finished) -> Result<replay::Outcome, (Mark, String)> {
        let Limits { time, memory } = self.limits;
        if played.end == End::OutOfMemory || played.peak_memory > memory {
            let limit = memory >> 20;
            let reason = format!("more than {limit} MiB");
            return Err((Mark::Mle, reason));
        }
        if played.end == End::OutOfTime || played.wall > time {
            let reason = format!("more than {} s", time.as_secs_f64());
            return Err((Mark::Tle, reason));
        }
        match &played.end {
            End::Failed(status) => {
                let last = played.errors.lines().rfind(|line| !line.trim().is_empty());
                let reason = match last {
                    Some(line) => format!("{status}: {}", shown(line)),
                    None => status.clone(),
                };
                Err((Mark::Crashed, reason))
            }
            _ => verdict::judge(case, &played.output)
                .map_err(|reason| (Mark::Invalid, format!("{reason:#}"))),
        }
    }
}

/// The start of a line without control characters, which would disturb a terminal.
fn shown(line: &str) -> String {
    line.trim()
        .chars()
        .take(120)
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}
