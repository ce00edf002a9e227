//! What the processor offers, chosen at run time; all `unsafe` code is here.
//!
//! Hot code is written once, as a [`Kernel`] that is generic over [`Isa`], and
//! run by [`run`]: with the instructions of [`Bmi2`] where the processor has
//! them, else with [`Portable`], its safe twin. Both compute the same bits.

/// A piece of hot code that is compiled once for each [`Isa`].
pub trait Kernel {
    /// What it returns.
    type Output;
    /// Does the work. Mark the implementation `#[inline(always)]`, and all that it
    /// calls in its inner loops: only what is inlined into [`Isa::enter`] is
    /// compiled with the processor's features.
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// A set of processor features. A value of such a type is the proof that the
/// processor has them.
pub trait Isa: Copy {
    /// Runs a kernel compiled with these features.
    fn enter<K: Kernel>(self, kernel: K) -> K::Output;

    /// Closes gaps in the stacks of one word of each of `P` bit planes: `keep` has
    /// the cells that stay, `gone` those that vanish; within each slot of 21 bits the
    /// kept bits move down over the gone ones.
    fn settle<const P: usize>(self, words: [u64; P], keep: u64, gone: u64) -> [u64; P];
}

/// Which [`Isa`] to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    /// Plain Rust, on any processor.
    Portable,
    /// AVX2 and BMI2, where `pext` is fast.
    Bmi2,
}

impl Path {
    /// The fastest path that this processor has.
    pub fn detect() -> Self {
        if Bmi2::detect().is_some() {
            Self::Bmi2
        } else {
            Self::Portable
        }
    }
}

/// Runs a kernel on the given path; on [`Path::Portable`] where the processor
/// lacks the other.
pub fn run<K: Kernel>(path: Path, kernel: K) -> K::Output {
    match (path, Bmi2::detect()) {
        (Path::Bmi2, Some(isa)) => isa.enter(kernel),
        _ => Portable.enter(kernel),
    }
}

/// Bits of a word that one stack takes; see [`crate::field`].
pub(crate) const SLOT: u32 = 21;
const SLOT_MASK: u64 = (1 << SLOT) - 1;

/// No assumption about the processor.
#[derive(Debug, Clone, Copy)]
pub struct Portable;

impl Isa for Portable {
    #[inline(always)]
    fn enter<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    /// Takes away the lowest run of gone cells at a time: all above it in its
    /// slot moves down by the run's length.
    #[inline(always)]
    fn settle<const P: usize>(self, mut words: [u64; P], _keep: u64, mut gone: u64) -> [u64; P] {
        while gone != 0 {
            let low = gone & gone.wrapping_neg();
            // Adding the lowest bit carries through its run; a slot's two spare
            // bits stop the carry.
            let run = gone & !(gone + low);
            let length = run.count_ones();
            let slot = low.trailing_zeros() / SLOT * SLOT;
            let above = (SLOT_MASK << slot) & !(run | (low - 1));
            for word in &mut words {
                *word = (*word & !(above | run)) | ((*word & above) >> length);
            }
            gone = (gone & !(above | run)) | ((gone & above) >> length);
        }
        words
    }
}

/// AVX2 and BMI2.
#[derive(Debug, Clone, Copy)]
pub struct Bmi2(());

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Bmi2, Isa, Kernel, SLOT, SLOT_MASK};
    use std::arch::x86_64::{__cpuid, _pdep_u64, _pext_u64};

    impl Bmi2 {
        /// The proof that the processor has AVX2 and BMI2, with a `pext` that is
        /// not microcode (as it is on AMD before Zen 3).
        pub fn detect() -> Option<Self> {
            let has = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            (has && fast_pext()).then_some(Self(()))
        }
    }

    /// Whether this is not an AMD processor of a family before Zen 3 (19h).
    fn fast_pext() -> bool {
        // SAFETY: every x86-64 processor has the cpuid instruction.
        #[allow(unused_unsafe)] // safe from Rust 1.94 on
        let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1)) };
        let amd = vendor.ebx == u32::from_le_bytes(*b"Auth")
            || vendor.ebx == u32::from_le_bytes(*b"Hygo");
        let family = (version.eax >> 8 & 15) + (version.eax >> 20 & 255);
        !amd || family >= 0x19
    }

    impl Isa for Bmi2 {
        #[inline(always)]
        fn enter<K: Kernel>(self, kernel: K) -> K::Output {
            // SAFETY: `self` exists, so the processor has these features.
            unsafe { enter(self, kernel) }
        }

        #[inline(always)]
        fn settle<const P: usize>(self, words: [u64; P], keep: u64, _gone: u64) -> [u64; P] {
            let height = |slot: u32| (keep >> (slot * SLOT) & SLOT_MASK).count_ones();
            let column = |slot: u32| ((1 << height(slot)) - 1) << (slot * SLOT);
            let settled: u64 = column(0) | column(1) | column(2);
            // SAFETY: `self` exists, so the processor has BMI2.
            words.map(|word| unsafe { _pdep_u64(_pext_u64(word, keep), settled) })
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn enter<K: Kernel>(isa: Bmi2, kernel: K) -> K::Output {
        kernel.run(isa)
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Bmi2 {
    /// No such processor here.
    pub fn detect() -> Option<Self> {
        None
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Isa for Bmi2 {
    fn enter<K: Kernel>(self, kernel: K) -> K::Output {
        Portable.enter(kernel)
    }

    fn settle<const P: usize>(self, words: [u64; P], keep: u64, gone: u64) -> [u64; P] {
        Portable.settle(words, keep, gone)
    }
}
