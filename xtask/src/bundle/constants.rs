//! Constants that are numbers, written where they are used, with their types.

use super::tokens::{is, is_colons, replaced};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::HashMap;

/// The types of the numbers.
const TYPES: &str = "u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64";

/// A constant of the program.
struct Number {
    /// Its value, with its type.
    value: TokenStream,
    /// The number of the places that use it.
    uses: usize,
}

/// The tokens without `const NAME: type = number;` where the number takes less room than the name,
/// but for those in `kept`, and with the number wherever the name stands. Also returns their names.
///
/// A name is left alone if it is declared twice, if a path leads to it from outside of its type, if
/// its methods are called, or if a text may capture it.
pub(crate) fn replace(tokens: TokenStream, kept: &[&str]) -> (TokenStream, Vec<String>) {
    let mut numbers: HashMap<String, Option<Number>> = HashMap::new();
    replaced(tokens.clone(), &mut |tokens, i| {
        if tokens[i].to_string() == "const" {
            let name = tokens.get(i + 1).map_or(String::new(), ToString::to_string);
            let is_known = kept.contains(&name.as_str()) || numbers.contains_key(&name);
            let number = declaration(tokens, i).filter(|_| !is_known);
            let number = number.map(|value| Number { value, uses: 0 });
            numbers.insert(name, number);
        }
        None
    });
    replaced(tokens.clone(), &mut |tokens, i| {
        let word = tokens[i].to_string();
        if let TokenTree::Literal(_) = tokens[i] {
            numbers.retain(|name, _| !word.contains(&format!("{{{name}")));
        }
        let is_foreign = is_path(tokens, i) && tokens[i - 3].to_string() != "Self";
        if is_foreign || is_checked(tokens, i) || is(tokens, i + 1, '.') {
            numbers.remove(&word);
        } else if let Some(Some(number)) = numbers.get_mut(&word) {
            number.uses += 1;
        }
        None
    });
    numbers.retain(|_, number| {
        number.as_ref().is_some_and(|Number { value, uses }| {
            // Once renamed, the declaration is `const ab:c=1;`, and each use two letters.
            let value = value.to_string().len();
            (uses - 1) * value <= 10 + value + 2 * (uses - 1)
        })
    });
    let number = |token: &TokenTree| Some(numbers.get(&token.to_string())?.as_ref()?.value.clone());
    let tokens = replaced(tokens, &mut |tokens, i| {
        let is_constant = tokens[i].to_string() == "const";
        if is_constant && tokens.get(i + 1).and_then(number).is_some() {
            let end = (i..tokens.len()).find(|i| is(tokens, *i, ';'))?;
            return Some((end + 1 - i, TokenStream::new()));
        }
        match number(&tokens[i]) {
            Some(number) => Some((1, number)),
            None if tokens[i].to_string() == "Self" && is_path(tokens, i + 3) => {
                Some((4, number(&tokens[i + 3])?))
            }
            None => None,
        }
    });
    (tokens, numbers.into_keys().collect())
}

/// The value, with its type, of a number whose declaration begins at `i`.
fn declaration(tokens: &[TokenTree], i: usize) -> Option<TokenStream> {
    let [_, _, _, of, _, value @ ..] = tokens.get(i..)? else {
        return None;
    };
    let (sign, value) = value.split_at(usize::from(is(value, 0, '-')));
    let (number, of) = (value.first()?.to_string(), of.to_string());
    let is_number = number.starts_with(|c: char| c.is_ascii_digit()) && is(value, 1, ';');
    let is_known = TYPES.split(' ').any(|known| known == of);
    let is_pub = |back: usize| i >= back && tokens[i - back].to_string() == "pub";
    let is_public = is_pub(1) || is_pub(2); // also `pub(crate)`
    if !is_number || !is_known || is_public {
        return None;
    }
    let whole = number.strip_suffix(".0").unwrap_or(&number);
    let typed = if number.ends_with(&of) {
        number
    } else {
        format!("{whole}{of}")
    };
    let sign: TokenStream = sign.iter().cloned().collect();
    Some([sign, typed.parse().ok()?].into_iter().collect())
}

/// True if the token at `i` is negated, or is what a value is shifted by. The compiler checks that
/// for a number; a constant is checked when the program runs.
fn is_checked(tokens: &[TokenTree], i: usize) -> bool {
    let before = |n: usize, c| i >= n && is(tokens, i - n, c);
    let is_operand = |token: &TokenTree| !matches!(token, TokenTree::Punct(_));
    let is_binary = i > 1 && is_operand(&tokens[i - 2]);
    let is_shift = |c| before(1, c) && before(2, c) || before(1, '=') && before(2, c);
    is_shift('<') || is_shift('>') || before(1, '-') && !is_binary
}

/// Whether a path leads to the token at `i`.
fn is_path(tokens: &[TokenTree], i: usize) -> bool {
    i >= 3 && i < tokens.len() && is_colons(tokens, i - 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn numbers_stand_where_they_are_used_and_keep_their_types() {
        let before = quote! {
            const A: u8 = 7;
            const B: i32 = -3;
            const FAR: u8 = 1;
            const KEPT: f64 = 3.8;
            const ROOT: f64 = 9.0;
            const MADE: u8 = A + 1;
            const SHOWN: u8 = 4;
            const LONG: u64 = 1234567890123;
            impl S {
                const HERE: f64 = 5.0;
                const TWICE: u8 = 1;
                fn f<const N: usize>() { ROOT.sqrt(); [S::FAR + B as u8 * A - Self::TWICE; Self::HERE]; format!("{SHOWN}"); !LONG + LONG - LONG * LONG }
            }
            impl T { const TWICE: u8 = 2; const N: usize = 4; fn f() { Self::N } }
        };
        let after = quote! {
            const FAR: u8 = 1;
            const KEPT: f64 = 3.8;
            const ROOT: f64 = 9.0;
            const MADE: u8 = 7u8 + 1;
            const SHOWN: u8 = 4;
            const LONG: u64 = 1234567890123;
            impl S {
                const TWICE: u8 = 1;
                fn f<const N: usize>() { ROOT.sqrt(); [S::FAR + -3i32 as u8 * 7u8 - Self::TWICE; 5f64]; format!("{SHOWN}"); !LONG + LONG - LONG * LONG }
            }
            impl T { const TWICE: u8 = 2; const N: usize = 4; fn f() { Self::N } }
        };
        let (replaced, mut names) = replace(before, &["KEPT"]);
        assert_eq!(replaced.to_string(), after.to_string());
        names.sort();
        assert_eq!(names, ["A", "B", "HERE"]);
    }
}
