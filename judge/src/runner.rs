//! One game of a bot: its verdict, what it took, and what it told.

use crate::process::{self, Finished, Limits, OUTPUT_LIMIT};
use crate::row::{Game, Mark, FIELDS};
use anyhow::{ensure, Result};
use columns_cli::mistake::one_line;
use columns_core::rules::case::Case;
use columns_core::rules::plan::Plan;
use columns_core::rules::replay;
use columns_core::text;
use std::collections::BTreeMap;
use std::io;
use std::process::Command;

/// At most so many numbers of a game are kept.
const MOST_NUMBERS: usize = 100;

/// Runs a bot on a case. Returns the game, and the process with what it printed.
///
/// # Errors
/// If the command cannot be started, or by [`process::kill_all`].
pub fn play(command: Command, case: &Case, limits: Limits) -> io::Result<(Game, Finished)> {
    let process = process::run(command, case.to_string().as_bytes(), limits)?;
    // The contest's verdict: how the process ended, then the plan.
    let (outcome, mark, reason) = match failure(&process, limits) {
        Some((mark, reason)) => (None, mark, Some(reason)),
        None => match plan(case, &process.output).map(|plan| replay::score(case, &plan)) {
            Ok(outcome) if outcome.ended_early => (Some(outcome), Mark::Died, None),
            Ok(outcome) => (Some(outcome), Mark::Ok, None),
            Err(reason) => (None, Mark::Invalid, Some(format!("{reason:#}"))),
        },
    };
    let game = Game {
        score: outcome.map_or(0, |outcome| outcome.points),
        placed: outcome.map(|outcome| outcome.placed),
        longest_chain: outcome.map(|outcome| outcome.longest_chain),
        wall_s: process.wall.as_secs_f64(),
        cpu_s: process.cpu.as_secs_f64(),
        peak_memory_mib: process.peak_memory_mib,
        mark,
        reason,
        numbers: numbers(&process.errors),
    };
    Ok((game, process))
}

/// Reads the plan in `output`.
///
/// # Errors
/// Why the plan is invalid and so scores 0: the line, and what was expected there.
pub fn plan(case: &Case, output: &[u8]) -> Result<Plan> {
    ensure!(
        (output.len() as u64) < OUTPUT_LIMIT,
        "expected a plan, found {OUTPUT_LIMIT} bytes or more"
    );
    let text = text::decode(output)?;
    // Some shells begin a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Ok(Plan::parse(text, case.width(), case.columns().len())?)
}

/// What a process did wrong before its output counts: limits first, then its status.
pub fn failure(process: &Finished, limits: Limits) -> Option<(Mark, String)> {
    if process.peak_memory_mib > limits.memory as f64 {
        return Some((Mark::Mle, format!("more than {} MiB", limits.memory)));
    }
    if process.wall > limits.time {
        let limit = limits.time.as_secs_f64();
        return Some((Mark::Tle, format!("more than {limit} s")));
    }
    // It was killed for what it printed, which is no plan.
    if process.output.len() as u64 >= OUTPUT_LIMIT {
        return None;
    }
    let status = process.failed.as_ref()?;
    let last = process.errors.trim_end().lines().next_back();
    let last = last.map_or(String::new(), |line| format!(": {}", shown(line)));
    Some((Mark::Crashed, format!("{status}{last}")))
}

/// The start of a line that a bot has printed.
pub(crate) fn shown(line: &str) -> String {
    one_line(&format!("{:.120}", line.trim()))
}

/// Reads the numbers that a bot wrote to standard error: lines `name = value`, and as other runners
/// have them, `$name = value` and `[DATA] name = value`. A name begins with a letter or `_` and has
/// letters, digits, blanks, `_`, `.` and `-`; `bot.` is put before a name of [`FIELDS`]. The last value of a name
/// counts, of the first 100 names.
pub fn numbers(errors: &str) -> BTreeMap<String, f64> {
    let mut numbers = BTreeMap::new();
    for (name, value) in errors.lines().filter_map(number) {
        let prefix = if FIELDS.contains(&name) { "bot." } else { "" };
        let name = format!("{prefix}{name}");
        if numbers.len() < MOST_NUMBERS || numbers.contains_key(&name) {
            numbers.insert(name, value);
        }
    }
    numbers
}

/// The number in a line, with its name.
fn number(line: &str) -> Option<(&str, f64)> {
    let line = line.trim();
    let line = line.strip_prefix("[DATA]").unwrap_or(line).trim_start();
    let (name, value) = line.strip_prefix('$').unwrap_or(line).split_once('=')?;
    let (name, value): (_, f64) = (name.trim(), value.trim().parse().ok()?);
    let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
    let continues = |c: char| c.is_ascii_alphanumeric() || " _.-".contains(c);
    let is_name = name.starts_with(begins) && name.chars().all(continues);
    (is_name && value.is_finite()).then_some((name, value))
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
score = 5
== = 3
9lives = 9
nan = nan
thread 'main' panicked at x = 5";
        let found: Vec<_> = numbers(errors).into_iter().collect();
        let expected = [
            ("beam", 1500.0),
            ("bot.score", 5.0),
            ("layers", 8.0),
            ("spaced", 1.0),
            ("t.first-move", -0.25),
            ("two words", 2.0),
        ];
        assert_eq!(
            found,
            expected.map(|(name, value)| (name.to_string(), value))
        );
        let many: String = (0..1000).map(|i| format!("turn{i} = {i}\n")).collect();
        assert_eq!(numbers(&many).len(), MOST_NUMBERS);
    }
}
