//! Short words for the marked names of a program.
//!
//! Names share a word if they cannot be confused ([`uses`]).

use super::tokens::{identifiers, replace_tokens};
use super::uses::{self, Uses};
use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::{HashMap, HashSet};

/// Maps each marked name to its short word.
pub(crate) type Words = HashMap<String, String>;

/// Chooses a word for each marked name. The most frequent names get the shortest words.
///
/// If `is_shared` is true, names share a word unless they conflict ([`Uses::conflicts_with`]). Otherwise,
/// each name gets a word of its own.
pub(crate) fn choose_words(tokens: &TokenStream, is_shared: bool) -> Words {
    let taken: HashSet<String> = identifiers(tokens.clone()).into_iter().collect();
    let mut names: Vec<(String, Uses)> = uses::find_uses(tokens.clone()).into_iter().collect();
    names.sort_by_key(|(_, uses)| std::cmp::Reverse(uses.count));
    let is_free = |word: &String| syn::parse_str::<Ident>(word).is_ok() && !taken.contains(word);
    let mut free = (0..).map(nth_word).filter(is_free);
    // Each word, with the uses of all its names.
    let mut word_uses: Vec<(String, Uses)> = Vec::new();
    let mut words = Words::new();
    for (name, own) in names {
        let fits = |(_, uses): &(String, Uses)| is_shared && !uses.conflicts_with(&own);
        let at = word_uses.iter().position(fits).unwrap_or_else(|| {
            word_uses.extend(free.next().map(|word| (word, Uses::default())));
            word_uses.len() - 1
        });
        word_uses[at].1.merge(&own);
        words.insert(name, word_uses[at].0.clone());
    }
    words
}

/// Replaces the marked names of a program with their words.
pub(crate) fn rename(tokens: TokenStream, words: &Words) -> TokenStream {
    replace_tokens(tokens, &mut |tokens, i| {
        let span = tokens[i].span();
        let TokenTree::Ident(name) = &tokens[i] else {
            return None;
        };
        let word = Ident::new(words.get(&name.to_string())?, span);
        Some((1, TokenTree::from(word).into()))
    })
}

/// Returns the word with this number: first the words of one character, then the words of two, and so on.
fn nth_word(mut number: usize) -> String {
    const FIRST_LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const NEXT_LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let mut word = String::from(FIRST_LETTERS[number % FIRST_LETTERS.len()] as char);
    number /= FIRST_LETTERS.len();
    while number > 0 {
        number -= 1;
        word.push(NEXT_LETTERS[number % NEXT_LETTERS.len()] as char);
        number /= NEXT_LETTERS.len();
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(marked: &str, short: &str) {
        let [marked, short] = [marked, short].map(|text| text.parse::<TokenStream>().unwrap());
        let words = choose_words(&marked, true);
        assert_eq!(rename(marked, &words).to_string(), short.to_string());
    }

    #[test]
    fn names_that_cannot_clash_share_a_word() {
        check(
            "
            const zz_TOP: u8 = 1;
            struct zz_Deck { zz_cards: u8, zz_jokers: u8 }
            impl zz_Deck { fn zz_shuffle(&self, zz_times: u8) -> u8 { self.zz_cards + zz_times } }
            enum zz_Move { zz_Take, zz_Drop { zz_card: u8 } }
            fn zz_play(zz_deck: zz_Deck) -> zz_Move { zz_deck.zz_shuffle(zz_TOP); zz_Move::zz_Take }
            fn main() { zz_play(zz_Deck { zz_cards: 1, zz_jokers: 2 }); }
            ",
            "
            const a: u8 = 1;
            struct a { a: u8, b: u8 }
            impl a { fn a(&self, b: u8) -> u8 { self.a + b } }
            enum b { a, b { a: u8 } }
            fn b(b: a) -> b { b.a(a); b::a }
            fn main() { b(a { a: 1, b: 2 }); }
            ",
        );
    }

    #[test]
    fn an_import_needs_a_word_of_its_own() {
        check(
            "use crate::m::zz_Trigger; use crate::m::zz_fire;
            mod m { pub struct zz_Trigger { x: u8 } pub fn zz_fire() {} }",
            "use crate::m::a; use crate::m::b; mod m { pub struct a { x: u8 } pub fn b() {} }",
        );
        check(
            "enum zz_Kind { zz_A, zz_B } use zz_Kind::*;
            fn zz_f(zz_kind: zz_Kind) -> u8 { match zz_kind { zz_A => 1, zz_B => 2 } }
            fn zz_g(zz_x: u8, zz_y: u8) -> u8 { zz_x + zz_y }",
            "enum a { b, c } use a::*;
            fn d(d: a) -> u8 { match d { b => 1, c => 2 } }
            fn e(d: u8, e: u8) -> u8 { d + e }",
        );
    }

    #[test]
    fn the_members_of_an_alias_are_members_of_its_type() {
        check(
            "struct zz_Row<T>(T); type zz_Bytes = zz_Row<u8>; impl<T> zz_Row<T> { fn zz_f() {} }
            impl zz_Bytes { fn zz_g() {} }",
            "struct a<T>(T); type b = a<u8>; impl<T> a<T> { fn a() {} } impl b { fn b() {} }",
        );
    }

    #[test]
    fn an_imported_struct_and_a_variable_need_different_words() {
        check(
            "use std::marker::PhantomData as zz_alias_of_PhantomData; fn zz_f() { let zz_x = 1; }",
            "use std::marker::PhantomData as a; fn b() { let b = 1; }",
        );
    }

    #[test]
    fn short_names_are_all_different() {
        let words: HashSet<String> = (0..5000).map(nth_word).collect();
        assert_eq!(words.len(), 5000);
        assert!(words.contains("a") && words.contains("Z") && words.contains("Z9"));
    }
}
