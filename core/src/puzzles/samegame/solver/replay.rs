//! A game that is changed and played again, without making again what stays the same.
//!
//! A move is the removal of the group of a tile that keeps its name. So after a change the moves
//! that follow can be made again, and mostly bring as much as before. Once the same tiles are left
//! as in the game before, both go on alike.

use super::tiles::{Colours, Name, Tiles};
use crate::puzzles::samegame::board::{Cell, SameGame};
use crate::puzzles::samegame::scoring::Scoring;
use crate::simd::Isa;
use std::ops::Range;

/// How a game ends.
#[derive(Clone, Copy, Default)]
pub(super) struct Outcome {
    pub(super) score: f64,
    /// How many tiles are left.
    pub(super) left: usize,
    /// How much more an empty board would score.
    pub(super) lost: f64,
}

impl Outcome {
    /// The score with what is lent: this part of what is lost, for each tile that is left.
    #[inline(always)]
    pub(super) fn with_loan(self, part: f64) -> f64 {
        // `powi` need not be the same on all machines.
        self.score + (0..self.left).fold(self.lost, |lent, _| lent * part)
    }
}

/// A position in a game: the board and the points so far.
type Point<const S: usize, const N: usize> = (Tiles<S, N>, f64);

/// A game, or a part of one, with the position before each of its moves.
pub(super) struct Track<const S: usize, const N: usize> {
    pub(super) moves: Vec<Name>,
    pub(super) before: Vec<Point<S, N>>,
    /// The position after the last move.
    end: Point<S, N>,
    pub(super) result: Outcome,
}

impl<const S: usize, const N: usize> Track<S, N> {
    /// No move.
    pub(super) fn new(first: Tiles<S, N>) -> Self {
        Self {
            moves: Vec::new(),
            before: Vec::new(),
            end: (first, 0.0),
            result: Outcome::default(),
        }
    }

    /// The position before a move; after the last one, that at the end.
    #[inline(always)]
    fn before(&self, at: usize) -> &Point<S, N> {
        self.before.get(at).unwrap_or(&self.end)
    }

    /// Puts the moves that differ in place of some of this game.
    #[inline(always)]
    pub(super) fn accept(&mut self, range: Range<usize>, changed: &mut Self) {
        let gained = changed.end.1 - self.end.1;
        for (_, points) in &mut self.before[range.end..] {
            *points += gained;
        }
        self.moves.splice(range.clone(), changed.moves.drain(..));
        self.before.splice(range, changed.before.drain(..));
        self.end = changed.end;
        self.result = changed.result;
    }
}

/// A change of a game.
#[derive(Default)]
pub(super) struct Change {
    /// The first move that is changed.
    pub(super) from: usize,
    /// What is played in place of the moves up to `resume`.
    pub(super) head: Vec<Name>,
    pub(super) resume: usize,
}

/// What all games of a board have in common.
pub(super) struct Replay<I, const S: usize, const N: usize> {
    pub(super) isa: I,
    scoring: Scoring,
    pub(super) first: Tiles<S, N>,
    pub(super) colours: Colours<N>,
}

impl<I: Isa, const S: usize, const N: usize> Replay<I, S, N> {
    pub(super) fn new(isa: I, board: &SameGame, scoring: Scoring) -> Self {
        let (first, colours) = Tiles::new(board);
        Self {
            isa,
            scoring,
            first,
            colours,
        }
    }

    /// The names of the tiles that a legal game removes.
    pub(super) fn named(&self, game: &[Cell]) -> Vec<Name> {
        let mut board = self.first;
        let mut moves = Vec::new();
        for cell in game {
            let name = board.tile(self.isa, cell.column, cell.row);
            board.remove(self.isa, name, &self.colours);
            moves.push(name);
        }
        moves
    }

    /// The cells of a game's moves.
    pub(super) fn cells(&self, moves: &[Name]) -> Vec<Cell> {
        let mut board = self.first;
        let mut cells = Vec::new();
        for &name in moves {
            let (column, row) = board.cell(name);
            board.remove(self.isa, name, &self.colours);
            cells.push(Cell { column, row });
        }
        cells
    }

    /// Plays a changed game, without the moves that cannot be made, to its end. `changed` gets the
    /// moves that differ, and the end and the score of all. Returns the move of `game` from which on
    /// both go on alike; `None` where the changed game is given up, since it is behind by more than
    /// `most_behind` points.
    #[inline(always)]
    pub(super) fn play(
        &self,
        game: &Track<S, N>,
        change: &Change,
        most_behind: f64,
        changed: &mut Track<S, N>,
    ) -> Option<usize> {
        changed.moves.clear();
        changed.before.clear();
        changed.end = *game.before(change.from);
        for &name in &change.head {
            self.step(name, changed);
        }
        let mut until = change.resume;
        while until < game.moves.len() {
            let (board, points) = &game.before[until];
            let behind = points - changed.end.1;
            if behind > most_behind {
                return None;
            }
            if changed.end.0 == *board {
                changed.end = (game.end.0, game.end.1 - behind);
                break;
            }
            self.step(game.moves[until], changed);
            until += 1;
        }
        while let Some(name) = self.left_over(&changed.end.0) {
            self.step(name, changed);
        }
        changed.result = self.result(&changed.end);
        Some(until)
    }

    /// How a game ends that has come to its last position.
    #[inline(always)]
    fn result(&self, (board, points): &Point<S, N>) -> Outcome {
        let left = (0..self.colours.len()).map(|colour| board.count(colour, &self.colours));
        let score = self.scoring.total(*points, left.clone());
        Outcome {
            score,
            left: left.sum(),
            lost: self.scoring.total(*points, []) - score,
        }
    }

    /// Makes a move at the end, if it can be made.
    #[inline(always)]
    fn step(&self, name: Name, track: &mut Track<S, N>) {
        let (board, points) = &mut track.end;
        if !board.has(name) {
            return;
        }
        track.before.push((*board, *points));
        let size = board.remove(self.isa, name, &self.colours);
        if size > 0 {
            *points += self.scoring.group_points(size);
            track.moves.push(name);
        } else {
            track.before.pop();
        }
    }

    /// A tile of a group that is still there; one of the most frequent colour only where there is no
    /// other.
    #[inline(always)]
    fn left_over(&self, board: &Tiles<S, N>) -> Option<Name> {
        if board.width() == 0 {
            return None;
        }
        let (mut most, mut last) = (0, 0);
        for colour in 0..self.colours.len() {
            let count = board.count(colour, &self.colours);
            if count > most {
                (most, last) = (count, colour);
            }
        }
        let others = (0..self.colours.len()).filter(|&colour| colour != last);
        for colour in others.chain([last]) {
            let group = board.group(self.isa, colour, &self.colours);
            if group.is_some() {
                return group;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_is_lent_the_more_tiles_are_left() {
        let lent = |left, part| {
            let lost = if left == 0 { 0.0 } else { 1000.0 };
            let score = 3000.0 - lost;
            Outcome { score, left, lost }.with_loan(part)
        };
        assert!((lent(0, 0.5) - 3000.0).abs() < 1e-9);
        assert!((lent(1, 0.5) - 2500.0).abs() < 1e-9);
        assert!((lent(3, 0.5) - 2125.0).abs() < 1e-9);
        assert!((lent(3, 0.0) - 2000.0).abs() < 1e-9);
    }
}
