//! A bot: a command that reads a case and prints a plan.

use crate::process::{self, Limits};
use crate::runner::shown;
use crate::supervisor;
use anyhow::{bail, ensure, Context, Error, Result};
use columns_generator::digest::{fnv1a, EMPTY};
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use std::str::FromStr;
use std::time::Duration;

/// A bot: a command that reads a case and prints a plan, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bot(Vec<String>);

impl Bot {
    /// The bot of this build: the executable `bot` beside this one.
    ///
    /// # Errors
    /// If there is none.
    pub fn of_this_build() -> Result<Self> {
        let own = std::env::current_exe().context("cannot tell where this executable is")?;
        let path = own.with_file_name(format!("bot{}", std::env::consts::EXE_SUFFIX));
        ensure!(
            path.is_file(),
            "{}: no such file: build the bot as well, or name one with --bot CMD",
            path.display()
        );
        Ok(Self(vec![path.to_string_lossy().into_owned()]))
    }

    /// The command to start, under a supervisor, without its input and output.
    pub fn command(&self) -> Command {
        let mut command = supervisor::command(&self.0[0]);
        command.args(&self.0[1..]);
        command
    }

    /// What people call it: the name of its program, without its folder and ending.
    pub fn name(&self) -> String {
        let stem = Path::new(&self.0[0]).file_stem();
        stem.unwrap_or("bot".as_ref()).to_string_lossy().into()
    }

    /// What tells this bot from others: the first line that its program prints when asked for its
    /// version, within a second, or else a digest of the program; then a digest of the files among
    /// its options, such as the script of an interpreter.
    ///
    /// The program is asked without its other options, so that a script for a shell is not run.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn version(&self) -> Result<String> {
        let program = self.program_version();
        let program = program.with_context(|| format!("cannot run the bot {self}"))?;
        let files = self.0[1..].iter().filter(|word| Path::new(word).is_file());
        let digest = files
            .filter_map(|path| fs::read(path).ok())
            .fold(EMPTY, |digest, bytes| fnv1a(digest, &bytes));
        Ok(match digest {
            EMPTY => program,
            digest => format!("{program}, files {digest:016x}"),
        })
    }

    fn program_version(&self) -> io::Result<String> {
        let mut asked = supervisor::command(&self.0[0]);
        asked.arg("--version");
        let limits = Limits {
            time: Duration::from_secs(1),
            ..Limits::CONTEST
        };
        let said = process::run(asked, b"", limits)?;
        let text = String::from_utf8_lossy(&said.output);
        let line = shown(text.lines().next().unwrap_or_default());
        // A bot that does not know the option may print a plan.
        let is_version = line.contains(char::is_numeric) && line.contains(char::is_alphabetic);
        if said.failed.is_none() && is_version {
            return Ok(line);
        }
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let program = Path::new(&self.0[0]);
        let bytes = if program.components().count() > 1 {
            fs::read(program).ok()
        } else {
            std::env::split_paths(&folders).find_map(|path| fs::read(path.join(program)).ok())
        };
        // A program that can be run need not be readable.
        let digest = fnv1a(EMPTY, &bytes.unwrap_or_default());
        Ok(format!("digest {digest:016x}"))
    }
}

impl FromStr for Bot {
    type Err = Error;

    /// Splits a command line into words as a shell does.
    ///
    /// # Errors
    /// Refuses an empty line, one with an open quote, and one that needs a shell.
    fn from_str(line: &str) -> Result<Self> {
        let words = shell_words::split(line)?;
        ensure!(!words.is_empty(), "expected a command line, found nothing");
        if let Some(word) = for_a_shell(line, &words) {
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

/// The first word of a command line that only a shell understands. What is quoted is meant as it
/// stands.
fn for_a_shell<'a>(line: &'a str, words: &[String]) -> Option<&'a str> {
    let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let needs_one = |word: &str| {
        let behind_number = word.trim_start_matches(|c: char| c.is_ascii_digit());
        ["|", "||", "&", "&&", ";"].contains(&word)
            || behind_number.starts_with(['<', '>'])
            || word.starts_with("~/")
            || word == words[0] && word.split_once('=').is_some_and(|(name, _)| is_name(name))
    };
    let mut bare = line.split_whitespace();
    bare.find(|bare| words.iter().any(|word| word == bare) && needs_one(bare))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_a_shell_understands_is_refused() {
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
            assert_eq!(for_a_shell(line, &words), word, "{line}");
            assert_eq!(line.parse::<Bot>().is_err(), word.is_some(), "{line}");
        }
    }

    #[test]
    fn a_bot_is_called_by_its_program() {
        for (line, name) in [
            ("target/release/bot --nodes 5", "bot"),
            ("'my-bot.exe'", "my-bot"),
            ("''", "bot"),
        ] {
            assert_eq!(line.parse::<Bot>().unwrap().name(), name);
        }
    }
}
