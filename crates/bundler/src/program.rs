//! The input of the bundler: a program, its libraries, and the goal.

use std::collections::HashMap;
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
    /// The environment variables that this crate can read with `env!` and `option_env!`: those that cargo
    /// sets, such as `CARGO_PKG_VERSION`, and those that the caller adds.
    pub environment: HashMap<String, String>,
    /// The names that this crate uses for libraries, each with the library's `id`.
    pub externs: Vec<(String, String)>,
    /// The names that this crate uses for libraries that cannot be part of a bundle, each with the reason.
    pub refused_externs: Vec<(String, String)>,
}

/// The settings of [`Program::from_file`]: how cargo builds the program, and how to stop the bundler.
#[derive(Clone, Copy)]
pub struct BuildOptions<'a> {
    /// Options of `cargo build`, such as `--no-default-features`.
    pub cargo_args: &'a [&'a str],
    /// The packages that a file may use if it is not a target of a package, each with its folder.
    pub offered_packages: &'a [(&'a str, &'a Path)],
    /// The edition of the program; `None` for the edition of its target, or for 2021 if the file is not
    /// a target.
    pub edition: Option<&'a str>,
    /// A request to stop: once it is true, the bundler kills cargo and the compiler, and returns an error.
    pub stop: &'static AtomicBool,
}

impl Default for BuildOptions<'_> {
    fn default() -> Self {
        Self {
            cargo_args: &[],
            offered_packages: &[],
            edition: None,
            stop: &NO_STOP_REQUEST,
        }
    }
}

/// How far the bundler shortens the file.
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
    /// The libraries; each precedes the crates that use it. The bundle leaves out unused libraries.
    pub libraries: Vec<Crate>,
    /// The names that the bundle must not shorten, in addition to `main`.
    pub kept_names: Vec<String>,
    /// How far the bundler shortens the file. The default is the contest's limit.
    pub goal: Goal,
    /// The text that follows the edition in the first-line comment of the bundle.
    pub comment: String,
    /// The stop request of the program's [`BuildOptions`].
    pub(crate) stop: &'static AtomicBool,
    /// The options of cargo's build that change what the program does, and that a single file cannot set.
    pub(crate) omitted_options: Vec<String>,
    /// The folder for temporary files, and for the output of build scripts, which the sources may include.
    pub(crate) scratch: PathBuf,
    /// Removes [`Self::scratch`] when the last clone of the program is dropped.
    pub(crate) _scratch_guard: Option<Arc<TempDir>>,
}

impl Program {
    /// Creates a program of edition 2021 without libraries. Its goal is the contest's limit.
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
        }
    }
}
