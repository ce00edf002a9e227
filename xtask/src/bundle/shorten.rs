//! Short names for what a program declares itself.
//!
//! No two names are replaced by the same one, so that scopes need not be known. Some names mean
//! something outside of the program as well, such as that of a method of the standard library. The
//! compiler misses these; they get their names back, first as methods and in paths, then everywhere.
//!
//! At last each function gets its own variables ([`super::locals`]): they share the short names
//! with what does not stand in this function.

use super::compiler;
use super::locals::{functions, own, Places};
use super::print::compact;
use super::tokens::{begins_path, is, is_colons, replaced};
use anyhow::{bail, Result};
use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream, TokenTree};
use regex::{Captures, Regex};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Where a name is replaced.
#[derive(Clone, Copy, PartialEq)]
enum Uses {
    /// Wherever it stands.
    All,
    /// But for methods that are called, functions, and later parts of paths.
    NoMethods,
    /// But for all that is called, functions, and later parts of paths.
    NoCalls,
}

impl Uses {
    /// Whether the name at `i` is replaced.
    fn hold(self, tokens: &[TokenTree], i: usize) -> bool {
        let is_call = is_colons(tokens, i + 1)
            || matches!(tokens.get(i + 1), Some(TokenTree::Group(group))
                if group.delimiter() == Delimiter::Parenthesis);
        let is_path = i > 1 && is_colons(tokens, i - 2);
        let is_called = is_call && (self == Self::NoCalls || !begins_path(tokens, i));
        let is_of_macro = i > 0 && is(tokens, i - 1, '$');
        self == Self::All || is_of_macro || !is_path && !is_called && !is_function(tokens, i)
    }
}

/// The short name of each name, and where it is replaced.
type Names = HashMap<String, (String, Uses)>;

/// How often each name occurs, and how often as a method or in a path.
type Counts = HashMap<String, [usize; 2]>;

/// Counts the names, and finds those that the program may declare, but for those in `kept`.
fn candidates(tokens: &TokenStream, kept: &[&str]) -> (Counts, BTreeMap<String, Uses>) {
    let (mut counts, mut names) = (Counts::new(), BTreeMap::new());
    replaced(tokens.clone(), &mut |tokens, i| {
        match &tokens[i] {
            _ if is_attribute(tokens, i) => return Some((1, TokenStream::new())),
            // Its names are declared elsewhere.
            word if word.to_string() == "use" => {
                let end = (i..tokens.len()).find(|i| is(tokens, *i, ';'))?;
                return Some((end - i, TokenStream::new()));
            }
            TokenTree::Ident(name) => {
                let name = name.to_string();
                let [all, methods] = counts.entry(name.clone()).or_default();
                *all += 1;
                *methods += usize::from(!Uses::NoMethods.hold(tokens, i));
                if may_be_declared(tokens, i) && !kept.contains(&name.as_str()) {
                    let everywhere = !is_variable(&name) || is_function(tokens, i);
                    let uses = names.entry(name).or_insert(Uses::NoMethods);
                    if everywhere {
                        *uses = Uses::All;
                    }
                }
            }
            _ => {}
        }
        None
    });
    (counts, names)
}

/// The program with short names, but for those in `kept`.
///
/// # Errors
/// If the program does not compile.
pub(crate) fn shorten(tokens: &TokenStream, kept: &[&str]) -> Result<TokenStream> {
    let (counts, mut names) = candidates(tokens, kept);
    loop {
        // The most frequent ones get the shortest.
        let mut order: Vec<&String> = names.keys().collect();
        order.sort_by_key(|name| std::cmp::Reverse(counts.get(*name)));
        let words = (0..)
            .map(word)
            .filter(|word| is_free(word, &counts, &names));
        let short = order.into_iter().zip(words);
        let short = short.map(|(name, word)| (name.clone(), (word, names[name])));
        let short: Names = short.collect();
        let shorter = renamed(tokens.clone(), &short, false);
        let errors = compiler::errors(&compact(shorter.clone()))?;
        // The first name that an error quotes is the one that means nothing; of imports there are
        // more.
        let quoted = errors.iter().flat_map(|error| {
            let is_import = error.rendered.contains("unresolved import");
            error.quoted().take(if is_import { usize::MAX } else { 1 })
        });
        let missed = quoted.filter_map(|path| path.rsplit("::").next());
        let missed: HashSet<&str> = missed.collect();
        let words: HashSet<&str> = short.values().map(|(word, _)| word.as_str()).collect();
        let before = names.clone();
        names.retain(|name, uses| {
            // It may be short in some places, and missed in the others.
            let is_full = missed.contains(name.as_str()) && !words.contains(name.as_str());
            if !is_full && !missed.contains(short[name].0.as_str()) {
                return true;
            }
            let stays = *uses == Uses::All && is_variable(name);
            *uses = Uses::NoCalls;
            stays
        });
        match errors.first() {
            None => return Ok(shared(tokens, kept, &names)?.unwrap_or(shorter)),
            Some(error) if names == before => bail!("rustc: {}", error.rendered),
            Some(_) => {}
        }
    }
}

/// The program with short names for those in `names`, which variables share. None if the compiler
/// does not take it.
fn shared(
    tokens: &TokenStream,
    kept: &[&str],
    names: &BTreeMap<String, Uses>,
) -> Result<Option<TokenStream>> {
    let places = Places::find(tokens.clone());
    let mut names = names.clone();
    let mut own_names = HashSet::new();
    let variables: Vec<_> = names.clone().into_iter().collect();
    let tokens = functions(tokens.clone(), &mut |function, tokens| {
        let owned = variables
            .iter()
            .filter(|(name, _)| is_variable(name) && places.is_local(name, function));
        let owned = owned.map(|(name, _)| (name.clone(), (own(name, function), Uses::All)));
        let owned: Names = owned.collect();
        names.extend(owned.values().cloned());
        own_names.extend(owned.values().map(|(name, _)| name.clone()));
        renamed(tokens, &owned, false)
    });
    let (counts, _) = candidates(&tokens, kept);
    let places = Places::find(tokens.clone());
    names.retain(|name, _| counts.contains_key(name));
    let mut order: Vec<&String> = names.keys().collect();
    order.sort_by_key(|name| std::cmp::Reverse(counts[*name]));
    // Constants mean something where a variable is declared.
    let is_own = |name: &String| own_names.contains(name);
    let (types, kinds) = types(&tokens);
    let differ = |one: &String, other: &String| {
        // A type stands where no variable, field or function can.
        let is_type = |one: &String, other: &String| {
            types.contains(one) && is_variable(other) && !kinds.contains(other)
        };
        let are_far = |one: &String, other: &String| {
            is_own(one) && is_variable(other) && !places.meet(one, other)
        };
        !(is_type(one, other) || is_type(other, one) || are_far(one, other) || are_far(other, one))
    };
    let mut users: Vec<(String, Vec<&String>)> = Vec::new();
    let mut words = (0..)
        .map(word)
        .filter(|word| is_free(word, &counts, &names));
    let mut short = Names::new();
    for name in order {
        let is_for_it =
            |(_, users): &(String, Vec<&String>)| users.iter().all(|user| !differ(user, name));
        let at = users.iter().position(is_for_it).unwrap_or(users.len());
        if at == users.len() {
            users.extend(words.next().map(|word| (word, Vec::new())));
        }
        users[at].1.push(name);
        short.insert(name.clone(), (users[at].0.clone(), names[name]));
    }
    let shorter = renamed(tokens, &short, false);
    let errors = compiler::errors(&compact(shorter.clone()))?;
    Ok(errors.is_empty().then_some(shorter))
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

/// Whether a short name stands for nothing else in the program.
fn is_free(word: &String, counts: &Counts, names: &BTreeMap<String, Uses>) -> bool {
    let is_other = counts.get(word).is_some_and(|[_, methods]| {
        names
            .get(word)
            .is_none_or(|uses| *uses != Uses::All && *methods > 0)
    });
    syn::parse_str::<Ident>(word).is_ok() && !is_other
}

/// Whether a name is that of a variable, a field, a function or a module.
fn is_variable(name: &str) -> bool {
    name.starts_with(|c: char| c.is_lowercase() || c == '_')
}

/// Whether the token at `i` is what an attribute says, which is the compiler's, but for the
/// variables of a macro.
fn is_attribute(tokens: &[TokenTree], i: usize) -> bool {
    i > 0 && is(tokens, i - 1, '#') && !tokens[i].to_string().contains('$')
}

/// Whether the program may declare the name at `i` there: it is no lifetime, no method that is
/// called, no later part of a path, and no macro that is called.
fn may_be_declared(tokens: &[TokenTree], i: usize) -> bool {
    let is_name = syn::parse_str::<Ident>(&tokens[i].to_string()).is_ok();
    let is_lifetime = i > 0 && is(tokens, i - 1, '\'');
    let is_fragment = i > 2 && is(tokens, i - 1, ':') && is(tokens, i - 3, '$');
    let is_macro = is(tokens, i + 1, '!');
    is_name && !is_lifetime && !is_fragment && !is_macro && begins_path(tokens, i)
}

/// Whether a function of the name at `i` is declared there.
fn is_function(tokens: &[TokenTree], i: usize) -> bool {
    i > 0 && tokens[i - 1].to_string() == "fn"
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

/// The tokens with the names of the map. `in_macro`: they are what a macro is called with.
fn renamed(tokens: TokenStream, map: &Names, in_macro: bool) -> TokenStream {
    replaced(tokens, &mut |tokens, i| {
        let is_after = |c: char| i > 0 && is(tokens, i - 1, c);
        let new: TokenTree = match &tokens[i] {
            token if is_attribute(tokens, i) => token.clone(),
            TokenTree::Group(group) => {
                let inner = renamed(group.stream(), map, is_after('!'));
                Group::new(group.delimiter(), inner).into()
            }
            TokenTree::Literal(text) if in_macro => captured(&text.to_string(), map)
                .parse::<Literal>()
                .ok()?
                .into(),
            TokenTree::Ident(name) if !is_after('\'') => {
                let (short, uses) = map.get(&name.to_string())?;
                uses.hold(tokens, i)
                    .then(|| Ident::new(short, name.span()))?
                    .into()
            }
            _ => return None,
        };
        Some((1, new.into()))
    })
}

/// A format string with the names of the map: `"{thing:?}"` captures a variable.
fn captured(text: &str, map: &Names) -> String {
    // Two braces are one that is shown.
    let begin = Regex::new(r"\{\{|\{(\w+)").expect("an expression");
    let renamed = begin.replace_all(text, |found: &Captures| {
        match found.get(1).and_then(|name| map.get(name.as_str())) {
            Some((short, _)) => format!("{{{short}"),
            None => found[0].to_string(),
        }
    });
    renamed.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `text` becomes `expected`.
    fn check(text: &str, expected: &str) {
        let tokens = |text: &str| text.parse::<TokenStream>().unwrap();
        let short = shorten(&tokens(text), &["main", "SECONDS"]).unwrap();
        assert_eq!(short.to_string(), tokens(expected).to_string());
    }

    #[test]
    fn own_names_are_short_everywhere() {
        check(
            r#"
            mod deep { pub struct Thing<'long> { pub inner: &'long str } }
            use deep::Thing;
            const SECONDS: f64 = 3.8;
            fn main() {
                let inner = "inner {inner}";
                let other = 7;
                let thing = Thing { inner };
                println!("{inner} {{inner}} {0:>1} {other:02}", thing.inner);
            }
            "#,
            r#"
            mod b { pub struct a<'long> { pub a: &'long str } }
            use b::a;
            const SECONDS: f64 = 3.8;
            fn main() {
                let a = "inner {inner}";
                let c = 7;
                let b = a { a };
                println!("{a} {{inner}} {0:>1} {c:02}", b.a);
            }
            "#,
        );
    }

    #[test]
    fn what_is_from_outside_as_well_stays() {
        check(
            r#"
            use std::{fmt, mem::take as grab};
            #[derive(Clone)]
            struct Own { len: usize, number: u8 }
            impl fmt::Display for Own { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { f.pad("number") } }
            impl Own { fn matches(&self) {} fn method(&self) -> usize { self.len } fn inherent() {} }
            trait Local { type Output; fn asked(); }
            impl Local for Own { type Output = u8; fn asked() {} }
            fn main() {
                let (mut pad, take, stdin, clone) = (1, 2, 3, vec![0].len());
                grab(&mut pad);
                matches!(clone, 1);
                std::io::stdin();
                Own::inherent();
                Own::asked();
            }
            "#,
            r#"
            use std::{fmt, mem::take as h};
            #[derive(Clone)]
            struct a { b: usize, i: u8 }
            impl fmt::Display for a { fn fmt(&self, a: &mut fmt::Formatter) -> fmt::Result { a.pad("number") } }
            impl a { fn matches(&self) {} fn f(&self) -> usize { self.b } fn c() {} }
            trait b { type e; fn a(); }
            impl b for a { type e = u8; fn a() {} }
            fn main() {
                let (mut b, j, d, a) = (1, 2, 3, vec![0].len());
                h(&mut b);
                matches!(a, 1);
                std::io::stdin();
                a::c();
                a::a();
            }
            "#,
        );
    }

    #[test]
    fn macros_keep_their_meaning() {
        check(
            r"
            macro_rules! twice { ($(#[doc = $method:ident])*) => { $($method)* }; ($($method:ident $value:expr;)*) => { $(fn $method() -> u8 { let held = $value; held })* } }
            twice! { first_one 1; second_one 2; }
            fn main() { first_one(); }
            ",
            r"
            macro_rules! d { ($(#[f = $a:ident])*) => { $($a)* }; ($($a:ident $e:expr;)*) => { $(fn $a() -> u8 { let c = $e; c })* } }
            d! { b 1; g 2; }
            fn main() { b(); }
            ",
        );
    }

    #[test]
    fn short_names_are_all_different() {
        let words: HashSet<String> = (0..5000).map(word).collect();
        assert_eq!(words.len(), 5000);
        assert!(words.contains("a") && words.contains("Z") && words.contains("Z9"));
    }
}
