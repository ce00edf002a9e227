//! The arguments that most commands share, and functions that read their input.

use anyhow::Result;
use columns_cli::input;
use columns_cli::options::JsonOption;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Maximum size of an input, in bytes. A file of this size holds about a hundred thousand boards of 50 × 50.
const MAX_INPUT_BYTES: u64 = 256 << 20;

/// The input file of a command, and the format of its results.
#[derive(Debug, clap::Args)]
pub(crate) struct PuzzleArgs {
    /// The file to read, - for standard input [default: -]
    pub(crate) file: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) json: JsonOption,
}

impl PuzzleArgs {
    /// Returns the path of the file, `-` for standard input.
    pub(crate) fn path(&self) -> &Path {
        self.file.as_deref().unwrap_or(Path::new("-"))
    }

    /// Reads the file and parses it. Errors name the file.
    pub(crate) fn read_and_parse<T>(&self) -> Result<T>
    where
        T: FromStr,
        T::Err: Error + Send + Sync + 'static,
    {
        input::read_parsed(self.path(), MAX_INPUT_BYTES)
    }
}

/// Reads a file, or standard input for `-`, as text.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    input::read(path, MAX_INPUT_BYTES)
}
