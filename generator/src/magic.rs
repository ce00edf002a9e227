//! The rate of magic columns.

use columns_cases::ValueError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The probability that a column is magic, in whole millionths, so that drawing a column needs no floating
/// point.
///
/// `Display` and serde use a number from 0 to 1, such as `0.025`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct MagicRate {
    per_million: u32,
}

impl MagicRate {
    /// Creates a rate, rounded to the nearest millionth.
    ///
    /// # Errors
    /// Returns an error if `rate` is not a number from 0 to 1.
    pub fn new(rate: f64) -> Result<Self, ValueError> {
        if (0.0..=1.0).contains(&rate) {
            Ok(Self::from_per_million((rate * 1e6).round() as u32))
        } else {
            Err(ValueError::new("the magic rate", "from 0 to 1", rate))
        }
    }

    pub(crate) const fn from_per_million(per_million: u32) -> Self {
        Self { per_million }
    }

    /// Returns the rate in millionths, 0 to 1,000,000.
    pub fn per_million(self) -> u64 {
        u64::from(self.per_million)
    }

    /// Returns the rate as a number from 0 to 1.
    pub fn value(self) -> f64 {
        f64::from(self.per_million) / 1e6
    }
}

impl TryFrom<f64> for MagicRate {
    type Error = ValueError;

    fn try_from(rate: f64) -> Result<Self, ValueError> {
        Self::new(rate)
    }
}

impl From<MagicRate> for f64 {
    fn from(rate: MagicRate) -> Self {
        rate.value()
    }
}

impl fmt::Display for MagicRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value().fmt(f)
    }
}

impl FromStr for MagicRate {
    type Err = ValueError;

    /// Parses a number from 0 to 1.
    fn from_str(text: &str) -> Result<Self, ValueError> {
        let rate = text.parse().unwrap_or(f64::NAN);
        Self::new(rate).map_err(|_| ValueError::new("the magic rate", "a number from 0 to 1", text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_rounded_to_the_millionth() {
        let rate = |text: &str| text.parse::<MagicRate>().unwrap();
        assert_eq!(rate("0").per_million(), 0);
        assert_eq!(rate("1").per_million(), 1_000_000);
        assert_eq!(rate("0.0123456").per_million(), 12_346);
        for per_million in 0..=1_000_000 {
            let rate = MagicRate::from_per_million(per_million);
            assert_eq!(MagicRate::new(rate.value()), Ok(rate));
        }
    }

    #[test]
    fn numbers_outside_0_to_1_are_refused() {
        for rate in [-0.1, 1.000_001, f64::NAN, f64::INFINITY] {
            assert!(MagicRate::new(rate).is_err(), "{rate}");
        }
        for text in ["", "-1", "2", "2%", "nan", "x"] {
            let error = text.parse::<MagicRate>().unwrap_err().to_string();
            assert_eq!(
                error,
                format!("the magic rate must be a number from 0 to 1, not {text:?}")
            );
        }
    }
}
