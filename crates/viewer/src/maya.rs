//! Maya: the solution of a puzzle step by step, and puzzles that the user plays by hand.

use crate::manual_game::Action;
use crate::puzzle::{Drag, History, Position, Scene};
use crate::words::count_text;
use columns_puzzles::maya::{HEIGHT, Move, Puzzle, Stacks, WIDTH, format_solution};
use serde::Serialize;

/// Returns the cells of a field: `a` for colour 1, `b` for colour 2, and so on.
fn cells(field: &Stacks) -> String {
    let letter = |colour: u8| match colour {
        0 => '.',
        colour => (b'a' + colour - 1) as char,
    };
    (0..WIDTH * HEIGHT)
        .map(|i| letter(field.colour(i % WIDTH, i / WIDTH)))
        .collect()
}

fn read(text: &str) -> Result<Puzzle, String> {
    text.parse().map_err(|error| format!("{error}"))
}

/// Formats a number of moves: `1 move`, `3 moves`.
fn moves_text(moves: usize) -> String {
    count_text(moves, "move", "moves")
}

/// A puzzle that the user plays by hand, with undo.
pub(crate) struct ManualGame {
    /// The number of moves that the puzzle requires.
    moves: usize,
    history: History<Stacks>,
}

/// The puzzle as the page shows it.
#[derive(Debug, Serialize)]
pub(crate) struct View {
    #[serde(flatten)]
    pub(crate) position: Position,
    /// The fields to animate: the field after the block has moved, then the field after each clearing.
    pub(crate) animated_fields: Vec<String>,
}

impl ManualGame {
    /// Parses a puzzle. Error messages name the invalid line of `text`.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        let puzzle = read(text)?;
        Ok(Self {
            moves: puzzle.move_count(),
            history: History::new(*puzzle.field()),
        })
    }

    /// Drags a block sideways. Does nothing if the move is illegal, or if no moves are left.
    pub(crate) fn drag(&mut self, m: Move) -> View {
        let has_moves_left = self.history.move_count() < self.moves;
        let fields = has_moves_left
            .then(|| self.history.current().steps_of_move(m))
            .flatten();
        let steps = fields.unwrap_or_default();
        if let Some(&last) = steps.last() {
            self.history.push(last);
        }
        self.view(&steps)
    }

    /// Performs undo, redo or restart. Ignores other actions.
    pub(crate) fn perform(&mut self, action: Action) -> View {
        self.history.perform(action);
        self.view(&[])
    }

    /// Returns the puzzle as the page shows it. `steps` holds the fields to animate.
    pub(crate) fn view(&self, steps: &[Stacks]) -> View {
        let done = self.history.move_count();
        let left = self.moves - done;
        let text = match (self.history.current().is_empty(), left) {
            (true, 0) => format!("Solved in {}!", moves_text(done)),
            (true, _) => format!(
                "The field is empty after {}, but the goal is exactly {}.",
                moves_text(done),
                moves_text(self.moves)
            ),
            (false, 0) => format!("No moves left after {}: blocks remain.", moves_text(done)),
            (false, _) => format!("{} left: drag a block sideways.", moves_text(left)),
        };
        let cells_now = cells(self.history.current());
        View {
            position: self.history.position([WIDTH, HEIGHT], cells_now, text),
            animated_fields: steps.iter().map(cells).collect(),
        }
    }
}

/// Solves a puzzle. Returns the initial field, and the fields of the solution if there is one. The text of
/// the last scene contains the answer in the statement's format, with commas instead of line breaks. Error
/// messages name the invalid line of `text`.
pub(crate) fn solve(text: &str) -> Result<Vec<Scene>, String> {
    let puzzle = read(text)?;
    let solution = puzzle.solve();
    let goal = moves_text(puzzle.move_count());
    let start = match &solution {
        Some(_) => format!("Empty the field in exactly {goal}."),
        None => format!("The field cannot be emptied in exactly {goal}."),
    };
    let scene = |field: &Stacks, text| Scene {
        cells: cells(field),
        text,
        ..Scene::default()
    };
    let moves = solution.as_deref().unwrap_or_default();
    let mut field = *puzzle.field();
    let mut scenes = vec![scene(&field, start)];
    for (number, &m) in (1..).zip(moves) {
        let (stack, row, to_right) = (m.stack, m.row, m.to_right);
        let side = if to_right { "right" } else { "left" };
        let to = if to_right { stack + 1 } else { stack - 1 };
        let last = scenes.last_mut().expect("there is a first");
        last.drag = Some(Drag { stack, row, to });
        let fields = field
            .steps_of_move(m)
            .expect("a solution's moves are legal");
        for (step, next) in (0..).zip(fields) {
            let text = match step {
                0 => format!(
                    "Move {number} of {}: stack {}, row {} to the {side}.",
                    moves.len(),
                    stack + 1,
                    row + 1
                ),
                _ => format!("Clearing {step}."),
            };
            scenes.push(scene(&next, text));
            field = next;
        }
    }
    let answer = format_solution(solution.as_deref())
        .trim()
        .replace('\n', ", ");
    let last = scenes.last_mut().expect("there is a first");
    last.text = format!("{} Answer: {answer}.", last.text);
    Ok(scenes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = "3\n1 0\n2 1 0\n2 3 4 0\n3 1 0\n2 4 3 4 0\n";

    #[test]
    fn the_example_of_the_statement_is_solved_step_by_step() {
        let scenes = solve(SAMPLE).unwrap();
        let blocks = |scene: &Scene| scene.cells.chars().filter(|&c| c != '.').count();
        assert_eq!(scenes.first().map(blocks), Some(12));
        assert_eq!(scenes.last().map(blocks), Some(0));
        assert_eq!(scenes.iter().filter(|s| s.drag.is_some()).count(), 3);
        let end = &scenes.last().unwrap().text;
        assert!(end.ends_with(" Answer: 2 1 1, 3 1 1, 3 0 1."), "{end}");
    }

    #[test]
    fn the_example_of_the_statement_can_be_played_by_hand() {
        let mut game = ManualGame::new(SAMPLE).unwrap();
        let mut drag = |stack, row, to_right| {
            game.drag(Move {
                stack,
                row,
                to_right,
            })
        };
        assert!(drag(0, 6, true).position.text.starts_with("3 moves left: "));
        drag(2, 1, true);
        drag(3, 1, true);
        let end = drag(3, 0, true);
        assert_eq!(end.position.text, "Solved in 3 moves!");
        assert!(end.animated_fields.len() > 1 && end.position.cells.chars().all(|c| c == '.'));
        let before = game.perform(Action::Undo).position;
        assert_eq!(before.text, "1 move left: drag a block sideways.");
        let start = game.perform(Action::Restart).position;
        assert!(start.can_redo && !start.can_undo);
    }

    #[test]
    fn a_puzzle_without_a_solution_has_one_scene() {
        let scenes = solve("1\n1 0\n0\n0\n0\n0\n").unwrap();
        let text = "The field cannot be emptied in exactly 1 move. Answer: -1.";
        assert_eq!((scenes.len(), scenes[0].text.as_str()), (1, text));
        assert!(solve("9\n").unwrap_err().contains("line 1"));
    }
}
