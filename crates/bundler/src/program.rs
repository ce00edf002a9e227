//! The input of the bundler: a program, its libraries, and the goal.

use anyhow::{Result, ensure};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

/// The maximum size that the contest accepts, in bytes (statement, section Submissions).
pub const CONTEST_MAX_BYTES: usize = 65_536;

/// The stop request of programs that are never interrupted.
pub(crate) static NO_STOP_REQUEST: AtomicBool = AtomicBool::new(false);

/// A crate that is compiled from source: the program, or a library that it uses.
#[derive(Clone)]
pub struct Crate {
    /// The name of the crate, with underscores.
    pub name: String,
    /// The name that cargo gives to the compiled crate. Two libraries may have the same `name`, but not the
    /// same `id`.
    pub id: String,
    /// The root file, such as `src/lib.rs`.
    pub file: PathBuf,
    /// The Rust edition, such as `2021`.
    pub edition: String,
    /// The values of `--cfg`, such as `feature="threads"`. The bundle leaves out code for other features.
    pub cfgs: Vec<String>,
    /// The environment variables that cargo sets for this crate, such as `CARGO_PKG_VERSION`.
    pub environment: HashMap<String, String>,
    /// The names that this crate uses for libraries, each with the library's `id`.
    pub externs: Vec<(String, String)>,
    /// The names that this crate uses for libraries that cannot be part of a bundle, each with the reason.
    pub refused_externs: Vec<(String, String)>,
    /// The constants of type `usize` that get other values in the bundle, each with its new value. Empty
    /// unless the caller adds some.
    pub constants: Vec<(String, usize)>,
}

/// The settings of [`Program::from_file`]: how cargo builds the program, and how to stop the bundler.
#[derive(Clone, Copy)]
pub struct BuildOptions<'a> {
    /// Options of `cargo build`, such as `--no-default-features`.
    pub options: &'a [&'a str],
    /// The packages that a program without a package may use, each with its folder.
    pub offered_packages: &'a [(&'a str, &'a Path)],
    /// The edition of the program; `None` for the edition of its package, or for 2021 without a package.
    pub edition: Option<&'a str>,
    /// A request to stop: once it is true, the bundler kills cargo and the compiler, and returns an error.
    pub stop: &'static AtomicBool,
}

impl Default for BuildOptions<'_> {
    fn default() -> Self {
        Self {
            options: &[],
            offered_packages: &[],
            edition: None,
            stop: &NO_STOP_REQUEST,
        }
    }
}

/// The extent to which the bundler shortens the file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// Merge modules and shorten names, step by step, while the file has more bytes than this.
    Bytes(usize),
    /// Merge modules and shorten names as far as possible.
    Smallest,
    /// Keep modules and names, and write the file with line breaks and indentation.
    Pretty,
}

/// A program and the libraries that it may use.
#[derive(Clone)]
pub struct Program {
    /// The crate with the function `main`.
    pub main: Crate,
    /// The libraries; each precedes the crates that use it. The bundle contains those that the program uses.
    pub libraries: Vec<Crate>,
    /// The names that the bundle must not shorten, in addition to `main`.
    pub kept_names: Vec<String>,
    /// The extent to which the bundler shortens the file. The default is the contest's limit.
    pub goal: Goal,
    /// The text that follows the edition in the first-line comment of the bundle.
    pub comment: String,
    /// The stop request of the program's [`BuildOptions`].
    pub(crate) stop: &'static AtomicBool,
    /// The options of cargo's build that change what the program does, and that a single file cannot set.
    pub(crate) omitted_options: Vec<String>,
    /// The folder with the results of build scripts, which the sources may include, and with the temporary
    /// files of the compilations.
    pub(crate) scratch: PathBuf,
    /// Removes [`Self::scratch`] when the last clone of the program is dropped.
    pub(crate) _scratch_guard: Option<Arc<TempDir>>,
}

impl Program {
    /// Creates a program of edition 2021 without libraries, whose goal is the contest's limit.
    pub(crate) fn new(file: &Path) -> Self {
        Self {
            main: Crate::new("main", file.to_path_buf(), "2021"),
            libraries: Vec::new(),
            kept_names: Vec::new(),
            goal: Goal::Bytes(CONTEST_MAX_BYTES),
            comment: String::new(),
            stop: &NO_STOP_REQUEST,
            omitted_options: Vec::new(),
            scratch: std::env::temp_dir(),
            _scratch_guard: None,
        }
    }
}

impl Crate {
    pub(crate) fn new(name: &str, file: PathBuf, edition: &str) -> Self {
        Self {
            name: name.to_string(),
            id: name.to_string(),
            file,
            edition: edition.to_string(),
            cfgs: Vec::new(),
            environment: HashMap::new(),
            externs: Vec::new(),
            refused_externs: Vec::new(),
            constants: Vec::new(),
        }
    }

    /// Checks that each of [`Self::constants`] is set in one of `files`, the source files of this crate.
    ///
    /// # Errors
    /// Returns an error that names the first constant that is not set.
    pub(crate) fn check_constants(&self, files: &[PathBuf]) -> Result<()> {
        for (name, _) in &self.constants {
            let start = constant_start(name);
            let sets = |file| fs::read_to_string(file).is_ok_and(|text| text.contains(&start));
            ensure!(
                files.iter().any(sets),
                "the crate {}: expected a constant {name} of type usize, found none",
                self.name
            );
        }
        Ok(())
    }

    /// Returns the text of a source file with the new values of [`Self::constants`].
    pub(crate) fn with_constants(&self, text: &str) -> String {
        let mut text = text.to_string();
        for (name, value) in &self.constants {
            let start = constant_start(name);
            if let Some((before, after)) = text.split_once(&start) {
                let rest = after.find(';').map_or(after, |end| &after[end..]);
                text = format!("{before}{start}{value}usize{rest}");
            }
        }
        text
    }
}

/// Returns the start of the item that sets a constant of type `usize`, up to its value.
fn constant_start(name: &str) -> String {
    format!("const {name}: usize = ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle;

    #[test]
    fn a_constant_that_no_file_sets_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("main.rs");
        let text = "const WIDTH: usize = 1; fn main() { println!(\"{WIDTH}\") }";
        fs::write(&file, text).unwrap();
        let mut program = Program::new(&file);
        let constants = [("WIDTH", 2), ("HEIGHT", 3)];
        program.main.constants = constants
            .map(|(name, value)| (name.to_string(), value))
            .into();
        let error = bundle(&program).err().unwrap().to_string();
        let expected = "the crate main: expected a constant HEIGHT of type usize, found none";
        assert_eq!(error, expected);
    }
}
