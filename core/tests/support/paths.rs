//! Every way to run a kernel.

use columns_core::isa::{run, Isa, Kernel, Path, Plain};

/// What a kernel returns on each of them, with a name.
pub(crate) fn on_all_paths<K: Kernel + Copy>(kernel: K) -> [(&'static str, K::Output); 3] {
    [
        ("plain", Plain.enter(kernel)),
        ("portable", run(Path::Portable, kernel)),
        ("bmi2", run(Path::Bmi2, kernel)),
    ]
}

/// Says so where the third is not what its name says.
pub(crate) fn warn_of_missing_path() {
    if Path::detect() == Path::Portable {
        eprintln!("NO AVX2 AND BMI2 ON THIS PROCESSOR: THEIR PATH IS NOT TESTED");
    }
}
