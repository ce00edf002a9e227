//! One dimension of a search: a parameter of the player, measured in steps.
//!
//! The search moves over real numbers. If a parameter is an integer, its value is rounded for each game. For
//! a parameter with a list of values, the search varies the index in the list, so neighbours in the list
//! should be similar.

use anyhow::{Context, Result, anyhow, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use toml::Value;

/// A parameter that a search changes: its start, its range and its step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// Name of the parameter, such as `potential` for a weight, or `linear 0` for a network.
    pub name: String,
    /// The value at the start of the search.
    pub start: f64,
    /// The smallest value that the search may try.
    pub min: f64,
    /// The largest value that the search may try.
    pub max: f64,
    /// The change in the value when the coordinate grows by 1.
    pub step: f64,
    /// The kind of the values: real numbers, integers or entries of a list.
    pub kind: ValueKind,
}

/// The kind of values that a player accepts for a parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueKind {
    /// Real numbers, which the player receives unrounded.
    Real,
    /// Integers. The search works with real numbers, and rounds them for each game.
    Integer,
    /// One of these values. On the axis, each value is its index in this list.
    Choice(Vec<String>),
}

impl Axis {
    /// Returns the value at a coordinate, inside the range; coordinate 0 is the start.
    pub(super) fn value(&self, coordinate: f64) -> f64 {
        (self.start + coordinate * self.step).clamp(self.min, self.max)
    }

    /// Returns the coordinate of a value: its distance from the start, in steps.
    pub fn coordinate(&self, value: f64) -> f64 {
        (value - self.start) / self.step
    }

    /// Returns the nearest coordinate inside the range.
    pub fn clamp(&self, coordinate: f64) -> f64 {
        coordinate.clamp(self.coordinate(self.min), self.coordinate(self.max))
    }

    /// Returns the nearest value that the player accepts.
    fn nearest_accepted(&self, value: f64) -> f64 {
        match self.kind {
            ValueKind::Real => value,
            ValueKind::Integer | ValueKind::Choice(_) => value.round().clamp(self.min, self.max),
        }
    }

    /// Rounds a real number to the decimals that matter: to a multiple of the largest power of ten that is at
    /// most a twentieth of a step. For integers and choices, returns the nearest value that the player
    /// accepts.
    pub fn round(&self, value: f64) -> f64 {
        if self.kind != ValueKind::Real {
            return self.nearest_accepted(value);
        }
        let decimals = -(libm::log10(self.step / 20.0) + 1e-9).floor();
        let scale = 10_f64.powi(decimals as i32);
        ((value * scale).round() / scale).clamp(self.min, self.max)
    }

    /// Formats a value for tables and command lines.
    pub fn format(&self, value: f64) -> String {
        let played = self.nearest_accepted(value);
        match &self.kind {
            ValueKind::Choice(values) => values[played as usize].clone(),
            ValueKind::Real | ValueKind::Integer => played.to_string(),
        }
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} from {} to {} in steps of {}, starting at {}",
            self.name, self.min, self.max, self.step, self.start
        )
    }
}

/// The minimum step, as a share of the largest absolute value in the range. With smaller steps, rounding
/// would hide the differences between neighbouring values, for example in the labels of a plot.
const MIN_STEP_SHARE: f64 = 1e-12;

/// A parameter in the user's file: a range with a step, or a list of values.
#[derive(Debug, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table of start, min, max and step, or of start and values"
)]
struct Entry {
    start: Value,
    min: Option<f64>,
    max: Option<f64>,
    step: Option<f64>,
    #[serde(default)]
    integer: bool,
    values: Option<Vec<Value>>,
}

/// Parses the parameters of a program from TOML, and returns them in alphabetical order. For example, this
/// text has three parameters:
///
/// ```toml
/// depth = { start = 4, values = [2, 4, 8] }
/// greed = { start = 0.5, min = 0, max = 1, step = 0.05 }
/// width = { start = 8, min = 1, max = 50, step = 2, integer = true }
/// ```
///
/// # Errors
/// Returns an error if the text is invalid. The error gives the reason, and either the position of the
/// mistake or the name of the parameter.
pub fn axes_from_toml(text: &str) -> Result<Vec<Axis>> {
    let entries: BTreeMap<String, Entry> = toml::from_str(text).map_err(|error| {
        // The error has several lines of text. The first line gives the position.
        let text = error.to_string();
        let place = text.lines().next().unwrap_or_default();
        anyhow!("{place}: {}", error.message())
    })?;
    let axes = entries.into_iter();
    axes.map(|(name, entry)| {
        let context = name.clone();
        match entry.values {
            Some(_) => entry.choice(name),
            None => entry.number(name),
        }
        .context(context)
    })
    .collect()
}

impl Entry {
    fn choice(self, name: String) -> Result<Axis> {
        let text = |value: &Value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let values: Vec<String> = self.values.iter().flatten().map(text).collect();
        let start = values.iter().position(|value| *value == text(&self.start));
        let has_range = self.min.or(self.max).or(self.step).is_some();
        ensure!(
            !has_range && !self.integer && values.len() > 1,
            "expected start and at least two values, and nothing else"
        );
        Ok(Axis {
            start: start.context("expected a start that is one of the values")? as f64,
            min: 0.0,
            max: (values.len() - 1) as f64,
            step: 1.0,
            kind: ValueKind::Choice(values),
            name,
        })
    }

    fn number(self, name: String) -> Result<Axis> {
        let start = match self.start {
            Value::Integer(number) => Some(number as f64),
            Value::Float(number) => Some(number),
            _ => None,
        };
        let axis = Axis {
            start: start.context("expected a number as start")?,
            min: self.min.context("missing field `min`")?,
            max: self.max.context("missing field `max`")?,
            step: self.step.context("missing field `step`")?,
            kind: if self.integer {
                ValueKind::Integer
            } else {
                ValueKind::Real
            },
            name,
        };
        let ordered = axis.min <= axis.start && axis.start <= axis.max;
        let finite = (axis.max - axis.min).is_finite() && axis.step.is_finite();
        ensure!(
            ordered && finite && axis.step > 0.0,
            "expected a start from min to max and a step above 0, found {axis}"
        );
        let largest = axis.min.abs().max(axis.max.abs());
        ensure!(
            axis.step >= MIN_STEP_SHARE * largest,
            "expected a step of at least {MIN_STEP_SHARE} times the largest number, found {axis}"
        );
        let numbers = [axis.start, axis.min, axis.max];
        ensure!(
            !self.integer || numbers.iter().all(|number| number.fract() == 0.0) && axis.step >= 1.0,
            "expected integers and a step of at least 1, found {axis}"
        );
        Ok(axis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(start: f64, min: f64, max: f64, step: f64) -> Axis {
        Axis {
            name: "a".into(),
            start,
            min,
            max,
            step,
            kind: ValueKind::Real,
        }
    }

    #[test]
    fn coordinates_stay_inside_the_range() {
        let axis = axis(1.0, -1.0, 3.0, 0.5);
        for (coordinate, inside, value) in [
            (0.0, 0.0, 1.0),
            (1.0, 1.0, 1.5),
            (4.0, 4.0, 3.0),
            (5.0, 4.0, 3.0),
            (-4.0, -4.0, -1.0),
            (-1601.0, -4.0, -1.0),
        ] {
            assert_eq!(axis.clamp(coordinate), inside, "{coordinate}");
            assert_eq!(axis.value(coordinate), value, "{coordinate}");
        }
    }

    #[test]
    fn values_are_rounded_to_the_decimals_that_matter() {
        for (step, value, rounded) in [
            (0.05, 0.851_449, 0.851),
            (0.5, 2.496, 2.5),
            (0.5, 2.4949, 2.49),
            (1.0, 3.145_01, 3.15),
            (5.0, 21.27, 21.3),
            (0.02, 0.123_456, 0.123),
            (0.01, 0.031_26, 0.0313),
            (0.1, -0.6449, -0.645),
        ] {
            let axis = axis(0.0, -1000.0, 1000.0, step);
            assert_eq!(axis.round(value), rounded, "steps of {step}");
        }
    }

    #[test]
    fn values_are_rounded_to_integers_and_to_choices() {
        let text = "depth = { start = 4, values = [2, 4, 8] }\n\
                    mode = { start = \"fast\", values = [\"slow\", \"fast\"] }\n\
                    width = { start = 8, min = 1, max = 50, step = 2, integer = true }\n";
        let axes = axes_from_toml(text).unwrap();
        let texts = |values: [f64; 3]| -> Vec<String> {
            let both = axes.iter().zip(values);
            both.map(|(axis, value)| axis.format(value)).collect()
        };
        assert_eq!(texts([1.0, 1.0, 8.0]), ["4", "fast", "8"]);
        assert_eq!(texts([1.6, 0.2, 11.3]), ["8", "slow", "11"]);
        assert_eq!(texts([9.0, -3.0, 99.0]), ["8", "slow", "50"]);
        assert_eq!(axes[2].round(11.3), 11.0);
        for (wrong, expected) in [
            (
                "a = { start = 3, values = [1, 2] }",
                "a start that is one of the values",
            ),
            ("a = { start = 1, values = [1] }", "at least two values"),
            (
                "a = { start = 1, values = [1, 2], step = 1 }",
                "and nothing else",
            ),
            (
                "a = { start = 1, min = 0, max = 4, step = 0.5, integer = true }",
                "integers and a step of at least 1",
            ),
            (
                "a = { start = \"1\", min = 0, max = 4, step = 1 }",
                "a number as start",
            ),
            (
                "a = { start = 1, min = 0, max = 4, step = inf }",
                "a step above 0",
            ),
            (
                "a = { start = 1e15, min = 1e15, max = 1000000000000001, step = 0.1 }",
                "a step of at least",
            ),
        ] {
            let message = format!("{:#}", axes_from_toml(wrong).unwrap_err());
            assert!(
                message.starts_with("a: ") && message.contains(expected),
                "{message}"
            );
        }
    }
}
