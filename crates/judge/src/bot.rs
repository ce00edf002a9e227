//! The command line of a bot.

use crate::process::{self, Limits};
use crate::runner::printable;
use crate::supervisor;
use anyhow::{Context, Error, Result, bail, ensure};
use columns_cli::paths;
use columns_generator::digest::Digest;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;
use std::time::Duration;
use std::{fmt, fs};

/// A bot: the words of a command that reads a case and prints a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bot(Vec<String>);

impl Bot {
    /// Returns the bot of this build: the executable `bot` beside this one.
    ///
    /// # Errors
    /// If the file does not exist.
    pub fn of_this_build() -> Result<Self> {
        let own = std::env::current_exe().context("cannot find the folder of this executable")?;
        let path = own.with_file_name(format!("bot{}", std::env::consts::EXE_SUFFIX));
        ensure!(
            path.is_file(),
            "{}: no such file: build the bot as well, or name one with --bot CMD",
            path.display()
        );
        Ok(Self(vec![path.to_string_lossy().into_owned()]))
    }

    /// Returns the command that runs the bot under a supervisor. The caller sets its input and output.
    pub fn command(&self) -> Command {
        let mut command = supervisor::command(&self.0[0]);
        command.args(&self.0[1..]);
        command
    }

    /// Returns the display name of the bot: the file name of its program, without the extension.
    pub fn name(&self) -> String {
        let stem = Path::new(&self.0[0]).file_stem();
        stem.unwrap_or("bot".as_ref()).to_string_lossy().into()
    }

    /// Returns the number of threads that the command line sets with `--threads 4` or `--threads=4`; 1 without this
    /// option. The value 0 means one thread per core.
    pub fn threads(&self) -> usize {
        let mut words = self.0.iter().flat_map(|word| word.split('='));
        words.find(|word| *word == "--threads");
        match words.next().and_then(|value| value.parse().ok()) {
            Some(0) => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads.unwrap_or(1),
        }
    }

    /// Lists the existing files that the command line names: see [`paths::named`].
    pub fn files(&self) -> Vec<PathBuf> {
        paths::named(&self.0)
    }

    /// Digests the contents of all [`files`](Self::files) of this bot. Two builds of one version have different digests.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn digest(&self) -> Result<Digest> {
        let mut digest = Digest::EMPTY;
        for path in self.files() {
            let name = path.display();
            let unreadable = || format!("{name}: cannot be read, but identifies the bot");
            let bytes = fs::read(&path).with_context(unreadable)?;
            digest.add(&Digest::of(&bytes).number().to_le_bytes());
        }
        Ok(digest)
    }

    /// Returns the first line that the program prints for `--version` within a second, or else its name. The call omits the
    /// bot's arguments, so that `sh -c SCRIPT` does not run its script.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn version(&self) -> Result<String> {
        let mut command = supervisor::command(&self.0[0]);
        command.arg("--version");
        let limits = Limits {
            time: Duration::from_secs(1),
            ..Limits::CONTEST
        };
        let process = process::run(command, b"", limits)
            .with_context(|| format!("cannot run the bot {self}"))?;
        let text = String::from_utf8_lossy(&process.output);
        let line = printable(text.lines().next().unwrap_or_default());
        // A bot that does not know this option may print a plan.
        let is_version = line.contains(char::is_numeric) && line.contains(char::is_alphabetic);
        let is_version = is_version && process.failed.is_none();
        Ok(if is_version { line } else { self.name() })
    }
}

impl FromStr for Bot {
    type Err = Error;

    /// Splits a command line into words as a shell does.
    ///
    /// # Errors
    /// If the line is empty, has an open quote, or needs a shell.
    fn from_str(line: &str) -> Result<Self> {
        let words = shell_words::split(line)?;
        ensure!(!words.is_empty(), "expected a command line, found nothing");
        if let Some(word) = shell_syntax(line, &words) {
            bail!(
                "the bot is started without a shell, which {word:?} needs: \
                 expected a command and its options, or sh -c '...'"
            );
        }
        Ok(Self(words))
    }
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shell_words::join(&self.0))
    }
}

/// Returns the first unquoted word of a command line that needs a shell, such as `|` or `2>errors`.
fn shell_syntax<'a>(line: &'a str, words: &[String]) -> Option<&'a str> {
    let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let needs_shell = |word: &str| {
        let after_digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        ["|", "||", "&", "&&", ";"].contains(&word)
            || after_digits.starts_with(['<', '>'])
            || word.starts_with("~/")
            || word == words[0] && word.split_once('=').is_some_and(|(name, _)| is_name(name))
    };
    let mut unquoted = line.split_whitespace();
    unquoted.find(|part| words.iter().any(|word| word == part) && needs_shell(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_needs_a_shell_is_refused() {
        for (line, word) in [
            ("cat | bot", Some("|")),
            ("bot 2>errors", Some("2>errors")),
            ("bot 2> /dev/null", Some("2>")),
            ("FOO=1 bot", Some("FOO=1")),
            ("~/bot", Some("~/bot")),
            ("python3 ~/bot.py", Some("~/bot.py")),
            ("a && b", Some("&&")),
            ("sh -c 'cat | bot'", None),
            ("bot '|' --set a=1", None),
            ("./a=b/bot", None),
        ] {
            let words = shell_words::split(line).unwrap();
            assert_eq!(shell_syntax(line, &words), word, "{line}");
            assert_eq!(line.parse::<Bot>().is_err(), word.is_some(), "{line}");
        }
    }

    #[test]
    fn a_bot_has_the_name_of_its_program() {
        for (line, name) in [
            ("target/release/bot --nodes 5", "bot"),
            ("'my-bot.exe'", "my-bot"),
            ("''", "bot"),
        ] {
            assert_eq!(line.parse::<Bot>().unwrap().name(), name);
        }
    }

    #[test]
    fn the_option_threads_sets_the_number_of_threads() {
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        for (line, threads) in [
            ("bot", 1),
            ("bot --threads 4 --stats", 4),
            ("bot --threads=2", 2),
            ("bot --threads 0", all),
            ("bot --threads", 1),
            ("bot --threads many", 1),
        ] {
            assert_eq!(line.parse::<Bot>().unwrap().threads(), threads, "{line}");
        }
    }
}
