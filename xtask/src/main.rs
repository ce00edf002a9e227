//! The chores of the workspace: `cargo xtask …`.

mod bench;
mod bundle;
mod cases;
mod play;
mod soak;
mod viewer;

use anyhow::{ensure, Context, Result};
use clap::{Parser, Subcommand};
use columns_cli::command::{self, STOPPED};
use columns_cli::file::{self, Folder};
use columns_cli::paths::{Format, Paths};
use columns_judge::{process, supervisor};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The chores of the workspace
#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    after_help = "\
Examples:
  cargo xtask play             build everything, play ten games
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
    Play(play::Options),
    Bundle(bundle::Options),
    Viewer(viewer::Options),
    Bench(bench::Options),
    Soak(soak::Options),
}

fn main() -> ExitCode {
    supervisor::init();
    // This package is in a subfolder of the workspace. The program runs on the machine that built it, so
    // the path is valid.
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let workspace = workspace.canonicalize().unwrap_or(workspace);
    command::main("xtask", |options: Options| match options.chore {
        Chore::Play(options) => play::run(&options, &workspace),
        Chore::Bundle(options) => bundle::run(&options, &workspace),
        Chore::Viewer(options) => viewer::run(&options, &workspace),
        Chore::Bench(options) => bench::run(&options, &workspace),
        Chore::Soak(options) => soak::run(&options, &workspace),
    })
}

/// Creates the folder of the output file `out`, and checks that the file can be written.
///
/// # Errors
/// If the file is in one of the folders `sources`, cannot be written, or exists and is not an earlier
/// result. The error names the file.
fn folder_for(out: &Path, format: Format, sources: &[PathBuf]) -> Result<Option<Folder>> {
    let shown = out.display();
    let place = std::path::absolute(out).with_context(|| shown.to_string())?;
    let is_source = |above: &Path| sources.iter().any(|folder| file::is_same(above, folder));
    ensure!(
        !place.ancestors().any(is_source),
        "{shown}: lies among the sources that it is made from"
    );
    let folder = place.parent().map(file::make_folder).transpose()?;
    Paths::default().written(format, [out]).check()?;
    Ok(folder)
}

/// Returns the command `cargo`, which will run in the workspace.
fn cargo(workspace: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(workspace);
    cargo
}

/// Runs a command and returns its exit status, or 1 if it was killed.
fn status(command: &mut Command) -> Result<ExitCode> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| name)?;
    Ok(ExitCode::from(status.code().map_or(1, |code| code as u8)))
}

/// Runs a chore that plays games. The first Ctrl-C kills the games, so that the chore can clean up and
/// end with status [`STOPPED`]. A second Ctrl-C ends the process without waiting for the chore.
fn until_interrupted(chore: impl FnOnce() -> Result<ExitCode>) -> Result<ExitCode> {
    static INTERRUPTED: AtomicBool = AtomicBool::new(false);
    command::on_interrupt(|| {
        INTERRUPTED.store(true, Relaxed);
        process::kill_all();
    })?;
    let done = chore();
    // A game that cannot be played also stops the others. That is an error, not an interruption.
    if INTERRUPTED.load(Relaxed) {
        return Ok(ExitCode::from(STOPPED));
    }
    done
}
