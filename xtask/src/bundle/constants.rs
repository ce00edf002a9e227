//! Constants that are numbers, written where they are used.

use super::tokens::{is, is_colons, replaced};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::HashMap;

/// Removes the declarations `const NAME: type = number;`, except those of `kept`, and writes the
/// number in place of the name.
///
/// The number keeps its type: `4096000000u64`. A type that the compiler assumes by itself is left out:
/// `i32` and `f64`, and `usize` as the length of an array.
pub(crate) fn replace(tokens: TokenStream, kept: &[&str]) -> TokenStream {
    // `None` for a name that is declared twice, that code outside of its type names by a path, or that
    // has a method called on it: a number without a type has no methods.
    let mut numbers: HashMap<String, Option<Number>> = HashMap::new();
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
    // A declaration is shorter than the types of many numbers.
    let mut types: HashMap<String, usize> = HashMap::new();
    replaced(tokens.clone(), &mut |tokens, i| {
        let name = tokens[i].to_string();
        let is_use = i == 0 || declaration(tokens, i - 1).is_none();
        if let (true, Some(Some(number))) = (is_use, numbers.get(&name)) {
            *types.entry(name).or_default() += number.type_text(is_array_length(tokens, i)).len();
        }
        None
    });
    numbers.retain(|name, _| types.get(name).is_none_or(|bytes| *bytes <= LONGEST_TYPES));
    replaced(tokens, &mut |tokens, i| {
        let number = |i: usize| numbers.get(&tokens.get(i)?.to_string())?.as_ref();
        if declaration(tokens, i).is_some() && number(i + 1).is_some() {
            let end = (i..tokens.len()).find(|i| is(tokens, *i, ';'))?;
            return Some((end + 1 - i, TokenStream::new()));
        }
        let is_of_self = tokens[i].to_string() == "Self" && is_path(tokens, i + 3);
        let length = if is_of_self { 4 } else { 1 };
        let name = i + length - 1;
        let number = number(name)?;
        Some((length, number.tokens(is_array_length(tokens, name))))
    })
}

/// The most bytes that the types of one constant's numbers may take.
const LONGEST_TYPES: usize = 20;

/// True if a path that ends at `i` is the length of an array.
fn is_array_length(tokens: &[TokenTree], i: usize) -> bool {
    let start = if is_path(tokens, i) { i - 3 } else { i };
    start > 0 && is(tokens, start - 1, ';') && tokens.len() == i + 1
}

/// The value of a constant.
struct Number {
    is_negative: bool,
    digits: String,
    type_name: String,
}

impl Number {
    /// Returns the type to write after the digits; empty if the compiler assumes it.
    fn type_text(&self, is_array_length: bool) -> &str {
        let is_assumed = match self.type_name.as_str() {
            "i32" => true,
            "f64" => self.digits.contains('.'),
            "usize" => is_array_length,
            _ => false,
        };
        if is_assumed || self.digits.ends_with(&self.type_name) {
            ""
        } else {
            &self.type_name
        }
    }

    /// Returns the tokens of the number.
    fn tokens(&self, is_array_length: bool) -> TokenStream {
        let sign = if self.is_negative { "-" } else { "" };
        let text = format!("{sign}{}{}", self.digits, self.type_text(is_array_length));
        text.parse().expect("a number")
    }
}

/// Returns the name and the value of a number whose declaration begins at `i`.
fn declaration(tokens: &[TokenTree], i: usize) -> Option<(String, Number)> {
    let [word, name, _, type_name, _, value @ ..] = tokens.get(i..)? else {
        return None;
    };
    let (sign, value) = value.split_at(usize::from(is(value, 0, '-')));
    let number = value.first()?.to_string();
    let is_number = number.starts_with(|c: char| c.is_ascii_digit()) && is(value, 1, ';');
    let is_public = i > 0 && tokens[i - 1].to_string() == "pub";
    let number = || Number {
        is_negative: !sign.is_empty(),
        digits: number.clone(),
        type_name: type_name.to_string(),
    };
    (word.to_string() == "const" && is_number && !is_public).then(|| (name.to_string(), number()))
}

/// True if a path leads to the token at `i`.
fn is_path(tokens: &[TokenTree], i: usize) -> bool {
    i >= 3 && i < tokens.len() && is_colons(tokens, i - 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn numbers_replace_names_and_keep_their_type() {
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
            const MADE: u8 = 7u8 + 1;
            impl S {
                const TWICE: u8 = 1;
                fn f() -> [u8; 5] { ROOT.sqrt(); [S::FAR + -3 as u8 * 7u8 - Self::TWICE; 5] }
            }
            impl T { const TWICE: u8 = 2; }
        };
        assert_eq!(replace(before, &["KEPT"]).to_string(), after.to_string());
    }
}
