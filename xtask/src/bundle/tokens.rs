//! Walks over tokens, and what stands before a token.

use proc_macro2::{Group, Spacing, TokenStream, TokenTree};

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// The tokens with those that `replace` gives in place of the ones that are no group. It is told
/// the tokens of the group and the place among them, and returns how many tokens it replaces.
pub(crate) fn replaced(
    tokens: TokenStream,
    replace: &mut impl FnMut(&[TokenTree], usize) -> Option<(usize, TokenStream)>,
) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        if let Some((count, by)) = replace(&tokens, i) {
            out.extend(by);
            i += count;
            continue;
        }
        out.extend([match token {
            TokenTree::Group(group) => {
                let inner = replaced(group.stream(), replace);
                Group::new(group.delimiter(), inner).into()
            }
            token => token.clone(),
        }]);
        i += 1;
    }
    out
}

/// Whether the token at `i` is this character.
pub(crate) fn is(tokens: &[TokenTree], i: usize, c: char) -> bool {
    punct(tokens, i).is_some_and(|(found, _)| found == c)
}
