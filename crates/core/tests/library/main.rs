//! Tests of the library through its public API.

#[path = "../support/fields.rs"]
mod fields;
#[path = "../support/isas.rs"]
mod isas;
#[path = "../support/place.rs"]
mod place;
#[path = "../support/random.rs"]
mod random;
mod random_games;
mod referee;
mod rules;
mod simd;
mod simulator;
