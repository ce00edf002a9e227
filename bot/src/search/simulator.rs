//! Which simulator suits a case: how many words and planes its fields have.

use columns_core::rules::case::Case;

/// Something to be done with the simulator that suits a case.
pub(crate) trait Task {
    type Output;

    /// Does it on fields of `P` planes with `W` words each.
    fn run<const W: usize, const P: usize>(self) -> Self::Output;
}

/// Does the task with the simulator for the case.
pub(crate) fn run<T: Task>(case: &Case, task: T) -> T::Output {
    match case.width() {
        ..=6 => planes::<T, 2>(case, task),
        _ => planes::<T, 4>(case, task),
    }
}

fn planes<T: Task, const W: usize>(case: &Case, task: T) -> T::Output {
    match case.palette().len() {
        ..=7 => task.run::<W, 3>(),
        8..=15 => task.run::<W, 4>(),
        _ => task.run::<W, 5>(),
    }
}
