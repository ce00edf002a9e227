//! The columns of a case as colour codes, and which colours come when.

use columns_core::rules::case::{Case, Column, MAX_COLOURS};

/// A column as colour codes, bottom to top; `None` for a magic one.
pub(crate) type Codes = Option<[u8; 3]>;

/// The highest [`PieceQueue::colour_excess`].
pub(crate) const MAX_EXCESS: i32 = 3;
/// The most colours that are no excess.
const ROOMY: i32 = 7;
/// How many columns ahead colours are counted.
const AHEAD: usize = 50;
/// How many columns count as soon.
const HORIZON: usize = 8;
/// The largest distance, in columns, that is told from larger ones.
const FAR: u8 = 20;

/// The columns of a case, and which colours come when.
#[derive(Debug)]
pub(crate) struct PieceQueue {
    /// All columns.
    pub(crate) columns: Vec<Codes>,
    /// How many colours there are; their codes start at 1.
    pub(crate) codes: u8,
    /// For each colour: how many columns there are up to the last one that holds it.
    last: [usize; MAX_COLOURS + 1],
    /// After so many columns: how crowded with colours the next ones are, from 0 for up to seven
    /// colours to [`MAX_EXCESS`] for ten and more.
    pub(crate) colour_excess: Vec<i32>,
    /// After so many columns: the number of colours among the next 50.
    pub(crate) colours: Vec<u8>,
    /// After so many columns, for each colour: the weight of its jewels among the next eight
    /// columns, from 8 for one of the next column down to 1.
    pub(crate) soon: Vec<[u8; MAX_COLOURS + 1]>,
    /// After so many columns, for each colour: how many columns come before its next jewel, at
    /// most 20.
    pub(crate) next: Vec<[u8; MAX_COLOURS + 1]>,
    /// The same for the next magic column.
    pub(crate) next_magic: Vec<u8>,
}

impl PieceQueue {
    /// The columns of a case.
    pub(crate) fn new(case: &Case) -> Self {
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
        let excess = |&colours: &u8| (i32::from(colours) - ROOMY).clamp(0, MAX_EXCESS);
        let colour_excess = colours.iter().map(excess).collect();
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
        Self {
            columns,
            codes: palette.len() as u8,
            last,
            colour_excess,
            colours,
            soon,
            next,
            next_magic,
        }
    }

    /// Whether no column is left after the first `placed`: only points count then.
    #[inline(always)]
    pub(crate) fn over(&self, placed: usize) -> bool {
        placed == self.columns.len()
    }

    /// Whether a column that holds a colour is still to come after the first `placed` columns.
    #[inline(always)]
    pub(crate) fn still_comes(&self, placed: usize, code: u8) -> bool {
        self.last[code as usize] > placed
    }
}
