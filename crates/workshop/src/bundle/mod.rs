//! `cargo xtask bundle`: makes the submission, a single file with the whole bot, and checks it.

mod check;
mod options;

use crate::chore;
use anyhow::{Context, Result, ensure};
use check::Failure;
use columns_bot::submission::{CPU, NODES};
use columns_bundler::{Bundle, Program, Root};
use columns_cli::file;
use columns_cli::output::print;
use columns_cli::stderr::log;
pub(crate) use options::Options;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The first lines of the file. They turn off the compiler's warnings, which no judge shows.
const HEADER: &str = "\
// A bot, made by `cargo xtask bundle` from readable sources.
#![allow(warnings)]
";

/// Compiles a submission in `folder` as the judge does, and returns the program.
///
/// The submission is the one in `file`, or one made from the sources of the workspace.
pub(crate) fn program(workspace: &Path, file: Option<&Path>, folder: &Path) -> Result<PathBuf> {
    let source = folder.join("bot.rs");
    match file {
        Some(file) => drop(fs::copy(file, &source).with_context(|| file.display().to_string())?),
        None => fs::write(&source, made(workspace, None, 1, false)?.text)?,
    }
    let program = folder.join(format!("bot{}", std::env::consts::EXE_SUFFIX));
    let compiled = check::compile("rustc".as_ref(), &source, &program)?;
    let errors = compiled.error_text();
    let errors = errors.trim_end();
    ensure!(compiled.failed.is_none(), "rustc: {errors}");
    Ok(program)
}

/// Makes a submission from the program with this root file, or from the contest program if `root` is `None`.
fn made(workspace: &Path, root: Option<&Path>, threads: u16, pretty: bool) -> Result<Bundle> {
    let root = root.map_or(Root::Function("columns_bot::submission::main"), Root::File);
    let mut bundle = columns_bundler::bundle(&Program {
        libraries: &libraries(workspace),
        features: &["threads"][..usize::from(threads > 1)],
        constants: &[("THREADS", usize::from(threads))],
        names: &["SECONDS"], // docs/submitting.md names it
        pretty,
        ..Program::new(root)
    })?;
    bundle.text.insert_str(0, HEADER);
    Ok(bundle)
}

/// Returns the libraries that a submission may use, and the folders with their sources.
fn libraries(workspace: &Path) -> [(&'static str, PathBuf); 2] {
    [
        ("columns_core", "crates/core/src"),
        ("columns_bot", "bot/src"),
    ]
    .map(|(name, folder)| (name, workspace.join(folder)))
}

pub(crate) fn run(options: &Options, workspace: &Path) -> Result<ExitCode> {
    // The submission reads these variables, so games against the clock must not inherit them.
    for name in [NODES, CPU] {
        ensure!(
            std::env::var_os(name).is_none(),
            "expected no environment variable {name}"
        );
    }
    chore::until_interrupted(|| bundle(options, workspace))
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
    let path_text = file.display();
    if !failures.is_empty() {
        log(&format!("xtask: not fit for the judge: {path_text}"));
        return Ok(ExitCode::FAILURE);
    }
    // The results are the file and the exit status, so a closed standard output is not an error.
    let what = ["ready     ", "written, not checked: "][usize::from(options.no_check)];
    let _ = print(&format!("{what}{path_text}\n"));
    Ok(ExitCode::SUCCESS)
}

/// Makes the submission, and checks it unless the user has turned the checks off. Returns the file and the failed checks.
///
/// If a check fails, the file gets another name: `bot.failed.rs` instead of `bot.rs`.
fn make(options: &Options, workspace: &Path) -> Result<(PathBuf, Vec<Failure>)> {
    let out = options.out.clone();
    let out = out.unwrap_or_else(|| workspace.join("target/submission/bot.rs"));
    // A failed submission does not replace the last good one.
    let failed = out.with_extension("failed.rs");
    let mut sources = libraries(workspace).map(|(_, folder)| folder).to_vec();
    sources.extend(options.source.clone());
    let _folder = chore::folder_for(&out, &sources)?;
    chore::folder_for(&failed, &sources)?;
    let made = made(
        workspace,
        options.source.as_deref(),
        options.threads,
        options.pretty,
    )?;
    let text = &made.text;
    let mut failures = Vec::new();
    if !options.no_check {
        failures = check::check(text.as_bytes(), options)?;
    }
    for reason in &made.kept {
        log(&format!("xtask: {reason}"));
    }
    let file = if failures.is_empty() { out } else { failed };
    file::write(&file, text.as_bytes())?;
    Ok((file, failures))
}
