//! Files that are whole or not there.

use anyhow::{bail, Context, Result};
use std::fs;
use std::io::Write;
use std::path::Path;

/// Makes a folder unless it is there.
///
/// # Errors
/// Names the folder if it cannot be made, or if something else has its name.
pub(crate) fn make_dir(dir: &Path) -> Result<()> {
    if dir.exists() && !dir.is_dir() {
        bail!("{}: expected a folder, found a file", dir.display());
    }
    fs::create_dir_all(dir).with_context(|| format!("{}: expected a folder", dir.display()))
}

/// Writes a file of this name in `dir` under another name and renames it, so that
/// readers see the old or the new file and nothing in between.
///
/// # Errors
/// Names the file; it is then as it was, and the other file is gone.
pub(crate) fn replace(dir: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let path = dir.join(name);
    let context = || format!("{}: expected to write the file", path.display());
    let mut builder = tempfile::Builder::new();
    let prefix = format!(".{name}.");
    builder.prefix(&prefix).suffix(".part");
    #[cfg(unix)]
    {
        // A result is no secret: the user's umask says who reads it.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(dir).with_context(context)?;
    file.write_all(bytes).with_context(context)?;
    file.persist(&path)
        .map_err(|failed| failed.error)
        .with_context(context)?;
    Ok(())
}
