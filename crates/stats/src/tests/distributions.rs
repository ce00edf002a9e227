//! The six distributions of `docs/experiments/comparisons.md`, and real games.

use super::measured::LOG_DIFFERENCES;
use crate::{Objective, Pair};
use columns_cases::{PaletteKind, classes::CaseProperties};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use statrs::distribution::{ContinuousCDF, Normal};

type Random = Xoshiro256PlusPlus;

/// Returns a pair of games with these points. All pairs have the same case properties.
pub(crate) fn new_pair(a: Option<u64>, b: Option<u64>) -> Pair {
    let properties = CaseProperties {
        width: 6,
        height: 13,
        columns: 300,
        magic_columns: 0,
        colours: 4,
        palette: Some(PaletteKind::Fixed),
    };
    Pair { properties, a, b }
}

/// Returns a pair of finished games with this change in the log score.
pub(crate) fn finished_pair(change: f64) -> Pair {
    new_pair(Some(1_000_000_000), Some((1e9 * change.exp()) as u64))
}

/// Draws a number between 0 and 1, excluding both ends.
pub(super) fn draw_uniform(random: &mut Random) -> f64 {
    ((random.next_u64() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
}

/// Draws from Student's t-distribution with 4 degrees of freedom, whose quantile function has a closed form
/// (W. T. Shaw, Journal of Computational Finance 9 (2006)). Its variance is 2.
fn draw_student(random: &mut Random) -> f64 {
    let p = draw_uniform(random);
    let root = (4.0 * p * (1.0 - p)).sqrt();
    let q = (root.acos() / 3.0).cos() / root;
    (p - 0.5).signum() * 2.0 * (q - 1.0).max(0.0).sqrt()
}

type Draw = fn(&mut Random) -> f64;

const DISTRIBUTIONS: [(&str, Draw); 6] = [
    ("normal", |r| {
        0.4 * Normal::standard().inverse_cdf(draw_uniform(r))
    }),
    ("t, 4 df", |r| 0.25 * draw_student(r)),
    ("skewed up", |r| -0.3 * draw_uniform(r).ln()),
    ("skewed down", |r| 0.3 * draw_uniform(r).ln()),
    ("a rare loss", |r| {
        if draw_uniform(r) < 0.04 { -1.5 } else { 0.0 }
    }),
    ("measured", |r| {
        LOG_DIFFERENCES[(r.next_u64() % LOG_DIFFERENCES.len() as u64) as usize]
    }),
];

/// A distribution of changes in the score, scaled and shifted. The objective determines whether they are
/// changes in the logarithm or relative changes.
pub(super) struct Distribution {
    pub(super) name: &'static str,
    draw: Draw,
    scale: f64,
    shift: f64,
    pub(super) objective: Objective,
}

impl Distribution {
    /// Returns all distributions, with standard deviations of 0.29 to 0.55. The clipped changes of each have
    /// the mean `mean`.
    pub(super) fn with_mean(mean: f64) -> Vec<Self> {
        Self::scaled(mean, |_| 1.0)
    }

    /// Like [`with_mean`](Self::with_mean), but each distribution has a standard deviation of 0.3.
    pub(super) fn with_equal_spread(mean: f64) -> Vec<Self> {
        Self::scaled(mean, |values| {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
            0.3 / (squares / values.len() as f64).sqrt()
        })
    }

    /// Returns all distributions as relative changes in the scores, shifted so that the sum of scores is
    /// unchanged. A's score lies between 0 and twice its mean, independently of the change.
    pub(super) fn with_equal_sums() -> Vec<Self> {
        let list = Self::scaled(0.0, |_| 1.0).into_iter();
        list.map(|distribution| {
            let values = representative_values(distribution.name, distribution.draw);
            let shift = find_shift(0.0, |shift| {
                let changes = values.iter().map(|share| (share + shift).max(-1.0));
                changes.sum::<f64>() / values.len() as f64
            });
            Self {
                shift,
                objective: Objective::Sum,
                ..distribution
            }
        })
        .collect()
    }

    fn scaled(mean: f64, scale: impl Fn(&[f64]) -> f64) -> Vec<Self> {
        let list = DISTRIBUTIONS.into_iter().map(|(name, draw)| {
            let values = representative_values(name, draw);
            let scale = scale(&values);
            let clipped_sum = |shift: f64| {
                values
                    .iter()
                    .map(|x| (scale * x + shift).clamp(-1.0, 1.0))
                    .sum::<f64>()
            };
            let shift = find_shift(mean, |shift| clipped_sum(shift) / values.len() as f64);
            Self {
                name,
                draw,
                scale,
                shift,
                objective: Objective::Log,
            }
        });
        list.collect()
    }

    pub(super) fn draw_pair(&self, random: &mut Random) -> Pair {
        let change = self.scale * (self.draw)(random) + self.shift;
        if self.objective == Objective::Log {
            return finished_pair(change);
        }
        let base = 2e6 * draw_uniform(random);
        new_pair(
            Some(base as u64),
            Some((base * (1.0 + change)).max(0.0) as u64),
        )
    }
}

/// Returns values that represent a distribution. Their mean differs from that of the distribution by less
/// than 10⁻⁶; a larger error would be visible in long comparisons.
fn representative_values(name: &str, draw: Draw) -> Vec<f64> {
    const COUNT: usize = 200_000;
    let quantiles = (0..COUNT).map(|i| (i as f64 + 0.5) / COUNT as f64);
    let mut random = Random::seed_from_u64(0);
    match name {
        "measured" => LOG_DIFFERENCES.to_vec(),
        "a rare loss" => (0..25).map(|i| if i == 0 { -1.5 } else { 0.0 }).collect(),
        "skewed up" => quantiles.map(|u| -0.3 * u.ln()).collect(),
        "skewed down" => quantiles.map(|u| 0.3 * u.ln()).collect(),
        // The other distributions are symmetric: x and −x together have a mean of exactly 0.
        _ => {
            let values = (0..COUNT).map(|_| draw(&mut random));
            values.flat_map(|x| [x, -x]).collect()
        }
    }
}

/// Finds the shift that results in this mean, by bisection. `mean_at` returns the mean after a shift.
fn find_shift(mean: f64, mean_at: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (-1.0, 1.0);
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        if mean_at(middle) < mean {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// Returns the scores of `bot --nodes 6000` (A) and `bot --nodes 9000` (B) on seeds 1 to 1000 of the default
/// profile.
pub(super) fn read_real_games() -> Vec<[u64; 2]> {
    let lines = include_str!("scores.txt").lines();
    let scores = lines.map(|line| {
        let (a, b) = line.split_once(' ').expect("two scores");
        [a, b].map(|score| score.parse().expect("a score"))
    });
    scores.collect()
}
