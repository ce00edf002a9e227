//! Weights as a JSON object of names and numbers.

use anyhow::{Result, anyhow};
use columns_bot::eval::weights::{PARAMETERS, Weights};
use columns_core::text;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::Value;
use std::collections::HashSet;
use std::fmt;

/// Weights parsed one name at a time, to detect repeated names.
struct NamedWeights(Weights);

impl<'de> Deserialize<'de> for NamedWeights {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Self(Weights::default()))
    }
}

impl<'de> Visitor<'de> for NamedWeights {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(mut self, mut map: M) -> Result<Self, M::Error> {
        let mut names = HashSet::new();
        while let Some((name, value)) = map.next_entry::<String, Value>()? {
            let number = value
                .as_f64()
                .ok_or(format!("{name} must be a number, not {value}"));
            let set = number.and_then(|number| self.0.set(&name, number));
            set.map_err(M::Error::custom)?;
            if let Some(name) = names.replace(name) {
                return Err(M::Error::custom(format!("{name} occurs twice")));
            }
        }
        Ok(self)
    }
}

/// Parses a JSON object that maps the names of weights to numbers. Weights that it lacks keep their built-in
/// values.
///
/// # Errors
/// Returns an error if the text is not such an object, if a name is unknown or occurs twice, or if a number
/// is out of range. The error names the line, counted from 1.
pub fn parse(text: &str) -> Result<Weights> {
    let parsed = serde_json::from_str(text);
    let NamedWeights(weights) = parsed.map_err(|error: serde_json::Error| {
        let (line, column) = (error.line(), error.column());
        let expected = "an object of weights";
        anyhow!(text::json_error_text(
            &error.to_string(),
            line,
            column,
            expected
        ))
    })?;
    Ok(weights)
}

/// Formats weights as a JSON object, one weight per line, in the order of [`PARAMETERS`].
pub fn format(weights: &Weights) -> String {
    let lines: Vec<String> = PARAMETERS
        .iter()
        .zip(weights.values())
        .map(|(parameter, value)| format!("  \"{}\": {value}", parameter.name))
        .collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}
