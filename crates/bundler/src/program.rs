//! The input of the bundler: a program, its libraries, and the goal.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// The maximum size that the contest accepts, in bytes (statement, section Submissions).
pub const CONTEST_MAX_BYTES: usize = 65_536;

/// The request to stop of a program that no one interrupts.
pub(crate) static NO_STOP_REQUEST: AtomicBool = AtomicBool::new(false);

/// The starting point of a program.
#[derive(Clone)]
pub enum Root {
    /// The file with the function `main`, such as `src/main.rs`.
    File(PathBuf),
    /// The path of a library's function `main`, which takes no arguments and returns an `ExitCode`.
    Function(String),
}

/// A crate that is compiled from source: the program, or a library that it uses.
#[derive(Clone)]
pub struct Crate {
    /// The name by which other crates refer to this one, with underscores; `main` for the program itself.
    pub name: String,
    /// The root file of a library, such as `src/lib.rs`; empty for the program, which has a [`Root`].
    pub file: PathBuf,
    /// The Rust edition, such as `2021`.
    pub edition: String,
    /// The cargo features that are enabled. The bundle leaves out code for other features.
    pub features: Vec<String>,
    /// The names that this crate uses for libraries, each with the library's own name.
    pub externs: Vec<(String, String)>,
    /// The constants of type `usize` to change, with their new values.
    pub constants: Vec<(String, usize)>,
}

/// The extent to which the bundler shortens a file.
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
    /// The file or the function where the program begins.
    pub root: Root,
    /// The crate that contains the root.
    pub main: Crate,
    /// The libraries. The bundle contains those that the program names.
    pub libraries: Vec<Crate>,
    /// The names that the bundle must not shorten, in addition to `main`.
    pub kept_names: Vec<String>,
    /// The extent to which the file is shortened; by default, to the contest's limit.
    pub goal: Goal,
    /// The text after the edition in the comment on the first line of the bundle.
    pub comment: String,
    /// A request to stop: once it is true, the bundler kills the compiler and returns an error.
    pub stop: &'static AtomicBool,
}

impl Program {
    /// Creates a program of edition 2021 without libraries and features, whose goal is the contest's limit.
    #[must_use]
    pub fn new(root: Root) -> Self {
        Self {
            root,
            main: Crate::new("main", PathBuf::new(), "2021"),
            libraries: Vec::new(),
            kept_names: Vec::new(),
            goal: Goal::Bytes(CONTEST_MAX_BYTES),
            comment: String::new(),
            stop: &NO_STOP_REQUEST,
        }
    }
}

impl Crate {
    pub(crate) fn new(name: &str, file: PathBuf, edition: &str) -> Self {
        Self {
            name: name.to_string(),
            file,
            edition: edition.to_string(),
            features: Vec::new(),
            externs: Vec::new(),
            constants: Vec::new(),
        }
    }
}
