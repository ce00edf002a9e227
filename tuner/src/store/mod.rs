//! Files that outlive every stop, and that tell what was done to them.
//!
//! * [`journal`]: records, each written before it counts;
//! * [`identity`]: what a file was made with;
//! * [`digest`]: whether bytes are still those that were written.

pub mod digest;
pub mod identity;
pub mod journal;
