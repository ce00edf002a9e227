//! What a position promises.

use super::scoring::Scoring;

/// What an evaluation may look at.
#[derive(Debug, Clone, Copy)]
pub struct Shape<'a> {
    /// Points of the groups removed so far.
    pub points: f64,
    /// Tiles of each colour on the board.
    pub counts: &'a [u32],
    /// Tiles on the board.
    pub tiles: u32,
    /// Tiles without a neighbour of their colour.
    pub singles: u32,
    /// Neighbours of one colour.
    pub pairs: u32,
    /// 2 × 2 squares of one colour.
    pub squares: u32,
}

impl Shape<'_> {
    /// The number of groups of two tiles or more, by Euler's formula: one too low
    /// for every hole in a group.
    #[inline(always)]
    pub fn groups(&self) -> i32 {
        (self.tiles + self.squares) as i32 - (self.pairs + self.singles) as i32
    }
}

/// Ranks positions with the same number of tiles.
pub trait Evaluation {
    /// Higher for positions that will end better; in points of the scoring.
    fn value(&self, shape: &Shape<'_>) -> f64;
}

/// An evaluation whose weights were set by hand and by small experiments.
///
/// The points so far, and for each colour a share of what it would bring as
/// one group: the colours of which most is left have a chance to go at once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HandSet {
    /// The scoring that the points are in.
    pub scoring: Scoring,
    /// The share of its points as one group that a colour is worth, from the
    /// most frequent colour on; the last holds for all further ones.
    pub share: [f64; 3],
    /// Points for a group.
    pub group: f64,
    /// Points for a tile without a neighbour of its colour (negative).
    pub single: f64,
    /// Points for a colour of which one tile is left: it can never go, and the
    /// board not be cleared (negative).
    pub doomed: f64,
}

impl HandSet {
    /// The weights for a scoring.
    pub fn new(scoring: Scoring) -> Self {
        // How much more a larger group is worth decides how the weights compare.
        let scale = scoring.group[0].abs();
        let clear = scoring.clear_bonus;
        Self {
            scoring,
            share: [0.5, 0.5, 0.5],
            group: 40.0 * scale,
            single: -20.0 * scale,
            doomed: -clear / 2.0,
        }
    }
}

impl Evaluation for HandSet {
    #[inline(always)]
    fn value(&self, shape: &Shape<'_>) -> f64 {
        let mut value = shape.points
            + self.group * f64::from(shape.groups())
            + self.single * f64::from(shape.singles);
        for &count in shape.counts {
            if count >= 2 {
                value += self.share[0] * self.scoring.group_points(count as usize);
            } else if count == 1 {
                value += self.doomed;
            }
        }
        value
    }
}
