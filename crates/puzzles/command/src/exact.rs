//! `maya` and `inc`: the puzzles with a single correct answer.

use crate::io::PuzzleArgs;
use anyhow::Result;
use columns_cli::json;
use columns_puzzles::{inc, maya};
use serde::Serialize;
use std::process::ExitCode;

/// Maya: empty a field of five stacks in exactly n moves
///
/// Reads the number of moves, 1 to 5, and then five stacks from the left. A stack is a list of
/// colours from 1 to 10, from the bottom up, followed by 0. Prints the lexicographically smallest
/// solution, or -1 if there is none. Each line `x y g` is a move of the block in stack x and row y, to the
/// right (g = 1) or to the left (g = -1). A # starts a comment.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  printf '3\\n1 0\\n2 1 0\\n2 3 4 0\\n3 1 0\\n2 4 3 4 0\\n' | puzzles maya")]
pub(crate) struct Maya {
    #[command(flatten)]
    args: PuzzleArgs,
}

#[derive(Serialize)]
struct MayaAnswer {
    moves: usize,
    solution: Option<Vec<MayaMove>>,
}

#[derive(Serialize)]
struct MayaMove {
    x: usize,
    y: usize,
    g: i32,
}

impl Maya {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let puzzle: maya::Puzzle = self.args.read_and_parse()?;
        let solution = puzzle.solve();
        let json = || {
            let as_json = |m: &maya::Move| MayaMove {
                x: m.stack,
                y: m.row,
                g: if m.to_right { 1 } else { -1 },
            };
            let solution = solution.as_deref();
            json::to_line(&MayaAnswer {
                moves: puzzle.move_count(),
                solution: solution.map(|moves| moves.iter().map(as_json).collect()),
            })
        };
        self.args
            .json
            .print(json, &maya::format_solution(solution.as_deref()))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Inc: find the final board after three players take turns adding or subtracting one
///
/// Reads a line `inc turns` (inc is 1 or -1, turns 1 to 10) and then 2 to 5 rows of 2 to 5 squares. A
/// square is 1, 2 or 3, or . or - if it is empty; spaces between squares are optional. Prints the rows
/// after the last turn. A # starts a comment.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  printf '1 1\\n333\\n3.3\\n333\\n' | puzzles inc")]
pub(crate) struct Inc {
    #[command(flatten)]
    args: PuzzleArgs,
}

#[derive(Serialize)]
struct IncAnswer {
    board: Vec<String>,
    points: [usize; 3],
}

impl Inc {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let game: inc::Puzzle = self.args.read_and_parse()?;
        let board = game.compute_final_board();
        let json = || {
            let points = |digit| board.iter().map(|row| row.matches(digit).count()).sum();
            json::to_line(&IncAnswer {
                points: ['1', '2', '3'].map(points),
                board: board.clone(),
            })
        };
        self.args.json.print(json, &(board.join("\n") + "\n"))?;
        Ok(ExitCode::SUCCESS)
    }
}
