//! Files that only one process may use at a time.

use crate::file::refuse_stdio;
use anyhow::{Context, Result, bail};
use std::fs::{File, TryLockError};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// Maximum time to wait for a lock.
///
/// A lock can outlast its process. If the process is killed while it starts a child, the child keeps the
/// files open, and thus locked, for a few milliseconds.
const LOCK_TIMEOUT: Duration = Duration::from_millis(100);

/// Opens a file for reading and writing, creates it if it does not exist, and locks it.
///
/// The lock lasts until the file is closed. When the process ends, the system closes the file.
///
/// # Errors
/// Returns an error with the text `busy_message` if another process has locked the file. Returns an error
/// that names the file if it cannot be opened or locked.
pub fn open_locked(path: &Path, busy_message: &str) -> Result<File> {
    refuse_stdio(path)?;
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
            Err(TryLockError::WouldBlock) => bail!("{busy_message}"),
            Err(TryLockError::Error(error)) => {
                // Some network file systems have no locks.
                return Err(error).with_context(|| {
                    format!(
                        "{path_text}: cannot be locked: name a folder on another file system, with --store \
                         or --out"
                    )
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opening_waits_for_a_lock_that_ends_soon() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let first = open_locked(file.path(), "busy").unwrap();
        let other = thread::spawn(|| {
            thread::sleep(Duration::from_millis(10));
            drop(first);
        });
        open_locked(file.path(), "busy").unwrap();
        other.join().unwrap();
    }
}
