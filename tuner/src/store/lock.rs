//! Files that one process at a time works on.

use anyhow::{bail, Context, Result};
use std::fs::{File, TryLockError};
use std::path::Path;

/// Opens a file to read and to write, makes it where it is not there, and locks it until it is
/// closed: at the end of the process, however it ends. `busy` is the error if another process
/// has locked it.
///
/// # Errors
/// `busy`; or the file's name and why it cannot be opened or locked.
pub fn open(path: &Path, busy: &str) -> Result<File> {
    let shown = path.display();
    let file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .with_context(|| format!("{shown}: cannot be written"))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => bail!("{busy}"),
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("{shown}: cannot be locked"))
        }
    }
}
