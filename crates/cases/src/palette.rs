//! Fixed and growing palettes.

use crate::error::ValueError;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString};

/// The kind of palette: whether the number of colours in play grows in the course of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Display, EnumString)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", parse_err_ty = ValueError, parse_err_fn = unknown)]
pub enum PaletteKind {
    /// All colours are in play from the first to the last column.
    Fixed,
    /// Colours are added in stages of equal length, as in the statement's sample.
    Growing,
}

impl PaletteKind {
    /// All kinds of palettes.
    pub const ALL: [Self; 2] = [Self::Fixed, Self::Growing];
}

fn unknown(name: &str) -> ValueError {
    ValueError::new("the palette", "fixed or growing", name)
}
