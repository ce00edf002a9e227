//! The mean of values, with its confidence interval and its p-value.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::statistics::Statistics;

/// A mean with its confidence interval, both by Student's t.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// Arithmetic mean of the values.
    pub mean: f64,
    /// The lower and the upper end of the confidence interval; `None` for fewer than two values.
    pub interval: Option<(f64, f64)>,
    /// The two-sided p-value of the hypothesis that the true mean is 0; 1 for fewer than two values.
    pub p: f64,
}

impl Estimate {
    /// Computes the mean and its interval at a confidence level between 0 and 1, such as 0.95.
    ///
    /// # Panics
    /// If there are no values.
    pub fn new(confidence: f64, values: &[f64]) -> Self {
        assert!(!values.is_empty(), "the mean needs at least one value");
        let (mean, n) = (values.mean(), values.len() as f64);
        let Ok(t) = StudentsT::new(0.0, 1.0, n - 1.0) else {
            return Self {
                mean,
                interval: None,
                p: 1.0,
            };
        };
        let error = values.std_dev() / n.sqrt();
        let half = t.inverse_cdf(f64::midpoint(1.0, confidence)) * error;
        let p = if mean == 0.0 {
            1.0
        } else {
            2.0 * t.cdf(-(mean / error).abs())
        };
        Self {
            mean,
            interval: Some((mean - half, mean + half)),
            p,
        }
    }

    /// Applies an increasing function that keeps 0 to the mean and to both ends of the interval.
    #[must_use]
    pub fn map(self, f: impl Fn(f64) -> f64) -> Self {
        let interval = self.interval.map(|(low, high)| (f(low), f(high)));
        Self {
            mean: f(self.mean),
            interval,
            ..self
        }
    }

    /// Formats an estimate in percent, such as `+1.20 % (+0.50 to +1.90 %)`.
    pub fn percent_text(&self) -> String {
        let interval = self
            .interval
            .map(|(low, high)| format!(" ({low:+.2} to {high:+.2} %)"));
        format!("{:+.2} %{}", self.mean, interval.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(a: f64, b: f64, within: f64) {
        assert!((a - b).abs() <= within, "{a} is not {b}");
    }

    #[test]
    fn intervals_and_p_values_agree_with_published_tables() {
        // t(0.975; 4) = 2.776445; mean 3, standard error sqrt(2.5 / 5).
        let estimate = Estimate::new(0.95, &[1.0, 2.0, 3.0, 4.0, 5.0]);
        let (low, high) = estimate.interval.unwrap();
        assert_close(estimate.mean, 3.0, 1e-12);
        assert_close(high, 3.0 + 2.776_445 * 0.5f64.sqrt(), 1e-5);
        assert_close(low, 3.0 - 2.776_445 * 0.5f64.sqrt(), 1e-5);
        // t(0.975; 1) = 12.706205
        let (_, high) = Estimate::new(0.95, &[0.0, 2.0]).interval.unwrap();
        assert_close(high, 1.0 + 12.706_205, 1e-4);
        // Student's sleep data, the example in R's t.test: t = 4.0621 with 9 degrees of freedom, p =
        // 0.002833.
        let sleep = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4];
        assert_close(Estimate::new(0.95, &sleep).p, 0.002_833, 1e-6);
    }

    #[test]
    fn values_without_spread_are_certain() {
        assert_eq!(
            Estimate::new(0.95, &[7.0]),
            Estimate {
                mean: 7.0,
                interval: None,
                p: 1.0
            }
        );
        let [same, zero] = [7.0, 0.0].map(|value| Estimate::new(0.95, &[value; 2]));
        assert_eq!(
            same,
            Estimate {
                mean: 7.0,
                interval: Some((7.0, 7.0)),
                p: 0.0
            }
        );
        assert_eq!(
            zero,
            Estimate {
                mean: 0.0,
                interval: Some((0.0, 0.0)),
                p: 1.0
            }
        );
    }
}
