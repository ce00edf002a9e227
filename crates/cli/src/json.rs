//! Formats and parses JSON. Errors name the line.

use anyhow::{Result, anyhow};
use columns_core::text;
use serde::Serialize;
use serde::de::DeserializeOwned;

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

/// Parses a JSON value. `expected` describes the value in error messages.
///
/// # Errors
/// Returns an error if the text is not valid JSON, or not a `T`. The error names the line, counted from 1,
/// and says what is wrong there.
pub fn parse<T: DeserializeOwned>(text: &str, expected: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        anyhow!(text::line_first(&error.to_string(), line, column, expected))
    })
}
