//! The submission: one file that holds the whole bot, made from the sources.
//!
//! The sources become one program ([`source`], [`strip`]). What the compiler calls unused is
//! removed ([`dead`], [`derives`]). Then all modules become one ([`flat`]), names short
//! ([`marks`], [`words`]), and the text dense ([`attributes`], [`mod@print`]). At last the
//! compiler shows that the short program does what the sources do ([`proof`]).

mod attributes;
mod check;
mod compiler;
mod constants;
mod dead;
mod derives;
mod flat;
mod marks;
mod names;
mod options;
mod places;
mod print;
mod proof;
mod source;
mod strip;
mod text;
mod tokens;
mod words;

use crate::chore;
use anyhow::{ensure, Context, Result};
use check::Failure;
use columns_bot::submission::{CPU, NODES};
use columns_cli::file;
use columns_cli::mistake::tell;
use columns_cli::output::print;
use columns_cli::paths::Format;
pub(crate) use options::Options;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Compiles a submission in `folder` as the judge does: the one in `file`, or one made from the
/// workspace's sources.
pub(crate) fn program(workspace: &Path, file: Option<&Path>, folder: &Path) -> Result<PathBuf> {
    let source = folder.join("bot.rs");
    match file {
        Some(file) => drop(fs::copy(file, &source).with_context(|| file.display().to_string())?),
        None => fs::write(&source, made(workspace, None, false)?.text)?,
    }
    let program = folder.join(format!("bot{}", std::env::consts::EXE_SUFFIX));
    let compiled = check::compile("rustc".as_ref(), &source, &program)?;
    let errors = compiled.errors.trim_end();
    ensure!(compiled.failed.is_none(), "rustc: {errors}");
    Ok(program)
}

/// Makes the text of a submission.
fn made(workspace: &Path, root: Option<&Path>, pretty: bool) -> Result<text::Made> {
    let source = source::Source::load(workspace, root)?;
    text::text(source, pretty)
}

pub(crate) fn run(options: &Options, workspace: &Path) -> Result<ExitCode> {
    // The submission listens to them, and those that it plays against the clock get none.
    std::env::remove_var(NODES);
    std::env::remove_var(CPU);
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
        tell(&format!("FAILED: {fault}: {details}"));
    }
    let shown = file.display();
    if !failures.is_empty() {
        tell(&format!("xtask: not fit for the judge: {shown}"));
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
    let mut sources = text::sources(workspace).to_vec();
    sources.extend(options.source.clone());
    let _folder = chore::folder_for(&out, Format::Text(text::MARK), &sources)?;
    let made = made(workspace, options.source.as_deref(), options.pretty)?;
    let text = &made.text;
    let mut failures = Vec::new();
    if !options.no_check {
        failures = check::check(text.as_bytes(), options)?;
    }
    for kept in &made.kept {
        tell(&format!("xtask: {kept}"));
    }
    // What is not fit does not get the name.
    if !failures.is_empty() {
        out.set_extension("failed.rs");
    }
    file::write(&out, text.as_bytes())?;
    Ok((out, failures))
}
