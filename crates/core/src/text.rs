//! Parsing with error messages that name the line.

use std::fmt;
use std::ops::RangeInclusive;

/// A mistake in a text, such as a case, a plan or a field.
///
/// `Display` writes one line: `line 3: expected three letters a-z or ***, found "ab"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// The line of the mistake, counted from 1.
    pub line: usize,
    /// The expected content of the line.
    pub expected: String,
    /// The actual content, shortened and quoted, with control characters escaped.
    pub found: String,
}

impl ParseError {
    /// Returns the error for `found` in line `line`. Shortens and quotes `found`.
    pub fn new(line: usize, expected: impl Into<String>, found: &str) -> Self {
        Self {
            line,
            expected: expected.into(),
            found: quote(found),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Positional arguments, since the bundler cannot shorten names that a format string captures.
        write!(
            f,
            "line {}: expected {}, found {}",
            self.line, self.expected, self.found
        )
    }
}

impl std::error::Error for ParseError {}

/// Quotes at most 40 characters of `text`, with control characters escaped. An empty text, as at
/// the end of the input, becomes `nothing`.
pub fn quote(text: &str) -> String {
    if text.is_empty() {
        return "nothing".to_string();
    }
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("{short:?}")
}

/// Returns a JSON parser's message with the line number at its start instead of its end: `line 3: expected
/// a case: missing field`. Lines are counted from 1.
pub fn json_error_text(message: &str, line: usize, column: usize, expected: &str) -> String {
    let message = message.replace(&format!(" at line {line} column {column}"), "");
    format!("line {}: expected {expected}: {message}", line.max(1))
}

/// Formats a number with its digits in groups of three: `12,345`.
pub fn group_digits(number: u64) -> String {
    match number {
        0..=999 => number.to_string(),
        _ => format!("{},{:03}", group_digits(number / 1000), number % 1000),
    }
}

/// Decodes UTF-8.
///
/// # Errors
/// Returns an error if the bytes are not UTF-8; the error names the line of the first invalid byte.
pub fn decode_utf8(bytes: &[u8]) -> Result<&str, ParseError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let valid = &bytes[..error.valid_up_to()];
        ParseError {
            line: 1 + valid.iter().filter(|&&byte| byte == b'\n').count(),
            expected: "text".to_string(),
            found: "bytes that are not UTF-8".to_string(),
        }
    })
}

/// A reader of the whitespace-separated words of a text.
pub struct Tokens<'a> {
    /// The remaining words, each with the number of its line.
    words: Box<dyn Iterator<Item = (usize, &'a str)> + 'a>,
    /// The line of the last word that [`Tokens::next_word`] returned, counted from 1. At the end of the
    /// text, the last line.
    pub line: usize,
}

impl<'a> Tokens<'a> {
    /// Splits `text` into words.
    pub fn new(text: &'a str) -> Self {
        let words = text.lines().zip(1..).flat_map(|(text, line)| {
            let words = text.split_whitespace();
            words.map(move |word| (line, word))
        });
        let end = (text.lines().count().max(1), "");
        Self {
            words: Box::new(words.chain([end])),
            line: 1,
        }
    }

    /// Returns the next word, or an empty one at the end of the text.
    pub fn next_word(&mut self) -> &'a str {
        let (line, word) = self.words.next().unwrap_or((self.line, ""));
        self.line = line;
        word
    }

    /// Returns the next word as a number in `range`. The word may contain only digits.
    ///
    /// # Errors
    /// Returns an error if the word is not a number in `range`. The error names `what` and `range`.
    pub fn next_number(
        &mut self,
        what: impl fmt::Display,
        range: RangeInclusive<usize>,
    ) -> Result<usize, ParseError> {
        let word = self.next_word();
        match word.parse() {
            // `parse` alone would accept `+5`.
            Ok(number) if !word.starts_with('+') && range.contains(&number) => Ok(number),
            _ => {
                let expected = format!("{what} from {} to {}", range.start(), range.end());
                Err(ParseError::new(self.line, expected, word))
            }
        }
    }

    /// Checks that the rest of the text is blank.
    ///
    /// # Errors
    /// Returns an error if a word is left. The error quotes the word.
    pub fn expect_end(&mut self) -> Result<(), ParseError> {
        match self.next_word() {
            "" => Ok(()),
            word => Err(ParseError::new(self.line, "the end of the input", word)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_for_invalid_utf8_names_the_line() {
        assert_eq!(decode_utf8(b"abc\n").unwrap(), "abc\n");
        let error = decode_utf8(b"6 13\n3\nab\xff\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 3: expected text, found bytes that are not UTF-8"
        );
    }
}
