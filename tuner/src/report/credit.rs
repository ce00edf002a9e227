//! Which parameters mattered: the part of the gain that each of them has brought.
//!
//! The centre of the search moves in many small movements. The gain of a movement is about the
//! slope times the movement, and the part of each parameter is its slope times its movement. The
//! slope that led to a movement cannot serve here: its noise is in the movement as well, so the
//! product would show a gain where there is none. The slope that the next generation measures comes
//! from other games, at the place where the movement ended, so its noise gives no credit in the
//! mean. Two things make the sum smaller than the gain: the slope decreases along a movement
//! towards a summit, and very large differences are cut.
//!
//! This is the gain of the players that were measured, all of whose parameters are changed at
//! random. It need not be a gain of the average of the centres, which is the result.

use crate::experiment::event::Generation;
use crate::search::space::Axis;
use std::ops::Range;

/// The fewest generations for which a standard error means something.
const FEWEST: usize = 10;

/// The gain of the movements along some parameters, in the unit of the objective.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Credit {
    /// The sum.
    pub(super) sum: f64,
    /// Its standard error.
    pub(super) error: Option<f64>,
}

/// The credit of some parameters together.
///
/// The noise of the slopes of two generations in a row is independent of each other and of the
/// movements before. So half the square of their difference estimates the variance of a product.
pub(super) fn credit(axes: &[Axis], generations: &[&Generation], which: Range<usize>) -> Credit {
    let moved = |t: usize, i: usize| {
        let before = match t {
            0 => axes[i].start,
            _ => generations[t - 1].centre[i],
        };
        (generations[t].centre[i] - before) / axes[i].step
    };
    // The gain of the movement of generation `t` by the slopes of another one.
    let brought = |t: usize, slopes: usize| -> f64 {
        let slope = &generations[slopes].slope;
        which.clone().map(|i| slope[i] * moved(t, i)).sum()
    };
    let count = generations.len();
    let sum = (1..count).map(|t| brought(t - 1, t)).sum();
    let squares = (2..count).map(|t| (brought(t - 2, t) - brought(t - 2, t - 1)).powi(2) / 2.0);
    // The last product has no slope behind it: it is taken to be as uncertain as the others.
    let error = (count >= FEWEST).then(|| {
        let all = (count - 1) as f64 / (count - 2) as f64;
        (all * squares.sum::<f64>()).sqrt()
    });
    Credit { sum, error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal;

    fn axes(count: usize) -> Vec<Axis> {
        let axis = Axis {
            name: "a".into(),
            start: 1.0,
            lowest: -1000.0,
            highest: 1000.0,
            step: 0.5,
        };
        vec![axis; count]
    }

    fn generation(slope: Vec<f64>, centre: Vec<f64>) -> Generation {
        Generation {
            generation: 1,
            gain: 0.0,
            start: 1.0,
            width: 30,
            slope,
            average: centre.clone(),
            centre,
        }
    }

    #[test]
    fn along_even_slopes_the_credit_is_exact() {
        // Ten movements, of which the last is not credited yet: 2 and -1 steps each.
        let all: Vec<Generation> = (1..=10)
            .map(|t| {
                generation(
                    vec![0.1, 0.3],
                    vec![1.0 + f64::from(t), 1.0 - 0.5 * f64::from(t)],
                )
            })
            .collect();
        let all: Vec<&Generation> = all.iter().collect();
        for (which, expected) in [(0..1, 1.8), (1..2, -2.7), (0..2, -0.9)] {
            let credit = credit(&axes(2), &all, which);
            assert!((credit.sum - expected).abs() < 1e-9, "{credit:?}");
            assert!(credit.error.unwrap() < 1e-9, "{credit:?}");
        }
        assert_eq!(credit(&axes(2), &all[..5], 0..2).error, None);
        assert_eq!(credit(&axes(2), &[], 0..2).sum, 0.0);
    }

    #[test]
    fn a_walk_by_chance_has_no_credit_and_an_honest_error() {
        // Slopes that are chance only, and a centre that follows them.
        let (runs, mut sums, mut errors) = (400, Vec::new(), Vec::new());
        for run in 0..runs {
            let mut random = normal::stream([run, 0, 0]);
            let mut centre = 1.0;
            let all: Vec<Generation> = (0..60)
                .map(|_| {
                    let slope = normal::draw(&mut random);
                    centre += 0.1 * slope;
                    generation(vec![slope], vec![centre])
                })
                .collect();
            let credit = credit(&axes(1), &all.iter().collect::<Vec<_>>(), 0..1);
            sums.push(credit.sum);
            errors.push(credit.error.unwrap().powi(2));
        }
        let mean = |values: &[f64]| values.iter().sum::<f64>() / runs as f64;
        let squares: Vec<f64> = sums.iter().map(|sum| sum * sum).collect();
        let spread = mean(&squares).sqrt();
        // Of 400 sums, so much is four standard errors.
        assert!(mean(&sums).abs() < 4.0 * spread / 20.0, "{}", mean(&sums));
        let told = mean(&errors).sqrt();
        assert!((told / spread - 1.0).abs() < 0.15, "{told} {spread}");
    }
}
