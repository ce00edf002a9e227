//! The evaluation, the ranking of children and the features against plain functions over cells.
//!
//! Every test plays on random settled fields of all sizes and palettes, with stacks up to the rim
//! ([`position`]), and compares the bit-plane code with a [`grid::Grid`], which knows nothing but the
//! rules.

mod admission;
mod children;
mod features;
mod grid;
mod position;
mod potential;
mod queue;
