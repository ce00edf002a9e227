//! The two kinds of palettes.

use crate::error::SpecError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Whether the number of colours in play stays or grows over a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "args", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Palette {
    /// The same colours from the first to the last column.
    Fixed,
    /// More and more colours in equal stages, as in the statement's sample.
    Growing,
}

impl Palette {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Fixed, Self::Growing];

    /// `fixed` or `growing`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Growing => "growing",
        }
    }
}

impl fmt::Display for Palette {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Palette {
    type Err = SpecError;

    /// Reads `fixed` or `growing`.
    fn from_str(name: &str) -> Result<Self, SpecError> {
        let mut all = Self::ALL.into_iter();
        let found = all.find(|palette| palette.name() == name);
        found.ok_or_else(|| SpecError::new("the palette", "fixed or growing", name))
    }
}
