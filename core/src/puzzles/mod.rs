//! The four puzzles related to the Columns Game.
//!
//! * [`samegame`]: removing groups of tiles of one colour: TopCoder's fixed
//!   strategy, the playable game, and a solver;
//! * [`maya`]: emptying a field of five stacks in exactly n moves;
//! * [`inc`]: the game of three players that add or subtract one.

pub mod inc;
pub mod maya;
pub mod samegame;

/// The lines of a text that hold more than blanks and comments, each with its
/// number from 1; a comment reaches from `#` to the end of its line.
pub(crate) fn content_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.split('#').next().unwrap_or("").trim()))
        .filter(|(_, content)| !content.is_empty())
}
