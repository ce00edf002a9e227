//! Reading and writing files: mistakes are one line that names the file, and
//! nothing is left half-written.

use anyhow::{anyhow, bail, Context, Result};
use columns_core::case::Case;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Most bytes of a case file that are read; a case needs 40 KB.
const CASE_LIMIT: u64 = 16 << 20;

/// Held while a file is being written; see [`pause_writing`].
static WRITING: Mutex<()> = Mutex::new(());

/// Waits until no file is being written and lets nobody start: for a handler
/// that is about to end the process.
pub fn pause_writing() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How a file is called in messages: standard input for `-`.
pub fn name(path: &Path) -> String {
    if path == Path::new("-") {
        "standard input".into()
    } else {
        path.display().to_string()
    }
}

/// At most `limit` bytes of a file, or of standard input for `-`.
///
/// # Errors
/// The file's name and why it cannot be read.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        fs::File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    read.with_context(|| format!("{}: cannot be read", name(path)))?;
    Ok(bytes)
}

/// `bytes` as text.
///
/// # Errors
/// The line of the first byte that is not UTF-8.
pub fn text(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|error| {
        let good = &bytes[..error.valid_up_to()];
        let line = good.split(|&byte| byte == b'\n').count();
        anyhow!("line {line}: expected text, found bytes that are not UTF-8")
    })
}

/// Reads a case.
///
/// # Errors
/// One line with the file's name, the line in it and what was expected there.
pub fn read_case(path: &Path) -> Result<Case> {
    let bytes = read(path, CASE_LIMIT)?;
    let case = text(&bytes).and_then(|text| Ok(text.parse()?));
    case.with_context(|| name(path))
}

/// Writes a file under a temporary name beside it, then renames it, so that it
/// is there as a whole or not at all.
///
/// # Errors
/// The file's name and why it cannot be written.
pub fn write(path: &Path, contents: &[u8]) -> Result<()> {
    let _writing = pause_writing();
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let written = (|| {
        // A directory would only be noticed by the rename, after all the work.
        if path.is_dir() {
            bail!("is a directory");
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".judge-").suffix(".tmp");
        // Readable by all that the umask allows, as files made directly are.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(contents)?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    })();
    written.with_context(|| format!("{}: cannot be written", name(path)))
}

/// Fails where [`write`] would, before the work that there is to write about.
///
/// # Errors
/// The file's name and why it cannot be written.
pub fn check_writable(path: &Path) -> Result<()> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    if path.is_dir() {
        bail!("{}: cannot be written: is a directory", name(path));
    }
    tempfile::tempfile_in(folder)
        .map(drop)
        .with_context(|| format!("{}: cannot be written", name(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_text_are_named_by_line() {
        assert_eq!(text(b"1\n2").unwrap(), "1\n2");
        assert_eq!(
            text(b"1\n2\n\xff").unwrap_err().to_string(),
            "line 3: expected text, found bytes that are not UTF-8"
        );
    }

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
