//! The chores of the workspace: `cargo xtask …`.

mod bundle;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// The chores of the workspace
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Options {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    Bundle(bundle::Options),
}

fn main() -> ExitCode {
    let done = match Options::parse().chore {
        Chore::Bundle(options) => bundle::run(&options),
    };
    match done {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::from(2)
        }
    }
}
