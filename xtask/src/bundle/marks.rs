//! Marks the names that a program declares itself: `count` becomes `zz_count`.
//!
//! The mark is a step on the way to short names. With it, the compiler's messages and its view of the program can be compared with the sources. A
//! variable that only one function knows carries the number of the function as well:
//!
//!     fn first(row: u8) { show(row) }      fn zz_first(zz_row_of_function_1: u8) { zz_show(zz_row_of_function_1) }
//!
//! Some names mean something outside of the program as well, such as that of a method of the standard library. The compiler misses these; they lose
//! their marks again.

use super::compiler::{self, Message};
use super::names::{FIELD, FUNCTION, MARK};
use super::places::{functions, is_name, Places};
use super::print::Printed;
use super::source::Source;
use super::tokens::{begins_path, is, is_attribute, is_colons, replaced};
use anyhow::Result;
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use regex::Regex;
use std::collections::HashSet;

/// Marks all names but those in `held`.
///
/// # Errors
/// If there is no compiler, or the compiler reports an error that is not about a marked name.
pub(crate) fn mark(
    tokens: &TokenStream,
    held: &HashSet<String>,
    source: &Source,
) -> Result<TokenStream> {
    let mut names = Names::new(tokens, held);
    loop {
        let marked = names.marked(tokens);
        let printed = Printed::new(marked.clone());
        let errors = compiler::errors(&printed)?;
        let Some(error) = errors.first() else {
            return Ok(marked);
        };
        let before = names.known.len();
        for words in [missed, all_words] {
            for word in errors.iter().flat_map(|error| words(error, &printed.text)) {
                names.known.remove(word.strip_prefix(MARK).unwrap_or(&word));
                // Such as a constant that a text captures.
                names.known.remove(&format!("{word}{FIELD}"));
            }
            if names.known.len() < before {
                break;
            }
        }
        if names.known.len() == before {
            return Err(source.explain(error, &printed));
        }
    }
}

/// Begins a captured name while the names around it get their marks.
const CAPTURED: &str = "captured_";

/// The names of a program that get a mark.
struct Names {
    /// Names that the program declares, variables with the number of their function, and fields.
    known: HashSet<String>,
    /// Variables, with the number of their function, that a text may capture.
    captured: HashSet<String>,
}

impl Names {
    /// Finds the names of a program, but for those in `held`.
    fn new(tokens: &TokenStream, held: &HashSet<String>) -> Self {
        let mut captured = HashSet::new();
        let capture = Regex::new(r"\{(\w+)|(\w+)\$").expect("an expression");
        functions(tokens.clone(), &mut |function, tokens| {
            let text = tokens.to_string();
            let names = capture.captures_iter(&text);
            let names = names.flat_map(|name| [name.get(1), name.get(2)]).flatten();
            captured.extend(names.map(|name| own(name.as_str(), function)));
            tokens
        });
        let places = Places::find(tokens.clone());
        let known = places.locals().collect();
        let mut names = Self { known, captured };
        replaced(names.marked(tokens), &mut |tokens, i| {
            match &tokens[i] {
                _ if is_attribute(tokens, i) => return Some((1, TokenStream::new())),
                // The names of an import are declared elsewhere.
                word if word.to_string() == "use" => {
                    let end = (i..tokens.len()).find(|i| is(tokens, *i, ';'))?;
                    return Some((end - i, TokenStream::new()));
                }
                TokenTree::Ident(name) if may_be_declared(tokens, i) => {
                    names.known.insert(format!("{name}{FIELD}"));
                    names.known.insert(name.to_string());
                }
                _ => {}
            }
            None
        });
        names.known.retain(|name| {
            let word = name.split("_of_").next().unwrap_or_default();
            !word.starts_with(MARK) && !held.contains(word)
        });
        names
    }

    /// The program with marked names.
    fn marked(&self, tokens: &TokenStream) -> TokenStream {
        let tokens = functions(tokens.clone(), &mut |function, tokens| {
            self.rename(tokens, function)
        });
        replaced(self.rename(tokens, 0), &mut |tokens, i| {
            let name = tokens[i].to_string();
            let name = name.strip_prefix(CAPTURED)?;
            Some((
                1,
                TokenTree::from(Ident::new(name, tokens[i].span())).into(),
            ))
        })
    }

    /// The tokens of a function with marked names.
    fn rename(&self, tokens: TokenStream, function: usize) -> TokenStream {
        replaced(tokens, &mut |tokens, i| {
            if is_attribute(tokens, i) {
                return Some((1, tokens[i].clone().into()));
            }
            let (word, span) = (tokens[i].to_string(), tokens[i].span());
            let own = own(&word, function);
            if !is_name(tokens, i) {
                return None;
            }
            if self.captured.contains(&own) {
                let token: TokenTree = Ident::new(&format!("{CAPTURED}{word}"), span).into();
                return Some((1, token.into()));
            }
            let forms = [
                (own, begins_path(tokens, i)),
                (word.clone(), true),
                (format!("{word}{FIELD}"), is_field(tokens, i)),
            ];
            let name = forms
                .into_iter()
                .find(|(name, fits)| *fits && self.known.contains(name));
            let token: TokenTree = Ident::new(&format!("{MARK}{}", name?.0), span).into();
            Some((1, token.into()))
        })
    }
}

/// The name of a variable of a function.
fn own(name: &str, function: usize) -> String {
    format!("{name}{FUNCTION}{function}")
}

/// True if the name at `i` is neither called, nor in a path, nor that of a function. A variable of
/// a macro may stand anywhere.
fn is_field(tokens: &[TokenTree], i: usize) -> bool {
    let is_call = matches!(tokens.get(i + 1), Some(TokenTree::Group(group))
        if group.delimiter() == Delimiter::Parenthesis);
    let is_path = is_colons(tokens, i + 1) || i > 1 && is_colons(tokens, i - 2);
    let is_function = i > 0 && tokens[i - 1].to_string() == "fn";
    i > 0 && is(tokens, i - 1, '$') || !is_call && !is_path && !is_function
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

pub(crate) fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words
        .filter(|word| !word.is_empty())
        .map(String::from)
        .collect()
}

/// Whether the program may declare the name at `i` there: it is no lifetime, no method that is
/// called, no later part of a path, and no macro that is called.
fn may_be_declared(tokens: &[TokenTree], i: usize) -> bool {
    let is_fragment = i > 2 && is(tokens, i - 1, ':') && is(tokens, i - 3, '$');
    let is_macro = is(tokens, i + 1, '!');
    is_name(tokens, i) && !is_fragment && !is_macro && begins_path(tokens, i)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_marked_but_for_those_that_a_text_may_capture() {
        let text = r#"fn shown(own: u8) { let text = vec!["{own}"]; println!("{own} {0}", text[0]); } fn main() { shown(1); }"#;
        let tokens = text.parse::<TokenStream>().unwrap();
        let held = HashSet::from(["main".into()]);
        let marked = mark(&tokens, &held, &Source::of(text)).unwrap();
        let expected = r#"fn zz_shown(own: u8) { let zz_text_of_function_1 = vec!["{own}"]; println!("{own} {0}", zz_text_of_function_1[0]); } fn main() { zz_shown(1); }"#;
        assert_eq!(
            marked.to_string(),
            expected.parse::<TokenStream>().unwrap().to_string()
        );
    }
}
