//! Options that several commands have, and their values.

use crate::{file, output};
use anyhow::Result;
use clap::Args;
use std::path::{Path, PathBuf};

/// Where results go as JSON, if they do.
#[derive(Debug, Args)]
pub struct Json {
    /// Give the results as JSON, on standard output or with --json=FILE in a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true,
        default_missing_value = "-")]
    json: Option<PathBuf>,
}

impl Json {
    /// Whether JSON takes the place of what is printed otherwise.
    pub fn is_printed(&self) -> bool {
        self.json.as_deref() == Some(Path::new("-"))
    }

    /// Fails where [`give`](Self::give) would: to be called before long work.
    ///
    /// # Errors
    /// The file's name and why it cannot be written.
    pub fn check(&self) -> Result<()> {
        match &self.json {
            Some(path) if !self.is_printed() => file::check_writable(path),
            _ => Ok(()),
        }
    }

    /// Writes the results as JSON to where they are wanted, and prints the text if standard output
    /// is free for it.
    ///
    /// # Errors
    /// Those of `json`, or the file's name and why it cannot be written.
    pub fn give(&self, json: impl FnOnce() -> Result<String>, text: &str) -> Result<()> {
        match &self.json {
            Some(_) if self.is_printed() => return output::print(&json()?),
            Some(path) => file::write(path, json()?.as_bytes())?,
            None => {}
        }
        output::print(text)
    }
}

/// Reads an amount of work: milliseconds from 0.001 to a billion.
///
/// # Errors
/// Says what was expected.
pub fn work(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(work) if (0.001..=1e9).contains(&work) => Ok(work),
        _ => Err("expected milliseconds from 0.001 to 1000000000".into()),
    }
}
