//! Bundles a Rust program into one file: its modules, and the modules of the libraries that it uses.
//!
//! The file leaves out unused code, and uses only the standard library. If it is larger than the limit,
//! further steps merge its modules and shorten its names. After each step, the compiler's intermediate
//! representation (MIR) proves that the file does what the sources do.
//!
//! ```no_run
//! use columns_bundler::{BuildOptions, Program, bundle};
//!
//! let program = Program::from_file("src/main.rs".as_ref(), &BuildOptions::default())?;
//! let bundle = bundle(&program)?;
//! std::fs::write("one.rs", bundle.text)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! 1. [`package`], [`source`], [`externs`] and [`strip`] read the sources as one program.
//! 2. [`dead`] removes unused code. Then the file is complete, unless it is too large.
//! 3. [`tidy`] and [`derives`] remove what the program does not need; [`flat`] merges the modules.
//! 4. [`marks`] marks the names that the program declares; [`words`] chooses a short word for each.
//!    [`aliases`] shortens the names of the standard library; [`attributes`] shortens attributes.
//!
//! [`steps`] calls these modules; [`proof`] compares the result of each step with the sources in the
//! compiler's intermediate representation.
#![allow(rustdoc::private_intra_doc_links)] // the links above are for readers of the source code

mod aliases;
mod attributes;
mod compiler;
mod dead;
mod derives;
mod externs;
mod flat;
mod marks;
mod mir;
mod names;
mod package;
mod print;
mod process;
mod program;
mod proof;
mod reference;
mod source;
mod steps;
mod strip;
mod tidy;
mod tokens;
mod uses;
mod words;

pub use program::{BuildOptions, CONTEST_MAX_BYTES, Crate, Goal, Program};
pub use steps::{Bundle, bundle};
