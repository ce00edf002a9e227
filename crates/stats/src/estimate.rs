//! The mean change in the score, in percent, with its confidence interval and its p-value.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::statistics::Statistics;

/// A change in the score, in percent, estimated by the mean change in its logarithm. The interval and the
/// p-value assume Student's t-distribution.
///
/// For one of several candidates, the interval and the p-value are corrected for the number of candidates
/// (Bonferroni): with 95 % confidence, the intervals of all candidates contain their true changes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The change, in percent.
    pub mean: f64,
    /// The lower and the upper end of the 95 % confidence interval. `None` for fewer than five values, where
    /// the interval would be too wide to be useful.
    pub interval: Option<(f64, f64)>,
    /// The two-sided p-value of the hypothesis that there is no change; 1 for fewer than two values.
    pub p_value: f64,
}

/// The minimum number of values for a confidence interval.
const MIN_VALUES: usize = 5;

impl Estimate {
    /// Estimates the mean of these changes in the logarithm; `None` if there are no changes.
    pub(crate) fn new(candidates: usize, logs: &[f64]) -> Option<Self> {
        let (n, candidates) = (logs.len() as f64, candidates as f64);
        let mean = (n > 0.0).then(|| logs.mean())?;
        let standard_error = logs.std_dev() / n.sqrt();
        // A single value has no spread, so `t` is `None`.
        let t = StudentsT::new(0.0, 1.0, n - 1.0).ok();
        let p = |t: StudentsT| candidates * 2.0 * t.cdf(-(mean / standard_error).abs());
        let percent = |log| 100.0 * libm::expm1(log);
        let interval = |t: StudentsT| {
            let half_width =
                standard_error * t.inverse_cdf(f64::midpoint(1.0, 1.0 - 0.05 / candidates));
            (percent(mean - half_width), percent(mean + half_width))
        };
        Some(Self {
            mean: percent(mean),
            interval: t.filter(|_| logs.len() >= MIN_VALUES).map(interval),
            p_value: t.filter(|_| mean != 0.0).map_or(1.0, p).min(1.0),
        })
    }

    /// Formats the p-value, such as `0.0312`, or `<0.0001`.
    pub fn p_text(&self) -> String {
        match self.p_value {
            p if p < 0.0001 => "<0.0001".into(),
            p => format!("{p:.4}"),
        }
    }

    /// Formats an estimate in percent, such as `+1.20 % (+0.50 to +1.90 %)`.
    pub fn percent_text(&self) -> String {
        let mean = format_change(self.mean, 2);
        match self.interval {
            Some(interval) => format!("{mean} ({})", format_interval(interval, 2)),
            None => mean,
        }
    }
}

/// Formats a change in the score with two decimal places: see [`format_change`]. `None` means that there is
/// nothing to compare: see [`Objective::estimate`](crate::Objective::estimate).
pub fn change_text(change: Option<f64>) -> String {
    let text = |change| format_change(change, 2);
    change.map_or("no scores to compare".into(), text)
}

/// Formats a change in the score in percent, with this number of decimal places: `+1.23 %`. A change beyond a
/// factor of 10 is printed as the factor: `×12.3` for +1130 %, `÷20.4` for −95.1 %.
pub fn format_change(percent: f64, decimals: usize) -> String {
    factor_text(percent).unwrap_or_else(|| format!("{percent:+.decimals$} %"))
}

/// Formats an interval of changes in percent: `+0.61 to +3.74 %`. An end beyond a factor of 10 is printed as
/// [`format_change`] prints it: `+850.00 % to ×12.3`.
pub fn format_interval((low, high): (f64, f64), decimals: usize) -> String {
    match [low, high].map(factor_text) {
        [None, None] => format!("{low:+.decimals$} to {high:+.decimals$} %"),
        _ => [low, high]
            .map(|end| format_change(end, decimals))
            .join(" to "),
    }
}

/// Returns the change as a factor if it is beyond a factor of 10; `None` otherwise, and for a loss of all
/// points.
fn factor_text(percent: f64) -> Option<String> {
    let ratio = 1.0 + percent / 100.0;
    let (sign, factor) = if ratio < 1.0 {
        ('÷', 1.0 / ratio)
    } else {
        ('×', ratio)
    };
    // A sum of 0 points counts as a billionth of a point, so a loss of all points leaves a tiny ratio.
    let is_lost = ratio < 1e-8;
    // A factor of exactly 10 is printed as a percentage, even with a rounding error.
    (factor > 10.0 + 1e-9 && !is_lost).then(|| match factor {
        factor if factor < 99.95 => format!("{sign}{factor:.1}"),
        factor if factor < 1e6 => format!("{sign}{factor:.0}"),
        factor => format!("{sign}{factor:.1e}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    /// The differences in Student's sleep data, the example in R's `t.test(extra ~ group, paired = TRUE)`:
    /// t = 4.0621 with 9 degrees of freedom, p = 0.002833, and an interval of 0.7001142 to 2.4598858.
    const SLEEP_DIFFERENCES: [f64; 10] = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4];

    #[test]
    fn intervals_and_p_values_agree_with_published_tables() {
        let log = |percent: f64| (percent / 100.0).ln_1p();
        let estimate = Estimate::new(1, &SLEEP_DIFFERENCES).unwrap();
        let (low, high) = estimate.interval.unwrap();
        assert_close(log(estimate.mean), 1.58, 1e-12);
        assert_close(log(low), 0.700_114_2, 1e-6);
        assert_close(log(high), 2.459_885_8, 1e-6);
        assert_close(estimate.p_value, 0.002_833, 1e-6);
        // For five candidates the level is 99 %. t(0.995; 9) = 3.249836 instead of t(0.975; 9) = 2.262157.
        let five = Estimate::new(5, &SLEEP_DIFFERENCES).unwrap();
        let (wide, _) = five.interval.unwrap();
        assert_close(
            (1.58 - log(wide)) / (1.58 - log(low)),
            3.249_836 / 2.262_157,
            1e-5,
        );
        assert_close(five.p_value, 5.0 * estimate.p_value, 1e-12);
    }

    #[test]
    fn a_change_beyond_a_factor_of_10_is_a_factor() {
        for (percent, text) in [
            (1.234, "+1.23 %"),
            (900.0, "+900.00 %"),
            (901.0, "×10.0"),
            (1130.0, "×12.3"),
            (1_988_900.0, "×19890"),
            (1e12, "×1.0e10"),
            (-90.0, "-90.00 %"),
            (-95.1, "÷20.4"),
            (-99.99, "÷10000"),
            (-100.0, "-100.00 %"),
        ] {
            assert_eq!(format_change(percent, 2), text);
        }
        assert_eq!(format_interval((0.61, 3.74), 1), "+0.6 to +3.7 %");
        assert_eq!(format_interval((850.0, 1130.0), 2), "+850.00 % to ×12.3");
        assert_eq!(format_interval((-95.1, 1130.0), 2), "÷20.4 to ×12.3");
    }

    #[test]
    fn few_values_and_values_without_spread_have_an_estimate() {
        assert_eq!(Estimate::new(1, &[]), None);
        let estimate = |count, log: f64| {
            let estimate = Estimate::new(1, &vec![log; count]).unwrap();
            (
                estimate.mean.round(),
                estimate.interval.is_some(),
                estimate.p_value,
            )
        };
        let double = 2.0_f64.ln();
        assert_eq!(estimate(1, double), (100.0, false, 1.0));
        assert_eq!(estimate(4, double), (100.0, false, 0.0));
        assert_eq!(estimate(5, double), (100.0, true, 0.0));
        assert_eq!(estimate(5, 0.0), (0.0, true, 1.0));
    }
}
