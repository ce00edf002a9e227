//! `columns.toml`: the user's own bot, and how to play it. The file is in the current folder or above it.

use crate::arena::process::Limits;
use crate::bot::Bot;
use crate::program::{Program, files::FilePatterns};
use anyhow::{Context, Result, anyhow, ensure};
use columns_cases::seeds::SeedRange;
use columns_cli::{input, options, stderr};
use columns_generator::Profile;
use serde::{Deserialize, Deserializer, de};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, io, iter};

/// The name of the configuration file, which is in the current folder or above it.
pub const FILE_NAME: &str = "columns.toml";

/// Maximum size of the file, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// The contents of the file that `judge init` writes. All lines except the required ones are comments.
pub const TEMPLATE: &str = include_str!("template.toml");

/// The values in a `columns.toml`; `None`, empty or false if the file does not set them. Options of the
/// command line take precedence.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Config {
    /// The bot's command line, as for `--bot`.
    pub bot: Option<String>,
    /// The shell command that builds the bot before it plays.
    #[serde(rename = "build")]
    pub build_command: Option<String>,
    /// Files, folders and patterns that belong to the bot, in addition to the files that its command names.
    pub files: Vec<String>,
    /// Seeds of the generated cases; 2 to 21 if the file sets none.
    pub seeds: Option<SeedRange>,
    /// The profile of the generated cases; `default` if the file sets none.
    pub profile: Option<Profile>,
    /// Wall-time limit of a game, in seconds.
    #[serde(rename = "time-limit", deserialize_with = "seconds")]
    pub time_limit_s: Option<f64>,
    /// Memory limit of a game, in MiB.
    #[serde(rename = "memory-limit", deserialize_with = "memory")]
    pub memory_limit_mib: Option<u64>,
    /// Number of games at a time, as for `--jobs`.
    #[serde(deserialize_with = "jobs")]
    pub jobs: Option<NonZeroUsize>,
    /// The folder of the file. The bot is started in this folder.
    #[serde(skip)]
    pub folder: PathBuf,
}

fn seconds<'de, D: Deserializer<'de>>(value: D) -> Result<Option<f64>, D::Error> {
    option_value(value, options::parse_seconds)
}

fn memory<'de, D: Deserializer<'de>>(value: D) -> Result<Option<u64>, D::Error> {
    option_value(value, options::parse_memory_mib)
}

fn jobs<'de, D: Deserializer<'de>>(value: D) -> Result<Option<NonZeroUsize>, D::Error> {
    option_value(value, options::parse_jobs)
}

/// Parses a number in the file as the command line parses the option of the same name.
fn option_value<'de, D: Deserializer<'de>, T>(
    value: D,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Option<T>, D::Error> {
    let number = f64::deserialize(value)?.to_string();
    parse(&number).map(Some).map_err(de::Error::custom)
}

impl Config {
    /// Reads the nearest `columns.toml`. If there is none, returns the default with the current folder.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or if a value is not valid. The error names the file, and
    /// the line of a value that is not valid.
    pub fn read() -> Result<Self> {
        let here = env::current_dir().context("cannot find the current folder")?;
        let Some(folder) = find_folder() else {
            return Ok(Self {
                folder: here,
                ..Self::default()
            });
        };
        let path = folder.join(FILE_NAME);
        let text = input::read(&path, MAX_FILE_BYTES)?;
        let name = path.display();
        let mut config: Self = toml::from_str(&text).map_err(|error: toml::de::Error| {
            let start = error.span().map_or(0, |span| span.start);
            let line = 1 + text[..start].matches('\n').count();
            let message = error.message().replace('\n', " ");
            anyhow!("{name}: line {line}: {message}")
        })?;
        // A path that was joined with an empty path ends with a slash: remove it.
        config.folder = here.join(folder).components().collect();
        Ok(config)
    }

    /// Returns the program to play: `bot`, or else the bot that this file names, which is built first, or
    /// else the bot of this build of the project. The output of a build goes to standard error. Files in
    /// `store` do not belong to the program.
    ///
    /// # Errors
    /// Returns an error if the build fails, or if the program cannot be played: see [`Program::new`].
    pub fn build_program(&self, bot: Option<Bot>, limits: Limits, store: &Path) -> Result<Program> {
        let (None, Some(line)) = (&bot, &self.bot) else {
            let bot = bot.map_or_else(Bot::from_this_build, Ok)?;
            return Program::new(bot, limits, &env::current_dir()?, &FilePatterns::default());
        };
        let bot: Bot = line.parse().with_context(|| format!("{FILE_NAME}: bot"))?;
        if let Some(build) = &self.build_command {
            stderr::log(&format!("build: {build}"));
            let mut shell = Command::new("sh");
            shell.args(["-c", build]).current_dir(&self.folder);
            let status = shell.stdin(Stdio::null()).stdout(io::stderr()).status();
            let status = status.context("cannot start sh for the build")?;
            ensure!(
                status.success(),
                "the build failed ({status}), so no game was played: {build}"
            );
        }
        Program::new(bot, limits, &self.folder, &self.file_patterns(store))
    }

    /// Returns the patterns of the files that belong to the bot. Files in `store` never do.
    pub fn file_patterns(&self, store: &Path) -> FilePatterns {
        FilePatterns {
            folder: self.folder.clone(),
            patterns: self.files.clone(),
            excluded: vec![store.into()],
        }
    }
}

/// Returns the folder of the nearest `columns.toml`, in the current folder or above it. Returns an empty path
/// for the current folder.
pub fn find_folder() -> Option<PathBuf> {
    let here = env::current_dir().ok()?;
    let mut folders = iter::once(Path::new("")).chain(here.ancestors().skip(1));
    let folder = folders.find(|folder| folder.join(FILE_NAME).is_file());
    folder.map(Into::into)
}
