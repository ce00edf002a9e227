//! Comparison of two players: a test that may be checked after every pair of games, the gate of a run,
//! and a table of pairs.

pub mod gate;
pub mod sequential;
pub mod table;
