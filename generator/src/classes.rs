//! The classes of cases that results are grouped by.

use crate::palette::Palette;
use columns_core::rules::case::Case;
use std::ops::RangeInclusive;

/// The properties of a case that decide on its classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// Area of the field in cells.
    pub cells: usize,
    /// Number of columns, k.
    pub columns: usize,
    /// Number of colours that occur.
    pub colours: usize,
    /// Whether all of them are there from the start.
    pub palette: Palette,
}

impl Kind {
    /// The kind of a case with this palette.
    pub fn of(case: &Case, palette: Palette) -> Self {
        Self {
            cells: case.width() * case.height(),
            columns: case.columns().len(),
            colours: case.palette().len(),
            palette,
        }
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
    ("up to 126 cells", |kind| kind.cells <= 126),
    ("127 to 160 cells", |kind| (127..=160).contains(&kind.cells)),
    ("over 160 cells", |kind| kind.cells > 160),
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
        for (cells, columns, colours) in (6..=12)
            .flat_map(|w| (13..=19).map(move |h| w * h))
            .flat_map(|cells| [1, 299, 300, 2999, 3000, 10_000].map(|k| (cells, k)))
            .flat_map(|(cells, k)| (0..=26).map(move |c| (cells, k, c)))
        {
            for palette in [Palette::Fixed, Palette::Growing] {
                let kind = Kind {
                    cells,
                    columns,
                    colours,
                    palette,
                };
                let classes = CLASSES.iter().filter(|(_, holds)| holds(&kind));
                assert_eq!(classes.count(), 3, "{kind:?}");
            }
        }
    }
}
