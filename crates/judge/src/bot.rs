//! The command line of a bot.

use anyhow::{Context, Error, Result, bail, ensure};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A bot: the words of a command that reads a case and prints a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bot(Vec<String>);

impl Bot {
    /// Returns the bot of this build: the executable `bot` beside the judge's own executable.
    ///
    /// # Errors
    /// Returns an error if the file does not exist, or if its path is not UTF-8.
    pub fn from_this_build() -> Result<Self> {
        let own = std::env::current_exe().context("cannot find the folder of this executable")?;
        let path = own.with_file_name("bot");
        let name = path.display();
        ensure!(
            path.is_file(),
            "{name}: no such file: build the bot as well, or name one with --bot CMD"
        );
        let text = path.to_str().with_context(|| {
            format!(
                "{name}: expected a path in UTF-8: move the folder, or name a bot with --bot CMD"
            )
        })?;
        Ok(Self(vec![text.into()]))
    }

    /// Returns the words of the command line; the first is the program.
    pub fn words(&self) -> &[String] {
        &self.0
    }

    /// Iterates over the arguments that name regular files. Relative paths are resolved against `folder`.
    pub fn file_arguments(&self, folder: &Path) -> impl Iterator<Item = &String> {
        let arguments = self.0[1..].iter();
        arguments.filter(move |word| folder.join(word).is_file())
    }
}

impl FromStr for Bot {
    type Err = Error;

    /// Splits a command line into words as a shell does.
    ///
    /// # Errors
    /// Returns an error if the line is empty, has an unclosed quote, or needs a shell.
    fn from_str(line: &str) -> Result<Self> {
        let words = shell_words::split(line)?;
        ensure!(
            words.first().is_some_and(|program| !program.is_empty()),
            "expected a command line, found nothing"
        );
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

/// Returns the first unquoted word that needs a shell, such as `|` or `2>errors`; `None` if no word needs
/// one.
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
        assert!("''".parse::<Bot>().is_err());
    }
}
