//! What stays the same through a whole game: the size, the columns as colour
//! codes, when each colour comes for the last time, the scaled weights.

use crate::weights::Weights;
use columns_core::case::{Case, Column, MAX_COLOURS};
use columns_core::field::Mask;

/// Values are integers, in 1/256 of a match of the first step, so that they are
/// the same on every machine.
pub const SCALE: i32 = 256;

/// A column as colour codes, bottom to top; `None` for a magic one.
pub type Codes = Option<[u8; 3]>;

/// See the module.
pub struct Context<const W: usize> {
    /// Width of the field in stacks.
    pub width: usize,
    /// Height of the field in cells.
    pub height: u32,
    /// How many colours there are; their codes start at 1.
    pub codes: u8,
    /// All columns.
    pub columns: Vec<Codes>,
    /// The floor cells.
    pub floor: Mask<W>,
    /// The cells that the lowest jewel of a column can take: 3 fit.
    pub landing: Mask<W>,
    /// The cells of the field.
    pub cells: Mask<W>,
    /// How many columns lie before the end of the last one that holds a colour.
    last: [usize; MAX_COLOURS + 1],
    /// For each column how crowded with colours the next ones are: 0 up to seven colours to
    /// [`CROWDED`] from ten on.
    pub crowd: Vec<i32>,
    /// Whether states are described for the learned evaluation.
    pub described: bool,
    /// After so many columns: the number of colours among the next [`AHEAD`].
    pub colours: Vec<u8>,
    /// After so many columns, for each colour: the weight of its jewels among the next
    /// [`HORIZON`] columns, more for the nearer ones.
    pub soon: Vec<[u8; MAX_COLOURS + 1]>,
    /// After so many columns, for each colour: how far off its next jewel is, at most [`FAR`].
    pub next: Vec<[u8; MAX_COLOURS + 1]>,
    /// The same for the next magic column.
    pub next_magic: Vec<u8>,
    /// See [`Weights::reserve_share`].
    pub share: f64,
    /// See [`Weights::reserve_share_crowded`].
    pub share_crowded: f64,
    /// See [`Weights::refuge_share`].
    pub share_refuge: f64,
    /// The weights, scaled.
    pub scaled: Scaled,
}

/// The highest [`Context::crowd`].
pub const CROWDED: i32 = 3;
/// Colours that do not make it crowded.
const ROOMY: i32 = 7;
/// How many columns ahead colours are counted.
pub const AHEAD: usize = 50;
/// How many columns count as soon.
pub const HORIZON: usize = 8;
/// Whatever is farther than so many columns off is no nearer than that.
pub const FAR: u8 = 20;

/// [`Weights`] as integers in [`SCALE`].
#[derive(Debug, Clone, Copy)]
pub struct Scaled {
    /// See [`Weights::potential`].
    pub potential: i32,
    /// See [`Weights::steps`]; those of large fields are added.
    pub steps: i32,
    /// See [`Weights::spot`].
    pub spot: i32,
    /// See [`Weights::second_spot`].
    pub second_spot: i32,
    /// See [`Weights::completion`].
    pub completion: i32,
    /// See [`Weights::placeable`].
    pub placeable: i32,
    /// See [`Weights::reserve_rest`].
    pub reserve_rest: i32,
    /// See [`Weights::reserve_cell`].
    pub reserve_cell: i32,
    /// See [`Weights::reserve_cell_crowded`], divided by [`CROWDED`].
    pub reserve_cell_crowded: i32,
    /// See [`Weights::reserve_stack`].
    pub reserve_stack: i32,
    /// See [`Weights::refuge_rest`].
    pub refuge_rest: i32,
    /// See [`Weights::refuge_cell`].
    pub refuge_cell: i32,
}

/// From how many cells on a field is large.
const LARGE: usize = 150;

impl<const W: usize> Context<W> {
    /// The context of a case.
    pub fn new(case: &Case, weights: &Weights) -> Self {
        let palette = case.palette();
        let code = |colour| palette.iter().position(|&c| c == colour).unwrap_or(0) as u8 + 1;
        let columns: Vec<Codes> = case
            .columns()
            .iter()
            .map(|column| match column {
                Column::Jewels(jewels) => Some(jewels.map(code)),
                Column::Magic => None,
            })
            .collect();
        let mut last = [0; MAX_COLOURS + 1];
        for (index, column) in columns.iter().enumerate() {
            for &code in column.iter().flatten() {
                last[code as usize] = index + 1;
            }
        }
        let colours = (0..=columns.len()).map(|index| {
            let ahead = &columns[index..columns.len().min(index + AHEAD)];
            let seen = ahead
                .iter()
                .flatten()
                .flatten()
                .fold(0_u32, |seen, code| seen | 1 << code);
            seen.count_ones() as u8
        });
        let colours: Vec<u8> = colours.collect();
        let crowd = colours
            .iter()
            .map(|&colours| (i32::from(colours) - ROOMY).clamp(0, CROWDED));
        let crowd = crowd.collect();
        let mut soon = vec![[0; MAX_COLOURS + 1]; columns.len() + 1];
        let mut next = vec![[FAR; MAX_COLOURS + 1]; columns.len() + 1];
        let mut next_magic = vec![FAR; columns.len() + 1];
        for index in (0..columns.len()).rev() {
            next[index] = next[index + 1].map(|far| FAR.min(far + 1));
            next_magic[index] = FAR.min(next_magic[index + 1] + 1);
            if columns[index].is_none() {
                next_magic[index] = 0;
            }
            for &code in columns[index].iter().flatten() {
                next[index][code as usize] = 0;
            }
            let ahead = &columns[index..columns.len().min(index + HORIZON)];
            for (distance, column) in ahead.iter().enumerate() {
                for &code in column.iter().flatten() {
                    soon[index][code as usize] += (HORIZON - distance) as u8;
                }
            }
        }
        let scale = |weight: f64| (weight * f64::from(SCALE)).round() as i32;
        let large = case.width() * case.height() >= LARGE;
        let steps = weights.steps + if large { weights.steps_large } else { 0.0 };
        Self {
            width: case.width(),
            height: case.height() as u32,
            codes: palette.len() as u8,
            columns,
            floor: Mask::area(case.width(), 1),
            landing: Mask::area(case.width(), case.height() - 2),
            cells: Mask::area(case.width(), case.height()),
            last,
            crowd,
            described: false,
            colours,
            soon,
            next,
            next_magic,
            share: weights.reserve_share,
            share_crowded: weights.reserve_share_crowded,
            share_refuge: weights.refuge_share,
            scaled: Scaled {
                potential: scale(weights.potential),
                steps: scale(steps),
                spot: scale(weights.spot),
                second_spot: scale(weights.second_spot),
                completion: scale(weights.completion),
                placeable: scale(weights.placeable),
                reserve_rest: scale(weights.reserve_rest),
                reserve_cell: scale(weights.reserve_cell),
                reserve_cell_crowded: scale(weights.reserve_cell_crowded / f64::from(CROWDED)),
                reserve_stack: scale(weights.reserve_stack),
                refuge_rest: scale(weights.refuge_rest),
                refuge_cell: scale(weights.refuge_cell),
            },
        }
    }

    /// Whether no column is left after the first `placed`: only points count then.
    #[inline(always)]
    pub fn over(&self, placed: usize) -> bool {
        placed == self.columns.len()
    }

    /// Whether a column that holds a colour is still to come after the first `placed` columns.
    #[inline(always)]
    pub fn still_comes(&self, placed: usize, code: u8) -> bool {
        self.last[code as usize] > placed
    }
}
