//! Formats JSON.

use anyhow::Result;
use serde::Serialize;

/// Formats a value as indented JSON with a final newline.
///
/// # Errors
/// Returns an error if JSON cannot represent the value, such as a map whose keys are not strings.
pub fn pretty(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// Formats a value as a line of JSON.
///
/// # Errors
/// Same as [`pretty`].
pub fn line(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string(value)? + "\n")
}
