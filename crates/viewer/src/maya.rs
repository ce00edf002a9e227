//! Maya: the solution of a puzzle step by step, and the puzzle played by hand.

use crate::hand::Press;
use crate::history::History;
use crate::words::counted;
use columns_puzzles::maya::{HEIGHT, Move, Puzzle, Stacks, WIDTH, format_solution};
use serde::Serialize;

/// A puzzle and its solution.
#[derive(Debug, Serialize)]
pub(crate) struct Solved {
    /// The answer in the statement's format.
    pub(crate) answer: String,
    /// The initial field, then the fields of the solution, if there is one.
    pub(crate) scenes: Vec<Scene>,
}

/// One step of the solution.
#[derive(Debug, Serialize)]
pub(crate) struct Scene {
    /// The field, row by row from the floor up: a letter for a colour (`a` for 1), `.` for an empty
    /// cell.
    pub(crate) cells: String,
    /// The move that leads to the next scene; absent before a clearing and in the last scene.
    pub(crate) drag: Option<Drag>,
    /// The step as a sentence.
    pub(crate) text: String,
}

/// A move of a block to another stack.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Drag {
    pub(crate) stack: usize,
    pub(crate) row: usize,
    /// The stack that the block moves to.
    pub(crate) to: usize,
}

fn cells(field: &Stacks) -> String {
    let letter = |colour: u8| match colour {
        0 => '.',
        colour => (b'a' + colour - 1) as char,
    };
    (0..WIDTH * HEIGHT)
        .map(|i| letter(field.colour(i % WIDTH, i / WIDTH)))
        .collect()
}

/// Formats a number of moves: `1 move`, `3 moves`.
fn moves_text(moves: usize) -> String {
    counted(moves, "move", "moves")
}

/// A puzzle played by hand, with undo.
pub(crate) struct Table {
    /// The number of moves that the puzzle requires.
    moves: usize,
    history: History<Stacks>,
}

/// The state of the puzzle for the page.
#[derive(Debug, Serialize)]
pub(crate) struct View {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// The field, as in [`Scene::cells`].
    pub(crate) cells: String,
    /// The fields to animate: after the block has moved, then after each clearing.
    pub(crate) steps: Vec<String>,
    pub(crate) can_undo: bool,
    pub(crate) can_redo: bool,
    /// The state as a sentence.
    pub(crate) text: String,
}

impl Table {
    /// Parses a puzzle. Error messages name the invalid line of `text`.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        let puzzle: Puzzle = text.parse().map_err(|error| format!("{error}"))?;
        Ok(Self {
            moves: puzzle.moves(),
            history: History::new(*puzzle.field()),
        })
    }

    /// Drags a block sideways. Does nothing if the move is illegal or no moves are left.
    pub(crate) fn drag(&mut self, m: Move) -> View {
        let has_moves_left = self.history.moves() < self.moves;
        let fields = has_moves_left
            .then(|| self.history.now().steps(m))
            .flatten();
        let steps = fields.unwrap_or_default();
        if let Some(&last) = steps.last() {
            self.history.push(last);
        }
        self.view(&steps)
    }

    /// Performs undo, redo or restart. Ignores other actions.
    pub(crate) fn press(&mut self, press: Press) -> View {
        self.history.press(press);
        self.view(&[])
    }

    /// Returns the state for the page, with the fields `steps` to animate.
    pub(crate) fn view(&self, steps: &[Stacks]) -> View {
        let done = self.history.moves();
        let left = self.moves - done;
        let text = match (self.history.now().is_empty(), left) {
            (true, 0) => format!("Solved in {}!", moves_text(done)),
            (true, _) => format!(
                "The field is empty after {}, but the goal is exactly {}.",
                moves_text(done),
                moves_text(self.moves)
            ),
            (false, 0) => format!("No moves left after {}: blocks remain.", moves_text(done)),
            (false, _) => format!("{} left: drag a block sideways.", moves_text(left)),
        };
        View {
            width: WIDTH,
            height: HEIGHT,
            cells: cells(self.history.now()),
            steps: steps.iter().map(cells).collect(),
            can_undo: done > 0,
            can_redo: self.history.can_redo(),
            text,
        }
    }
}

/// Solves a puzzle. Error messages name the invalid line of `text`.
pub(crate) fn solve(text: &str) -> Result<Solved, String> {
    let puzzle: Puzzle = text.parse().map_err(|error| format!("{error}"))?;
    let solution = puzzle.solve();
    let mut field = *puzzle.field();
    let moves = solution.clone().unwrap_or_default();
    let mut scenes = vec![Scene {
        cells: cells(&field),
        drag: None,
        text: match &solution {
            Some(_) => format!("Empty the field in exactly {}.", moves_text(puzzle.moves())),
            None => format!(
                "The field cannot be emptied in exactly {}.",
                moves_text(puzzle.moves())
            ),
        },
    }];
    for (index, &m) in moves.iter().enumerate() {
        let to = if m.right { m.stack + 1 } else { m.stack - 1 };
        let last = scenes.last_mut().expect("there is a first");
        last.drag = Some(Drag {
            stack: m.stack,
            row: m.row,
            to,
        });
        let steps = field.steps(m).expect("a solution's moves are legal");
        for (step, next) in steps.iter().enumerate() {
            let text = if step == 0 {
                let side = if m.right { "right" } else { "left" };
                format!(
                    "Move {} of {}: stack {}, row {} to the {side}.",
                    index + 1,
                    moves.len(),
                    m.stack + 1,
                    m.row + 1
                )
            } else {
                format!("Clearing {step}.")
            };
            scenes.push(Scene {
                cells: cells(next),
                drag: None,
                text,
            });
        }
        field = steps[steps.len() - 1];
    }
    Ok(Solved {
        answer: format_solution(solution.as_deref()),
        scenes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = "3\n1 0\n2 1 0\n2 3 4 0\n3 1 0\n2 4 3 4 0\n";

    #[test]
    fn the_example_of_the_statement_is_solved_step_by_step() {
        let solved = solve(SAMPLE).unwrap();
        assert_eq!(solved.answer, "2 1 1\n3 1 1\n3 0 1\n");
        let blocks = |scene: &Scene| scene.cells.chars().filter(|&c| c != '.').count();
        assert_eq!(solved.scenes.first().map(blocks), Some(12));
        assert_eq!(solved.scenes.last().map(blocks), Some(0));
        assert_eq!(solved.scenes.iter().filter(|s| s.drag.is_some()).count(), 3);
    }

    #[test]
    fn the_example_of_the_statement_can_be_played_by_hand() {
        let mut table = Table::new(SAMPLE).unwrap();
        let mut drag = |stack, row, right| table.drag(Move { stack, row, right });
        assert!(drag(0, 6, true).text.starts_with("3 moves left: "));
        drag(2, 1, true);
        drag(3, 1, true);
        let end = drag(3, 0, true);
        assert_eq!(end.text, "Solved in 3 moves!");
        assert!(end.steps.len() > 1 && end.cells.chars().all(|c| c == '.'));
        let before = table.press(Press::Undo);
        assert_eq!(before.text, "1 move left: drag a block sideways.");
        let start = table.press(Press::Restart);
        assert!(start.can_redo && !start.can_undo);
    }

    #[test]
    fn a_puzzle_without_a_solution_has_one_scene() {
        let solved = solve("1\n1 0\n0\n0\n0\n0\n").unwrap();
        assert_eq!((solved.scenes.len(), solved.answer.as_str()), (1, "-1\n"));
        assert!(solve("9\n").unwrap_err().contains("line 1"));
    }
}
