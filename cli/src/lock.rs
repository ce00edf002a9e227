//! Files that one process at a time works on.

use crate::file::refuse_standard;
use crate::input::name;
use anyhow::{bail, Context, Result};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// How long to wait for a lock. A process that is killed while it starts another one leaves its
/// open files to that one for some milliseconds.
const PATIENCE: Duration = Duration::from_millis(100);

/// Opens a file to read and to write, makes it where it is not there, and locks it until it is
/// closed: at the end of the process, however it ends. `busy` is the error if another process
/// has locked it.
///
/// # Errors
/// `busy`; or the file's name and why it cannot be opened or locked.
pub fn open(path: &Path, busy: &str) -> Result<File> {
    refuse_standard(path)?;
    let shown = path.display();
    let file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .with_context(|| format!("{shown}: cannot be written"))?;
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                thread::sleep(Duration::from_millis(1));
            }
            Err(TryLockError::WouldBlock) => bail!("{busy}"),
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("{shown}: cannot be locked"));
            }
        }
    }
}

/// The lock of a file that is replaced again and again, so that it cannot be locked itself: a file
/// beside it, with the ending `.lock`. It goes when this value does; what a killed process leaves
/// does no harm.
#[derive(Debug)]
pub struct Beside {
    path: PathBuf,
    _file: File,
}

impl Beside {
    /// Locks a file, which need not be there. `work` is what another process may be at, such as
    /// `this refinement`.
    ///
    /// # Errors
    /// That another process works on it; or the name of the lock and why it cannot be made.
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

/// Whether an open file is still the one of this name.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        match (file.metadata(), fs::metadata(path)) {
            (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
            _ => false,
        }
    }
    // An open file cannot be removed.
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_leaves_for_a_moment_is_waited_for() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let first = open(file.path(), "busy").unwrap();
        let moment = thread::spawn(|| {
            thread::sleep(Duration::from_millis(10));
            drop(first);
        });
        open(file.path(), "busy").unwrap();
        moment.join().unwrap();
    }

    #[test]
    fn one_at_a_time_and_nothing_is_left() {
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
