//! Runs kernels with every instruction set, for tests.

use columns_core::simd::{InstructionSet, Isa, Kernel, Scalar, run};
use columns_test_support::{Requirement, report_untested};

/// Runs a kernel with every instruction set. Returns each result with the name of its instruction set.
pub(crate) fn on_all_isas<K: Kernel + Copy>(kernel: K) -> [(&'static str, K::Output); 3] {
    [
        ("scalar", Scalar.enter(kernel)),
        ("portable", run(InstructionSet::Portable, kernel)),
        ("bmi2", run(InstructionSet::Bmi2, kernel)),
    ]
}

/// Reports the kernels with AVX2 and BMI2 as untested if this processor lacks them. The tests then run the
/// portable set twice.
pub(crate) fn warn_of_missing_bmi2() {
    if InstructionSet::detect() == InstructionSet::Portable {
        report_untested(
            Requirement::Avx2,
            "kernels with AVX2 and BMI2",
            "not on this processor",
        );
    }
}
