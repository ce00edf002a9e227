//! The functions and constants of the contest's program, `src/bin/submission.rs`.
//!
//! The program takes no options. To compare its plans with those of [`solve_text`], `cargo xtask bundle` sets
//! two environment variables, which the contest does not set: [`NODES_VARIABLE`] and [`PORTABLE_VARIABLE`].

use crate::eval::weights::Weights;
use crate::search::{Machine, solve};
use columns_core::beam::{Budget, Clock};
use columns_core::rules::case::{Case, ParseError};
use std::io::{self, Read};

/// The time at which the search ends, in seconds since the start of `main`. The contest allows 4 s;
/// the margin is for starting, reading and writing on a busy machine. Lower this value if the
/// contest server's clock is stricter.
pub const TIME_LIMIT_S: f64 = 3.8;

/// The environment variable that replaces the time limit with a number of states to build, as `bot
/// --nodes` does.
pub const NODES_VARIABLE: &str = "COLUMNS_NODES";

/// The environment variable that selects the portable instruction set, as `bot --cpu portable` does. Any
/// value has this effect.
pub const PORTABLE_VARIABLE: &str = "COLUMNS_PORTABLE";

/// The maximum number of bytes to read. The largest case takes 40 KB.
const MAX_INPUT_BYTES: u64 = 16 << 20;

/// Solves the case in `input`, and returns the plan as text. `clock` returns the time in seconds, from any
/// origin.
///
/// # Errors
/// Returns an error if the input is not a valid case.
pub fn solve_text(
    input: &str,
    budget: Budget,
    clock: Clock,
    machine: Machine,
) -> Result<String, ParseError> {
    let case: Case = input.parse()?;
    // If the search panics, `solve` returns the best plan so far.
    let solution = solve(&case, &Weights::default(), budget, clock, machine);
    Ok(solution.plan.to_string())
}

/// Parses the value of [`NODES_VARIABLE`] into a budget. Without a value, returns the contest's time limit.
///
/// # Errors
/// Returns an error if the value is invalid. The message names the variable and says what was expected.
#[allow(clippy::uninlined_format_args)] // so that the submission can shorten the names
pub fn parse_budget(nodes: Option<&str>) -> Result<Budget, String> {
    match nodes.map(|nodes| (nodes, nodes.parse())) {
        None => Ok(Budget::Deadline(TIME_LIMIT_S)),
        Some((_, Ok(nodes))) if nodes > 0 => Ok(Budget::Nodes(nodes)),
        Some((text, _)) => Err(format!(
            "{}: expected a number from 1 on, found {:?}",
            NODES_VARIABLE, text
        )),
    }
}

/// Reads `reader` to its end, but at most 16 MiB. Longer input is truncated, and the parser then rejects it.
///
/// # Errors
/// Returns an error if the input cannot be read or is not UTF-8.
pub fn read_input(reader: impl Read) -> io::Result<String> {
    let mut input = String::new();
    reader.take(MAX_INPUT_BYTES).read_to_string(&mut input)?;
    Ok(input)
}
