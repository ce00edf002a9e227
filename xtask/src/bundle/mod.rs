//! The submission: one file that holds the whole bot, made from the sources.
//!
//! Of the two library crates, the file holds what the contest's program reaches, in one module.
//! Other bundlers do not do that: the closest one, `cg-bundler`, keeps every public item and the
//! option parser of every binary, and cannot start from one function of a library.

mod alias;
mod attributes;
mod check;
mod flatten;

mod print;
mod reach;
mod scope;
mod shorten;
mod source;
mod strip;
mod text;
mod tidy;
mod tokens;
mod uses;

use anyhow::{ensure, Context, Result};
use check::Settings;
use clap::Args;
use columns_cli::file;
use columns_judge::process;
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
  cargo xtask bundle --cases 50 --score      the long check: about 7 minutes
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
    #[arg(long, conflicts_with_all = ["quick", "cases", "score"])]
    no_check: bool,

    /// Check all but the contest runs
    #[arg(long, conflicts_with = "score")]
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

    /// Let the workspace's bot play the contest too, and compare the mean scores
    #[arg(long)]
    score: bool,

    /// Print the results as JSON on standard output, and the lines for people on standard error
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options, workspace: &Path) -> Result<ExitCode> {
    ctrlc::set_handler(|| {
        let _none_starts = process::kill_all();
        std::process::exit(130);
    })
    .context("Ctrl-C")?;
    let say = |line: &str| {
        if options.json {
            eprintln!("{line}");
        } else {
            println!("{line}");
        }
    };
    let out = match (&options.file, &options.out) {
        (Some(file), _) | (None, Some(file)) => file.clone(),
        (None, None) => workspace.join("target/submission/bot.rs"),
    };
    ensure!(!out.is_dir(), "{}: is a directory", out.display());
    // Until all checks have passed, the file has another name.
    let draft = out.with_extension("failed.rs");
    let mut checked = &out;
    if options.file.is_none() {
        let text = text::text(workspace, options.pretty)?;
        if let Some(folder) = out.parent() {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        if !options.no_check {
            checked = &draft;
        }
        file::write(checked, text.as_bytes())?;
    }
    if options.no_check {
        say(&format!("written, not checked: {}", out.display()));
        return Ok(ExitCode::SUCCESS);
    }
    let settings = Settings {
        nodes: options.nodes,
        cases: options.cases.into(),
        contest: !options.quick,
        score: options.score,
    };
    let report = check::check(checked, &settings, &say)?;
    if options.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    }
    if report.failures.is_empty() {
        if options.file.is_none() {
            fs::rename(&draft, &out).with_context(|| out.display().to_string())?;
        }
        say(&format!("ready     {}", out.display()));
        return Ok(ExitCode::SUCCESS);
    }
    for failure in &report.failures {
        eprintln!("FAILED: {}: {}", failure.fault, failure.details);
    }
    eprintln!("xtask: not fit for the judge: {}", checked.display());
    Ok(ExitCode::FAILURE)
}
