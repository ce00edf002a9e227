//! `cargo xtask play`: builds the commands and plays some games. The first command for a newcomer.

use crate::chore;
use anyhow::{Context, Result, bail};
use clap::Args;
use columns_cli::output::print;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Build the commands, then play generated cases and print the table of scores
///
/// Passes all options to `judge run`. Without options, plays seeds 1 to 10.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask play
  cargo xtask play --seeds 1..=100 --profile large --json results.json")]
pub(crate) struct Options {
    /// Options of `judge run`
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "OPTIONS"
    )]
    judge: Vec<String>,
}

pub(crate) fn run(options: &Options, workspace: &Path) -> Result<ExitCode> {
    let packages = ["bot", "generator", "judge", "puzzles", "tuner"];
    let mut build = chore::cargo(workspace);
    build.args(["build", "--release", "--bins"]);
    let packages = packages.map(|package| format!("columns-{package}"));
    build.args(packages.iter().flat_map(|package| ["--package", package]));
    if !build.status().context("cargo")?.success() {
        bail!("cannot build the commands: see the errors of cargo above");
    }
    // Cargo put the commands into the folder of this program.
    let judge = format!("judge{}", std::env::consts::EXE_SUFFIX);
    let judge = std::env::current_exe()?.with_file_name(judge);
    let mut play = Command::new(judge);
    play.arg("run");
    if options.judge.is_empty() {
        play.args(["--seeds", "1..=10"]);
    }
    let status = chore::status(play.args(&options.judge))?;
    if options.judge.is_empty() {
        print(
            "\nNext: `cargo xtask viewer` to watch a game, `cargo xtask bundle` to submit the bot.\n",
        )?;
    }
    Ok(status)
}
