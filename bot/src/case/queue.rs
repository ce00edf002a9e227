//! The columns of a case as colour codes, and the upcoming colours.
//!
//! ```text
//! columns                  abc  ***  aad                      codes in order of appearance: a = 1, b = 2 ...
//! upcoming_weights[0]      a 8 + 2 × 6 = 20, b 8, c 8, d 6    8 for a jewel of the next column, then 7 ...
//! columns_until_colour[0]  a 0, b 0, c 0, d 2                 columns before the next jewel of the colour
//! ```

use columns_core::rules::case::{Case, Colour, Column, MAX_COLOURS};

/// A column as colour codes from bottom to top; `None` for a magic column.
pub type ColumnCodes = Option<[u8; 3]>;

/// The highest value of [`ColumnQueue::colour_excess`].
pub const MAX_COLOUR_EXCESS: i32 = 3;
/// The largest number of upcoming colours without a colour excess.
const MAX_USUAL_COLOURS: i32 = 7;
/// The number of upcoming columns that [`ColumnQueue::upcoming_colour_counts`] covers.
const COUNTED_COLUMNS: usize = 50;
/// The number of upcoming columns that [`ColumnQueue::upcoming_weights`] covers.
const WEIGHTED_COLUMNS: usize = 8;
/// The cap on [`ColumnQueue::columns_until_colour`] and [`ColumnQueue::columns_until_magic`], in columns. It
/// is also their value if no such column is left.
const MAX_COLUMNS_UNTIL: u8 = 20;

/// The columns of a case, and the upcoming colours.
#[derive(Debug)]
pub struct ColumnQueue {
    /// All columns of the case, in the order in which they fall.
    pub columns: Vec<ColumnCodes>,
    /// The colours in the order of their first appearance. Colour `i` has the code `i + 1`, so the
    /// codes do not depend on the letters.
    pub palette: Vec<Colour>,
    /// For each colour, the number of its last column, counted from 1; 0 if no column has the colour.
    last_numbers: [usize; MAX_COLOURS + 1],
    /// The number of colours among the next 50 columns, indexed by the number of columns placed.
    pub upcoming_colour_counts: Vec<u8>,
    /// For each colour, the weight of its jewels among the next eight columns, indexed by the
    /// number of columns placed. A jewel of the next column counts 8, one of the eighth column 1.
    pub upcoming_weights: Vec<[u8; MAX_COLOURS + 1]>,
    /// For each colour, the number of columns before its next jewel, at most 20, indexed by the
    /// number of columns placed.
    pub columns_until_colour: Vec<[u8; MAX_COLOURS + 1]>,
    /// The number of columns before the next magic column, at most 20, indexed by the number of
    /// columns placed.
    pub columns_until_magic: Vec<u8>,
}

impl ColumnQueue {
    /// Converts the columns of a case to colour codes, and computes the upcoming colours for each number of
    /// placed columns.
    pub fn new(case: &Case) -> Self {
        let (columns, palette) = encode_columns(case);
        let mut last_numbers = [0; MAX_COLOURS + 1];
        for (index, column) in columns.iter().enumerate() {
            for &code in column.iter().flatten() {
                last_numbers[code as usize] = index + 1;
            }
        }
        let upcoming_colour_counts = (0..=columns.len()).map(|index| {
            let window = &columns[index..columns.len().min(index + COUNTED_COLUMNS)];
            let codes = window.iter().flatten().flatten();
            codes
                .fold(0_u32, |codes, code| codes | 1 << code)
                .count_ones() as u8
        });
        let mut queue = Self {
            palette,
            last_numbers,
            upcoming_colour_counts: upcoming_colour_counts.collect(),
            upcoming_weights: vec![[0; MAX_COLOURS + 1]; columns.len() + 1],
            columns_until_colour: vec![[MAX_COLUMNS_UNTIL; MAX_COLOURS + 1]; columns.len() + 1],
            columns_until_magic: vec![MAX_COLUMNS_UNTIL; columns.len() + 1],
            columns,
        };
        queue.fill_lookahead();
        queue
    }

    /// Fills in `upcoming_weights`, `columns_until_colour` and `columns_until_magic`, from the last column to
    /// the first.
    fn fill_lookahead(&mut self) {
        let Self {
            columns,
            upcoming_weights,
            columns_until_colour,
            columns_until_magic,
            ..
        } = self;
        for index in (0..columns.len()).rev() {
            columns_until_colour[index] =
                columns_until_colour[index + 1].map(|distance| MAX_COLUMNS_UNTIL.min(distance + 1));
            columns_until_magic[index] = MAX_COLUMNS_UNTIL.min(columns_until_magic[index + 1] + 1);
            if columns[index].is_none() {
                columns_until_magic[index] = 0;
            }
            for &code in columns[index].iter().flatten() {
                columns_until_colour[index][code as usize] = 0;
            }
            let window = &columns[index..columns.len().min(index + WEIGHTED_COLUMNS)];
            for (distance, column) in window.iter().enumerate() {
                for &code in column.iter().flatten() {
                    upcoming_weights[index][code as usize] += (WEIGHTED_COLUMNS - distance) as u8;
                }
            }
        }
    }

    /// Returns the colour excess of the next 50 columns after `placed_columns` columns: 0 for up to seven
    /// colours, 1 for eight, 2 for nine, and [`MAX_COLOUR_EXCESS`] for ten or more.
    #[inline(always)]
    pub fn colour_excess(&self, placed_columns: usize) -> i32 {
        (i32::from(self.upcoming_colour_counts[placed_columns]) - MAX_USUAL_COLOURS)
            .clamp(0, MAX_COLOUR_EXCESS)
    }

    /// True if no column is left after `placed_columns` columns. Then only the points of a state count.
    #[inline(always)]
    pub fn is_exhausted(&self, placed_columns: usize) -> bool {
        placed_columns == self.columns.len()
    }

    /// True if a column after the first `placed_columns` columns contains the colour with this code.
    #[inline(always)]
    pub fn has_colour_after(&self, placed_columns: usize, code: u8) -> bool {
        self.last_numbers[code as usize] > placed_columns
    }
}

/// Returns the columns as colour codes, and the colours in the order of their codes.
fn encode_columns(case: &Case) -> (Vec<ColumnCodes>, Vec<Colour>) {
    let mut palette = Vec::new();
    let mut code = |colour| {
        let index = palette.iter().position(|&c| c == colour);
        index.unwrap_or_else(|| {
            palette.push(colour);
            palette.len() - 1
        }) as u8
            + 1
    };
    let columns = case.columns().iter().map(|column| match column {
        Column::Jewels(jewels) => Some(jewels.map(&mut code)),
        Column::Magic => None,
    });
    (columns.collect(), palette)
}

/// Returns the jewels of a column after `shift` shifts, 0 to 2. Each shift moves the lowest jewel to the top.
#[inline(always)]
pub fn shifted(jewels: [u8; 3], shift: usize) -> [u8; 3] {
    [
        jewels[shift],
        jewels[(shift + 1) % 3],
        jewels[(shift + 2) % 3],
    ]
}
