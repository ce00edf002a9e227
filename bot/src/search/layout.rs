//! Chooses the layout of the field for a case: the numbers of words and planes.

use columns_core::field::Layout;
use columns_core::for_layout;
use columns_core::rules::case::Case;

/// A task on fields of `P` planes with `W` words each.
pub(crate) trait Task<const W: usize, const P: usize> {
    type Return;

    fn run(self) -> Self::Return;
}

/// Runs the task with the smallest layout for the case.
pub(crate) fn run_task<T, R>(case: &Case, task: T) -> R
where
    T: Task<2, 3, Return = R> + Task<2, 4, Return = R> + Task<2, 5, Return = R>,
    T: Task<4, 3, Return = R> + Task<4, 4, Return = R> + Task<4, 5, Return = R>,
{
    macro_rules! run {
        ($name:ident, $words:literal, $planes:literal) => {
            Task::<$words, $planes>::run(task)
        };
    }
    for_layout!(Layout::smallest(case.width(), case.palette().len()), run)
}
