//! The comparison of two players as a table: a row for all pairs of games, and a row for each class of cases.

use crate::unit::Unit;
use crate::{Estimate, difference::LEAST};
use columns_generator::classes::{Kind, by_class};
use serde::Serialize;
use std::cmp::Ordering;

/// The scores of A (the base) and of B on one case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// Kind of the case.
    pub kind: Kind,
    /// Points of A.
    pub a: u64,
    /// Points of B.
    pub b: u64,
}

/// The comparison of B with A on the pairs of a class.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Name of the class; `all` for all pairs.
    pub name: &'static str,
    /// Number of pairs.
    pub pairs: usize,
    /// Points per game of A.
    pub mean_a: f64,
    /// Points per game of B.
    pub mean_b: f64,
    /// Change of the score in percent, see [`Unit::estimate`]. Fewer than five pairs have no interval:
    /// it would be too wide to be useful.
    pub percent: Estimate,
    /// Number of pairs in which B scores more.
    pub wins: usize,
    /// Number of pairs in which B scores less.
    pub losses: usize,
    /// Number of pairs in which both score the same.
    pub ties: usize,
}

/// The comparison of B with A on all pairs, and on the pairs of each class that occurs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// The row for all pairs.
    pub all: Row,
    /// A row for each class that occurs: by area of the field, by number of columns, by palette and
    /// number of colours.
    pub classes: Vec<Row>,
}

impl Row {
    fn of(name: &'static str, unit: Unit, pairs: &[&Pair]) -> Self {
        let mean = |side: fn(&Pair) -> u64| {
            pairs.iter().map(|&pair| side(pair) as f64).sum::<f64>() / pairs.len() as f64
        };
        let orders = || pairs.iter().map(|pair| pair.b.cmp(&pair.a));
        let count = |order| orders().filter(|&other| other == order).count();
        let differences = pairs.iter().map(|pair| unit.difference(pair.a, pair.b));
        let mut percent = unit.estimate(&differences.collect::<Vec<_>>());
        percent.interval = percent.interval.filter(|_| pairs.len() >= LEAST);
        Self {
            name,
            pairs: pairs.len(),
            mean_a: mean(|pair| pair.a),
            mean_b: mean(|pair| pair.b),
            percent,
            wins: count(Ordering::Greater),
            losses: count(Ordering::Less),
            ties: count(Ordering::Equal),
        }
    }
}

impl Table {
    /// Compares B with A on all pairs and by class, in this unit.
    ///
    /// # Panics
    /// If `pairs` is empty.
    pub fn new(unit: Unit, pairs: &[Pair]) -> Self {
        let classes = by_class(pairs, |pair| &pair.kind);
        Self {
            all: Row::of("all", unit, &pairs.iter().collect::<Vec<_>>()),
            classes: classes
                .map(|(name, pairs)| Row::of(name, unit, &pairs))
                .collect(),
        }
    }
}
