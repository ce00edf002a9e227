//! Ranges of seeds, as every command of the project reads them.

use columns_core::text::quote;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// One seed or a run of them, never empty: `5`, `2..101` or `2..=101`, as in
/// Rust. `Display` writes the first or the last of these forms.
///
/// ```
/// use columns_generator::seeds::SeedRange;
///
/// let seeds: SeedRange = "2..5".parse()?;
/// assert_eq!(seeds.into_iter().collect::<Vec<u64>>(), [2, 3, 4]);
/// assert_eq!(seeds.to_string(), "2..=4");
/// # Ok::<(), columns_generator::seeds::SeedsError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "String", into = "String")
)]
pub struct SeedRange {
    first: u64,
    last: u64,
}

impl SeedRange {
    /// The seeds from `first` to `last`, both included; `None` if there are none.
    pub fn new(first: u64, last: u64) -> Option<Self> {
        (first <= last).then_some(Self { first, last })
    }

    /// The lowest seed.
    pub fn first(self) -> u64 {
        self.first
    }

    /// The highest seed.
    pub fn last(self) -> u64 {
        self.last
    }

    /// How many seeds there are, 1 to 2⁶⁴.
    pub fn count(self) -> u128 {
        u128::from(self.last - self.first) + 1
    }
}

impl From<u64> for SeedRange {
    fn from(seed: u64) -> Self {
        Self {
            first: seed,
            last: seed,
        }
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
    type Err = SeedsError;

    /// Reads `A`, `A..B` or `A..=B`, with blanks around the numbers or without.
    ///
    /// # Errors
    /// Says which form was expected, or that the range is empty.
    fn from_str(text: &str) -> Result<Self, SeedsError> {
        let text = text.trim();
        let Some((first, rest)) = text.split_once("..") else {
            return Ok(seed(text, "a seed or a range A..=B")?.into());
        };
        let (last, inclusive) = match rest.strip_prefix('=') {
            Some(last) => (last, true),
            None => (rest, false),
        };
        let first = seed(first, "a seed before ..")?;
        let last = seed(last, "a seed after ..")?;
        let range = if inclusive {
            Self::new(first, last)
        } else {
            last.checked_sub(1).and_then(|last| Self::new(first, last))
        };
        range.ok_or_else(|| {
            let found = quote(text);
            SeedsError::new(if first > last {
                format!("expected a range that goes up, found {found}")
            } else {
                format!(
                    "expected a range that is not empty, found {found} \
                     ({first}..={last} includes {last})"
                )
            })
        })
    }
}

impl TryFrom<String> for SeedRange {
    type Error = SeedsError;

    fn try_from(text: String) -> Result<Self, SeedsError> {
        text.parse()
    }
}

impl From<SeedRange> for String {
    fn from(range: SeedRange) -> Self {
        range.to_string()
    }
}

/// One seed, digits only.
fn seed(word: &str, what: &str) -> Result<u64, SeedsError> {
    let word = word.trim();
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| word.parse().ok()).flatten().ok_or_else(|| {
        let found = quote(word);
        SeedsError::new(format!(
            "expected {what}, a whole number from 0 to {}, found {found}",
            u64::MAX
        ))
    })
}

/// Seeds from several ranges, each seed at most once, in the order given.
///
/// Its text form has a seed or a range on each line; `#` starts a comment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Vec<SeedRange>", into = "Vec<SeedRange>")
)]
pub struct SeedList {
    ranges: Vec<SeedRange>,
}

impl SeedList {
    /// The ranges, in the order given.
    pub fn ranges(&self) -> &[SeedRange] {
        &self.ranges
    }

    /// All seeds, in the order given.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.ranges.iter().copied().flatten()
    }

    /// How many seeds there are, at most 2⁶⁴.
    pub fn count(&self) -> u128 {
        self.ranges.iter().map(|range| range.count()).sum()
    }

    /// Reads the text form from a file's bytes.
    ///
    /// # Errors
    /// Names the first line that is not a seed or a range, that repeats a seed
    /// of an earlier line, or that is not UTF-8.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SeedsError> {
        match std::str::from_utf8(bytes) {
            Ok(text) => text.parse(),
            Err(error) => {
                let before = &bytes[..error.valid_up_to()];
                let line = before.split(|&byte| byte == b'\n').count();
                let message = "expected text in UTF-8, found other bytes";
                Err(SeedsError::new(message.into()).at(line))
            }
        }
    }

    /// Takes the ranges unless one of them repeats a seed.
    fn apart(ranges: Vec<SeedRange>) -> Result<Self, Repeated> {
        // The ranges so far by their first seed: (last seed, index).
        let mut taken: BTreeMap<u64, (u64, usize)> = BTreeMap::new();
        for (later, range) in ranges.iter().enumerate() {
            // They share no seed, so of those that start in time the last one
            // also reaches furthest.
            let below = taken.range(..=range.last).next_back();
            if let Some((&first, &(last, earlier))) = below {
                if last >= range.first {
                    let seed = first.max(range.first);
                    return Err(Repeated {
                        seed,
                        earlier,
                        later,
                    });
                }
            }
            taken.insert(range.first, (range.last, later));
        }
        Ok(Self { ranges })
    }
}

/// A seed that two ranges of a list share, and their indices.
struct Repeated {
    seed: u64,
    earlier: usize,
    later: usize,
}

impl From<SeedRange> for SeedList {
    fn from(range: SeedRange) -> Self {
        Self {
            ranges: vec![range],
        }
    }
}

impl TryFrom<Vec<SeedRange>> for SeedList {
    type Error = SeedsError;

    /// Takes the ranges in this order.
    ///
    /// # Errors
    /// If two of them share a seed.
    fn try_from(ranges: Vec<SeedRange>) -> Result<Self, SeedsError> {
        Self::apart(ranges).map_err(|Repeated { seed, .. }| {
            SeedsError::new(format!("expected each seed once, found seed {seed} again"))
        })
    }
}

impl From<SeedList> for Vec<SeedRange> {
    fn from(list: SeedList) -> Self {
        list.ranges
    }
}

impl FromStr for SeedList {
    type Err = SeedsError;

    /// Reads the text form, which must name at least one seed.
    ///
    /// # Errors
    /// Names the first line that is not a seed or a range, or that repeats a
    /// seed of an earlier line.
    fn from_str(text: &str) -> Result<Self, SeedsError> {
        let (mut ranges, mut lines) = (Vec::new(), Vec::new());
        for (index, line) in text.lines().enumerate() {
            let content = line.split('#').next().unwrap_or("").trim();
            if !content.is_empty() {
                let range: Result<SeedRange, SeedsError> = content.parse();
                ranges.push(range.map_err(|error| error.at(index + 1))?);
                lines.push(index + 1);
            }
        }
        if ranges.is_empty() {
            let message = "expected at least one seed or range A..=B, found none";
            return Err(SeedsError::new(message.into()).at(text.lines().count().max(1)));
        }
        Self::apart(ranges).map_err(|repeated| {
            let Repeated { seed, .. } = repeated;
            let first = lines[repeated.earlier];
            let message =
                format!("expected each seed once, found seed {seed} again (first on line {first})");
            SeedsError::new(message).at(lines[repeated.later])
        })
    }
}

/// Why a text is no range or list of seeds. Shows as one line, `line 3: expected
/// …, found …` for a list and the same without its line for a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedsError {
    /// The line of a list, counted from 1.
    line: Option<usize>,
    message: String,
}

impl SeedsError {
    fn new(message: String) -> Self {
        Self {
            line: None,
            message,
        }
    }

    fn at(self, line: usize) -> Self {
        Self {
            line: Some(line),
            ..self
        }
    }

    /// The line of a list where the mistake is, counted from 1.
    pub fn line(&self) -> Option<usize> {
        self.line
    }
}

impl fmt::Display for SeedsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for SeedsError {}

/// The name of the file of a seed's case or plan: the seed in four digits or
/// more, as the local tools of other heuristic contests name theirs.
///
/// ```
/// assert_eq!(columns_generator::seeds::file_name(7), "0007.txt");
/// ```
pub fn file_name(seed: u64) -> String {
    format!("{seed:04}.txt")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str) -> Result<SeedRange, String> {
        text.parse().map_err(|error: SeedsError| error.to_string())
    }

    #[test]
    fn ranges_read_as_in_rust() {
        for (text, first, last, shown) in [
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
            assert_eq!(range.to_string(), shown);
        }
    }

    #[test]
    fn mistakes_in_ranges_are_named() {
        let number = "a whole number from 0 to 18446744073709551615";
        for (text, shown) in [
            (
                "",
                format!("expected a seed or a range A..=B, {number}, found nothing"),
            ),
            (
                "x",
                format!("expected a seed or a range A..=B, {number}, found \"x\""),
            ),
            (
                "-1",
                format!("expected a seed or a range A..=B, {number}, found \"-1\""),
            ),
            (
                "+1",
                format!("expected a seed or a range A..=B, {number}, found \"+1\""),
            ),
            (
                "1,2",
                format!("expected a seed or a range A..=B, {number}, found \"1,2\""),
            ),
            (
                "18446744073709551616",
                format!(
                    "expected a seed or a range A..=B, {number}, found \"18446744073709551616\""
                ),
            ),
            (
                "..5",
                format!("expected a seed before .., {number}, found nothing"),
            ),
            (
                "5..",
                format!("expected a seed after .., {number}, found nothing"),
            ),
            (
                "5..=",
                format!("expected a seed after .., {number}, found nothing"),
            ),
            (
                "1..2..3",
                format!("expected a seed after .., {number}, found \"2..3\""),
            ),
            (
                "5..5",
                r#"expected a range that is not empty, found "5..5" (5..=5 includes 5)"#.into(),
            ),
            (
                "0..0",
                r#"expected a range that is not empty, found "0..0" (0..=0 includes 0)"#.into(),
            ),
            (
                "9..=2",
                r#"expected a range that goes up, found "9..=2""#.into(),
            ),
            (
                "9..2",
                r#"expected a range that goes up, found "9..2""#.into(),
            ),
        ] {
            assert_eq!(range(text), Err(shown), "{text:?}");
        }
    }

    #[test]
    fn a_list_keeps_its_order() {
        let text = "# first batch\n10..=12\r\n\n3 # the bad one\n  5..7\n";
        let list: SeedList = text.parse().unwrap();
        assert_eq!(list.iter().collect::<Vec<u64>>(), [10, 11, 12, 3, 5, 6]);
        assert_eq!(list.count(), 6);
    }

    #[test]
    fn mistakes_in_lists_are_named_by_line() {
        let error = |bytes: &[u8]| SeedList::from_bytes(bytes).unwrap_err().to_string();
        assert_eq!(
            error(b""),
            "line 1: expected at least one seed or range A..=B, found none"
        );
        assert_eq!(
            error(b"# only\n# comments\n"),
            "line 2: expected at least one seed or range A..=B, found none"
        );
        assert!(error(b"1\n2\nx\n").starts_with("line 3: expected a seed or a range"));
        assert_eq!(
            error(b"1\n\xff\xfe\n"),
            "line 2: expected text in UTF-8, found other bytes"
        );
        assert_eq!(
            error(b"1..=9\n20\n\n9..=12\n20\n"),
            "line 4: expected each seed once, found seed 9 again (first on line 1)"
        );
        assert_eq!(
            error(b"3..=4\n2..=10\n1..=20\n"),
            "line 2: expected each seed once, found seed 3 again (first on line 1)"
        );
        assert_eq!(
            error(b"5\n1..=100\n7\n"),
            "line 2: expected each seed once, found seed 5 again (first on line 1)"
        );
        let noise: Vec<u8> = (0..=255).collect();
        assert_eq!(
            error(&noise),
            "line 2: expected text in UTF-8, found other bytes"
        );
    }

    #[test]
    fn files_are_named_by_four_digits_or_more() {
        for (seed, name) in [
            (0, "0000.txt"),
            (9_999, "9999.txt"),
            (10_000, "10000.txt"),
            (u64::MAX, "18446744073709551615.txt"),
        ] {
            assert_eq!(file_name(seed), name);
        }
    }

    #[cfg(feature = "serde")]
    #[test]
    fn stored_seeds_read_back_and_are_checked() {
        let json = r#"["2..=5","9"]"#;
        let list: SeedList = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&list).unwrap(), json);
        for wrong in [r#"["5..2"]"#, r#"["1..=3","2"]"#, "[2]"] {
            assert!(serde_json::from_str::<SeedList>(wrong).is_err(), "{wrong}");
        }
    }
}
