//! Inc: a game in which all three players make their best moves, board by board.

use crate::puzzle::Scene;
use columns_puzzles::inc::{Group, Puzzle};
use serde::Serialize;

/// A complete game of Inc.
#[derive(Debug, Serialize)]
pub(crate) struct GameRecord {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// The board at the start and after each turn.
    pub(crate) scenes: Vec<Scene>,
}

/// Plays a puzzle to the end, with every player making their best moves. Error messages name the invalid line
/// of `text`.
pub(crate) fn play(text: &str) -> Result<GameRecord, String> {
    let puzzle: Puzzle = text.parse().map_err(|error| format!("{error}"))?;
    // The text begins with a line for the increment and the number of turns. The rows follow, top row first.
    let text = puzzle.to_string();
    let first: Vec<String> = text.lines().skip(1).map(str::to_string).collect();
    let (height, width) = (first.len(), first[0].len());
    let sign = match puzzle.increment() {
        1.. => "adds 1 to",
        _ => "takes 1 from",
    };
    let mut scenes = vec![scene(&first, Vec::new(), "")];
    for (number, (group, board)) in (1..).zip(puzzle.find_best_play()) {
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let cells = cells.filter(|&(x, y)| contains(group, x, y));
        let text = format!(
            "Turn {number} of {}: player {} {sign} {}. ",
            puzzle.turn_count(),
            (number - 1) % 3 + 1,
            group_text(group, width, height)
        );
        let cells = cells.map(|(x, y)| (x, height - 1 - y)).collect();
        scenes.push(scene(&board, cells, &text));
    }
    Ok(GameRecord {
        width,
        height,
        scenes,
    })
}

/// True if the square belongs to the group. Rows are numbered from 0 at the top.
fn contains(group: Group, x: usize, y: usize) -> bool {
    let at = if group.is_line_horizontal { y } else { x };
    (at < group.line) == group.is_before_line
}

/// Describes a group of squares: `the 2 rows at the top`, `the column on the left`.
fn group_text(group: Group, width: usize, height: usize) -> String {
    let (unit, all, sides) = if group.is_line_horizontal {
        ("row", height, ["at the top", "at the bottom"])
    } else {
        ("column", width, ["on the left", "on the right"])
    };
    let (count, side) = if group.is_before_line {
        (group.line, sides[0])
    } else {
        (all - group.line, sides[1])
    };
    match count {
        1 => format!("the {unit} {side}"),
        count => format!("the {count} {unit}s {side}"),
    }
}

fn scene(board: &[String], group: Vec<(usize, usize)>, text: &str) -> Scene {
    let cells: String = board.iter().rev().map(String::as_str).collect();
    let [one, two, three] = ['1', '2', '3'].map(|digit| cells.matches(digit).count());
    Scene {
        group,
        text: format!("{text}The players have {one}, {two} and {three} squares."),
        cells,
        ..Scene::default()
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
