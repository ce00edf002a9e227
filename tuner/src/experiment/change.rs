//! The change of the score between two players on the same cases, as the objective of a
//! run measures it.

use crate::units::{self, Objective, Unit};

/// Computes the change of the objective from the first to the second player over some pairs. Cuts
/// each difference: see [`Unit::difference`].
pub(super) fn gain(objective: Objective, pairs: &[[u64; 2]]) -> f64 {
    let usual = usual(pairs);
    let unit = Unit { objective, usual };
    let differences = pairs.iter().map(|&[a, b]| unit.difference(a, b));
    units::change(&differences.collect::<Vec<_>>()).0
}

/// Computes the change of the score in percent with a 95 % interval, without cutting differences.
/// The interval assumes that the mean is normally distributed, which is accurate for hundreds of
/// pairs. The result is bit-identical on every machine.
pub(super) fn estimate(objective: Objective, pairs: &[[u64; 2]]) -> (f64, (f64, f64)) {
    let usual = usual(pairs).max(1.0);
    let gain = |&[a, b]: &[u64; 2]| match objective {
        Objective::Log => libm::log(b.max(1) as f64 / a.max(1) as f64),
        Objective::Sum => (b as f64 - a as f64) / usual,
    };
    let gains: Vec<f64> = pairs.iter().map(gain).collect();
    let (mean, count) = (mean(&gains), gains.len() as f64);
    let squares: f64 = gains.iter().map(|gain| (gain - mean) * (gain - mean)).sum();
    let half = 1.96 * libm::sqrt(squares / (count - 1.0) / count);
    let percent = |gain| objective.percent(gain);
    (percent(mean), (percent(mean - half), percent(mean + half)))
}

/// Computes the mean score of the first player.
fn usual(pairs: &[[u64; 2]]) -> f64 {
    mean(&pairs.iter().map(|pair| pair[0] as f64).collect::<Vec<_>>())
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gain_is_cut_and_a_sum_is_relative_to_its_own_games() {
        let change = |objective: Objective, pairs: &[_]| objective.percent(gain(objective, pairs));
        let mut pairs = vec![[1000, 1100]; 19];
        assert!((change(Objective::Sum, &pairs) - 10.0).abs() < 1e-9);
        assert!((change(Objective::Log, &pairs) - 10.0).abs() < 1e-9);
        // One lost game in twenty: if its logarithm were not cut, it would outweigh all others.
        pairs.push([1000, 0]);
        assert!(estimate(Objective::Log, &pairs).0 < -20.0);
        let cut = change(Objective::Log, &pairs);
        assert!((4.0..5.0).contains(&cut), "{cut}");
        let (mean, (low, high)) = estimate(Objective::Sum, &pairs);
        assert!((mean - 4.5).abs() < 1e-9 && low < mean && mean < high);
    }
}
