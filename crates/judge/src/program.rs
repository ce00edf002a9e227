//! Finds and identifies the program of a bot, and checks before each game that it has not changed.
//!
//! The program consists of the executable, the script that an interpreter runs, and the files that the user
//! watches, such as the modules of a script. If one of these files changes during a run, later games would
//! belong to another program, so [`Program::play`] fails.

use crate::arena::process::{self, FinishedProcess, Limits};
use crate::arena::supervisor::{self, GRACE_PERIOD};
use crate::bot::Bot;
use crate::row::Game;
use crate::verdict;
use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use columns_cases::digest::Digest;
use columns_core::rules::case::Case;
use nix::errno::Errno;
use serde::{Deserialize, Serialize};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// The maximum number of attempts to play a game when the machine cannot run it.
const MAX_TRIES: u32 = 3;

/// The time limit of a call with `--version`, in seconds.
const VERSION_TIMEOUT_S: f64 = 1.0;

/// The names of files and folders that tools generate, and that belong to no program.
const GENERATED_NAMES: [&str; 3] = ["target", "__pycache__", "node_modules"];

/// A file that belongs to a program, and the digest that identifies its contents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramFile {
    /// The path. A relative path starts at the folder in which the program is started.
    pub path: PathBuf,
    /// The digest of the contents that the judge has read.
    pub digest: Digest,
}

/// A path, the size of its file in bytes, and its status-change time (`ctime`) in seconds and nanoseconds. A
/// change in the contents changes the size or `ctime`, except within one tick of the file system's clock.
/// Unlike the modification time, a copy or a rename cannot preserve `ctime`.
pub type FileStamp = (PathBuf, u64, i64, i64);

/// A bot that is ready to play.
#[derive(Debug)]
pub struct Program {
    /// The command line of the bot. Its relative paths start at `folder`.
    pub bot: Bot,
    /// The limits within which the bot must play each game.
    pub limits: Limits,
    /// The folder in which the bot is started.
    pub folder: PathBuf,
    /// The files and folders that belong to the program in addition to the executable and the script: `watch`
    /// in `columns.toml`.
    pub watched_paths: Vec<PathBuf>,
    /// The executable and the script, then the files below the watched paths.
    pub files: Vec<ProgramFile>,
    /// The stamps of the files, taken just before their contents were read.
    stamps: Vec<FileStamp>,
}

impl Program {
    /// Finds and identifies the program of a bot that is started in `folder`. The files and folders at the
    /// paths `watched` also belong to the program.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started or read. The error says why, and what to do.
    pub fn new(bot: Bot, limits: Limits, folder: &Path, watched: &[PathBuf]) -> Result<Self> {
        let mut program = Self {
            bot,
            limits,
            folder: folder.into(),
            watched_paths: watched.into(),
            files: Vec::new(),
            stamps: Vec::new(),
        };
        program.stamps = program.read_program_stamps()?;
        program.files = program.read_files(&program.stamps)?;
        Ok(program)
    }

    /// Reads the stamps of the executable and the script, then those of the files below the watched paths.
    fn read_program_stamps(&self) -> Result<Vec<FileStamp>> {
        let (bot, folder) = (&self.bot, &self.folder);
        let executable =
            find(&bot.words()[0], folder).with_context(|| format!("cannot run the bot {bot}"))?;
        let mut paths = vec![executable];
        let script = bot.script_index(folder).map(|index| &bot.words()[index]);
        paths.extend(script.map(PathBuf::from));
        paths.extend_from_slice(&self.watched_paths);
        read_stamps(folder, &paths)
    }

    /// Reads the files that these stamps name, and computes their digests.
    fn read_files(&self, stamps: &[FileStamp]) -> Result<Vec<ProgramFile>> {
        let read = |(path, ..): &FileStamp| {
            let bytes = fs::read(self.folder.join(path));
            let bytes = bytes.with_context(|| unreadable(path))?;
            Ok(ProgramFile {
                path: path.clone(),
                digest: Digest::new(&bytes),
            })
        };
        stamps.iter().map(read).collect()
    }

    /// Returns the digest of the contents of all files, which tells two builds of one version apart.
    pub fn digest(&self) -> Digest {
        let mut digest = Digest::EMPTY;
        for file in &self.files {
            digest.update(&file.digest.to_u64().to_le_bytes());
        }
        digest
    }

    /// Calls the program with `--version`, and returns the first line that it prints if that line contains a
    /// letter and a digit. Otherwise, and if the call fails, returns the name of the program. The call omits
    /// the bot's arguments after the program or its script, so that `sh -c CODE` does not run its code.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started.
    pub fn query_version(&self) -> Result<String> {
        let last = self.bot.script_index(&self.folder).unwrap_or(0);
        let mut command = self.command(&self.bot.words()[1..=last]);
        command.arg("--version");
        let limits = Limits {
            time_limit_s: VERSION_TIMEOUT_S,
            ..Limits::CONTEST
        };
        let process = process::run(command, b"", limits, &AtomicBool::new(false));
        let process = process.map_err(|error| self.explain(error))?;
        let text = String::from_utf8_lossy(&process.stdout);
        let line = verdict::to_printable(text.lines().next().unwrap_or_default());
        // A bot that does not know `--version` may print a plan.
        let is_version = line.contains(char::is_numeric) && line.contains(char::is_alphabetic);
        if is_version && process.failure.is_none() {
            Ok(line)
        } else {
            Ok(self.bot.name(&self.folder))
        }
    }

    /// Plays a case. Returns the result, and the process with its output. Kills the bot when `stop` is set.
    ///
    /// A system error is not a result: the judge tries the game up to three times, with growing pauses. If
    /// the supervisor was stopped during a game, for example by a frozen container, the judge plays the game
    /// once more.
    ///
    /// # Errors
    /// Returns an error if the program has changed or cannot be started, or if the machine cannot run it.
    /// Returns [`io::ErrorKind::Interrupted`] if `stop` is true.
    pub fn play(&self, case: &Case, stop: &AtomicBool) -> Result<(Game, FinishedProcess)> {
        let input = case.to_string();
        let (mut failures, mut was_frozen) = (0, false);
        loop {
            self.check_unchanged()?;
            let command = self.command(&self.bot.words()[1..]);
            match process::run(command, input.as_bytes(), self.limits, stop) {
                Ok(process) if process.was_frozen && !was_frozen => was_frozen = true,
                Ok(process) => {
                    return Ok((verdict::judge_game(case, &process, self.limits), process));
                }
                Err(error) if error.is::<Errno>() => return Err(self.explain(error)),
                Err(error) if stop.load(Ordering::Relaxed) => return Err(error),
                Err(error) => {
                    failures += 1;
                    if failures == MAX_TRIES {
                        bail!("{error:#} ({MAX_TRIES} tries)");
                    }
                    // A bot in another game may have exhausted the machine: wait until its supervisor has
                    // killed it.
                    wait(failures * (self.limits.time_limit() + GRACE_PERIOD), stop);
                }
            }
        }
    }

    /// Returns the command that runs the bot with these arguments under a supervisor.
    fn command(&self, arguments: &[String]) -> Command {
        let mut command = supervisor::command(&self.bot.words()[0]);
        command.args(arguments).current_dir(&self.folder);
        command
    }

    /// Checks that the files of the program are those that [`Program::new`] read.
    fn check_unchanged(&self) -> Result<()> {
        let now = self.read_program_stamps()?;
        if now == self.stamps {
            return Ok(());
        }
        match first_changed_file(&self.files, &self.read_files(&now)?) {
            None => Ok(()),
            Some(path) => bail!(
                "{}: has changed: the next games would be another program's: restore it, or begin a new run",
                path.display()
            ),
        }
    }

    /// If `error` is the `errno` of a program that could not be started, returns the reason in words. Returns
    /// any other error unchanged.
    fn explain(&self, error: Error) -> Error {
        let Some(errno) = error.downcast_ref() else {
            return error;
        };
        let reason = match errno {
            Errno::ENOEXEC => anyhow!(
                "is neither a program for this machine nor a script whose first line names its interpreter, \
                 such as #!/bin/sh"
            ),
            Errno::ENOENT => anyhow!("the program, its interpreter or its loader is missing"),
            errno => Error::from(io::Error::from(*errno)),
        };
        reason.context(format!("cannot run the bot {}", self.bot))
    }
}

/// Returns the path of the first file that differs between two programs with the same command line.
pub fn first_changed_file<'a>(
    before: &'a [ProgramFile],
    after: &'a [ProgramFile],
) -> Option<&'a Path> {
    let new = after.iter().find(|file| !before.contains(file));
    let missing = before.iter().find(|file| !after.contains(file));
    Some(&new.or(missing)?.path)
}

/// Waits for `time`, or until `stop` is set.
fn wait(time: Duration, stop: &AtomicBool) {
    let start = Instant::now();
    while start.elapsed() < time && !stop.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(20).min(time));
    }
}

/// Lists the files at or below these paths with their stamps, in a fixed order. Below a path, leaves out
/// hidden files and folders, and those that tools generate, such as `target`. Relative paths start at
/// `folder`.
///
/// # Errors
/// Returns an error if a path does not exist, or if a folder cannot be read. The error names the path.
pub fn read_stamps(folder: &Path, paths: &[PathBuf]) -> Result<Vec<FileStamp>> {
    let mut stamps = Vec::new();
    for path in paths {
        list_files(folder, path, &mut stamps)?;
    }
    Ok(stamps)
}

fn unreadable(path: &Path) -> String {
    format!("{}: cannot be read, but belongs to the bot", path.display())
}

fn list_files(folder: &Path, path: &Path, stamps: &mut Vec<FileStamp>) -> Result<()> {
    let place = folder.join(path);
    let file = place.metadata().with_context(|| unreadable(path))?;
    if !file.is_dir() {
        stamps.push((path.into(), file.len(), file.ctime(), file.ctime_nsec()));
        return Ok(());
    }
    let entries = place.read_dir().with_context(|| unreadable(path))?;
    let names = entries.map(|entry| Ok(entry?.file_name()));
    let names: io::Result<Vec<_>> = names.collect();
    let mut names = names.with_context(|| unreadable(path))?;
    names.sort_unstable();
    for name in names {
        let text = name.to_string_lossy();
        if !text.starts_with('.') && !GENERATED_NAMES.contains(&&*text) {
            list_files(folder, &path.join(&name), stamps)?;
        }
    }
    Ok(())
}

/// Finds the executable that the first word of a command line names.
fn find(word: &str, folder: &Path) -> Result<PathBuf> {
    let path = if word.contains('/') {
        word.into()
    } else {
        on_path(word).with_context(|| {
            if folder.join(word).is_file() {
                format!("{word}: not found on PATH: write ./{word} for a file in this folder")
            } else {
                format!("{word}: not found on PATH")
            }
        })?
    };
    check_executable(&folder.join(&path)).with_context(|| path.display().to_string())?;
    Ok(path)
}

/// Searches the folders of PATH for an executable.
fn on_path(word: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let mut files = env::split_paths(&folders).map(|folder| folder.join(word));
    files.find(|file| check_executable(file).is_ok())
}

/// Returns an error with the reason if a file cannot be executed.
fn check_executable(path: &Path) -> Result<()> {
    let metadata = fs::metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => anyhow!("no such file"),
        _ => error.into(),
    })?;
    ensure!(
        metadata.is_file(),
        "expected a program, found no regular file"
    );
    ensure!(
        metadata.permissions().mode() & 0o111 != 0,
        "is not executable: chmod +x, or name its interpreter first"
    );
    let mut start = Vec::new();
    // A file that may be executed but not read is not a script.
    let _ = fs::File::open(path).and_then(|file| file.take(256).read_to_end(&mut start));
    let start = String::from_utf8_lossy(&start);
    let Some(script) = start.strip_prefix("#!") else {
        return Ok(());
    };
    let line = script.split('\n').next().unwrap_or_default();
    ensure!(
        !line.ends_with('\r'),
        "its first line ends with a carriage return, which belongs to the name of the interpreter: \
         save the file with Unix line ends"
    );
    let mut words = line.split_whitespace();
    let interpreter = words.next().unwrap_or_default();
    ensure!(
        Path::new(interpreter).exists(),
        "its first line names the interpreter {interpreter:?}, which does not exist"
    );
    let is_program = |word: &&str| interpreter.ends_with("/env") && !word.starts_with('-');
    let program = words.next().filter(is_program);
    ensure!(
        program.is_none_or(|word| on_path(word).is_some()),
        "its first line names the interpreter {:?}, which is not on PATH",
        program.unwrap_or_default()
    );
    Ok(())
}
