//! The hand-set evaluation: what a position promises.

use super::scoring::Scoring;

/// How the tiles of one colour lie.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ColourShape {
    /// Tiles on the board.
    pub(super) tiles: u32,
    /// Of these, tiles without a neighbour of their colour.
    pub(super) singles: u32,
    /// Neighbours of this colour.
    pub(super) pairs: u32,
    /// 2 × 2 squares of this colour.
    pub(super) squares: u32,
}

impl ColourShape {
    /// The number of groups of two tiles or more, by Euler's formula: one too low
    /// for every hole in a group.
    #[inline(always)]
    pub(super) fn groups(&self) -> i32 {
        (self.tiles + self.squares) as i32 - (self.pairs + self.singles) as i32
    }
}

/// Weights of a colour. Where there are two numbers, the first holds for the full board and the
/// second for an empty one; the weight runs evenly from one to the other as the tiles go.
#[derive(Debug, Clone, Copy, PartialEq)]
struct ColourWeights {
    /// The share of the points that the colour would bring as one group.
    share: [f64; 2],
    /// The share grows by this where there is one pair of neighbours for each tile.
    share_pairs: f64,
    /// Points for a group.
    group: [f64; 2],
    /// Points for a tile without a neighbour of its colour.
    single: [f64; 2],
    /// Points for a 2 × 2 square.
    square: f64,
}

/// An evaluation whose terms were chosen by hand and weighted by experiments.
///
/// It adds up the points so far and, for each colour, a share of what the colour would bring as one
/// group. The colour of which most is left has weights of its own, since it is the one to keep to
/// the end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct HandSet {
    /// The scoring that the points are in.
    scoring: Scoring,
    /// Weights of the most frequent colour.
    largest: ColourWeights,
    /// Weights of the others.
    others: ColourWeights,
    /// The share of the worth of a cleared board that is lost for each colour of which one tile is
    /// left: that tile can never be removed.
    doomed: f64,
    /// What clearing the board is worth at least, whatever the scoring says.
    least_clearing: f64,
}

impl HandSet {
    /// How large the weights and the noise are for a scoring, 1 for js-games'.
    pub(super) fn scale(scoring: Scoring) -> f64 {
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
    pub(super) fn new(scoring: Scoring) -> Self {
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

    /// The value of a position in points of the scoring, higher where the game will end better:
    /// from the points so far, how the tiles of each colour lie, and the share of the tiles that
    /// are left.
    #[inline(always)]
    pub(super) fn value(&self, points: f64, colours: &[ColourShape], full: f64) -> f64 {
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
        let mut value = points;
        let mut largest = 0;
        let mut doomed = 0.0;
        for (i, colour) in colours.iter().enumerate() {
            if colour.tiles > colours[largest].tiles {
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
        let largest = &colours[largest];
        if largest.tiles > 1 {
            value += worth(&self.largest, largest) - worth(&self.others, largest);
        }
        // The share of the score that is lost with the factor for a cleared board.
        let factor = 1.0 - 1.0 / self.scoring.clear_factor.max(1.0);
        let clearing = self.scoring.clear_bonus + factor * value;
        value - doomed * clearing.max(self.least_clearing)
    }
}
