//! Checks the messages of parse errors.

use columns_core::text::ParseError;

/// Checks the error message of each row `text | message` of a table. A `/` ends a line of the
/// text.
pub(crate) fn check_parse_errors<T>(table: &str, parse: impl Fn(&str) -> Result<T, ParseError>) {
    for row in table.trim_matches('\n').lines() {
        let (text, message) = row.split_once("| ").unwrap();
        let text = text.trim_end().replace('/', "\n");
        assert_eq!(parse(&text).err().unwrap().to_string(), message, "{text:?}");
    }
}
