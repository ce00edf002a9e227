//! Checks the files that a command reads and writes, before the command starts its work.

use crate::file::{check_writable, folder, place};
use crate::input::{name, read_start};
use anyhow::{Result, bail, ensure};
use columns_core::rules::case::Case;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::iter;
use std::path::{Path, PathBuf};

/// The format of an output file. An existing file is replaced only if it is empty or holds an earlier result of this
/// format.
#[derive(Debug, Clone, Copy)]
pub enum Format {
    /// JSON: an object with one of these fields, or a list or lines of such objects.
    Json(&'static [&'static str]),
    /// Text that contains this string.
    Text(&'static str),
    /// A case: text that can be parsed as one.
    Case,
    /// A plan: whole numbers only.
    Plan,
    /// A network: a first line of more than 1000 bytes, less than 5 % of them whitespace.
    Network,
    /// Free text. Earlier results cannot be recognised, so no existing file is replaced unless it is empty.
    Any,
    /// A file that the command itself reads and checks before it writes.
    Own,
}

/// Maximum number of bytes of a file that are read to recognise its format.
const ENOUGH: u64 = 64 << 20;

impl Format {
    /// True if a file with these contents may be replaced.
    fn holds(self, contents: &[u8]) -> bool {
        let text = String::from_utf8_lossy(contents);
        contents.is_empty()
            || match self {
                Self::Json(fields) => {
                    let mut values = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
                    let value = values.next().and_then(Result::ok).unwrap_or_default();
                    // The first object of a list. An empty list is accepted.
                    let object = value.as_array().map_or(Some(&value), |list| list.first());
                    object.is_none_or(|object| fields.iter().any(|field| !object[*field].is_null()))
                }
                Self::Text(mark) => text.contains(mark),
                Self::Case => text.parse::<Case>().is_ok(),
                Self::Plan => text
                    .split_whitespace()
                    .all(|word| word.parse::<i64>().is_ok()),
                Self::Network => {
                    let line = text.lines().next().unwrap_or_default();
                    let spaces = line.bytes().filter(u8::is_ascii_whitespace).count();
                    line.len() > 1000 && spaces * 20 < line.len()
                }
                Self::Any => false,
                Self::Own => true,
            }
    }
}

/// All files that a command reads and writes, in any order. The path `-` is standard input.
#[derive(Debug, Default)]
pub struct Paths {
    read: Vec<PathBuf>,
    written: Vec<(Format, PathBuf)>,
}

impl Paths {
    /// Adds files that the command reads.
    #[must_use]
    pub fn read<P: AsRef<Path>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.read
            .extend(paths.into_iter().map(|path| path.as_ref().into()));
        self
    }

    /// Adds files that the command writes.
    #[must_use]
    pub fn written<P: AsRef<Path>>(
        mut self,
        format: Format,
        paths: impl IntoIterator<Item = P>,
    ) -> Self {
        let paths = paths.into_iter().map(|path| (format, path.as_ref().into()));
        self.written.extend(paths);
        self
    }

    /// Checks that each output file can be written, is used only once, and replaces only an earlier result.
    ///
    /// Two paths to one file count as the same file.
    ///
    /// # Errors
    /// If a check fails. The error names the output file, and the other path if the command uses the file twice.
    pub fn check(&self) -> Result<()> {
        let places = self
            .read
            .iter()
            .filter_map(|path| Some((place(path)?, path)));
        let mut used: HashMap<_, &PathBuf> = places.collect();
        let mut folders = HashSet::new();
        for (format, path) in &self.written {
            if let Some(other) = place(path).and_then(|place| used.insert(place, path)) {
                bail!(
                    "{}: expected a file that this command does not use otherwise, found {}",
                    name(path),
                    name(other)
                );
            }
            // One check is enough for all new files of a folder.
            if path.exists() || folders.insert(folder(path)) {
                check_writable(path)?;
            }
            ensure!(
                !path.is_file() || format.holds(&read_start(path, ENOUGH)?),
                "{}: is no earlier result of this command, and would be lost: give another name, or remove it",
                name(path)
            );
        }
        Ok(())
    }
}

/// Lists the existing files that a command line names: the program, its arguments, and words within an argument, such as
/// `w.json` in `--weights=w.json` and `./mine` in `sh -c './mine --fast'`.
pub fn named(line: &[String]) -> Vec<PathBuf> {
    const SEPARATORS: &str = "=,;:|&<>()'\"`";
    let Some((name, arguments)) = line.split_first() else {
        return Vec::new();
    };
    let arguments = arguments.iter().flat_map(|word| {
        let value = word.split_once('=').map(|(_, value)| value);
        let words = word.split(|c: char| c.is_whitespace() || SEPARATORS.contains(c));
        iter::once(word.as_str()).chain(value).chain(words)
    });
    let mut files: Vec<PathBuf> = program(name).into_iter().collect();
    for path in arguments.map(PathBuf::from).filter(|path| path.is_file()) {
        if !files.contains(&path) {
            files.push(path);
        }
    }
    files
}

/// Finds the file of a program. `name` is a path, or a name to look up in the folders of `PATH`.
fn program(name: &str) -> Option<PathBuf> {
    let mut name = PathBuf::from(name);
    if cfg!(windows) {
        name.set_extension("exe");
    }
    if name.components().count() > 1 {
        return name.is_file().then_some(name);
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut files = std::env::split_paths(&folders).map(|folder| folder.join(&name));
    files.find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_files_that_are_just_read_may_be_used_twice() {
        let temp = tempfile::tempdir().unwrap();
        let at = |name: &str| temp.path().join(name);
        fs::write(at("a"), "").unwrap();
        fs::create_dir(at("sub")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(at("a"), at("link")).unwrap();
        let check = |read: &[&str], written: &[&str]| {
            let paths = Paths::default().read(read.iter().map(|name| at(name)));
            let paths = paths.written(Format::Any, written.iter().map(|name| at(name)));
            paths.check().map_err(|error| error.to_string())
        };
        assert_eq!(check(&["a", "a"], &["b", "sub/b"]), Ok(()));
        let both = |first: &str, second: &str| {
            Err(format!(
                "{}: expected a file that this command does not use otherwise, found {}",
                at(second).display(),
                at(first).display()
            ))
        };
        assert_eq!(check(&["a"], &["b", "sub/../a"]), both("a", "sub/../a"));
        assert_eq!(check(&[], &["b", "sub/../b"]), both("b", "sub/../b"));
        #[cfg(unix)]
        assert_eq!(check(&["link"], &["a"]), both("link", "a"));
        assert!(
            check(&[], &["sub"])
                .unwrap_err()
                .ends_with("is a directory")
        );
        assert!(
            check(&[], &["none/b"])
                .unwrap_err()
                .contains("cannot be written")
        );
        // Devices that store nothing can be used twice.
        #[cfg(unix)]
        let nothing = ["/dev/null", "/dev/null"];
        #[cfg(not(unix))]
        let nothing = [""; 0];
        let paths = Paths::default().read(["-", "-"]).read(nothing);
        assert!(paths.written(Format::Any, nothing).check().is_ok());
        let error = Paths::default()
            .written(Format::Any, ["-"])
            .check()
            .unwrap_err();
        assert!(error.to_string().starts_with("-: expected a file"));
    }

    #[test]
    fn only_an_earlier_result_of_the_same_format_is_replaced() {
        let case = "6 13\n1\nabc\n";
        let json = Format::Json(&["score", "moves"]);
        for (kind, contents, holds) in [
            (json, "{\"score\": 1}", true),
            (json, "[{\"moves\": 1}, {}]", true),
            (json, "[]", true),
            (json, "{\"moves\": 1}\n{\"moves\": 2}\n{\"mo", true),
            (json, "{\"potential\": 1}", false),
            (json, "1", false),
            (json, "print(1)", false),
            (Format::Text("made by me"), "// made by me", true),
            (Format::Text("made by me"), "// made by you", false),
            (Format::Case, case, true),
            (Format::Case, "11 1 0", false),
            (Format::Plan, "11\n1 0\n", true),
            (Format::Plan, case, false),
            (Format::Network, &"x".repeat(2000), true),
            (Format::Network, &"OPNQN NO[".repeat(300), false),
            (Format::Network, &"OPNQN NO[XWPQRSTONMPO".repeat(100), true),
            (Format::Network, &"x y ".repeat(500), false),
            (Format::Any, "", true),
            (Format::Any, "1", false),
            (Format::Own, "1", true),
        ] {
            assert_eq!(
                kind.holds(contents.as_bytes()),
                holds,
                "{kind:?}: {contents}"
            );
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "1").unwrap();
        let check = Paths::default()
            .written(Format::Case, [file.path()])
            .check();
        let message = check.unwrap_err().to_string();
        assert!(
            message.contains(": is no earlier result of this command"),
            "{message}"
        );
    }

    #[test]
    fn named_lists_the_files_of_a_command_line() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).display().to_string();
        let [mine, weights, blank] = ["mine.py", "w.json", "two words.txt"].map(at);
        for path in [&mine, &weights, &blank] {
            fs::write(path, "").unwrap();
        }
        let files = |line: &[&str]| -> Vec<String> {
            let line: Vec<String> = line.iter().map(|&word| word.into()).collect();
            let files = named(&line).into_iter();
            let files = files.filter(|path| path.starts_with(folder.path()));
            files.map(|path| path.display().to_string()).collect()
        };
        let both = [mine.clone(), weights.clone()];
        assert_eq!(files(&["sh", &mine, &format!("--weights={weights}")]), both);
        let script = format!("exec {mine} <{weights};true");
        let line = ["sh", "-c", &script, &blank, &blank];
        assert_eq!(files(&line), [&both[..], &[blank]].concat());
        assert_eq!(
            files(&[&mine, "--", "no", "such", &format!("{mine}x")]),
            both[..1]
        );
    }
}
