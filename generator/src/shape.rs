//! The shape of a case: its size, palette and magic rate, without the columns themselves.

use crate::magic::MagicRate;
use crate::palette::PaletteKind;
use crate::random::RandomStream;
use crate::spec::Spec;
use serde::{Deserialize, Serialize};

/// The size, the palette and the magic rate of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shape {
    /// Width of the field in stacks, 6 to 12.
    pub width: usize,
    /// Height of the field in cells, 13 to 19.
    pub height: usize,
    /// Number of columns, 1 to 10,000.
    pub columns: usize,
    /// Number of colours in play for the first column, 1 to 26.
    pub first_colours: usize,
    /// Number of colours in play in the last stage: `first_colours` for a fixed palette, more for a growing
    /// one. A case with fewer columns than stages does not reach the last stage.
    pub last_colours: usize,
    /// Probability that a column is magic.
    pub magic_rate: MagicRate,
}

impl Shape {
    /// The shape of the statement's sample. The magic rate is 1/11, because one of the 11 columns is magic.
    pub(crate) const SAMPLE: Self = Self {
        width: 6,
        height: 13,
        columns: 11,
        first_colours: 2,
        last_colours: 4,
        magic_rate: MagicRate::from_per_million(90_909),
    };

    /// Draws all values in a fixed order, then applies the overrides. So an override leaves all other values
    /// unchanged. One exception: with fewer colours, a growing palette may have to start with fewer, too.
    pub(crate) fn draw(stream: &mut RandomStream, spec: &Spec) -> Self {
        let distributions = spec.profile().distributions();
        let width = stream.draw_weighted(distributions.width) as usize;
        let height = stream.draw_weighted(distributions.height) as usize;
        let columns = stream.draw_weighted(distributions.columns) as usize;
        let colours = stream.draw_weighted(distributions.colours) as usize;
        let grows = stream.draw_weighted(distributions.growing) == 1;
        let first_colours = stream.draw_weighted(distributions.first_colours) as usize;
        let magic_rate =
            MagicRate::from_per_million(stream.draw_weighted(distributions.magic_rate) as u32);

        let overrides = spec.args();
        let last_colours = overrides.colours.unwrap_or(colours);
        let grows = overrides
            .palette
            .map_or(grows, |p| p == PaletteKind::Growing);
        Self {
            width: overrides.width.unwrap_or(width),
            height: overrides.height.unwrap_or(height),
            columns: overrides.columns.unwrap_or(columns),
            first_colours: if grows {
                first_colours.min(last_colours - 1).max(1)
            } else {
                last_colours
            },
            last_colours,
            magic_rate: overrides.magic_rate.unwrap_or(magic_rate),
        }
    }

    /// Returns the number of colours in play (`a`, `b`, …) for the column with this index, counted from 0.
    ///
    /// A growing palette has one stage for each number of colours. Up to rounding, all stages have the same
    /// length: colours = first + ⌊index · stages / columns⌋. The statement's sample has stages of 4, 4 and 3
    /// columns. A case with fewer columns than stages skips some stages.
    pub fn colours_at(&self, index: usize) -> usize {
        let stages = self.last_colours - self.first_colours + 1;
        self.first_colours + index * stages / self.columns
    }

    /// Returns the kind of palette: growing if the last stage has more colours than the first.
    pub fn palette_kind(&self) -> PaletteKind {
        if self.first_colours < self.last_colours {
            PaletteKind::Growing
        } else {
            PaletteKind::Fixed
        }
    }
}
