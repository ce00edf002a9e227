//! The bot that an option names: a command line or, if the option has no value, the user's own bot in
//! `columns.toml`.

use super::play_args::watch_for_interrupt;
use anyhow::{Context, Result, ensure};
use columns_judge::config::{Config, FILE_NAME};
use columns_judge::program::files::FilePatterns;
use std::env;
use std::path::PathBuf;

/// The default value of an option such as `--bot` that is given without a value: the bot in `columns.toml`.
pub(crate) const OWN_BOT: &str = FILE_NAME;

/// The command line of a bot, and further files that affect how the bot plays.
pub(crate) struct NamedBot {
    pub(crate) command: String,
    pub(crate) files: FilePatterns,
}

impl NamedBot {
    /// Returns the bot named by `value`, the value of `option`. If it is the bot in `columns.toml`, builds it
    /// first. `out`, which the tuner writes, does not count as a file of the bot.
    ///
    /// # Errors
    /// Returns an error if there is no bot in `columns.toml`, if that file is not in the current folder, or
    /// if the build fails.
    pub(crate) fn resolve(option: &str, value: &str, out: Option<&PathBuf>) -> Result<Self> {
        let mut files = FilePatterns {
            folder: ".".into(),
            excluded: out.into_iter().cloned().collect(),
            ..FilePatterns::default()
        };
        let mut command = value.to_string();
        if value == OWN_BOT {
            let config = Config::read()?;
            let own = config.bot.clone();
            command = own.with_context(|| {
                format!(
                    "{option}: expected a command line, or a key `bot` in {FILE_NAME}, found none"
                )
            })?;
            let here = env::current_dir().context("cannot find the current folder")?;
            ensure!(
                config.folder == here,
                "{option}: {FILE_NAME} is in {0}, where its bot is started: start the tuner in {0}",
                config.folder.display()
            );
            watch_for_interrupt()?;
            config.run_build()?;
            files.patterns = config.files;
        }
        Ok(Self { command, files })
    }
}
