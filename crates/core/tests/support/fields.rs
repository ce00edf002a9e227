//! Parses fields in the notation of `rules::notation`, for tests.

use columns_core::field::Field;
use columns_core::rules::case::Colour;
use columns_core::rules::notation;

/// Returns the code of a colour: 1 for `a`.
pub(crate) fn code(colour: Colour) -> u8 {
    colour.index() as u8 + 1
}

/// Parses a field of `width` stacks; an `a` gets the code 1.
pub(crate) fn parse_field<const W: usize, const P: usize>(text: &str, width: usize) -> Field<W, P> {
    let mut field = Field::EMPTY;
    for (y, row) in notation::parse(text, width).unwrap().iter().enumerate() {
        for (x, cell) in row.iter().enumerate() {
            if let Some(colour) = cell {
                field.put(x, y as u32, code(*colour));
            }
        }
    }
    field
}
