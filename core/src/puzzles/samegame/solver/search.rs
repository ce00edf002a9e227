//! A position, and what all positions of a search have in common: how they are ranked.

use super::options::Options;
use super::window::Windows;
use crate::network::SCALE;
use crate::puzzles::samegame::board::{Cell, SameGame, Tile};
use crate::puzzles::samegame::evaluation::{ColourShape, HandSet};
use crate::puzzles::samegame::features::{Network, POINTS};
use crate::puzzles::samegame::planes::{Planes, Run};
use crate::puzzles::samegame::scoring::Scoring;
use crate::simd::Isa;

/// A move: the removal of the group around a bit of a word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Move {
    pub(super) word: u8,
    pub(super) bit: u8,
}

impl Move {
    /// The removal of the group of a cell.
    pub(super) fn at<const N: usize, const P: usize, const B: u32>(cell: Cell) -> Self {
        let (word, bit) = Planes::<N, P, B>::bit(cell.column, cell.row);
        Self {
            word: word as u8,
            bit: bit as u8,
        }
    }

    /// The cell that the word and the bit stand for.
    pub(super) fn cell<const N: usize, const P: usize, const B: u32>(self) -> Cell {
        let (column, row) = Planes::<N, P, B>::cell(self.word as usize, u32::from(self.bit));
        Cell { column, row }
    }
}

/// A position of a game.
#[derive(Clone, Copy)]
pub(super) struct Position<const N: usize, const P: usize, const B: u32> {
    pub(super) board: Planes<N, P, B>,
    /// Tiles left.
    pub(super) tiles: u32,
    /// Points of the groups removed so far.
    pub(super) points: f64,
    /// The score if the game ended here, in [`SCORE_UNITS`].
    pub(super) score: i64,
    /// By what it competes, where there was a second look.
    pub(super) rank: i32,
}

impl<const N: usize, const P: usize, const B: u32> Position<N, P, B> {
    /// Equal for equal boards; children are listed with it.
    #[inline(always)]
    pub(super) fn hash(&self) -> u64 {
        mix((0..N).fold(0, |hash, word| hash.wrapping_add(self.board.hash(word))))
    }
}

/// What all positions of a search have in common.
pub(super) struct Search<'a, I, const N: usize, const P: usize, const B: u32, const C: usize> {
    pub(super) isa: I,
    pub(super) evaluation: HandSet,
    pub(super) scoring: Scoring,
    /// How many colours the first board has; their numbers are from 1 on.
    pub(super) colours: usize,
    /// How many tiles it has.
    pub(super) first_tiles: u32,
    /// The greatest amount that the value of a position is changed by, in points.
    noise: f64,
    /// Steps of a rank that a point is.
    rank_units: f64,
    /// Draws the noise.
    seed: u64,
    /// Kept between calls for its memory.
    pub(super) runs: Vec<Run>,
    pub(super) windows: Windows<P, B, C>,
    pub(super) network: Option<&'a Network>,
    /// What the network's unit is in points of the scoring.
    pub(super) learned_units: f64,
    /// Whether positions are looked at once more when they are built.
    pub(super) second_look: bool,
}

/// Spreads all bits over all bits (`MurmurHash3`'s finaliser).
#[inline(always)]
pub(super) fn mix(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ hash >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}

/// Scores are compared as whole thousandths of points.
const SCORE_UNITS: f64 = 1000.0;

/// How many steps of a rank a point is: four, fewer where a scoring's numbers are so
/// large that ranks would not fit an `i32`.
fn rank_units(scoring: Scoring) -> f64 {
    let [a, b, c] = scoring.group.map(f64::abs);
    4.0 / a.max(b / 100.0).max(c / 100.0).max(1.0)
}

impl<'a, I: Isa, const N: usize, const P: usize, const B: u32, const C: usize>
    Search<'a, I, N, P, B, C>
{
    /// The search of a board, with the noise of pass 0, and the first position. `colours` are those
    /// of the board.
    pub(super) fn new(
        isa: I,
        board: &SameGame,
        colours: &[Tile],
        options: &Options,
        network: Option<&'a Network>,
    ) -> (Self, Position<N, P, B>) {
        let mut planes = Planes::<N, P, B>::EMPTY;
        for column in 0..board.width() {
            for (row, tile) in board.column(column).iter().enumerate() {
                if let Some(tile) = tile {
                    let colour = colours.partition_point(|c| c < tile) + 1;
                    planes.put(column, row, colour);
                }
            }
        }
        let scoring = options.scoring;
        let search = Self {
            isa,
            evaluation: HandSet::new(scoring, board.tiles_left() as u32),
            scoring,
            colours: colours.len(),
            first_tiles: board.tiles_left() as u32,
            noise: options.noise,
            rank_units: rank_units(scoring),
            seed: mix(options.seed),
            runs: Vec::new(),
            windows: Windows::new(),
            network,
            learned_units: POINTS * HandSet::scale(scoring) / f64::from(SCALE),
            second_look: network.is_some(),
        };
        let root = search.position(planes, search.first_tiles, 0.0);
        (search, root)
    }

    /// Draws the noise of another pass of a search with these options.
    pub(super) fn draw(&mut self, options: &Options, pass: u32) {
        self.seed = mix(options.seed.wrapping_add(u64::from(pass) << 32));
    }

    /// A position that nobody has had a second look at.
    #[inline(always)]
    pub(super) fn position(
        &self,
        board: Planes<N, P, B>,
        tiles: u32,
        points: f64,
    ) -> Position<N, P, B> {
        let left = (1..=self.colours).map(|colour| board.count(colour) as usize);
        let score = (self.scoring.total(points, left) * SCORE_UNITS).round() as i64;
        Position {
            board,
            tiles,
            points,
            score,
            rank: 0,
        }
    }

    /// What a position promises, in points of the scoring.
    #[inline(always)]
    pub(super) fn value(&self, colours: &[ColourShape; C], tiles: u32, points: f64) -> f64 {
        let full = f64::from(tiles) / f64::from(self.first_tiles);
        self.evaluation.value(points, colours, full)
    }

    /// The rank of a position: its value and the noise that its hash draws.
    #[inline(always)]
    pub(super) fn ranked(&self, value: f64, hash: u64) -> i32 {
        let unit = (mix(hash ^ self.seed) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
        ((value + self.noise * unit) * self.rank_units) as i32
    }
}
