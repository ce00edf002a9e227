//! Every instruction set that a kernel can be compiled for.

use columns_core::simd::{run, Cpu, Isa, Kernel, Plain};
use columns_untested::{untested, Lack};

/// What a kernel returns with each of them, by its name.
pub(crate) fn on_all_isas<K: Kernel + Copy>(kernel: K) -> [(&'static str, K::Output); 3] {
    [
        ("plain", Plain.enter(kernel)),
        ("portable", run(Cpu::Portable, kernel)),
        ("bmi2", run(Cpu::Bmi2, kernel)),
    ]
}

/// Says so where this processor lacks the third, which then tests the second once more.
pub(crate) fn warn_of_missing_bmi2() {
    if Cpu::detect() == Cpu::Portable {
        untested(
            Lack::Avx2,
            "kernels with AVX2 and BMI2",
            "not on this processor",
        );
    }
}
