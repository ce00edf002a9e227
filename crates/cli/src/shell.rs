//! Quotes paths for the command lines in messages.

use std::path::Path;

/// Returns a path as a word of a POSIX shell: in quotes if it contains spaces or other special characters.
///
/// ```
/// use columns_cli::shell::quote_path;
/// assert_eq!(quote_path("night/1".as_ref()), "night/1");
/// assert_eq!(quote_path("quick run".as_ref()), "'quick run'");
/// assert_eq!(quote_path("$x; y's".as_ref()), r"'$x; y'\''s'");
/// ```
pub fn quote_path(path: &Path) -> String {
    shell_words::quote(&path.to_string_lossy()).into_owned()
}
