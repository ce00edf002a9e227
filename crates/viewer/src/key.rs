//! The key of a file name, by which the page pairs a plan with its case.

use serde::Serialize;

/// The part of a file name that a case and its plans have in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Key {
    /// The only number in the name, without leading zeros (empty for 0); or the name in lower case if it
    /// contains no number or several.
    pub(crate) text: String,
    /// True if `text` is a number. A plan and a case with different numbers are never paired.
    pub(crate) is_number: bool,
}

impl Key {
    /// Returns the key of a file name. Ignores the folder and everything from the first dot on.
    pub(crate) fn from_name(name: &str) -> Self {
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let stem = file.split('.').next().unwrap_or(file);
        let runs = stem.split(|c: char| !c.is_ascii_digit());
        let digits: Vec<&str> = runs.filter(|run| !run.is_empty()).collect();
        match digits[..] {
            [number] => Self {
                text: number.trim_start_matches('0').to_string(),
                is_number: true,
            },
            _ => Self {
                text: stem.to_lowercase(),
                is_number: false,
            },
        }
    }
}
