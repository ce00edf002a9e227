//! `cargo xtask bundle`: makes the submission, a single file with the whole bot, and checks it.

mod check;
mod options;

use crate::chore::{self, STOP_REQUESTED};
use anyhow::{Context, Result, ensure};
use check::Failure;
use columns_bundler::{BuildOptions, Goal, Program};
use columns_cli::file;
use columns_cli::output::print;
use columns_cli::stderr::log;
pub(crate) use options::Options;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Text in the first line of every bundle, which identifies the file as a bundle.
const BUNDLE_MARK: &str = "made by `cargo xtask bundle`";

/// Compiles a submission in `folder` as the contest server does, and returns the path of the program.
///
/// Uses the submission in `file`, or makes one from the sources of the workspace.
pub(crate) fn compile_submission(
    workspace: &Path,
    file: Option<&Path>,
    folder: &Path,
) -> Result<PathBuf> {
    let source = folder.join("bot.rs");
    match file {
        Some(file) => drop(fs::copy(file, &source).with_context(|| file.display().to_string())?),
        None => fs::write(
            &source,
            columns_bundler::bundle(&own_program(workspace, 1)?)?.text,
        )?,
    }
    let program = folder.join("bot");
    let compiled = check::compile("rustc".as_ref(), &source, &program)?;
    let errors = String::from_utf8_lossy(&compiled.stderr);
    let errors = errors.trim_end();
    ensure!(compiled.failure.is_none(), "rustc: {errors}");
    Ok(program)
}

/// Returns the workspace's program for the contest. The program searches with at most `threads` threads.
fn own_program(workspace: &Path, threads: u16) -> Result<Program> {
    let all = ["--no-default-features", "--features", "threads"];
    let build = BuildOptions {
        cargo_args: &all[..if threads > 1 { 3 } else { 1 }],
        stop: &STOP_REQUESTED,
        ..BuildOptions::default()
    };
    let root = workspace.join("bot/src/bin/submission.rs");
    let mut program = Program::from_file(&root, &build)?;
    let max_threads = ("COLUMNS_MAX_THREADS".to_string(), threads.to_string());
    program.main.environment.extend([max_threads]);
    program.kept_names.push("TIME_LIMIT_S".to_string()); // docs/submitting.md names it
    program.comment = BUNDLE_MARK.to_string();
    program.goal = Goal::Smallest;
    Ok(program)
}

/// Returns the program to bundle: the user's, if the options name one, or else the workspace's.
fn program_to_bundle(options: &Options, workspace: &Path) -> Result<Program> {
    let mut program = match &options.source {
        None => own_program(workspace, options.threads)?,
        Some(root) => {
            let core = workspace.join("crates/core");
            let build = BuildOptions {
                offered_packages: &[("columns-core", &core)],
                edition: options.edition.as_deref(),
                stop: &STOP_REQUESTED,
                ..BuildOptions::default()
            };
            let mut program = Program::from_file(root, &build)?;
            program.comment = BUNDLE_MARK.to_string();
            program.goal = if options.smallest {
                Goal::Smallest
            } else {
                Goal::Bytes(options.max_bytes)
            };
            program
        }
    };
    if options.pretty {
        program.goal = Goal::Pretty;
    }
    Ok(program)
}

pub(crate) fn run(options: &Options, workspace: &Path) -> Result<ExitCode> {
    chore::run_until_interrupted(|| bundle(options, workspace))
}

fn bundle(options: &Options, workspace: &Path) -> Result<ExitCode> {
    let (file, failures) = match &options.file {
        Some(file) => {
            let submission = fs::read(file).with_context(|| file.display().to_string())?;
            let failures = check::check(&submission, options)?;
            (file.clone(), failures)
        }
        None => make_submission(options, workspace)?,
    };
    for Failure { fault, details } in &failures {
        log(&format!("FAILED: {fault}: {details}"));
    }
    let path_text = file.display();
    if !failures.is_empty() {
        log(&format!("NOT ready: {path_text}"));
        return Ok(ExitCode::FAILURE);
    }
    // A closed standard output is not an error: the results are the file and the exit status.
    let what = ["ready     ", "written, not checked: "][usize::from(options.no_check)];
    let _ = print(&format!("{what}{path_text}\n"));
    Ok(ExitCode::SUCCESS)
}

/// Makes the submission, and checks it unless `--no-check` is given. Returns the path of the file, and the
/// checks that failed.
///
/// If a check fails, the file gets another name: `bot.failed.rs` instead of `bot.rs`.
fn make_submission(options: &Options, workspace: &Path) -> Result<(PathBuf, Vec<Failure>)> {
    let own = ["target/submission/bot.rs", "submission/bot.rs"][usize::from(options.write)];
    let out = options.out.clone().unwrap_or_else(|| workspace.join(own));
    // A failed submission does not replace the last good one.
    let failed = out.with_extension("failed.rs");
    let program = program_to_bundle(options, workspace)?;
    let folders = program
        .libraries
        .iter()
        .filter_map(|library| library.file.parent());
    let mut sources: Vec<PathBuf> = folders.map(Path::to_path_buf).collect();
    sources.extend(options.source.clone());
    let _folder = chore::prepare_output(&out, BUNDLE_MARK, &sources)?;
    chore::prepare_output(&failed, BUNDLE_MARK, &sources)?;
    let bundle = columns_bundler::bundle(&program)?;
    for line in &bundle.log {
        log(&format!("xtask: {line}"));
    }
    let text = &bundle.text;
    let mut failures = Vec::new();
    if !options.no_check {
        failures = check::check(text.as_bytes(), options)?;
    }
    if let Goal::Bytes(limit) = program.goal
        && text.len() > limit
    {
        let (bytes, excess) = (text.len(), text.len() - limit);
        failures.push(Failure {
            fault: "over the limit",
            details: format!("{bytes} bytes, {excess} more than --limit {limit}"),
        });
    }
    let file = if failures.is_empty() { out } else { failed };
    file::write(&file, text.as_bytes())?;
    Ok((file, failures))
}
