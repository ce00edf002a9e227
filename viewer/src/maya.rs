//! A Maya puzzle and its solution, one picture after the other.

use columns_core::puzzles::maya::{answer, Field, Puzzle, HEIGHT, WIDTH};
use serde::Serialize;

/// A puzzle, solved.
#[derive(Debug, Serialize)]
pub struct Solved {
    /// Number of stacks.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// How many moves were asked for.
    pub moves: usize,
    /// Whether there is a solution.
    pub solvable: bool,
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
    /// How many moves have been made.
    pub done: usize,
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

fn cells(field: &Field) -> String {
    let letter = |colour: u8| match colour {
        0 => '.',
        colour => (b'a' + colour - 1) as char,
    };
    (0..WIDTH * HEIGHT)
        .map(|i| letter(field.colour(i % WIDTH, i / WIDTH)))
        .collect()
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
        done: 0,
        text: match &solution {
            Some(moves) => format!("Empty the field in exactly {} moves.", moves.len()),
            None => format!("It cannot be emptied in exactly {} moves.", puzzle.moves()),
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
                done: index + 1,
                text,
            });
        }
        field = way[way.len() - 1];
    }
    Ok(Solved {
        width: WIDTH,
        height: HEIGHT,
        moves: puzzle.moves(),
        solvable: solution.is_some(),
        answer: answer(solution.as_deref()),
        scenes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_statement_step_by_step() {
        let solved = solve("3\n1 0\n2 1 0\n2 3 4 0\n3 1 0\n2 4 3 4 0\n").unwrap();
        assert_eq!(solved.answer, "2 1 1\n3 1 1\n3 0 1\n");
        assert_eq!(
            solved.scenes[0].cells.chars().filter(|&c| c != '.').count(),
            12
        );
        let last = solved.scenes.last().unwrap();
        assert!(last.cells.chars().all(|c| c == '.'));
        assert_eq!(solved.scenes.iter().filter(|s| s.drag.is_some()).count(), 3);
    }

    #[test]
    fn without_a_solution_there_is_the_field() {
        let solved = solve("1\n1 0\n0\n0\n0\n0\n").unwrap();
        assert!(!solved.solvable);
        assert_eq!((solved.scenes.len(), solved.answer.as_str()), (1, "-1\n"));
        assert!(solve("9\n").unwrap_err().contains("line 1"));
    }
}
