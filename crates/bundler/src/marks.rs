//! Marks the names that a program declares: `count` becomes `zz_count`.
//!
//! Apart from the marks, the MIR of the marked program equals the MIR of the sources, so the two can be compared. Later, each marked
//! name gets a short word. The marked name of a variable that only one function uses also contains the number of the function:
//!
//! ```text
//! fn first(row: u8) { show(row) }      fn zz_first(zz_row_of_function_1: u8) { zz_show(zz_row_of_function_1) }
//! ```
//!
//! Some names also belong to items outside of the program, such as a method of the standard library. The compiler reports that it cannot
//! find the marked form, and the name loses its mark.

use super::compiler::{self, Message};
use super::formats;
use super::names::{FIELD, FUNCTION, MARK};
use super::places::{Places, functions, is_name};
use super::print::Printed;
use super::source::Source;
use super::tokens::{begins_path, is, is_attribute, is_colons, replaced};
use anyhow::Result;
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use std::collections::HashSet;

/// Marks all names except those in `held`.
///
/// # Errors
/// Returns an error if the compiler cannot be run, or if it reports an error that is not about a marked name.
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
                // An unmarked word may be the call of a variable, as in `let next = …; next()`, whose
                // declaration has the mark of a field. Remove that mark as well.
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

/// The prefix of captured names during the marking, which protects them from getting a mark.
const CAPTURED: &str = "captured_";

/// The names to mark.
struct Names {
    /// Each declared name, alone and with the suffix [`FIELD`], and each variable with the number of its
    /// function.
    known: HashSet<String>,
    /// Variables, with the number of their function, that a string in a call of an unknown macro
    /// may capture.
    captured: HashSet<String>,
}

impl Names {
    /// Finds the declared names of a program, except those in `held`.
    fn new(tokens: &TokenStream, held: &HashSet<String>) -> Self {
        let mut captured = HashSet::new();
        functions(tokens.clone(), &mut |function, tokens| {
            let names = formats::captured(tokens.clone()).into_iter();
            captured.extend(names.map(|name| own(&name, function)));
            tokens
        });
        let places = Places::find(tokens.clone());
        let known = places.locals().collect();
        let mut names = Self { known, captured };
        replaced(names.marked(tokens), &mut |tokens, i| {
            match &tokens[i] {
                _ if is_attribute(tokens, i) => return Some((1, TokenStream::new())),
                // An import declares no names.
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

    /// Marks the names of a program.
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

    /// Marks the names in the tokens of a function. `function` is its number; 0 for tokens outside of functions.
    fn rename(&self, tokens: TokenStream, function: usize) -> TokenStream {
        replaced(tokens, &mut |tokens, i| {
            if is_attribute(tokens, i) {
                return Some((1, tokens[i].clone().into()));
            }
            if let Some(at) = formats::text(tokens, i) {
                let TokenTree::Group(call) = &tokens[i + 2] else {
                    return None;
                };
                let is_captured = |word: &str| self.captured.contains(&own(word, function));
                let name = |word: &str| {
                    let marked = self.mark(word, function, [true; 2]);
                    marked.filter(|_| !is_captured(word))
                };
                let inner = formats::renamed(call.stream(), at, &name);
                let mut call = Group::new(call.delimiter(), self.rename(inner, function));
                call.set_span(tokens[i + 2].span());
                let mut all: TokenStream = tokens[i..i + 2].iter().cloned().collect();
                all.extend([TokenTree::from(call)]);
                return Some((3, all));
            }
            let (word, span) = (tokens[i].to_string(), tokens[i].span());
            if !is_name(tokens, i) {
                return None;
            }
            let name = if self.captured.contains(&own(&word, function)) {
                format!("{CAPTURED}{word}")
            } else {
                self.mark(
                    &word,
                    function,
                    [begins_path(tokens, i), is_field(tokens, i)],
                )?
            };
            Some((1, TokenTree::from(Ident::new(&name, span)).into()))
        })
    }

    /// Returns the marked name of a word; `None` if the word gets no mark.
    ///
    /// `is_first` is true if the word begins a path, and `is_field` if it may be the name of a field.
    fn mark(&self, word: &str, function: usize, [is_first, is_field]: [bool; 2]) -> Option<String> {
        let forms = [
            (own(word, function), is_first),
            (word.to_string(), true),
            (format!("{word}{FIELD}"), is_field),
        ];
        let mut forms = forms.into_iter();
        let name = forms.find(|(name, fits)| *fits && self.known.contains(name));
        Some(format!("{MARK}{}", name?.0))
    }
}

/// Returns the name of a variable with the number of its function, such as `row_of_function_1`.
fn own(name: &str, function: usize) -> String {
    format!("{name}{FUNCTION}{function}")
}

/// True if the name at `i` may be the name of a field.
///
/// The name of a call, of a function declaration or in a path is never a field. A macro variable may always be one.
fn is_field(tokens: &[TokenTree], i: usize) -> bool {
    let is_call = matches!(tokens.get(i + 1), Some(TokenTree::Group(group))
        if group.delimiter() == Delimiter::Parenthesis);
    let is_path = is_colons(tokens, i + 1) || i > 1 && is_colons(tokens, i - 2);
    let is_function = i > 0 && tokens[i - 1].to_string() == "fn";
    i > 0 && is(tokens, i - 1, '$') || !is_call && !is_path && !is_function
}

/// Returns the names that an error reports as unknown.
fn missed(error: &Message, text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for span in &error.spans {
        let words = words(&text[span.clone()]);
        match error.code.as_str() {
            // In an import, any part of the path may be unknown.
            "E0432" => all.extend(words),
            // A member that its trait does not have: `fn name(…) { … }`.
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

/// Returns all names at the byte ranges of an error.
fn all_words(error: &Message, text: &str) -> Vec<String> {
    let spans = error.spans.iter();
    spans.flat_map(|span| words(&text[span.clone()])).collect()
}

/// Splits a text into its words of letters, digits and underscores.
pub(crate) fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words
        .filter(|word| !word.is_empty())
        .map(String::from)
        .collect()
}

/// True if the token at `i` may be the declaration of a name.
///
/// Lifetimes, called methods and macros, and later parts of a path are not declarations.
fn may_be_declared(tokens: &[TokenTree], i: usize) -> bool {
    let is_fragment = i > 2 && is(tokens, i - 1, ':') && is(tokens, i - 3, '$');
    let is_macro = is(tokens, i + 1, '!');
    is_name(tokens, i) && !is_fragment && !is_macro && begins_path(tokens, i)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_marked_unless_a_string_may_capture_them() {
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
