//! Puzzles related to the Columns Game.
//!
//! * [`samegame`]: remove groups of tiles of one colour. The module contains TopCoder's fixed strategy, the
//!   playable game, and a solver.
//! * [`maya`]: empty a field of five stacks in exactly n moves.
//! * [`inc`]: three players take turns changing all squares on one side of a line by one.

#[cfg(test)]
#[path = "../../core/tests/support/isas.rs"]
mod isas;
#[cfg(test)]
#[path = "../../core/tests/support/parse_errors.rs"]
mod parse_errors;
#[cfg(test)]
#[path = "../../core/tests/support/random.rs"]
mod random;

pub mod inc;
pub mod maya;
pub mod samegame;

/// Returns the non-empty lines of a text, trimmed and without comments, each with its line number from 1.
///
/// A comment starts with `#` and extends to the end of its line.
pub(crate) fn content_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.split('#').next().unwrap_or("").trim()))
        .filter(|(_, content)| !content.is_empty())
}
