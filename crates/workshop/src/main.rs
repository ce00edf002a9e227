//! The chores that need libraries. `cargo xtask` starts them.

mod bench;
mod bundle;
mod cases;
mod chore;
mod soak;
mod viewer;

use clap::{Parser, Subcommand};
use columns_cli::command;
use columns_judge::arena::supervisor;
use std::path::Path;
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
    supervisor::init();
    // This package is in a subfolder of the workspace. The path is valid, since the program runs on the
    // machine that built it.
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let workspace = workspace.canonicalize().unwrap_or(workspace);
    command::main("xtask", |options: Options| match options.chore {
        Chore::Bundle(options) => bundle::run(&options, &workspace),
        Chore::Viewer(options) => viewer::run(&options, &workspace),
        Chore::Bench(options) => bench::run(&options, &workspace),
        Chore::Soak(options) => soak::run(&options, &workspace),
    })
}
