//! Tests every way to clear a stack, triggers, cells, sums of chains, and jewels outside the layout.

use super::{Chain, Field, Mask, Trigger, find_lines, settle};
use crate::isas::{on_all_isas, warn_of_missing_bmi2};
use crate::random::Random;
use crate::rules::case::HEIGHTS;
use crate::simd::{Cells, Isa, Kernel, Portable, SLOT_BITS};
use std::ops::Range;

impl<const W: usize, const P: usize> Field<W, P> {
    /// True if at least three jewels of one colour are in a line.
    pub(crate) fn has_match(&self) -> bool {
        let lines = find_lines(&self.load(Portable).planes);
        lines.iter().any(|cells| !cells.is_empty())
    }

    /// Removes jewels and drops the jewels above them.
    #[inline(always)]
    pub(crate) fn remove<I: Isa>(&mut self, isa: I, removed: Mask<W>) {
        let mut stepper = self.load(isa);
        settle(&mut stepper.planes, isa.load(&removed.0));
        *self = stepper.to_field();
    }
}

const ROWS: Range<usize> = 0..*HEIGHTS.end();

/// The kernel that clears every subset of a full stack, and random subsets of the other stacks in
/// its word.
#[derive(Clone, Copy)]
struct ClearingKernel<const W: usize, const P: usize>;

impl<const W: usize, const P: usize> Kernel for ClearingKernel<W, P> {
    type Output = ();
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let random = &mut Random(1);
        // Miri is slow, so it runs a few subsets. It also plays on from them: no other test of a field that
        // Miri can run uses all instruction sets.
        let interval = if cfg!(miri) { 65_537 } else { 1 };
        for subset in (0..1_usize << ROWS.end).step_by(interval) {
            let examined = subset % (3 * W);
            let (mut field, mut settled) = (Field::<W, P>::EMPTY, Field::EMPTY);
            let mut removed = Mask::EMPTY;
            for x in (examined % W..3 * W).step_by(W) {
                let (vanishing, height) = if x == examined {
                    (subset, ROWS.end)
                } else {
                    let height = random.below(ROWS.end + 1);
                    (random.below(1 << height), height)
                };
                let mut floor = 0;
                for y in 0..height {
                    let code = 1 + random.below((1 << P) - 1) as u8;
                    field.put(x, y as u32, code);
                    if vanishing >> y & 1 == 0 {
                        settled.put(x, floor, code);
                        floor += 1;
                    } else {
                        removed.0[x % W] |= 1 << (SLOT_BITS as usize * (x / W) + y);
                    }
                }
            }
            field.remove(isa, removed);
            assert!(field == settled, "stack {examined}, {subset:b}");
            if cfg!(miri) {
                let (mut own, mut portable) = (settled.load(isa), settled.load(Portable));
                assert_eq!(own.step(), portable.step());
                assert!(own.to_field() == portable.to_field());
            }
        }
    }
}

#[test]
fn every_way_to_clear_a_stack_settles() {
    warn_of_missing_bmi2();
    on_all_isas(ClearingKernel::<2, 3>);
    on_all_isas(ClearingKernel::<4, 5>);
}

#[test]
fn a_jewel_outside_the_layout_panics() {
    for (x, y, code) in [(12, 0, 1), (0, 21, 1), (0, 0, 8)] {
        let put = || {
            let mut field = Field::<4, 3>::EMPTY;
            field.put(x, y, code);
        };
        assert!(std::panic::catch_unwind(put).is_err(), "{x} {y} {code}");
    }
}

/// The kernel that fires a trigger on a filler: its jewel completes a row, and then the jewels above that row
/// make another one.
#[derive(Clone, Copy)]
struct TriggerKernel;

impl Kernel for TriggerKernel {
    type Output = ();
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let mut field = Field::<2, 3>::EMPTY;
        let stacks: [&[u8]; 4] = [&[3], &[4, 5, 1, 2], &[5, 4, 1, 2], &[4, 5, 2]];
        for (x, stack) in stacks.into_iter().enumerate() {
            for (y, &code) in (0..).zip(stack) {
                field.put(x, y, code);
            }
        }
        let trigger = Trigger {
            stack: 0,
            code: 1,
            is_on_filler: true,
        };
        let (chain, mut after_chain) = trigger.fire(isa, &field);
        let trace = trigger.trace(isa, &field);
        let trace: Vec<_> = trace
            .map(|(chain, stepper)| (chain.points, chain.steps, stepper.to_field()))
            .collect();
        let [(0, 0, before), (1, 1, _), (3, 2, last)] = trace[..] else {
            panic!("{trace:?}");
        };
        assert_eq!((before.cell(0, 1), before.cell(0, 2)), (0, 1));
        assert_eq!((chain.points, chain.steps, after_chain), (3, 2, last));
        trigger.add_filler(isa, &mut after_chain);
        assert_eq!(
            (after_chain.stack_height(0), after_chain.cell(0, 1)),
            (2, 7)
        );
        let own = Trigger {
            is_on_filler: false,
            ..trigger
        };
        own.add_filler(isa, &mut after_chain);
        assert_eq!(after_chain.stack_height(0), 2);
    }
}

#[test]
fn a_trigger_on_a_filler_fires_and_leaves_the_filler() {
    on_all_isas(TriggerKernel);
}

#[test]
fn the_cells_of_a_set_are_stacks_and_rows() {
    let mut cells: Vec<_> = Mask::<2>::from_size(5, 3).cells().collect();
    cells.sort_unstable();
    let expected: Vec<_> = (0..5).flat_map(|x| (0..3).map(move |y| (x, y))).collect();
    assert_eq!(cells, expected);
}

#[test]
fn a_sum_of_chains_has_the_points_and_steps_of_both() {
    let [mut one, mut other] = [Chain::default(); 2];
    one.add_step(3);
    other.add_step(1);
    other.add_step(2);
    let sum = one + other;
    assert_eq!((sum.points, sum.steps), (3 + 1 + 2 * 2, 3));
}
