//! A case: the size of the field and the columns that fall onto it.

use crate::text::Tokens;
use std::error::Error;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

pub use crate::text::ParseError;

/// Permitted widths of the field, in stacks (statement, section Constraints).
pub const WIDTHS: RangeInclusive<usize> = 6..=12;
/// Permitted heights of the field, in cells (statement, section Constraints).
pub const HEIGHTS: RangeInclusive<usize> = 13..=19;
/// Permitted numbers of columns (statement, section Constraints).
pub const COLUMN_COUNTS: RangeInclusive<usize> = 1..=10_000;
/// The number of colours: one for each letter.
pub const MAX_COLOURS: usize = 26;
/// The points of one match in the first step of a chain, and of one jewel that a magic column clears
/// (statement, section Gameplay).
pub const MATCH_POINTS: u64 = 47;

/// The expected text of a column, for error messages.
const COLUMN: &str = "three letters a-z or ***";

/// The colour of a jewel, `a` to `z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour(u8);

impl Colour {
    /// Returns the colour of a lower-case letter, or `None` for any other character.
    pub fn from_letter(letter: char) -> Option<Self> {
        letter
            .is_ascii_lowercase()
            .then(|| Self(letter as u8 - b'a'))
    }

    /// Returns the colour with this index, from 0 for `a` to 25 for `z`.
    ///
    /// # Panics
    /// If `index` is 26 or more.
    pub fn from_index(index: usize) -> Self {
        assert!(index < MAX_COLOURS, "no colour has index {index}");
        Self(index as u8)
    }

    /// Returns the index, from 0 for `a` to 25 for `z`.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the letter, `a` to `z`.
    pub fn letter(self) -> char {
        (b'a' + self.0) as char
    }
}

/// The falling piece: three coloured jewels, or three magic ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Column {
    /// Three jewels, from bottom to top.
    Jewels([Colour; 3]),
    /// Three magic jewels, `***`.
    Magic,
}

impl Column {
    /// Returns the jewels, from bottom to top, after `shift` cyclic shifts, or `None` for a magic column.
    ///
    /// Each shift moves the lowest jewel to the top.
    pub fn shifted(self, shift: usize) -> Option<[Colour; 3]> {
        match self {
            Self::Jewels(mut jewels) => {
                jewels.rotate_left(shift % 3);
                Some(jewels)
            }
            Self::Magic => None,
        }
    }
}

impl FromStr for Column {
    type Err = ParseError;

    /// Parses `***` or three letters `a`-`z`.
    fn from_str(word: &str) -> Result<Self, ParseError> {
        let jewels = || {
            let &[a, b, c] = word.as_bytes() else {
                return None;
            };
            let colour = |byte: u8| Colour::from_letter(byte as char);
            Some(Self::Jewels([colour(a)?, colour(b)?, colour(c)?]))
        };
        let magic = (word == "***").then_some(Self::Magic);
        magic
            .or_else(jewels)
            .ok_or_else(|| ParseError::new(1, COLUMN, word))
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Jewels(jewels) => jewels.iter().try_for_each(|c| write!(f, "{}", c.letter())),
            Self::Magic => f.write_str("***"),
        }
    }
}

/// The error for a case outside the limits of the statement. `Display` writes one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitError(String);

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for LimitError {}

/// One test case, which the contest server writes to the bot's standard input.
///
/// [`Case::from_str`] reads the statement's input format (section Input), and `Display` writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    width: usize,
    height: usize,
    columns: Vec<Column>,
}

impl Case {
    /// Creates a case.
    ///
    /// # Errors
    /// Returns an error if the width, the height or the number of columns is outside the limits of the
    /// statement. The error names the first of them.
    pub fn new(width: usize, height: usize, columns: Vec<Column>) -> Result<Self, LimitError> {
        let within = |what: &str, value: usize, range: RangeInclusive<usize>| {
            let (low, high) = range.into_inner();
            if (low..=high).contains(&value) {
                return Ok(());
            }
            let message = format!("{what} must be from {low} to {high}, not {value}");
            Err(LimitError(message))
        };
        within("the width", width, WIDTHS)?;
        within("the height", height, HEIGHTS)?;
        within("the number of columns", columns.len(), COLUMN_COUNTS)?;
        Ok(Self {
            width,
            height,
            columns,
        })
    }

    /// Returns the width of the field in stacks, 6 to 12.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the height of the field in cells, 13 to 19.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns the columns, 1 to 10,000, in the order in which they fall.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns the colours that occur in the columns, in alphabetical order.
    pub fn palette(&self) -> Vec<Colour> {
        let jewels = self.columns.iter().filter_map(|column| column.shifted(0));
        let mut palette: Vec<Colour> = jewels.flatten().collect();
        palette.sort_unstable();
        palette.dedup();
        palette
    }
}

impl FromStr for Case {
    type Err = ParseError;

    /// Reads the statement's input format. Any whitespace separates words.
    ///
    /// # Errors
    /// Returns an error if the text is not a valid case. The error names the first wrong line and
    /// what was expected there.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut tokens = Tokens::new(text);
        let width = tokens.next_number("the width, a number", WIDTHS)?;
        let height = tokens.next_number("the height, a number", HEIGHTS)?;
        let k = tokens.next_number("the number of columns,", COLUMN_COUNTS)?;
        let mut columns = Vec::with_capacity(k);
        for i in 1..=k {
            let word = tokens.next_word();
            let column = word.parse().map_err(|_| {
                ParseError::new(tokens.line, format!("column {i} of {k}, {COLUMN}"), word)
            })?;
            columns.push(column);
        }
        tokens.expect_end()?;
        Ok(Self {
            width,
            height,
            columns,
        })
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {}", self.width, self.height)?;
        writeln!(f, "{}", self.columns.len())?;
        self.columns.iter().try_for_each(|c| writeln!(f, "{c}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_errors::check_parse_errors;

    #[test]
    fn a_case_reads_and_writes_the_same_bytes() {
        let text = "6 13\n3\naba\n***\nzzz\n";
        let case: Case = text.parse().unwrap();
        assert_eq!((case.width(), case.height()), (6, 13));
        assert_eq!(case.columns()[1], Column::Magic);
        let palette = case.palette().into_iter().map(Colour::letter);
        assert_eq!(palette.collect::<String>(), "abz");
        assert_eq!(case.to_string(), text);
        let error = Case::new(5, 13, case.columns().to_vec()).unwrap_err();
        assert!(error.to_string().contains("width"), "{error}");
        let crlf: Case = text.replace('\n', "\r\n").parse().unwrap();
        assert_eq!(crlf, case);
    }

    #[test]
    fn a_shift_moves_the_bottom_jewel_to_the_top() {
        let column: Column = "abc".parse().unwrap();
        let letters = |shift| {
            let jewels = column.shifted(shift).unwrap();
            jewels.iter().map(|c| c.letter()).collect::<String>()
        };
        assert_eq!(
            (letters(0), letters(1), letters(2)),
            ("abc".into(), "bca".into(), "cab".into())
        );
        assert_eq!(Column::Magic.shifted(1), None);
        let error = "ab".parse::<Column>().unwrap_err().to_string();
        assert_eq!(
            error,
            "line 1: expected three letters a-z or ***, found \"ab\""
        );
    }

    const INVALID_CASES: &str = r#"
| line 1: expected the width, a number from 6 to 12, found nothing
5 13/1/abc/ | line 1: expected the width, a number from 6 to 12, found "5"
6 20/1/abc/ | line 1: expected the height, a number from 13 to 19, found "20"
6 13/0/ | line 2: expected the number of columns, from 1 to 10000, found "0"
99999999999999999999 13/ | line 1: expected the width, a number from 6 to 12, found "99999999999999999999"
6 13/10001/ | line 2: expected the number of columns, from 1 to 10000, found "10001"
6 13/2/abc/ | line 3: expected column 2 of 2, three letters a-z or ***, found nothing
6 13/1/abC/ | line 3: expected column 1 of 1, three letters a-z or ***, found "abC"
6 13/1/*a*/ | line 3: expected column 1 of 1, three letters a-z or ***, found "*a*"
6 13/1/abc//x/ | line 5: expected the end of the input, found "x"
"#;

    #[test]
    fn errors_name_the_line() {
        check_parse_errors(INVALID_CASES, str::parse::<Case>);
    }
}
