//! Short names for what a program declares itself.
//!
//! No two names are replaced by the same one, so that scopes need not be known. Some names mean
//! something outside of the program as well, such as that of a method of the standard library. The
//! compiler misses these; they get their names back, first as methods and in paths, then everywhere.

use super::compiler;
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
        let is_free = |word: &String| {
            let is_other = counts.get(word).is_some_and(|[_, methods]| {
                names
                    .get(word)
                    .is_none_or(|uses| *uses != Uses::All && *methods > 0)
            });
            syn::parse_str::<Ident>(word).is_ok() && !is_other
        };
        let short = order.into_iter().zip((0..).map(word).filter(is_free));
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
            None => return Ok(shorter),
            Some(error) if names == before => bail!("rustc: {}", error.rendered),
            Some(_) => {}
        }
    }
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
            mod d { pub struct b<'long> { pub a: &'long str } }
            use d::b;
            const SECONDS: f64 = 3.8;
            fn main() {
                let a = "inner {inner}";
                let e = 7;
                let c = b { a };
                println!("{a} {{inner}} {0:>1} {e:02}", c.a);
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
            use std::{fmt, mem::take as l};
            #[derive(Clone)]
            struct a { c: usize, m: u8 }
            impl fmt::Display for a { fn fmt(&self, j: &mut fmt::Formatter) -> fmt::Result { j.pad("number") } }
            impl a { fn matches(&self) {} fn k(&self) -> usize { self.c } fn e() {} }
            trait g { type h; fn b(); }
            impl g for a { type h = u8; fn b() {} }
            fn main() {
                let (mut d, n, f, i) = (1, 2, 3, vec![0].len());
                l(&mut d);
                matches!(i, 1);
                std::io::stdin();
                a::e();
                a::b();
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
