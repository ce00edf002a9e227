//! Which simulator suits a case: how many words and planes its fields have, and which instructions.

use columns_core::rules::case::Case;
use columns_core::simd::{self, Cpu, Isa, Kernel};

/// Something to be done with the simulator that suits a case.
pub(crate) trait Task {
    type Output;

    /// Does it on fields of `P` planes with `W` words each. The task itself is not compiled for the
    /// processor's features; it enters them for each of its kernels.
    fn run<I: Isa, const W: usize, const P: usize>(self, isa: I) -> Self::Output;
}

/// Does the task with the simulator for the case.
pub(crate) fn run<T: Task>(case: &Case, cpu: Cpu, task: T) -> T::Output {
    simd::run(cpu, Sized { case, task })
}

struct Sized<'a, T> {
    case: &'a Case,
    task: T,
}

impl<T: Task> Kernel for Sized<'_, T> {
    type Output = T::Output;

    fn run<I: Isa>(self, isa: I) -> T::Output {
        match self.case.width() {
            ..=6 => self.planes::<I, 2>(isa),
            _ => self.planes::<I, 4>(isa),
        }
    }
}

impl<T: Task> Sized<'_, T> {
    fn planes<I: Isa, const W: usize>(self, isa: I) -> T::Output {
        match self.case.palette().len() {
            ..=7 => self.task.run::<I, W, 3>(isa),
            8..=15 => self.task.run::<I, W, 4>(isa),
            _ => self.task.run::<I, W, 5>(isa),
        }
    }
}
