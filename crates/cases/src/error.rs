use std::fmt;

/// An invalid value in the description of cases, such as a list of seeds or an option of the generator. The
/// message is one line, such as `the width must be a whole number from 6 to 12, not "5"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueError(pub(crate) String);

impl ValueError {
    /// Creates an error about the value `actual` of `what`. The message says which values are `expected`.
    pub fn new(what: &str, expected: &str, actual: impl fmt::Debug) -> Self {
        Self(format!("{what} must be {expected}, not {actual:?}"))
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ValueError {}
