//! What to bundle.

use std::path::{Path, PathBuf};

/// The root of a program.
#[derive(Clone, Copy)]
pub enum Root<'a> {
    /// The file with the function `main`, such as `src/main.rs`.
    File(&'a Path),
    /// The path of a library's function `main`, which takes nothing and returns an `ExitCode`.
    Function(&'a str),
}

/// A program and the libraries that it may use.
pub struct Program<'a> {
    /// Where the program begins.
    pub root: Root<'a>,
    /// The name and the source folder of each library. A library may use the libraries before it.
    pub libraries: &'a [(&'a str, PathBuf)],
    /// The features that are on, in the program and in the libraries.
    pub features: &'a [&'a str],
    /// The constants of type `usize` that get another value, with that value.
    pub constants: &'a [(&'a str, usize)],
    /// The names that the bundle keeps, in addition to `main`.
    pub names: &'a [&'a str],
    /// True to keep line breaks, indentation and all names.
    pub pretty: bool,
}

impl<'a> Program<'a> {
    /// A program without libraries, features and other values of constants, whose bundle is short.
    pub const fn new(root: Root<'a>) -> Self {
        Self {
            root,
            libraries: &[],
            features: &[],
            constants: &[],
            names: &[],
            pretty: false,
        }
    }
}
