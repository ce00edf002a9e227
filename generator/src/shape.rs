//! The shape of a case: everything but its columns.

use crate::draw::Draw;
use crate::magic::MagicRate;
use crate::palette::Palette;
use crate::spec::Spec;
use serde::{Deserialize, Serialize};

/// The size of a case, its palette and its rate of magic columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]

pub struct Shape {
    /// Stacks of the field, 6 to 12.
    pub width: usize,
    /// Cells of a stack, 13 to 19.
    pub height: usize,
    /// Columns that fall, 1 to 10,000.
    pub columns: usize,
    /// Colours in play for the first column, 1 to 26.
    pub first_colours: usize,
    /// Colours in play for the last column, at least as many; the same number
    /// for a fixed palette.
    pub last_colours: usize,
    /// The chance that a column is magic.
    pub magic_rate: MagicRate,
}

impl Shape {
    /// The statement's sample; its magic rate is what is seen in it, 1 in 11.
    pub(crate) const SAMPLE: Self = Self {
        width: 6,
        height: 13,
        columns: 11,
        first_colours: 2,
        last_colours: 4,
        magic_rate: MagicRate::from_per_million(90_909),
    };

    /// Draws everything in a fixed order, then lets the overrides replace what
    /// they name, so that they change nothing else.
    pub(crate) fn draw(draw: &mut Draw, spec: &Spec) -> Self {
        let family = spec.profile().family();
        let width = draw.banded(family.width) as usize;
        let height = draw.banded(family.height) as usize;
        let columns = draw.banded(family.columns) as usize;
        let colours = draw.banded(family.colours) as usize;
        let growing = draw.banded(family.growing) == 1;
        let first_colours = draw.banded(family.first_colours) as usize;
        let magic_rate = MagicRate::from_per_million(draw.banded(family.magic) as u32);

        let given = spec.args();
        let last_colours = given.colours.unwrap_or(colours);
        let growing = given.palette.map_or(growing, |p| p == Palette::Growing);
        Self {
            width: given.width.unwrap_or(width),
            height: given.height.unwrap_or(height),
            columns: given.columns.unwrap_or(columns),
            first_colours: if growing {
                first_colours.min(last_colours - 1).max(1)
            } else {
                last_colours
            },
            last_colours,
            magic_rate: given.magic_rate.unwrap_or(magic_rate),
        }
    }

    /// How many colours (`a`, `b`, … in the order of their letters) are in play
    /// for the column of this index, counted from 0.
    ///
    /// A growing palette has one stage for each number of colours, all of the
    /// same length but for rounding: first + ⌊index · stages / columns⌋. This
    /// gives the stages of the statement's sample, 4, 4 and 3 columns. A case
    /// with fewer columns than stages leaves some out.
    pub fn colours_at(&self, index: usize) -> usize {
        let stages = self.last_colours - self.first_colours + 1;
        self.first_colours + index * stages / self.columns
    }

    /// Whether the palette grows.
    pub fn palette(&self) -> Palette {
        if self.first_colours < self.last_colours {
            Palette::Growing
        } else {
            Palette::Fixed
        }
    }
}
