//! JSON files: their mistakes are named by line, and they say which format they have.

use anyhow::{anyhow, ensure, Result};
use columns_core::text;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A value as it is written to a file for people.
///
/// # Errors
/// If it has no form in JSON, such as a map whose keys are no strings.
pub fn pretty(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// Reads a value, which is called `expected` in messages.
///
/// # Errors
/// The line, counted from 1, and what is wrong there.
pub fn parse<T: DeserializeOwned>(text: &str, expected: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        anyhow!(text::line_first(&error.to_string(), line, column, expected))
    })
}

/// Reads an object that has the number of its format in the field `format`. An object of another
/// format is refused by that number, whatever else it holds.
///
/// # Errors
/// The line, counted from 1, and what is wrong there.
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
