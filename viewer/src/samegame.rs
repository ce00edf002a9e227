//! SameGame on the page.

use crate::hand::Press;
use crate::past::Past;
use crate::words::counted;
use columns_core::puzzles::samegame::solver::{self, Limit, Options};
use columns_core::puzzles::samegame::{notation, Cell, SameGame, Scoring, Tally, Tile};
use columns_core::text::grouped;
use columns_generator::samegame::random_board;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A game with its past.
pub struct Table {
    scoring: Scoring,
    past: Past<Tally>,
}

/// What is to be seen.
#[derive(Debug, Serialize)]
pub struct View {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// A letter or digit for a tile, `.` for an empty place; row by row from the bottom up.
    pub cells: String,
    /// The letters and digits that occurred at the start, in order.
    pub palette: String,
    /// For each cell the number of its group from 0, or −1 where it cannot go.
    pub groups: Vec<i32>,
    /// For each group how many tiles it has and what it pays.
    pub pays: Vec<(usize, f64)>,
    /// Whether no move is left.
    pub over: bool,
    /// Whether a move can be taken back, or made again.
    pub can_undo: bool,
    /// See `can_undo`.
    pub can_redo: bool,
    /// The rows as text, the topmost first.
    pub board: String,
    /// All that in a sentence.
    pub text: String,
}

/// A random board to be drawn.
#[derive(Debug, Default, Deserialize)]
pub struct Drawn {
    /// The seed.
    pub seed: u64,
    /// Number of columns, 2 to 40.
    pub width: usize,
    /// Number of rows, 2 to 40.
    pub height: usize,
    /// Number of colours, 1 to 26.
    pub colours: usize,
}

impl Drawn {
    /// The board, with the nearest size and number of colours that there may be.
    pub fn board(&self) -> SameGame {
        let [width, height] = [self.width, self.height].map(|side| side.clamp(2, 40));
        random_board(self.seed, width, height, self.colours.clamp(1, 26))
    }
}

/// Largest side of a board that the page takes: what the solver takes.
const SIDE: usize = solver::MAX_SIDE;

/// Reads a board.
///
/// # Errors
/// The mistake in it, or that it is too large for the page.
pub fn read(text: &str) -> Result<SameGame, String> {
    let mut boards = notation::parse_boards(text).map_err(|error| error.to_string())?;
    let board = boards.swap_remove(0);
    if board.width().max(board.height()) > SIDE {
        return Err(format!(
            "the page takes boards of up to {SIDE} × {SIDE}, this one is {} × {}",
            board.width(),
            board.height()
        ));
    }
    Ok(board)
}

impl Table {
    /// The start of a game.
    pub fn new(board: SameGame, scoring: Scoring) -> Self {
        Self {
            scoring,
            past: Past::new(Tally::new(board, scoring)),
        }
    }

    /// Removes the group of a tile; where it cannot go, what is to be seen says why.
    pub fn remove(&mut self, cell: Cell) -> View {
        let mut next = self.past.now().clone();
        if next.remove(cell) == 0 {
            return View {
                text: "Only a group of two tiles or more can go.".into(),
                ..self.view()
            };
        }
        self.past.push(next);
        self.view()
    }

    /// Walks through the moves.
    pub fn press(&mut self, press: Press) -> View {
        self.past.press(press);
        self.view()
    }

    /// What is to be seen.
    pub fn view(&self) -> View {
        let tally = self.past.now();
        let game = tally.game();
        let (width, height) = (game.width(), game.height());
        let tile = |game: &SameGame, i: usize| game.tile(Cell::new(i % width, i / width));
        let mut groups = vec![-1; width * height];
        let mut pays = Vec::new();
        for (number, (cell, size)) in game.groups().into_iter().enumerate() {
            pays.push((size, self.scoring.group_points(size)));
            mark(game, cell, number as i32, &mut groups);
        }
        let shown = |i| tile(game, i).map_or('.', Tile::to_char);
        let first = self.past.first().game();
        let palette: BTreeSet<char> = (0..width * height)
            .filter_map(|i| tile(first, i))
            .map(Tile::to_char)
            .collect();
        let over = game.no_more_valid_moves();
        let left = counted(game.tiles_left(), "tile", "tiles");
        View {
            width,
            height,
            cells: (0..width * height).map(shown).collect(),
            palette: palette.into_iter().collect(),
            groups,
            pays,
            over,
            can_undo: self.past.moves() > 0,
            can_redo: self.past.can_redo(),
            board: game.to_string(),
            text: match (over, game.tiles_left()) {
                (true, 0) => format!("Cleared! Score {}.", amount(tally.score())),
                (true, rest) => format!(
                    "No move is left, {left} {}. Score {}.",
                    if rest == 1 { "remains" } else { "remain" },
                    amount(tally.score())
                ),
                _ => format!("{left}, {}.", points(tally.points())),
            },
        }
    }
}

/// A score with commas; the largest has ten digits, and halves do occur.
fn amount(score: f64) -> String {
    let whole = grouped(score.abs().trunc() as u64);
    let half = if score.fract() == 0.0 { "" } else { ".5" };
    format!("{}{whole}{half}", if score < 0.0 { "−" } else { "" })
}

/// `1 point`, `1,234 points`.
fn points(score: f64) -> String {
    let unit = if score == 1.0 { "point" } else { "points" };
    format!("{} {unit}", amount(score))
}

/// Writes a number on all tiles of a group.
fn mark(game: &SameGame, start: Cell, number: i32, groups: &mut [i32]) {
    let width = game.width();
    let colour = game.tile(start);
    let mut open = vec![start];
    while let Some(cell) = open.pop() {
        let place = cell.row * width + cell.column;
        if !game.is_valid_index(cell) || game.tile(cell) != colour || groups[place] != -1 {
            continue;
        }
        groups[place] = number;
        let Cell { column, row } = cell;
        open.extend([Cell::new(column + 1, row), Cell::new(column, row + 1)]);
        open.extend(column.checked_sub(1).map(|column| Cell::new(column, row)));
        open.extend(row.checked_sub(1).map(|row| Cell::new(column, row)));
    }
}

/// What the solver would remove, and why.
#[derive(Debug, Serialize)]
pub struct Hint {
    /// The column and row of a tile of the group; `None` where nothing more is worth it.
    pub cell: Option<(usize, usize)>,
    /// Why.
    pub text: String,
}

/// The best next move, by the solver with a budget of `nodes` states.
///
/// # Errors
/// The mistake in the board.
pub fn hint(
    board: &str,
    scoring: Scoring,
    nodes: u64,
    clock: &dyn Fn() -> f64,
) -> Result<Hint, String> {
    let game = read(board)?;
    if game.no_more_valid_moves() {
        return Ok(Hint {
            cell: None,
            text: "No move is left.".into(),
        });
    }
    let options = Options {
        limit: Limit::Nodes(nodes),
        ..Options::new(scoring)
    };
    let solution = solver::solve(&game, &options, clock).map_err(|error| error.to_string())?;
    let Some(&cell) = solution.moves.first() else {
        return Ok(Hint {
            cell: None,
            text: "Any further move would cost points.".into(),
        });
    };
    let mut end = Tally::new(game.clone(), scoring);
    let size = end.clone().remove(cell);
    for &cell in &solution.moves {
        end.remove(cell);
    }
    let ending = match end.game().tiles_left() {
        0 => "clears the board".to_string(),
        left => format!("leaves {}", counted(left, "tile", "tiles")),
    };
    Ok(Hint {
        cell: Some((cell.column, cell.row)),
        text: format!(
            "Remove the {} of {}: the best way on that the solver found brings {} more in {} and {ending}{}.",
            counted(size, "tile", "tiles"),
            game.tile(cell).map_or('?', Tile::to_char),
            points(end.score()),
            counted(solution.moves.len(), "move", "moves"),
            if solution.optimal { "; there is none better" } else { "" }
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_game_with_its_past() {
        let mut table = Table::new(read("ABB\nABA\nAAA\n").unwrap(), Scoring::TOPCODER);
        let view = table.view();
        assert_eq!([view.cells, view.palette], ["AAAABAABB", "AB"]);
        assert_eq!(view.groups, [0, 0, 0, 0, 1, 0, 0, 1, 1]);
        assert_eq!(view.pays, [(6, 15.0), (3, 3.0)]);
        table.remove(Cell::new(1, 1));
        table.remove(Cell::new(0, 0));
        let end = table.view();
        assert_eq!((end.over, end.text.as_str()), (true, "Cleared! Score 72."));
        let start = table.press(Press::Restart);
        assert!(start.can_redo && !start.can_undo);
        assert_eq!(table.press(Press::Redo).text, "6 tiles, 3 points.");
        // A move that is none changes nothing, and is told.
        let same = table.remove(Cell::new(9, 9));
        assert!(same.text.starts_with("Only a group") && same.can_redo);
    }

    #[test]
    fn a_hint_is_a_move_and_says_what_it_brings() {
        let ask = |board: &str| hint(board, Scoring::TOPCODER, 500, &|| 0.0);
        let Hint { cell, text } = ask("ABB\nABA\nAAA\n").unwrap();
        let brings = "72 points more in 2 moves and clears the board; there is none better";
        assert!(cell.is_some() && text.contains(brings), "{text}");
        assert_eq!(ask("AB\nBA").unwrap().cell, None);
        assert!(ask("A!").is_err());
    }

    #[test]
    fn boards_are_drawn_by_seed() {
        let random = |seed| {
            let drawn = json!({ "seed": seed, "width": 15, "height": 10, "colours": 5 });
            serde_json::from_value::<Drawn>(drawn).unwrap().board()
        };
        let board = random(1);
        assert_eq!((board.width(), board.tiles_left()), (15, 150));
        assert_eq!(board, random(1));
        assert_ne!(board, random(2));
        assert!(read(&"A".repeat(65)).unwrap_err().contains("64 × 64"));
    }
}
