//! Small changes that shorten a program: debug assertions, commas, numbers, documentation in the arguments of macros.

use super::strip::is_dropped;
use super::tokens::{is, is_attribute, replaced};
use proc_macro2::{Literal, TokenStream, TokenTree};
use syn::visit_mut::{self, VisitMut};

/// Removes the calls of `debug_assert!`, `debug_assert_eq!` and `debug_assert_ne!`.
pub(crate) struct DebugAssertions;

impl VisitMut for DebugAssertions {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        let is_debug_assertion = |statement: &syn::Stmt| {
            matches!(statement, syn::Stmt::Macro(call)
            if ["debug_assert", "debug_assert_eq", "debug_assert_ne"].iter().any(|name| call.mac.path.is_ident(name)))
        };
        block
            .stmts
            .retain(|statement| !is_debug_assertion(statement));
        visit_mut::visit_block_mut(self, block);
    }
}

/// Removes commas before a closing bracket, underscores in numbers, zeros after a decimal point, and the documentation in
/// the arguments of macros.
pub(crate) fn tidy(tokens: TokenStream) -> TokenStream {
    replaced(without_attributes(tokens), &mut |tokens, i| {
        let shorter = match &tokens[i] {
            _ if is_attribute(tokens, i) => return Some((1, tokens[i].clone().into())),
            // `0.0` may be two indices of a tuple: `pair.0.0`.
            TokenTree::Literal(_) if i > 0 && is(tokens, i - 1, '.') => return None,
            TokenTree::Literal(literal) => TokenTree::from(number(literal)?).into(),
            // The tuple `(a,)` needs its comma.
            TokenTree::Punct(comma) if comma.as_char() == ',' && i + 1 == tokens.len() => {
                let is_first = !(0..i).any(|i| is(tokens, i, ','));
                return (!is_first).then(|| (1, TokenStream::new()));
            }
            _ => return None,
        };
        Some((1, shorter))
    })
}

/// Returns a shorter form of a number; `None` for another literal.
fn number(literal: &Literal) -> Option<Literal> {
    let text = literal.to_string();
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let text = text.replace('_', "");
    let whole = text.strip_suffix(".0").map(|whole| format!("{whole}."));
    let mut shorter: Literal = whole.unwrap_or(text).parse().ok()?;
    shorter.set_span(literal.span());
    Some(shorter)
}

/// Returns the tokens of a macro call without documentation and lint settings.
fn without_attributes(tokens: TokenStream) -> TokenStream {
    replaced(tokens, &mut |tokens, i| {
        let meta = tokens
            .get(i + 1)
            .filter(|_| is(tokens, i, '#'))?
            .to_string();
        let word = meta
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .find(|word| !word.is_empty())?;
        (is_dropped(word) && !meta.contains('$')).then(|| (2, TokenStream::new()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens;

    fn tokens(text: &str) -> TokenStream {
        text.parse().unwrap()
    }

    #[test]
    fn debug_assertions_are_removed() {
        let text = "fn f(x: u8) { debug_assert!(x > 1); if x > 2 { debug_assert_eq!(x, 3, \"{x}\"); } assert!(x < 9); }";
        let expected = "fn f(x: u8) { if x > 2 { } assert!(x < 9); }";
        let mut file = syn::parse_file(text).unwrap();
        DebugAssertions.visit_file_mut(&mut file);
        assert_eq!(
            file.to_token_stream().to_string(),
            tokens(expected).to_string()
        );
    }

    #[test]
    fn commas_underscores_and_zeros_are_removed() {
        for (before, after) in [
            ("f(a, b,)", "f(a, b)"),
            ("(a,)", "(a,)"),
            ("S { a, b: (1, 2,), }", "S { a, b: (1, 2) }"),
            ("0_u64 + 0x9e37_79b9 + 10_000", "0u64 + 0x9e3779b9 + 10000"),
            ("3.0 + 1.0.max(2.0) + x.0", "3. + 1. .max(2.) + x.0"),
        ] {
            let expected = tokens(after).to_string();
            assert_eq!(tidy(tokens(before)).to_string(), expected);
        }
    }
}
