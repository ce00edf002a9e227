//! Writing files that are whole or not there.

use crate::input::{is_standard, name};
use anyhow::{bail, ensure, Context, Result};
#[cfg(unix)]
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Held while a file is being written; see [`pause_writing`].
static WRITING: Mutex<()> = Mutex::new(());

/// Waits until no file is being written, and keeps all threads from writing one while the result
/// lives: for a handler that is about to end the process.
pub fn pause_writing() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a file under a temporary name beside it, brings it to the disk, then renames it, so
/// that it is there as a whole or not at all, even if the system stops. Where the path is a
/// link, that is the file it leads to; a device or a pipe is written into.
///
/// # Errors
/// The file's name and why it cannot be written; it is then as it was.
pub fn write(path: &Path, contents: &[u8]) -> Result<()> {
    aside(path, contents, None, true).with_context(|| format!("{}: cannot be written", name(path)))
}

/// As [`write()`], with a fixed temporary name: that of the file and this ending. The next call
/// removes what a killed process has left. Only one process may write at a time.
///
/// # Errors
/// Those of [`write()`].
pub fn write_by(path: &Path, ending: &str, contents: &[u8]) -> Result<()> {
    aside(path, contents, Some(ending), true)
        .with_context(|| format!("{}: cannot be written", name(path)))
}

/// As [`write()`], but it does not wait for the disk, and its error does not name the file: for
/// commands that write thousands of files, which can be made again.
///
/// # Errors
/// Why the file cannot be written, without its name.
pub fn replace(path: &Path, contents: &[u8]) -> Result<()> {
    aside(path, contents, None, false)
}

/// Writes a file aside and renames it; `ending` as in [`write_by`], `sync` to wait for the disk.
fn aside(path: &Path, contents: &[u8], ending: Option<&str>, sync: bool) -> Result<()> {
    let _writing = pause_writing();
    ensure!(!target(path).is_symlink(), "is a link that leads nowhere");
    // A directory would only be noticed by the rename, after all the work.
    if path.is_dir() {
        bail!("is a directory");
    }
    // A rename would replace /dev/null or /dev/stdout by a file, for all processes.
    if is_special(path) {
        let mut special = fs::OpenOptions::new().write(true).open(path)?;
        special.write_all(contents)?;
        return Ok(());
    }
    let path = &target(path);
    let fixed = ending.map(|ending| {
        let mut part = path.file_name().unwrap_or_default().to_os_string();
        part.push(ending);
        part
    });
    let mut builder = tempfile::Builder::new();
    if let Some(part) = &fixed {
        builder.prefix(part).rand_bytes(0);
        // What a killed process has left.
        let _ = fs::remove_file(path.with_file_name(part));
    } else {
        builder.prefix(".columns-").suffix(".part");
    }
    // A result is no secret: the user's umask says who reads it.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder(path))?;
    file.write_all(contents)?;
    if sync {
        file.as_file().sync_all()?;
    }
    file.persist(path).map_err(|failed| failed.error)?;
    // The name is in the folder. Not every file system can bring a folder to the disk; the file
    // is whole all the same.
    #[cfg(unix)]
    if sync {
        let _ = fs::File::open(folder(path)).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

/// The file that a path leads to, by links, which need not be there.
fn target(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    // As many as Linux follows: links may lead around in a circle.
    for _ in 0..40 {
        if let Ok(there) = fs::canonicalize(&path) {
            return there;
        }
        let Ok(link) = fs::read_link(&path) else {
            break;
        };
        path = folder(&path).join(link);
    }
    path
}

/// Whether two paths lead to the same file or folder, be it by links, or would if it were there;
/// `-` is standard input. A device or a pipe is no such file: writing into it replaces nothing.
pub fn is_same(a: &Path, b: &Path) -> bool {
    matches!((place(a), place(b)), (Some(a), Some(b)) if a == b)
}

/// What tells a file from all others: its number on its disk, or its place in a folder if it is not
/// there yet.
#[cfg(unix)]
pub(crate) fn place(path: &Path) -> Option<(u64, u64, Option<OsString>)> {
    use std::os::unix::fs::MetadataExt;
    let path = match path.to_str() {
        Some("-") => Path::new("/dev/stdin"),
        _ => path,
    };
    match fs::metadata(path) {
        Ok(found) if !found.is_file() && !found.is_dir() => None,
        Ok(found) => Some((found.dev(), found.ino(), None)),
        Err(_) => {
            let path = &target(path);
            let folder = fs::metadata(folder(path)).ok()?;
            let name = path.file_name()?.to_os_string();
            Some((folder.dev(), folder.ino(), Some(name)))
        }
    }
}

/// What tells a file from all others: its path without links.
#[cfg(not(unix))]
pub(crate) fn place(path: &Path) -> Option<PathBuf> {
    let path = &target(path);
    let not_there = || Some(fs::canonicalize(folder(path)).ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(not_there)
}

/// Fails where [`write()`] would.
///
/// # Errors
/// The file's name and why it cannot be written.
pub fn check_writable(path: &Path) -> Result<()> {
    refuse_standard(path)?;
    if path.is_dir() {
        bail!("{}: cannot be written: is a directory", name(path));
    }
    // To open a pipe would wait for its reader.
    if is_special(path) {
        return Ok(());
    }
    tempfile::tempfile_in(folder(&target(path)))
        .map(drop)
        .with_context(|| format!("{}: cannot be written", name(path)))
}

/// Fails for `-`: what is replaced as a whole, or locked, is a file.
pub(crate) fn refuse_standard(path: &Path) -> Result<()> {
    ensure!(
        !is_standard(path),
        "-: expected a file: this cannot go to standard output"
    );
    Ok(())
}

/// A folder for files to write. If it was made, and holds nothing in the end, it goes again: a
/// command that fails leaves nothing behind.
#[derive(Debug)]
#[must_use = "a folder that is empty goes with this value"]
pub struct Folder {
    /// Those that were made, the innermost first.
    made: Vec<PathBuf>,
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Fails for a folder that holds something.
        for folder in &self.made {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Makes a folder, and those around it, unless it is there.
///
/// # Errors
/// Names the folder if it cannot be made, or if something else has its name.
pub fn make_folder(path: &Path) -> Result<Folder> {
    if path.exists() && !path.is_dir() {
        bail!("{}: expected a folder, found a file", path.display());
    }
    let missing = path.ancestors().take_while(|folder| !folder.exists());
    let made = missing.filter(|folder| *folder != Path::new(""));
    let folder = Folder {
        made: made.map(Path::to_path_buf).collect(),
    };
    fs::create_dir_all(path).with_context(|| format!("{}: expected a folder", path.display()))?;
    Ok(folder)
}

/// Whether there is something that is neither a file nor a folder.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// The folder that a file lies in.
pub(crate) fn folder(path: &Path) -> &Path {
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

    #[test]
    fn a_fixed_temporary_name_is_used_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        fs::write(
            folder.path().join("a.json.part"),
            "left by a killed process",
        )
        .unwrap();
        write_by(&path, ".part", b"one").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn one_file_has_many_names() {
        let folder = tempfile::tempdir().unwrap();
        let [file, hard, soft, other] =
            ["file", "hard", "soft", "other"].map(|name| folder.path().join(name));
        fs::write(&file, "one").unwrap();
        fs::write(&other, "one").unwrap();
        fs::hard_link(&file, &hard).unwrap();
        std::os::unix::fs::symlink(&file, &soft).unwrap();
        assert!(is_same(&file, &hard) && is_same(&soft, &hard));
        assert!(!is_same(&file, &other));
        fs::create_dir(folder.path().join("below")).unwrap();
        let [none, again, new] =
            ["none", "below/../none", "new"].map(|name| folder.path().join(name));
        assert!(is_same(&none, &again));
        assert!(!is_same(&none, &new) && !is_same(&none, &file));
        assert!(!is_same(Path::new("/dev/null"), Path::new("/dev/null")));
    }

    #[test]
    fn a_folder_that_stays_empty_goes_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b");
        drop(make_folder(&path).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let made = make_folder(&path).unwrap();
        fs::write(path.join("c"), "kept").unwrap();
        drop(made);
        assert!(path.join("c").exists());
        fs::remove_file(path.join("c")).unwrap();
        drop(make_folder(&path).unwrap());
        assert!(path.exists(), "it was there before");
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_links_stay_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let [pipe, file, link] = ["pipe", "file", "link"].map(|name| folder.path().join(name));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        check_writable(&pipe).unwrap();
        write(&pipe, b"one").unwrap();
        assert_eq!(reader.join().unwrap(), b"one");
        assert!(is_special(&pipe));
        fs::write(&file, "before").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(&link, b"two").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"two");

        // A link to a file that is not there, over another link.
        fs::create_dir(folder.path().join("below")).unwrap();
        let [there, first, second] =
            ["below/there", "below/first", "second"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("there", &first).unwrap();
        std::os::unix::fs::symlink("below/first", &second).unwrap();
        assert!(is_same(&there, &second));
        check_writable(&second).unwrap();
        write(&second, b"three").unwrap();
        assert!(first.is_symlink() && second.is_symlink());
        assert_eq!(fs::read(&there).unwrap(), b"three");
        // Links in a circle.
        let round = folder.path().join("round");
        std::os::unix::fs::symlink("round", &round).unwrap();
        assert!(write(&round, b"four").is_err() && round.is_symlink());
    }
}
