//! SameGame: games that the user plays by hand, with hints from the solver.

use crate::manual_game::Action;
use crate::words::count_text;
use columns_core::text::group_digits;
use columns_puzzles::samegame::random_board;
use columns_puzzles::samegame::solver::{self, Limit, MAX_SIDE, Options};
use columns_puzzles::samegame::{Board, Cell, ScoredGame, Scoring, Tile, notation};
use serde::{Deserialize, Serialize};

/// A game that the user plays by hand, with undo.
pub(crate) struct ManualGame {
    scoring: Scoring,
    /// All positions so far. The last one is the current position.
    positions: Vec<ScoredGame>,
    /// The undone positions. Redo restores the last one.
    redo_stack: Vec<ScoredGame>,
}

/// The game as the page shows it.
#[derive(Debug, Serialize)]
pub(crate) struct View {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// The board, row by row from the floor up: a letter or digit for each tile, `.` for an empty cell.
    pub(crate) cells: String,
    pub(crate) can_undo: bool,
    pub(crate) can_redo: bool,
    /// A sentence that describes the position.
    pub(crate) text: String,
    /// The group of each cell, as an index into `group_sizes_and_points`; −1 if no group contains the cell.
    pub(crate) group_of_cell: Vec<i32>,
    /// The number of tiles and the points of each group.
    pub(crate) group_sizes_and_points: Vec<(usize, f64)>,
    /// True if no moves are left.
    pub(crate) is_over: bool,
    /// The board as text, top row first.
    pub(crate) board: String,
}

/// The parameters of a random board.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct RandomBoard {
    pub(crate) seed: u64,
    /// Number of columns, 2 to 40.
    pub(crate) width: usize,
    /// Number of rows, 2 to 40.
    pub(crate) height: usize,
    /// Number of colours, 1 to 26.
    pub(crate) colours: usize,
}

impl RandomBoard {
    /// Generates the board. Clamps the sizes and the number of colours to their ranges.
    pub(crate) fn generate(&self) -> Board {
        let [width, height] = [self.width, self.height].map(|side| side.clamp(2, 40));
        random_board(self.seed, width, height, self.colours.clamp(1, 26))
    }
}

/// Parses the first board in the text. Returns an error if the text is invalid, or if the board is too large
/// for the solver.
pub(crate) fn parse_board(text: &str) -> Result<Board, String> {
    let mut boards = notation::parse_boards(text).map_err(|error| error.to_string())?;
    let board = boards.swap_remove(0);
    if board.width().max(board.height()) > MAX_SIDE {
        return Err(format!(
            "a board may have up to {MAX_SIDE} × {MAX_SIDE} tiles, this one has {} × {}",
            board.width(),
            board.height()
        ));
    }
    Ok(board)
}

impl ManualGame {
    pub(crate) fn new(board: Board, scoring: Scoring) -> Self {
        Self {
            scoring,
            positions: vec![ScoredGame::new(board, scoring)],
            redo_stack: Vec::new(),
        }
    }

    fn current(&self) -> &ScoredGame {
        self.positions
            .last()
            .expect("undo keeps the first position")
    }

    /// Removes the group of a tile. If the move is illegal, the text of the view explains why.
    pub(crate) fn remove(&mut self, cell: Cell) -> View {
        let mut next = self.current().clone();
        if next.remove_group(cell) == 0 {
            let mut view = self.view();
            view.text = "Only groups of two or more tiles can be removed.".into();
            return view;
        }
        self.positions.push(next);
        self.redo_stack.clear();
        self.view()
    }

    /// Performs undo, redo or restart. Ignores other actions.
    pub(crate) fn perform(&mut self, action: Action) -> View {
        match action {
            Action::Undo if self.positions.len() > 1 => {
                self.redo_stack.extend(self.positions.pop());
            }
            Action::Redo => self.positions.extend(self.redo_stack.pop()),
            Action::Restart => self.redo_stack.extend(self.positions.drain(1..).rev()),
            _ => {}
        }
        self.view()
    }

    /// Returns the game as the page shows it.
    pub(crate) fn view(&self) -> View {
        let scored_game = self.current();
        let game = scored_game.board();
        let (width, height) = (game.width(), game.height());
        let mut group_of_cell = vec![-1; width * height];
        let mut group_sizes_and_points = Vec::new();
        for (number, (cell, size)) in game.groups().into_iter().enumerate() {
            group_sizes_and_points.push((size, self.scoring.group_points(size)));
            mark_group(game, cell, number as i32, &mut group_of_cell);
        }
        let board = game.to_string();
        let cells = board.lines().rev().collect();
        let is_over = game.is_over();
        let left = count_text(game.tile_count(), "tile", "tiles");
        let text = match (is_over, game.tile_count()) {
            (true, 0) => format!("Cleared! Score {}.", score_text(scored_game.score())),
            (true, rest) => format!(
                "No moves left: {left} {}. Score {}.",
                if rest == 1 { "remains" } else { "remain" },
                score_text(scored_game.score())
            ),
            _ => format!("{left}, {}.", points_text(scored_game.points())),
        };
        View {
            width,
            height,
            cells,
            can_undo: self.positions.len() > 1,
            can_redo: !self.redo_stack.is_empty(),
            text,
            group_of_cell,
            group_sizes_and_points,
            is_over,
            board,
        }
    }
}

/// Formats a score with thousands separators. Ignores fractions, since the page's scorings have none.
fn score_text(score: f64) -> String {
    let sign = if score < 0.0 { "−" } else { "" };
    format!("{sign}{}", group_digits(score.abs() as u64))
}

/// Formats points: `1 point`, `1,234 points`.
fn points_text(score: f64) -> String {
    let unit = if score == 1.0 { "point" } else { "points" };
    format!("{} {unit}", score_text(score))
}

/// Flood-fills the group of `start`: sets its entries in `groups` to `number`.
fn mark_group(game: &Board, start: Cell, number: i32, groups: &mut [i32]) {
    let width = game.width();
    let colour = game.tile(start);
    let mut stack = vec![start];
    while let Some(cell) = stack.pop() {
        let place = cell.row * width + cell.column;
        if game.tile(cell) != colour || groups[place] != -1 {
            continue;
        }
        groups[place] = number;
        let Cell { column, row } = cell;
        stack.extend([Cell::new(column + 1, row), Cell::new(column, row + 1)]);
        stack.extend(column.checked_sub(1).map(|column| Cell::new(column, row)));
        stack.extend(row.checked_sub(1).map(|row| Cell::new(column, row)));
    }
}

/// The move that the solver recommends.
#[derive(Debug, Serialize)]
pub(crate) struct Hint {
    /// Column and row of a tile in the group to remove; `None` if no move improves the score.
    pub(crate) cell: Option<(usize, usize)>,
    /// The recommendation and its reason as a sentence.
    pub(crate) text: String,
}

/// Searches for the best next move, with a budget of `nodes` positions.
pub(crate) fn recommend(
    board: &str,
    scoring: Scoring,
    nodes: u64,
    clock: &dyn Fn() -> f64,
) -> Result<Hint, String> {
    let game = parse_board(board)?;
    let options = Options {
        limit: Limit::Nodes(nodes),
        ..Options::new(scoring)
    };
    let solution = solver::solve(&game, &options, clock);
    let Some(&cell) = solution.moves.first() else {
        return Ok(Hint {
            cell: None,
            text: "No move improves the score.".into(),
        });
    };
    let mut end = ScoredGame::new(game.clone(), scoring);
    let size = end.clone().remove_group(cell);
    for &cell in &solution.moves {
        end.remove_group(cell);
    }
    let optimal = solution.is_optimal;
    let optimality_note = if optimal { "; it is optimal" } else { "" };
    let ending = match end.board().tile_count() {
        0 => "clears the board".to_string(),
        left => format!("leaves {}", count_text(left, "tile", "tiles")),
    };
    Ok(Hint {
        cell: Some((cell.column, cell.row)),
        text: format!(
            "Remove the {} of colour {}: the solver's best line gains {} in {} and {ending}{}.",
            count_text(size, "tile", "tiles"),
            game.tile(cell).map_or('?', Tile::to_char),
            points_text(end.score()),
            count_text(solution.moves.len(), "move", "moves"),
            optimality_note
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_can_be_undone_and_redone() {
        let mut game = ManualGame::new(parse_board("ABB\nABA\nAAA\n").unwrap(), Scoring::TOPCODER);
        let view = game.view();
        assert_eq!(view.cells, "AAAABAABB");
        assert_eq!(view.group_of_cell, [0, 0, 0, 0, 1, 0, 0, 1, 1]);
        assert_eq!(view.group_sizes_and_points, [(6, 15.0), (3, 3.0)]);
        game.remove(Cell::new(1, 1));
        game.remove(Cell::new(0, 0));
        let end = game.view();
        assert_eq!(
            (end.is_over, end.text.as_str()),
            (true, "Cleared! Score 72.")
        );
        let start = game.perform(Action::Restart);
        assert!(start.can_redo && !start.can_undo);
        assert_eq!(game.perform(Action::Redo).text, "6 tiles, 3 points.");
        // An illegal move changes only the text.
        let same = game.remove(Cell::new(9, 9));
        assert!(same.text.starts_with("Only groups") && same.can_redo);
    }

    #[test]
    fn a_hint_names_a_move_and_the_points_of_its_line() {
        let ask = |board: &str| recommend(board, Scoring::TOPCODER, 500, &|| 0.0);
        let Hint { cell, text } = ask("ABB\nABA\nAAA\n").unwrap();
        let line = "gains 72 points in 2 moves and clears the board; it is optimal";
        assert!(cell.is_some() && text.contains(line), "{text}");
        assert_eq!(ask("AB\nBA").unwrap().cell, None);
        assert!(ask("A!").is_err());
    }

    #[test]
    fn a_random_board_has_the_chosen_size_and_depends_on_its_seed() {
        let random = |seed| {
            RandomBoard {
                seed,
                width: 15,
                height: 10,
                colours: 5,
            }
            .generate()
        };
        assert_eq!((random(1).width(), random(1).height()), (15, 10));
        assert_ne!(random(1), random(2));
    }

    #[test]
    fn a_board_too_large_for_the_solver_is_rejected() {
        let error = parse_board(&"A".repeat(65)).unwrap_err();
        assert!(error.contains("64 × 64"), "{error}");
    }
}
