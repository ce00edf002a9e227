use std::fmt;

/// An invalid profile, override or list of seeds. The message is one line, such as
/// `the width must be a whole number from 6 to 12, not "5"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratorError(pub(crate) String);

impl GeneratorError {
    pub(crate) fn new(what: &str, expected: &str, actual: impl fmt::Debug) -> Self {
        Self(format!("{what} must be {expected}, not {actual:?}"))
    }
}

impl fmt::Display for GeneratorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for GeneratorError {}
