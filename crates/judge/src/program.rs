//! The program of a bot: found, identified, and checked before each game.
//!
//! A program is what is executed: the executable, the script that an interpreter gets, and the files that the user
//! watches, such as the modules of a script. If one of them changes during a run, the games would be those of two
//! programs, so [`Program::play`] fails then.

use crate::bot::Bot;
use crate::process::{self, Failure, Limits};
use crate::runner::{self, Played};
use crate::supervisor::{self, SLACK};
use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use columns_core::rules::case::Case;
use columns_generator::digest::Digest;
use nix::errno::Errno;
use serde::{Deserialize, Serialize};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// Number of times that a game is tried when the machine cannot run it.
const TRIES: u32 = 3;

/// A file of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramFile {
    /// The path, relative to the folder in which the program is started unless it was given otherwise.
    pub path: PathBuf,
    /// The digest of the contents.
    pub digest: Digest,
}

/// Size, time of change and inode of a file: if they are the same, so are the contents.
pub type Stamp = (u64, i64, i64, u64);

/// A bot that is ready to play.
#[derive(Debug)]
pub struct Program {
    /// The command line.
    pub bot: Bot,
    /// The limits of each game.
    pub limits: Limits,
    /// The folder in which the bot is started.
    pub folder: PathBuf,
    /// The executable and the script, then the files below the watched paths.
    pub files: Vec<ProgramFile>,
    /// The number of files that are not watched.
    own: usize,
    watched: Vec<PathBuf>,
    /// The stamps of the files when their contents were last read.
    stamps: Mutex<Vec<Stamp>>,
}

impl Program {
    /// Finds and identifies the program of a bot that is started in `folder`. The paths `watched` are files and folders
    /// that belong to the program.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started or read. The error says why, and what to do.
    pub fn new(bot: Bot, limits: Limits, folder: &Path, watched: &[PathBuf]) -> Result<Self> {
        let executable =
            find(&bot.words()[0], folder).with_context(|| format!("cannot run the bot {bot}"))?;
        let script = bot
            .script(folder)
            .map(|index| PathBuf::from(&bot.words()[index]));
        let mut paths = vec![executable];
        paths.extend(script);
        let own = paths.len();
        paths.extend(files_below(folder, watched)?);
        let read = |path: PathBuf| {
            let file = folder.join(&path);
            let stamp = stamp(&file)?;
            let digest = digest(&file)?;
            anyhow::Ok((ProgramFile { path, digest }, stamp))
        };
        let files: Vec<_> = paths.into_iter().map(read).collect::<Result<_>>()?;
        let (files, stamps): (Vec<_>, _) = files.into_iter().unzip();
        Ok(Self {
            bot,
            limits,
            folder: folder.into(),
            files,
            own,
            watched: watched.into(),
            stamps: Mutex::new(stamps),
        })
    }

    /// Returns the digest of all files: two builds of one version have different digests.
    pub fn digest(&self) -> Digest {
        let mut digest = Digest::EMPTY;
        for file in &self.files {
            digest.add(&file.digest.number().to_le_bytes());
        }
        digest
    }

    /// Returns the first file that differs from `files`, those of an earlier program with this command line.
    pub fn first_change(&self, files: &[ProgramFile]) -> Option<String> {
        let new = self.files.iter().find(|file| !files.contains(file));
        let missing = files.iter().find(|file| !self.files.contains(file));
        Some(new.or(missing)?.path.display().to_string())
    }

    /// Returns the watched paths.
    pub fn watched(&self) -> &[PathBuf] {
        &self.watched
    }

    /// Returns the number of threads of a game: see [`Bot::threads`].
    pub fn threads(&self) -> usize {
        self.bot.threads()
    }

    /// Returns the first line that the program prints for `--version` within a second, or else its name. The call omits
    /// the bot's arguments after the program or its script, so that `sh -c CODE` does not run its code.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started.
    pub fn version(&self) -> Result<String> {
        let words = self.bot.words();
        let last = self.bot.script(&self.folder).unwrap_or(0);
        let mut command = self.command(&words[1..=last]);
        command.arg("--version");
        let limits = Limits {
            time: Duration::from_secs(1),
            ..Limits::CONTEST
        };
        let process = process::run(command, b"", limits, &AtomicBool::new(false));
        let process = process.map_err(|failure| self.error(failure))?;
        let text = String::from_utf8_lossy(&process.output);
        let line = runner::printable(text.lines().next().unwrap_or_default());
        // A bot that does not know this option may print a plan.
        let is_version = line.contains(char::is_numeric) && line.contains(char::is_alphabetic);
        let is_version = is_version && process.failed.is_none();
        Ok(if is_version {
            line
        } else {
            self.bot.name(&self.folder)
        })
    }

    /// Plays a case. Kills the bot once `stop` is true.
    ///
    /// Trouble of the machine is no result: the game is tried three times, with growing pauses. A game during which the
    /// supervisor was stopped, for example by a frozen container, is played again once.
    ///
    /// # Errors
    /// Returns an error if the program has changed or cannot be started, or if the machine cannot run it. Returns
    /// [`io::ErrorKind::Interrupted`] if `stop` is true.
    pub fn play(&self, case: &Case, stop: &AtomicBool) -> Result<Played> {
        let input = case.to_string();
        let (mut failures, mut was_frozen) = (0, false);
        loop {
            self.check_unchanged()?;
            let command = self.command(&self.bot.words()[1..]);
            match process::run(command, input.as_bytes(), self.limits, stop) {
                Ok(process) if process.frozen && !was_frozen => was_frozen = true,
                Ok(process) => return Ok(runner::judged(case, process, self.limits)),
                Err(Failure::Machine(_)) if failures + 1 < TRIES => {
                    failures += 1;
                    // A bot that exhausts the machine in another game has been killed by then.
                    wait(failures * (self.limits.time + SLACK), stop);
                }
                Err(failure) => return Err(self.error(failure)),
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
        let mut stamps = self.stamps.lock().unwrap_or_else(PoisonError::into_inner);
        let known = &self.files[self.own..];
        let now = files_below(&self.folder, &self.watched)?;
        let differs = |path: &&PathBuf| !known.iter().any(|file| file.path == **path);
        if let Some(path) = now.iter().find(differs) {
            bail!("{}: is new: {OTHER_PROGRAM}", path.display());
        }
        for (file, stamp) in self.files.iter().zip(stamps.iter_mut()) {
            let path = self.folder.join(&file.path);
            let current = self::stamp(&path)?;
            if current == *stamp {
                continue;
            }
            ensure!(
                digest(&path)? == file.digest,
                "{}: has changed: {OTHER_PROGRAM}",
                file.path.display()
            );
            *stamp = current;
        }
        Ok(())
    }

    /// Describes why a process has no result.
    fn error(&self, failure: Failure) -> Error {
        let bot = &self.bot;
        let errno = match failure {
            Failure::Stopped => return io::Error::from(io::ErrorKind::Interrupted).into(),
            Failure::Machine(what) => return anyhow!("{what} ({TRIES} tries)"),
            Failure::NotStarted(errno) => errno,
        };
        let reason = find(&bot.words()[0], &self.folder).err();
        let reason = reason.unwrap_or_else(|| match errno {
            Errno::ENOEXEC => anyhow!(
                "is neither a program for this machine nor a script whose first line names its interpreter, such as #!/bin/sh"
            ),
            Errno::ENOENT => anyhow!("its interpreter or its loader is missing"),
            _ => io::Error::from(errno).into(),
        });
        reason.context(format!("cannot run the bot {bot}"))
    }
}

const OTHER_PROGRAM: &str =
    "the games that follow would be those of another program: begin a new run";

/// Waits, but not longer than until `stop` is true.
fn wait(time: Duration, stop: &AtomicBool) {
    let start = Instant::now();
    while start.elapsed() < time && !stop.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(20).min(time));
    }
}

/// Returns the stamp of a file.
///
/// # Errors
/// Returns an error if the file does not exist.
pub fn stamp(path: &Path) -> Result<Stamp> {
    let metadata =
        fs::metadata(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    Ok((
        metadata.len(),
        metadata.mtime(),
        metadata.mtime_nsec(),
        metadata.ino(),
    ))
}

fn digest(path: &Path) -> Result<Digest> {
    let bytes = fs::read(path);
    let bytes = bytes
        .with_context(|| format!("{}: cannot be read, but belongs to the bot", path.display()))?;
    Ok(Digest::of(&bytes))
}

/// Lists the files below some paths, in a fixed order. Leaves out hidden files and what tools write: `target`,
/// `__pycache__` and `node_modules`.
///
/// # Errors
/// Returns an error if a path does not exist, or if a folder cannot be read.
pub fn files_below(folder: &Path, paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut left: Vec<PathBuf> = paths.iter().rev().cloned().collect();
    while let Some(path) = left.pop() {
        let place = folder.join(&path);
        let unreadable = || format!("{}: cannot be read, but is watched", path.display());
        if !fs::metadata(&place).with_context(unreadable)?.is_dir() {
            files.push(path);
            continue;
        }
        let entries = fs::read_dir(&place).with_context(unreadable)?;
        let names = entries.map(|entry| entry.map(|entry| entry.file_name()));
        let mut names: Vec<_> = names.collect::<io::Result<_>>().with_context(unreadable)?;
        let made = ["target", "__pycache__", "node_modules"];
        names.retain(|name| {
            let name = name.to_string_lossy();
            !name.starts_with('.') && !made.contains(&&*name)
        });
        names.sort_unstable_by(|a, b| b.cmp(a));
        left.extend(names.iter().map(|name| path.join(name)));
    }
    Ok(files)
}

/// Finds the executable that the first word of a command line names.
fn find(word: &str, folder: &Path) -> Result<PathBuf> {
    let path = if word.contains('/') {
        word.into()
    } else {
        let found = on_path(word);
        found.with_context(|| {
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

/// Fails if a file cannot be executed, with the reason.
fn check_executable(path: &Path) -> Result<()> {
    let metadata = fs::metadata(path);
    let metadata = metadata.map_err(|error| match error.kind() {
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
    let file = fs::File::open(path);
    // A program that may be executed but not read is no script.
    if file.is_err() || file?.take(256).read_to_end(&mut start).is_err() {
        return Ok(());
    }
    let start = String::from_utf8_lossy(&start);
    let Some(line) = start
        .strip_prefix("#!")
        .and_then(|rest| rest.split('\n').next())
    else {
        return Ok(());
    };
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
    match words.next() {
        Some(word)
            if interpreter.ends_with("/env")
                && !word.starts_with('-')
                && on_path(word).is_none() =>
        {
            bail!("its first line names the interpreter {word:?}, which is not on PATH")
        }
        _ => Ok(()),
    }
}
