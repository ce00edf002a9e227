//! How much better one player did than another on the same cases, by the objective of a run.

use crate::units::{self, Objective, Unit};

/// The change of the objective from the first players of some pairs to the second, each difference
/// cut: see [`Unit::difference`].
pub(super) fn gain(objective: Objective, pairs: &[[u64; 2]]) -> f64 {
    let usual = mean(&firsts(pairs));
    let unit = Unit { objective, usual };
    let differences = pairs.iter().map(|&[a, b]| unit.difference(a, b));
    units::change(&differences.collect::<Vec<_>>()).0
}

/// The change of the score in percent, and a 95 % interval for it; no difference is cut. The
/// interval supposes a normal mean, so it is the same to the bit on every machine; it is for
/// hundreds of pairs.
pub(super) fn estimate(objective: Objective, pairs: &[[u64; 2]]) -> (f64, (f64, f64)) {
    let usual = mean(&firsts(pairs)).max(1.0);
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

/// The points of the first players.
fn firsts(pairs: &[[u64; 2]]) -> Vec<f64> {
    pairs.iter().map(|pair| pair[0] as f64).collect()
}

/// The mean of some numbers.
pub(super) fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_game_counts_as_at_the_gate_and_a_sum_is_relative_to_its_own_games() {
        let change = |objective: Objective, pairs: &[_]| objective.percent(gain(objective, pairs));
        let mut pairs = vec![[1000, 1100]; 19];
        assert!((change(Objective::Sum, &pairs) - 10.0).abs() < 1e-9);
        assert!((change(Objective::Log, &pairs) - 10.0).abs() < 1e-9);
        // One game of twenty is lost: by the logarithm alone it would outweigh the others.
        pairs.push([1000, 0]);
        assert!(estimate(Objective::Log, &pairs).0 < -20.0);
        let cut = change(Objective::Log, &pairs);
        assert!((4.0..5.0).contains(&cut), "{cut}");
        let (mean, (low, high)) = estimate(Objective::Sum, &pairs);
        assert!((mean - 4.5).abs() < 1e-9 && low < mean && mean < high);
    }
}
