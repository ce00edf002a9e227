//! Places a column on the fast field and on the naive field, and compares the results.

use crate::fields::code;
use crate::isas::on_all_isas;
use columns_core::field::{Chain, Field};
use columns_core::rules::case::{Column, MATCH_POINTS};
use columns_core::rules::naive::NaiveField;
use columns_core::rules::plan::Placement;
use columns_core::simd::{Isa, Kernel};

/// The kernel that drops a column with [`Field::place`], and asserts that the other functions that drop
/// jewels return the same result. `column` is encoded as for [`Field::place`].
#[derive(Clone, Copy)]
pub(crate) struct CheckedPlaceKernel<const W: usize, const P: usize> {
    field: Field<W, P>,
    height: usize,
    stack: usize,
    column: Option<[u8; 3]>,
}

impl<const W: usize, const P: usize> CheckedPlaceKernel<W, P> {
    pub(crate) fn new(
        field: Field<W, P>,
        height: usize,
        column: Column,
        placement: Placement,
    ) -> Self {
        let column = column
            .shifted(placement.shift)
            .map(|jewels| jewels.map(code));
        Self {
            field,
            height,
            stack: placement.stack,
            column,
        }
    }
}

impl<const W: usize, const P: usize> Kernel for CheckedPlaceKernel<W, P> {
    /// The chain and the field after the chain, or `None` if the column does not fit.
    type Output = Option<(Chain, Field<W, P>)>;
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Self {
            mut field, stack, ..
        } = self;
        let placed = field.place(isa, self.height as u32, stack, self.column);
        if let (Some(placed), Some(codes)) = (placed, self.column) {
            let y = field.stack_height(stack);
            assert_eq!(
                field.drop_and_resolve(isa, stack, y, codes, 1),
                placed,
                "drop_and_resolve"
            );
            let mut stepper = field.stepper_after_drop(isa, stack, y, codes);
            let mut chain = Chain::default();
            while let matches @ 1.. = stepper.step() {
                chain.add_step(matches);
            }
            assert_eq!((chain, stepper.to_field()), placed, "step by step");
            for (y, code) in (y..).zip(codes) {
                field.put(stack, y, code);
            }
            assert_eq!(field.drop_and_resolve(isa, 0, 0, [0; 3], 1), placed, "put");
        }
        placed
    }
}

/// Drops a column on the naive field and, with every instruction set, on `fast`, which has the same
/// jewels. Returns the chain and the field after the chain, or `None` if the column does not fit.
///
/// # Panics
/// If the results differ; the message contains everything that is needed to reproduce the
/// difference.
pub(crate) fn place_on_both<const W: usize, const P: usize>(
    naive: &mut NaiveField,
    fast: Field<W, P>,
    column: Column,
    placement: Placement,
) -> Option<(Chain, Field<W, P>)> {
    let (width, height) = (naive.width(), naive.height());
    let before = naive.to_notation();
    let steps = naive.place(column, placement).ok();
    let expected = steps.map(|steps| {
        let points: u64 = steps.iter().map(|step| step.points / MATCH_POINTS).sum();
        let matching = steps.iter().filter(|step| !step.matches.is_empty());
        let chain = Chain {
            points: points as u32,
            steps: matching.count() as u32,
        };
        let mut after = Field::EMPTY;
        for x in 0..width {
            for y in 0..naive.stack_height(x) {
                after.put(x, y as u32, naive.cell(x, y).map_or(0, code));
            }
        }
        (chain, after)
    });
    for (isa, result) in on_all_isas(CheckedPlaceKernel::new(fast, height, column, placement)) {
        assert!(
            result == expected,
            "{isa} with W {W}, P {P}: on {width} × {height}, {before:?}, {column} at {placement:?} must \
             give {expected:?}, {:?}, not {result:?}",
            naive.to_notation(),
        );
    }
    expected
}
