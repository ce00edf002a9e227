//! Inc: a game in which all three players make their best moves, board by board.

use columns_puzzles::inc::{Group, Puzzle};
use serde::Serialize;

/// A whole game of Inc.
#[derive(Debug, Serialize)]
pub(crate) struct Played {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// The board at the start and after each turn.
    pub(crate) scenes: Vec<Scene>,
}

/// The board after a turn.
#[derive(Debug, Serialize)]
pub(crate) struct Scene {
    /// The squares, row by row from the bottom up: a digit, or `.` for an empty square.
    pub(crate) cells: String,
    /// The squares that the turn changed, as (column, row), rows from the bottom up.
    pub(crate) group: Vec<(usize, usize)>,
    /// The turn as a sentence, and the number of squares of each player.
    pub(crate) text: String,
}

/// Plays a game with the best moves of all players. Error messages name the invalid line of `text`.
pub(crate) fn play(text: &str) -> Result<Played, String> {
    let puzzle: Puzzle = text.parse().map_err(|error| format!("{error}"))?;
    // The text form is a line with the numbers, then the rows from the top.
    let text = puzzle.to_string();
    let first: Vec<String> = text.lines().skip(1).map(str::to_string).collect();
    let (height, width) = (first.len(), first[0].len());
    let sign = if puzzle.inc() > 0 {
        "adds 1 to"
    } else {
        "takes 1 from"
    };
    let mut scenes = vec![scene(&first, Vec::new(), "")];
    for (index, (group, board)) in puzzle.best_play().iter().enumerate() {
        let cells = (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .filter(|&(x, y)| contains(*group, x, y))
            .map(|(x, y)| (x, height - 1 - y));
        let text = format!(
            "Turn {} of {}: player {} {sign} {}. ",
            index + 1,
            puzzle.turns(),
            index % 3 + 1,
            group_text(*group, width, height)
        );
        scenes.push(scene(board, cells.collect(), &text));
    }
    Ok(Played {
        width,
        height,
        scenes,
    })
}

/// True if the square belongs to the group. Rows count from the top.
fn contains(group: Group, x: usize, y: usize) -> bool {
    let at = if group.horizontal { y } else { x };
    (at < group.line) == group.first_side
}

/// Describes a group of squares: `the upper 2 rows`, `the leftmost column`.
fn group_text(group: Group, width: usize, height: usize) -> String {
    let all = if group.horizontal { height } else { width };
    let count = if group.first_side {
        group.line
    } else {
        all - group.line
    };
    match (group.horizontal, group.first_side, count) {
        (true, true, 1) => "the top row".into(),
        (true, true, _) => format!("the upper {count} rows"),
        (true, false, 1) => "the bottom row".into(),
        (true, false, _) => format!("the lower {count} rows"),
        (false, true, 1) => "the leftmost column".into(),
        (false, true, _) => format!("the {count} columns on the left"),
        (false, false, 1) => "the rightmost column".into(),
        (false, false, _) => format!("the {count} columns on the right"),
    }
}

fn scene(board: &[String], group: Vec<(usize, usize)>, text: &str) -> Scene {
    let cells: String = board.iter().rev().map(String::as_str).collect();
    let [one, two, three] = ['1', '2', '3'].map(|digit| cells.matches(digit).count());
    Scene {
        group,
        text: format!("{text}The players have {one}, {two} and {three} squares."),
        cells,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_statement_is_played_turn_by_turn() {
        let game = play("-1 3\n....\n3333\n3333\n.33.\n").unwrap();
        assert_eq!(game.scenes[3].cells, ".22.22222222....");
        assert_eq!(game.scenes.len(), 4);
        let text = |number: usize| game.scenes[number].text.as_str();
        assert_eq!(text(0), "The players have 0, 0 and 10 squares.");
        assert!(text(1).starts_with("Turn 1 of 3: player 1 takes 1 from the "));
        assert!(text(3).ends_with("0, 10 and 0 squares."));
        assert!(play("9\n").unwrap_err().contains("line 1"));
    }
}
