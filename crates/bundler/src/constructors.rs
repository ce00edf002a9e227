//! Replaces `Self` with the marked name of its type, which later becomes a short word.
//!
//! If the type has parameters, `Self` is replaced only in constructors and patterns, where the compiler
//! infers the parameters:
//!
//! ```text
//! impl zz_A { fn new() -> Self { Self(1) } }                   impl zz_A { fn new() -> zz_A { zz_A(1) } }
//! impl<T> zz_B<T> { fn new(x: T) -> Self { Self { x } } }      … fn new(x: T) -> Self { zz_B { x } } }
//! ```

use super::names::MARK_PREFIX;
use super::tokens::{group, is_braces, is_colons, is_punct, replace_tokens};
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;

/// Returns the program with the names of marked types in place of `Self`.
pub(crate) fn name_constructors(tokens: TokenStream) -> TokenStream {
    replace_tokens(tokens, &mut |tokens, i| replace_in_impl(tokens, i))
}

/// Returns the number of tokens of the `impl` block that begins at `i`, and its replacement. Returns `None`
/// if none begins there, or if its type is not marked.
fn replace_in_impl(tokens: &[TokenTree], i: usize) -> Option<(usize, TokenStream)> {
    let is_item = i == 0 || is_punct(tokens, i - 1, ';') || group(tokens, i - 1).is_some();
    if tokens[i].to_string() != "impl" || !is_item {
        return None;
    }
    let end = (i..tokens.len()).find(|end| is_braces(tokens, *end))?;
    let (name, is_generic) = implementing_type(&tokens[i + 1..end])?;
    let block = group(tokens, end)?;
    let inside = replace_tokens(block.stream(), &mut |tokens, i| {
        if let Some(nested) = replace_in_impl(tokens, i) {
            return Some(nested);
        }
        let is_replaced = tokens[i].to_string() == "Self" && (!is_generic || constructs(tokens, i));
        is_replaced.then(|| {
            let name = Ident::new(&name.to_string(), tokens[i].span());
            (1, name.into_token_stream())
        })
    });
    let mut replaced = Group::new(Delimiter::Brace, inside);
    replaced.set_span(block.span());
    let mut out: TokenStream = tokens[i..end].iter().cloned().collect();
    out.extend([TokenTree::from(replaced)]);
    Some((end + 1 - i, out))
}

/// Returns the marked type that an `impl` block is for, and whether the type has parameters. Returns `None`
/// if the type is not marked. `header` is the part of the block before its braces.
fn implementing_type(header: &[TokenTree]) -> Option<(&Ident, bool)> {
    let is_word = |i: usize, word: &str| header[i].to_string() == word;
    let is_for = |i: &usize| is_word(*i, "for") && !is_punct(header, i + 1, '<');
    let end = (0..header.len()).find(|i| is_word(*i, "where"));
    let end = end.unwrap_or(header.len());
    let start = (0..end).find(is_for).map(|at| at + 1);
    let start = start.unwrap_or_else(|| parameters_end(header));
    match header.get(start)? {
        TokenTree::Ident(name) if name.to_string().starts_with(MARK_PREFIX) => {
            let is_path = is_colons(header, start + 1);
            (!is_path).then(|| (name, start + 1 < end))
        }
        _ => None,
    }
}

/// Returns the index after the parameters `<…>` at the start of these tokens; 0 if there are none.
fn parameters_end(header: &[TokenTree]) -> usize {
    let mut depth = 0;
    for i in 0..header.len() {
        let is_arrow = i > 0 && is_punct(header, i - 1, '-');
        depth += i32::from(is_punct(header, i, '<'));
        depth -= i32::from(is_punct(header, i, '>') && !is_arrow);
        if depth == 0 {
            return if i == 0 { 0 } else { i + 1 };
        }
    }
    0
}

/// True if the `Self` at `i` is a constructor or a pattern, rather than the type after an arrow.
fn constructs(tokens: &[TokenTree], i: usize) -> bool {
    let is_type = i > 1 && is_punct(tokens, i - 1, '>') && is_punct(tokens, i - 2, '-');
    let next = group(tokens, i + 1).map(Group::delimiter);
    !is_type && matches!(next, Some(Delimiter::Brace | Delimiter::Parenthesis))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constructors_have_the_name_of_their_type() {
        for (before, after) in [
            (
                "impl zz_A { fn f(self) -> Option<Self> { let Self(x) = self; Self::g(x) } }",
                "impl zz_A { fn f(self) -> Option<zz_A> { let zz_A(x) = self; zz_A::g(x) } }",
            ),
            (
                "impl<F: Fn(), const N: u8> zz_B<F, N> { fn f(self) -> Self { Self { x: Self::X } } }",
                "impl<F: Fn(), const N: u8> zz_B<F, N> { fn f(self) -> Self { zz_B { x: Self::X } } }",
            ),
            (
                "impl<T> From<T> for zz_A where T: Into<u8> { fn f(x: T) -> Self { Self(x.into()) } }",
                "impl<T> From<T> for zz_A where T: Into<u8> { fn f(x: T) -> zz_A { zz_A(x.into()) } }",
            ),
            (
                "impl T for zz_A { fn f() { impl zz_B { fn g() -> Self { Self } } } }",
                "impl T for zz_A { fn f() { impl zz_B { fn g() -> zz_B { zz_B } } } }",
            ),
        ] {
            let [before, after] = [before, after].map(|text| text.parse::<TokenStream>().unwrap());
            assert_eq!(name_constructors(before).to_string(), after.to_string());
        }
        for kept in [
            "trait zz_T { fn f() -> Self; }",
            "impl T for u8 { fn f() -> Self { Self::MAX } }",
            "fn f() -> impl zz_T { Self }",
        ] {
            let kept: TokenStream = kept.parse().unwrap();
            assert_eq!(
                name_constructors(kept.clone()).to_string(),
                kept.to_string()
            );
        }
    }
}
