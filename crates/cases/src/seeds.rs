//! Ranges and lists of seeds, in the text form that all commands read.

use crate::error::ValueError;
use columns_core::text::quote;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::str::FromStr;

/// A non-empty range of seeds. Its text form is one seed, or a range as in Rust: `5`, `2..101` or `2..=101`.
/// `Display` prints only the first and the last of these forms.
///
/// ```
/// use columns_cases::seeds::SeedRange;
///
/// let seeds: SeedRange = "2..5".parse()?;
/// assert_eq!(seeds.into_iter().collect::<Vec<u64>>(), [2, 3, 4]);
/// assert_eq!(seeds.to_string(), "2..=4");
/// # Ok::<(), columns_cases::ValueError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SeedRange {
    first: u64,
    last: u64,
}

impl SeedRange {
    /// Creates the range from `first` to `last`, both included. Returns `None` if `first` is greater than
    /// `last`.
    pub fn new(first: u64, last: u64) -> Option<Self> {
        (first <= last).then_some(Self { first, last })
    }

    /// Returns the lowest seed.
    pub fn first(self) -> u64 {
        self.first
    }

    /// Returns the highest seed.
    pub fn last(self) -> u64 {
        self.last
    }

    /// Returns the number of seeds, 1 to 2⁶⁴.
    pub fn count(self) -> u128 {
        u128::from(self.last - self.first) + 1
    }
}

impl IntoIterator for SeedRange {
    type Item = u64;
    type IntoIter = std::ops::RangeInclusive<u64>;

    fn into_iter(self) -> Self::IntoIter {
        self.first..=self.last
    }
}

impl fmt::Display for SeedRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.last {
            write!(f, "{}", self.first)
        } else {
            write!(f, "{}..={}", self.first, self.last)
        }
    }
}

impl FromStr for SeedRange {
    type Err = ValueError;

    /// Parses `A`, `A..B` or `A..=B`. Whitespace around the numbers is allowed.
    ///
    /// # Errors
    /// Returns an error if the text has another form, if a number is above `u64::MAX`, or if the range is
    /// empty.
    fn from_str(text: &str) -> Result<Self, ValueError> {
        let text = text.trim();
        let Some((first, rest)) = text.split_once("..") else {
            let seed = seed(text, "a seed or a range A..=B")?;
            return Ok(Self {
                first: seed,
                last: seed,
            });
        };
        let first = seed(first, "a seed before ..")?;
        let last = seed(rest.strip_prefix('=').unwrap_or(rest), "a seed after ..")?;
        if first > last {
            let range = quote(text);
            return Err(ValueError(format!(
                "expected a range that goes up, found {range}"
            )));
        }
        let end = last.checked_sub(u64::from(!rest.starts_with('=')));
        end.and_then(|last| Self::new(first, last)).ok_or_else(|| {
            let range = quote(text);
            ValueError(format!(
                "expected a range that is not empty, found {range} \
                 ({first}..={last} includes {last})"
            ))
        })
    }
}

impl TryFrom<String> for SeedRange {
    type Error = ValueError;

    fn try_from(text: String) -> Result<Self, ValueError> {
        text.parse()
    }
}

impl From<SeedRange> for String {
    fn from(range: SeedRange) -> Self {
        range.to_string()
    }
}

/// Parses a seed, which consists of digits only. A sign is an error.
fn seed(word: &str, what: &str) -> Result<u64, ValueError> {
    let word = word.trim();
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    let seed = digits.then(|| word.parse().ok()).flatten();
    seed.ok_or_else(|| {
        ValueError(format!(
            "expected {what}, a whole number from 0 to {}, found {}",
            u64::MAX,
            quote(word)
        ))
    })
}

/// Maximum number of seeds in a list. No contest has that many tests, so a larger number is probably a typo.
pub const MAX_SEEDS: usize = 1_000_000;

/// The message about a list without seeds.
const NO_SEED: &str = "expected at least one seed or range A..=B, found none";

/// Maximum size of a file with a [`SeedList`], in bytes.
pub const MAX_FILE_BYTES: u64 = 64 << 20;

/// A list of 1 to [`MAX_SEEDS`] distinct seeds, in the order of the input.
///
/// The text form has a seed or a range on each line. `#` starts a comment. `Display` joins the ranges with
/// commas: `1..=3,7`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SeedList(Vec<SeedRange>);

impl SeedList {
    /// Iterates over the seeds in the order of the input.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().copied().flatten()
    }

    /// Appends a range. If it continues the last range, extends that range instead.
    fn push(&mut self, range: SeedRange) {
        match self.0.last_mut() {
            Some(end) if end.last.checked_add(1) == Some(range.first) => end.last = range.last,
            _ => self.0.push(range),
        }
    }
}

impl fmt::Display for SeedList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranges: Vec<String> = self.0.iter().map(SeedRange::to_string).collect();
        f.write_str(&ranges.join(","))
    }
}

impl TryFrom<&[SeedRange]> for SeedList {
    type Error = ValueError;

    /// Joins the ranges into a list, in the given order.
    ///
    /// # Errors
    /// Returns an error if there are no ranges, if two ranges have a seed in common, or if there are more
    /// than [`MAX_SEEDS`] seeds.
    fn try_from(ranges: &[SeedRange]) -> Result<Self, ValueError> {
        if ranges.is_empty() {
            return Err(ValueError(NO_SEED.into()));
        }
        check_count(ranges.iter().map(|range| range.count()).sum())?;
        let mut seen = HashSet::new();
        let mut seeds = ranges.iter().copied().flatten();
        if let Some(seed) = seeds.find(|&seed| !seen.insert(seed)) {
            return Err(ValueError(format!(
                "expected each seed once, found seed {seed} again"
            )));
        }
        let mut list = Self(Vec::new());
        for &range in ranges {
            list.push(range);
        }
        Ok(list)
    }
}

fn check_count(count: u128) -> Result<(), ValueError> {
    if count > MAX_SEEDS as u128 {
        return Err(ValueError(format!(
            "expected at most {MAX_SEEDS} seeds, found {count}"
        )));
    }
    Ok(())
}

impl FromStr for SeedList {
    type Err = ValueError;

    /// Parses a seed or a range from each line. Skips comments and blank lines.
    ///
    /// # Errors
    /// Returns an error if a line is not a seed or a range, repeats an earlier seed, or makes the list longer
    /// than [`MAX_SEEDS`]; or if the list is empty. The error names the line.
    fn from_str(text: &str) -> Result<Self, ValueError> {
        let (mut list, mut lines) = (Self(Vec::new()), HashMap::new());
        for (number, line) in (1..).zip(text.lines()) {
            let content = line.split('#').next().unwrap_or_default().trim();
            if content.is_empty() {
                continue;
            }
            let at = |error| ValueError(format!("line {number}: {error}"));
            let range: SeedRange = content.parse().map_err(at)?;
            check_count(lines.len() as u128 + range.count()).map_err(at)?;
            for seed in range {
                if let Some(first) = lines.insert(seed, number) {
                    return Err(ValueError(format!(
                        "line {number}: expected each seed once, found seed {seed} again \
                         (first on line {first})"
                    )));
                }
            }
            list.push(range);
        }
        if lines.is_empty() {
            let line = text.lines().count().max(1);
            return Err(ValueError(format!("line {line}: {NO_SEED}")));
        }
        Ok(list)
    }
}

/// Returns the file name for the case or the plan of a seed. The seed is padded to four digits, as in the
/// local tools of other heuristic contests.
///
/// ```
/// assert_eq!(columns_cases::seeds::file_name(7), "0007.txt");
/// ```
pub fn file_name(seed: u64) -> String {
    format!("{seed:04}.txt")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str) -> Result<SeedRange, String> {
        text.parse().map_err(|error: ValueError| error.to_string())
    }

    #[test]
    fn ranges_are_parsed_and_printed_as_in_rust() {
        for (text, first, last, display) in [
            ("0", 0, 0, "0"),
            ("7..8", 7, 7, "7"),
            ("7..=7", 7, 7, "7"),
            ("2..=101", 2, 101, "2..=101"),
            (" 2 ..102 ", 2, 101, "2..=101"),
            (
                "0..=18446744073709551615",
                0,
                u64::MAX,
                "0..=18446744073709551615",
            ),
        ] {
            let range = range(text).unwrap();
            assert_eq!((range.first(), range.last()), (first, last), "{text}");
            assert_eq!(range.count(), u128::from(last - first) + 1);
            assert_eq!(range.to_string(), display);
        }
    }

    #[test]
    fn errors_in_ranges_say_what_was_expected() {
        let number = "a whole number from 0 to 18446744073709551615";
        let words = ["", "x", "-1", "+1", "1,2", "18446744073709551616"];
        let seeds = words.map(|word| (word, "a seed or a range A..=B", word));
        let before = [("..5", "a seed before ..", "")];
        let after = [("5..", ""), ("5..=", ""), ("1..2..3", "2..3")];
        let after = after.map(|(text, word)| (text, "a seed after ..", word));
        for (text, what, word) in seeds.into_iter().chain(before).chain(after) {
            let word = quote(word);
            let message = format!("expected {what}, {number}, found {word}");
            assert_eq!(range(text), Err(message), "{text:?}");
        }
        for (text, reason) in [
            ("5..5", "is not empty, found \"5..5\" (5..=5 includes 5)"),
            ("0..0", "is not empty, found \"0..0\" (0..=0 includes 0)"),
            ("9..=2", "goes up, found \"9..=2\""),
            ("9..2", "goes up, found \"9..2\""),
        ] {
            assert_eq!(range(text), Err(format!("expected a range that {reason}")));
        }
    }

    #[test]
    fn a_list_keeps_its_order() {
        let text = "# first batch\n10..=12\r\n\n3 # the bad one\n  5..7\n";
        let list: SeedList = text.parse().unwrap();
        assert_eq!(list.iter().collect::<Vec<u64>>(), [10, 11, 12, 3, 5, 6]);
        assert_eq!(list.to_string(), "10..=12,3,5..=6");
        let list: SeedList = "1\n2\n3..=5\n0\n18446744073709551615\n".parse().unwrap();
        assert_eq!(list.to_string(), "1..=5,0,18446744073709551615");
    }

    #[test]
    fn ranges_form_a_list_without_repeated_seeds() {
        let list = |text: &str| {
            let parts = text.split_whitespace();
            let ranges: Vec<_> = parts.map(|part| range(part).unwrap()).collect();
            let list = SeedList::try_from(&ranges[..]);
            list.map_or_else(|error| error.to_string(), |list| list.to_string())
        };
        assert_eq!(list("7 1..=3 4"), "7,1..=4");
        let repeated = "expected each seed once, found seed 7 again";
        assert_eq!(list("7 1..=9"), repeated);
        assert_eq!(list(""), NO_SEED);
        let all = "0..=18446744073709551615";
        assert!(list(&format!("{all} {all}")).starts_with("expected at most 1000000 seeds"));
    }

    /// Each row has an invalid list, `|`, and the start of the error message. In the list, `/` stands for a
    /// line break.
    const INVALID: &str = "
| line 1: expected at least one seed or range A..=B, found none
# only/# comments/ | line 2: expected at least one seed or range
1/2/x/ | line 3: expected a seed or a range
1..=9/20//9..=12/ | line 4: expected each seed once, found seed 9 again (first on line 1)
3..=4/2..=10/ | line 2: expected each seed once, found seed 3 again
5/1..=100/7/ | line 2: expected each seed once, found seed 5 again
1/2..=1000001 | line 2: expected at most 1000000 seeds, found 1000001
0..=18446744073709551615 | line 1: expected at most 1000000 seeds, found 18446744073709551616
";

    #[test]
    fn errors_in_lists_name_the_line() {
        for row in INVALID.trim().lines() {
            let (text, start) = row.split_once("| ").unwrap();
            let list = text.trim_end().replace('/', "\n").parse::<SeedList>();
            let message = list.unwrap_err().to_string();
            assert!(message.starts_with(start), "{message}");
        }
    }

    #[test]
    fn file_names_have_four_digits_or_more() {
        for (seed, name) in [
            (0, "0000.txt"),
            (9_999, "9999.txt"),
            (10_000, "10000.txt"),
            (u64::MAX, "18446744073709551615.txt"),
        ] {
            assert_eq!(file_name(seed), name);
        }
    }

    #[test]
    fn stored_seeds_are_checked_when_read() {
        let range: SeedRange = serde_json::from_str("\"2..=5\"").unwrap();
        assert_eq!(serde_json::to_string(&range).unwrap(), "\"2..=5\"");
        for wrong in ["\"5..2\"", "2"] {
            assert!(serde_json::from_str::<SeedRange>(wrong).is_err(), "{wrong}");
        }
    }
}
