//! Short names for what a program declares itself.
//!
//! No two names are replaced by the same one, so that scopes need not be known. Some names mean
//! something outside of the program as well, such as that of a method of the standard library. The
//! compiler misses these; they get their names back, first as methods and in paths, then everywhere.
//!
//! At first a renamed name only gets a mark: `count` becomes `zz_count`. So the compiler's
//! messages, and its understanding of the program, can be compared with the sources. [`assign`]
//! then replaces each marked name by a short one that stands nowhere else.

use super::compiler::{self, Message};
use super::print::Printed;
use super::source::Source;
use super::tokens::{begins_path, is, is_attribute, is_colons, replaced};
use anyhow::Result;
use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream, TokenTree};
use regex::{Captures, Regex};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Begins each renamed name.
pub(crate) const MARK: &str = "zz_";

/// The names that the compiler knows as short ones, and where each is replaced.
pub(crate) type Names = BTreeMap<String, Uses>;

/// Where a name is replaced.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Uses {
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

/// The names that the program may declare, but for those in `held`.
fn candidates(tokens: &TokenStream, held: &HashSet<String>) -> Names {
    let mut names = Names::new();
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
                if may_be_declared(tokens, i) && !held.contains(&name) {
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
    names
}

/// The program with marked names, but for those in `held`, and the names that are marked.
///
/// # Errors
/// If there is no compiler, or the compiler reports an error that is not about a marked name.
pub(crate) fn mark(
    tokens: &TokenStream,
    mut held: HashSet<String>,
    source: &Source,
) -> Result<(TokenStream, Names)> {
    let macros = macros(tokens);
    find_texts(tokens.clone(), &macros, false, &mut held);
    let mut names = candidates(tokens, &held);
    loop {
        let marked = renamed(tokens.clone(), &names, &macros);
        let printed = Printed::new(marked.clone());
        let errors = compiler::errors(&printed)?;
        let Some(error) = errors.first() else {
            return Ok((marked, names));
        };
        let before = names.clone();
        for words in [missed, all_words] {
            for word in errors.iter().flat_map(|error| words(error, &printed.text)) {
                let name = word.strip_prefix(MARK).unwrap_or(&word);
                match before.get(name) {
                    Some(Uses::All) if is_variable(name) => {
                        names.insert(name.to_string(), Uses::NoCalls)
                    }
                    _ => names.remove(name),
                };
            }
            if names != before {
                break;
            }
        }
        if names == before {
            return Err(source.explain(error, &printed));
        }
    }
}

/// The names that mean nothing to the compiler: those that an error points at.
fn missed(error: &Message, text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for span in &error.spans {
        let words = words(&text[span.clone()]);
        match error.code.as_str() {
            // An import, of which any part may be missed.
            "E0432" => all.extend(words),
            // A member that is not one of the trait: `fn name(…) { … }`.
            "E0407" | "E0437" | "E0438" => {
                let is_keyword =
                    |word: &String| ["fn", "type", "const", "unsafe"].contains(&&word[..]);
                all.extend(words.into_iter().find(|word| !is_keyword(word)));
            }
            _ if words.len() == 1 => all.extend(words),
            _ => {}
        }
    }
    all
}

/// All names at the places of an error.
fn all_words(error: &Message, text: &str) -> Vec<String> {
    let spans = error.spans.iter();
    spans.flat_map(|span| words(&text[span.clone()])).collect()
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words
        .filter(|word| !word.is_empty())
        .map(String::from)
        .collect()
}

/// The program with a short name for each marked one. The most frequent ones get the shortest.
pub(crate) fn assign(tokens: TokenStream) -> TokenStream {
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
    let mut order: Vec<(&String, &usize)> = counts.iter().collect();
    order.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let is_free = |word: &String| syn::parse_str::<Ident>(word).is_ok() && !taken.contains(word);
    let short = order.into_iter().zip((0..).map(word).filter(is_free));
    let short: HashMap<&str, String> = short.map(|((name, _), word)| (&name[..], word)).collect();
    let marked = Regex::new(&format!(r"\b{MARK}\w+")).expect("an expression");
    replaced(tokens, &mut |tokens, i| {
        let (text, span) = (tokens[i].to_string(), tokens[i].span());
        if !text.contains(MARK) {
            return None;
        }
        let text = marked.replace_all(&text, |found: &Captures| short[&found[0]].clone());
        let mut token: TokenTree = match &tokens[i] {
            TokenTree::Ident(_) => Ident::new(&text, span).into(),
            TokenTree::Literal(_) => text.parse::<Literal>().ok()?.into(),
            _ => return None,
        };
        token.set_span(span);
        Some((1, token.into()))
    })
}

/// Whether a name is that of a variable, a field, a function or a module.
fn is_variable(name: &str) -> bool {
    name.starts_with(|c: char| c.is_lowercase() || c == '_')
}

/// Whether the program may declare the name at `i` there: it is no lifetime, no method that is
/// called, no later part of a path, and no macro that is called.
fn may_be_declared(tokens: &[TokenTree], i: usize) -> bool {
    let is_name = syn::parse_str::<Ident>(&tokens[i].to_string()).is_ok();
    let is_lifetime = i > 0 && is(tokens, i - 1, '\'');
    let is_fragment = i > 2 && is(tokens, i - 1, ':') && is(tokens, i - 3, '$');
    let is_macro = is(tokens, i + 1, '!');
    let is_raw = tokens[i].to_string().starts_with("r#");
    is_name && !is_raw && !is_lifetime && !is_fragment && !is_macro && begins_path(tokens, i)
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

/// The macros that the program declares.
fn macros(tokens: &TokenStream) -> HashSet<String> {
    let mut found = HashSet::new();
    replaced(tokens.clone(), &mut |tokens, i| {
        if tokens[i].to_string() == "macro_rules" && is(tokens, i + 1, '!') {
            found.extend(tokens.get(i + 2).map(ToString::to_string));
        }
        None
    });
    found
}

/// The number of the argument that is a format string, for a macro of the standard library that
/// has one.
fn format_argument(name: &str) -> Option<usize> {
    Some(match name.strip_prefix("debug_").unwrap_or(name) {
        "format" | "format_args" | "print" | "println" | "eprint" | "eprintln" | "panic"
        | "todo" | "unimplemented" | "unreachable" => 0,
        "write" | "writeln" | "assert" => 1,
        "assert_eq" | "assert_ne" => 2,
        _ => return None,
    })
}

/// The name of the macro that is called with the group at `i`.
fn called(tokens: &[TokenTree], i: usize) -> Option<String> {
    let is_call = i > 1 && is(tokens, i - 1, '!') && matches!(tokens[i], TokenTree::Group(_));
    is_call.then(|| tokens[i - 2].to_string())
}

/// Adds the names that a text may capture which is given to a macro of the program: whether it is a
/// format string there is unknown.
fn find_texts(
    tokens: TokenStream,
    macros: &HashSet<String>,
    inside: bool,
    held: &mut HashSet<String>,
) {
    replaced(tokens, &mut |tokens, i| {
        match &tokens[i] {
            TokenTree::Group(group) => {
                let name = called(tokens, i);
                let inside = name.map_or(inside, |name| macros.contains(&name));
                find_texts(group.stream(), macros, inside, held);
            }
            TokenTree::Literal(text) if inside && text.to_string().contains('{') => {
                held.extend(words(&text.to_string()));
            }
            _ => return None,
        }
        Some((1, TokenStream::new()))
    });
}

/// The tokens in which the names are marked.
fn renamed(tokens: TokenStream, names: &Names, macros: &HashSet<String>) -> TokenStream {
    replaced(tokens, &mut |tokens, i| {
        let is_after = |c: char| i > 0 && is(tokens, i - 1, c);
        let mut new: TokenTree = match &tokens[i] {
            token if is_attribute(tokens, i) => token.clone(),
            TokenTree::Group(group) => {
                let name = called(tokens, i).filter(|name| !macros.contains(name));
                let mut inner = renamed(group.stream(), names, macros);
                if let Some(number) = name.and_then(|name| format_argument(&name)) {
                    inner = with_captures(inner, number, names);
                }
                Group::new(group.delimiter(), inner).into()
            }
            TokenTree::Ident(name) if !is_after('\'') => {
                let uses = names.get(&name.to_string())?;
                uses.hold(tokens, i)
                    .then(|| Ident::new(&format!("{MARK}{name}"), name.span()))?
                    .into()
            }
            _ => return None,
        };
        new.set_span(tokens[i].span());
        Some((1, new.into()))
    })
}

/// The arguments of a macro with marked names in argument `number`, a format string.
fn with_captures(tokens: TokenStream, number: usize, names: &Names) -> TokenStream {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let commas = (0..tokens.len()).filter(|i| is(&tokens, *i, ','));
    let start = match number.checked_sub(1) {
        None => Some(0),
        Some(before) => commas.skip(before).map(|i| i + 1).next(),
    };
    if let Some(TokenTree::Literal(text)) = start.and_then(|start| tokens.get_mut(start)) {
        if let Ok(mut short) = captured(&text.to_string(), names).parse::<Literal>() {
            short.set_span(text.span());
            *text = short;
        }
    }
    tokens.into_iter().collect()
}

/// A format string in which the names are marked: `"{thing:width$}"` captures two variables.
fn captured(text: &str, names: &Names) -> String {
    // Two braces are one that is shown, and `\u{…}` is a character.
    let place = Regex::new(r"\\u\{\w+\}|\{\{|\{[^{}]*\}").expect("an expression");
    let name = Regex::new(r"^\{\w+|\w+\$").expect("an expression");
    let marked = |found: &Captures| {
        let word = found[0].trim_matches(['{', '$']);
        let marked = format!("{MARK}{word}");
        if names.contains_key(word) {
            found[0].replace(word, &marked)
        } else {
            found[0].to_string()
        }
    };
    let places = place.replace_all(text, |found: &Captures| {
        if found[0].starts_with("\\u") {
            return found[0].to_string();
        }
        name.replace_all(&found[0], marked).into_owned()
    });
    places.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_format_strings_are_rewritten() {
        let text = r#"fn main() { let own = 1; let text = vec!["{own}", "{{own}}"]; println!("{own:own$} {text:?} \u{41}"); }"#;
        let tokens = text.parse::<TokenStream>().unwrap();
        let (marked, _) = mark(&tokens, HashSet::from(["main".into()]), &Source::of(text)).unwrap();
        let expected = r#"fn main() { let zz_own = 1; let zz_text = vec!["{own}", "{{own}}"]; println!("{zz_own:zz_own$} {zz_text:?} \u{41}"); }"#;
        assert_eq!(
            marked.to_string(),
            expected.parse::<TokenStream>().unwrap().to_string()
        );
        let short = assign(marked).to_string();
        assert!(!short.contains(MARK) && short.contains("{own}"), "{short}");
    }

    #[test]
    fn short_names_are_all_different() {
        let words: HashSet<String> = (0..5000).map(word).collect();
        assert_eq!(words.len(), 5000);
        assert!(words.contains("a") && words.contains("Z") && words.contains("Z9"));
    }
}
