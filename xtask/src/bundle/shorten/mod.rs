//! Short names for what a program declares itself.
//!
//! Every name is replaced everywhere or nowhere, and no two names by the same one, so that
//! scopes need not be known. A name stays if any of its uses may mean something outside of the
//! program: a name behind a path from outside, a member that no type of the program has, a macro
//! of the standard library, a member of a foreign trait. Without types one cannot know whether a
//! method called `len` is the program's own; such names are listed in [`MEMBERS`]. If one is
//! missing there, the program does not compile; it never does something else.

mod declared;
mod format;

use super::tokens::{before, is, is_colons, punct, Before};
use anyhow::{Context, Result};
use declared::Declared;
use format::variables_renamed;
use proc_macro2::{Delimiter, Group, Ident, Literal, Spacing, TokenStream, TokenTree};
use std::collections::{HashMap, HashSet};
use syn::visit_mut::VisitMut;

/// Names of methods, functions and constants of the standard library's types that a type of
/// the program may have too.
const MEMBERS: &str = "
    MAX MIN Output
    abs add all and and_then any append as_bytes as_mut as_ptr as_ref as_slice as_str back bits borrow by_ref
    bytes ceil chain chars checked_add checked_sub chunks chunks_exact clamp clear clone cloned cmp code collect
    concat contains copied count count_ones cycle dedup default drain drop elapsed end ends_with entry enumerate eq
    err error exp expect extend extend_from_slice fill filter filter_map find first flat_map flatten floor flush
    fmt fold for_each from from_str front get get_mut get_or_init get_or_insert hash index insert inspect into
    into_iter is_empty is_err is_none is_ok is_some is_sorted iter iter_mut join keys kind last last_mut
    leading_zeros len line lines ln load lock lt map map_err map_or map_while max max_by max_by_key min min_by
    min_by_key mul ne neg new next next_back not now nth ok ok_or or or_default or_else or_insert parent parse partial_cmp
    partition path peek peekable pop pop_back pop_front position pow powf powi product push push_back push_front
    push_str read rem remove repeat replace reserve resize retain rev reverse rotate_left rotate_right round rposition
    saturating_add saturating_sub scan set shl shr shift skip skip_while slice sort sort_by sort_by_key sort_unstable
    split split_at split_first split_last sqrt start starts_with step_by store sub sum swap swap_bytes
    swap_remove take take_while then then_some to_owned to_string to_vec trailing_zeros trim truncate try_from
    try_into unwrap unwrap_or unwrap_or_default unwrap_or_else unzip values windows with with_capacity wrapping_add
    wrapping_mul wrapping_neg wrapping_sub write write_all write_str zip
";

/// Crates that every compiler brings.
const BUILT_IN: [&str; 3] = ["std", "core", "alloc"];

/// Macros whose first string may name variables in braces.
const FORMATTING: [&str; 12] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "eprint",
    "eprintln",
    "format",
    "panic",
    "print",
    "println",
    "unreachable",
    "write",
    "writeln",
];

/// Words that are no names.
const KEYWORDS: &str = "
    as async await box break const continue crate do dyn else enum extern false final fn for gen if impl in let loop
    macro match mod move mut pub ref return self static struct super trait true try type union unsafe unsized
    use where while yield
";

/// The program with short names, but for those in `kept`.
///
/// # Errors
/// If the tokens are no program.
pub(crate) fn shorten(tokens: TokenStream, kept: &[&str]) -> Result<TokenStream> {
    let mut file: syn::File = syn::parse2(tokens.clone()).context("the program")?;
    let mut declared = Declared::default();
    declared.visit_file_mut(&mut file);
    let mut uses = Uses {
        foreign: kept.iter().map(ToString::to_string).collect(),
        declared,
        counts: HashMap::new(),
    };
    for (of, members) in &uses.declared.implemented {
        if !uses.declared.traits.contains(of) {
            uses.foreign.extend(members.iter().cloned());
        }
    }
    uses.macro_variables(tokens.clone());
    uses.survey(tokens.clone(), false);
    let map = uses.map();
    Ok(renamed(tokens, &map, false))
}

struct Uses {
    declared: Declared,
    /// Names that must stay.
    foreign: HashSet<String>,
    /// How often each name occurs.
    counts: HashMap<String, usize>,
}

impl Uses {
    /// Declares the variables of macros.
    fn macro_variables(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (i, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.macro_variables(group.stream()),
                TokenTree::Ident(name) if name != "crate" && is_after(&tokens, i, '$') => {
                    self.declared.names.insert(name.to_string());
                }
                _ => {}
            }
        }
    }

    /// Counts names and finds those that must stay. `outside`: whether the tokens are in the
    /// braces of a path from outside.
    fn survey(&mut self, tokens: TokenStream, outside: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        // Whether the path that the last name belongs to comes from outside.
        let mut foreign_path = false;
        for (i, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(_) if is_attribute(&tokens, i) => {}
                TokenTree::Group(group) => {
                    let braces = group.delimiter() == Delimiter::Brace;
                    let inside = braces && is_colons_before(&tokens, i) && foreign_path;
                    self.survey(group.stream(), outside || inside);
                }
                TokenTree::Ident(ident) if !is_after(&tokens, i, '\'') => {
                    let name = ident.to_string();
                    *self.counts.entry(name.clone()).or_default() += 1;
                    let is_member = self.declared.members.contains(&name);
                    let foreign = match before(&tokens, i) {
                        Before::Dot => !is_member,
                        Before::Colons => {
                            // Behind generics, the name may mean anything.
                            let after_name = i >= 3 && matches!(tokens[i - 3], TokenTree::Ident(_));
                            after_name && foreign_path
                        }
                        Before::Else => {
                            foreign_path = BUILT_IN.contains(&&name[..])
                                || !self.declared.names.contains(&name) && !is_path_keyword(&name);
                            outside
                        }
                    };
                    let is_macro = is_call(&tokens, i);
                    if foreign || is_macro && !self.declared.macros.contains(&name) {
                        self.foreign.insert(name);
                    }
                }
                _ => {}
            }
        }
    }

    /// The short names of those that can have one.
    fn map(&self) -> HashMap<String, String> {
        let listed: HashSet<&str> = MEMBERS.split_whitespace().collect();
        let is_free = |name: &str| {
            name != "_"
                && name.len() > 1
                && self.declared.names.contains(name)
                && !self.foreign.contains(name)
                && !(self.declared.members.contains(name) && listed.contains(name))
        };
        let mut names: Vec<(&String, usize)> = self
            .counts
            .iter()
            .map(|(name, &count)| (name, count))
            .filter(|(name, _)| is_free(name))
            .collect();
        // The most frequent ones get the shortest.
        names.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        let keywords: HashSet<&str> = KEYWORDS.split_whitespace().collect();
        let mut short = (0..)
            .map(word)
            .filter(|word| !keywords.contains(&word[..]) && !self.counts.contains_key(word));
        let mut map = HashMap::new();
        for (name, _) in names {
            let Some(word) = short.next() else { break };
            if word.len() < name.len() {
                map.insert(name.clone(), word);
            }
        }
        map
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

/// Whether the token before this one is that character.
fn is_after(tokens: &[TokenTree], i: usize, c: char) -> bool {
    i > 0 && is(tokens, i - 1, c)
}

fn is_colons_before(tokens: &[TokenTree], i: usize) -> bool {
    i >= 2 && is_colons(tokens, i - 2)
}

/// Whether the group at `i` is that of an attribute.
fn is_attribute(tokens: &[TokenTree], i: usize) -> bool {
    let is_bracket =
        matches!(&tokens[i], TokenTree::Group(g) if g.delimiter() == Delimiter::Bracket);
    is_bracket && (is_after(tokens, i, '#') || is_after(tokens, i, '!') && i > 1 && is(tokens, i - 2, '#'))
}

/// Whether the name at `i` is that of a macro that is called.
fn is_call(tokens: &[TokenTree], i: usize) -> bool {
    matches!(punct(tokens, i + 1), Some(('!', Spacing::Alone)))
        && matches!(tokens.get(i + 2), Some(TokenTree::Group(_)))
}

fn is_path_keyword(name: &str) -> bool {
    ["Self", "self", "super", "crate"].contains(&name)
}

/// The tokens with the names of the map; `formatting` if they are the arguments of such
/// a macro.
fn renamed(
    tokens: TokenStream,
    map: &HashMap<String, String>,
    mut formatting: bool,
) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    for (i, token) in tokens.iter().enumerate() {
        let token = match token {
            TokenTree::Group(_) if is_attribute(&tokens, i) => token.clone(),
            TokenTree::Group(group) => {
                let formats = i >= 2
                    && is_call(&tokens, i - 2)
                    && FORMATTING.contains(&&tokens[i - 2].to_string()[..]);
                let inner = renamed(group.stream(), map, formats);
                let mut new = Group::new(group.delimiter(), inner);
                new.set_span(group.span());
                new.into()
            }
            TokenTree::Ident(name) if !is_after(&tokens, i, '\'') => {
                match map.get(&name.to_string()) {
                    Some(short) => Ident::new(short, name.span()).into(),
                    None => token.clone(),
                }
            }
            TokenTree::Literal(literal) if formatting && literal.to_string().starts_with('"') => {
                formatting = false;
                let text = variables_renamed(&literal.to_string(), map);
                text.parse::<Literal>()
                    .map_or_else(|_| token.clone(), Into::into)
            }
            _ => token.clone(),
        };
        out.extend([token]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(text: &str) -> String {
        let tokens = text.parse().unwrap();
        shorten(tokens, &["main", "SECONDS"]).unwrap().to_string()
    }

    /// `text` becomes `expected`.
    fn check(text: &str, expected: &str) {
        let expected = expected.parse::<TokenStream>().unwrap().to_string();
        assert_eq!(short(text), expected);
    }

    #[test]
    fn own_names_are_short_everywhere() {
        check(
            r#"
            mod deep { pub struct Thing<'long> { pub inner: &'long str } }
            use deep::Thing;
            const SECONDS: f64 = 3.8;
            fn main() {
                let inner = "inner";
                let other = Thing { inner };
                println!("{inner} {{inner}} {0:>other$} {:?}", other.inner);
            }
            "#,
            r#"
            mod c { pub struct b<'long> { pub a: &'long str } }
            use c::b;
            const SECONDS: f64 = 3.8;
            fn main() {
                let a = "inner";
                let d = b { a };
                println!("{a} {{inner}} {0:>d$} {:?}", d.a);
            }
            "#,
        );
    }

    #[test]
    fn what_may_be_from_outside_stays() {
        check(
            r#"
            use std::{fmt, mem::take as grab};
            struct Own { len: usize, number: u8 }
            impl fmt::Display for Own { fn fmt(&self, f: &mut fmt::Formatter) { f.pad("number") } }
            impl Own { fn matches(self) {} fn method(self) -> usize { self.len } fn inherent() {} }
            trait Local { type Output; fn asked(); }
            impl Local for Own { type Output = u8; fn asked() {} }
            #[derive(number)]
            fn main() {
                let (pad, take, stdin, method) = (1, 2, 3, vec![0].len());
                matches!(method, 1);
                std::io::stdin();
                Own::inherent();
                Own::asked();
            }
            "#,
            r#"
            use std::{fmt, mem::take as grab};
            struct a { len: usize, g: u8 }
            impl fmt::Display for a { fn fmt(&self, f: &mut fmt::Formatter) { f.pad("number") } }
            impl a { fn matches(self) {} fn c(self) -> usize { self.len } fn e() {} }
            trait d { type Output; fn b(); }
            impl d for a { type Output = u8; fn b() {} }
            #[derive(number)]
            fn main() {
                let (pad, take, stdin, c) = (1, 2, 3, vec![0].len());
                matches!(c, 1);
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
            macro_rules! twice { ($($method:ident $value:expr;)*) => { $(fn $method() -> u8 { let held = $value; held })* } }
            twice! { first_one 1; second_one 2; }
            fn main() { first_one(); }
            ",
            r"
            macro_rules! b { ($($a:ident $c:expr;)*) => { $(fn $a() -> u8 { let held = $c; held })* } }
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
