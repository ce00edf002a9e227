//! The shape of a case: its size, palette and magic rate, without the columns themselves.

use crate::magic::MagicRate;
use crate::random::RandomStream;
use crate::spec::Spec;
use columns_cases::PaletteKind;

/// The size, the palette and the magic rate of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Width of the field in stacks, 6 to 12.
    pub width: usize,
    /// Height of the field in cells, 13 to 19.
    pub height: usize,
    /// Number of columns, 1 to 10,000.
    pub column_count: usize,
    /// Number of colours in play for the first column, 1 to 26.
    pub first_colour_count: usize,
    /// Number of colours in play in the last stage: `first_colour_count` for a fixed palette, more for a
    /// growing one. A case with fewer columns than stages does not reach the last stage.
    pub last_colour_count: usize,
    /// Probability that a column is magic.
    pub magic_rate: MagicRate,
}

impl Shape {
    /// The shape of the statement's sample. The magic rate is 1/11, because one of the 11 columns is magic.
    pub(crate) const SAMPLE: Self = Self {
        width: 6,
        height: 13,
        column_count: 11,
        first_colour_count: 2,
        last_colour_count: 4,
        magic_rate: MagicRate::from_per_million(90_909),
    };

    /// Draws all values in a fixed order, then applies the overrides. So an override leaves all other values
    /// unchanged. One exception: an override of the number of colours may also change the number with which a
    /// growing palette starts.
    pub(crate) fn draw(stream: &mut RandomStream, spec: &Spec) -> Self {
        let distributions = spec.profile().distributions();
        let width = stream.draw_weighted(distributions.width) as usize;
        let height = stream.draw_weighted(distributions.height) as usize;
        let columns = stream.draw_weighted(distributions.column_count) as usize;
        let colours = stream.draw_weighted(distributions.colour_count) as usize;
        let grows = stream.draw_weighted(distributions.palette_kind) == 1;
        let first_colour_count = stream.draw_weighted(distributions.first_colour_count) as usize;
        let magic_rate =
            MagicRate::from_per_million(stream.draw_weighted(distributions.magic_rate) as u32);

        let overrides = spec.args();
        let last_colour_count = overrides.colours.unwrap_or(colours);
        let grows = overrides
            .palette
            .map_or(grows, |p| p == PaletteKind::Growing);
        Self {
            width: overrides.width.unwrap_or(width),
            height: overrides.height.unwrap_or(height),
            column_count: overrides.columns.unwrap_or(columns),
            first_colour_count: if grows {
                first_colour_count.min(last_colour_count - 1).max(1)
            } else {
                last_colour_count
            },
            last_colour_count,
            magic_rate: overrides.magic_rate.unwrap_or(magic_rate),
        }
    }

    /// Returns the number of colours in play (`a`, `b`, …) for the column with this index, counted from 0.
    ///
    /// A growing palette has one stage for each number of colours. Up to rounding, all stages have the same
    /// length: colours = first + ⌊index · stages / columns⌋. The statement's sample has stages of 4, 4 and 3
    /// columns. A case with fewer columns than stages skips some stages.
    pub fn colour_count_at(&self, index: usize) -> usize {
        let stages = self.last_colour_count - self.first_colour_count + 1;
        self.first_colour_count + index * stages / self.column_count
    }

    /// Returns the kind of palette: growing if the last stage has more colours than the first.
    pub fn palette_kind(&self) -> PaletteKind {
        if self.first_colour_count < self.last_colour_count {
            PaletteKind::Growing
        } else {
            PaletteKind::Fixed
        }
    }
}
