use columns_core::simd::InstructionSet;

/// The instruction set and the threads of a search. The plan depends on them only under a time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    /// The instruction set with which the kernels run.
    pub cpu: InstructionSet,
    /// The number of threads, 1 or more. Without the feature `threads`, a search ignores it and uses one.
    pub threads: usize,
}

impl Machine {
    /// Returns the fastest instruction set that this processor has, with one thread.
    pub fn single_threaded() -> Self {
        Self::new(InstructionSet::detect(), 1)
    }

    /// Returns this instruction set with `threads` threads, or one for each core if `threads` is 0. Lowers
    /// `threads` to the number of cores, since more threads would only compete for the cores. Without the
    /// feature `threads`, stores `threads` as it is.
    pub fn new(cpu: InstructionSet, threads: usize) -> Self {
        #[cfg(feature = "threads")]
        let threads = {
            let cores = || std::thread::available_parallelism().map_or(1, usize::from);
            match threads {
                0 => cores(),
                1 => 1, // no need to count the cores
                _ => threads.min(cores()),
            }
        };
        Self { cpu, threads }
    }
}
