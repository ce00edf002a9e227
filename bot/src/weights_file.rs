//! Weights as a JSON object of names and numbers.

use crate::eval::weights::{Weights, PARAMETERS};
use anyhow::{anyhow, bail, Result};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use std::fmt;

/// The entries of an object in their order, also those of one name.
struct Entries(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct All;

        impl<'de> Visitor<'de> for All {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Entries, M::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        from.deserialize_map(All)
    }
}

/// Reads weights: parameters by name, each at most once, within its range. Those that are not there
/// have the values in use.
///
/// # Errors
/// A line that names the mistake.
pub fn parse(text: &str) -> Result<Weights> {
    let Entries(entries) = serde_json::from_str(text).map_err(|error| {
        anyhow!(
            "line {}: expected an object of weights: {error}",
            error.line()
        )
    })?;
    let mut weights = Weights::default();
    for (index, (name, value)) in entries.iter().enumerate() {
        if entries[..index].iter().any(|(before, _)| before == name) {
            bail!("weight {name:?} must be there once, not twice");
        }
        let Some(value) = value.as_f64() else {
            bail!("weight {name:?} must be a number, not {value}");
        };
        weights.set(name, value).map_err(anyhow::Error::msg)?;
    }
    Ok(weights)
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
