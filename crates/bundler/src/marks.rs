//! Marks the names that a program declares: `count` becomes `zz_count`.
//!
//! Apart from the marks, the MIR of the marked program equals the MIR of the sources, so the two can be
//! compared. Later, each marked name is replaced with a short word.
//!
//! Some names also belong to items outside of the program, such as a method of the standard library. The
//! compiler then rejects the marked form, and the name loses its mark.

use super::aliases::ALIAS_PREFIX;
use super::compiler::{Message, split_words};
use super::names::MARK_PREFIX;
use super::print::PrintedProgram;
use super::source::Source;
use super::tokens::{
    begins_path, identifiers, is_attribute, is_braces, is_colons, is_punct, replace_tokens,
};
use anyhow::Result;
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use regex::Regex;
use std::collections::{HashMap, HashSet};

/// The tokens that get the mark of a name.
#[derive(Clone, Copy, PartialEq)]
enum Marked {
    /// All tokens with this name.
    Everywhere,
    /// Only the tokens that may be fields, because the compiler rejects the mark on another token.
    OnlyFields,
}

/// The names to mark.
type Names = HashMap<String, Marked>;

/// Marks the declared names, except those in `held`, those that a format string may capture, and those whose
/// marked form the compiler rejects.
///
/// # Errors
/// Returns an error if the compiler cannot be run, or if it reports an error that is not about a marked name.
pub(crate) fn mark_names(
    tokens: &TokenStream,
    held: &HashSet<String>,
    source: &Source,
) -> Result<TokenStream> {
    let mut names = find_names(tokens, held);
    loop {
        let marked = mark(tokens, &names);
        let printed = PrintedProgram::new(marked.clone());
        let errors = source.compiler.find_errors(&printed)?;
        let Some(error) = errors.first() else {
            return Ok(marked);
        };
        let in_spans = errors
            .iter()
            .flat_map(|error| rejected_in_spans(error, &printed.text, &names));
        let mut rejected: HashSet<String> = in_spans.collect();
        if rejected.is_empty() {
            rejected.extend(rejected_elsewhere(error, &printed.text, &names));
        }
        if rejected.is_empty() {
            return Err(source.to_source_error(error, &printed));
        }
        for name in rejected {
            match names.get_mut(&name) {
                Some(marked @ Marked::Everywhere) => *marked = Marked::OnlyFields,
                _ => drop(names.remove(&name)),
            }
        }
    }
}

/// Returns the names to mark: the declared names, except those in `held`, those that a format string may
/// capture, and those in blocks of foreign functions.
fn find_names(tokens: &TokenStream, held: &HashSet<String>) -> Names {
    // The variables that a text would capture as a format string: `{word}` and `{:word$}`.
    let capture = Regex::new(r"\{\w+|\w+\$").expect("an expression");
    let (mut names, mut captured) = (HashSet::new(), HashSet::new());
    replace_tokens(tokens.clone(), &mut |tokens, i| {
        match &tokens[i] {
            _ if is_condition(tokens, i) => return Some((1, TokenStream::new())),
            // An import declares no names.
            word if word.to_string() == "use" => {
                let end = (i..tokens.len()).find(|i| is_punct(tokens, *i, ';'))?;
                return Some((end - i, TokenStream::new()));
            }
            TokenTree::Ident(name) if may_be_declared(tokens, i) => {
                names.insert(name.to_string());
            }
            // The linker finds a foreign function by its name.
            TokenTree::Group(block) if is_foreign(tokens, i) => {
                captured.extend(identifiers(block.stream()));
            }
            TokenTree::Literal(text) => {
                let text = text.to_string();
                let names = capture.find_iter(&text).map(|name| name.as_str());
                captured.extend(names.map(|name| name.trim_matches(['{', '$']).to_string()));
            }
            _ => {}
        }
        None
    });
    let names = names.into_iter().filter(|name: &String| {
        !name.starts_with(MARK_PREFIX) && !held.contains(name) && !captured.contains(name)
    });
    names.map(|name| (name, Marked::Everywhere)).collect()
}

/// Returns the program with [`MARK_PREFIX`] before each of these names.
fn mark(tokens: &TokenStream, names: &Names) -> TokenStream {
    replace_tokens(tokens.clone(), &mut |tokens, i| {
        if is_condition(tokens, i) {
            return Some((1, tokens[i].clone().into()));
        }
        if !is_name(tokens, i) {
            return None;
        }
        let (word, span) = (tokens[i].to_string(), tokens[i].span());
        let is_marked = *names.get(&word)? == Marked::Everywhere || is_field(tokens, i);
        let name = format_ident!("{MARK_PREFIX}{word}", span = span);
        is_marked.then(|| (1, name.into_token_stream()))
    })
}

/// True if the token at `i` is the content of an attribute or of `cfg!(…)`, which the compiler interprets.
fn is_condition(tokens: &[TokenTree], i: usize) -> bool {
    let is_cfg = i > 1 && is_punct(tokens, i - 1, '!') && tokens[i - 2].to_string() == "cfg";
    is_cfg || is_attribute(tokens, i)
}

/// True if the token at `i` is the block of `extern { … }` or `extern "C" { … }`.
fn is_foreign(tokens: &[TokenTree], i: usize) -> bool {
    let mut before = tokens[i.saturating_sub(2)..i].iter().rev();
    let before = before.find(|token| !matches!(token, TokenTree::Literal(_)));
    is_braces(tokens, i) && before.is_some_and(|word| word.to_string() == "extern")
}

/// True if the token at `i` is a name, and not a keyword, `union`, a raw identifier or a lifetime.
fn is_name(tokens: &[TokenTree], i: usize) -> bool {
    let word = tokens[i].to_string();
    let is_lifetime = i > 0 && is_punct(tokens, i - 1, '\'');
    let is_word = !is_lifetime && word != "union" && !word.starts_with("r#");
    is_word && syn::parse_str::<Ident>(&word).is_ok()
}

/// True if the name at `i` may be the name of a field.
///
/// A name that is called, that `fn` declares, or that is part of a path is never the name of a field. A macro
/// variable may always be one.
fn is_field(tokens: &[TokenTree], i: usize) -> bool {
    let is_call = matches!(tokens.get(i + 1), Some(TokenTree::Group(group))
        if group.delimiter() == Delimiter::Parenthesis);
    let is_path = is_colons(tokens, i + 1) || i > 1 && is_colons(tokens, i - 2);
    let is_function = i > 0 && tokens[i - 1].to_string() == "fn";
    i > 0 && is_punct(tokens, i - 1, '$') || !is_call && !is_path && !is_function
}

/// Returns the name that must lose its mark if the compiler rejects this word; `None` if there is none.
///
/// The word itself may have no mark: in `let next = …; next()`, the call has none, although the declaration
/// of the variable has the mark of a field `next`.
fn name_of(word: &str, names: &Names) -> Option<String> {
    match word.strip_prefix(MARK_PREFIX) {
        Some(name) => names.contains_key(name).then(|| name.to_string()),
        None => (names.get(word) == Some(&Marked::OnlyFields)).then(|| word.to_string()),
    }
}

/// Returns the names to which an error points.
fn rejected_in_spans(error: &Message, text: &str, names: &Names) -> Vec<String> {
    // The message quotes the name: "method `zz_len` is not a member of trait `Cost`".
    let quoted = error.quoted_words();
    let rejected = error.spans.iter().filter_map(|span| {
        let words = split_words(&text[span.clone()]);
        match error.code.as_str() {
            _ if words.len() == 1 => name_of(&words[0], names),
            // An import, a member that its trait does not have, or an error of syntax.
            "" | "E0407" | "E0432" | "E0437" | "E0438" => {
                let mut words = words.iter().filter(|word| quoted.contains(word));
                words.find_map(|word| name_of(word, names))
            }
            _ => None,
        }
    });
    rejected.collect()
}

/// Returns the name that an error quotes, or else the last name before the position of the error.
///
/// A span in a macro definition does not contain the name, and a syntax error, such as the one about `&zz_raw
/// const x`, points to a later token.
fn rejected_elsewhere(error: &Message, text: &str, names: &Names) -> Option<String> {
    let quoted = error.quoted_words();
    let quoted = quoted.iter().find_map(|word| name_of(word, names));
    let before = || {
        let words = split_words(&text[..error.spans.first()?.start]);
        words.iter().rev().find_map(|word| name_of(word, names))
    };
    quoted.or_else(before)
}

/// True if the token at `i` may be the declaration of a name.
///
/// Lifetimes, called methods and macros, and later parts of a path are not declarations.
fn may_be_declared(tokens: &[TokenTree], i: usize) -> bool {
    let is_fragment = i > 2 && is_punct(tokens, i - 1, ':') && is_punct(tokens, i - 3, '$');
    // The name of a called macro may be an alias, which an import declares.
    let is_alias = tokens[i].to_string().starts_with(ALIAS_PREFIX);
    let is_macro = is_punct(tokens, i + 1, '!') && !is_alias;
    is_name(tokens, i) && !is_fragment && !is_macro && begins_path(tokens, i)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_marked_unless_a_string_may_capture_them() {
        let text = concat!(
            r#"fn shown(own: u8) { let text = vec!["{own}"]; println!("{0}", text[0]); } "#,
            "fn main() { shown(1); }"
        );
        let tokens = text.parse::<TokenStream>().unwrap();
        let held = HashSet::from(["main".into()]);
        let marked = mark_names(&tokens, &held, &Source::from_text(text)).unwrap();
        let expected = concat!(
            r#"fn zz_shown(own: u8) { let zz_text = vec!["{own}"]; println!("{0}", zz_text[0]); } "#,
            "fn main() { zz_shown(1); }"
        );
        assert_eq!(
            marked.to_string(),
            expected.parse::<TokenStream>().unwrap().to_string()
        );
    }
}
