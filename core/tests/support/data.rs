//! Finds the data that tests read.

use columns_untested::{untested, Lack};
use std::path::PathBuf;

/// Returns a folder of the test data, which is in `COLUMNS_DATA` or beside the workspace. If the
/// folder is missing beside the workspace, reports the test as not run and returns `None`.
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
    let why = format!(
        "{} is missing; set COLUMNS_DATA to the data folder",
        path.display()
    );
    untested(Lack::Data, name, &why);
    None
}
