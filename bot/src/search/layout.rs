//! Chooses the layout of the field for a case: the numbers of words and planes.

use columns_core::rules::case::Case;

/// A task on fields of `P` planes with `W` words each.
pub(crate) trait Task<const W: usize, const P: usize> {
    type Return;

    fn run(self) -> Self::Return;
}

/// Runs the task with the smallest layout for the case. There is a layout for up to 6 and for up to 12
/// stacks, each with up to 7, 15 and 26 colours.
pub(crate) fn run_task<T, R>(case: &Case, task: T) -> R
where
    T: Task<2, 3, Return = R> + Task<2, 4, Return = R> + Task<2, 5, Return = R>,
    T: Task<4, 3, Return = R> + Task<4, 4, Return = R> + Task<4, 5, Return = R>,
{
    match (case.width(), case.palette().len()) {
        (..=6, ..=7) => Task::<2, 3>::run(task),
        (..=6, 8..=15) => Task::<2, 4>::run(task),
        (..=6, _) => Task::<2, 5>::run(task),
        (_, ..=7) => Task::<4, 3>::run(task),
        (_, 8..=15) => Task::<4, 4>::run(task),
        (_, _) => Task::<4, 5>::run(task),
    }
}
