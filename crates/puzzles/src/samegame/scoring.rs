//! Scoring conventions, and the points of a game.

use super::board::{Board, Cell, Tile};
use std::fmt;
use std::str::FromStr;

/// A scoring convention: a quadratic in the size of a group, and a bonus, a factor or a penalty at the end of
/// the game.
///
/// The text form is `topcoder`, `tiles`, `js-games` or `quadratic:A,B,C[,BONUS[,FACTOR]]`. The quadratic
/// pays A n² + B n + C points for a group of n tiles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scoring {
    /// A, B and C: a group of n tiles pays A n² + B n + C points.
    pub group_coefficients: [f64; 3],
    /// Points that a cleared board adds at the end of the game.
    pub clear_bonus: f64,
    /// Factor by which a cleared board multiplies all points, bonus included. Not negative: of several games
    /// that lead to the same board, the solver continues only the one with the most points.
    pub clear_factor: f64,
    /// True if leftover tiles cost points: a colour with m tiles left costs the points of a group of m.
    pub penalises_leftovers: bool,
}

impl Scoring {
    /// n (n − 1) / 2 points for a group of n tiles; a cleared board multiplies the sum by 4 (TCO '03).
    pub const TOPCODER: Self = Self {
        group_coefficients: [0.5, -0.5, 0.0],
        clear_bonus: 0.0,
        clear_factor: 4.0,
        penalises_leftovers: false,
    };
    /// One point for each removed tile.
    pub const TILES: Self = Self {
        group_coefficients: [0.0, 1.0, 0.0],
        clear_bonus: 0.0,
        clear_factor: 1.0,
        penalises_leftovers: false,
    };
    /// (n − 2)² points for a group of n tiles, and 1000 for a cleared board. Otherwise each colour with m
    /// tiles left costs (m − 2)² (js-games.de, and papers that use its boards, such as Schadd et al. 2008).
    pub const JS_GAMES: Self = Self {
        group_coefficients: [1.0, -4.0, 4.0],
        clear_bonus: 1000.0,
        clear_factor: 1.0,
        penalises_leftovers: true,
    };

    /// Returns the points of a group of `n` tiles, without the bonus and the factor for a cleared board.
    #[inline]
    pub fn group_points(&self, n: usize) -> f64 {
        let n = n as f64;
        (self.group_coefficients[0] * n + self.group_coefficients[1]) * n
            + self.group_coefficients[2]
    }

    /// Returns the score of a finished game. `points` is the sum for the removed groups, and `leftovers`
    /// yields the number of remaining tiles of each colour.
    pub fn final_score(&self, points: f64, leftovers: impl IntoIterator<Item = usize>) -> f64 {
        let mut leftovers = leftovers.into_iter().filter(|&m| m > 0).peekable();
        if leftovers.peek().is_none() {
            (points + self.clear_bonus) * self.clear_factor
        } else if self.penalises_leftovers {
            points - leftovers.map(|m| self.group_points(m)).sum::<f64>()
        } else {
            points
        }
    }
}

impl FromStr for Scoring {
    type Err = String;

    /// Parses the text form. The error is a message that lists the valid forms.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "topcoder" => return Ok(Self::TOPCODER),
            "tiles" => return Ok(Self::TILES),
            "js-games" => return Ok(Self::JS_GAMES),
            _ => {}
        }
        let expected =
            || "expected topcoder, tiles, js-games or quadratic:A,B,C[,BONUS[,FACTOR]]".to_string();
        let numbers = text.strip_prefix("quadratic:").ok_or_else(expected)?;
        let numbers: Vec<f64> = numbers
            .split(',')
            .map(|number| number.trim().parse().ok().filter(|n: &f64| n.abs() <= 1e6))
            .collect::<Option<_>>()
            .ok_or_else(|| expected() + ", numbers from -1000000 to 1000000")?;
        if !(3..=5).contains(&numbers.len()) {
            return Err(expected());
        }
        if numbers.get(4).is_some_and(|&factor| factor < 0.0) {
            return Err(expected() + ", a FACTOR that is not negative");
        }
        Ok(Self {
            group_coefficients: [numbers[0], numbers[1], numbers[2]],
            clear_bonus: numbers.get(3).copied().unwrap_or(0.0),
            clear_factor: numbers.get(4).copied().unwrap_or(1.0),
            penalises_leftovers: false,
        })
    }
}

impl fmt::Display for Scoring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = [
            ("topcoder", Self::TOPCODER),
            ("tiles", Self::TILES),
            ("js-games", Self::JS_GAMES),
        ];
        if let Some((name, _)) = named.iter().find(|(_, scoring)| scoring == self) {
            return f.write_str(name);
        }
        let [a, b, c] = self.group_coefficients;
        write!(
            f,
            "quadratic:{a},{b},{c},{},{}",
            self.clear_bonus, self.clear_factor
        )
    }
}

/// A game in progress, with its points.
#[derive(Debug, Clone)]
pub struct ScoredGame {
    scoring: Scoring,
    board: Board,
    points: f64,
}

impl ScoredGame {
    /// Starts a game on `board`, with 0 points.
    pub fn new(board: Board, scoring: Scoring) -> Self {
        Self {
            scoring,
            board,
            points: 0.0,
        }
    }

    /// Returns the board after the moves so far.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Removes the group at `cell` and returns its size. If the move is illegal, returns 0 and changes
    /// nothing.
    pub fn remove_group(&mut self, cell: Cell) -> usize {
        let size = self.board.remove_group(cell);
        if size > 0 {
            self.points += self.scoring.group_points(size);
        }
        size
    }

    /// Returns the points of the groups removed so far, without the end-of-game bonus or penalty.
    pub fn points(&self) -> f64 {
        self.points
    }

    /// Returns the score that the game would have if it ended now.
    pub fn score(&self) -> f64 {
        self.scoring.final_score(
            self.points,
            self.tile_counts_by_colour().into_iter().map(|(_, m)| m),
        )
    }

    /// Returns the colours on the board, sorted, each with its number of tiles.
    fn tile_counts_by_colour(&self) -> Vec<(Tile, usize)> {
        let mut counts = std::collections::BTreeMap::new();
        for column in 0..self.board.width() {
            for &tile in self.board.column(column).iter().flatten() {
                *counts.entry(tile).or_insert(0) += 1;
            }
        }
        counts.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samegame::board::tests::parse_board;

    #[test]
    fn text_forms_are_read_and_written() {
        for text in ["topcoder", "tiles", "js-games", "quadratic:2,-1.5,0,10,3"] {
            assert_eq!(text.parse::<Scoring>().unwrap().to_string(), text);
        }
        assert_eq!(
            "quadratic:0.5,-0.5,0,0,4".parse::<Scoring>(),
            Ok(Scoring::TOPCODER)
        );
        let wrong = "|js|quadratic|quadratic:1,2|quadratic:1,2,x|quadratic:1,2,nan";
        for text in wrong.split('|').chain([
            "quadratic:1,2,1e99",
            "quadratic:0,1,0,0,-1",
            "quadratic:1,2,3,4,5,6",
        ]) {
            assert!(text.parse::<Scoring>().is_err(), "{text}");
        }
    }

    #[test]
    fn scores_depend_on_the_end_of_a_game() {
        // The first board has two groups of three and is cleared; the second keeps a B and two Cs.
        let play = |text: &str, scoring, moves: &[(usize, usize)]| {
            let mut scored_game = ScoredGame::new(parse_board(text), scoring);
            for &(column, row) in moves {
                assert!(scored_game.remove_group(Cell::new(column, row)) > 0);
            }
            scored_game.score()
        };
        let cleared = ("AB/AB/AB", [(0, 0), (0, 0)]);
        let stuck = ("CB./ACA/AAA", [(0, 0)]);
        for (scoring, cleared_score, stuck_score) in [
            (Scoring::TOPCODER, 24.0, 10.0),
            (Scoring::TILES, 6.0, 5.0),
            (Scoring::JS_GAMES, 1002.0, 9.0 - 1.0 - 0.0),
        ] {
            assert!((play(cleared.0, scoring, &cleared.1) - cleared_score).abs() < 1e-9);
            assert!(
                (play(stuck.0, scoring, &stuck.1) - stuck_score).abs() < 1e-9,
                "{scoring}"
            );
        }
    }
}
