//! Replaying a changed game from the change until it rejoins the old game.
//!
//! A move removes the group of a tile with a fixed ID ([`super::tiles`]). So the moves after a change can be
//! replayed, and most of them pay as much as before. For example, on a board of one row:
//!
//! ```text
//! 0 1 2 3 4 5 6    game:     remove 1 (bb), then 0 (aa), then 4 (cc); tile 6 is left
//! a b b a c c a    change:   insert a move of tile 4 before that of tile 0
//!                  changed:  remove 1 (bb), then 4 (cc), then 0 (aaa); the old move of tile 4 is skipped
//! ```
//!
//! Once both games have the same tiles left, the rest of the changed game equals the rest of the old one.

use super::tiles::{TileColours, TileId, Tiles};
use crate::samegame::board::{Board, Cell};
use crate::samegame::scoring::Scoring;
use columns_core::simd::Isa;
use std::ops::Range;

/// The score of a game, and the tiles that it leaves.
#[derive(Clone, Copy, Default)]
pub(super) struct Outcome {
    pub(super) score: f64,
    pub(super) tiles_left: usize,
    /// Points that the leftover tiles cost: the score with an empty board, minus `score`.
    pub(super) leftover_cost: f64,
}

impl Outcome {
    /// Returns the score plus `leftover_cost` × `relief`^`tiles_left`, the part of the leftover cost that
    /// annealing ignores.
    #[inline(always)]
    pub(super) fn relaxed_score(self, relief: f64) -> f64 {
        // Multiply step by step, since the result of `powi` may differ between machines.
        self.score + (0..self.tiles_left).fold(self.leftover_cost, |ignored, _| ignored * relief)
    }
}

/// A position in a game: the board and the points so far.
type Snapshot<const S: usize, const N: usize> = (Tiles<S, N>, f64);

/// A game, or a part of a game, with the position before each move.
pub(super) struct GameRecord<const S: usize, const N: usize> {
    pub(super) moves: Vec<TileId>,
    pub(super) snapshots: Vec<Snapshot<S, N>>,
    /// The position after the last move.
    end: Snapshot<S, N>,
    pub(super) outcome: Outcome,
}

impl<const S: usize, const N: usize> GameRecord<S, N> {
    /// Creates a record without moves.
    pub(super) fn new(first: Tiles<S, N>) -> Self {
        Self {
            moves: Vec::new(),
            snapshots: Vec::new(),
            end: (first, 0.0),
            outcome: Outcome::default(),
        }
    }

    /// Returns the position before a move, or the last position for an index past the last move.
    #[inline(always)]
    fn snapshot_before(&self, index: usize) -> &Snapshot<S, N> {
        self.snapshots.get(index).unwrap_or(&self.end)
    }

    /// Replaces the moves in `range` with the moves of `changed`, and copies the end and the outcome of
    /// `changed`.
    #[inline(always)]
    pub(super) fn accept(&mut self, range: Range<usize>, changed: &mut Self) {
        let gain = changed.end.1 - self.end.1;
        for (_, points) in &mut self.snapshots[range.end..] {
            *points += gain;
        }
        self.moves.splice(range.clone(), changed.moves.drain(..));
        self.snapshots.splice(range, changed.snapshots.drain(..));
        self.end = changed.end;
        self.outcome = changed.outcome;
    }
}

/// A change to a game: `new_moves` replaces the moves in `first_replaced..resume_at`. Indices refer to the
/// game before the change.
#[derive(Default)]
pub(super) struct GameChange {
    /// Index of the first replaced move. If no move is replaced, `new_moves` is inserted before this index.
    pub(super) first_replaced: usize,
    /// The new moves, empty if the change only omits moves.
    pub(super) new_moves: Vec<TileId>,
    /// Index of the first move after the replaced ones.
    pub(super) resume_at: usize,
}

/// The data that the replays of all games on one board share.
pub(super) struct Replayer<I, const S: usize, const N: usize> {
    pub(super) isa: I,
    scoring: Scoring,
    pub(super) initial_tiles: Tiles<S, N>,
    pub(super) colours: TileColours<N>,
}

impl<I: Isa, const S: usize, const N: usize> Replayer<I, S, N> {
    pub(super) fn new(isa: I, board: &Board, scoring: Scoring) -> Self {
        let (initial_tiles, colours) = Tiles::new(board);
        Self {
            isa,
            scoring,
            initial_tiles,
            colours,
        }
    }

    /// Converts a legal game from cells to tile IDs.
    pub(super) fn to_tile_ids(&self, game: &[Cell]) -> Vec<TileId> {
        let mut board = self.initial_tiles;
        let mut moves = Vec::new();
        for cell in game {
            let id = board.tile(self.isa, cell.column, cell.row);
            board.remove_group(self.isa, id, &self.colours);
            moves.push(id);
        }
        moves
    }

    /// Converts a game from tile IDs to cells. Each cell refers to the board before its move.
    pub(super) fn to_cells(&self, moves: &[TileId]) -> Vec<Cell> {
        let mut board = self.initial_tiles;
        let mut cells = Vec::new();
        for &id in moves {
            let (column, row) = board.cell(id);
            board.remove_group(self.isa, id, &self.colours);
            cells.push(Cell { column, row });
        }
        cells
    }

    /// Plays a changed game, skipping impossible moves. Then removes groups until none is left.
    ///
    /// Afterwards, `changed` holds only the moves from the change to the point where the changed game rejoins
    /// `game`, or to the end of the game. The fields `end` and `outcome` describe the whole changed game.
    /// Returns the index of the move in `game` at that point, or the number of moves in `game` if there is no
    /// such point. If the changed game falls behind by more than `max_behind` points, abandons it and returns
    /// `None`.
    #[inline(always)]
    pub(super) fn play(
        &self,
        game: &GameRecord<S, N>,
        change: &GameChange,
        max_behind: f64,
        changed: &mut GameRecord<S, N>,
    ) -> Option<usize> {
        changed.moves.clear();
        changed.snapshots.clear();
        changed.end = *game.snapshot_before(change.first_replaced);
        for &id in &change.new_moves {
            self.step(id, changed);
        }
        let mut index = change.resume_at;
        while index < game.moves.len() {
            let (board, points) = &game.snapshots[index];
            let behind = points - changed.end.1;
            if behind > max_behind {
                return None;
            }
            if changed.end.0 == *board {
                changed.end = (game.end.0, game.end.1 - behind);
                break;
            }
            self.step(game.moves[index], changed);
            index += 1;
        }
        while let Some(id) = self.leftover_group(&changed.end.0) {
            self.step(id, changed);
        }
        changed.outcome = self.outcome(&changed.end);
        Some(index)
    }

    /// Returns the outcome of a game that ends in this position.
    #[inline(always)]
    fn outcome(&self, (board, points): &Snapshot<S, N>) -> Outcome {
        let left =
            (0..self.colours.colour_count()).map(|colour| board.tile_count(colour, &self.colours));
        let score = self.scoring.final_score(*points, left.clone());
        Outcome {
            score,
            tiles_left: left.sum(),
            leftover_cost: self.scoring.final_score(*points, []) - score,
        }
    }

    /// Plays a move at the end of `record`. Ignores the move if its tile is gone or has no group.
    #[inline(always)]
    fn step(&self, id: TileId, record: &mut GameRecord<S, N>) {
        let (board, points) = &mut record.end;
        if !board.contains(id) {
            return;
        }
        record.snapshots.push((*board, *points));
        let size = board.remove_group(self.isa, id, &self.colours);
        if size > 0 {
            *points += self.scoring.group_points(size);
            record.moves.push(id);
        } else {
            record.snapshots.pop();
        }
    }

    /// Returns a tile of some group, or `None` if no group is left. Chooses a group of the most frequent
    /// colour only if there is no other group.
    #[inline(always)]
    fn leftover_group(&self, board: &Tiles<S, N>) -> Option<TileId> {
        if board.width() == 0 {
            return None;
        }
        let (mut most, mut last) = (0, 0);
        for colour in 0..self.colours.colour_count() {
            let count = board.tile_count(colour, &self.colours);
            if count > most {
                (most, last) = (count, colour);
            }
        }
        let others = (0..self.colours.colour_count()).filter(|&colour| colour != last);
        for colour in others.chain([last]) {
            let group = board.find_group(self.isa, colour, &self.colours);
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
    fn annealing_ignores_less_of_the_loss_if_more_tiles_are_left() {
        let relaxed_score = |left, relief| {
            let lost = if left == 0 { 0.0 } else { 1000.0 };
            let score = 3000.0 - lost;
            Outcome {
                score,
                tiles_left: left,
                leftover_cost: lost,
            }
            .relaxed_score(relief)
        };
        assert!((relaxed_score(0, 0.5) - 3000.0).abs() < 1e-9);
        assert!((relaxed_score(1, 0.5) - 2500.0).abs() < 1e-9);
        assert!((relaxed_score(3, 0.5) - 2125.0).abs() < 1e-9);
        assert!((relaxed_score(3, 0.0) - 2000.0).abs() < 1e-9);
    }
}
