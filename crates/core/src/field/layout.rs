//! The layouts of a field: the numbers of words and planes for which the code is compiled.

/// Evaluates `$code!(name, words, planes)` with the name of a [`Layout`] and its numbers of words and planes,
/// as literals.
#[macro_export]
macro_rules! for_layout {
    ($layout:expr, $code:ident) => {
        match $layout {
            $crate::field::Layout::Narrow7 => $code!(Narrow7, 2, 3),
            $crate::field::Layout::Narrow15 => $code!(Narrow15, 2, 4),
            $crate::field::Layout::Narrow26 => $code!(Narrow26, 2, 5),
            $crate::field::Layout::Wide7 => $code!(Wide7, 4, 3),
            $crate::field::Layout::Wide15 => $code!(Wide15, 4, 4),
            $crate::field::Layout::Wide26 => $code!(Wide26, 4, 5),
        }
    };
}

/// The layout of a field in memory. It determines the maximum numbers of stacks and colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Up to 6 stacks and 7 colours: 2 words, 3 planes.
    Narrow7,
    /// Up to 6 stacks and 15 colours: 2 words, 4 planes.
    Narrow15,
    /// Up to 6 stacks and 26 colours: 2 words, 5 planes.
    Narrow26,
    /// Up to 12 stacks and 7 colours: 4 words, 3 planes.
    Wide7,
    /// Up to 12 stacks and 15 colours: 4 words, 4 planes.
    Wide15,
    /// Up to 12 stacks and 26 colours: 4 words, 5 planes.
    Wide26,
}

impl Layout {
    /// Returns the smallest layout for a width in stacks and a number of colours.
    pub fn smallest(width: usize, colours: usize) -> Self {
        match (width, colours) {
            (..=6, ..=7) => Self::Narrow7,
            (..=6, 8..=15) => Self::Narrow15,
            (..=6, _) => Self::Narrow26,
            (_, ..=7) => Self::Wide7,
            (_, 8..=15) => Self::Wide15,
            (_, _) => Self::Wide26,
        }
    }

    /// Runs a task with this layout.
    pub fn run<T, R>(self, task: T) -> R
    where
        T: LayoutTask<2, 3, Output = R> + LayoutTask<2, 4, Output = R>,
        T: LayoutTask<2, 5, Output = R> + LayoutTask<4, 3, Output = R>,
        T: LayoutTask<4, 4, Output = R> + LayoutTask<4, 5, Output = R>,
    {
        macro_rules! run {
            ($name:ident, $words:literal, $planes:literal) => {
                LayoutTask::<$words, $planes>::run(task)
            };
        }
        for_layout!(self, run)
    }
}

/// A task on fields of `P` planes with `W` words each. See [`Layout::run`].
pub trait LayoutTask<const W: usize, const P: usize> {
    /// The result of [`run`](Self::run).
    type Output;

    /// Runs the task on fields of this layout.
    fn run(self) -> Self::Output;
}
