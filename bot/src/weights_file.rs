//! Weights as a JSON object of names and numbers.

use crate::weights::{Weights, PARAMETERS};
use anyhow::{anyhow, bail, Result};
use serde_json::{Map, Value};

/// Reads weights: every parameter must be there, once, within its range.
///
/// # Errors
/// A line that names the mistake.
pub fn parse(text: &str) -> Result<Weights> {
    let object: Map<String, Value> = serde_json::from_str(text).map_err(|error| {
        anyhow!(
            "line {}: expected an object of weights: {error}",
            error.line()
        )
    })?;
    let mut weights = Weights::default();
    for (name, value) in &object {
        let Some(value) = value.as_f64() else {
            bail!("weight {name:?} must be a number, not {value}");
        };
        weights.set(name, value).map_err(anyhow::Error::msg)?;
    }
    match PARAMETERS.iter().find(|p| !object.contains_key(p.name)) {
        Some(missing) => bail!("weight {:?} is missing", missing.name),
        None => Ok(weights),
    }
}

/// Writes weights, a line each, in the order of the table.
pub fn format(weights: &Weights) -> String {
    let lines: Vec<String> = PARAMETERS
        .iter()
        .zip(weights.values())
        .map(|(parameter, value)| format!("  \"{}\": {value}", parameter.name))
        .collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}
