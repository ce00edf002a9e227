//! Tests of the library through its public API.

mod goldens;
mod ranges;
