//! Formats and parses JSON. Errors name the line, and [`parse_format`] checks the format number of an object.

use anyhow::{Result, anyhow, ensure};
use columns_core::text;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Formats a value as indented JSON with a final newline.
///
/// # Errors
/// If JSON cannot represent the value, such as a map whose keys are not strings.
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
/// If the text is not valid JSON, or not a `T`. The error names the line, counted from 1, and says what is wrong there.
pub fn parse<T: DeserializeOwned>(text: &str, expected: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        anyhow!(text::line_first(&error.to_string(), line, column, expected))
    })
}

/// Parses an object whose field `format` must be this number. The number is checked before the other fields.
///
/// # Errors
/// If the text is not valid JSON, has another format number, or is not a `T`. The error names the line, counted from 1,
/// and says what is wrong there.
pub fn parse_format<T: DeserializeOwned>(text: &str, expected: &str, format: u32) -> Result<T> {
    #[derive(Deserialize)]
    #[serde(expecting = "an object")]
    struct Version {
        format: u32,
    }
    let version: Version = parse(text, expected)?;
    ensure!(
        version.format == format,
        "line 1: expected {expected} in format {format}, found {}",
        version.format
    );
    parse(text, expected)
}
