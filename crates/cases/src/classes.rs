//! The classes of cases by which reports group results.

use crate::palette::PaletteKind::{self, Fixed, Growing};
use columns_core::rules::case::{Case, Column};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The properties by which reports classify a case, and its number of magic columns. Reports and stored runs
/// contain them as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseProperties {
    /// Width of the field in stacks.
    pub width: usize,
    /// Height of the field in cells.
    pub height: usize,
    /// Number of columns, `k` in the statement.
    pub columns: usize,
    /// Number of magic columns, which `columns` includes.
    pub magic_columns: usize,
    /// Number of colours that occur.
    pub colours: usize,
    /// Kind of palette of a generated case; `None` for a case file, which does not state it.
    pub palette: Option<PaletteKind>,
}

impl CaseProperties {
    /// Returns the properties of a case. The caller passes the kind of palette if it is known, since the
    /// columns do not always reveal it.
    pub fn new(case: &Case, palette: Option<PaletteKind>) -> Self {
        let columns = case.columns();
        Self {
            width: case.width(),
            height: case.height(),
            columns: columns.len(),
            magic_columns: columns.iter().filter(|&&c| c == Column::Magic).count(),
            colours: case.palette().len(),
            palette,
        }
    }

    /// Returns the area of the field in cells.
    pub fn cell_count(&self) -> usize {
        self.width * self.height
    }

    fn has_palette(&self, palette: Option<PaletteKind>, colours: RangeInclusive<usize>) -> bool {
        self.palette == palette && colours.contains(&self.colours)
    }
}

/// The predicate of a class: true if a case with these properties belongs to the class.
type Predicate = fn(&CaseProperties) -> bool;

/// The names and predicates of the classes, in three groups: by area of the field, by number of columns, and
/// by palette and number of colours. The names of the last three classes, for palettes of unknown kind, state
/// only the number of colours.
///
/// Every case is in exactly one class of each group. The three classes by area contain about equally many
/// field sizes.
const CLASSES: [(&str, Predicate); 14] = [
    ("up to 126 cells", |case| case.cell_count() <= 126),
    ("127 to 160 cells", |case| {
        (127..=160).contains(&case.cell_count())
    }),
    ("over 160 cells", |case| case.cell_count() > 160),
    ("under 300 columns", |case| case.columns < 300),
    ("300 to 2999 columns", |case| {
        (300..3000).contains(&case.columns)
    }),
    ("3000 columns and more", |case| case.columns >= 3000),
    ("fixed, up to 4 colours", |case| {
        case.has_palette(Some(Fixed), 0..=4)
    }),
    ("fixed, 5 to 6 colours", |case| {
        case.has_palette(Some(Fixed), 5..=6)
    }),
    ("fixed, 7 colours and more", |case| {
        case.has_palette(Some(Fixed), 7..=26)
    }),
    ("growing, up to 6 colours", |case| {
        case.has_palette(Some(Growing), 0..=6)
    }),
    ("growing, 7 colours and more", |case| {
        case.has_palette(Some(Growing), 7..=26)
    }),
    ("up to 4 colours", |case| case.has_palette(None, 0..=4)),
    ("5 to 6 colours", |case| case.has_palette(None, 5..=6)),
    ("7 colours and more", |case| case.has_palette(None, 7..=26)),
];

/// Groups items by the classes of their cases. Returns the name and the items of each class that has items.
/// The order of the classes is fixed: by area of the field, by number of columns, then by palette.
pub fn group_by_class<T>(
    items: &[T],
    properties: impl Fn(&T) -> &CaseProperties,
) -> impl Iterator<Item = (&'static str, Vec<&T>)> {
    CLASSES.into_iter().filter_map(move |(name, holds)| {
        let class: Vec<&T> = items
            .iter()
            .filter(|&item| holds(properties(item)))
            .collect();
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
            for palette in [Some(Fixed), Some(Growing), None] {
                let case = CaseProperties {
                    width,
                    height,
                    columns,
                    magic_columns: 0,
                    colours,
                    palette,
                };
                let classes = CLASSES.iter().filter(|(_, holds)| holds(&case));
                assert_eq!(classes.count(), 3, "{case:?}");
            }
        }
    }
}
