//! Plays games on the naive and the fast simulator, with every instruction set, and compares the results.

#![no_main]

#[path = "../../../crates/core/tests/support/fields.rs"]
#[allow(dead_code)]
mod fields;
#[path = "../../../crates/core/tests/support/isas.rs"]
#[allow(dead_code)]
mod isas;
#[path = "../../../crates/core/tests/support/placement.rs"]
mod placement;

use columns_core::field::{Field, Layout};
use columns_core::for_layout;
use columns_core::rules::case::{Colour, Column, HEIGHTS, WIDTHS};
use columns_core::rules::naive::NaiveField;
use columns_core::rules::plan::Placement;
use libfuzzer_sys::fuzz_target;
use placement::place_on_both;

/// Plays a game. Each column takes four bytes: its placement and its three jewels.
fn play_game<const W: usize, const P: usize>(width: usize, height: usize, colours: usize, rest: &[u8]) {
    let mut naive = NaiveField::new(width, height);
    let mut field = Field::<W, P>::EMPTY;
    for bytes in rest.chunks_exact(4) {
        let placement = Placement {
            stack: bytes[0] as usize % width,
            shift: bytes[0] as usize / width % 3,
        };
        let column = match bytes[1] {
            255 => Column::Magic,
            _ => Column::Jewels([1, 2, 3].map(|i| Colour::from_index(bytes[i] as usize % colours))),
        };
        let Some((_, after)) = place_on_both(&mut naive, field, column, placement) else {
            return;
        };
        field = after;
    }
}

fuzz_target!(|bytes: &[u8]| {
    let [size, colours, rest @ ..] = bytes else {
        return;
    };
    let widths: Vec<usize> = WIDTHS.collect();
    let heights: Vec<usize> = HEIGHTS.collect();
    let width = widths[*size as usize % widths.len()];
    let height = heights[*size as usize / widths.len() % heights.len()];
    let colours = 1 + *colours as usize % 26;
    macro_rules! play {
        ($name:ident, $words:literal, $planes:literal) => {
            play_game::<$words, $planes>(width, height, colours, rest)
        };
    }
    for_layout!(Layout::smallest(width, colours), play);
});
