//! Formats values as JSON text that ends with a newline.

use anyhow::Result;
use serde::Serialize;

/// Formats a value as indented JSON.
///
/// # Errors
/// Returns an error if JSON cannot represent the value, such as a map whose keys are lists.
pub fn to_pretty(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// Formats a value as JSON in one line.
///
/// # Errors
/// Same as [`to_pretty`].
pub fn to_line(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string(value)? + "\n")
}
