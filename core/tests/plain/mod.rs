//! What the puzzle tests share: random numbers and the folder of the data.

use std::io::Write as _;
use std::path::PathBuf;

/// A small generator of reproducible numbers (`SplitMix64`).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % bound as u64) as usize
    }
}

/// The folder of the measuring data (`COLUMNS_DATA`, or beside the workspace),
/// or `None`, loudly, when it is missing.
#[allow(dead_code)]
pub(crate) fn data(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("COLUMNS_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"),
        PathBuf::from,
    );
    let path = folder.join(name);
    if path.exists() {
        return Some(path);
    }
    assert!(
        std::env::var_os("COLUMNS_DATA").is_none(),
        "COLUMNS_DATA is set, but {} is missing",
        path.display()
    );
    // Not eprintln!, which the test harness swallows when the test passes.
    let _ = writeln!(
        std::io::stderr(),
        "NOT CHECKED: {} IS MISSING; SET COLUMNS_DATA TO THE DATA FOLDER",
        path.display()
    );
    None
}
