//! Small changes that shorten a program. They affect commas, semicolons, numbers, and attributes in the
//! arguments of macros.

use super::strip::without_attributes;
use super::tokens::{group, is_attribute, is_braces, is_punct, replace_tokens};
use proc_macro2::{Delimiter, Ident, Literal, TokenStream, TokenTree};
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

/// Removes the semicolon after the last statement of a block if the statement is an assignment or a jump,
/// whose type is `()` or `!`.
///
/// Temporary values in a statement without a semicolon live longer. If `includes_calls` is false, statements
/// with parentheses keep their semicolons, since a call may create such a value.
pub(crate) fn without_semicolons(tokens: TokenStream, includes_calls: bool) -> TokenStream {
    replace_tokens(tokens, &mut |tokens, i| {
        // The argument or the definition of a macro may need the semicolon.
        let is_definition = i > 2 && tokens[i - 3].to_string() == "macro_rules";
        let is_macro = is_definition || i > 0 && is_punct(tokens, i - 1, '!');
        if group(tokens, i).is_some() && is_macro {
            return Some((1, tokens[i].clone().into()));
        }
        if i + 1 < tokens.len() || !is_punct(tokens, i, ';') {
            return None;
        }
        let is_end = |at: &usize| is_punct(tokens, *at, ';') || is_braces(tokens, *at);
        let start = (0..i).rev().find(is_end).map_or(0, |at| at + 1);
        let statement = &tokens[start..i];
        let first = statement.first()?.to_string();
        let is_jump = ["break", "continue", "return"].contains(&&first[..]);
        // `self.count += 1`, `*count = 1`, but not `let count = 1`
        let assigns = |at: usize| {
            let is_comparison = |c| at > 0 && is_punct(statement, at - 1, c);
            is_punct(statement, at, '=')
                && !is_punct(statement, at + 1, '=')
                && !is_punct(statement, at + 1, '>')
                && (!"=!<>".contains(is_comparison) || at > 1 && is_shift(statement, at))
        };
        let is_place = first == "self" || first == "*" || syn::parse_str::<Ident>(&first).is_ok();
        let is_assignment = is_place && (0..statement.len()).any(assigns);
        let is_plain = includes_calls || !statement.iter().any(is_parenthesis);
        (is_plain && (is_jump || is_assignment)).then(|| (1, TokenStream::new()))
    })
}

/// True if the `=` at `at` ends `<<=` or `>>=`.
fn is_shift(tokens: &[TokenTree], at: usize) -> bool {
    ['<', '>']
        .iter()
        .any(|c| is_punct(tokens, at - 1, *c) && is_punct(tokens, at - 2, *c))
}

fn is_parenthesis(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis)
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
    fn the_last_semicolon_of_a_block_is_removed_after_assignments_and_jumps() {
        for (before, after) in [
            ("{ self.a += 1; }", "{ self.a += 1 }"),
            ("{ f(); *b = c <= d; }", "{ f(); *b = c <= d }"),
            ("{ a >>= 1; }", "{ a >>= 1 }"),
            ("if a { return; }", "if a { return }"),
            ("{ a[i] = f(1); }", "{ a[i] = f(1); }"),
        ] {
            let expected = tokens(after).to_string();
            let actual = without_semicolons(tokens(before), false);
            assert_eq!(actual.to_string(), expected);
        }
        for kept in [
            "{ let a = 1; }",
            "{ a == 1; }",
            "{ f(); }",
            "{ a = 1; b }",
            "{ a >= 1; }",
            "m! { a = 1; }",
            "macro_rules! m { ($($x:ident)*) => { $($x = 1;)* } }",
        ] {
            let kept = tokens(kept);
            let actual = without_semicolons(kept.clone(), true);
            assert_eq!(actual.to_string(), kept.to_string());
        }
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
