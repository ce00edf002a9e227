//! Reading input and writing results, with one line for every mistake.

use anyhow::{Context, Result};
use columns_core::text;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;

/// The largest input; a million boards of 50 × 50 would not be read by anyone.
const MAX_BYTES: u64 = 256 << 20;

/// The file to open; `-` is standard input, as is none.
fn file(file: Option<&Path>) -> Option<&Path> {
    file.filter(|path| *path != Path::new("-"))
}

/// The name of an input in messages.
pub(crate) fn name(path: Option<&Path>) -> String {
    file(path).map_or("standard input".to_string(), |path| {
        path.display().to_string()
    })
}

/// Reads a file, or standard input if there is none, as text.
pub(crate) fn read(path: Option<&Path>) -> Result<String> {
    let mut bytes = Vec::new();
    let read = match file(path) {
        Some(path) => File::open(path).and_then(|f| f.take(MAX_BYTES + 1).read_to_end(&mut bytes)),
        None => std::io::stdin()
            .lock()
            .take(MAX_BYTES + 1)
            .read_to_end(&mut bytes),
    };
    let read = read.with_context(|| format!("{}: cannot be read", name(path)))?;
    anyhow::ensure!(
        read as u64 <= MAX_BYTES,
        "{}: expected at most {} MiB",
        name(path),
        MAX_BYTES >> 20
    );
    Ok(text::decode(&bytes)
        .with_context(|| name(path))?
        .to_string())
}

/// Writes a result to standard output.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .context("standard output")
}

/// Writes a result as JSON to standard output.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<()> {
    print(&(serde_json::to_string(value)? + "\n"))
}

/// Writes a file as a whole: to a temporary name beside it, then renamed.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let write = || -> Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.persist(path)?;
        Ok(())
    };
    write().with_context(|| format!("{}: cannot be written", path.display()))
}

/// Whether a reader of standard output has gone, which is no mistake.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
}

/// One line on standard error and the status of a mistake.
pub(crate) fn fail(message: &str) -> ExitCode {
    complain(message);
    ExitCode::from(2)
}

/// One line on standard error.
pub(crate) fn complain(message: &str) {
    let shown: String = message
        .chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect();
    // Nobody is left to be told if standard error is closed.
    let _ = writeln!(std::io::stderr(), "puzzles: {shown}");
}
