//! The instruction set and the threads of a search.

use columns_core::simd::Cpu;

/// The instruction set and the threads of a search. The plan depends on them only under a time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    /// The instruction set with which the kernels run.
    pub cpu: Cpu,
    /// The number of threads, 1 or more.
    #[cfg(feature = "threads")]
    pub threads: usize,
}

impl From<Cpu> for Machine {
    /// Returns this instruction set with one thread.
    fn from(cpu: Cpu) -> Self {
        Self {
            cpu,
            #[cfg(feature = "threads")]
            threads: 1,
        }
    }
}
