//! The sources of the bot that `tuner export` writes: the weights and the networks in use.

use anyhow::{Context, Result};
use columns_bot::eval::weights::{PARAMETERS, Weights};
use std::ops::Range;

/// The file with the network for any number of colours, relative to the workspace.
pub const NETWORK_SOURCE: &str = "bot/src/learned/any.txt";
/// The file with the network for two colours, relative to the workspace.
pub const TWO_COLOUR_NETWORK_SOURCE: &str = "bot/src/learned/two.txt";
/// The source file with the weights, relative to the workspace.
pub const WEIGHTS_SOURCE: &str = "bot/src/eval/tuned.rs";

/// Replaces the values in the source of the weights. Rows with unchanged values are not modified.
///
/// # Errors
/// Returns an error if the source has no row for a weight.
pub fn replace_weights(source: &str, weights: &Weights) -> Result<String> {
    let mut lines: Vec<String> = source.lines().map(String::from).collect();
    for (parameter, value) in PARAMETERS.iter().zip(weights.values()) {
        let name = parameter.name;
        let row = lines
            .iter_mut()
            .find_map(|line| Some((value_range(line, name)?, line)));
        let (range, line) = row.with_context(|| format!("expected a row of the weight {name}"))?;
        if line[range.clone()].parse() != Ok(value) {
            line.replace_range(range, &format!("{value:?}"));
        }
    }
    Ok(lines.join("\n") + "\n")
}

/// Returns the byte range of the value in a line of the table; `None` if the line is not the row of the
/// weight `name`.
fn value_range(line: &str, name: &str) -> Option<Range<usize>> {
    let row = line.trim_start().strip_prefix(name)?.strip_prefix(": ")?;
    let start = line.len() - row.len();
    Some(start..start + row.find(';')?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_rows_of_changed_weights_are_written() {
        let source = include_str!("../../bot/src/eval/tuned.rs");
        let mut weights = Weights::default();
        assert_eq!(replace_weights(source, &weights).unwrap(), source);
        weights.set("steps", 4.0).unwrap();
        weights.set("survival_share", 0.031).unwrap();
        let text = replace_weights(source, &weights).unwrap();
        let both = source.lines().zip(text.lines());
        let changed = both.filter(|(a, b)| a != b).map(|(_, after)| after.trim());
        assert_eq!(
            changed.collect::<Vec<_>>(),
            ["steps: 4.0;", "survival_share: 0.031;"]
        );
        let error = replace_weights(&source.replace("spot: ", "sport: "), &weights).unwrap_err();
        assert_eq!(error.to_string(), "expected a row of the weight spot");
    }
}
