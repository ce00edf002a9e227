//! The submission: one file that holds the whole bot, made from the sources.
//!
//! The sources of the two library crates become one program ([`source`], [`strip`]), from which
//! goes what the compiler calls unused ([`dead`]); then all modules become one ([`flat`]), names
//! short ([`shorten`]), and the text as dense as can be ([`attributes`], [`mod@print`]).

mod attributes;
mod check;
mod compiler;
mod constants;
mod dead;
mod flat;
mod locals;
mod names;
mod print;
mod shorten;
mod source;
mod strip;
mod text;
mod tokens;

use anyhow::{ensure, Context, Result};
use check::Failure;
use clap::Args;
use columns_bot::submission::{CPU, NODES};
use columns_cli::file;
use columns_cli::output::print;
use columns_cli::paths::Format;
use columns_cli::stderr::log;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Make target/submission/bot.rs, the one file that the judge takes, and check it
///
/// The file is compiled as the judge would, plays cases of every kind with a fixed number of
/// states as the bot of the workspace does, on both processor paths, and plays the
/// sample and generated cases as in the contest, within its time and memory. It gets
/// its name only if all goes well; else the status is 1, and the file lies beside it
/// under another name. `RUSTC_OLD` may name an old compiler to try as well.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask bundle                         make and check it, in about a minute
  cargo xtask bundle --cases 50              the long check: about 4 minutes
  cargo xtask bundle --quick                 without playing as in the contest
  cargo xtask bundle --file bot.rs           check a file, made by hand or not")]
#[allow(clippy::struct_excessive_bools)] // each is an option
pub(crate) struct Options {
    /// Where to write the file [default: target/submission/bot.rs]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Check this file instead of making one
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "pretty", "no_check"])]
    file: Option<PathBuf>,

    /// Write the file and check nothing
    #[arg(long, conflicts_with_all = ["quick", "cases", "nodes"])]
    no_check: bool,

    /// Check all but the contest runs
    #[arg(long)]
    quick: bool,

    /// With line breaks, indentation and the names of the sources: larger, but a compiler's
    /// messages make sense
    #[arg(long)]
    pretty: bool,

    /// How many generated cases to play, besides the sample
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(..=1000))]
    cases: u16,

    /// How many states to build for a plan that is compared
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
}

/// Compiles a submission in `folder` as the judge does: the one in `file`, or one made from the
/// workspace's sources.
pub(crate) fn program(workspace: &Path, file: Option<&Path>, folder: &Path) -> Result<PathBuf> {
    let source = folder.join("bot.rs");
    match file {
        Some(file) => drop(fs::copy(file, &source).with_context(|| file.display().to_string())?),
        None => fs::write(&source, text::text(workspace, false)?)?,
    }
    let program = folder.join(format!("bot{}", std::env::consts::EXE_SUFFIX));
    let compiled = check::compile("rustc".as_ref(), &source, &program)?;
    let errors = compiled.errors.trim_end();
    ensure!(compiled.failed.is_none(), "rustc: {errors}");
    Ok(program)
}

pub(crate) fn run(options: &Options, workspace: &Path) -> Result<ExitCode> {
    // The submission listens to them, and those that it plays against the clock get none.
    std::env::remove_var(NODES);
    std::env::remove_var(CPU);
    crate::until_interrupted(|| bundle(options, workspace))
}

fn bundle(options: &Options, workspace: &Path) -> Result<ExitCode> {
    let (file, failures) = match &options.file {
        Some(file) => {
            let submission = fs::read(file).with_context(|| file.display().to_string())?;
            let failures = check::check(&submission, options)?;
            (file.clone(), failures)
        }
        None => make(options, workspace)?,
    };
    for Failure { fault, details } in &failures {
        log(&format!("FAILED: {fault}: {details}"));
    }
    let shown = file.display();
    if !failures.is_empty() {
        log(&format!("xtask: not fit for the judge: {shown}"));
        return Ok(ExitCode::FAILURE);
    }
    // What counts is the file and the status; nobody needs to read along.
    let what = ["ready     ", "written, not checked: "][usize::from(options.no_check)];
    let _ = print(&format!("{what}{shown}\n"));
    Ok(ExitCode::SUCCESS)
}

/// Makes the submission and checks it, unless that is not wanted. Returns its file and why it is
/// not fit; the file then has another name.
fn make(options: &Options, workspace: &Path) -> Result<(PathBuf, Vec<Failure>)> {
    let out = options.out.clone();
    let mut out = out.unwrap_or_else(|| workspace.join("target/submission/bot.rs"));
    let _folder = crate::folder_for(&out, Format::Text(text::MARK), &text::sources(workspace))?;
    let text = text::text(workspace, options.pretty)?;
    let mut failures = Vec::new();
    if !options.no_check {
        failures = check::check(text.as_bytes(), options)?;
    }
    // What is not fit does not get the name.
    if !failures.is_empty() {
        out.set_extension("failed.rs");
    }
    file::write(&out, text.as_bytes())?;
    Ok((out, failures))
}
