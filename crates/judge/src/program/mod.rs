//! The program of a bot: finds the files that belong to it, and plays single games.
//!
//! The program consists of the executable, the words of the command that name regular files, and the files
//! that the user names: see [`files`]. Before each game, [`Program::play`] checks the files. If a file has
//! changed, the game records the change, or the program plays no further games: see [`OnChange`].

pub mod files;

use crate::arena::process::{self, FinishedProcess, Limits};
use crate::arena::supervisor::{self, GRACE_PERIOD};
use crate::bot::Bot;
use crate::row::Game;
use crate::verdict;
use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use columns_core::rules::case::Case;
use files::{FilePatterns, ProgramChanges, ProgramFile, ProgramFiles, describe_change};
use nix::errno::Errno;
use std::io::{self, Read as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// The number of attempts to play a game before a system error ends the run.
const MAX_TRIES: u32 = 3;

/// The time limit of a bot that is run with `--version`, in seconds.
const VERSION_TIMEOUT_S: f64 = 1.0;

/// The effect of a change in the files of a program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OnChange {
    /// The games continue. Each later game records the change, and a line reports it to the user.
    #[default]
    Record,
    /// Games after the change do not count: [`Program::play`] fails.
    Stop,
}

/// A bot that is ready to play.
#[derive(Debug)]
pub struct Program {
    /// The command line of the bot. Paths in it are relative to `folder`.
    pub bot: Bot,
    /// The limits within which the bot must play each game.
    pub limits: Limits,
    /// The folder in which the bot is started.
    pub folder: PathBuf,
    /// What to do if the files change during the run.
    pub on_change: OnChange,
    /// The files of the program: the executable, the files that the command names, and the files that match
    /// the patterns, in this order.
    pub files: ProgramFiles,
}

/// A game, the process that played it, and the state of the program's files when the game began.
#[derive(Debug)]
pub struct PlayedGame {
    /// The score, the status, and the numbers that the bot reported.
    pub game: Game,
    /// The process with its output.
    pub process: FinishedProcess,
    /// The changes to the program's files since the run began.
    pub program: ProgramChanges,
}

impl Program {
    /// Finds and identifies the program of a bot that is started in `folder`. The files that match `patterns`
    /// also belong to the program.
    ///
    /// # Errors
    /// Returns an error if the executable is missing or not executable, if a file cannot be read, or if a
    /// pattern is not valid or matches no file. The error gives the reason.
    pub fn new(bot: Bot, limits: Limits, folder: &Path, patterns: &FilePatterns) -> Result<Self> {
        let mut paths = vec![find_executable(&bot, folder)?];
        paths.extend(bot.file_arguments(folder).map(PathBuf::from));
        let is_here = patterns.folder == folder;
        let start = if is_here {
            Path::new("")
        } else {
            &patterns.folder
        };
        paths.extend(patterns.find()?.iter().map(|path| start.join(path)));
        Ok(Self {
            files: ProgramFiles::begin(folder, paths)?,
            bot,
            limits,
            folder: folder.into(),
            on_change: OnChange::default(),
        })
    }

    /// Prepares a program to continue a run that began with these files. [`ProgramFiles::check`] then reports
    /// whether the program is still the same.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started.
    pub fn resume(bot: Bot, limits: Limits, folder: &Path, files: ProgramFiles) -> Result<Self> {
        files.set_executable(find_executable(&bot, folder)?);
        Ok(Self {
            files,
            bot,
            limits,
            folder: folder.into(),
            on_change: OnChange::default(),
        })
    }

    /// Checks that no file has changed since the run began.
    ///
    /// # Errors
    /// Returns an error if a file has changed. The error names the changed files.
    pub fn check_unchanged(&self) -> Result<()> {
        let Some(change) = describe_change(&self.files.check().changed) else {
            return Ok(());
        };
        bail!(
            "{change}, so the next games would be another program's: restore it, or begin a new run"
        )
    }

    /// Returns advice if the only known file is an executable outside of the bot's folder, such as `java`.
    /// The files that define the bot are then unknown. Returns `None` otherwise, and for the bot of this
    /// build, which needs no other file.
    pub fn advice(&self) -> Option<String> {
        let [ProgramFile { path, .. }] = &self.files.initial_files()[..] else {
            return None;
        };
        let is_own = Bot::from_this_build().is_ok_and(|own| *path == Path::new(&own.words()[0]));
        (!is_own && !self.is_in_folder(path)).then(|| {
            format!(
                "note: {} is the only known file of this bot; name the others that play as `files` in \
                 columns.toml",
                path.display()
            )
        })
    }

    /// True if a file lies in the folder of the bot.
    fn is_in_folder(&self, path: &Path) -> bool {
        let [path, folder] =
            [&self.folder.join(path), &self.folder].map(|path| path.canonicalize());
        path.is_ok_and(|path| folder.is_ok_and(|folder| path.starts_with(folder)))
    }

    /// Returns the display name of the program: the file name of its executable, without the extension. If
    /// the executable is outside the bot's folder, uses the first file among the arguments, if there is one.
    fn name(&self) -> String {
        let is_inside = self.is_in_folder(&self.files.initial_files()[0].path);
        let argument = self.bot.file_arguments(&self.folder).next();
        let word = argument.filter(|_| !is_inside);
        let path = Path::new(word.unwrap_or(&self.bot.words()[0]));
        path.file_stem()
            .unwrap_or("bot".as_ref())
            .to_string_lossy()
            .into()
    }

    /// Runs the program with `--version`, and returns the first line that it prints if that line contains a
    /// letter and a digit. Otherwise, and if the program fails, returns the name of the program.
    ///
    /// Passes the bot's arguments only up to the first file, or none of them if no argument is a file, so
    /// that `sh -c CODE` does not run its code.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started.
    pub fn query_version(&self) -> Result<String> {
        let file = self.bot.file_arguments(&self.folder).next();
        let is_file = |word: &String| Some(word) == file;
        let last = self.bot.words().iter().position(is_file).unwrap_or(0);
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
        // A bot that does not support `--version` may print a plan, which has no letters.
        let is_version = line.contains(char::is_numeric) && line.contains(char::is_alphabetic);
        if is_version && process.failure.is_none() {
            Ok(line)
        } else {
            Ok(self.name())
        }
    }

    /// Plays a case. Kills the bot when `stop` is set.
    ///
    /// A system error is not a result: the judge makes up to three attempts, with growing pauses. A failure
    /// to start the program while a build is replacing it counts as a system error. If the supervisor was
    /// stopped during a game, for example because its container was frozen, the judge plays the game once
    /// more.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started, if the machine cannot run it, or if a file has
    /// changed and `on_change` is [`OnChange::Stop`]. Returns [`io::ErrorKind::Interrupted`] if `stop` is
    /// true.
    pub fn play(&self, case: &Case, stop: &AtomicBool) -> Result<PlayedGame> {
        let input = case.to_string();
        let (mut failures, mut was_frozen) = (0, false);
        loop {
            let program = self.check()?;
            let command = self.command(&self.bot.words()[1..]);
            match process::run(command, input.as_bytes(), self.limits, stop) {
                Ok(process) if process.was_frozen && !was_frozen => was_frozen = true,
                Ok(process) => return self.end_game(case, process, program),
                Err(error) if error.is::<Errno>() && self.files.check().changed.is_empty() => {
                    return Err(self.explain(error));
                }
                Err(error) if stop.load(Ordering::Relaxed) => return Err(error),
                Err(error) => {
                    failures += 1;
                    if failures == MAX_TRIES {
                        let error = self.explain(error);
                        bail!("{error:#} ({MAX_TRIES} tries)");
                    }
                    // A bot in another game may have used up the memory: wait until its supervisor has killed
                    // it.
                    wait(failures * (self.limits.time_limit() + GRACE_PERIOD), stop);
                }
            }
        }
    }

    /// Checks the files before a game. Reports a change or fails because of it: see [`OnChange`].
    fn check(&self) -> Result<ProgramChanges> {
        match self.on_change {
            OnChange::Record => Ok(self.files.check_and_report()),
            OnChange::Stop => self.check_unchanged().map(|()| ProgramChanges::default()),
        }
    }

    /// Judges a game that has ended. `program` is the state of the files when the game began.
    fn end_game(
        &self,
        case: &Case,
        process: FinishedProcess,
        program: ProgramChanges,
    ) -> Result<PlayedGame> {
        let output_files = self.files.end_game();
        if self.on_change == OnChange::Stop {
            // The files may have changed before the bot read them, so check them again.
            self.check_unchanged()?;
        }
        Ok(PlayedGame {
            game: verdict::judge_game(case, &process, self.limits),
            process,
            program: ProgramChanges {
                output_files,
                ..program
            },
        })
    }

    /// Returns the command that runs the bot with these arguments under a supervisor.
    fn command(&self, arguments: &[String]) -> Command {
        let mut command = supervisor::command(&self.bot.words()[0]);
        command.args(arguments).current_dir(&self.folder);
        command
    }

    /// If `error` is the `errno` of a program that could not be started, returns the reason as text. Returns
    /// any other error unchanged.
    fn explain(&self, error: Error) -> Error {
        let Some(errno) = error.downcast_ref() else {
            return error;
        };
        let program = self.folder.join(&self.files.initial_files()[0].path);
        let reason = match errno {
            Errno::ENOEXEC => anyhow!(
                "is neither a program for this machine nor a script whose first line names its interpreter, \
                 such as #!/bin/sh"
            ),
            Errno::ENOENT => anyhow!(
                "the program, its interpreter or its loader is missing{}",
                script_line(&program).unwrap_or_default()
            ),
            errno => Error::from(io::Error::from(*errno)),
        };
        reason.context(format!("cannot run the bot {}", self.bot))
    }
}

/// Returns a clause to append to an error message, quoting the `#!` line of a script. Returns `None` if the
/// file has no such line. Keeps a carriage return, since the system treats it as part of the interpreter's
/// name.
fn script_line(script: &Path) -> Option<String> {
    let mut start = Vec::new();
    let file = fs::File::open(script).ok()?;
    file.take(256).read_to_end(&mut start).ok()?;
    let start = String::from_utf8_lossy(&start);
    let line = start.starts_with("#!").then(|| start.split('\n').next())?;
    line.map(|line| format!("; its first line is {line:?}"))
}

/// Finds the executable of a bot. Relative paths are resolved against `folder`.
fn find_executable(bot: &Bot, folder: &Path) -> Result<PathBuf> {
    let find = || {
        let word = &bot.words()[0];
        let path = if word.contains('/') {
            word.into()
        } else {
            find_on_path(word).with_context(|| {
                if folder.join(word).is_file() {
                    format!("{word}: not found on PATH: write ./{word} for a file in this folder")
                } else {
                    format!("{word}: not found on PATH")
                }
            })?
        };
        let place = folder.join(&path);
        ensure!(place.exists(), "{word}: no such file");
        ensure!(
            is_executable(&place),
            "{word}: is not executable: chmod +x, or name its interpreter first"
        );
        Ok(path)
    };
    find().with_context(|| format!("cannot run the bot {bot}"))
}

/// Searches the folders of PATH for an executable.
fn find_on_path(word: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let mut files = env::split_paths(&folders).map(|folder| folder.join(word));
    files.find(|file| is_executable(file))
}

fn is_executable(path: &Path) -> bool {
    let file = fs::metadata(path);
    file.is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

/// Waits for `time`, or until `stop` is set.
fn wait(time: Duration, stop: &AtomicBool) {
    let start = Instant::now();
    while start.elapsed() < time && !stop.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(20).min(time));
    }
}
