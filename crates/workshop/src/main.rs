//! The chores that need libraries. `cargo xtask` starts them.

mod bench;
mod bundle;
mod cases;
mod chore;
mod soak;
mod viewer;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use columns_cli::command;
use columns_judge::arena::supervisor;
use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

/// The chores of the workspace that need libraries
#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    after_help = "\
Examples:
  cargo xtask bundle           make target/submission/bot.rs and check it
  cargo xtask viewer           make target/viewer/columns.html
  cargo xtask bench --check    has the bot's behaviour changed?
  cargo xtask soak             the submission on an overloaded machine"
)]
struct Options {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    Bundle(bundle::Options),
    Viewer(viewer::Options),
    Bench(bench::Options),
    Soak(soak::Options),
}

fn main() -> ExitCode {
    supervisor::run_if_supervisor();
    command::main("xtask", |options: Options| {
        let workspace = find_workspace()?;
        match options.chore {
            Chore::Bundle(options) => bundle::run(&options, &workspace),
            Chore::Viewer(options) => viewer::run(&options, &workspace),
            Chore::Bench(options) => bench::run(&options, &workspace),
            Chore::Soak(options) => soak::run(&options, &workspace),
        }
    })
}

/// Finds the workspace at or above the folder of the package that cargo runs. If cargo did not start this
/// program, begins at the current folder.
///
/// The folder is not known at build time: a clone may be moved or copied after it was built.
fn find_workspace() -> Result<PathBuf> {
    let start = match env::var_os("CARGO_MANIFEST_DIR") {
        Some(package) => package.into(),
        None => env::current_dir().context("cannot find the current folder")?,
    };
    let mut folders = start.ancestors();
    let workspace = folders.find(|folder| folder.join("crates/workshop/Cargo.toml").is_file());
    let workspace =
        workspace.context("expected to be called as `cargo xtask` in a clone of the project")?;
    Ok(workspace.into())
}
