//! A game by the naive and by the fast simulator, on every instruction set.

#![no_main]

#[path = "../../core/tests/support/isas.rs"]
#[allow(dead_code)]
mod isas;

use columns_core::case::{Colour, Column, HEIGHTS, MATCH_POINTS, WIDTHS};
use columns_core::field::{Chain, Field};
use columns_core::isa::{Isa, Kernel};
use columns_core::naive::NaiveField;
use columns_core::plan::Placement;
use isas::on_all_isas;
use libfuzzer_sys::fuzz_target;

/// A column falls.
#[derive(Clone, Copy)]
struct Place<const W: usize, const P: usize> {
    field: Field<W, P>,
    height: usize,
    stack: usize,
    column: Option<[u8; 3]>,
}

impl<const W: usize, const P: usize> Kernel for Place<W, P> {
    type Output = Option<(Chain, Field<W, P>)>;
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        self.field
            .placed(isa, self.height as u32, self.stack, self.column)
    }
}

fn code(colour: Colour) -> u8 {
    colour.index() as u8 + 1
}

/// Each column takes four bytes: where it falls, and its three jewels.
fn game<const W: usize, const P: usize>(width: usize, height: usize, colours: usize, rest: &[u8]) {
    let mut naive = NaiveField::new(width, height);
    let mut field = Field::<W, P>::EMPTY;
    for bytes in rest.chunks_exact(4) {
        let to = Placement {
            stack: bytes[0] as usize % width,
            shift: bytes[0] as usize / width % 3,
        };
        let column = match bytes[1] {
            255 => Column::Magic,
            _ => Column::Jewels(
                [1, 2, 3].map(|i| Colour::from_index(bytes[i] as usize % colours)),
            ),
        };
        let place = Place {
            field,
            height,
            stack: to.stack,
            column: column.shifted(to.shift).map(|jewels| jewels.map(code)),
        };
        let steps = naive.place(column, to).ok();
        let expected = steps.as_ref().map(|steps| {
            let points = steps.iter().map(|step| step.points / MATCH_POINTS);
            let chain = steps.iter().filter(|step| !step.matches.is_empty());
            (points.sum::<u64>(), chain.count() as u64)
        });
        let mut after = Field::EMPTY;
        for x in 0..width {
            for y in 0..naive.stack_height(x) {
                after.put(x, y as u32, naive.cell(x, y).map_or(0, code));
            }
        }
        for (isa, found) in on_all_isas(place) {
            let chain = found.map(|(chain, _)| (chain.points.into(), chain.steps.into()));
            assert_eq!(chain, expected, "{isa}");
            assert!(found.is_none_or(|(_, found)| found == after), "{isa}");
        }
        if expected.is_none() {
            return;
        }
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
    match (width, colours) {
        (..=6, ..=7) => game::<2, 3>(width, height, colours, rest),
        (..=6, 8..=15) => game::<2, 4>(width, height, colours, rest),
        (..=6, _) => game::<2, 5>(width, height, colours, rest),
        (_, ..=7) => game::<4, 3>(width, height, colours, rest),
        (_, 8..=15) => game::<4, 4>(width, height, colours, rest),
        _ => game::<4, 5>(width, height, colours, rest),
    }
});
