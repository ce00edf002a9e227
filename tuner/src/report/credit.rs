//! Which parameters mattered: how much of the gain came along which of them.
//!
//! The centre of the search goes from the start to where it is in many small movements. What a
//! movement gains is about the slope times the movement, and along each parameter its slope times
//! its movement. The slope that led to a movement must not be taken for that: what is chance in it
//! is in the movement as well, so the product would promise a gain where there is none. The slope
//! that the next generation measures comes of fresh games, at the place where the movement ended.
//! So what is chance in the slopes leads to no credit in the mean. Two things make the sum smaller
//! than the gain: slopes become less along a movement towards a summit, and differences that are
//! far from usual are cut.
//!
//! It is the gain of those who were measured: of players all of whose parameters are changed at
//! random. What helps them need not help the average of the centres, which is the result.

use crate::fit::record::Generation;
use crate::fit::space::Axis;
use std::ops::Range;

/// With fewer generations an error says little.
const FEWEST: usize = 10;

/// What movements along some parameters have brought, in the unit of the objective.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Credit {
    /// The sum.
    pub(super) sum: f64,
    /// Its standard error.
    pub(super) error: Option<f64>,
}

/// The credit of some parameters together.
///
/// What is chance in the slopes of two generations in a row is independent of each other and of the
/// movements before. So half the square of their difference says how uncertain a product is.
pub(super) fn credit(axes: &[Axis], generations: &[&Generation], which: Range<usize>) -> Credit {
    let moved = |t: usize, i: usize| {
        let before = match t {
            0 => axes[i].start,
            _ => generations[t - 1].centre[i],
        };
        (generations[t].centre[i] - before) / axes[i].step
    };
    // What the movement of generation `t` has brought by the slopes of another one.
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
