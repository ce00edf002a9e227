//! One game of a bot: its verdict, what it took, and what it told.

use crate::process::{self, End, Finished, Limits, PULSE};
use crate::row::Mark;
use crate::verdict;
use columns_core::rules::case::Case;
use columns_core::rules::replay::Outcome;
use std::collections::BTreeMap;
use std::io;
use std::process::Command;
use std::time::Duration;

/// At most so many numbers of a game are kept.
const MOST_NUMBERS: usize = 100;

/// A game of a bot.
#[derive(Debug, Clone)]
pub struct Played {
    /// How the plan plays, or why the game is lost.
    pub verdict: Result<Outcome, Lost>,
    /// What the bot took and wrote.
    pub process: Finished,
    /// The numbers that it told: see [`numbers`].
    pub numbers: BTreeMap<String, f64>,
}

/// A game that scores 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// Over a limit, crashed or invalid.
    pub mark: Mark,
    /// Why, in a line.
    pub reason: String,
}

impl Played {
    /// The verdict in a word.
    pub fn mark(&self) -> Mark {
        match &self.verdict {
            Ok(outcome) if outcome.ended_early => Mark::Died,
            Ok(_) => Mark::Ok,
            Err(lost) => lost.mark,
        }
    }
}

/// Runs a bot on a case.
///
/// # Errors
/// If the command cannot be started, or by [`process::kill_all`].
pub fn play(command: Command, case: &Case, limits: Limits) -> io::Result<Played> {
    play_watched(command, case, limits, |_, _| PULSE)
}

/// As [`play`], with somebody who watches: see [`process::run_watched`].
///
/// # Errors
/// Those of [`play`].
pub fn play_watched(
    command: Command,
    case: &Case,
    limits: Limits,
    watch: impl FnMut(u32, Duration) -> Duration,
) -> io::Result<Played> {
    let process = process::run_watched(command, case.to_string().as_bytes(), limits, watch)?;
    Ok(Played {
        verdict: verdict(case, &process, limits),
        numbers: numbers(&process.errors),
        process,
    })
}

/// The contest's verdict: limits first, then the bot's status, then the plan.
fn verdict(case: &Case, process: &Finished, limits: Limits) -> Result<Outcome, Lost> {
    let lost = |mark, reason| Err(Lost { mark, reason });
    if process.end == End::OutOfMemory || process.peak_memory > limits.memory {
        return lost(Mark::Mle, format!("more than {} MiB", limits.memory >> 20));
    }
    if process.end == End::OutOfTime || process.wall > limits.time {
        let limit = limits.time.as_secs_f64();
        return lost(Mark::Tle, format!("more than {limit} s"));
    }
    match &process.end {
        End::Failed(status) => {
            let mut lines = process.errors.lines();
            let reason = match lines.rfind(|line| !line.trim().is_empty()) {
                Some(line) => format!("{status}: {}", shown(line)),
                None => status.clone(),
            };
            lost(Mark::Crashed, reason)
        }
        End::TooMuchOutput if (process.output.len() as u64) < verdict::OUTPUT_LIMIT => {
            lost(Mark::Crashed, "more than 1 GiB on standard error".into())
        }
        _ => verdict::judge(case, &process.output).or_else(|reason| {
            let reason = format!("{reason:#}");
            lost(Mark::Invalid, reason)
        }),
    }
}

/// The start of a line without control characters, which would disturb a terminal.
pub(crate) fn shown(line: &str) -> String {
    line.trim()
        .chars()
        .take(120)
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}

/// The numbers in what a bot wrote to standard error: lines `name = value`, also as other runners
/// have them, `$name = value` and `[DATA] name = value`. A name begins with a letter or `_` and has
/// letters, digits, `_`, `.` and `-`. The last value of a name counts, of the first 100 names.
pub fn numbers(errors: &str) -> BTreeMap<String, f64> {
    let mut numbers = BTreeMap::new();
    for line in errors.lines() {
        let line = line.trim();
        let line = line.strip_prefix("[DATA]").unwrap_or(line).trim_start();
        let line = line.strip_prefix('$').unwrap_or(line);
        let Some((name, value)) = line.split_once('=') else {
            continue;
        };
        let name = name.trim();
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c));
        let value: Option<f64> = value.trim().parse().ok();
        let Some(value) = value.filter(|value| is_name && value.is_finite()) else {
            continue;
        };
        if numbers.len() < MOST_NUMBERS || numbers.contains_key(name) {
            numbers.insert(name.to_string(), value);
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_a_name_and_a_value_are_numbers() {
        let errors = "\
layers = 7
$beam = 1.5e3
[DATA] t.first-move = -0.25
  $spaced= 1
layers = 8
Score = none
two words = 2
== = 3
9lives = 9
nan = nan
thread 'main' panicked at x = 5";
        let found: Vec<_> = numbers(errors).into_iter().collect();
        let expected = [
            ("beam", 1500.0),
            ("layers", 8.0),
            ("spaced", 1.0),
            ("t.first-move", -0.25),
        ];
        assert_eq!(
            found,
            expected.map(|(name, value)| (name.to_string(), value))
        );
        let many: String = (0..1000).map(|i| format!("turn{i} = {i}\n")).collect();
        assert_eq!(numbers(&many).len(), MOST_NUMBERS);
    }
}
