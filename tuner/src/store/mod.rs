//! The files of data sets.
//!
//! * [`mod@line`]: a line of JSON that holds its own checksum;
//! * [`blocks`]: bytes in numbered blocks with checksums;
//! * [`identity`]: what a file was made with.

pub mod blocks;
pub mod identity;
pub mod line;
