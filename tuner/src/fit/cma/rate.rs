//! A learning rate that follows the signal-to-noise ratio of the updates.

use libm::exp;

/// How fast the mean's moving averages forget (`β_m` of the paper).
pub const MEAN: f64 = 0.1;
/// How fast the covariance's moving averages forget (`β_Σ`).
pub const COVARIANCE: f64 = 0.03;
/// The signal-to-noise ratio aimed at, for each unit of the learning rate (α).
const TARGET: f64 = 1.4;
/// How fast the learning rate may change, for each unit of itself (γ).
const CHANGE: f64 = 0.1;

/// A learning rate and what it goes by: moving averages of the updates and of their squared
/// lengths, in coordinates in which the distribution is standard normal.
#[derive(Debug, Clone, PartialEq)]
pub struct Rate {
    pub(super) forget: f64,
    pub(super) average: Vec<f64>,
    pub(super) square: f64,
    pub(super) value: f64,
}

impl Rate {
    /// A rate of 1 for updates of so many components, whose averages forget the part `forget`
    /// of what they hold with each update.
    pub fn new(components: usize, forget: f64) -> Self {
        Self {
            forget,
            average: vec![0.0; components],
            square: 0.0,
            value: 1.0,
        }
    }

    /// The learning rate, above 0 and at most 1.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Takes an update in full into the averages and adapts the rate (section 3 of the paper).
    ///
    /// # Panics
    /// If the update has another number of components.
    pub fn adapt(&mut self, update: &[f64]) {
        assert_eq!(update.len(), self.average.len(), "components of an update");
        let forget = self.forget;
        for (average, x) in self.average.iter_mut().zip(update) {
            *average = (1.0 - forget) * *average + forget * x;
        }
        self.square = (1.0 - forget) * self.square + forget * square(update);

        let signal = square(&self.average);
        let ratio = (signal - forget / (2.0 - forget) * self.square) / (self.square - signal);
        // Nothing but updates of length 0 tells nothing.
        if ratio.is_nan() {
            return;
        }
        let excess = (ratio / TARGET / self.value - 1.0).clamp(-1.0, 1.0);
        self.value *= exp((CHANGE * self.value).min(forget) * excess);
        self.value = self.value.min(1.0);
    }
}

fn square(vector: &[f64]) -> f64 {
    vector.iter().map(|x| x * x).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_update_by_hand() {
        // E = β(3, 4) and V = 25β, so that E² = 25β²: the ratio is
        // (β² − β²/(2 − β)) / (β − β²), and lies below the target.
        let mut rate = Rate::new(2, MEAN);
        rate.adapt(&[3.0, 4.0]);
        let ratio = (0.01 - 0.01 / 1.9) / (0.1 - 0.01);
        let expected = (0.1_f64 * (ratio / 1.4 - 1.0)).exp();
        assert!((rate.value() - expected).abs() < 1e-15);
    }

    #[test]
    fn it_rises_with_a_steady_signal_and_falls_with_noise() {
        let mut rate = Rate::new(1, MEAN);
        for i in 0..200 {
            rate.adapt(&[if i % 2 == 0 { 1.0 } else { -1.0 }]);
        }
        let low = rate.value();
        assert!(low < 0.1, "{low}");
        for _ in 0..400 {
            rate.adapt(&[1.0]);
        }
        assert_eq!(rate.value(), 1.0);
    }

    #[test]
    fn no_movement_leaves_it_alone() {
        let mut rate = Rate::new(1, MEAN);
        rate.adapt(&[0.0]);
        assert_eq!(rate.value(), 1.0);
    }
}
