//! Helpers that inspect token slices, and replace tokens in nested groups.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

/// Returns the punctuation character at `i`, and whether it is joined to the next one.
fn punct(tokens: &[TokenTree], i: usize) -> Option<(char, Spacing)> {
    match tokens.get(i)? {
        TokenTree::Punct(p) => Some((p.as_char(), p.spacing())),
        _ => None,
    }
}

/// True if two colons begin at `i`.
pub(crate) fn is_colons(tokens: &[TokenTree], i: usize) -> bool {
    punct(tokens, i) == Some((':', Spacing::Joint))
        && punct(tokens, i + 1).is_some_and(|(c, _)| c == ':')
}

/// True if the name at `i` begins a path: no `::` and no dot precedes it, except the dots of a range.
pub(crate) fn begins_path(tokens: &[TokenTree], i: usize) -> bool {
    let back = |n: usize| i.checked_sub(n).and_then(|i| punct(tokens, i));
    match (back(2), back(1)) {
        (Some(('.', Spacing::Joint)), Some(('.', _))) => true,
        (Some((':', Spacing::Joint)), Some((':', _))) | (_, Some(('.', _))) => false,
        _ => true,
    }
}

/// Maps tokens through `replace`, including those in nested groups.
///
/// `replace` receives the tokens of a group and an index. It returns the number of tokens to replace from
/// that index, and their replacement; or `None` to keep the token and to visit the inner tokens of a group.
pub(crate) fn replace_tokens(
    tokens: TokenStream,
    replace: &mut impl FnMut(&[TokenTree], usize) -> Option<(usize, TokenStream)>,
) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        if let Some((count, replacement)) = replace(&tokens, i) {
            out.extend(replacement);
            i += count;
            continue;
        }
        out.extend([match token {
            TokenTree::Group(group) => {
                let mut inner =
                    Group::new(group.delimiter(), replace_tokens(group.stream(), replace));
                inner.set_span(group.span());
                inner.into()
            }
            token => token.clone(),
        }]);
        i += 1;
    }
    out
}

/// True if the token at `i` is the character `c`.
pub(crate) fn is_punct(tokens: &[TokenTree], i: usize, c: char) -> bool {
    punct(tokens, i).is_some_and(|(character, _)| character == c)
}

/// True if the token at `i` is the content of an attribute. The names in such content have a meaning for the
/// compiler.
///
/// False if the content has macro variables, since the program chooses the names that replace them.
pub(crate) fn is_attribute(tokens: &[TokenTree], i: usize) -> bool {
    i > 0 && is_punct(tokens, i - 1, '#') && !tokens[i].to_string().contains('$')
}

/// Returns the token at `i` if it is a group.
pub(crate) fn group(tokens: &[TokenTree], i: usize) -> Option<&Group> {
    match tokens.get(i)? {
        TokenTree::Group(group) => Some(group),
        _ => None,
    }
}

/// True if the token at `i` is a group in braces.
pub(crate) fn is_braces(tokens: &[TokenTree], i: usize) -> bool {
    group(tokens, i).is_some_and(|group| group.delimiter() == Delimiter::Brace)
}

/// Returns the index of the first semicolon at or after `start`.
pub(crate) fn find_semicolon(tokens: &[TokenTree], start: usize) -> Option<usize> {
    (start..tokens.len()).find(|i| is_punct(tokens, *i, ';'))
}

/// Returns the index of the last token of the item that begins at `start`: a semicolon or braces.
pub(crate) fn item_end(tokens: &[TokenTree], start: usize) -> Option<usize> {
    (start..tokens.len()).find(|i| is_braces(tokens, *i) || is_punct(tokens, *i, ';'))
}

/// True if the attribute at `i` derives this trait.
pub(crate) fn derives_trait(tokens: &[TokenTree], i: usize, trait_name: &str) -> bool {
    let attribute = tokens.get(i + 1).filter(|_| is_punct(tokens, i, '#'));
    let words = attribute.map_or(Vec::new(), |attribute| {
        identifiers(attribute.clone().into())
    });
    words.first().is_some_and(|word| word == "derive")
        && words.iter().any(|word| word == trait_name)
}

/// True if `list`, a list of words separated by spaces, contains `word`.
pub(crate) fn has_word(list: &str, word: &str) -> bool {
    list.split(' ').any(|entry| entry == word)
}

/// Returns the identifiers and keywords among the tokens, including those in nested groups.
pub(crate) fn identifiers(tokens: TokenStream) -> Vec<String> {
    let tokens = tokens.into_iter();
    let words = tokens.flat_map(|token| match token {
        TokenTree::Ident(word) => vec![word.to_string()],
        TokenTree::Group(group) => identifiers(group.stream()),
        _ => Vec::new(),
    });
    words.collect()
}
