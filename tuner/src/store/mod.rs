//! Files that survive a stop at any moment, and that show every damage.
//!
//! * [`journal`]: records, each written before it counts;
//! * [`mod@line`]: a line of JSON that holds its own checksum;
//! * [`blocks`]: bytes in numbered blocks with checksums;
//! * [`identity`]: what a file was made with;
//! * [`digest`]: whether bytes are still those that were written.

pub mod blocks;
pub mod digest;
pub mod identity;
pub mod journal;
pub mod line;
