//! Chooses the simulator for a case: the number of words and planes of its fields.

use columns_core::rules::case::Case;

/// A task on fields of `P` planes with `W` words each.
pub(crate) trait Task<const W: usize, const P: usize> {
    type Answer;

    fn run(self) -> Self::Answer;
}

/// Runs the task with the simulator for the case. There is one for up to 6 and one for up to 12
/// stacks, each for up to 7, 15 and 26 colours.
pub(crate) fn run_task<T, R>(case: &Case, task: T) -> R
where
    T: Task<2, 3, Answer = R> + Task<2, 4, Answer = R> + Task<2, 5, Answer = R>,
    T: Task<4, 3, Answer = R> + Task<4, 4, Answer = R> + Task<4, 5, Answer = R>,
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
