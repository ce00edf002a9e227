//! Finds the data that tests read.

use columns_test_support::{Requirement, report_untested};
use std::path::PathBuf;

/// Returns the folder `name` of the test data. The environment variable `COLUMNS_DATA` names the
/// directory of the data; by default it is `shared/data` beside the workspace. If the default
/// directory lacks the folder, reports the test as not run and returns `None`.
///
/// # Panics
/// If `COLUMNS_DATA` is set and its directory lacks the folder.
pub(crate) fn find_data_folder(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("COLUMNS_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
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
    report_untested(Requirement::Data, name, &why);
    None
}
