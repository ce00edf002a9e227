//! Options that several commands share, and parsers of option values.

use crate::output;
use anyhow::Result;
use clap::Args;
use std::fmt::Display;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::time::Duration;

/// The option `--json`, which makes a command print JSON instead of text.
#[derive(Debug, Args)]
pub struct JsonOption {
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

impl JsonOption {
    /// True if the command line contains `--json`.
    pub fn is_set(&self) -> bool {
        self.json
    }

    /// Prints the result of `json` if the user has given the option, and `text` otherwise.
    ///
    /// # Errors
    /// Returns an error if `json` fails, or if standard output cannot be written.
    pub fn print(&self, json: impl FnOnce() -> Result<String>, text: &str) -> Result<()> {
        if self.json {
            output::print(&json()?)
        } else {
            output::print(text)
        }
    }
}

/// Returns a parser for numbers in a range. `description` names these numbers in messages.
pub fn number_between<T: FromStr + PartialOrd + Display + Copy>(
    description: &'static str,
    min: T,
    max: T,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    let range = min..=max;
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let (min, max) = (range.start(), range.end());
        number.ok_or_else(|| format!("expected {description} from {min} to {max}"))
    }
}

/// Returns a parser for whole numbers in a range.
///
/// Options for whole numbers without a unit use this parser, so that the error for a wrong value always names
/// the range.
pub fn integer_between<T: FromStr + PartialOrd + Display + Copy>(
    min: T,
    max: T,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    number_between("a whole number", min, max)
}

/// The largest value of `--jobs`.
const MAX_JOBS: NonZeroUsize = NonZeroUsize::new(1024).unwrap();

/// Parses a number of parallel jobs, 1 to 1024.
///
/// # Errors
/// Returns an error if the text is not valid. The error says what was expected.
pub fn parse_jobs(text: &str) -> Result<NonZeroUsize, String> {
    integer_between(NonZeroUsize::MIN, MAX_JOBS)(text)
}

/// Parses an amount of work in milliseconds, 0.001 to 1,000,000,000.
///
/// # Errors
/// Returns an error if the text is not valid. The error says what was expected.
pub fn parse_work_ms(text: &str) -> Result<f64, String> {
    number_between("milliseconds", 0.001, 1e9)(text)
}

/// Parses a time such as `90s`, `30m` or `8h`, up to 10⁸ seconds (about three years).
///
/// # Errors
/// Returns an error if the text is not valid. The error says what was expected.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let unit = |unit: char, seconds: f64| Some((text.strip_suffix(unit)?, seconds));
    let split = unit('s', 1.0)
        .or_else(|| unit('m', 60.0))
        .or_else(|| unit('h', 3600.0));
    let seconds = split.and_then(|(number, seconds)| Some(number.parse::<f64>().ok()? * seconds));
    match seconds {
        Some(seconds) if seconds > 0.0 && seconds <= 1e8 => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("expected a time such as 90s, 30m or 8h".into()),
    }
}

/// Formats a time in seconds as [`parse_duration`] parses it, such as `8h`, `90m` or `1.5s`.
pub fn duration_text(seconds: f64) -> String {
    let units = [(3600.0, "h"), (60.0, "m")].into_iter();
    let mut whole = units.filter(|(unit, _)| seconds > 0.0 && seconds % unit == 0.0);
    let (unit, name) = whole.next().unwrap_or((1.0, "s"));
    format!("{}{name}", seconds / unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_formatted_as_it_is_parsed() {
        for text in ["8h", "90m", "1.5s", "61s"] {
            let seconds = parse_duration(text).unwrap().as_secs_f64();
            assert_eq!(duration_text(seconds), text);
        }
    }

    #[test]
    fn a_time_needs_a_unit() {
        for (text, seconds) in [("90s", 90.0), ("1.5m", 90.0), ("8h", 28_800.0)] {
            assert_eq!(parse_duration(text), Ok(Duration::from_secs_f64(seconds)));
        }
        for text in ["", "s", "8", "8 days", "-1s", "0s", "nanh", "1e99h"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }
}
