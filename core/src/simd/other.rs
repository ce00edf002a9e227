//! What takes the place of the registers on other processors than x86-64.

use super::{Isa, Kernel, Portable};
use crate::field::Mask;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
impl Isa for Portable {
    type Lanes<const W: usize> = Mask<W>;

    #[inline(always)]
    fn enter<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    #[inline(always)]
    fn load<const W: usize>(self, words: &[u64; W]) -> Mask<W> {
        Mask(*words)
    }
}

/// AVX2 and BMI2. There is no such value on this processor.
#[derive(Debug, Clone, Copy)]
pub struct Bmi2(());

impl Bmi2 {
    /// No such processor here.
    pub fn detect() -> Option<Self> {
        None
    }
}

impl Isa for Bmi2 {
    type Lanes<const W: usize> = Mask<W>;

    fn enter<K: Kernel>(self, kernel: K) -> K::Output {
        Portable.enter(kernel)
    }

    #[inline(always)]
    fn load<const W: usize>(self, words: &[u64; W]) -> Mask<W> {
        Mask(*words)
    }
}
