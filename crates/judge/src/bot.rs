//! The command line of a bot: its program, its script, and its name in tables.

use anyhow::{Context, Error, Result, bail, ensure};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A bot: the words of a command that reads a case and prints a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bot(Vec<String>);

/// Programs that run the script that their command line names.
const INTERPRETERS: [&str; 16] = [
    "bash", "bun", "dash", "deno", "java", "julia", "ksh", "lua", "node", "perl", "php", "pypy",
    "python", "ruby", "sh", "zsh",
];

/// Programs that start the program that their command line names.
const WRAPPERS: [&str; 7] = [
    "env", "nice", "numactl", "stdbuf", "taskset", "time", "timeout",
];

impl Bot {
    /// Returns the bot of this build: the executable `bot` beside this one.
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

    /// Returns the index of the word that names the script of an interpreter, or the program of a wrapper
    /// such as `nice`: the first argument that is a file in `folder`, in which the bot is started. Returns
    /// `None` if no argument is a file, if the interpreter runs code from the command line (`sh -c CODE`) or
    /// a module (`python3 -m NAME`), or if the first word is neither an interpreter nor a wrapper.
    pub fn script_index(&self, folder: &Path) -> Option<usize> {
        let stem = Path::new(&self.0[0]).file_name()?.to_str()?;
        let stem = stem.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let is_wrapper = WRAPPERS.contains(&stem);
        if !is_wrapper && !INTERPRETERS.contains(&stem) {
            return None;
        }
        let is_code = |word: &str| !is_wrapper && ["-c", "-e", "-m"].contains(&word);
        let words = self.0.iter().enumerate().skip(1);
        let mut words = words.take_while(|(_, word)| !is_code(word));
        Some(words.find(|(_, word)| folder.join(word).is_file())?.0)
    }

    /// Returns the display name of the bot: the file name of its script or program, without the extension.
    pub fn name(&self, folder: &Path) -> String {
        let program = &self.0[self.script_index(folder).unwrap_or(0)];
        let stem = Path::new(program).file_stem();
        stem.unwrap_or("bot".as_ref()).to_string_lossy().into()
    }
}

impl FromStr for Bot {
    type Err = Error;

    /// Splits a command line into words as a shell does.
    ///
    /// # Errors
    /// Returns an error if the line is empty, has an open quote, or needs a shell.
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
        assert!("''".parse::<Bot>().is_err());
    }

    #[test]
    fn a_bot_has_the_name_of_its_program_or_script() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["greedy.py", "log.txt"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        for (line, name) in [
            ("target/release/bot --nodes 5", "bot"),
            ("'my-bot.exe' log.txt", "my-bot"),
            ("python3.12 -O greedy.py log.txt", "greedy"),
            ("nice -n 5 greedy.py", "greedy"),
            ("sh -c 'cat log.txt' log.txt", "sh"),
            ("python3 -m greedy log.txt", "python3"),
        ] {
            let bot: Bot = line.parse().unwrap();
            assert_eq!(bot.name(folder.path()), name, "{line}");
        }
    }
}
