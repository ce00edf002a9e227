//! The hand-set evaluation: an estimate of the final score of a position.

use super::scoring::Scoring;

/// Counts that describe how the tiles of one colour are arranged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ColourShape {
    pub(super) tiles: u32,
    /// Number of tiles without a neighbour of their colour.
    pub(super) singles: u32,
    /// Number of pairs of adjacent tiles.
    pub(super) pairs: u32,
    /// Number of 2 × 2 squares.
    pub(super) squares: u32,
}

/// The weights of a colour.
///
/// A weight given as two numbers changes linearly as tiles are removed: the first number holds for the full
/// board, the second for an empty one.
#[derive(Debug, Clone, Copy, PartialEq)]
struct ColourWeights {
    /// Share of the points that the colour would pay as one group.
    share: [f64; 2],
    /// The share grows by this number times pairs / tiles.
    share_pairs: f64,
    /// Points for each group.
    group: [f64; 2],
    /// Points for each tile without a neighbour of its colour.
    single: [f64; 2],
    /// Points for each 2 × 2 square.
    square: f64,
}

/// The weights of a colour, and a table of the terms that depend only on its number of tiles.
#[derive(Debug, Clone, PartialEq)]
struct ColourWorth {
    weights: ColourWeights,
    /// Three values for each number of tiles: the worth with the weights for an empty board, how much larger
    /// it is with the weights for a full board, and the points that `share_pairs` adds for each pair. The
    /// first two exclude the terms for pairs, squares and singles.
    by_tile_count: Vec<[f64; 3]>,
}

/// The coefficients of a colour's worth at one moment of a game.
#[derive(Clone, Copy)]
struct WorthCoefficients<'a> {
    by_tile_count: &'a [[f64; 3]],
    /// Share of the initial board's tiles that is left.
    share_left: f64,
    /// Points for each group.
    group: f64,
    /// Points for each tile without a neighbour of its colour, already reduced by `group`: see
    /// [`ColourWorth::coefficients`].
    single: f64,
    /// Points for each 2 × 2 square, already increased by `group`.
    square: f64,
}

impl ColourWorth {
    /// Builds the table for colours of up to `max_tiles` tiles.
    fn new(weights: ColourWeights, scoring: Scoring, max_tiles: u32) -> Self {
        let by_tile_count = |tiles: u32| {
            let points = scoring.group_points(tiles as usize);
            let worth =
                |end: usize| weights.share[end] * points + weights.group[end] * f64::from(tiles);
            let pair = weights.share_pairs * points / f64::from(tiles.max(1));
            [worth(1), worth(0) - worth(1), pair]
        };
        Self {
            weights,
            by_tile_count: (0..=max_tiles).map(by_tile_count).collect(),
        }
    }

    /// Computes the coefficients for a board on which the share `share_left` of the tiles is left.
    #[inline(always)]
    fn coefficients(&self, share_left: f64) -> WorthCoefficients<'_> {
        let interpolate = |weight: [f64; 2]| weight[1] + (weight[0] - weight[1]) * share_left;
        let group = interpolate(self.weights.group);
        WorthCoefficients {
            by_tile_count: &self.by_tile_count,
            share_left,
            group,
            // By Euler's formula, a colour has tiles + squares − pairs − singles groups (if no group has a
            // hole).
            single: interpolate(self.weights.single) - group,
            square: self.weights.square + group,
        }
    }
}

impl WorthCoefficients<'_> {
    /// Returns the worth of a colour with at least two tiles.
    #[inline(always)]
    fn worth(&self, colour: &ColourShape) -> f64 {
        let [empty, share_left, pair] = self.by_tile_count[colour.tiles as usize];
        empty
            + share_left * self.share_left
            + (pair - self.group) * f64::from(colour.pairs)
            + self.single * f64::from(colour.singles)
            + self.square * f64::from(colour.squares)
    }
}

/// An evaluation whose terms were chosen by hand and weighted by experiments.
///
/// The value is the sum of the points so far and the worth of each colour: a share of the points that the
/// colour would pay as one group, plus terms for its groups, singles and squares. A colour with a single tile
/// left reduces the value. The most frequent colour has weights of its own, since a good game keeps it
/// until the end.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct HandSetEvaluation {
    scoring: Scoring,
    /// The worth of the most frequent colour.
    largest: ColourWorth,
    /// The worth of every other colour.
    others: ColourWorth,
    /// The penalty for each colour with a single tile left, as a share of the worth of clearing the board.
    /// Such a tile can never be removed.
    doomed_penalty: f64,
    /// Lower bound on the worth of clearing the board, in points of the scoring.
    min_clearing_worth: f64,
}

impl HandSetEvaluation {
    /// Returns the factor that adapts the noise, and all weights given in points, to a scoring. It is 1 for
    /// js-games.
    pub(super) fn weight_scale(scoring: Scoring) -> f64 {
        // The quadratic term determines how much more one group pays than two groups of half its size. That
        // difference matters more with a larger clearing factor. Without a quadratic term, the number of
        // removable tiles still matters, so the scale has a lower bound.
        let factor = scoring.clear_factor.max(1.0).sqrt();
        (scoring.group_coefficients[0].abs() * factor).max(0.2)
    }

    /// Creates the evaluation for a scoring, and for boards with at most `max_tiles` tiles of each colour.
    ///
    /// The weights were fitted for the js-games scoring by an evolution strategy, on random 15 × 15 boards
    /// with five colours (`docs/experiments/samegame.md`). For other scorings, the weights in points are
    /// multiplied by [`weight_scale`](Self::weight_scale).
    pub(super) fn new(scoring: Scoring, max_tiles: u32) -> Self {
        let scale = Self::weight_scale(scoring);
        let points = |weight: f64| weight * scale;
        let worth = |weights| ColourWorth::new(weights, scoring, max_tiles);
        Self {
            scoring,
            largest: worth(ColourWeights {
                share: [0.645, 0.4],
                share_pairs: 0.495,
                group: [-9.0, -18.5].map(points),
                single: [-29.0, -26.0].map(points),
                square: points(-3.3),
            }),
            others: worth(ColourWeights {
                share: [0.37, 0.29],
                share_pairs: -0.05,
                group: [7.4, 4.8].map(points),
                single: [-23.4, -36.3].map(points),
                square: points(-4.7),
            }),
            doomed_penalty: 0.365,
            min_clearing_worth: points(1000.0),
        }
    }

    /// Returns the value of a position, in points of the scoring. `points` is the sum for the groups removed
    /// so far, `colours` holds the shape of each colour, and `share_left` is the share of the tiles that are
    /// left.
    #[inline(always)]
    pub(super) fn value(&self, points: f64, colours: &[ColourShape], share_left: f64) -> f64 {
        let mut largest = 0;
        for (i, colour) in colours.iter().enumerate() {
            if colour.tiles > colours[largest].tiles {
                largest = i;
            }
        }
        let worth_of_largest = self.largest.coefficients(share_left);
        let worth_of_others = self.others.coefficients(share_left);
        let mut value = points;
        let mut doomed = 0.0;
        for (i, colour) in colours.iter().enumerate() {
            match colour.tiles {
                0 => {}
                1 => doomed += self.doomed_penalty,
                _ if i == largest => value += worth_of_largest.worth(colour),
                _ => value += worth_of_others.worth(colour),
            }
        }
        value - doomed * self.clearing_worth(value).max(self.min_clearing_worth)
    }

    /// Returns the points of a game of this value that are lost if the board is not cleared.
    #[inline(always)]
    fn clearing_worth(&self, value: f64) -> f64 {
        // Share of the score that is lost without the factor for a cleared board.
        let factor = 1.0 - 1.0 / self.scoring.clear_factor.max(1.0);
        self.scoring.clear_bonus + factor * value
    }

    /// True if every point of a removed group increases the value by a whole point, on a board of this many
    /// tiles. Otherwise, a point may also increase the penalty for single tiles.
    pub(super) fn counts_points_fully(&self, tiles: u32) -> bool {
        let [a, b, c] = self.scoring.group_coefficients.map(f64::abs);
        let tiles = f64::from(tiles);
        let max_points = (a * tiles + b + c) * tiles;
        // Shares are below 1.64, since a tile has fewer than two pairs. The terms for groups add less than 4
        // points per tile of the initial board: a group has at least two tiles, and a hole takes three tiles.
        let max_value = 1.64 * max_points + 4.0 * Self::weight_scale(self.scoring) * tiles;
        self.scoring.clear_factor <= 1.0
            || self.clearing_worth(max_value) <= self.min_clearing_worth
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Computes [`HandSetEvaluation::value`] from the weights, without tables.
    fn plain(
        set: &HandSetEvaluation,
        points: f64,
        colours: &[ColourShape],
        share_left: f64,
    ) -> f64 {
        let scoring = set.scoring;
        let interpolate = |weight: [f64; 2]| weight[1] + (weight[0] - weight[1]) * share_left;
        let most = colours.iter().map(|colour| colour.tiles).max();
        let largest = colours.iter().position(|colour| Some(colour.tiles) == most);
        let mut value = points;
        let mut doomed = 0.0;
        for (i, colour) in colours.iter().enumerate() {
            let worth = if Some(i) == largest {
                &set.largest
            } else {
                &set.others
            };
            let weights = &worth.weights;
            let tiles = f64::from(colour.tiles);
            if colour.tiles > 1 {
                // Euler's formula counts one group too few for each hole in a group.
                let groups = i64::from(colour.tiles + colour.squares)
                    - i64::from(colour.pairs + colour.singles);
                let share = interpolate(weights.share)
                    + weights.share_pairs * f64::from(colour.pairs) / tiles;
                value += share * scoring.group_points(colour.tiles as usize)
                    + interpolate(weights.group) * groups as f64
                    + interpolate(weights.single) * f64::from(colour.singles)
                    + weights.square * f64::from(colour.squares);
            } else if colour.tiles == 1 {
                doomed += set.doomed_penalty;
            }
        }
        let factor = 1.0 - 1.0 / scoring.clear_factor.max(1.0);
        let clearing = scoring.clear_bonus + factor * value;
        value - doomed * clearing.max(set.min_clearing_worth)
    }

    #[test]
    fn tables_and_weights_give_the_same_values() {
        let mut random = Random(5);
        for scoring in [Scoring::JS_GAMES, Scoring::TOPCODER, Scoring::TILES] {
            let set = HandSetEvaluation::new(scoring, 225);
            for _ in 0..1000 {
                let colours = [(); 5].map(|()| {
                    let tiles = random.below(46) as u32;
                    let mut up_to = |most: u32| random.below(most as usize + 1) as u32;
                    let singles = if tiles == 1 { 1 } else { up_to(tiles) };
                    let pairs = if tiles == 1 {
                        0
                    } else {
                        up_to(2 * (tiles - singles))
                    };
                    let squares = up_to(pairs / 4);
                    ColourShape {
                        tiles,
                        singles,
                        pairs,
                        squares,
                    }
                });
                let tiles: u32 = colours.iter().map(|colour| colour.tiles).sum();
                let (points, share_left) = (random.below(3000) as f64, f64::from(tiles) / 225.0);
                let plain = plain(&set, points, &colours, share_left);
                let value = set.value(points, &colours, share_left);
                assert!((value - plain).abs() < 1e-6, "{colours:?} {value} {plain}");
            }
        }
    }
}
