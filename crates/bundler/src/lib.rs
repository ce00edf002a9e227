//! Makes one file of a Rust program: its modules, and the modules of the libraries that it uses.
//!
//! The file has no unused code and short names, and uses only the standard library. The compiler's intermediate form proves that it does
//! what the sources do. If that cannot be proved, the file keeps its modules, or its names as well.
//!
//! ```no_run
//! use columns_bundler::{Program, Root, bundle};
//!
//! let bundle = bundle(&Program::new(Root::File("src/main.rs".as_ref())))?;
//! std::fs::write("one.rs", bundle.text)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! 1. [`source`] and [`strip`] read the sources as one program.
//! 2. [`dead`] and [`derives`] remove unused code.
//! 3. [`flat`] merges the modules; [`aliases`], [`mod@print`] and [`attributes`] shorten types, numbers and attributes.
//! 4. [`marks`] marks the names that the program declares; [`words`] chooses a short word for each.
//! 5. [`proof`] compares the results of steps 2 and 4 with the sources in the compiler's intermediate form.
#![allow(rustdoc::private_intra_doc_links)] // the steps, for readers of the sources

mod aliases;
mod attributes;
mod compiler;
mod dead;
mod derives;
mod flat;
mod formats;
mod marks;
mod names;
mod places;
mod print;
mod program;
mod proof;
mod source;
mod strip;
mod text;
mod tokens;
mod uses;
mod words;

pub use program::{Program, Root};
pub use text::{Bundle, bundle};
