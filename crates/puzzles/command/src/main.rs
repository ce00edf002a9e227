//! The command `puzzles`: SameGame, Maya and Inc.

mod exact;
mod io;
mod samegame;

use clap::{Parser, Subcommand};
use columns_cli::command;
use std::process::ExitCode;

/// Solve the puzzles related to the Columns Game: SameGame, Maya and Inc
#[derive(Debug, Parser)]
#[command(
    name = "puzzles",
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
    /// SameGame: score, solve, check
    #[command(
        subcommand,
        arg_required_else_help = false,
        after_help = "Examples:
  puzzles samegame solve --scoring js-games --time-limit 30 boards.txt"
    )]
    Samegame(samegame::Command),
    Maya(exact::Maya),
    Inc(exact::Inc),
}

fn main() -> ExitCode {
    command::main("puzzles", |options: Options| match options.puzzle {
        Puzzle::Samegame(command) => command.run(),
        Puzzle::Maya(command) => command.run(),
        Puzzle::Inc(command) => command.run(),
    })
}
