//! Constants that are numbers, written where they are used.

use super::tokens::{is, is_colons, replaced};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::HashMap;

/// The tokens without `const NAME: type = number;`, but for those in `kept`, and with the number
/// wherever the name stands.
pub(crate) fn replace(tokens: TokenStream, kept: &[&str]) -> TokenStream {
    // None for a name that is declared twice, or that a path leads to from outside of its type, or
    // whose methods are called, which a number without a type does not have.
    let mut numbers: HashMap<String, Option<TokenStream>> = HashMap::new();
    replaced(tokens.clone(), &mut |tokens, i| {
        if let Some((name, number)) = declaration(tokens, i) {
            let is_known = kept.contains(&name.as_str()) || numbers.contains_key(&name);
            numbers.insert(name, (!is_known).then_some(number));
        }
        None
    });
    replaced(tokens.clone(), &mut |tokens, i| {
        let is_foreign = is_path(tokens, i) && tokens[i - 3].to_string() != "Self";
        if is_foreign || is(tokens, i + 1, '.') {
            numbers.remove(&tokens[i].to_string());
        }
        None
    });
    replaced(tokens, &mut |tokens, i| {
        let number = |i: usize| numbers.get(&tokens.get(i)?.to_string())?.clone();
        if declaration(tokens, i).is_some() && number(i + 1).is_some() {
            let end = (i..tokens.len()).find(|i| is(tokens, *i, ';'))?;
            return Some((end + 1 - i, TokenStream::new()));
        }
        match number(i) {
            Some(number) => Some((1, number)),
            None if tokens[i].to_string() == "Self" && is_path(tokens, i + 3) => {
                Some((4, number(i + 3)?))
            }
            None => None,
        }
    })
}

/// The name and the value of a number whose declaration begins at `i`.
fn declaration(tokens: &[TokenTree], i: usize) -> Option<(String, TokenStream)> {
    let [word, name, _, _, _, value @ ..] = tokens.get(i..)? else {
        return None;
    };
    let (sign, value) = value.split_at(usize::from(is(value, 0, '-')));
    let number = value.first()?.to_string();
    let is_number = number.starts_with(|c: char| c.is_ascii_digit()) && is(value, 1, ';');
    let is_public = i > 0 && tokens[i - 1].to_string() == "pub";
    (word.to_string() == "const" && is_number && !is_public).then(|| {
        let value = sign.iter().chain(value.first()).cloned();
        (name.to_string(), value.collect())
    })
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
    fn numbers_stand_where_they_are_used() {
        let before = quote! {
            const A: u8 = 7;
            const B: i32 = -3;
            const FAR: u8 = 1;
            const KEPT: f64 = 3.8;
            const ROOT: f64 = 9.0;
            const MADE: u8 = A + 1;
            impl S {
                const HERE: usize = 5;
                const TWICE: u8 = 1;
                fn f() -> [u8; Self::HERE] { ROOT.sqrt(); [S::FAR + B as u8 * A - Self::TWICE; Self::HERE] }
            }
            impl T { const TWICE: u8 = 2; }
        };
        let after = quote! {
            const FAR: u8 = 1;
            const KEPT: f64 = 3.8;
            const ROOT: f64 = 9.0;
            const MADE: u8 = 7 + 1;
            impl S {
                const TWICE: u8 = 1;
                fn f() -> [u8; 5] { ROOT.sqrt(); [S::FAR + -3 as u8 * 7 - Self::TWICE; 5] }
            }
            impl T { const TWICE: u8 = 2; }
        };
        assert_eq!(replace(before, &["KEPT"]).to_string(), after.to_string());
    }
}
