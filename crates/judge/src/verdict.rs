//! Judges one game of a bot, and reads the numbers that the bot reports.

use crate::arena::process::{FinishedProcess, Limits, MAX_OUTPUT_BYTES};
use crate::row::{Game, GameStatus};
use anyhow::{Result, ensure};
use columns_cli::stderr::to_one_line;
use columns_core::rules::{case::Case, plan::Plan, replay};
use columns_core::text;
use std::collections::BTreeMap;

/// The maximum number of reported numbers that the judge keeps for a game.
const MAX_NUMBERS: usize = 100;

/// Judges a game by the process that played it. As in the contest, a failure of the process takes precedence
/// over its plan.
pub fn judge_game(case: &Case, process: &FinishedProcess, limits: Limits) -> Game {
    let (outcome, status, reason) = match process_failure(process, limits) {
        Some((status, reason)) => (None, status, Some(reason)),
        None => match parse_plan(case, &process.stdout).map(|plan| replay::score(case, &plan)) {
            Ok(outcome) if outcome.ended_early => (Some(outcome), GameStatus::EndedEarly, None),
            Ok(outcome) => (Some(outcome), GameStatus::Ok, None),
            Err(reason) => (None, GameStatus::Invalid, Some(format!("{reason:#}"))),
        },
    };
    Game {
        score: outcome.map_or(0, |outcome| outcome.points),
        placed_columns: outcome.map(|outcome| outcome.placed_columns),
        longest_chain: outcome.map(|outcome| outcome.longest_chain),
        wall_s: process.wall_time.as_secs_f64(),
        cpu_s: process.cpu_time.as_secs_f64(),
        peak_memory_mib: process.peak_memory_mib,
        status,
        reason,
        numbers: parse_numbers(&String::from_utf8_lossy(&process.stderr)),
    }
}

/// Parses the plan in `output`.
///
/// # Errors
/// Returns an error if the plan is invalid and therefore scores 0. The error names what was expected and,
/// unless the output is too long, the line.
pub fn parse_plan(case: &Case, output: &[u8]) -> Result<Plan> {
    ensure!(
        (output.len() as u64) < MAX_OUTPUT_BYTES,
        "expected a plan, found {MAX_OUTPUT_BYTES} bytes or more"
    );
    let text = text::decode_utf8(output)?;
    // Some shells write a byte order mark at the start of a file.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Ok(Plan::parse(text, case.width(), case.columns().len())?)
}

/// Returns the status and the reason if the process exceeded a limit or failed.
///
/// Returns `None` if the output determines the result: see [`parse_plan`].
pub fn process_failure(process: &FinishedProcess, limits: Limits) -> Option<(GameStatus, String)> {
    if process.peak_memory_mib > limits.memory_limit_mib as f64 {
        let limit = limits.memory_limit_mib;
        return Some((GameStatus::Mle, format!("more than {limit} MiB")));
    }
    if process.wall_time > limits.time_limit() {
        let limit = limits.time_limit_s;
        return Some((GameStatus::Tle, format!("more than {limit} s")));
    }
    // The judge kills a bot that prints too much. `parse_plan` reports the reason.
    if process.stdout.len() as u64 >= MAX_OUTPUT_BYTES {
        return None;
    }
    let status = process.failure.as_ref()?;
    let stderr = String::from_utf8_lossy(&process.stderr);
    let last_line = stderr.trim_end().lines().next_back();
    let message = last_line.map_or(String::new(), |line| format!(": {}", to_printable(line)));
    Some((GameStatus::Crashed, format!("{status}{message}")))
}

/// Returns the first 120 characters of a line that a bot printed, with control characters replaced.
pub(crate) fn to_printable(line: &str) -> String {
    to_one_line(&format!("{:.120}", line.trim()))
}

/// Reads the numbers that a bot reports in lines of standard error: `name = value`. The forms of other
/// runners, `$name = value` and `[DATA] name = value`, are also accepted.
///
/// A name starts with a letter or `_`, and contains letters, digits, spaces, `_`, `.` and `-`. If a name is
/// repeated, its last value counts. Names after the first 100 are ignored. A carriage return, as printed by
/// progress bars, ends a line. Colour codes are skipped.
pub fn parse_numbers(stderr: &str) -> BTreeMap<String, f64> {
    let mut numbers = BTreeMap::new();
    let stderr = console::strip_ansi_codes(stderr);
    for (name, value) in stderr.split(['\n', '\r']).filter_map(parse_number) {
        if numbers.len() < MAX_NUMBERS || numbers.contains_key(name) {
            numbers.insert(name.to_string(), value);
        }
    }
    numbers
}

/// Parses the name and the number in a line; `None` if the line has a different form.
fn parse_number(line: &str) -> Option<(&str, f64)> {
    let line = line.trim();
    let line = line.strip_prefix("[DATA]").unwrap_or(line).trim_start();
    let (name, value) = line.strip_prefix('$').unwrap_or(line).split_once('=')?;
    let (name, value): (_, f64) = (name.trim(), value.trim().parse().ok()?);
    let is_first = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_other = |c: char| c.is_ascii_alphanumeric() || " _.-".contains(c);
    let is_name = name.starts_with(is_first) && name.chars().all(is_other);
    (is_name && value.is_finite()).then_some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_name_and_a_value_report_numbers() {
        let stderr = "\
layers = 7
$beam = 1.5e3
[DATA] t.first-move = -0.25
  $spaced= 1
layers = 8
Score = none
two words = 2
score = 5
10%\r100%\rdone = 100
\x1b[1;32mcolour = 3\x1b[0m
== = 3
9lives = 9
nan = nan
thread 'main' panicked at x = 5";
        let reported: Vec<_> = parse_numbers(stderr).into_iter().collect();
        let expected = [
            ("beam", 1500.0),
            ("colour", 3.0),
            ("done", 100.0),
            ("layers", 8.0),
            ("score", 5.0),
            ("spaced", 1.0),
            ("t.first-move", -0.25),
            ("two words", 2.0),
        ];
        assert_eq!(
            reported,
            expected.map(|(name, value)| (name.to_string(), value))
        );
        let many: String = (0..1000).map(|i| format!("turn{i} = {i}\n")).collect();
        assert_eq!(parse_numbers(&many).len(), MAX_NUMBERS);
    }
}
