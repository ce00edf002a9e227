//! A prediction of the value that a placement adds, before the child is built.
//!
//! A placement that does not interfere with the chain of the state's trigger leaves the worth of
//! that chain unchanged. The child's value then depends on the neighbours of the new jewels on the
//! field after the chain, and on the surface. A linear model predicts most of the difference
//! between children of one parent (correlation 0.72). The model was fitted by least squares to the
//! values of children; see docs/experiments/columns.md.
//!
//! ```text
//! . c c . . . . .    trigger: an `a` on stack 0; its chain clears everything, so a column has no neighbours
//! . a a c . . . .
//!
//! stack 4    617              every placement
//!            - 82 × (2 + 3)   from the column's top, at 3, to the stacks beside it: 1 and 0 high
//!            = 207            in units of 1/256 of a match
//! stack 7    617 - 82 × (3 + 10) - 589 = -1038    at the edge; the outside counts as 13 high
//! stack 3    617 - 179 - 82 × (2 + 4) = -54       on one jewel: from the column's top, at 4, to 2 and 0
//! ```

use crate::case::geometry::FieldGeometry;
use columns_core::field::{Field, MAX_WIDTH};
use columns_core::network::VALUE_SCALE;
use columns_core::simd::{Isa, Kernel};

/// The cap on a prediction, in units of 1/[`VALUE_SCALE`] of a match. 0.1 % of the predictions exceed
/// it.
pub const MAX_PREDICTION: i32 = 10 * VALUE_SCALE;

/// Added for each neighbour of the same colour on the stacks to the left and right, on the field after the
/// chain. Half of this number is added for each jewel of the same colour at twice the distance.
pub const PER_NEIGHBOUR: i32 = 630;
/// Added for each row between the floor and the column, on the field before the chain.
pub const PER_ROW: i32 = -179;
/// Added for each row between the floor and the column, on the field after the chain.
pub const PER_ROW_AFTER_CHAIN: i32 = -110;
/// Added for each row between the top of the column and the top of a stack next to it. The outside
/// of the field counts as a full stack.
pub const PER_HEIGHT_STEP: i32 = -82;
/// Added if the column lands next to the trigger's stack.
pub const BESIDE_TRIGGER: i32 = 463;
/// Added if the column lands two stacks away from the trigger's stack.
pub const TWO_FROM_TRIGGER: i32 = 297;
/// Added if the column lands on a stack at an edge, in addition to [`PER_HEIGHT_STEP`] for the outside.
pub const AT_EDGE: i32 = -589;
/// Added for every placement.
pub const BIAS: i32 = 617;

/// [`MAX_WIDTH`], plus two empty stacks on either side, so that the stacks at the edges have neighbours, too.
const PADDED_WIDTH: usize = MAX_WIDTH + 4;

/// A mask for the neighbours of a jewel, in the bits that [`ChildValuesKernel`] gathers. On each side of
/// the jewel, the mask has three cells next to the jewel, and three at twice the distance. A cell
/// next to the jewel has two bits, since it counts twice.
const NEIGHBOUR_BITS: u64 =
    (0b111 * (1 | 1 << 5) * (1 | 1 << 10)) | ((0b1_0101 * (1 | 1 << 7)) << 20);

/// Predicts the value that each placement of a column adds, in units of 1/256 of a match, indexed by shift
/// and then by stack. `after_chain` is the field after the chain of the trigger on stack `trigger_stack`;
/// `codes` are the column's codes from bottom to top.
#[inline(always)]
pub fn predict_child_values<I: Isa, const W: usize, const P: usize>(
    isa: I,
    geometry: &FieldGeometry<W>,
    field: &Field<W, P>,
    after_chain: &Field<W, P>,
    trigger_stack: usize,
    codes: [u8; 3],
) -> [[i32; MAX_WIDTH]; 3] {
    // The cells of each jewel's colour, shifted up by two rows, so that the kernel can read two rows below
    // the floor.
    let mut same_colour_cells = [[0; PADDED_WIDTH]; 3];
    for (stacks, code) in same_colour_cells.iter_mut().zip(codes) {
        let cells = after_chain.cells_of_colour(code);
        for (x, stack) in stacks[2..].iter_mut().enumerate().take(geometry.width) {
            *stack = cells.stack_bits(x) << 2;
        }
    }
    isa.enter(ChildValuesKernel {
        width: geometry.width,
        height: geometry.height as i32,
        heights_before_chain: geometry.heights(field.occupied()),
        heights_after_chain: geometry.heights(after_chain.occupied()),
        same_colour_cells: &same_colour_cells,
        trigger_stack,
    })
}

/// The kernel that computes the predictions. Its type does not depend on the layout of the field, so that
/// the compiler makes only one copy.
struct ChildValuesKernel<'a> {
    width: usize,
    height: i32,
    /// The number of jewels on each stack before the placement.
    heights_before_chain: [u32; MAX_WIDTH],
    /// The number of jewels on each stack after the chain.
    heights_after_chain: [u32; MAX_WIDTH],
    /// For each jewel, the cells of its colour on the field after the chain: a word for each stack,
    /// shifted by two rows and two stacks.
    same_colour_cells: &'a [[u64; PADDED_WIDTH]; 3],
    trigger_stack: usize,
}

impl Kernel for ChildValuesKernel<'_> {
    type Output = [[i32; MAX_WIDTH]; 3];

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> [[i32; MAX_WIDTH]; 3] {
        let Self {
            width,
            heights_before_chain,
            heights_after_chain,
            ..
        } = self;
        // Weighted counts of nearby jewels of the same colour, indexed by jewel, its position in the column
        // (bottom, middle, top) and stack. A neighbour counts 2, a jewel at twice the distance 1.
        let mut hits = [[[0; MAX_WIDTH]; 3]; 3];
        for (stacks, hits) in self.same_colour_cells.iter().zip(&mut hits) {
            for x in 0..width {
                let y = heights_after_chain[x];
                let [left2, left, _, right, right2] =
                    [stacks[x], stacks[x + 1], 0, stacks[x + 3], stacks[x + 4]];
                let near = left >> (y + 1) & 31 | (right >> (y + 1) & 31) << 5;
                let far = left2 >> y & 127 | (right2 >> y & 127) << 7;
                let around = near | near << 10 | far << 20;
                for (row, hits) in hits.iter_mut().enumerate() {
                    hits[x] = (around & NEIGHBOUR_BITS << row).count_ones() as i32;
                }
            }
        }
        let mut child_values = [[0; MAX_WIDTH]; 3];
        for x in 0..width {
            let y = heights_before_chain[x] as i32;
            let step = |neighbour: Option<&u32>| {
                (y + 3 - neighbour.map_or(self.height, |&neighbour| neighbour as i32)).abs()
            };
            let left = if x > 0 {
                heights_before_chain.get(x - 1)
            } else {
                None
            };
            let right = heights_before_chain[..width].get(x + 1);
            let surface = BIAS
                + PER_ROW * y
                + PER_ROW_AFTER_CHAIN * heights_after_chain[x] as i32
                + PER_HEIGHT_STEP * (step(left) + step(right))
                + match x.abs_diff(self.trigger_stack) {
                    1 => BESIDE_TRIGGER,
                    2 => TWO_FROM_TRIGGER,
                    _ => 0,
                }
                + AT_EDGE * i32::from(x == 0 || x + 1 == width);
            for (shift, child_values) in child_values.iter_mut().enumerate() {
                let neighbours =
                    hits[shift][0][x] + hits[(shift + 1) % 3][1][x] + hits[(shift + 2) % 3][2][x];
                child_values[x] = surface + PER_NEIGHBOUR / 2 * neighbours;
            }
        }
        child_values
    }
}
