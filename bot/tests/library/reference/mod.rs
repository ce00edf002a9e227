//! Compares the evaluation, the ranking of children and the features with a reference implementation: plain
//! functions over cells.
//!
//! The tests use random settled fields of all sizes and palettes ([`position`]). They compare the code
//! on bit planes with a [`grid::Grid`], which implements only the rules.

mod children;
mod features;
mod grid;
mod position;
mod potential;
mod queue;
