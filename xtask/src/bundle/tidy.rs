//! Removes what helps readers only: commas before a closing bracket, underscores in numbers, zeros
//! behind a decimal point.

use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};

/// The same program with fewer characters.
pub(crate) fn tidy(tokens: TokenStream) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        out.push(match token {
            TokenTree::Group(group) => {
                let mut inner: Vec<TokenTree> = tidy(group.stream()).into_iter().collect();
                let commas = inner.iter().filter(|token| is_comma(token)).count();
                // A tuple with one element needs its comma.
                let may_go = group.delimiter() != Delimiter::Parenthesis || commas > 1;
                if may_go && inner.last().is_some_and(is_comma) {
                    inner.pop();
                }
                Group::new(group.delimiter(), inner.into_iter().collect()).into()
            }
            TokenTree::Literal(literal) => number(&literal).unwrap_or(literal).into(),
            token => token,
        });
    }
    out.into_iter().collect()
}

fn is_comma(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(p) if p.as_char() == ',')
}

/// A shorter way to write a number.
fn number(literal: &Literal) -> Option<Literal> {
    let text = literal.to_string();
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut text = text.replace('_', "");
    let is_zero = |text: &str| text.split_once('.').is_some_and(|(_, end)| end == "0");
    if is_zero(&text) {
        text.pop();
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_for_readers_goes() {
        for (before, after) in [
            ("f(a, b,)", "f(a, b)"),
            ("(a,)", "(a,)"),
            ("[1, 2,]", "[1, 2]"),
            ("S { a, b: (1, 2,), }", "S { a, b: (1, 2) }"),
            ("0_u64 + 0x9e37_79b9 + 10_000", "0u64 + 0x9e3779b9 + 10000"),
            (
                "3.0 + 0.5 + 1.0.max(2.0) + x.0",
                "3. + 0.5 + 1..max(2.) + x.0",
            ),
        ] {
            let tokens = |text: &str| text.parse::<TokenStream>().unwrap();
            let expected = after.replace("1..max", "1. .max");
            assert_eq!(
                tidy(tokens(before)).to_string(),
                tokens(&expected).to_string()
            );
        }
    }
}
