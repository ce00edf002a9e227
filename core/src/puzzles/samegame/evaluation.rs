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

/// What [`ColourWeights`] make of a colour, with all that depends on its number of tiles in a table.
#[derive(Debug, Clone, PartialEq)]
struct ColourWorth {
    weights: ColourWeights,
    /// For each number of tiles: the worth on an empty board without pairs, squares and singles;
    /// what a full board adds to it; what a pair adds.
    by_tiles: Vec<[f64; 3]>,
}

/// The worth of a colour at one moment of a game.
#[derive(Clone, Copy)]
struct WorthNow<'a> {
    by_tiles: &'a [[f64; 3]],
    full: f64,
    /// Points for a group, a tile without a neighbour of its colour, and a square.
    group: f64,
    single: f64,
    square: f64,
}

impl ColourWorth {
    /// For colours of up to `most` tiles.
    fn new(weights: ColourWeights, scoring: Scoring, most: u32) -> Self {
        let by_tiles = |tiles: u32| {
            let points = scoring.group_points(tiles as usize);
            let at =
                |end: usize| weights.share[end] * points + weights.group[end] * f64::from(tiles);
            let pair = weights.share_pairs * points / f64::from(tiles.max(1));
            [at(1), at(0) - at(1), pair]
        };
        Self {
            weights,
            by_tiles: (0..=most).map(by_tiles).collect(),
        }
    }

    /// The worth where the share `full` of the tiles is left.
    #[inline(always)]
    fn now(&self, full: f64) -> WorthNow<'_> {
        let now = |weight: [f64; 2]| weight[1] + (weight[0] - weight[1]) * full;
        let group = now(self.weights.group);
        WorthNow {
            by_tiles: &self.by_tiles,
            full,
            group,
            // A square makes one group more, a single and a pair make one less.
            single: now(self.weights.single) - group,
            square: self.weights.square + group,
        }
    }
}

impl WorthNow<'_> {
    /// The worth of a colour of two tiles or more.
    #[inline(always)]
    fn of(&self, colour: &ColourShape) -> f64 {
        let [empty, full, pair] = self.by_tiles[colour.tiles as usize];
        empty
            + full * self.full
            + (pair - self.group) * f64::from(colour.pairs)
            + self.single * f64::from(colour.singles)
            + self.square * f64::from(colour.squares)
    }
}

/// An evaluation whose terms were chosen by hand and weighted by experiments.
///
/// It adds up the points so far and, for each colour, a share of what the colour would bring as one
/// group. The colour of which most is left has weights of its own, since it is the one to keep to
/// the end.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct HandSet {
    /// The scoring that the points are in.
    scoring: Scoring,
    /// The worth of the most frequent colour.
    largest: ColourWorth,
    /// The worth of the others.
    others: ColourWorth,
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
    ///
    /// No colour may have more than `most` tiles.
    pub(super) fn new(scoring: Scoring, most: u32) -> Self {
        let scale = Self::scale(scoring);
        let points = |weight: f64| weight * scale;
        let worth = |weights| ColourWorth::new(weights, scoring, most);
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
            doomed: 0.365,
            least_clearing: points(1000.0),
        }
    }

    /// The value of a position in points of the scoring, higher where the game will end better:
    /// from the points so far, how the tiles of each colour lie, and the share of the tiles that
    /// are left.
    #[inline(always)]
    pub(super) fn value(&self, points: f64, colours: &[ColourShape], full: f64) -> f64 {
        let mut largest = 0;
        for (i, colour) in colours.iter().enumerate() {
            if colour.tiles > colours[largest].tiles {
                largest = i;
            }
        }
        let (the_largest, others) = (self.largest.now(full), self.others.now(full));
        let mut value = points;
        let mut doomed = 0.0;
        for (i, colour) in colours.iter().enumerate() {
            match colour.tiles {
                0 => {}
                1 => doomed += self.doomed,
                _ if i == largest => value += the_largest.of(colour),
                _ => value += others.of(colour),
            }
        }
        // The share of the score that is lost with the factor for a cleared board.
        let factor = 1.0 - 1.0 / self.scoring.clear_factor.max(1.0);
        let clearing = self.scoring.clear_bonus + factor * value;
        value - doomed * clearing.max(self.least_clearing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// [`HandSet::value`], from the weights.
    fn plain(set: &HandSet, points: f64, colours: &[ColourShape], full: f64) -> f64 {
        let scoring = set.scoring;
        let now = |weight: [f64; 2]| weight[1] + (weight[0] - weight[1]) * full;
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
                let share =
                    now(weights.share) + weights.share_pairs * f64::from(colour.pairs) / tiles;
                value += share * scoring.group_points(colour.tiles as usize)
                    + now(weights.group) * f64::from(colour.groups())
                    + now(weights.single) * f64::from(colour.singles)
                    + weights.square * f64::from(colour.squares);
            } else if colour.tiles == 1 {
                doomed += set.doomed;
            }
        }
        let factor = 1.0 - 1.0 / scoring.clear_factor.max(1.0);
        let clearing = scoring.clear_bonus + factor * value;
        value - doomed * clearing.max(set.least_clearing)
    }

    #[test]
    fn the_tables_give_what_the_weights_say() {
        let mut random = Random(5);
        for scoring in [Scoring::JS_GAMES, Scoring::TOPCODER, Scoring::TILES] {
            let set = HandSet::new(scoring, 225);
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
                let (points, full) = (random.below(3000) as f64, f64::from(tiles) / 225.0);
                let plain = plain(&set, points, &colours, full);
                let value = set.value(points, &colours, full);
                assert!((value - plain).abs() < 1e-6, "{colours:?} {value} {plain}");
            }
        }
    }
}
