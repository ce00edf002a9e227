//! Tests of the generated cases: against stored digests, and against the documented ranges.

mod goldens;
mod ranges;
