//! `columns.toml`: a contestant's own bot, and how to play it. It lies in the current folder or above it.

use crate::bot::Bot;
use crate::process::Limits;
use crate::program::{self, Program, Stamp};
use anyhow::{Context, Result, bail};
use columns_cli::input;
use columns_generator::{Profile, seeds::SeedRange};
use serde::Deserialize;
use std::env;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Name of the file.
pub const NAME: &str = "columns.toml";

/// Maximum size of the file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The contents that `judge init` writes. All lines are comments except those that are needed.
pub const TEMPLATE: &str = "\
# How `judge` plays your bot. Options on the command line override these values.

# Command that reads a case and prints a plan; it is started in the folder of this file.
bot = \"./bot\"

# Command of a shell that builds the bot before the games. If it fails, nothing is played.
#build = \"cargo build --release\"

# Files and folders that belong to the bot: `judge watch` plays when one of them changes, and a run
# stops when one of them changes while it plays.
#watch = [\"src\"]

# Cases: seeds of the generator, and what it generates (`generator --profiles` lists the profiles).
#seeds = \"1..=100\"
#profile = \"default\"

# Limits of a game: seconds of wall time, MiB of memory.
#time-limit = 4
#memory-limit = 1024

# Games at a time (default: the cores, divided by the bot's --threads), and whether each of them gets
# processors of its own.
#jobs = 2
#pin = true
";

/// The values of a `columns.toml`; the default has none.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Config {
    /// The bot's command line.
    pub bot: Option<String>,
    /// A command of a shell that builds the bot.
    pub build: Option<String>,
    /// Files and folders that belong to the bot.
    pub watch: Vec<PathBuf>,
    /// Seeds to play.
    pub seeds: Option<SeedRange>,
    /// The profile of generated cases.
    pub profile: Option<Profile>,
    /// Wall time limit of a game, in seconds.
    pub time_limit: Option<f64>,
    /// Memory limit of a game, in MiB.
    pub memory_limit: Option<u64>,
    /// Number of games at a time.
    pub jobs: Option<NonZeroUsize>,
    /// True to reserve processors for each game.
    pub pin: bool,
    /// The folder of the file, in which the bot is started.
    #[serde(skip)]
    pub folder: PathBuf,
}

impl Config {
    /// Reads the nearest `columns.toml`. Without one, the folder is the current one.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or if a value is not valid. The error names the file and the line.
    pub fn read() -> Result<Self> {
        let Some(folder) = folder() else {
            return Ok(Self::default());
        };
        let path = folder.join(NAME);
        let text = input::read(&path, MAX_BYTES)?;
        let name = path.display();
        let mut config: Self = toml::from_str(&text).map_err(|error: toml::de::Error| {
            let start = error.span().map_or(0, |span| span.start);
            let line = 1 + text[..start].matches('\n').count();
            let message = error.message().replace('\n', " ");
            anyhow::anyhow!("{name}: line {line}: {message}")
        })?;
        if config
            .time_limit
            .is_some_and(|seconds| !(0.001..=86_400.0).contains(&seconds))
        {
            bail!("{name}: time-limit: expected seconds from 0.001 to 86400");
        }
        if config
            .memory_limit
            .is_some_and(|memory| !(1..=1 << 20).contains(&memory))
        {
            bail!("{name}: memory-limit: expected MiB from 1 to 1048576");
        }
        config.folder = folder;
        Ok(config)
    }

    /// Runs the command that builds the bot. Its output goes to standard error. Does nothing without such a command.
    ///
    /// # Errors
    /// Returns an error if the command fails.
    fn build(&self) -> Result<()> {
        let Some(build) = &self.build else {
            return Ok(());
        };
        columns_cli::stderr::log(&format!("build: {build}"));
        let mut shell = Command::new("sh");
        shell.args(["-c", build]).current_dir(place(&self.folder));
        let status = shell
            .stdin(Stdio::null())
            .stdout(std::io::stderr())
            .status();
        let status = status.context("cannot start sh for the build")?;
        if !status.success() {
            bail!("the build failed ({status}), so no game was played: {build}");
        }
        Ok(())
    }

    /// Returns the program of `bot`, or else builds and returns the bot of this file, or else returns the bot of this
    /// build of the project.
    ///
    /// # Errors
    /// Returns an error if the build fails, or if the program cannot be played: see [`Program::new`].
    pub fn program(&self, bot: Option<Bot>, limits: Limits) -> Result<Program> {
        let here = env::current_dir().context("cannot find the current folder")?;
        let (None, Some(line)) = (&bot, &self.bot) else {
            let bot = bot.map_or_else(Bot::of_this_build, Ok)?;
            return Program::new(bot, limits, &here, &[]);
        };
        let bot: Bot = line.parse().with_context(|| format!("{NAME}: bot"))?;
        self.build()?;
        Program::new(bot, limits, &here.join(&self.folder), &self.watch)
    }

    /// Lists the watched files with their stamps.
    ///
    /// # Errors
    /// Returns an error if a file or a path under `watch` does not exist.
    pub fn watched_stamps(&self) -> Result<Vec<(PathBuf, Stamp)>> {
        let folder = place(&self.folder);
        let files = program::files_below(folder, &self.watch)?.into_iter();
        let stamped = files.map(|file| Ok((file.clone(), program::stamp(&folder.join(&file))?)));
        stamped.collect()
    }
}

/// Returns a folder that can be opened: `.` in place of an empty path.
pub fn place(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    }
}

/// Returns the folder of the nearest `columns.toml`: the current one, as an empty path, or one above it.
pub fn folder() -> Option<PathBuf> {
    if Path::new(NAME).is_file() {
        return Some(PathBuf::new());
    }
    let here = env::current_dir().ok()?;
    let mut above = here.ancestors().skip(1);
    Some(
        above
            .find(|folder| folder.join(NAME).is_file())?
            .to_path_buf(),
    )
}
