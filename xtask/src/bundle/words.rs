//! Short words for the marked names of a program. The most frequent names get the shortest words.
//!
//! Names share a word where no one can confuse them: the variables of two functions, and a type and
//! a variable.
//!
//!     fn zz_first(zz_row: u8) { … }        fn a(b: u8) { … }
//!     fn zz_second(zz_place: u8) { … }     fn c(b: u8) { … }

use super::marks::words;
use super::names::{FIELD, FUNCTION, MARK};
use super::places::{is_variable, Places};
use super::tokens::{is, replaced};
use proc_macro2::{Ident, TokenStream, TokenTree};
use regex::{Captures, Regex};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The word of each name.
pub(crate) type Words = HashMap<String, String>;

/// Chooses a word for each marked name. `share`: some names share one.
pub(crate) fn choose(tokens: &TokenStream, share: bool) -> Words {
    let (mut counts, mut taken) = (BTreeMap::<String, usize>::new(), HashSet::new());
    replaced(tokens.clone(), &mut |tokens, i| {
        for word in words(&tokens[i].to_string()) {
            if word.starts_with(MARK) {
                *counts.entry(word).or_default() += 1;
            } else if matches!(tokens[i], TokenTree::Ident(_)) {
                taken.insert(word);
            }
        }
        None
    });
    let mut order: Vec<&String> = counts.keys().collect();
    order.sort_by_key(|name| std::cmp::Reverse(counts[*name]));
    let places = Places::find(tokens.clone());
    let (types, kinds) = types(tokens);
    let may_share = |one: &String, other: &String| {
        // A type stands where no variable, field or function can.
        let is_type = types.contains(one) && is_variable(other) && !kinds.contains(other);
        // Constants mean something where a variable is declared.
        let is_far = one.contains(FUNCTION) && is_variable(other) && !places.meet(one, other);
        // A field is looked for among fields only, but where a function has a variable of its name.
        let is_field = one.ends_with(FIELD) && !other.contains(FIELD) && !other.contains(FUNCTION);
        let is_apart = is_field && places.is_apart(one, other);
        is_type || is_far || is_apart
    };
    let is_free = |word: &String| syn::parse_str::<Ident>(word).is_ok() && !taken.contains(word);
    let mut free = (0..).map(word).filter(is_free);
    let mut users: Vec<(String, Vec<&String>)> = Vec::new();
    for name in order {
        let fits = |(_, others): &(String, Vec<&String>)| {
            let mut others = others.iter();
            share && others.all(|other| may_share(name, other) || may_share(other, name))
        };
        match users.iter().position(fits) {
            Some(at) => users[at].1.push(name),
            None => users.extend(free.next().map(|word| (word, vec![name]))),
        }
    }
    let pairs = users.into_iter().flat_map(|(word, names)| {
        let pairs = names
            .into_iter()
            .map(move |name| (name.clone(), word.clone()));
        pairs.collect::<Vec<_>>()
    });
    pairs.collect()
}

/// The program with other words for its marked names.
pub(crate) fn renamed(tokens: TokenStream, words: &Words) -> TokenStream {
    replaced(tokens, &mut |tokens, i| {
        let TokenTree::Ident(name) = &tokens[i] else {
            return None;
        };
        let word = words.get(&name.to_string())?;
        Some((1, TokenTree::from(Ident::new(word, name.span())).into()))
    })
}

/// The text with other words for the marked names in it.
pub(crate) fn in_text(text: &str, words: &Words) -> String {
    let marked = Regex::new(&format!("{MARK}\\w+")).expect("an expression");
    let word = |name: &str| words.get(name).map_or(name.to_string(), String::clone);
    let all = |name: &Captures| match words.get(&name[0]) {
        Some(word) => word.clone(),
        // Such as `zz_trigger__zz_stack`, a field that a closure captures.
        None => name[0].split("__").map(word).collect::<Vec<_>>().join("__"),
    };
    marked.replace_all(text, all).into_owned()
}

/// The names of one letter, then those of two, and so on.
fn word(mut number: usize) -> String {
    const FIRST: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const NEXT: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let mut word = String::from(FIRST[number % FIRST.len()] as char);
    number /= FIRST.len();
    while number > 0 {
        number -= 1;
        word.push(NEXT[number % NEXT.len()] as char);
        number /= NEXT.len();
    }
    word
}

/// The names of types that are no values as well: structs with named fields, enums, traits.
fn types(tokens: &TokenStream) -> (HashSet<String>, HashSet<String>) {
    let (mut types, mut others, mut kinds) = (HashSet::new(), HashSet::new(), HashSet::new());
    replaced(tokens.clone(), &mut |tokens, i| {
        if let (TokenTree::Ident(name), false) = (&tokens[i], i == 0) {
            let end = (i..tokens.len()).find(|&i| {
                let text = tokens[i].to_string();
                text.starts_with(['{', '(']) || text == ";"
            });
            let has_fields = end.is_some_and(|end| tokens[end].to_string().starts_with('{'));
            match tokens[i - 1].to_string().as_str() {
                "trait" | "enum" => {
                    types.insert(name.to_string());
                }
                "struct" if has_fields => {
                    types.insert(name.to_string());
                }
                "type" | "mod" => {
                    kinds.insert(name.to_string());
                }
                _ if is(tokens, i - 1, '.') => {}
                "struct" | "const" | "static" | "fn" | "let" => {
                    others.insert(name.to_string());
                }
                _ => {}
            }
        }
        None
    });
    (&types - &others, kinds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_are_all_different() {
        let words: HashSet<String> = (0..5000).map(word).collect();
        assert_eq!(words.len(), 5000);
        assert!(words.contains("a") && words.contains("Z") && words.contains("Z9"));
    }
}
