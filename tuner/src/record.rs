//! The record of a fit or a comparison. It contains everything that is needed to replay the run.
//!
//! The record holds only what cannot be computed: the games in order, readings of the clock, and new limits.
//! Together with the configuration, these lines determine the outcome. The record is a [ledger] whose header
//! is the configuration:
//!
//! ```json
//! {"crc":"…","game":{"player":0,"seed":7,"result":{"points":34357,…}}}
//! {"crc":"…","clock":7200.5}                     the search has reached its limit of two hours
//! {"crc":"…","limits":{"max_games":40000,…}}     a later command allows more games
//! ```
//!
//! A replay applies each line at its position, so an interruption at any point does not change the result.

use crate::executor::GameRecord;
use anyhow::{Result, bail, ensure};
use columns_cases::seeds::SeedRange;
use columns_cli::input;
use columns_cli::ledger::{self, Header, Ledger, check_same};
use columns_cli::options::duration_text;
use columns_core::text::group_digits;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{path::Path, sync::LazyLock, time::Instant};

/// A line of a record after its header.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// A game that has ended.
    Game(GameRecord),
    /// The total search time of all processes, in seconds. Recorded only if there is a time limit.
    Clock(f64),
    /// A command has raised the limits.
    Limits(RunLimits),
}

/// The limits of a run, and other options that a later command may change. All other options must stay the
/// same when a run resumes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunLimits {
    /// Maximum number of games of a search, excluding those of judgements; `None` if there is no limit.
    pub max_games: Option<u64>,
    /// Maximum time of a search in seconds, summed over all processes; `None` if there is no limit.
    pub max_time_s: Option<f64>,
    /// Maximum number of pairs of games in a judgement, on held-out seeds; `None` except for a fit.
    pub max_pairs: Option<u64>,
    /// The last seed of a comparison or a data set; `None` for a fit.
    pub last_seed: Option<u64>,
    /// True if a player may become the result even if it fails in more games than its opponent.
    pub allow_failures: bool,
}

/// Returns the new value of a limit: `given`, or `before` if `given` is `None`. Returns an error if `given`
/// is below `before`, or if the run has no such limit (`before` is `None`). In the message, `text` formats
/// the number, and `unit` follows it.
fn raise<T: PartialOrd + Copy>(
    option: &str,
    unit: &str,
    [before, given]: [Option<T>; 2],
    text: impl Fn(T) -> String,
) -> Result<Option<T>> {
    let Some(given) = given else {
        return Ok(before);
    };
    let Some(before) = before else {
        bail!("{option}: the run has no such limit: leave {option} out, or give another --out");
    };
    ensure!(
        given >= before,
        "{option}: the run already has {0}{unit}; give {0} or more, or another --out",
        text(before)
    );
    Ok(Some(given))
}

impl RunLimits {
    /// Returns the limits of a comparison or a data set with this last seed, if any.
    pub fn with_last_seed(last_seed: Option<u64>) -> Self {
        Self {
            last_seed,
            ..Self::default()
        }
    }

    /// Returns the seeds from `first` to the last seed; only `first` if there is no last seed.
    ///
    /// # Panics
    /// Panics if the last seed is below the first.
    pub fn seeds(&self, first: u64) -> SeedRange {
        let last = self.last_seed.unwrap_or(first);
        SeedRange::new(first, last).expect("a limit above the first seed")
    }

    /// Returns these limits, raised to those in `given`. Limits that are `None` in `given` stay the same.
    ///
    /// # Errors
    /// Returns an error if a given limit is smaller than that of the run, or if the run has no such limit.
    /// The error names the option.
    pub fn raised_to(&self, given: &Self) -> Result<Self> {
        let (games, pairs) = (" games", " pairs of games");
        let [before, new] = [self, given];
        Ok(Self {
            max_games: raise(
                "--games",
                games,
                [before.max_games, new.max_games],
                group_digits,
            )?,
            max_time_s: raise(
                "--max-time",
                "",
                [before.max_time_s, new.max_time_s],
                duration_text,
            )?,
            max_pairs: raise(
                "--max-pairs",
                pairs,
                [before.max_pairs, new.max_pairs],
                group_digits,
            )?,
            last_seed: raise(
                "--seeds up to",
                "",
                [before.last_seed, new.last_seed],
                |seed| seed.to_string(),
            )?,
            allow_failures: before.allow_failures || new.allow_failures,
        })
    }
}

/// The configuration of a run, the header of its record.
pub trait RunHeader: Header {
    /// Returns the initial limits of the run.
    fn limits(&self) -> RunLimits;
    /// Describes how the players have changed since the run began with this configuration; `None` if they
    /// have not.
    fn describe_player_change(&self) -> Option<String>;
    /// Returns this configuration with everything that may differ copied from `original`: the limits, the
    /// version of the tuner, names that appear only in messages, the measured steps of a network's
    /// parameters, and the identities of the players, which the caller compares separately.
    #[must_use]
    fn with_changeable_fields_of(&self, original: &Self) -> Self;
}

/// A run that has begun or resumed: its configuration and its record.
#[derive(Debug)]
pub struct OpenedRun<H> {
    /// The configuration in the record's header.
    pub header: H,
    /// The record, positioned at its first line.
    pub record: Record,
    /// The limits of the record, raised to those from the command line.
    pub limits: RunLimits,
    /// Describes how the players have changed since the run began; `None` if they have not.
    pub player_change: Option<String>,
}

/// Begins a ledger with the configuration `current`, or opens the ledger in the file. Returns the ledger and
/// its header.
///
/// # Errors
/// Returns an error if the ledger in the file has other options, or if the file cannot be used.
pub(crate) fn open_ledger<H: RunHeader, L: Serialize + DeserializeOwned>(
    path: &Path,
    current: &H,
) -> Result<(Ledger<L>, H)> {
    let (ledger, header) = Ledger::open_with_any_header(path, current)?;
    check_same(path, &header, &current.with_changeable_fields_of(&header))?;
    Ok((ledger, header))
}

/// Returns an error if a player has changed since the run in the file `name` began.
pub(crate) fn check_unchanged(name: &str, change: Option<&String>) -> Result<()> {
    change.map_or(Ok(()), |change| {
        bail!("{name}: {change}: continue with the player as it was, or begin another run")
    })
}

/// Begins a run with the configuration `current`, or resumes the run in the file.
///
/// # Errors
/// Returns an error if the run in the file has other options, or if `given` contains a smaller limit; the
/// error names the option. Also returns an error if the file cannot be used.
pub fn open<H: RunHeader>(path: &Path, current: &H, given: &RunLimits) -> Result<OpenedRun<H>> {
    let (ledger, header) = open_ledger(path, current)?;
    let record = Record::new(path, header.limits(), ledger)?;
    Ok(OpenedRun {
        limits: record.last_limits().raised_to(given)?,
        player_change: header.describe_player_change(),
        record,
        header,
    })
}

impl<H> OpenedRun<H> {
    /// Checks that the players are the same as when the run began. `has_ended` is true if the run needs no
    /// more games under the limits of the record. A changed player then matters only if the command raises
    /// the limits.
    ///
    /// # Errors
    /// Returns an error if further games are needed and a player has changed.
    pub fn check_same_players(&self, has_ended: bool) -> Result<()> {
        let is_needed = !has_ended || self.limits != self.record.last_limits();
        let change = self.player_change.as_ref().filter(|_| is_needed);
        check_unchanged(&self.record.name, change)
    }

    /// Adds the raised limits to the record.
    ///
    /// # Errors
    /// Returns an error if the record cannot be written.
    pub fn record_raised_limits(&mut self) -> Result<()> {
        if self.limits != self.record.last_limits() {
            self.record.append(Line::Limits(self.limits))?;
        }
        Ok(())
    }
}

/// A reading position in a record, with the effects of the lines before it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor {
    /// Index of the next line.
    next: usize,
    limits: RunLimits,
    /// The last reading of the clock.
    seconds: f64,
    /// True if a line before this position has raised the limits of the search.
    is_extended: bool,
    /// True if a line has raised the limits of the search since the last call of [`Record::take_extension`].
    has_new_extension: bool,
}

/// The lines of a run so far, and the ledger that stores further lines.
#[derive(Debug)]
pub struct Record {
    pub(crate) name: String,
    initial_limits: RunLimits,
    lines: Vec<Line>,
    pub(crate) cursor: Cursor,
    /// The ledger; `None` if new lines are kept only in memory.
    ledger: Option<Ledger<Line>>,
    /// Returns the time since some fixed moment, in seconds.
    clock: fn() -> f64,
    /// The reading of `clock` when this process opened the record, or when raised limits restarted the
    /// search.
    clock_start: f64,
    /// The total search time of all processes up to `clock_start`, in seconds.
    seconds_before: f64,
    /// Number of games that this process has played.
    pub new_game_count: usize,
}

/// The interval at which a run with a time limit records the clock, in seconds. If a process is killed, up to
/// about this much search time is not counted.
const CLOCK_INTERVAL_S: f64 = 10.0;

/// Returns the time since the first call, in seconds.
fn process_time() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}

impl Record {
    /// Creates a record without a file.
    pub fn unrecorded(limits: RunLimits) -> Self {
        Self {
            name: String::new(),
            initial_limits: limits,
            lines: Vec::new(),
            cursor: Cursor::start(limits),
            ledger: None,
            clock: process_time,
            clock_start: process_time(),
            seconds_before: 0.0,
            new_game_count: 0,
        }
    }

    fn new(path: &Path, limits: RunLimits, mut ledger: Ledger<Line>) -> Result<Self> {
        let mut record = Self::unrecorded(limits);
        record.name = input::name(path);
        while let Some(line) = ledger.next_record()? {
            record.lines.push(line);
        }
        record.ledger = Some(ledger);
        let mut lines = record.lines.iter().rev();
        let clock = lines.find_map(|line| match line {
            Line::Clock(seconds) => Some(*seconds),
            _ => None,
        });
        record.seconds_before = clock.unwrap_or(0.0);
        Ok(record)
    }

    /// Reads a record without changing it; another process may be working on it.
    ///
    /// # Errors
    /// Returns an error if the file is not a record of this kind, or a line before the last one is damaged.
    pub fn read<H: RunHeader>(path: &Path) -> Result<(H, Self)> {
        let (header, lines) = ledger::read::<H, Line>(path)?;
        let mut record = Self::unrecorded(header.limits());
        record.name = input::name(path);
        record.lines = lines.collect::<Result<_>>()?;
        Ok((header, record))
    }

    /// Replaces this record's clock and restarts its timing, so that a test can control the time.
    pub fn set_clock(&mut self, clock: fn() -> f64) {
        (self.clock, self.clock_start) = (clock, clock());
    }

    /// Returns the limits in force at the end of the record.
    pub fn last_limits(&self) -> RunLimits {
        let mut lines = self.lines.iter().rev();
        let last = lines.find_map(|line| match line {
            Line::Limits(limits) => Some(*limits),
            _ => None,
        });
        last.unwrap_or(self.initial_limits)
    }

    /// Returns the games of the record, in order.
    pub fn games(&self) -> impl Iterator<Item = &GameRecord> {
        self.lines.iter().filter_map(|line| match line {
            Line::Game(game) => Some(game),
            _ => None,
        })
    }

    /// Returns to the first line.
    pub fn rewind(&mut self) {
        self.cursor = Cursor::start(self.initial_limits);
    }

    /// Returns the limits that are in force at this position.
    pub fn limits(&self) -> &RunLimits {
        &self.cursor.limits
    }

    /// Returns the next line and moves past it; `None` at the end.
    pub(crate) fn next_line(&mut self) -> Option<Line> {
        let line = *self.lines.get(self.cursor.next)?;
        self.cursor.pass(&line);
        Some(line)
    }

    /// Moves past clock readings and new limits, up to the next game.
    pub(crate) fn skip_to_game(&mut self) {
        while let Some(line) = self.lines.get(self.cursor.next)
            && !matches!(line, Line::Game(_))
        {
            self.cursor.pass(line);
        }
    }

    /// Returns the number of games after this position.
    pub(crate) fn count_games_left(&self) -> usize {
        let lines = self.lines[self.cursor.next..].iter();
        lines.filter(|line| matches!(line, Line::Game(_))).count()
    }

    /// True if a line before this position has raised the limits of the search.
    pub(crate) fn is_extended(&self) -> bool {
        self.cursor.is_extended
    }

    /// True if a line has raised the limits of the search since the last call.
    pub(crate) fn take_extension(&mut self) -> bool {
        std::mem::take(&mut self.cursor.has_new_extension)
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.cursor.next == self.lines.len()
    }

    /// Appends a line to the record and its ledger, if any. The line takes effect when the cursor passes it.
    fn append(&mut self, line: Line) -> Result<()> {
        if let Some(ledger) = &mut self.ledger {
            ledger.append(&line)?;
        }
        self.lines.push(line);
        Ok(())
    }

    /// Waits until all lines are on disk.
    pub(crate) fn sync(&mut self) -> Result<()> {
        self.ledger.as_mut().map_or(Ok(()), Ledger::sync)
    }

    /// Appends a line at the end of the record, and moves past it.
    pub(crate) fn record(&mut self, line: Line) -> Result<()> {
        debug_assert!(self.is_at_end());
        self.append(line)?;
        self.next_line();
        Ok(())
    }

    /// Returns the total search time of all processes so far, in seconds.
    fn seconds(&self) -> f64 {
        self.seconds_before + (self.clock)() - self.clock_start
    }

    /// Continues the clock from its last reading: the time since then was not part of the search.
    pub(crate) fn restart_clock(&mut self) {
        (self.clock_start, self.seconds_before) = ((self.clock)(), self.cursor.seconds);
    }

    /// Returns the seconds that remain for the search; `None` without a time limit.
    pub fn seconds_left(&self) -> Option<f64> {
        let limit = self.cursor.limits.max_time_s?;
        Some((limit - self.seconds()).max(0.0))
    }

    /// Reads the clock if there is a time limit. Records the reading if it ends the search, or if the last
    /// recorded reading is old. The cursor must be at the end of the record.
    pub(crate) fn check_clock(&mut self) -> Result<()> {
        let is_old = self.seconds() > self.cursor.seconds + CLOCK_INTERVAL_S;
        match self.seconds_left() {
            Some(left) if is_old || left == 0.0 && !self.is_time_up() => self.record_clock(),
            _ => Ok(()),
        }
    }

    /// Records the total search time of all processes, if there is a time limit.
    pub(crate) fn record_clock(&mut self) -> Result<()> {
        match self.cursor.limits.max_time_s {
            Some(_) => self.record(Line::Clock(self.seconds())),
            None => Ok(()),
        }
    }

    /// True if the last recorded reading of the clock has reached the time limit, false without a time limit.
    pub fn is_time_up(&self) -> bool {
        let limit = self.cursor.limits.max_time_s;
        limit.is_some_and(|limit| self.cursor.seconds >= limit)
    }
}

impl Cursor {
    fn start(limits: RunLimits) -> Self {
        Self {
            next: 0,
            limits,
            seconds: 0.0,
            is_extended: false,
            has_new_extension: false,
        }
    }

    fn pass(&mut self, line: &Line) {
        self.next += 1;
        match line {
            Line::Game(_) => {}
            Line::Clock(seconds) => self.seconds = *seconds,
            Line::Limits(limits) => {
                let search_limits = |limits: &RunLimits| (limits.max_games, limits.max_time_s);
                if search_limits(limits) != search_limits(&self.limits) {
                    (self.is_extended, self.has_new_extension) = (true, true);
                }
                self.limits = *limits;
            }
        }
    }
}
