//! The command `puzzles`: SameGame, Maya and Inc.

mod exact;
mod io;
mod samegame;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Solve the puzzles related to the Columns Game: SameGame, Maya and Inc
#[derive(Debug, Parser)]
#[command(
    name = "puzzles",
    version,
    arg_required_else_help = false,
    after_help = "Examples:
  puzzles samegame solve --scoring js-games --time-limit 30 boards.txt > games.txt
  puzzles samegame check boards.txt games.txt --scoring js-games
  puzzles maya < field.txt
  puzzles inc < board.txt"
)]
struct Options {
    #[command(subcommand)]
    puzzle: Puzzle,
}

#[derive(Debug, Subcommand)]
enum Puzzle {
    /// SameGame: score, play, solve, check
    #[command(
        subcommand,
        arg_required_else_help = false,
        after_help = "Example:
  puzzles samegame solve --scoring js-games --time-limit 30 boards.txt"
    )]
    Samegame(samegame::Command),
    Maya(exact::Maya),
    Inc(exact::Inc),
}

/// Where a puzzle is read from.
#[derive(Debug, clap::Args)]
struct Source {
    /// The file to read, - for standard input [default: -]
    file: Option<PathBuf>,
}

fn main() -> ExitCode {
    let options = match Options::try_parse() {
        Ok(options) => options,
        Err(error) if is_answer(error.kind()) => {
            // A pager that was closed is no mistake.
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        Err(error) => return io::fail(&usage_line(&error.render().to_string())),
    };
    let result = match options.puzzle {
        Puzzle::Samegame(command) => command.run(),
        Puzzle::Maya(command) => command.run(),
        Puzzle::Inc(command) => command.run(),
    };
    match result {
        Ok(code) => code,
        Err(error) if io::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => io::fail(&format!("{error:#}")),
    }
}

/// Help and version are answers, not errors.
fn is_answer(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::DisplayHelp | ErrorKind::DisplayVersion)
}

/// The first paragraph of the option parser's message on one line; the rest is
/// usage and tips.
fn usage_line(message: &str) -> String {
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let paragraph = message.split("\n\n").next().unwrap_or(message);
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    format!("{} (see puzzles --help)", words.join(" "))
}
