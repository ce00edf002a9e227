//! Registers of x86-64.
//!
//! * `sse2`: registers of two words, which every processor has. `wasm` compiles this file, too;
//! * `avx2`: registers of four words.

#[macro_use]
mod sse2;
mod avx2;

#[allow(clippy::wildcard_imports)] // for both modules
use std::arch::x86_64::*;

pub(crate) use avx2::detect_bmi2;
pub use sse2::Portable;
