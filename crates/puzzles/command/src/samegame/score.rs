//! `score`: the fixed strategy of the TopCoder problem.

use crate::io::PuzzleArgs;
use anyhow::Result;
use columns_cli::json;
use columns_puzzles::samegame::topcoder::Puzzle;
use serde::Serialize;
use std::process::ExitCode;

/// Score TopCoder's fixed strategy on a board
///
/// Reads the order in which the strategy removes the colours, and then a board of up to 50 × 50. The
/// first line is the order; the other lines are rows from the top: letters or digits, and . or - for an
/// empty cell. Spaces between them are optional. A # starts a comment.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  printf 'RB\\nRBB\\nRRR\\nRBB\\n' | puzzles samegame score")]
pub(crate) struct Score {
    #[command(flatten)]
    args: PuzzleArgs,
}

#[derive(Serialize)]
struct Answer {
    score: u64,
}

impl Score {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let score = self.args.read_and_parse::<Puzzle>()?.compute_score();
        let json = || json::to_line(&Answer { score });
        self.args.json.print(json, &format!("{score}\n"))?;
        Ok(ExitCode::SUCCESS)
    }
}
