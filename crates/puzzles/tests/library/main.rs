//! Tests of the library through its public API, against plain implementations of the rules.

#[path = "../../../core/tests/support/data.rs"]
mod data;
mod maya;
#[path = "../../../core/tests/support/random.rs"]
mod random;
mod samegame;
