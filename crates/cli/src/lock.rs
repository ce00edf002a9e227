//! Files that only one process may use at a time.

use crate::file::refuse_standard;
use crate::input::name;
use anyhow::{Context, Result, bail};
use std::fs::{self, File, TryLockError};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum time to wait for a lock.
///
/// If a process is killed while it starts a child, the child keeps its files open, and locked, for a few
/// milliseconds.
const LOCK_TIMEOUT: Duration = Duration::from_millis(100);

/// Opens a file for reading and writing, creates it if it does not exist, and locks it.
///
/// The lock lasts until the file is closed, at the latest when the process ends.
///
/// # Errors
/// Returns an error if another process has locked the file; the message is then `busy`. Also if the file
/// cannot be opened or locked; the error names the file.
pub fn open(path: &Path, busy: &str) -> Result<File> {
    refuse_standard(path)?;
    let path_text = path.display();
    let file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .with_context(|| format!("{path_text}: cannot be written"))?;
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if start.elapsed() < LOCK_TIMEOUT => {
                thread::sleep(Duration::from_millis(1));
            }
            Err(TryLockError::WouldBlock) => bail!("{busy}"),
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("{path_text}: cannot be locked"));
            }
        }
    }
}

/// A lock for a file that is replaced again and again, and therefore cannot be locked itself.
///
/// The lock is a file beside it, with `.lock` appended to the name. It is removed on drop. A lock file that a
/// killed process left behind is harmless.
#[derive(Debug)]
pub struct Beside {
    path: PathBuf,
    _file: File,
}

impl Beside {
    /// Locks the file at `path`, which need not exist. `work` describes the work on it for messages, such as
    /// `this refinement`.
    ///
    /// # Errors
    /// Returns an error if another process holds the lock, or if the lock file cannot be created.
    pub fn lock(path: &Path, work: &str) -> Result<Self> {
        let busy = format!("{}: another process is working on {work}", name(path));
        let mut lock = path.as_os_str().to_os_string();
        lock.push(".lock");
        let lock = PathBuf::from(lock);
        loop {
            let file = open(&lock, &busy)?;
            // Between opening and locking, another process may have ended and removed the file.
            if is_at(&file, &lock) {
                return Ok(Self {
                    path: lock,
                    _file: file,
                });
            }
        }
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// True if the path still leads to this open file.
fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::metadata(path)) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opening_waits_for_a_lock_that_ends_soon() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let first = open(file.path(), "busy").unwrap();
        let other = thread::spawn(|| {
            thread::sleep(Duration::from_millis(10));
            drop(first);
        });
        open(file.path(), "busy").unwrap();
        other.join().unwrap();
    }

    #[test]
    fn only_one_holds_the_lock_and_no_file_remains() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let first = Beside::lock(&path, "this").unwrap();
        let busy = Beside::lock(&path, "this").unwrap_err().to_string();
        assert_eq!(
            busy,
            format!("{}: another process is working on this", path.display())
        );
        drop(first);
        drop(Beside::lock(&path, "this").unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
