//! Instruction sets, and the choice between them at run time.
//!
//! Hot code is written once, as a [`Kernel`] that is generic over [`Isa`], an instruction set.
//! [`run`] runs it with the [`InstructionSet`] that the caller chooses: AVX2 and BMI2, or [`Portable`]. Sets
//! of cells are kept in [`Lanes`], registers that work on all words of a [`Mask`] at the same time.
//!
//! * `isa`: traits for an instruction set, its registers, and a kernel;
//! * `bits`: replacements for the instructions of BMI2;
//! * `scalar`: the operations in safe Rust without intrinsics, for targets that the modules below do not
//!   support; tests compare those modules with it;
//! * `x86`: registers of x86-64: SSE2, and AVX2 with BMI2;
//! * `wasm`: registers of WebAssembly, and its instructions under the names of their SSE2 equivalents.
//!
//! A kernel returns the same result with every instruction set. All `unsafe` code is in `x86` and `wasm`.

mod bits;
mod isa;
mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use isa::SLOT_BITS;
pub use isa::{Cells, Isa, Kernel, Lanes, NETWORK_UNITS};
/// The instruction set that every processor of the target has. Targets without intrinsics use [`Scalar`].
#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
pub use scalar::Scalar as Portable;
pub use scalar::{Mask, Scalar};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use wasm::Portable;
#[cfg(target_arch = "x86_64")]
pub use x86::*;

/// The instruction set with which kernels run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InstructionSet {
    /// [`Portable`], on any processor.
    Portable,
    /// AVX2 and BMI2. [`run`] uses [`Portable`] if the processor lacks them.
    Bmi2,
}

impl InstructionSet {
    /// Parses `portable`, or `detect` for the fastest set that this processor has.
    ///
    /// # Errors
    /// Returns an error if the name is neither of these; the error says what was expected.
    pub fn parse(name: &str) -> Result<Self, String> {
        match name {
            "detect" => Ok(Self::detect()),
            "portable" => Ok(Self::Portable),
            _ => Err(format!("expected detect or portable, found {name:?}")),
        }
    }

    /// Returns the fastest instruction set that this processor has.
    pub fn detect() -> Self {
        detect_bmi2().map_or(Self::Portable, |_| Self::Bmi2)
    }
}

/// Runs a kernel with the given instruction set, or with [`InstructionSet::Portable`] if the processor lacks
/// it.
pub fn run<K: Kernel>(cpu: InstructionSet, kernel: K) -> K::Output {
    match (cpu, detect_bmi2()) {
        (InstructionSet::Bmi2, Some(isa)) => isa.enter(kernel),
        _ => Portable.enter(kernel),
    }
}

/// Returns `None`: only x86-64 has AVX2 and BMI2.
#[cfg(not(target_arch = "x86_64"))]
fn detect_bmi2() -> Option<Portable> {
    None
}
