//! `judge init`: writes a `columns.toml`.

use anyhow::{Result, ensure};
use clap::Args;
use columns_cli::{file, output};
use columns_judge::config::{FILE_NAME, TEMPLATE};
use std::path::Path;
use std::process::ExitCode;

/// Write a columns.toml, with comments, into this folder
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  judge init")]
pub(crate) struct Options {}

pub(crate) fn run(_: &Options) -> Result<ExitCode> {
    let path = Path::new(FILE_NAME);
    ensure!(!path.exists(), "{FILE_NAME}: exists already");
    file::write(path, TEMPLATE.as_bytes())?;
    output::print(&format!(
        "{FILE_NAME}: written; now set the command of your bot there\n"
    ))?;
    Ok(ExitCode::SUCCESS)
}
