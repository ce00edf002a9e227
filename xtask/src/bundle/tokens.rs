//! What stands before, at and in tokens.

use proc_macro2::{Spacing, TokenStream, TokenTree};
use std::collections::HashSet;

/// The punctuation character at `i`, if there is one, and whether it is joined to the next.
pub(crate) fn punct(tokens: &[TokenTree], i: usize) -> Option<(char, Spacing)> {
    match tokens.get(i)? {
        TokenTree::Punct(p) => Some((p.as_char(), p.spacing())),
        _ => None,
    }
}

/// Whether two colons begin at `i`.
pub(crate) fn is_colons(tokens: &[TokenTree], i: usize) -> bool {
    punct(tokens, i) == Some((':', Spacing::Joint))
        && punct(tokens, i + 1).is_some_and(|(c, _)| c == ':')
}

/// What stands before a name.
pub(crate) enum Before {
    /// A dot, but not that of a range.
    Dot,
    /// Two colons.
    Colons,
    Else,
}

pub(crate) fn before(tokens: &[TokenTree], i: usize) -> Before {
    let back = |n: usize| i.checked_sub(n).and_then(|i| punct(tokens, i));
    match (back(2), back(1)) {
        (Some(('.', Spacing::Joint)), Some(('.', _))) => Before::Else,
        (_, Some(('.', _))) => Before::Dot,
        (Some((':', Spacing::Joint)), Some((':', _))) => Before::Colons,
        _ => Before::Else,
    }
}

/// Adds every identifier in the tokens.
pub(crate) fn identifiers(tokens: TokenStream, found: &mut HashSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => drop(found.insert(name.to_string())),
            TokenTree::Group(group) => identifiers(group.stream(), found),
            _ => {}
        }
    }
}
