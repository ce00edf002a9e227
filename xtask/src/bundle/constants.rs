//! Writes numbers in place of the constants that are used only a few times.
//!
//!     const zz_MARGIN: i32 = 3;     f(3i32)
//!     f(zz_MARGIN)
//!
//! A suffix keeps the type. [`proof`](super::proof) then expects these numbers where the sources have the constants.

use super::names::MARK;
use super::print::ALIAS;
use super::tokens::{is, replaced};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::HashMap;

/// Types of numbers that the compiler prints in decimal digits.
const TYPES: &str = "u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize";

/// The number of bytes of a short name.
const NAME: usize = 2;

/// A constant whose value takes the place of its name.
pub(crate) struct Number {
    /// The value with its type, such as `-3i32`.
    value: String,
    /// The same as the compiler prints it, such as `-3_i32`.
    pub(crate) printed: String,
    /// The number of bytes of the declaration with a short name.
    declaration: usize,
    /// The number of uses; `None` if one of them cannot be a number.
    uses: Option<usize>,
}

impl Number {
    /// The name and the number that `const NAME: TYPE = NUMBER;` at `i` declares.
    fn declared(tokens: &[TokenTree], i: usize) -> Option<(String, Self)> {
        let [word, name, _, kind, equals, value @ ..] = tokens.get(i..)? else {
            return None;
        };
        let kind = kind.to_string();
        let kind = kind.trim_start_matches(MARK).trim_start_matches(ALIAS);
        let is_constant = word.to_string() == "const" && equals.to_string() == "=";
        if !is_constant || !TYPES.split(' ').any(|known| known == kind) {
            return None;
        }
        let sign = ["", "-"][usize::from(is(value, 0, '-'))];
        let number = value.get(sign.len())?.to_string();
        let digits = syn::parse_str::<syn::LitInt>(&number).ok()?;
        let is_whole = is(value, sign.len() + 1, ';') && digits.suffix().is_empty();
        let number = Self {
            value: format!("{sign}{number}{kind}"),
            printed: format!("{sign}{}_{kind}", digits.base10_digits()),
            declaration: "const :T=;".len() + NAME + sign.len() + number.len(),
            uses: Some(0),
        };
        is_whole.then(|| (name.to_string(), number))
    }

    /// Counts the use at `i`, unless a number cannot stand there.
    fn count(&mut self, tokens: &[TokenTree], i: usize) {
        let is_path = i > 0 && [':', '$', '.'].iter().any(|c| is(tokens, i - 1, *c));
        let is_called = is(tokens, i + 1, '.') && self.value.starts_with('-');
        let fits = !is_path && !is_called && !is(tokens, i + 1, ':');
        self.uses = self.uses.filter(|_| fits).map(|uses| uses + 1);
    }

    /// True if the program becomes shorter.
    fn is_shorter(&self) -> bool {
        self.uses
            .is_some_and(|uses| uses * self.value.len() < self.declaration + uses * NAME)
    }
}

/// The program with numbers in place of constants, and these constants.
pub(crate) fn replace(tokens: &TokenStream) -> (TokenStream, HashMap<String, Number>) {
    let mut numbers: HashMap<String, Number> = HashMap::new();
    replaced(tokens.clone(), &mut |tokens, i| {
        let (name, mut number) = Number::declared(tokens, i)?;
        if numbers.contains_key(&name) || !name.starts_with(MARK) {
            number.uses = None;
        }
        numbers.insert(name, number);
        None
    });
    replaced(tokens.clone(), &mut |tokens, i| {
        let number = numbers.get_mut(&tokens[i].to_string())?;
        if i == 0 || Number::declared(tokens, i - 1).is_none() {
            number.count(tokens, i);
        }
        None
    });
    numbers.retain(|_, number| number.is_shorter());
    let tokens = replaced(tokens.clone(), &mut |tokens, i| {
        if let Some((name, _)) = Number::declared(tokens, i) {
            let end = (i..tokens.len()).find(|i| is(tokens, *i, ';'))?;
            return numbers
                .contains_key(&name)
                .then(|| (end + 1 - i, TokenStream::new()));
        }
        let number = numbers.get(&tokens[i].to_string())?;
        Some((1, number.value.parse().ok()?))
    });
    (tokens, numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_numbers_stand_where_they_are_used_and_keep_their_types() {
        let before = "const zz_A: u64 = 40; const zz_B: zz_alias_of_i32 = -3; const zz_LONG: u32 = 123456; \
            const zz_C: u8 = 1; const kept: u8 = 2; const zz_D: f64 = 1.5; \
            fn f() { g(zz_A * zz_A, !zz_B, zz_LONG, zz_LONG, zz_LONG, self::zz_C, kept, zz_D) }";
        let after = "const zz_LONG: u32 = 123456; const zz_C: u8 = 1; const kept: u8 = 2; const zz_D: f64 = 1.5; \
            fn f() { g(40u64 * 40u64, !-3i32, zz_LONG, zz_LONG, zz_LONG, self::zz_C, kept, zz_D) }";
        let tokens = |text: &str| text.parse::<TokenStream>().unwrap();
        let (replaced, numbers) = replace(&tokens(before));
        assert_eq!(replaced.to_string(), tokens(after).to_string());
        assert_eq!(numbers["zz_B"].printed, "-3_i32");
    }
}
