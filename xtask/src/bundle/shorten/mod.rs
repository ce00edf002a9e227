//! Short names for what a program declares itself.
//!
//! Every name is replaced everywhere or nowhere, and no two names by the same one, so that scopes
//! need not be known. Some names mean something outside of the program as well, such as that of a
//! method of the standard library. The compiler misses these; they get their names back.

mod declared;

use super::compiler::diagnose;
use super::print::compact;
use super::tokens::{is, replaced};
use anyhow::{bail, Result};
use proc_macro2::{Group, Ident, Literal, TokenStream, TokenTree};
use regex::{Captures, Regex};
use std::collections::{BTreeMap, HashMap};

/// The program with short names, but for those in `kept`.
///
/// # Errors
/// If the program does not compile.
pub(crate) fn shorten(tokens: &TokenStream, kept: &[&str]) -> Result<TokenStream> {
    let mut names = declared::names(tokens)?;
    names.retain(|name| !kept.contains(&name.as_str()));
    // How often each name occurs.
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    replaced(tokens.clone(), &mut |tokens, i| {
        if let TokenTree::Ident(name) = &tokens[i] {
            *counts.entry(name.to_string()).or_default() += 1;
        }
        None
    });
    loop {
        // The most frequent ones get the shortest.
        let mut order: Vec<&String> = names.iter().collect();
        order.sort_by_key(|name| std::cmp::Reverse(counts.get(*name)));
        let is_free = |word: &String| {
            let is_other = counts.contains_key(word) && !names.contains(word);
            syn::parse_str::<Ident>(word).is_ok() && !is_other
        };
        let short: HashMap<String, String> = order
            .into_iter()
            .cloned()
            .zip((0..).map(word).filter(is_free))
            .collect();
        let shorter = renamed(tokens.clone(), &short, false);
        let mut errors = diagnose(&compact(shorter.clone()))?;
        errors.retain(|message| message.is_error);
        let before = names.len();
        for error in &errors {
            // The first name that an error quotes is the one that means nothing.
            let missed = error.rendered.split('`').nth(1).unwrap_or_default();
            let missed = missed.rsplit("::").next();
            names.retain(|name| missed != Some(&short[name]));
        }
        match errors.first() {
            None => return Ok(shorter),
            Some(error) if names.len() == before => bail!("rustc: {}", error.rendered),
            Some(_) => {}
        }
    }
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
fn renamed(tokens: TokenStream, map: &HashMap<String, String>, in_macro: bool) -> TokenStream {
    replaced(tokens, &mut |tokens, i| {
        let is_after = |c: char| i > 0 && is(tokens, i - 1, c);
        let new: TokenTree = match &tokens[i] {
            // What an attribute says is the compiler's, but for the variables of a macro.
            TokenTree::Group(group) if is_after('#') && !group.to_string().contains('$') => {
                tokens[i].clone()
            }
            TokenTree::Group(group) => {
                let inner = renamed(group.stream(), map, is_after('!'));
                Group::new(group.delimiter(), inner).into()
            }
            TokenTree::Literal(text) if in_macro => captured(&text.to_string(), map)
                .parse::<Literal>()
                .ok()?
                .into(),
            TokenTree::Ident(name) if !is_after('\'') => {
                Ident::new(map.get(&name.to_string())?, name.span()).into()
            }
            _ => return None,
        };
        Some((1, new.into()))
    })
}

/// A format string with the names of the map: `"{thing:?}"` captures a variable.
fn captured(text: &str, map: &HashMap<String, String>) -> String {
    // Two braces are one that is shown.
    let begin = Regex::new(r"\{\{|\{(\w+)").expect("an expression");
    let renamed = begin.replace_all(text, |found: &Captures| {
        match found.get(1).and_then(|name| map.get(name.as_str())) {
            Some(short) => format!("{{{short}"),
            None => found[0].to_string(),
        }
    });
    renamed.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

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
            mod c { pub struct b<'long> { pub a: &'long str } }
            use c::b;
            const SECONDS: f64 = 3.8;
            fn main() {
                let a = "inner {inner}";
                let e = 7;
                let d = b { a };
                println!("{a} {{inner}} {0:>1} {e:02}", d.a);
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
            use std::{fmt, mem::take as grab};
            #[derive(Clone)]
            struct a { len: usize, i: u8 }
            impl fmt::Display for a { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { f.pad("number") } }
            impl a { fn matches(&self) {} fn h(&self) -> usize { self.len } fn g() {} }
            trait c { type d; fn b(); }
            impl c for a { type d = u8; fn b() {} }
            fn main() {
                let (mut pad, take, stdin, e) = (1, 2, 3, vec![0].len());
                grab(&mut pad);
                matches!(e, 1);
                std::io::stdin();
                a::g();
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
            macro_rules! b { ($(#[doc = $a:ident])*) => { $($a)* }; ($($a:ident $c:expr;)*) => { $(fn $a() -> u8 { let held = $c; held })* } }
            b! { first_one 1; second_one 2; }
            fn main() { first_one(); }
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
