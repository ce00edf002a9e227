//! What is wrong with a specification.

use std::fmt;

/// What is wrong with a profile's name, an override or seeds; shows as one line, such
/// as `the width must be from 6 to 12, not 5`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecError(pub(crate) String);

impl SpecError {
    pub(crate) fn new(what: &str, expected: &str, found: impl fmt::Debug) -> Self {
        Self(format!("{what} must be {expected}, not {found:?}"))
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SpecError {}
