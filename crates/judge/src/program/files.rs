//! The files of a program, and how they differ from those with which a run began.
//!
//! ```text
//! awk -f bot.awk games.log      files = ["lib/*.awk"]
//!
//! /usr/bin/awk                  the executable
//! bot.awk, games.log            the words of the command that name regular files
//! lib/board.awk                 what the patterns match
//! ```
//!
//! The list is fixed when a run begins: a file that appears later does not belong to the program. Each file
//! has a digest of its contents. If its [stamp](FileStamp) is the same as before, the file is not read again.
//!
//! A file that changes during the first game, such as `games.log`, is the bot's output. From then on it no
//! longer counts. The executable is never output, and neither is a source under `judge watch`.

use anyhow::{Context, Result, ensure};
use columns_cases::digest::Digest;
use columns_cli::stderr;
use glob::{MatchOptions, Pattern, glob_with};
use nix::errno::Errno;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::{self, File, FileType, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

/// A file that belongs to a program, and the digest that identifies its contents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramFile {
    /// The path. A relative path starts at the folder in which the program is started.
    pub path: PathBuf,
    /// The digest of the contents.
    pub digest: Digest,
}

/// Combines the digests of the files of a program. The result tells two builds of one version apart.
pub fn digest_of(files: impl IntoIterator<Item = Digest>) -> Digest {
    let mut digest = Digest::EMPTY;
    for file in files {
        digest.update(&file.to_u64().to_le_bytes());
    }
    digest
}

fn unreadable(path: &Path) -> String {
    format!("{}: cannot be read, but belongs to the bot", path.display())
}

/// Files, folders and patterns such as `lib/*.py`, as a user names them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilePatterns {
    /// The folder at which relative paths and patterns start.
    pub folder: PathBuf,
    /// The paths and patterns. In a pattern, `*` stands for any characters but `/`, `?` for one of them,
    /// `[ab]` for `a` or `b`, and `**` for any number of folders.
    pub patterns: Vec<String>,
    /// Folders whose files never match, such as the store of the judge. Relative paths start at the current
    /// folder.
    pub excluded: Vec<PathBuf>,
}

/// `*` and `?` match neither `/` nor the dot of a hidden file.
const MATCH_OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

impl FilePatterns {
    /// Lists the regular files that the patterns match, in a fixed order. A folder stands for all files below
    /// it, except hidden ones and those in the excluded folders. Relative paths start at `folder`.
    ///
    /// # Errors
    /// Returns an error if a pattern is not valid or matches no file or folder, or if a folder cannot be
    /// read. The error names the pattern or the path.
    pub fn find(&self) -> Result<Vec<PathBuf>> {
        let excluded = self
            .excluded
            .iter()
            .filter_map(|path| path.canonicalize().ok());
        let mut listing = Listing {
            folder: &self.folder,
            excluded: excluded.collect(),
            visited: HashSet::new(),
            files: Vec::new(),
        };
        for pattern in &self.patterns {
            if self.folder.join(pattern).exists() {
                listing.add(Path::new(pattern))?;
            } else {
                listing.add_matches(pattern)?;
            }
        }
        Ok(listing.files)
    }
}

/// The files found so far.
struct Listing<'a> {
    folder: &'a Path,
    /// The canonical paths of the excluded folders.
    excluded: Vec<PathBuf>,
    /// The canonical paths of the files and folders that were listed. A link may lead to a folder above
    /// it, so nothing is listed twice.
    visited: HashSet<PathBuf>,
    files: Vec<PathBuf>,
}

impl Listing<'_> {
    fn add_matches(&mut self, pattern: &str) -> Result<()> {
        let start = Pattern::escape(&self.folder.to_string_lossy());
        let paths = glob_with(&format!("{start}/{pattern}"), MATCH_OPTIONS);
        let paths = paths.with_context(|| format!("{pattern}: expected a file or a pattern"))?;
        let mut has_match = false;
        for path in paths {
            let path = path.with_context(|| format!("{pattern}: cannot be read"))?;
            self.add(path.strip_prefix(self.folder).unwrap_or(&path))?;
            has_match = true;
        }
        ensure!(
            has_match,
            "{pattern}: expected files of the bot, found none in {}",
            self.folder.display()
        );
        Ok(())
    }

    /// Adds a file, or all files below a folder. Ignores paths that are neither, such as pipes and dead
    /// links.
    fn add(&mut self, path: &Path) -> Result<()> {
        let place = self.folder.join(path);
        let (Ok(metadata), Ok(canonical)) = (place.metadata(), place.canonicalize()) else {
            return Ok(());
        };
        self.add_canonical(path, &canonical, metadata.file_type())
    }

    /// Adds the file or folder `path`, whose canonical path and type are known. Below a folder, only links
    /// need to be resolved.
    fn add_canonical(&mut self, path: &Path, canonical: &Path, file_type: FileType) -> Result<()> {
        let mut excluded = self.excluded.iter();
        if excluded.any(|folder| canonical.starts_with(folder)) {
            return Ok(());
        }
        if !self.visited.insert(canonical.into()) {
            return Ok(());
        }
        if file_type.is_file() {
            self.files.push(path.into());
        }
        if !file_type.is_dir() {
            return Ok(());
        }
        let entries = canonical.read_dir().with_context(|| unreadable(path))?;
        let entries = entries.map(|entry| {
            let entry = entry?;
            Ok((entry.file_name(), entry.file_type()?))
        });
        let entries: io::Result<Vec<_>> = entries.collect();
        let mut entries = entries.with_context(|| unreadable(path))?;
        entries.retain(|(name, _)| !name.as_encoded_bytes().starts_with(b"."));
        entries.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        for (name, file_type) in entries {
            let path = path.join(&name);
            if file_type.is_symlink() {
                self.add(&path)?;
            } else {
                self.add_canonical(&path, &canonical.join(name), file_type)?;
            }
        }
        Ok(())
    }
}

/// Properties of a file that change when its contents change: its inode, its size in bytes, and the times of
/// the last change of its contents and of its status (`ctime`), in nanoseconds since 1970. Unlike the first
/// time, a copy or a rename cannot preserve the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStamp {
    inode: u64,
    size: u64,
    modified_ns: i128,
    changed_ns: i128,
}

/// The tick of a file system's clock: a file may change again within it, without another stamp.
const TICK: Duration = Duration::from_millis(20);

/// The tick of file systems that store whole seconds.
const COARSE_TICK: Duration = Duration::from_secs(2);

const NS_PER_S: i128 = 1_000_000_000;

impl FileStamp {
    fn new(file: &Metadata) -> Self {
        let time = |s: i64, ns: i64| i128::from(s) * NS_PER_S + i128::from(ns);
        Self {
            inode: file.ino(),
            size: file.len(),
            modified_ns: time(file.mtime(), file.mtime_nsec()),
            changed_ns: time(file.ctime(), file.ctime_nsec()),
        }
    }

    /// Reads the stamp of a file.
    ///
    /// # Errors
    /// Returns an error if the file does not exist.
    pub fn read(path: &Path) -> io::Result<Self> {
        fs::metadata(path).map(|file| Self::new(&file))
    }

    /// True if the file has not changed within the last tick, so that its next change alters the stamp.
    fn is_settled(&self) -> bool {
        let is_coarse = self.changed_ns % NS_PER_S == 0;
        let tick = if is_coarse { COARSE_TICK } else { TICK };
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        now.is_ok_and(|now| self.changed_ns + (tick.as_nanos() as i128) < now.as_nanos() as i128)
    }
}

/// Reads the digest of a regular file, and its stamp if it is settled.
///
/// # Errors
/// Returns an error if the file cannot be read, or if it is not a regular file.
pub fn read_digest(path: &Path) -> io::Result<(Option<FileStamp>, Digest)> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("is not a regular file"));
    }
    let stamp = Some(FileStamp::new(&metadata)).filter(FileStamp::is_settled);
    let mut digest = Digest::EMPTY;
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok((stamp, digest)),
            length => digest.update(&buffer[..length]),
        }
    }
}

/// True if the machine, not the file, is the reason that a file cannot be read: it lacks descriptors or
/// memory, or its disk fails.
fn is_machine_fault(error: &io::Error) -> bool {
    let errno = error.raw_os_error().map(Errno::from_raw);
    errno.is_some_and(|errno| {
        [Errno::EMFILE, Errno::ENFILE, Errno::ENOMEM, Errno::EIO].contains(&errno)
    })
}

/// How the files of a program differ from those with which the run began. In JSON, the fields are fields of
/// a row of the run; they are absent if they say nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramState {
    /// The files that have changed, or that no longer exist.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<PathBuf>,
    /// The digest of the program that played, if files have changed: see [`digest_of`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program_digest: Option<Digest>,
    /// The files that turned out to be output of the bot: they changed during the first game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output_files: Vec<PathBuf>,
}

/// Joins paths with commas.
pub fn join_paths<P: AsRef<Path>>(paths: &[P]) -> String {
    let paths = paths.iter().map(|path| path.as_ref().display().to_string());
    paths.collect::<Vec<_>>().join(", ")
}

/// The files of a program that plays a run.
#[derive(Debug)]
pub struct ProgramFiles {
    folder: PathBuf,
    /// The executable, then the other files, as they were when the run began.
    begun: Vec<ProgramFile>,
    tracker: Mutex<Tracker>,
}

/// The files as they are now.
#[derive(Debug)]
struct Tracker {
    /// The files, in the order of [`ProgramFiles::begun`].
    files: Vec<FileNow>,
    /// True if a game of the run has ended.
    has_played: bool,
    /// The changed files in the last report to the user.
    reported: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy)]
struct FileNow {
    /// The stamp that belongs to the digest; `None` if it is not settled.
    stamp: Option<FileStamp>,
    /// The digest of the contents; `None` if the file cannot be read.
    digest: Option<Digest>,
    /// True if the bot writes the file, so that it does not belong to the program.
    is_output: bool,
    /// False for the executable, and for a file that is known to be a source of the user.
    may_be_output: bool,
}

impl ProgramFiles {
    /// Reads the files of a new run. The first one is the executable. Of several paths to one file, only the
    /// first counts.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read. The error names the file.
    pub fn begin(folder: &Path, mut paths: Vec<PathBuf>) -> Result<Self> {
        let mut places = HashSet::new();
        paths.retain(|path| {
            let place = folder.join(path);
            places.insert(place.canonicalize().unwrap_or(place))
        });
        let (mut begun, mut files) = (Vec::new(), Vec::new());
        for (index, path) in paths.into_iter().enumerate() {
            let read = read_digest(&folder.join(&path));
            let (stamp, digest) = read.with_context(|| unreadable(&path))?;
            begun.push(ProgramFile { path, digest });
            files.push(FileNow {
                stamp,
                digest: Some(digest),
                is_output: false,
                may_be_output: index > 0,
            });
        }
        Ok(Self::new(folder, begun, files, false))
    }

    /// Continues a run that began with these files. `output_files` are known to be output of the bot.
    pub fn resume(folder: &Path, begun: &[ProgramFile], output_files: &[PathBuf]) -> Self {
        let file = |file: &ProgramFile| FileNow {
            stamp: None,
            digest: Some(file.digest),
            is_output: output_files.contains(&file.path),
            may_be_output: false,
        };
        let files = begun.iter().map(file).collect();
        Self::new(folder, begun.to_vec(), files, true)
    }

    fn new(folder: &Path, begun: Vec<ProgramFile>, files: Vec<FileNow>, has_played: bool) -> Self {
        let tracker = Tracker {
            files,
            has_played,
            reported: Vec::new(),
        };
        Self {
            folder: folder.into(),
            begun,
            tracker: Mutex::new(tracker),
        }
    }

    /// Returns the files as they were when the run began, the executable first.
    pub fn begun(&self) -> &[ProgramFile] {
        &self.begun
    }

    fn tracker(&self) -> MutexGuard<'_, Tracker> {
        self.tracker.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks these files as edited by the user, so that they never count as output of the bot.
    pub fn expect_edits(&self, paths: impl IntoIterator<Item = PathBuf>) {
        // `components` removes the dot of `./bot.py`.
        let place = |path: &Path| self.folder.join(path).components().collect();
        let edited: HashSet<PathBuf> = paths.into_iter().map(|path| place(&path)).collect();
        let mut tracker = self.tracker();
        for (begun, now) in self.begun.iter().zip(&mut tracker.files) {
            now.may_be_output &= !edited.contains(&place(&begun.path));
        }
    }

    /// Finds the files that have changed since the run began. Until a game has ended, a file that may turn
    /// out to be output of the bot does not count.
    pub fn check(&self) -> ProgramState {
        self.update(&mut self.tracker())
    }

    /// Finds the files that have changed since the run began, and prints a line if a change is new to the
    /// user.
    pub fn check_and_report(&self) -> ProgramState {
        let mut tracker = self.tracker();
        let state = self.update(&mut tracker);
        let reported = &tracker.reported;
        let new: Vec<_> = (state.changed.iter())
            .filter(|path| !reported.contains(path))
            .collect();
        if !new.is_empty() {
            let files = join_paths(&new);
            stderr::log(&format!(
                "note: {files}: changed since the run began, which the next games record"
            ));
        } else if state.changed.is_empty() && !reported.is_empty() {
            let files = join_paths(reported);
            stderr::log(&format!("note: {files}: again as when the run began"));
        }
        tracker.reported.clone_from(&state.changed);
        state
    }

    /// Records that a game has ended, and returns the output files. These are the files, except the
    /// executable and those of [`expect_edits`](Self::expect_edits), that changed during the first game. A
    /// line reports them.
    pub fn end_game(&self) -> Vec<PathBuf> {
        let mut tracker = self.tracker();
        if !tracker.has_played {
            tracker.has_played = true;
            self.refresh(&mut tracker.files);
            for (begun, now) in self.begun.iter().zip(&mut tracker.files) {
                now.is_output = now.may_be_output && now.digest != Some(begun.digest);
            }
            let output = self.paths(&tracker, |_, now| now.is_output);
            if !output.is_empty() {
                stderr::log(&format!(
                    "note: {}: changed during the first game, so it counts as output of the bot, not as part \
                     of the program: if you have edited it, begin a new run",
                    join_paths(&output)
                ));
            }
        }
        self.paths(&tracker, |_, now| now.is_output)
    }

    /// Rereads the files whose stamps have changed, except output of the bot.
    fn refresh(&self, files: &mut [FileNow]) {
        let files = self.begun.iter().zip(files);
        for (begun, now) in files.filter(|(_, now)| !now.is_output) {
            let path = self.folder.join(&begun.path);
            if now.stamp.is_none() || now.stamp != FileStamp::read(&path).ok() {
                let (stamp, digest) = match read_digest(&path) {
                    Ok((stamp, digest)) => (stamp, Some(digest)),
                    // If the machine is at fault, the file may be unchanged.
                    Err(error) if is_machine_fault(&error) => continue,
                    Err(_) => (None, None),
                };
                (now.stamp, now.digest) = (stamp, digest);
            }
        }
    }

    /// Returns the paths of the files for which `condition` holds.
    fn paths(
        &self,
        tracker: &Tracker,
        condition: impl Fn(&ProgramFile, &FileNow) -> bool,
    ) -> Vec<PathBuf> {
        let files = self.begun.iter().zip(&tracker.files);
        let files = files.filter(|(begun, now)| condition(begun, now));
        files.map(|(begun, _)| begun.path.clone()).collect()
    }

    fn update(&self, tracker: &mut Tracker) -> ProgramState {
        self.refresh(&mut tracker.files);
        let changed = self.paths(tracker, |begun, now| {
            let counts = tracker.has_played || !now.may_be_output;
            counts && !now.is_output && now.digest != Some(begun.digest)
        });
        let files = tracker.files.iter().filter(|now| !now.is_output);
        let digest = digest_of(files.map(|now| now.digest.unwrap_or(Digest::EMPTY)));
        ProgramState {
            program_digest: (!changed.is_empty()).then_some(digest),
            changed,
            output_files: self.paths(tracker, |_, now| now.is_output),
        }
    }
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
        symlink("a.py", folder.join("lib/z.py")).unwrap();
        let store = [folder.join("runs")];
        for (patterns, files) in [
            (&["bot.py", "lib/*.py"][..], "bot.py, lib/a.py"),
            (&["lib"], "lib/a.py, lib/b.txt, lib/deep/c.py"),
            (&["**/*.py"], "bot.py, lib/a.py, lib/deep/c.py"),
            (&["lib/?.[pt]*"], "lib/a.py, lib/b.txt"),
            (
                &["lib/*.py", "lib", "*/*.py"],
                "lib/a.py, lib/b.txt, lib/deep/c.py",
            ),
            (
                &["*", "**/*.jsonl"],
                "bot.py, lib/a.py, lib/b.txt, lib/deep/c.py",
            ),
            (&["."], "./bot.py, ./lib/a.py, ./lib/b.txt, ./lib/deep/c.py"),
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
        assert_eq!(files.begun().len(), 3);
        assert_eq!(files.check(), ProgramState::default());
        // A file that the first game changes is output; the executable never is.
        put(folder, "log", "2");
        put(folder, "bot", "2");
        assert_eq!(files.check().changed, [PathBuf::from("bot")]);
        assert_eq!(files.end_game(), [PathBuf::from("log")]);
        put(folder, "log", "3");
        assert_eq!(files.end_game(), [PathBuf::from("log")]);
        assert_eq!(files.check().changed, [PathBuf::from("bot")]);
        // The same contents are the same program, whatever the time of the file; other contents of the same
        // size are not.
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
        // A resumed run knows the output from its rows.
        let resumed = ProgramFiles::resume(folder, files.begun(), &["log".into()]);
        assert_eq!(resumed.check(), removed);
        put(folder, "a.py", "1");
        assert_eq!(resumed.check().changed, Vec::<PathBuf>::new());
    }
}
