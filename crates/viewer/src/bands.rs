//! The trend of points in a chart: medians and quartiles in parts of the x axis.

use serde::Serialize;

/// The maximum number of parts of the x axis.
const MAX_PARTS: usize = 8;
/// The minimum number of points in a part. Only the last part may have fewer.
const MIN_POINTS: usize = 5;

/// The median x and the quartiles of y for the points in one part of the x axis.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Band {
    /// The median of x.
    x: f64,
    /// The lower quartile of y.
    low: f64,
    /// The median of y.
    median: f64,
    /// The upper quartile of y.
    high: f64,
}

/// Returns the quantile at `share`, from 0 to 1, by linear interpolation. `sorted` must not be empty.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = share * (sorted.len() - 1) as f64;
    let (low, high) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    low + (high - low) * at.fract()
}

/// Sorts points (x, y) by x, splits them into parts of about equal size, and returns the quartiles of each
/// part. Points with the same x are in the same part.
pub(crate) fn quartile_bands(mut points: Vec<(f64, f64)>) -> Vec<Band> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let size = (points.len().div_ceil(MAX_PARTS)).max(MIN_POINTS);
    let mut parts = Vec::new();
    while !points.is_empty() {
        let mut end = size.min(points.len());
        if points.len() - end < MIN_POINTS {
            end = points.len();
        }
        while end < points.len() && points[end].0 == points[end - 1].0 {
            end += 1;
        }
        let part: Vec<(f64, f64)> = points.drain(..end).collect();
        let xs: Vec<f64> = part.iter().map(|point| point.0).collect();
        let mut ys: Vec<f64> = part.iter().map(|point| point.1).collect();
        ys.sort_by(f64::total_cmp);
        let [low, median, high] = [0.25, 0.5, 0.75].map(|share| quantile(&ys, share));
        let x = quantile(&xs, 0.5);
        parts.push(Band {
            x,
            low,
            median,
            high,
        });
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_quartiles() {
        let point = |i: usize| ((i / 5) as f64, (i % 5) as f64);
        let parts = quartile_bands((0..14).rev().map(point).collect());
        let part = |x, low, median, high| Band {
            x,
            low,
            median,
            high,
        };
        // The last four points are too few for a part, so they join the second one.
        assert_eq!(parts, [part(0.0, 1.0, 2.0, 3.0), part(1.0, 1.0, 2.0, 3.0)]);
        assert_eq!(quartile_bands(vec![(1.0, 7.0)]), [part(1.0, 7.0, 7.0, 7.0)]);
        assert_eq!(quartile_bands(Vec::new()), []);
    }
}
