//! What a position promises.

use super::scoring::Scoring;

/// How the tiles of one colour lie.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ColourShape {
    /// Tiles on the board.
    pub tiles: u32,
    /// Of these, tiles without a neighbour of their colour.
    pub singles: u32,
    /// Neighbours of this colour.
    pub pairs: u32,
    /// 2 × 2 squares of this colour.
    pub squares: u32,
}

impl ColourShape {
    /// The number of groups of two tiles or more, by Euler's formula: one too low
    /// for every hole in a group.
    #[inline(always)]
    pub fn groups(&self) -> i32 {
        (self.tiles + self.squares) as i32 - (self.pairs + self.singles) as i32
    }
}

/// What an evaluation may look at.
#[derive(Debug, Clone, Copy)]
pub struct Shape<'a> {
    /// Points of the groups removed so far.
    pub points: f64,
    /// The colours that the first board had.
    pub colours: &'a [ColourShape],
    /// Tiles on the board.
    pub tiles: u32,
    /// Tiles on the first board.
    pub first_tiles: u32,
}

/// Ranks positions with the same number of tiles.
pub trait Evaluation {
    /// Higher for positions that will end better; in points of the scoring.
    fn value(&self, shape: &Shape<'_>) -> f64;
}

/// Weights of a colour. A weight is for the full board and for an empty one,
/// and runs evenly from one to the other as the tiles go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColourWeights {
    /// The share of its points as one group that a colour is worth.
    pub share: [f64; 2],
    /// That share grows by this for one neighbour of its colour a tile.
    pub share_pairs: f64,
    /// Points for a group.
    pub group: [f64; 2],
    /// Points for a tile without a neighbour of its colour.
    pub single: [f64; 2],
    /// Points for a 2 × 2 square.
    pub square: f64,
}

/// An evaluation whose terms were chosen by hand and weighted by experiments.
///
/// The points so far, and for each colour a share of what it would bring as
/// one group; the colour of which most is left has weights of its own, since
/// it is the one to keep to the end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HandSet {
    /// The scoring that the points are in.
    pub scoring: Scoring,
    /// Weights of the most frequent colour.
    pub largest: ColourWeights,
    /// Weights of the others.
    pub others: ColourWeights,
    /// The share of what clearing the board is worth that goes for a colour of
    /// which one tile is left: it can never go.
    pub doomed: f64,
    /// What clearing the board is worth at least, whatever the scoring says.
    pub least_clearing: f64,
}

impl HandSet {
    /// How large the weights and the noise are for a scoring, 1 for js-games'.
    pub fn scale(scoring: Scoring) -> f64 {
        // The quadratic decides how much more one group is worth than two halves, and
        // a factor for clearing how much care that deserves; without a quadratic the
        // number of tiles that can still go counts.
        let factor = scoring.clear_factor.max(1.0).sqrt();
        (scoring.group[0].abs() * factor).max(0.2)
    }

    /// The weights for a scoring.
    ///
    /// They were fitted for js-games' scoring, by an evolution strategy on random
    /// boards of 15 × 15 in five colours (`docs/experiments/samegame.md`), and are carried
    /// over to others by how much more one large group is worth than two halves.
    pub fn new(scoring: Scoring) -> Self {
        let scale = Self::scale(scoring);
        let points = |weight: f64| weight * scale;
        Self {
            scoring,
            largest: ColourWeights {
                share: [0.645, 0.4],
                share_pairs: 0.495,
                group: [-9.0, -18.5].map(points),
                single: [-29.0, -26.0].map(points),
                square: points(-3.3),
            },
            others: ColourWeights {
                share: [0.37, 0.29],
                share_pairs: -0.05,
                group: [7.4, 4.8].map(points),
                single: [-23.4, -36.3].map(points),
                square: points(-4.7),
            },
            doomed: 0.365,
            least_clearing: points(1000.0),
        }
    }
}

impl Evaluation for HandSet {
    #[inline(always)]
    fn value(&self, shape: &Shape<'_>) -> f64 {
        let full = f64::from(shape.tiles) / f64::from(shape.first_tiles);
        let now = |weight: [f64; 2]| weight[1] + (weight[0] - weight[1]) * full;
        let worth = |weights: &ColourWeights, colour: &ColourShape| {
            let tiles = f64::from(colour.tiles);
            let pairs = f64::from(colour.pairs) / tiles;
            (now(weights.share) + weights.share_pairs * pairs)
                * self.scoring.group_points(colour.tiles as usize)
                + now(weights.group) * f64::from(colour.groups())
                + now(weights.single) * f64::from(colour.singles)
                + weights.square * f64::from(colour.squares)
        };
        let mut value = shape.points;
        let mut largest = 0;
        let mut doomed = 0.0;
        for (i, colour) in shape.colours.iter().enumerate() {
            if colour.tiles > shape.colours[largest].tiles {
                largest = i;
            }
            value += match colour.tiles {
                0 => 0.0,
                1 => {
                    doomed += self.doomed;
                    0.0
                }
                _ => worth(&self.others, colour),
            };
        }
        let largest = &shape.colours[largest];
        if largest.tiles > 1 {
            value += worth(&self.largest, largest) - worth(&self.others, largest);
        }
        // All is worth less without the factor of a cleared board, by this share.
        let factor = 1.0 - 1.0 / self.scoring.clear_factor.max(1.0);
        let clearing = self.scoring.clear_bonus + factor * value;
        value - doomed * clearing.max(self.least_clearing)
    }
}
