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
    let mut is_place = false;
    let is_outside = |c: &char| {
        let was_place = is_place;
        is_place = (is_place || *c == PLACE_BRACKETS[0]) && *c != PLACE_BRACKETS[1];
        !was_place && !is_place
    };
    text.chars().filter(is_outside).collect()
}
