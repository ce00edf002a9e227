//! Atomic writes, which leave a file either complete or unchanged.

use crate::input::{is_stdio, name};
use anyhow::{Context, Result, bail, ensure};
use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

const TEMPORARY_SUFFIX: &str = ".part";

/// Writes a file atomically: writes a temporary file in the same folder, syncs it to disk, and renames it.
///
/// Even after a system crash, the file is either complete or unchanged. Follows links. Writes to devices and
/// pipes directly.
///
/// # Errors
/// Returns an error if the file cannot be written. The error names the file, which is then unchanged.
pub fn write(path: &Path, contents: &[u8]) -> Result<()> {
    write_atomically(path, contents, None, true)
}

/// Like [`write()`], with a fixed temporary name: the name of the file, followed by `suffix`.
///
/// A temporary file left behind by a killed process is removed. Only one process may write the file at a
/// time.
///
/// # Errors
/// Same as [`write()`].
pub fn write_with_temporary_suffix(path: &Path, suffix: &str, contents: &[u8]) -> Result<()> {
    let mut temporary_name = path.file_name().unwrap_or_default().to_os_string();
    temporary_name.push(suffix);
    write_atomically(path, contents, Some(&temporary_name), true)
}

/// Like [`write()`], but does not sync the file to disk. The temporary name is hidden and fixed, so that the
/// next call removes a temporary file left behind by a killed process. It does not contain the file's name,
/// since that name may already have the maximum length.
///
/// Meant for commands that write thousands of files and can easily write them again.
///
/// # Errors
/// Same as [`write()`].
pub fn write_unsynced(path: &Path, contents: &[u8]) -> Result<()> {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let temporary_name = format!(".{:08x}{TEMPORARY_SUFFIX}", crc32fast::hash(name));
    write_atomically(path, contents, Some(temporary_name.as_ref()), false)
}

fn write_atomically(
    path: &Path,
    contents: &[u8],
    temporary_name: Option<&OsStr>,
    sync: bool,
) -> Result<()> {
    let written = try_write_atomically(path, contents, temporary_name, sync);
    written.with_context(|| format!("{}: cannot be written", name(path)))
}

/// Writes a temporary file called `temporary_name` and renames it to `path`. If `temporary_name` is `None`,
/// the temporary name is random. If `sync` is true, syncs the file to disk.
fn try_write_atomically(
    path: &Path,
    contents: &[u8],
    temporary_name: Option<&OsStr>,
    sync: bool,
) -> Result<()> {
    let target = &resolve_links(path);
    ensure!(!target.is_symlink(), "is a link that leads nowhere");
    // Check this now: otherwise the rename would fail, but only after the contents have been written.
    ensure!(!is_folder_path(path), "is a directory");
    // A rename would replace /dev/null or /dev/stdout with a regular file for all processes.
    if is_special(path) {
        let mut special = fs::OpenOptions::new().write(true).open(path)?;
        special.write_all(contents)?;
        return Ok(());
    }
    let mut builder = tempfile::Builder::new();
    if let Some(temporary_name) = temporary_name {
        builder.prefix(temporary_name).rand_bytes(0);
        // A killed process may have left this file behind.
        let _ = fs::remove_file(target.with_file_name(temporary_name));
    } else {
        builder.prefix(".columns-").suffix(TEMPORARY_SUFFIX);
    }
    // A new file is not secret: the user's umask determines who may read it.
    builder.permissions(Permissions::from_mode(0o666));
    let mut file = builder.tempfile_in(parent_folder(target))?;
    if let Ok(old) = fs::metadata(target) {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.write_all(contents)?;
    if sync {
        file.as_file().sync_all()?;
    }
    file.persist(target).map_err(|failed| failed.error)?;
    // The folder holds the new name, so sync the folder, too. Some file systems cannot sync a folder, but the
    // file is complete in any case.
    if sync {
        let _ = fs::File::open(parent_folder(target)).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

/// Resolves the symbolic links of a path. The file at the end of the links need not exist.
fn resolve_links(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    // Links may form a loop, so follow at most 40 of them, as Linux does.
    for _ in 0..40 {
        if let Ok(resolved) = fs::canonicalize(&path) {
            return resolved;
        }
        let Ok(link) = fs::read_link(&path) else {
            break;
        };
        path = parent_folder(&path).join(link);
    }
    path
}

/// True if two paths lead to the same file or folder, or would lead to it if it existed.
///
/// Follows links. `-` is standard input. Returns false for devices and pipes, since writing to them replaces
/// nothing.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((file_id(a), file_id(b)), (Some(a), Some(b)) if a == b)
}

/// Identifies a file: by device and inode, or by its folder and name if it does not exist yet.
///
/// Returns `None` for devices and pipes, and if the folder does not exist.
pub(crate) fn file_id(path: &Path) -> Option<(u64, u64, Option<OsString>)> {
    let path = match path.to_str() {
        Some("-") => Path::new("/dev/stdin"),
        _ => path,
    };
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => None,
        Ok(metadata) => Some((metadata.dev(), metadata.ino(), None)),
        Err(_) => {
            let path = &resolve_links(path);
            let folder = fs::metadata(parent_folder(path)).ok()?;
            let name = path.file_name()?.to_os_string();
            Some((folder.dev(), folder.ino(), Some(name)))
        }
    }
}

/// Returns an error if no file can be created in the folder of `path`. Leaves no file behind, and does not
/// check devices and pipes.
fn check_writable(path: &Path) -> Result<()> {
    // A device or a pipe is written to in place, so its folder need not allow new files.
    if is_special(path) {
        return Ok(());
    }
    tempfile::tempfile_in(parent_folder(&resolve_links(path)))
        .map(drop)
        .with_context(|| format!("{}: cannot be written", name(path)))
}

/// Checks the files that a command is going to write: each must be writable, and must be used only once. Two
/// paths to one file count as the same file. The path `-` among `inputs` is standard input.
///
/// # Errors
/// Returns an error if a check fails. The error names the output, and the other path if the command uses the
/// file twice.
pub fn check_outputs<P: AsRef<Path>, Q: AsRef<Path>>(
    outputs: impl IntoIterator<Item = P>,
    inputs: impl IntoIterator<Item = Q>,
) -> Result<()> {
    let inputs = inputs.into_iter().map(|path| path.as_ref().to_path_buf());
    let inputs = inputs.filter_map(|path| Some((file_id(&path)?, path)));
    let mut used: HashMap<_, PathBuf> = inputs.collect();
    let mut folders = HashSet::new();
    for path in outputs {
        let path = path.as_ref();
        if let Some(other) = file_id(path).and_then(|place| used.insert(place, path.into())) {
            bail!(
                "{}: expected a file that this command does not use otherwise, found {}",
                name(path),
                name(&other)
            );
        }
        refuse_stdio(path)?;
        ensure!(
            !is_folder_path(path),
            "{}: cannot be written: is a directory",
            name(path)
        );
        // One check suffices for all new files of a folder.
        if path.exists() || folders.insert(parent_folder(path).to_path_buf()) {
            check_writable(path)?;
        }
    }
    Ok(())
}

/// Returns an error for the path `-`, since only files can be locked or replaced atomically.
pub(crate) fn refuse_stdio(path: &Path) -> Result<()> {
    ensure!(
        !is_stdio(path),
        "-: expected a file: this cannot go to standard output"
    );
    Ok(())
}

/// A guard for an output folder. On drop, it removes the folders that it has created if they are still empty,
/// so that a failed command leaves no empty folders behind.
#[derive(Debug)]
#[must_use = "dropping this removes the folder if it is still empty"]
pub struct FolderGuard {
    /// The folders that this guard created, innermost first.
    created: Vec<PathBuf>,
}

impl Drop for FolderGuard {
    fn drop(&mut self) {
        // `remove_dir` does not remove a folder that contains files.
        for folder in &self.created {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Creates a folder and its parents, unless they exist. Returns the guard that removes them if they stay
/// empty.
///
/// # Errors
/// Returns an error if the folder cannot be created, or if a file of this name exists. The error names the
/// folder.
pub fn create_folder(path: &Path) -> Result<FolderGuard> {
    if path.exists() && !path.is_dir() {
        bail!("{}: expected a folder, found a file", path.display());
    }
    let missing = path.ancestors().take_while(|folder| !folder.exists());
    let missing = missing.filter(|folder| *folder != Path::new(""));
    let folder = FolderGuard {
        created: missing.map(Path::to_path_buf).collect(),
    };
    fs::create_dir_all(path).with_context(|| format!("{}: expected a folder", path.display()))?;
    Ok(folder)
}

/// True if the path exists and is neither a regular file nor a folder, such as a device or a pipe.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// True if the path is a folder or can only be one, such as `new/`.
fn is_folder_path(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    let name = path.file_name().map(OsStr::as_encoded_bytes);
    path.is_dir() || !name.is_some_and(|name| bytes.ends_with(name))
}

/// Returns the folder of a file: `.` for a bare name.
pub fn parent_folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_replaces_the_whole_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        // A replaced file keeps its permissions, even those that the umask denies to new files.
        fs::set_permissions(&path, Permissions::from_mode(0o666)).unwrap();
        write(&path, b"three").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o666);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write(folder.path(), b"x").is_err());
        assert!(write(&folder.path().join("none/a.json"), b"x").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_fixed_temporary_name_is_reused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        fs::write(
            folder.path().join("a.json.part"),
            "left by a killed process",
        )
        .unwrap();
        write_with_temporary_suffix(&path, ".part", b"one").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_name_may_be_as_long_as_the_file_system_allows() {
        let folder = tempfile::tempdir().unwrap();
        let name = "é".repeat(125);
        for name in [name.clone() + ".json", name + "x.txt"] {
            let path = folder.path().join(name);
            write_unsynced(&path, b"one").unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"one");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn different_paths_to_one_file_are_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let [file, hard, soft, other] =
            ["file", "hard", "soft", "other"].map(|name| folder.path().join(name));
        fs::write(&file, "one").unwrap();
        fs::write(&other, "one").unwrap();
        fs::hard_link(&file, &hard).unwrap();
        std::os::unix::fs::symlink(&file, &soft).unwrap();
        assert!(is_same_file(&file, &hard) && is_same_file(&soft, &hard));
        assert!(!is_same_file(&file, &other));
        fs::create_dir(folder.path().join("below")).unwrap();
        let [none, again, new] =
            ["none", "below/../none", "new"].map(|name| folder.path().join(name));
        assert!(is_same_file(&none, &again));
        assert!(!is_same_file(&none, &new) && !is_same_file(&none, &file));
        assert!(!is_same_file(
            Path::new("/dev/null"),
            Path::new("/dev/null")
        ));
    }

    #[test]
    fn only_files_that_are_just_read_may_be_used_twice() {
        let temp = tempfile::tempdir().unwrap();
        let at = |name: &str| temp.path().join(name);
        fs::write(at("a"), "").unwrap();
        fs::create_dir(at("sub")).unwrap();
        std::os::unix::fs::symlink(at("a"), at("link")).unwrap();
        let check = |inputs: &[&str], outputs: &[&str]| {
            let [inputs, outputs] =
                [inputs, outputs].map(|names| names.iter().map(|name| at(name)));
            check_outputs(outputs, inputs).map_err(|error| error.to_string())
        };
        assert_eq!(check(&["a", "a"], &["b", "sub/b"]), Ok(()));
        let both = |first: &str, second: &str| {
            Err(format!(
                "{}: expected a file that this command does not use otherwise, found {}",
                at(second).display(),
                at(first).display()
            ))
        };
        assert_eq!(check(&["a"], &["b", "sub/../a"]), both("a", "sub/../a"));
        assert_eq!(check(&[], &["b", "sub/../b"]), both("b", "sub/../b"));
        assert_eq!(check(&["link"], &["a"]), both("link", "a"));
        for folder in ["sub", "new/", "new/."] {
            let error = check(&[], &["b", folder]).unwrap_err();
            assert!(error.ends_with(": is a directory"), "{error}");
        }
        assert!(
            check(&[], &["none/b"])
                .unwrap_err()
                .contains("cannot be written")
        );
        // A device may be both an input and an output.
        assert!(check_outputs(["/dev/null"], ["-", "-", "/dev/null"]).is_ok());
        let error = check_outputs(["none", "-"], ["a"]).unwrap_err().to_string();
        assert!(error.starts_with("-: expected a file"), "{error}");
    }

    #[test]
    fn a_created_folder_is_removed_if_it_stays_empty() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b");
        drop(create_folder(&path).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let guard = create_folder(&path).unwrap();
        fs::write(path.join("c"), "kept").unwrap();
        drop(guard);
        assert!(path.join("c").exists());
        fs::remove_file(path.join("c")).unwrap();
        drop(create_folder(&path).unwrap());
        assert!(path.exists(), "it existed before");
    }

    #[test]
    fn writing_keeps_pipes_and_links() {
        let folder = tempfile::tempdir().unwrap();
        let [pipe, file, link] = ["pipe", "file", "link"].map(|name| folder.path().join(name));
        let mkfifo = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(mkfifo.unwrap().success());
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

        // A link to a link to a missing file: writing creates that file.
        fs::create_dir(folder.path().join("below")).unwrap();
        let [there, first, second] =
            ["below/there", "below/first", "second"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("there", &first).unwrap();
        std::os::unix::fs::symlink("below/first", &second).unwrap();
        assert!(is_same_file(&there, &second));
        check_writable(&second).unwrap();
        write(&second, b"three").unwrap();
        assert!(first.is_symlink() && second.is_symlink());
        assert_eq!(fs::read(&there).unwrap(), b"three");
        // Writing to a link that points to itself fails.
        let own = folder.path().join("own");
        std::os::unix::fs::symlink("own", &own).unwrap();
        assert!(write(&own, b"four").is_err() && own.is_symlink());
    }
}
