//! Positions, and the state that all positions of a search share: evaluation, noise and buffers.

use super::options::Options;
use crate::samegame::board::{Board, Cell, Tile};
use crate::samegame::evaluation::{ColourShape, HandSetEvaluation};
use crate::samegame::planes::{Planes, Run};
use crate::samegame::scoring::Scoring;
use columns_core::simd::InstructionSet;

/// A move: the removal of the group that contains the cell at this bit of this word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Move {
    pub(super) word: u8,
    pub(super) bit: u8,
}

impl Move {
    /// Creates the move that removes the group of a cell.
    pub(super) fn from_cell<const N: usize, const P: usize, const B: u32>(cell: Cell) -> Self {
        let (word, bit) = Planes::<N, P, B>::word_and_bit(cell.column, cell.row);
        Self {
            word: word as u8,
            bit: bit as u8,
        }
    }

    /// Returns the cell that identifies the group to remove.
    pub(super) fn to_cell<const N: usize, const P: usize, const B: u32>(self) -> Cell {
        let (column, row) =
            Planes::<N, P, B>::column_and_row(self.word as usize, u32::from(self.bit));
        Cell { column, row }
    }
}

/// A board during a game, with its score.
#[derive(Clone, Copy)]
pub(super) struct Position<const N: usize, const P: usize, const B: u32> {
    pub(super) board: Planes<N, P, B>,
    pub(super) tiles_left: u32,
    /// Points of the groups removed so far.
    pub(super) points: f64,
    /// The score if the game ended here, times [`SCORE_UNITS_PER_POINT`].
    pub(super) score: i64,
}

impl<const N: usize, const P: usize, const B: u32> Position<N, P, B> {
    /// Returns the hash of the board. [`ExpandKernel`](super::expand::ExpandKernel) computes the same hash
    /// for each child that it lists.
    #[inline(always)]
    pub(super) fn hash(&self) -> u64 {
        mix((0..N).fold(0, |hash, word| {
            hash.wrapping_add(self.board.word_hash(word))
        }))
    }
}

/// The state that all positions of a search share.
#[derive(Clone)]
pub(super) struct Search<const N: usize, const P: usize, const B: u32, const C: usize> {
    pub(super) cpu: InstructionSet,
    pub(super) evaluation: HandSetEvaluation,
    pub(super) scoring: Scoring,
    /// Number of colours on the initial board. They are numbered from 1.
    pub(super) colour_count: usize,
    pub(super) initial_tile_count: u32,
    /// Maximum amount by which noise changes the value of a position, in points.
    max_noise: f64,
    /// Factor that converts values in points to integers.
    value_units_per_point: f64,
    /// Seed of the noise, different for each beam.
    seed: u64,
    /// The vertical runs of a removed group: a buffer, reused between calls.
    pub(super) runs: Vec<Run>,
}

/// Mixes all bits of a hash (the finaliser of `MurmurHash3`).
#[inline(always)]
pub(super) fn mix(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ hash >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}

/// Maximum amount by which noise changes the value of a position, in points of the js-games scoring.
const MAX_NOISE: f64 = 140.0;

/// Score units per point. Scores are compared as integers.
const SCORE_UNITS_PER_POINT: f64 = 1000.0;

/// Returns the number of units per point in [`Search::noisy_value`]: four, or fewer for a scoring with large
/// coefficients, so that no value overflows an `i32`.
fn value_units_per_point(scoring: Scoring) -> f64 {
    let [a, b, c] = scoring.group_coefficients.map(f64::abs);
    4.0 / a.max(b / 100.0).max(c / 100.0).max(1.0)
}

/// Returns the greatest common divisor of two whole numbers.
fn gcd(a: f64, b: f64) -> f64 {
    if b == 0.0 { a.abs() } else { gcd(b, a % b) }
}

impl<const N: usize, const P: usize, const B: u32, const C: usize> Search<N, P, B, C> {
    /// Creates the shared state for a board, and the root position. `colours` holds the colours of the
    /// board, sorted.
    pub(super) fn new(
        board: &Board,
        colours: &[Tile],
        options: &Options,
    ) -> (Self, Position<N, P, B>) {
        let mut planes = Planes::<N, P, B>::EMPTY;
        for column in 0..board.width() {
            for (row, tile) in board.column(column).iter().enumerate() {
                if let Some(tile) = tile {
                    let colour = colours.partition_point(|c| c < tile) + 1;
                    planes.put_tile(column, row, colour);
                }
            }
        }
        let scoring = options.scoring;
        let search = Self {
            cpu: InstructionSet::detect(),
            evaluation: HandSetEvaluation::new(scoring, board.tile_count() as u32),
            scoring,
            colour_count: colours.len(),
            initial_tile_count: board.tile_count() as u32,
            max_noise: MAX_NOISE * HandSetEvaluation::weight_scale(scoring),
            value_units_per_point: value_units_per_point(scoring),
            seed: mix(options.seed),
            runs: Vec::new(),
        };
        let root = search.new_position(planes, search.initial_tile_count, 0.0);
        (search, root)
    }

    /// True if different points and different scores always differ as integers, too. Otherwise, the beam may
    /// drop the better one of two games that lead to the same board.
    pub(super) fn is_exact(&self) -> bool {
        let scoring = self.scoring;
        // If a quadratic is whole for three consecutive sizes, it is whole for all sizes.
        let [none, one, two] = [0, 1, 2].map(|size| scoring.group_points(size));
        let points = [none, one, two, scoring.clear_bonus, scoring.clear_factor];
        // Games that lead to the same board remove the same number of tiles, and the sums of their squared
        // group sizes differ by an even number. So their points differ by a multiple of this number.
        let step = gcd(2.0 * scoring.group_coefficients[0], none);
        // Numbers that are at least 2 apart stay different if their fractions are cut off.
        (step == 0.0 || step * self.value_units_per_point > 2.0)
            && points.iter().all(|points| points.fract() == 0.0)
            && self.evaluation.counts_points_fully(self.initial_tile_count)
    }

    /// Seeds the noise of a search from the seed of `options`. `search_count` is the number of earlier
    /// searches.
    pub(super) fn seed_noise(&mut self, options: &Options, search_count: u32) {
        self.seed = mix(options.seed.wrapping_add(u64::from(search_count) << 32));
    }

    /// Creates a position, and computes its score.
    #[inline(always)]
    pub(super) fn new_position(
        &self,
        board: Planes<N, P, B>,
        tiles: u32,
        points: f64,
    ) -> Position<N, P, B> {
        let left = (1..=self.colour_count).map(|colour| board.tile_count(colour) as usize);
        let score = (self.scoring.final_score(points, left) * SCORE_UNITS_PER_POINT).round() as i64;
        Position {
            board,
            tiles_left: tiles,
            points,
            score,
        }
    }

    /// Returns the hand-set value of a position, in points of the scoring.
    #[inline(always)]
    pub(super) fn value(&self, colours: &[ColourShape; C], tiles: u32, points: f64) -> f64 {
        let share_left = f64::from(tiles) / f64::from(self.initial_tile_count);
        self.evaluation.value(points, colours, share_left)
    }

    /// Returns the value of a position plus noise, as an integer for comparisons. The hash and the seed
    /// determine the noise.
    #[inline(always)]
    pub(super) fn noisy_value(&self, value: f64, hash: u64) -> i32 {
        let unit = (mix(hash ^ self.seed) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
        ((value + self.max_noise * unit) * self.value_units_per_point) as i32
    }
}
