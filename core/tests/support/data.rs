//! Where the data of tests is.

use std::io::Write as _;
use std::path::PathBuf;

/// A folder of the measuring data (`COLUMNS_DATA`, or beside the workspace),
/// or `None`, loudly, when it is missing.
pub(crate) fn folder(name: &str) -> Option<PathBuf> {
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
