//! The axes of plots: their ranges, and the round numbers beside them.

use columns_core::text::grouped;

/// The least number of labels beside an axis.
const FEWEST: usize = 3;

/// An axis: the range of values that it shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    /// The least distance of two labels.
    finest: f64,
    unit: &'static str,
}

impl Axis {
    /// All of these values and some room on both sides, at least so much in all.
    pub(super) fn around(values: impl IntoIterator<Item = f64>, least: f64) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.into_iter().filter(|value| value.is_finite()) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (0.0, 0.0);
        }
        // Numbers so near to each other cannot be told apart.
        let least = least.max(1e-9 * low.abs().max(high.abs())).max(1e-300);
        let room = (0.05 * (high - low)).max((least - (high - low)) / 2.0);
        Self {
            low: low - room,
            high: high + room,
            finest: 0.0,
            unit: "",
        }
    }

    /// An axis of counts, from 0 to this one.
    pub(super) fn counts(last: u64) -> Self {
        Self {
            low: 0.0,
            high: last.max(FEWEST as u64 - 1) as f64,
            finest: 1.0,
            unit: "",
        }
    }

    /// The same axis with a unit behind its labels.
    pub(super) fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// The position of a value: 0 at the low and 1 at the high end.
    pub(super) fn place(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    /// Whether a value is on the axis.
    pub(super) fn shows(&self, value: f64) -> bool {
        (-1e-9..=1.0 + 1e-9).contains(&self.place(value))
    }

    /// Round numbers on the axis and their labels: at least three, and at most `most` if that
    /// leaves three.
    pub(super) fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        let rough = (self.high - self.low) / most.max(FEWEST) as f64;
        let decade = rough.log10().floor() as i32;
        // From coarse to fine: the last with room for all numbers, or the first with enough.
        let mut chosen = None;
        for decade in (decade - 2..=decade + 1).rev() {
            for digit in [5, 2, 1] {
                let step = f64::from(digit) * 10_f64.powi(decade);
                let first = (self.low / step - 1e-9).ceil() as i64;
                let last = (self.high / step + 1e-9).floor() as i64;
                let count = (last - first + 1).max(0) as usize;
                let enough = chosen.is_some_and(|(_, _, _, before)| before >= FEWEST);
                if (!enough || count <= most) && step >= self.finest {
                    chosen = Some((step, first, last, count));
                }
            }
        }
        let Some((step, first, last, _)) = chosen else {
            return Vec::new();
        };
        let decimals = (-(step.log10() + 1e-9).floor()).max(0.0) as usize;
        let written = |index: i64| {
            let value = index as f64 * step;
            let minus = if index < 0 { "−" } else { "" };
            let digits = match decimals {
                0 => grouped(value.abs().round() as u64),
                _ => format!("{:.decimals$}", value.abs()),
            };
            (value, format!("{minus}{digits}{}", self.unit))
        };
        (first..=last).map(written).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(axis: Axis, most: usize) -> Vec<String> {
        axis.ticks(most).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        let between = |low: f64, high: f64| Axis {
            low,
            high,
            finest: 0.0,
            unit: "",
        };
        assert_eq!(texts(between(0.0, 1.5), 4), ["0.0", "0.5", "1.0", "1.5"]);
        assert_eq!(texts(between(-5.0, 10.0), 4), ["−5", "0", "5", "10"]);
        assert_eq!(
            texts(between(-0.13, 0.11).unit(" %"), 5),
            ["−0.10 %", "−0.05 %", "0.00 %", "0.05 %", "0.10 %"]
        );
        assert_eq!(
            texts(Axis::counts(30_000), 4),
            ["0", "10,000", "20,000", "30,000"]
        );
        assert_eq!(texts(Axis::counts(1), 9), ["0", "1", "2"]);
        // Of one value, what is around it.
        assert_eq!(
            texts(Axis::around([3.0, 3.0], 1.0), 3),
            ["2.5", "3.0", "3.5"]
        );
        assert!(texts(Axis::around([], 0.0), 3).len() >= FEWEST);
    }

    proptest! {
        #[test]
        fn every_axis_has_three_ticks_that_differ(
            low in -1e6..1e6, spread in 0.0..1e3, least in 0.0..10.0, most in 1..12_usize,
        ) {
            let axis = Axis::around([low, low + spread], least);
            let ticks = axis.ticks(most);
            prop_assert!((FEWEST..=most.max(8)).contains(&ticks.len()), "{axis:?} {ticks:?}");
            prop_assert!(ticks.windows(2).all(|two| two[0].1 != two[1].1), "{ticks:?}");
            prop_assert!(ticks.iter().all(|tick| axis.shows(tick.0)), "{axis:?} {ticks:?}");
        }

        #[test]
        fn counts_have_whole_ticks(last in 0..1_000_000_000_u64, most in 1..12_usize) {
            let ticks = Axis::counts(last).ticks(most);
            prop_assert!(ticks.len() >= FEWEST, "{ticks:?}");
            prop_assert!(ticks.iter().all(|tick| tick.0.fract() == 0.0), "{ticks:?}");
        }
    }
}
