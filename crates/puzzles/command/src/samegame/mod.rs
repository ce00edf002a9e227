//! `samegame`: the commands for SameGame.

mod best;
mod check;
mod score;
mod solution;
mod solve;
mod text;

use anyhow::Result;
use std::process::ExitCode;

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Score(score::Score),
    Solve(solve::Solve),
    Check(check::Check),
}

impl Command {
    pub(crate) fn run(self) -> Result<ExitCode> {
        match self {
            Self::Score(command) => command.run(),
            Self::Solve(command) => command.run(),
            Self::Check(command) => command.run(),
        }
    }
}
