//! Computes the game in which every player makes their best moves, by memoised search.
//!
//! The order of additions does not matter, and digits wrap around. So a position is determined by the
//! number of additions, modulo 3, to each row and each column. Adding one to every row equals adding one
//! to every column, so the count of the first column can stay 0. On 5 × 5 that leaves 3⁵ · 3⁴ = 19,683
//! positions for each turn.

/// A group of squares: all squares on one side of a grid line. In each turn, the player chooses a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// True if the line is horizontal, so that the group consists of whole rows; false for whole columns.
    pub is_line_horizontal: bool,
    /// Number of rows above a horizontal line, or of columns left of a vertical line.
    pub line: usize,
    /// True if the group is above or left of the line, false if it is below or right of the line.
    pub is_before_line: bool,
}

/// The sums added to the rows and to the columns so far, modulo 3.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sums {
    /// The sum added to each row, as a base-3 number with one digit per row. The lowest digit belongs to the
    /// top row.
    rows: u16,
    /// The sum added to each column, in the same form. The lowest digit belongs to the second column, since
    /// the sum of the first column is always 0.
    columns: u16,
}

/// Powers of 3. `POWERS[n]` is the place value of digit n in a [`Sums`], and the number of values that n
/// digits can take.
const POWERS: [u16; 6] = [1, 3, 9, 27, 81, 243];

impl Sums {
    const ZERO: Self = Self {
        rows: 0,
        columns: 0,
    };

    /// Returns the sum added to the square in column `x` and row `y`, 0 to 2.
    pub(super) fn sum_at(self, x: usize, y: usize) -> u8 {
        let row = self.rows / POWERS[y];
        let column = match x {
            0 => 0,
            _ => self.columns / POWERS[x - 1],
        };
        ((row % 3 + column % 3) % 3) as u8
    }
}

/// Returns the turns of the game, each as the group that the player chooses and the sums after the turn.
pub(super) fn find_best_play(rows: &[Vec<u8>], inc: i32, turns: usize) -> Vec<(Group, Sums)> {
    let (height, width) = (rows.len(), rows[0].len());
    let row_states = POWERS[height] as usize;
    let column_states = POWERS[width - 1] as usize;
    let mut search = Search {
        rows,
        turns,
        column_states,
        moves: list_moves(height, width, inc),
        ends: vec![UNKNOWN; row_states * column_states * turns],
        ratings: vec![None; row_states * column_states],
    };
    let mut sums = Sums::ZERO;
    let mut played = Vec::with_capacity(turns);
    for turn in 0..turns {
        // Of the moves that lead to the final position of the best play, the player chooses the first.
        let end = search.best_end(turn, sums);
        let number = (0..search.moves.len())
            .find(|&i| {
                let next = search.apply_move(i, sums);
                search.best_end(turn + 1, next) == end
            })
            .expect("the best end is that of a move");
        sums = search.apply_move(number, sums);
        played.push((group(number, height, width), sums));
    }
    played
}

/// Returns the group of a move, given by its index in [`list_moves`].
fn group(number: usize, height: usize, width: usize) -> Group {
    let (is_line_horizontal, number, lines) = match number.checked_sub(2 * (height - 1)) {
        None => (true, number, height - 1),
        Some(number) => (false, number, width - 1),
    };
    Group {
        is_line_horizontal,
        line: number % lines + 1,
        is_before_line: number < lines,
    }
}

/// A move, as two tables that map the sums before the move to the sums after it.
struct Move {
    rows: Vec<u16>,
    columns: Vec<u16>,
}

/// Returns all moves in the order of priorities 4 to 6 of the statement: first by direction (horizontal
/// lines before vertical ones), then by side (above or left of the line before the other side), then by
/// line (from the top or left).
fn list_moves(height: usize, width: usize, inc: i32) -> Vec<Move> {
    // Modulo 3, subtracting one equals adding two.
    let step = if inc == 1 { 1 } else { 2 };
    let add = |digits: usize, amounts: &dyn Fn(usize) -> u16| -> Vec<u16> {
        (0..POWERS[digits])
            .map(|value| {
                (0..digits)
                    .map(|i| (value / POWERS[i] + amounts(i)) % 3 * POWERS[i])
                    .sum()
            })
            .collect()
    };
    let mut moves = Vec::new();
    let sides = [true, false];
    for is_before_line in sides {
        for line in 1..height {
            moves.push(Move {
                rows: add(height, &|y| {
                    if (y < line) == is_before_line {
                        step
                    } else {
                        0
                    }
                }),
                columns: add(width - 1, &|_| 0),
            });
        }
    }
    for is_before_line in sides {
        for line in 1..width {
            // The sum of the first column stays 0: the amount for this column is added to all rows instead,
            // and subtracted from the other columns.
            let amount = |x: usize| {
                if (x < line) == is_before_line {
                    step
                } else {
                    0
                }
            };
            let first = amount(0);
            moves.push(Move {
                rows: add(height, &|_| first),
                columns: add(width - 1, &|i| amount(i + 1) + 3 - first),
            });
        }
    }
    moves
}

/// Placeholder for a final position that has not been computed yet. No position has this index.
const UNKNOWN: u16 = u16::MAX;

/// The state of the memoised search.
struct Search<'a> {
    rows: &'a [Vec<u8>],
    turns: usize,
    column_states: usize,
    moves: Vec<Move>,
    /// For each turn and position, the final position of the best play from there, or [`UNKNOWN`].
    ends: Vec<u16>,
    /// For each final position, its rating for each player (see [`Search::rating`]), or `None` if it has not
    /// been computed yet.
    ratings: Vec<Option<[u8; 3]>>,
}

impl Search<'_> {
    /// Returns the sums of the position with this index.
    fn sums(&self, index: usize) -> Sums {
        Sums {
            rows: (index / self.column_states) as u16,
            columns: (index % self.column_states) as u16,
        }
    }

    /// Returns the sums after a move, given by its index in `moves`.
    fn apply_move(&self, number: usize, sums: Sums) -> Sums {
        let mv = &self.moves[number];
        Sums {
            rows: mv.rows[sums.rows as usize],
            columns: mv.columns[sums.columns as usize],
        }
    }

    /// Finds the best play from `sums` after `turn` turns, and returns the index of its final position.
    fn best_end(&mut self, turn: usize, sums: Sums) -> u16 {
        let index = sums.rows as usize * self.column_states + sums.columns as usize;
        if turn == self.turns {
            return index as u16;
        }
        let slot = turn * self.ratings.len() + index;
        if self.ends[slot] != UNKNOWN {
            return self.ends[slot];
        }
        let mut best = (0, UNKNOWN);
        for i in 0..self.moves.len() {
            let next = self.apply_move(i, sums);
            let end = self.best_end(turn + 1, next);
            let rating = self.rating(end, turn % 3);
            // Of equally good moves, the player prefers the first.
            if best.1 == UNKNOWN || rating > best.0 {
                best = (rating, end);
            }
        }
        self.ends[slot] = best.1;
        best.1
    }

    /// Returns the rating of a final position for a player, by priorities 1 to 3 of the statement; higher is
    /// better.
    fn rating(&mut self, end: u16, player: usize) -> u8 {
        let end = end as usize;
        if let Some(ratings) = self.ratings[end] {
            return ratings[player];
        }
        let sums = self.sums(end);
        let mut points = [0_u8; 3];
        for (y, row) in self.rows.iter().enumerate() {
            for (x, &digit) in row.iter().enumerate() {
                if digit != 0 {
                    points[((digit - 1 + sums.sum_at(x, y)) % 3) as usize] += 1;
                }
            }
        }
        let ratings = std::array::from_fn(|player| {
            let own = points[player];
            let others = points[(player + 1) % 3].max(points[(player + 2) % 3]);
            u8::from(own > others) << 6 | u8::from(own >= others) << 5 | own
        });
        self.ratings[end] = Some(ratings);
        ratings[player]
    }
}
