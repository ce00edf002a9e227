//! Files that outlive every stop, and that tell what was done to them.
//!
//! * [`journal`]: records, each written before it counts;
//! * [`mod@line`]: a line of JSON that holds its own checksum;
//! * [`blocks`]: bytes in numbered blocks, and what is wrong with them;
//! * [`identity`]: what a file was made with;
//! * [`lock`]: who works on a file;
//! * [`digest`]: whether bytes are still those that were written.

pub mod blocks;
pub mod digest;
pub mod identity;
pub mod journal;
pub mod line;
pub mod lock;
