//! A Maya puzzle: its solution, one picture after the other, and the same by hand.

use crate::hand::Press;
use crate::past::Past;
use crate::words::counted;
use columns_core::puzzles::maya::{answer, Move, Puzzle, Stacks, HEIGHT, WIDTH};
use serde::Serialize;

/// A puzzle, solved.
#[derive(Debug, Serialize)]
pub struct Solved {
    /// The answer as the statement asks for it.
    pub answer: String,
    /// The pictures, the first field first; that alone where there is no solution.
    pub scenes: Vec<Scene>,
}

/// One picture.
#[derive(Debug, Serialize)]
pub struct Scene {
    /// The field: a letter for a colour (`a` for 1), `.` for an empty cell; row by row
    /// from the floor up.
    pub cells: String,
    /// The block that is moved next, and where to.
    pub drag: Option<Drag>,
    /// The same in words.
    pub text: String,
}

/// A move to be drawn.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Drag {
    /// The stack of the block.
    pub stack: usize,
    /// Its row.
    pub row: usize,
    /// The stack that it goes to.
    pub to: usize,
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

/// `1 move`, `3 moves`.
fn told(moves: usize) -> String {
    counted(moves, "move", "moves")
}

/// A puzzle played by hand, with its past.
pub struct Table {
    moves: usize,
    past: Past<Stacks>,
}

/// What a player sees.
#[derive(Debug, Serialize)]
pub struct View {
    /// Number of stacks.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// The field, as in [`Scene::cells`].
    pub cells: String,
    /// What came before it since the last move: the block moved, then each clearing.
    pub way: Vec<String>,
    /// Whether a move can be taken back, or made again.
    pub can_undo: bool,
    /// See `can_undo`.
    pub can_redo: bool,
    /// All that in a sentence.
    pub text: String,
}

impl Table {
    /// A puzzle before the first move.
    ///
    /// # Errors
    /// The line of the mistake in it.
    pub fn new(text: &str) -> Result<Self, String> {
        let puzzle: Puzzle = text.parse().map_err(|error| format!("{error}"))?;
        Ok(Self {
            moves: puzzle.moves(),
            past: Past::new(*puzzle.field()),
        })
    }

    /// Drags a block to the side; nothing happens where that is no move, or none is left.
    pub fn drag(&mut self, m: Move) -> View {
        let is_left = self.past.moves() < self.moves;
        let way = is_left.then(|| self.past.now().way(m)).flatten();
        let way = way.unwrap_or_default();
        if let Some(&last) = way.last() {
            self.past.push(last);
        }
        self.view(&way)
    }

    /// Walks through the moves.
    pub fn press(&mut self, press: Press) -> View {
        self.past.press(press);
        self.view(&[])
    }

    /// What a player sees, having come by some fields.
    pub fn view(&self, way: &[Stacks]) -> View {
        let done = self.past.moves();
        let left = self.moves - done;
        let text = match (self.past.now().is_empty(), left) {
            (true, 0) => format!("Solved in {}!", told(done)),
            (true, _) => format!(
                "The field is empty after {}, but it must take exactly {}.",
                told(done),
                told(self.moves)
            ),
            (false, 0) => format!("All {} are made, and blocks remain.", told(done)),
            (false, _) => format!("{} left: drag a block to the side.", told(left)),
        };
        View {
            width: WIDTH,
            height: HEIGHT,
            cells: cells(self.past.now()),
            way: way.iter().map(cells).collect(),
            can_undo: done > 0,
            can_redo: self.past.can_redo(),
            text,
        }
    }
}

/// Solves a puzzle.
///
/// # Errors
/// The line of the mistake in it.
#[allow(clippy::missing_panics_doc, reason = "a solution can be played")]
pub fn solve(text: &str) -> Result<Solved, String> {
    let puzzle: Puzzle = text.parse().map_err(|error| format!("{error}"))?;
    let solution = puzzle.solve();
    let mut field = *puzzle.field();
    let moves = solution.clone().unwrap_or_default();
    let mut scenes = vec![Scene {
        cells: cells(&field),
        drag: None,
        text: match &solution {
            Some(_) => format!("Empty the field in exactly {}.", told(puzzle.moves())),
            None => format!(
                "The field cannot be emptied in exactly {}.",
                told(puzzle.moves())
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
        let way = field.way(m).expect("a solution's moves are legal");
        for (step, next) in way.iter().enumerate() {
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
        field = way[way.len() - 1];
    }
    Ok(Solved {
        answer: answer(solution.as_deref()),
        scenes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = "3\n1 0\n2 1 0\n2 3 4 0\n3 1 0\n2 4 3 4 0\n";

    #[test]
    fn the_example_of_the_statement_step_by_step() {
        let solved = solve(SAMPLE).unwrap();
        assert_eq!(solved.answer, "2 1 1\n3 1 1\n3 0 1\n");
        let blocks = |scene: &Scene| scene.cells.chars().filter(|&c| c != '.').count();
        assert_eq!(solved.scenes.first().map(blocks), Some(12));
        assert_eq!(solved.scenes.last().map(blocks), Some(0));
        assert_eq!(solved.scenes.iter().filter(|s| s.drag.is_some()).count(), 3);
    }

    #[test]
    fn the_same_by_hand() {
        let mut table = Table::new(SAMPLE).unwrap();
        let mut drag = |stack, row, right| table.drag(Move { stack, row, right });
        assert!(drag(0, 6, true).text.starts_with("3 moves left: "));
        drag(2, 1, true);
        drag(3, 1, true);
        let end = drag(3, 0, true);
        assert_eq!(end.text, "Solved in 3 moves!");
        assert!(end.way.len() > 1 && end.cells.chars().all(|c| c == '.'));
        let before = table.press(Press::Undo);
        assert_eq!(before.text, "1 move left: drag a block to the side.");
        let start = table.press(Press::Restart);
        assert!(start.can_redo && !start.can_undo);
    }

    #[test]
    fn without_a_solution_there_is_the_field() {
        let solved = solve("1\n1 0\n0\n0\n0\n0\n").unwrap();
        assert_eq!((solved.scenes.len(), solved.answer.as_str()), (1, "-1\n"));
        assert!(solve("9\n").unwrap_err().contains("line 1"));
    }
}
