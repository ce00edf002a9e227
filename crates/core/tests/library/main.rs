//! Tests of the referee, the simulator and the SIMD kernels through the public API of the library.

#[path = "../support/fields.rs"]
mod fields;
#[path = "../support/isas.rs"]
mod isas;
#[path = "../support/placement.rs"]
mod placement;
#[path = "../support/random.rs"]
mod random;
mod random_games;
mod rules;
mod simd;
mod simulator;
