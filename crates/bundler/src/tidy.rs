//! Small changes that shorten a program. They affect commas, numbers, and attributes in the arguments of
//! macros.

use super::strip::without_attributes;
use super::tokens::{is_attribute, is_punct, replace_tokens};
use proc_macro2::{Literal, TokenStream, TokenTree};
use syn::Lit;

/// Removes commas before a closing bracket, underscores in numbers, and the zero of `3.0`. Writes integers in
/// decimal if that is shorter. Also removes attributes without effect, such as documentation, from the
/// arguments of macros.
pub(crate) fn tidy(tokens: TokenStream) -> TokenStream {
    replace_tokens(without_attributes(tokens, true), &mut |tokens, i| {
        let shorter = match &tokens[i] {
            _ if is_attribute(tokens, i) => return Some((1, tokens[i].clone().into())),
            // `0.0` may be two indices of a tuple: `pair.0.0`.
            TokenTree::Literal(_) if i > 0 && is_punct(tokens, i - 1, '.') => return None,
            TokenTree::Literal(literal) => TokenTree::from(number(literal)?).into(),
            // The tuple `(a,)` needs its comma.
            TokenTree::Punct(comma) if comma.as_char() == ',' && i + 1 == tokens.len() => {
                let is_first = !(0..i).any(|i| is_punct(tokens, i, ','));
                return (!is_first).then(|| (1, TokenStream::new()));
            }
            _ => return None,
        };
        Some((1, shorter))
    })
}

/// Returns the short form of a number; `None` for any other literal.
fn number(literal: &Literal) -> Option<Literal> {
    let text = literal.to_string().replace('_', "");
    let shorter = match syn::Lit::new(literal.clone()) {
        // A binary or hexadecimal number may be shorter as a decimal number.
        Lit::Int(number) => {
            let decimal = format!("{}{}", number.base10_digits(), number.suffix());
            [text, decimal].into_iter().min_by_key(String::len)?
        }
        Lit::Float(_) => match text.strip_suffix(".0") {
            Some(whole) => format!("{whole}."),
            None => text,
        },
        _ => return None,
    };
    let mut shorter: Literal = shorter.parse().ok()?;
    shorter.set_span(literal.span());
    Some(shorter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> TokenStream {
        text.parse().unwrap()
    }

    #[test]
    fn commas_underscores_and_zeros_are_removed() {
        for (before, after) in [
            ("f(a, b,)", "f(a, b)"),
            ("(a,)", "(a,)"),
            ("S { a, b: (1, 2,), }", "S { a, b: (1, 2) }"),
            ("0_u64 + 0x9e37_79b9 + 10_000", "0u64 + 0x9e3779b9 + 10000"),
            ("0b10101 + 0x0F_u8 + 0xFF", "21 + 15u8 + 255"),
            ("3.0 + 1.0.max(2.0) + x.0", "3. + 1. .max(2.) + x.0"),
            (
                "$(#[doc = $t:literal])* #[cfg(any())] fn f() {} /** t */ g",
                "g",
            ),
            ("#[cfg(any())] fn $f() {} g", "g"),
            (
                "match x { #[cfg(any())] A(_) => 1, B => {} }",
                "match x { #[cfg(any())] A(_) => 1, B => {} }",
            ),
        ] {
            let expected = tokens(after).to_string();
            assert_eq!(tidy(tokens(before)).to_string(), expected);
        }
    }
}
