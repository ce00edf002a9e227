//! The classes of cases by which reports group results.

use crate::palette::Palette;
use columns_core::rules::case::{Case, Column};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The properties of a case that determine its classes, and its number of magic columns. The JSON of a report
/// uses the same field names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kind {
    /// Width of the field in stacks.
    pub width: usize,
    /// Height of the field in cells.
    pub height: usize,
    /// Number of columns, k.
    pub columns: usize,
    /// Number of magic columns.
    pub magic: usize,
    /// Number of colours that occur.
    pub colours: usize,
    /// Kind of palette: known for generated cases, [guessed](crate::guess) for case files.
    pub palette: Palette,
}

impl Kind {
    /// Returns the properties of a case. `palette` is an argument because the columns do not always reveal
    /// it.
    pub fn new(case: &Case, palette: Palette) -> Self {
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

    /// Returns the area of the field in cells.
    pub fn cells(&self) -> usize {
        self.width * self.height
    }

    fn has(&self, palette: Palette, colours: RangeInclusive<usize>) -> bool {
        self.palette == palette && colours.contains(&self.colours)
    }
}

/// The predicate of a class: returns true if a case of the given [`Kind`] belongs to the class.
type Holds = fn(&Kind) -> bool;

/// The classes and their names, in three groups: by area of the field, by number of columns, and by palette
/// and number of colours.
///
/// Every case is in exactly one class of each group. The three classes by area cover about the same number of
/// field sizes.
const CLASSES: [(&str, Holds); 11] = [
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

/// Groups items by the classes of their cases. The order of the classes is fixed: by area of the field, by
/// number of columns, then by palette. Leaves out the classes without items.
pub fn by_class<T>(
    items: &[T],
    kind: impl Fn(&T) -> &Kind,
) -> impl Iterator<Item = (&'static str, Vec<&T>)> {
    CLASSES.into_iter().filter_map(move |(name, holds)| {
        let class: Vec<&T> = items.iter().filter(|&item| holds(kind(item))).collect();
        (!class.is_empty()).then_some((name, class))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_in_one_class_of_each_group() {
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
