//! The turns of the best play, found by remembering positions.
//!
//! The order of additions does not matter, and digits wrap. So a position is fully known from how
//! often, modulo 3, each row and each column was part of a chosen group. To add one to every row is
//! the same as to add one to every column, so the first column's count can be kept at 0: on 5 × 5
//! that leaves 3⁵ · 3⁴ = 19,683 positions a turn.

/// The squares on one side of a line: what a player changes in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// Whether the line is horizontal.
    pub horizontal: bool,
    /// How many rows are above it, or columns left of it.
    pub line: usize,
    /// Whether it is the side above or left of the line.
    pub first_side: bool,
}

/// How much has been added to each row and each column, modulo 3.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shift {
    /// Base 3, the topmost row in the lowest digit.
    rows: u16,
    /// Base 3, the second column in the lowest digit; the first has 0.
    columns: u16,
}

const POWERS: [u16; 6] = [1, 3, 9, 27, 81, 243];

impl Shift {
    const NONE: Self = Self {
        rows: 0,
        columns: 0,
    };

    /// What is added to the square in column `x` and row `y`, 0 to 2.
    pub(super) fn at(self, x: usize, y: usize) -> u8 {
        let row = self.rows / POWERS[y];
        let column = match x {
            0 => 0,
            _ => self.columns / POWERS[x - 1],
        };
        ((row % 3 + column % 3) % 3) as u8
    }
}

/// Every turn of the game: the group that its player chooses, and what has been added after it.
pub(super) fn way(rows: &[Vec<u8>], inc: i32, turns: usize) -> Vec<(Group, Shift)> {
    let (height, width) = (rows.len(), rows[0].len());
    let row_states = POWERS[height] as usize;
    let column_states = POWERS[width - 1] as usize;
    let mut play = Play {
        rows,
        turns,
        column_states,
        moves: moves(height, width, inc),
        ends: vec![UNKNOWN; row_states * column_states * turns],
        keys: vec![None; row_states * column_states],
    };
    let mut now = Shift::NONE;
    let mut way = Vec::with_capacity(turns);
    for turn in 0..turns {
        // The first move that ends where the best play ends is the one preferred.
        let end = play.end(turn, now);
        let chosen = (0..play.moves.len()).find(|&i| {
            let next = play.after(i, now);
            play.end(turn + 1, next) == end
        });
        let chosen = chosen.expect("the best end is that of a move");
        now = play.after(chosen, now);
        way.push((group(chosen, height, width), now));
    }
    way
}

/// The group that a move changes, by its number in [`moves`].
fn group(number: usize, height: usize, width: usize) -> Group {
    let (horizontal, number, lines) = match number.checked_sub(2 * (height - 1)) {
        None => (true, number, height - 1),
        Some(number) => (false, number, width - 1),
    };
    Group {
        horizontal,
        line: number % lines + 1,
        first_side: number < lines,
    }
}

/// A move as tables: what it makes of each digit string of rows and of columns.
struct Move {
    rows: Vec<u16>,
    columns: Vec<u16>,
}

/// All moves, in the order of the priorities 4 to 6: horizontal lines first,
/// then the group on the left or top, then lines on the left or top.
fn moves(height: usize, width: usize, inc: i32) -> Vec<Move> {
    // Subtracting one is adding two.
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
    for first_side in sides {
        for line in 1..height {
            moves.push(Move {
                rows: add(height, &|y| if (y < line) == first_side { step } else { 0 }),
                columns: add(width - 1, &|_| 0),
            });
        }
    }
    for first_side in sides {
        for line in 1..width {
            // The first column keeps its 0: what would be added to it is added to all rows, and
            // taken from the other columns.
            let chosen = |x: usize| if (x < line) == first_side { step } else { 0 };
            let first = chosen(0);
            moves.push(Move {
                rows: add(height, &|_| first),
                columns: add(width - 1, &|i| chosen(i + 1) + 3 - first),
            });
        }
    }
    moves
}

/// No position has this number.
const UNKNOWN: u16 = u16::MAX;

struct Play<'a> {
    rows: &'a [Vec<u8>],
    turns: usize,
    column_states: usize,
    moves: Vec<Move>,
    /// By turn and position: the position in which the game ends from there.
    ends: Vec<u16>,
    /// By position at the end: its worth for each player, see `key`.
    keys: Vec<Option<[u8; 3]>>,
}

impl Play<'_> {
    fn shift(&self, index: usize) -> Shift {
        Shift {
            rows: (index / self.column_states) as u16,
            columns: (index % self.column_states) as u16,
        }
    }

    /// What has been added once a move was made.
    fn after(&self, number: usize, shift: Shift) -> Shift {
        let made = &self.moves[number];
        Shift {
            rows: made.rows[shift.rows as usize],
            columns: made.columns[shift.columns as usize],
        }
    }

    /// Where the game ends when `turn` turns have led to `shift`.
    fn end(&mut self, turn: usize, shift: Shift) -> u16 {
        let index = shift.rows as usize * self.column_states + shift.columns as usize;
        if turn == self.turns {
            return index as u16;
        }
        let slot = turn * self.keys.len() + index;
        if self.ends[slot] != UNKNOWN {
            return self.ends[slot];
        }
        let mut best = (0, UNKNOWN);
        for i in 0..self.moves.len() {
            let next = self.after(i, shift);
            let end = self.end(turn + 1, next);
            let key = self.key(end, turn % 3);
            // The first of equal moves is preferred.
            if best.1 == UNKNOWN || key > best.0 {
                best = (key, end);
            }
        }
        self.ends[slot] = best.1;
        best.1
    }

    /// The priorities 1 to 3 of a player as one number, more is better.
    fn key(&mut self, end: u16, player: usize) -> u8 {
        let end = end as usize;
        if let Some(keys) = self.keys[end] {
            return keys[player];
        }
        let shift = self.shift(end);
        let mut points = [0_u8; 3];
        for (y, row) in self.rows.iter().enumerate() {
            for (x, &digit) in row.iter().enumerate() {
                if digit != 0 {
                    points[((digit - 1 + shift.at(x, y)) % 3) as usize] += 1;
                }
            }
        }
        let keys = std::array::from_fn(|player| {
            let own = points[player];
            let others = points[(player + 1) % 3].max(points[(player + 2) % 3]);
            u8::from(own > others) << 6 | u8::from(own >= others) << 5 | own
        });
        self.keys[end] = Some(keys);
        keys[player]
    }
}
