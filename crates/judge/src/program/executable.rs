//! Finds the executable of a program, and explains why a file is none.

use anyhow::{Context, Result, anyhow, ensure};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Finds the executable that the first word of a command line names.
pub(super) fn find(word: &str, folder: &Path) -> Result<PathBuf> {
    let path = if word.contains('/') {
        word.into()
    } else {
        on_path(word).with_context(|| {
            if folder.join(word).is_file() {
                format!("{word}: not found on PATH: write ./{word} for a file in this folder")
            } else {
                format!("{word}: not found on PATH")
            }
        })?
    };
    check_executable(&folder.join(&path)).with_context(|| path.display().to_string())?;
    Ok(path)
}

/// Searches the folders of PATH for an executable.
fn on_path(word: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let mut files = env::split_paths(&folders).map(|folder| folder.join(word));
    files.find(|file| check_executable(file).is_ok())
}

/// Returns an error with the reason if a file cannot be executed.
fn check_executable(path: &Path) -> Result<()> {
    let metadata = fs::metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => anyhow!("no such file"),
        _ => error.into(),
    })?;
    ensure!(
        metadata.is_file(),
        "expected a program, found no regular file"
    );
    ensure!(
        metadata.permissions().mode() & 0o111 != 0,
        "is not executable: chmod +x, or name its interpreter first"
    );
    let mut start = Vec::new();
    // A file that may be executed but not read is not a script.
    let _ = fs::File::open(path).and_then(|file| file.take(256).read_to_end(&mut start));
    let start = String::from_utf8_lossy(&start);
    let Some(script) = start.strip_prefix("#!") else {
        return Ok(());
    };
    let line = script.split('\n').next().unwrap_or_default();
    ensure!(
        !line.ends_with('\r'),
        "its first line ends with a carriage return, which belongs to the name of the interpreter: \
         save the file with Unix line ends"
    );
    let mut words = line.split_whitespace();
    let interpreter = words.next().unwrap_or_default();
    ensure!(
        Path::new(interpreter).exists(),
        "its first line names the interpreter {interpreter:?}, which does not exist"
    );
    let is_program = |word: &&str| interpreter.ends_with("/env") && !word.starts_with('-');
    let program = words.next().filter(is_program);
    ensure!(
        program.is_none_or(|word| on_path(word).is_some()),
        "its first line names the interpreter {:?}, which is not on PATH",
        program.unwrap_or_default()
    );
    Ok(())
}
