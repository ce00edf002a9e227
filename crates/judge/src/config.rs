//! `columns.toml`: the user's own bot, and how to play it. The file is in the current folder or above it.
//!
//! Besides `bot`, `build`, `files` and `sources`, the file has a key for each option in [`PlayOptions`], with
//! the same name. A flag is `true` or `false`, and a repeatable option can be a list. All other values are
//! parsed as on the command line:
//!
//! ```toml
//! bot = "./bot"
//! seeds = "2..=101"      # --seeds 2..=101
//! shuffle = true         # --shuffle
//! number = ["layers"]    # --number layers
//! ```

use crate::arena::process::Limits;
use crate::bot::Bot;
use crate::options::PlayOptions;
use crate::program::{Program, files::FilePatterns};
use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use clap::{Args, FromArgMatches};
use columns_cli::command::{self, Interrupted};
use columns_cli::{input, stderr};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;
use std::{env, io, iter};
use toml::{Spanned, Value};
use wait_timeout::ChildExt as _;

/// The name of the configuration file, which is in the current folder or above it.
pub const FILE_NAME: &str = "columns.toml";

/// The keys that are fields of [`Config`] itself, not options in [`PlayOptions`].
const OWN_KEYS: [&str; 4] = ["bot", "build", "files", "sources"];

/// The interval at which the judge checks whether a build has ended or a signal has arrived.
const BUILD_CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// The values in a `columns.toml`; `None`, empty or false if the file does not set them. Command-line options
/// take precedence.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Config {
    /// The bot's command line, as for `--bot`.
    pub bot: Option<String>,
    /// The shell command that builds the bot before it plays.
    pub build: Option<String>,
    /// Paths and patterns of further files and folders of the bot, besides the files in its command.
    pub files: Vec<String>,
    /// Paths and patterns of the files and folders that `judge watch` watches for changes.
    pub sources: Vec<String>,
    /// All other settings. Each is also an option on the command line.
    #[serde(skip)]
    pub play: PlayOptions,
    /// The folder of the file, in which its `bot` is started; the current folder if there is no file.
    #[serde(skip)]
    pub folder: PathBuf,
}

impl Config {
    /// Reads the nearest `columns.toml`. If there is none, returns the default configuration of the current
    /// folder.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or if a value is not valid. The error names the file, and
    /// for an invalid value the line.
    pub fn read() -> Result<Self> {
        let current_folder = env::current_dir().context("cannot find the current folder")?;
        let Some(folder) = find_folder() else {
            return Ok(Self {
                folder: current_folder,
                ..Self::default()
            });
        };
        let path = folder.join(FILE_NAME);
        let text = input::read(&path, input::MAX_FILE_BYTES)?;
        let name = path.display();
        let mut config = Self::parse(&text).map_err(|error| match error {
            (Some(start), error) => {
                let line = 1 + text[..start].matches('\n').count();
                anyhow!("{name}: line {line}: {error:#}")
            }
            (None, error) => anyhow!("{name}: {error:#}"),
        })?;
        // A path joined with an empty path ends with a slash: remove it.
        config.folder = current_folder.join(folder).components().collect();
        Ok(config)
    }

    /// Parses the text of a `columns.toml`. An error includes the position of the wrong value in the text;
    /// `None` if two values contradict each other.
    fn parse(text: &str) -> Result<Self, (Option<usize>, Error)> {
        let invalid = |error: toml::de::Error| {
            let message = error.message().replace('\n', " ");
            (error.span().map(|span| span.start), anyhow!(message))
        };
        let mut config: Self = toml::from_str(text).map_err(invalid)?;
        let table: BTreeMap<String, Spanned<Value>> = toml::from_str(text).map_err(invalid)?;
        let mut words = Vec::new();
        for (key, value) in &table {
            if !OWN_KEYS.contains(&key.as_str()) {
                let option = option_words(key, value.get_ref());
                let option = option.and_then(|option| parse_options(&option).map(|_| option));
                words.extend(option.map_err(|error| (Some(value.span().start), error))?);
            }
        }
        // Each option is valid by itself, but two of them may contradict each other.
        config.play = parse_options(&words).map_err(|error| (None, error))?;
        Ok(config)
    }

    /// Runs the build command of this file, if it has one and `should_build` is true. The output of the build
    /// goes to standard error.
    ///
    /// Then returns the program to play: `bot`, or else the bot that this file names, or else the bot of this
    /// build of the project. Files in `store` do not belong to the program.
    ///
    /// # Errors
    /// Returns an error if the build fails, or if the program cannot be played: see [`Program::new`]. Returns
    /// [`Interrupted`] if a signal has ended the build.
    pub fn build_program(
        &self,
        bot: Option<Bot>,
        should_build: bool,
        limits: Limits,
        store: &Path,
    ) -> Result<Program> {
        let parse = |line: &String| line.parse().with_context(|| format!("{FILE_NAME}: bot"));
        let configured_bot: Option<Bot> = self.bot.as_ref().map(parse).transpose()?;
        match &self.build {
            Some(_) if !should_build => stderr::log("no build: --no-build"),
            _ => self.run_build()?,
        }
        let patterns = self.file_patterns(store);
        if let (None, Some(bot)) = (&bot, configured_bot) {
            return Program::new(bot, limits, &self.folder, &patterns);
        }
        let bot = bot.map_or_else(Bot::from_this_build, Ok)?;
        let current_folder = env::current_dir().context("cannot find the current folder")?;
        Program::new(bot, limits, &current_folder, &patterns)
    }

    /// Builds the bot if this file has a build command. The output of the build goes to standard error. The
    /// build has its own process group, which is killed as a whole if a signal reaches the judge.
    ///
    /// # Errors
    /// Returns an error if the build fails. Returns [`Interrupted`] if a signal has ended it.
    pub fn run_build(&self) -> Result<()> {
        let Some(build) = &self.build else {
            return Ok(());
        };
        stderr::log(&format!("build: {build}"));
        let mut shell = Command::new("sh");
        shell.args(["-c", build]).current_dir(&self.folder);
        shell.process_group(0).stdin(Stdio::null());
        let shell = shell.stdout(io::stderr()).spawn();
        let status = wait_for_build(shell.context("cannot start sh for the build")?)?;
        ensure!(
            status.success(),
            "the build failed ({status}), so no game was played: {build}"
        );
        Ok(())
    }

    /// Returns the patterns of the files that belong to the bot. Files in `store` never belong to it.
    pub fn file_patterns(&self, store: &Path) -> FilePatterns {
        FilePatterns {
            folder: self.folder.clone(),
            patterns: self.files.clone(),
            excluded: vec![store.into()],
        }
    }
}

/// Returns the command-line words that set an option to the value of a key in the file.
fn option_words(key: &str, value: &Value) -> Result<Vec<String>> {
    let command = options_command();
    let mut options = command.get_arguments();
    let option = options.find(|option| option.get_long() == Some(key));
    let option = option.with_context(|| {
        let names = command.get_arguments().filter_map(clap::Arg::get_long);
        let names: Vec<&str> = OWN_KEYS.into_iter().chain(names).collect();
        format!("unknown key {key}, expected one of {}", names.join(", "))
    })?;
    let takes_value = option.get_action().takes_values();
    let word = |value: &Value| match value {
        Value::String(text) => Ok(format!("--{key}={text}")),
        Value::Integer(_) | Value::Float(_) => Ok(format!("--{key}={value}")),
        value => bail!("{key}: expected a text, a number or a list of them, found {value}"),
    };
    match value {
        Value::Boolean(true) if !takes_value => Ok(vec![format!("--{key}")]),
        Value::Boolean(false) if !takes_value => Ok(Vec::new()),
        value if !takes_value => bail!("{key}: expected true or false, found {value}"),
        Value::Array(values) => values.iter().map(word).collect(),
        value => Ok(vec![word(value)?]),
    }
}

/// Returns a clap command with exactly the options that are also keys of the file.
fn options_command() -> clap::Command {
    PlayOptions::augment_args(clap::Command::new(FILE_NAME).no_binary_name(true))
}

fn parse_options(words: &[String]) -> Result<PlayOptions> {
    let mut command = options_command();
    let matches = command.try_get_matches_from_mut(words);
    let options = matches.and_then(|matches| PlayOptions::from_arg_matches(&matches));
    options.map_err(|error| anyhow!(command::describe_usage_error(&command, &error)))
}

fn wait_for_build(mut shell: Child) -> Result<ExitStatus> {
    loop {
        if let Some(status) = shell.wait_timeout(BUILD_CHECK_INTERVAL)? {
            return Ok(status);
        }
        if command::is_interrupted() {
            // Ignore an error: it means that the group has ended in the meantime.
            let _ = killpg(Pid::from_raw(shell.id() as i32), Signal::SIGKILL);
            shell.wait()?;
            bail!(Interrupted("during the build".into()));
        }
    }
}

/// Returns the folder of the nearest `columns.toml`, in the current folder or above it. Returns an empty path
/// for the current folder, and `None` if there is no such file.
pub fn find_folder() -> Option<PathBuf> {
    let current_folder = env::current_dir().ok()?;
    let mut folders = iter::once(Path::new("")).chain(current_folder.ancestors().skip(1));
    let folder = folders.find(|folder| folder.join(FILE_NAME).is_file());
    folder.map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_this_repository_is_valid() {
        let config = Config::parse(include_str!("../../../columns.toml"));
        let config = config.map_err(|(_, error)| error).unwrap();
        assert!(config.bot.is_some() && !config.sources.is_empty());
    }
}
