//! The contest's program: a case on standard input, the plan on standard output.
//!
//! `cargo xtask bundle` makes a single file for the contest from the code that [`main`] reaches.

use columns_bot::search::Machine;
use columns_bot::submission::{
    NODES_VARIABLE, PORTABLE_VARIABLE, parse_budget, read_input, solve_text,
};
use columns_core::simd::InstructionSet;
use std::env;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
use std::time::Instant;

/// Reads a case from standard input, and prints a plan within the contest's time limit. On an error, prints a
/// line to standard error and returns status 2.
fn main() -> ExitCode {
    let start = Instant::now();
    let nodes = env::var_os(NODES_VARIABLE).map(|value| value.to_string_lossy().into_owned());
    let result = parse_budget(nodes.as_deref()).and_then(|budget| {
        let name_input = |error: &dyn Display| format!("standard input: {error}");
        let input = read_input(io::stdin().lock()).map_err(|error| name_input(&error))?;
        let clock = || start.elapsed().as_secs_f64();
        let cpu = if env::var_os(PORTABLE_VARIABLE).is_some() {
            InstructionSet::Portable
        } else {
            InstructionSet::detect()
        };
        let machine = Machine::new(cpu, max_threads());
        let plan =
            solve_text(&input, budget, &clock, machine).map_err(|error| name_input(&error))?;
        print(&plan)
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If this write fails too, there is nowhere left to report the error.
            let _ = writeln!(io::stderr(), "bot: {error}");
            ExitCode::from(2)
        }
    }
}

/// Returns the maximum number of search threads, which `cargo xtask bundle --threads` sets at compile time.
/// The search never uses more threads than there are cores.
fn max_threads() -> usize {
    option_env!("COLUMNS_MAX_THREADS").map_or(1, |number| number.parse().expect("a number"))
}

/// Writes a plan to standard output. A broken pipe is not an error.
fn print(plan: &str) -> Result<(), String> {
    let mut out = io::stdout().lock();
    match out.write_all(plan.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("standard output: {error}"))
        }
        _ => Ok(()),
    }
}
