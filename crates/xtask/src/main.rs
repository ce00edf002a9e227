//! `cargo xtask`: the chores of the workspace.
//!
//! This program has no dependencies, since it only starts other programs. So a newcomer who calls `play` need
//! not wait for the dependencies of the workshop to be built. `play` builds the bot and the judge, and starts
//! the judge. Every other chore is a command of the crate `columns-workshop`.

// Chores run in the foreground, and print their progress and help to the user's terminal.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

const HELP: &str = "\
The chores of the workspace

Examples:
  cargo xtask play             build the bot and the judge (a minute), play six cases
  cargo xtask bundle           make target/submission/bot.rs and check it
  cargo xtask viewer           make target/viewer/columns.html (two minutes the first time)
  cargo xtask bench --check    has the bot's behaviour changed?
  cargo xtask soak             play the submission on an overloaded machine

The times are for two idle cores. The first use of one of the last four also builds the workshop, which
shares its libraries with `play` and `cargo build --release`.

Usage: cargo xtask <CHORE> [OPTIONS]

`cargo xtask CHORE --help` describes a chore and its options.
";

/// The shell script of `play`: plays six cases with the judge `$0`, and prints `$1` if the judge succeeds.
/// The trap makes the shell wait for the judge after Ctrl-C.
const PLAY_SCRIPT: &str = r#"trap : INT; "$0" run --seeds 1..=6 && printf '\n%s' "$1""#;

const PLAY_HELP: &str = "\
Build the bot and the judge, and play six cases

Keeps the games as a run in `runs/`. Other cases, bots and limits are options of the judge, which is built
here too: `target/release/judge run --help` lists them.

Usage: cargo xtask play

Examples:
  cargo xtask play
  target/release/judge run --seeds 2..=101 --bot 'python3 bot.py'
";

const NEXT_STEPS: &str = "\
Next:
  cargo xtask bundle        make the file to submit
  cargo build --release     build the other commands: generator, tuner, puzzles
  cargo xtask viewer        make the page to watch the games
";

/// The chores that `columns-workshop` runs.
const WORKSHOP_CHORES: [&str; 4] = ["bundle", "viewer", "bench", "soak"];

/// Exit status if the command line is wrong, or if a program cannot be started.
const FAILURE_STATUS: u8 = 2;

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let chore = arguments.next().unwrap_or_default();
    let rest: Vec<OsString> = arguments.collect();
    let result = match &*chore.to_string_lossy() {
        "play" => play(&rest),
        chore if WORKSHOP_CHORES.contains(&chore) => run_workshop(chore, &rest),
        "-h" | "--help" | "help" => {
            print!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        "" => Err("expected a chore; `cargo xtask --help` lists them".to_string()),
        other => Err(format!(
            "no chore is called {other:?}; `cargo xtask --help` lists them"
        )),
    };
    result.unwrap_or_else(|message| {
        eprintln!("xtask: {message}");
        ExitCode::from(FAILURE_STATUS)
    })
}

/// Builds the bot and the judge, and plays six cases.
fn play(options: &[OsString]) -> Result<ExitCode, String> {
    if let Some(option) = options.first() {
        if option == "--help" || option == "-h" {
            print!("{PLAY_HELP}");
            return Ok(ExitCode::SUCCESS);
        }
        return Err(format!(
            "play: expected no options, found {}; `cargo xtask play --help` says how to play others",
            option.display()
        ));
    }
    println!(
        "Builds the bot and the judge (about a minute the first time), then plays six cases, 4 s each."
    );
    let mut build = cargo("build")?;
    build.arg("--release");
    // `columns-bot` is listed only so that it is built early. Cargo begins with what most targets need: if
    // only one command needed the bot's library, cargo would build it last, although it takes longest.
    for package in ["columns-bot", "columns-bot-command", "columns-judge"] {
        build.args(["--package", package]);
    }
    let built = status(&mut build)?;
    if built != ExitCode::SUCCESS {
        return Ok(built);
    }
    let folder =
        env::current_exe().map_err(|error| format!("cannot find the built commands: {error}"))?;
    let judge = folder.with_file_name("judge");
    let mut shell = Command::new("sh");
    replace_process(shell.args(["-c", PLAY_SCRIPT]).arg(judge).arg(NEXT_STEPS))
}

/// Builds `columns-workshop` and runs one of its chores.
fn run_workshop(chore: &str, options: &[OsString]) -> Result<ExitCode, String> {
    let mut run = cargo("run")?;
    run.args([
        "--release",
        "--quiet",
        "--package",
        "columns-workshop",
        "--",
        chore,
    ]);
    replace_process(run.args(options))
}

/// Returns a `cargo` command. The option `--manifest-path` makes it work in any folder.
fn cargo(command: &str) -> Result<Command, String> {
    // Cargo sets this variable when it runs the program. If the clone was moved or copied, a path fixed at
    // build time would still lead to the original.
    let package =
        env::var_os("CARGO_MANIFEST_DIR").ok_or("expected to be called as `cargo xtask`")?;
    let manifest = Path::new(&package).join("../../Cargo.toml");
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.arg(command).arg("--manifest-path").arg(manifest);
    Ok(cargo)
}

/// Replaces this process with a command, so that the command alone handles Ctrl-C, and the shell waits until
/// it has ended. Returns only if the command cannot be started.
fn replace_process(command: &mut Command) -> Result<ExitCode, String> {
    let error = command.exec();
    let program = command.get_program().to_string_lossy();
    Err(format!("cannot run {program}: {error}"))
}

/// Runs a command. Returns its exit status, or 1 if it was killed.
fn status(command: &mut Command) -> Result<ExitCode, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command
        .status()
        .map_err(|error| format!("cannot run {program}: {error}"))?;
    Ok(ExitCode::from(status.code().map_or(1, |code| code as u8)))
}
