//! The files of a program, and the changes to them since the run began.
//!
//! ```text
//! awk -f bot.awk games.log      files = ["lib/*.awk"]
//!
//! /usr/bin/awk                  the executable
//! bot.awk, games.log            the words of the command that name regular files
//! lib/board.awk                 what the patterns match
//! ```
//!
//! The list is fixed when a run begins: a file that appears later does not belong to the program. A digest
//! identifies the contents of each file. A file with the same inode, size and times as before is not read
//! again.
//!
//! A file that changes during the first game, such as `games.log`, is treated as the bot's output and is
//! ignored from then on. The executable always counts as part of the program, and so does a source under
//! `judge watch`.

use anyhow::{Context, Result, ensure};
use columns_cases::digest::Digest;
use columns_cli::stderr;
use glob::{MatchOptions, Pattern, glob_with};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use walkdir::{DirEntry, WalkDir};

/// A file that belongs to a program, and the digest that identifies its contents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramFile {
    /// The path, absolute or relative to the folder in which the program is started.
    pub path: PathBuf,
    /// The digest of the contents when the run began.
    pub digest: Digest,
}

/// Combines the digests of the files of a program. The result distinguishes two builds of the same version.
pub fn combine_digests(files: impl IntoIterator<Item = Digest>) -> Digest {
    let mut digest = Digest::EMPTY;
    for file in files {
        digest.update(&file.to_u64().to_le_bytes());
    }
    digest
}

/// Joins paths with commas.
pub fn join_paths<P: AsRef<Path>>(paths: &[P]) -> String {
    let paths = paths.iter().map(|path| path.as_ref().display().to_string());
    paths.collect::<Vec<_>>().join(", ")
}

/// Describes a change to these files; `None` if the list is empty.
pub fn describe_change<P: AsRef<Path>>(changed: &[P]) -> Option<String> {
    let files = join_paths(changed);
    (!changed.is_empty()).then(|| format!("{files}: changed since the run began"))
}

fn unreadable(path: &Path) -> String {
    format!("{}: cannot be read, but belongs to the bot", path.display())
}

/// Files, folders and patterns such as `lib/*.py`, as the user writes them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilePatterns {
    /// The base folder of relative paths and patterns.
    pub folder: PathBuf,
    /// The paths and patterns. In a pattern, `*` stands for any characters except `/`, `?` for one such
    /// character, `[ab]` for `a` or `b`, and `**` for any number of folders.
    pub patterns: Vec<String>,
    /// Folders whose files never match, such as the store of the judge. Relative paths are resolved against
    /// the current folder.
    pub excluded: Vec<PathBuf>,
}

/// `*` and `?` match neither `/` nor the leading dot of a hidden file.
const MATCH_OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

impl FilePatterns {
    /// Lists the regular files that the patterns match, in a fixed order. A folder stands for all files below
    /// it, except hidden ones and those in the excluded folders. The paths of files below `folder` are
    /// relative to it. A file may be listed more than once if several patterns match it.
    ///
    /// # Errors
    /// Returns an error if a pattern is not valid or matches no file or folder, or if a folder cannot be
    /// read. The error names the pattern or the path.
    pub fn find(&self) -> Result<Vec<PathBuf>> {
        let excluded = self.excluded.iter().map(|path| path.canonicalize());
        let excluded: Vec<PathBuf> = excluded.filter_map(Result::ok).collect();
        let is_excluded = |path: &Path| {
            let path = path.canonicalize().unwrap_or_default();
            excluded.iter().any(|folder| path.starts_with(folder))
        };
        let belongs = |entry: &DirEntry| {
            let is_named = entry.depth() == 0;
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            // Check only named paths and folders: the walk does not enter an excluded folder, so it finds no
            // excluded files.
            let is_place = is_named || entry.file_type().is_dir();
            (is_named || !is_hidden) && !(is_place && is_excluded(entry.path()))
        };
        let (mut files, mut walked) = (Vec::new(), HashSet::new());
        for pattern in &self.patterns {
            for place in self.expand_pattern(pattern)? {
                // `**` also matches links to parent folders, so skip folders that have been visited.
                if !walked.insert(place.canonicalize().unwrap_or_default()) {
                    continue;
                }
                let walk = WalkDir::new(&place).follow_links(true).sort_by_file_name();
                for entry in walk.into_iter().filter_entry(belongs) {
                    match entry {
                        Ok(entry) if entry.file_type().is_file() => {
                            let path = entry.path().strip_prefix(&self.folder);
                            files.push(path.unwrap_or(entry.path()).into());
                        }
                        Err(error) if !is_ignored(&error) => {
                            return Err(error).with_context(|| unreadable(&place));
                        }
                        _ => {}
                    }
                }
            }
        }
        Ok(files)
    }

    /// Returns the path that a pattern names, or else the paths that it matches.
    fn expand_pattern(&self, pattern: &str) -> Result<Vec<PathBuf>> {
        let named = self.folder.join(pattern);
        if named.exists() {
            return Ok(vec![named]);
        }
        let start = Pattern::escape(&self.folder.to_string_lossy());
        let paths = glob_with(&format!("{start}/{pattern}"), MATCH_OPTIONS);
        let paths = paths.with_context(|| format!("{pattern}: expected a file or a pattern"))?;
        let paths: Result<Vec<_>, _> = paths.collect();
        let paths = paths.with_context(|| format!("{pattern}: cannot be read"))?;
        ensure!(
            !paths.is_empty(),
            "{pattern}: expected files of the bot, found none in {}",
            self.folder.display()
        );
        Ok(paths)
    }
}

/// True if the error is about a broken link, or a link to a parent folder. The walk skips such links.
fn is_ignored(error: &walkdir::Error) -> bool {
    let io = error.io_error();
    error.loop_ancestor().is_some() || io.is_some_and(|io| io.kind() == ErrorKind::NotFound)
}

/// Properties of a file that change when its contents change. A copy or a rename can preserve the
/// modification time, but not the time of the last status change (`ctime`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileStamp {
    inode: u64,
    size: u64,
    modified: [i64; 2],
    changed_s: i64,
    changed_ns: i64,
}

/// An upper bound on the tick of a file system's clock. A file may change again within a tick and keep the
/// same stamp.
const FINE_TICK: Duration = Duration::from_millis(20);

/// An upper bound on the tick of file systems that store times in whole seconds.
const COARSE_TICK: Duration = Duration::from_secs(2);

impl FileStamp {
    fn new(file: &Metadata) -> Self {
        Self {
            inode: file.ino(),
            size: file.len(),
            modified: [file.mtime(), file.mtime_nsec()],
            changed_s: file.ctime(),
            changed_ns: file.ctime_nsec(),
        }
    }

    /// True if the file has not changed within the last tick, so that its next change alters the stamp.
    fn is_settled(&self) -> bool {
        let is_coarse = self.changed_ns == 0;
        let tick = if is_coarse { COARSE_TICK } else { FINE_TICK };
        let since_1970 = Duration::new(self.changed_s as u64, self.changed_ns as u32);
        let age = (SystemTime::UNIX_EPOCH + since_1970).elapsed();
        age.is_ok_and(|age| age > tick)
    }
}

/// The stamp and the digest of a file when it was last read.
#[derive(Debug, Clone, Copy, Default)]
pub struct FileFingerprint {
    /// The stamp of these contents; `None` if it was not yet [settled](FileStamp::is_settled).
    stamp: Option<FileStamp>,
    /// The digest of the contents; `None` if there is no such file.
    pub digest: Option<Digest>,
}

impl FileFingerprint {
    /// Reads a regular file. Anything else, such as a pipe or a folder, counts as not found.
    fn read(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        // Opening a pipe would block until a process opens it for writing.
        if !metadata.is_file() {
            return Err(ErrorKind::NotFound.into());
        }
        let stamp = Some(FileStamp::new(&metadata)).filter(FileStamp::is_settled);
        let mut digest = Digest::EMPTY;
        let mut file = File::open(path)?;
        let mut buffer = vec![0; 1 << 16];
        loop {
            match file.read(&mut buffer)? {
                0 => break,
                length => digest.update(&buffer[..length]),
            }
        }
        let digest = Some(digest);
        Ok(Self { stamp, digest })
    }

    /// Reads the file again, unless its stamp is settled and has not changed. A temporary failure to read
    /// it, for example because the system has run out of file descriptors, does not count as a change.
    pub fn update(&mut self, path: &Path) {
        let stamp = fs::metadata(path).map(|file| FileStamp::new(&file)).ok();
        if self.stamp.is_some() && self.stamp == stamp {
            return;
        }
        match Self::read(path) {
            Ok(current) => *self = current,
            Err(error) if error.kind() == ErrorKind::NotFound => *self = Self::default(),
            Err(_) => {}
        }
    }
}

/// The changes to the files of a program since the run began. In JSON, the fields are fields of a row of the
/// run; empty fields are absent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramChanges {
    /// The files that have changed, or that no longer exist.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<PathBuf>,
    /// The digest of the program that played, if files have changed: see [`combine_digests`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program_digest: Option<Digest>,
    /// The files that turned out to be output of the bot: they changed during the first game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output_files: Vec<PathBuf>,
}

/// The files of a program that plays a run. Clones share their state. The JSON form lists the files as they
/// were when the run began.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "Vec<ProgramFile>", into = "Vec<ProgramFile>")]
pub struct ProgramFiles {
    folder: PathBuf,
    tracker: Arc<Mutex<Tracker>>,
}

impl From<Vec<ProgramFile>> for ProgramFiles {
    /// Tracks the files of a resumed run. Relative paths are resolved against the current folder.
    fn from(initial: Vec<ProgramFile>) -> Self {
        Self::resume(Path::new(""), initial, &[])
    }
}

impl From<ProgramFiles> for Vec<ProgramFile> {
    fn from(files: ProgramFiles) -> Self {
        files.initial_files()
    }
}

impl PartialEq for ProgramFiles {
    fn eq(&self, other: &Self) -> bool {
        self.initial_files() == other.initial_files()
    }
}

#[derive(Debug, Default)]
struct Tracker {
    /// The files, the executable first.
    files: Vec<TrackedFile>,
    /// The files that the last [`ProgramFiles::check_and_report`] found changed.
    reported: Vec<PathBuf>,
}

#[derive(Debug)]
struct TrackedFile {
    /// The file when the run began.
    initial: ProgramFile,
    current: FileFingerprint,
    role: Role,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The file belongs to the program.
    Program,
    /// The bot writes the file.
    Output,
    /// The first game has not ended yet; its end shows whether the bot writes the file.
    Undecided,
}

impl TrackedFile {
    fn is_changed(&self) -> bool {
        self.current.digest != Some(self.initial.digest)
    }
}

impl ProgramFiles {
    /// Reads the files of a new run. The first one is the executable. If several paths lead to the same file,
    /// only the first one counts.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or if its path is not UTF-8. The error names the file.
    pub fn begin(folder: &Path, paths: Vec<PathBuf>) -> Result<Self> {
        let (mut files, mut places) = (Vec::new(), HashSet::new());
        for path in paths {
            ensure!(
                path.to_str().is_some(),
                "{}: expected a file of the bot whose name is UTF-8",
                path.display()
            );
            let place = folder.join(&path);
            let current = FileFingerprint::read(&place).with_context(|| unreadable(&path))?;
            if places.insert(place.canonicalize().unwrap_or(place)) {
                let digest = current.digest.unwrap_or(Digest::EMPTY);
                let initial = ProgramFile { path, digest };
                files.push(TrackedFile {
                    initial,
                    current,
                    role: Role::Undecided,
                });
            }
        }
        // The executable counts as part of the program, even if it changes during the first game.
        files[0].role = Role::Program;
        Ok(Self::new(folder, files))
    }

    /// Continues a run that began with these files. `output_files` are the files already known to be output
    /// of the bot.
    pub fn resume(folder: &Path, initial: Vec<ProgramFile>, output_files: &[PathBuf]) -> Self {
        let file = |initial: ProgramFile| TrackedFile {
            role: if output_files.contains(&initial.path) {
                Role::Output
            } else {
                Role::Program
            },
            current: FileFingerprint {
                stamp: None,
                digest: Some(initial.digest),
            },
            initial,
        };
        Self::new(folder, initial.into_iter().map(file).collect())
    }

    fn new(folder: &Path, files: Vec<TrackedFile>) -> Self {
        Self {
            folder: folder.into(),
            tracker: Arc::new(Mutex::new(Tracker {
                files,
                reported: Vec::new(),
            })),
        }
    }

    fn tracker(&self) -> MutexGuard<'_, Tracker> {
        self.tracker.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the files as they were when the run began, the executable first.
    pub fn initial_files(&self) -> Vec<ProgramFile> {
        let tracker = self.tracker();
        let initial = tracker.files.iter().map(|file| file.initial.clone());
        initial.collect()
    }

    /// Replaces the path of the executable, which may now be in another folder of PATH.
    pub(super) fn set_executable(&self, path: PathBuf) {
        if let Some(executable) = self.tracker().files.first_mut() {
            executable.initial.path = path;
        }
    }

    /// Marks these files as edited by the user, so that they are never treated as output of the bot.
    pub fn mark_as_sources(&self, paths: impl IntoIterator<Item = PathBuf>) {
        // `components` removes the `.` of `./bot.py`, so that the path equals that of `bot.py`.
        let place = |path: &Path| self.folder.join(path).components().collect();
        let edited: HashSet<PathBuf> = paths.into_iter().map(|path| place(&path)).collect();
        for file in &mut self.tracker().files {
            if edited.contains(&place(&file.initial.path)) {
                file.role = Role::Program;
            }
        }
    }

    /// Finds the files that have changed since the run began. Until the first game has ended, ignores files
    /// that may turn out to be output of the bot.
    pub fn check(&self) -> ProgramChanges {
        let tracker = &mut *self.tracker();
        self.refresh(tracker);
        let changed = paths(tracker, |file| {
            file.role == Role::Program && file.is_changed()
        });
        let files = tracker.files.iter();
        let program = files.filter(|file| file.role != Role::Output);
        let digest =
            combine_digests(program.map(|file| file.current.digest.unwrap_or(Digest::EMPTY)));
        ProgramChanges {
            program_digest: (!changed.is_empty()).then_some(digest),
            changed,
            output_files: paths(tracker, |file| file.role == Role::Output),
        }
    }

    /// Finds the files that have changed since the run began, and prints a line about changes that have not
    /// been reported yet.
    pub fn check_and_report(&self) -> ProgramChanges {
        let changes = self.check();
        let reported = &mut self.tracker().reported;
        let changed = changes.changed.iter();
        let new: Vec<&PathBuf> = changed.filter(|path| !reported.contains(path)).collect();
        if let Some(change) = describe_change(&new) {
            stderr::log(&format!("note: {change}; the next games record this"));
        }
        reported.clone_from(&changes.changed);
        changes
    }

    /// Records that a game has ended, and returns the output files, which changed during the first game.
    /// After the first game, prints a line about them.
    pub fn end_game(&self) -> Vec<PathBuf> {
        let tracker = &mut *self.tracker();
        let is_undecided = |file: &TrackedFile| file.role == Role::Undecided;
        if tracker.files.iter().any(is_undecided) {
            self.refresh(tracker);
            for file in tracker.files.iter_mut().filter(|file| is_undecided(file)) {
                file.role = if file.is_changed() {
                    Role::Output
                } else {
                    Role::Program
                };
            }
            let output = paths(tracker, |file| file.role == Role::Output);
            if !output.is_empty() {
                stderr::log(&format!(
                    "note: {}: changed during the first game, so it counts as output of the bot, not as part \
                     of the program: if you have edited it, begin a new run",
                    join_paths(&output)
                ));
            }
        }
        paths(tracker, |file| file.role == Role::Output)
    }

    /// Ends the first game: removes the files that turn out to be output of a bot, also from
    /// [`ProgramFiles::initial_files`].
    pub fn untrack_output_files(&self) {
        self.end_game();
        let files = &mut self.tracker().files;
        files.retain(|file| file.role != Role::Output);
    }

    /// Rereads the files that may have changed, except output of the bot.
    fn refresh(&self, tracker: &mut Tracker) {
        let files = tracker.files.iter_mut();
        for file in files.filter(|file| file.role != Role::Output) {
            file.current.update(&self.folder.join(&file.initial.path));
        }
    }
}

/// Returns the initial paths of the tracked files that satisfy `condition`.
fn paths(tracker: &Tracker, condition: impl Fn(&TrackedFile) -> bool) -> Vec<PathBuf> {
    let files = tracker.files.iter().filter(|file| condition(file));
    files.map(|file| file.initial.path.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn put(folder: &Path, name: &str, text: &str) {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn names(patterns: &[&str], excluded: &[PathBuf], folder: &Path) -> Result<String> {
        let patterns = FilePatterns {
            folder: folder.into(),
            patterns: patterns.iter().map(ToString::to_string).collect(),
            excluded: excluded.into(),
        };
        patterns.find().map(|files| join_paths(&files))
    }

    #[test]
    fn patterns_match_files_and_folders() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for name in [
            "bot.py",
            "lib/a.py",
            "lib/b.txt",
            "lib/.#a.py",
            "lib/deep/c.py",
            "runs/0001/run.jsonl",
            ".git/HEAD",
        ] {
            put(folder, name, "");
        }
        symlink("..", folder.join("lib/deep/up")).unwrap();
        symlink("nowhere", folder.join("lib/dead")).unwrap();
        let store = [folder.join("runs")];
        for (patterns, files) in [
            (&["bot.py", "lib/*.py"][..], "bot.py, lib/a.py"),
            (&["lib"], "lib/a.py, lib/b.txt, lib/deep/c.py"),
            (&["**/*.py"], "bot.py, lib/a.py, lib/deep/c.py"),
            (&["lib/?.[pt]*"], "lib/a.py, lib/b.txt"),
            (
                &["*", "**/*.jsonl"],
                "bot.py, lib/a.py, lib/b.txt, lib/deep/c.py",
            ),
            (&["."], "bot.py, lib/a.py, lib/b.txt, lib/deep/c.py"),
            (&["lib/.#a.py"], "lib/.#a.py"),
        ] {
            assert_eq!(
                names(patterns, &store, folder).unwrap(),
                files,
                "{patterns:?}"
            );
        }
        for (pattern, message) in [
            ("*.lua", "*.lua: expected files of the bot, found none in "),
            ("lib/[", "lib/[: expected a file or a pattern"),
        ] {
            let error = names(&[pattern], &store, folder).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn a_change_of_the_contents_is_a_change_of_the_program() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for name in ["bot", "a.py", "log"] {
            put(folder, name, "1");
        }
        let paths = ["bot", "a.py", "./bot", "log"].map(PathBuf::from).to_vec();
        let files = ProgramFiles::begin(folder, paths).unwrap();
        assert_eq!(files.initial_files().len(), 3);
        assert_eq!(files.check(), ProgramChanges::default());
        // A file that changes during the first game is output, except for the executable.
        put(folder, "log", "2");
        put(folder, "bot", "2");
        assert_eq!(files.check().changed, [PathBuf::from("bot")]);
        assert_eq!(files.end_game(), [PathBuf::from("log")]);
        put(folder, "log", "3");
        assert_eq!(files.end_game(), [PathBuf::from("log")]);
        assert_eq!(files.check().changed, [PathBuf::from("bot")]);
        // Restored contents are no change, even if the modification time differs. Other contents of the same
        // size are a change.
        put(folder, "bot", "1");
        assert!(files.check().changed.is_empty());
        put(folder, "a.py", "2");
        let state = files.check();
        assert_eq!(state.changed, [PathBuf::from("a.py")]);
        assert!(state.program_digest.is_some());
        fs::remove_file(folder.join("a.py")).unwrap();
        let removed = files.check();
        assert_eq!(removed.changed, state.changed);
        assert_ne!(removed.program_digest, state.program_digest);
        // A resumed run reads the list of output files from its rows.
        let resumed = ProgramFiles::resume(folder, files.initial_files(), &["log".into()]);
        assert_eq!(resumed.check(), removed);
        put(folder, "a.py", "1");
        assert_eq!(resumed.check().changed, Vec::<PathBuf>::new());
    }
}
