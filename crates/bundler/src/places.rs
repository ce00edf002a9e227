//! Places of tokens in the sources. In a MIR text, a place is written `⟨FILE BYTE⟩`: the digits in the file
//! name of the token's span, and the token's byte offset in the file.

use proc_macro2::Span;

pub(crate) const PLACE_BRACKETS: [char; 2] = ['⟨', '⟩'];

/// Returns the place of the token with this span, in brackets, such as `⟨1 20⟩`.
pub(crate) fn place_text(span: Span) -> String {
    let file: String = span.file().chars().filter(char::is_ascii_digit).collect();
    format!("⟨{file} {}⟩", span.byte_range().start)
}

pub(crate) fn remove_places(text: &str) -> String {
    let [open, close] = PLACE_BRACKETS;
    let parts = text.split(open);
    parts
        .map(|part| part.split_once(close).map_or(part, |(_, rest)| rest))
        .collect()
}
