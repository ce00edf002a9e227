//! TopCoder's fixed strategy (problem "SameGame", TCO '03 Round 2).

use super::board::Board;
use super::notation;
use columns_core::text::ParseError;
use std::str::FromStr;

/// Allowed numbers of rows, and of tiles in a row (statement, section Constraints).
const SIDES: std::ops::RangeInclusive<usize> = 1..=50;

/// A board and the order in which the strategy removes its colours.
///
/// The text form is a line with the order, followed by the rows from the top as in [`notation`].
#[derive(Debug, Clone)]
pub struct Puzzle {
    /// The number of colours in the order.
    colours: usize,
    /// Columns from the left, each from the bottom up. A colour is represented by its index in the order.
    columns: Vec<Vec<u8>>,
}

impl FromStr for Puzzle {
    type Err = ParseError;

    /// # Errors
    /// Returns an error if the order is not a list of distinct letters or digits, if the text does not hold
    /// exactly one board, if the board has more than 50 rows or columns or a colour that is not in the order,
    /// or if the board is invalid according to [`notation`]. The error names the line.
    ///
    /// A colour can be any ASCII letter or digit, although the statement allows only `A` to `Z`.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut lines = crate::content_lines(text);
        let order = lines.next().unwrap_or((1, ""));
        let rows: Vec<_> = lines.collect();
        let colours = read_order(order)?;
        check_rows(order.0, &rows)?;
        for &(line, content) in &rows {
            let cells = notation::parse_row(line, content)?;
            if !SIDES.contains(&cells.len()) {
                return Err(ParseError::new(line, "a row of 1 to 50 tiles", content));
            }
            if let Some(tile) = cells.iter().flatten().find(|t| !colours.contains(t)) {
                let expected = format!(
                    "colours of the order {}, which has no {}",
                    order.1,
                    tile.to_char()
                );
                return Err(ParseError::new(line, expected, content));
            }
        }
        let board: Board = notation::parse_settled_board(&rows)?;
        let index = |tile| colours.iter().position(|&c| c == tile).map(|i| i as u8);
        let columns = (0..board.width())
            .map(|x| {
                board
                    .column(x)
                    .iter()
                    .flatten()
                    .copied()
                    .filter_map(index)
                    .collect()
            })
            .filter(|column: &Vec<u8>| !column.is_empty())
            .collect();
        Ok(Self {
            colours: colours.len(),
            columns,
        })
    }
}

impl Puzzle {
    /// Plays the strategy to the end, and returns its score.
    pub fn compute_score(&self) -> u64 {
        let mut board = StrategyBoard::new(self);
        let mut points = 0;
        while let Some(group) = (0..self.colours).find_map(|colour| board.choose(colour)) {
            points += group.size * (group.size - 1) / 2;
            board.remove(&group);
        }
        if board.columns.is_empty() {
            4 * points
        } else {
            points
        }
    }
}

/// Checks that there are 1 to 50 rows on consecutive lines. `order_line` is the line number of the
/// colour order.
fn check_rows(order_line: usize, rows: &[(usize, &str)]) -> Result<(), ParseError> {
    if rows.is_empty() {
        let expected = format!("1 to 50 rows of {}", notation::CELL_CHARACTERS_TEXT);
        return Err(ParseError::new(order_line + 1, expected, ""));
    }
    if let Some(&(line, content)) = rows.get(*SIDES.end()) {
        let expected = "the end of the board after 50 rows";
        return Err(ParseError::new(line, expected, content));
    }
    // As in a file of boards, a blank line or a comment line ends a board.
    if let Some(pair) = rows.windows(2).find(|pair| pair[1].0 > pair[0].0 + 1) {
        let (line, content) = pair[1];
        let expected = "the end of the input after one board";
        return Err(ParseError::new(line, expected, content));
    }
    Ok(())
}

/// Reads the order of the colours: distinct letters or digits.
fn read_order((line, content): (usize, &str)) -> Result<Vec<super::Tile>, ParseError> {
    let mistake = |expected: &str| ParseError::new(line, expected, content);
    let order: Option<Vec<_>> = content
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(super::Tile::from_char)
        .collect();
    let order = order
        .filter(|order| !order.is_empty())
        .ok_or_else(|| mistake("the order of the colours, letters or digits"))?;
    for (i, colour) in order.iter().enumerate() {
        if order[..i].contains(colour) {
            return Err(mistake(&format!(
                "an order that has {} only once",
                colour.to_char()
            )));
        }
    }
    Ok(order)
}

/// The board: one word for each column and colour, with bit 0 for the bottom row.
///
/// The 50 rows fit into a word, and a search for groups reads only the words of one colour.
struct StrategyBoard {
    colours: usize,
    columns: Vec<Column>,
}

struct Column {
    /// Colours from the bottom up.
    tiles: Vec<u8>,
    /// For each colour, the rows of its tiles, one bit for each row.
    planes: Vec<u64>,
}

impl Column {
    fn new(tiles: Vec<u8>, colours: usize) -> Self {
        let mut planes = vec![0; colours];
        for (y, &colour) in tiles.iter().enumerate() {
            planes[colour as usize] |= 1 << y;
        }
        Self { tiles, planes }
    }
}

struct Group {
    size: u64,
    /// The row of the highest tile, 0 for the bottom row of the board.
    top: u32,
    /// The cells as vertical runs, each with its column, in the order of discovery.
    runs: Vec<(usize, u64)>,
}

impl StrategyBoard {
    fn new(puzzle: &Puzzle) -> Self {
        let columns = puzzle.columns.iter();
        Self {
            colours: puzzle.colours,
            columns: columns
                .map(|c| Column::new(c.clone(), puzzle.colours))
                .collect(),
        }
    }

    /// Returns the group of `colour` that the strategy removes, or `None` if the colour has no group.
    ///
    /// The strategy removes the smallest group. Ties go to the group with the highest tile, then to the group
    /// with the leftmost tile in its highest row. (The statement numbers rows from the top, so its lowest row
    /// number is the highest row here.)
    fn choose(&self, colour: usize) -> Option<Group> {
        let plane = |x: usize| self.columns[x].planes[colour];
        let width = self.columns.len();
        let has_pair = (0..width).any(|x| {
            let beside = if x + 1 < width { plane(x + 1) } else { 0 };
            plane(x) & ((plane(x) >> 1) | beside) != 0
        });
        if !has_pair {
            return None;
        }
        let mut remaining: Vec<u64> = (0..width).map(plane).collect();
        let mut best: Option<(Group, usize)> = None;
        for x in 0..width {
            while remaining[x] != 0 {
                let group = take_group(&mut remaining, x);
                if group.size < 2 {
                    continue;
                }
                let left = group
                    .runs
                    .iter()
                    .filter(|&&(_, run)| run >> group.top != 0)
                    .map(|&(x, _)| x)
                    .min()
                    .unwrap_or(0);
                let better = best.as_ref().is_none_or(|(best, best_left)| {
                    let key =
                        |group: &Group, left| (group.size, std::cmp::Reverse(group.top), left);
                    key(&group, left) < key(best, *best_left)
                });
                if better {
                    best = Some((group, left));
                }
            }
        }
        best.map(|(group, _)| group)
    }

    fn remove(&mut self, group: &Group) {
        let mut masks = vec![0_u64; self.columns.len()];
        for &(x, run) in &group.runs {
            masks[x] |= run;
        }
        for (column, &mask) in self.columns.iter_mut().zip(&masks) {
            if mask != 0 {
                let mut tiles = std::mem::take(&mut column.tiles);
                let mut y = 0;
                tiles.retain(|_| {
                    y += 1;
                    mask >> (y - 1) & 1 == 0
                });
                *column = Column::new(tiles, self.colours);
            }
        }
        self.columns.retain(|column| !column.tiles.is_empty());
    }
}

/// Removes the group of the lowest cell in column `x` of `remaining`, and returns this group.
fn take_group(remaining: &mut [u64], x: usize) -> Group {
    let seed = lowest(remaining[x]);
    let mut runs = vec![(x, take_run(&mut remaining[x], seed))];
    let mut next = 0;
    while let Some(&(x, run)) = runs.get(next) {
        next += 1;
        let neighbours = [x.checked_sub(1), (x + 1 < remaining.len()).then_some(x + 1)];
        for x in neighbours.into_iter().flatten() {
            while remaining[x] & run != 0 {
                let seed = lowest(remaining[x] & run);
                runs.push((x, take_run(&mut remaining[x], seed)));
            }
        }
    }
    Group {
        size: runs
            .iter()
            .map(|(_, run)| u64::from(run.count_ones()))
            .sum(),
        top: runs.iter().map(|(_, run)| run.ilog2()).max().unwrap_or(0),
        runs,
    }
}

/// Returns a mask of the lowest set bit.
fn lowest(word: u64) -> u64 {
    word & word.wrapping_neg()
}

/// Removes the vertical run around the bit `seed` from `word`, and returns this run.
fn take_run(word: &mut u64, seed: u64) -> u64 {
    let starts = *word & !(*word << 1);
    let start = 1 << (starts & (seed | (seed - 1))).ilog2();
    // The carry of the addition clears all ones from `start` up to the first zero.
    let run = *word & !word.wrapping_add(start);
    *word ^= run;
    run
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_errors::check_parse_errors;

    /// Parses a colour order and a board, with `/` for a line break, and returns the strategy's score.
    fn score(text: &str) -> Result<u64, ParseError> {
        let input = text.replace('/', "\n").parse();
        input.map(|puzzle: Puzzle| puzzle.compute_score())
    }

    #[test]
    fn the_examples_of_the_statement_have_their_scores() {
        assert_eq!(score("RB/RBB/RRR/RBB"), Ok(64));
        assert_eq!(score("ABCD/ABCD/ABCD/ABCD/ABCD"), Ok(96));
        assert_eq!(score("ABCD/ABCD"), Ok(0));
        assert_eq!(score("EABCD/ACCAA/ABAAA/ABBBA/AAACD"), Ok(28));
        let pairs =
            "AB CD EF GH IJ KL MN OP QR ST UV WX YZ WX UV ST MN QR OP KL IJ GH EF CD AB".split(' ');
        let stripes: String = pairs
            .map(|pair| format!("/{}", pair.repeat(10)).repeat(2))
            .collect();
        let last = format!("ABCDEFGHIJKLMNOPQRSTUVWXYZ{stripes}");
        assert_eq!(score(&last), Ok(2720));
    }

    #[test]
    fn a_single_tile_and_the_largest_board_are_scored() {
        assert_eq!(score("A/A"), Ok(0));
        let full = format!("A{}", format!("/{}", "A".repeat(50)).repeat(50));
        assert_eq!(score(&full), Ok(4 * 2500 * 2499 / 2));
    }

    const MISTAKES: &str = r#"
| line 1: expected the order of the colours, letters or digits, found nothing
A | line 2: expected 1 to 50 rows of letters or digits, . or - for an empty cell, found nothing
A+/AB | line 1: expected the order of the colours, letters or digits, found "A+"
ABA/AB | line 1: expected an order that has A only once, found "ABA"
AB/AB/AC | line 3: expected colours of the order AB, which has no C, found "AC"
AB/AB/A | line 3: expected a row of 2 cells as in line 2, found "A"
"#;

    #[test]
    fn errors_name_their_line() {
        check_parse_errors(MISTAKES, str::parse::<Puzzle>);
        let too_high = score(&format!("A{}", "/A".repeat(51)));
        let expected = "line 52: expected the end of the board after 50 rows, found \"A\"";
        assert_eq!(too_high.unwrap_err().to_string(), expected);
        assert!(score(&format!("A/{}", "A".repeat(51))).is_err());
    }
}
