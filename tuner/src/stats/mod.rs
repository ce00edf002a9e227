//! Which of two is better: tests that may be looked at after every pair of games.

pub mod gate;
pub mod sequential;
