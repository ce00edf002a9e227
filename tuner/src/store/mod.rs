//! Files that outlive every stop, and that tell what was done to them.

pub mod digest;
pub mod journal;
