//! The classes of cases that results are grouped by.

use crate::palette::Palette;
use columns_core::rules::case::{Case, Column};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// What tables and reports tell of a case, by the names that it has there; its classes depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kind {
    /// Width of the field in stacks.
    pub width: usize,
    /// Height of the field in cells.
    pub height: usize,
    /// Number of columns, k.
    pub columns: usize,
    /// How many of them are magic.
    pub magic: usize,
    /// Number of colours that occur.
    pub colours: usize,
    /// Whether all colours are there from the start, as the generator has it; a guess for cases
    /// of other origin.
    pub palette: Palette,
}

impl Kind {
    /// The kind of a case with this palette.
    pub fn of(case: &Case, palette: Palette) -> Self {
        let columns = case.columns();
        Self {
            width: case.width(),
            height: case.height(),
            columns: columns.len(),
            magic: columns.iter().filter(|&&c| c == Column::Magic).count(),
            colours: case.palette().len(),
            palette,
        }
    }

    /// Area of the field in cells.
    pub fn cells(&self) -> usize {
        self.width * self.height
    }

    fn has(&self, palette: Palette, colours: RangeInclusive<usize>) -> bool {
        self.palette == palette && colours.contains(&self.colours)
    }
}

/// Whether a case is of a class.
pub type Holds = fn(&Kind) -> bool;

/// By area of the field, by number of columns, by kind of palette and number of colours:
/// every case is in one class of each. The classes by size hold about the same number of
/// sizes each.
pub const CLASSES: [(&str, Holds); 11] = [
    ("up to 126 cells", |kind| kind.cells() <= 126),
    ("127 to 160 cells", |kind| {
        (127..=160).contains(&kind.cells())
    }),
    ("over 160 cells", |kind| kind.cells() > 160),
    ("under 300 columns", |kind| kind.columns < 300),
    ("300 to 2999 columns", |kind| {
        (300..3000).contains(&kind.columns)
    }),
    ("3000 columns and more", |kind| kind.columns >= 3000),
    ("fixed, up to 4 colours", |kind| {
        kind.has(Palette::Fixed, 0..=4)
    }),
    ("fixed, 5 to 6 colours", |kind| {
        kind.has(Palette::Fixed, 5..=6)
    }),
    ("fixed, 7 colours and more", |kind| {
        kind.has(Palette::Fixed, 7..=26)
    }),
    ("growing, up to 6 colours", |kind| {
        kind.has(Palette::Growing, 0..=6)
    }),
    ("growing, 7 colours and more", |kind| {
        kind.has(Palette::Growing, 7..=26)
    }),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_in_one_class_of_each_kind() {
        for (width, height, columns, colours) in (6..=12)
            .flat_map(|w| (13..=19).map(move |h| (w, h)))
            .flat_map(|(w, h)| [1, 299, 300, 2999, 3000, 10_000].map(|k| (w, h, k)))
            .flat_map(|(w, h, k)| (0..=26).map(move |c| (w, h, k, c)))
        {
            for palette in [Palette::Fixed, Palette::Growing] {
                let kind = Kind {
                    width,
                    height,
                    columns,
                    magic: 0,
                    colours,
                    palette,
                };
                let classes = CLASSES.iter().filter(|(_, holds)| holds(&kind));
                assert_eq!(classes.count(), 3, "{kind:?}");
            }
        }
    }
}
