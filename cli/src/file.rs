//! Writing files that are whole or not there.

use crate::input::name;
use anyhow::{bail, Context, Result};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Held while a file is being written; see [`pause_writing`].
static WRITING: Mutex<()> = Mutex::new(());

/// Waits until no file is being written and lets nobody start: for a handler
/// that is about to end the process.
pub fn pause_writing() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a file under a temporary name beside it, then renames it, so that it
/// is there as a whole or not at all.
///
/// # Errors
/// The file's name and why it cannot be written; it is then as it was.
pub fn write(path: &Path, contents: &[u8]) -> Result<()> {
    replace(path, contents).with_context(|| format!("{}: cannot be written", name(path)))
}

/// As [`write()`], for those who word the error themselves.
///
/// # Errors
/// Why the file cannot be written, without its name.
pub fn replace(path: &Path, contents: &[u8]) -> Result<()> {
    let _writing = pause_writing();
    // A directory would only be noticed by the rename, after all the work.
    if path.is_dir() {
        bail!("is a directory");
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".columns-").suffix(".part");
    // A result is no secret: the user's umask says who reads it.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder(path))?;
    file.write_all(contents)?;
    file.persist(path).map_err(|failed| failed.error)?;
    Ok(())
}

/// Fails where [`write()`] would, before the work that there is to write about.
///
/// # Errors
/// The file's name and why it cannot be written.
pub fn check_writable(path: &Path) -> Result<()> {
    if path.is_dir() {
        bail!("{}: cannot be written: is a directory", name(path));
    }
    tempfile::tempfile_in(folder(path))
        .map(drop)
        .with_context(|| format!("{}: cannot be written", name(path)))
}

/// Makes a folder unless it is there.
///
/// # Errors
/// Names the folder if it cannot be made, or if something else has its name.
pub fn make_folder(path: &Path) -> Result<()> {
    if path.exists() && !path.is_dir() {
        bail!("{}: expected a folder, found a file", path.display());
    }
    fs::create_dir_all(path).with_context(|| format!("{}: expected a folder", path.display()))
}

/// The folder that a file lies in.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write(folder.path(), b"x").is_err());
        assert!(write(&folder.path().join("none/a.json"), b"x").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
