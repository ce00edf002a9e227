//! Marks the names that a program declares: `count` becomes `zz_count`.
//!
//! Apart from the marks, the MIR of the marked program equals the MIR of the sources, so the two can be
//! compared. Later, each marked name is replaced with a short word.
//!
//! Some names also belong to items outside of the program, such as a method of the standard library. The
//! compiler then rejects the marked form, and the token loses its mark.

use super::aliases::{ALIAS_PREFIX, PRELUDE_VARIANTS};
use super::compiler::{Message, split_words};
use super::names::MARK_PREFIX;
use super::print::PrintedProgram;
use super::source::Source;
use super::tokens::{
    begins_path, find_semicolon, identifiers, is_attribute, is_braces, is_punct, replace_tokens,
};
use anyhow::Result;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use regex::Regex;
use std::collections::HashSet;

/// The codes of the errors about a method, a field or another member of a type.
const MEMBER_ERRORS: [&str; 4] = ["E0026", "E0560", "E0599", "E0609"];

/// Identifies a token: its file, its position there, and its text without a mark.
type TokenKey = (String, usize, String);

/// Marks the declared names, except those in `kept_names`, those that a format string may capture, and the
/// tokens whose marked form the compiler rejects. If `drops_names` is true, a name loses all its marks as
/// soon as the compiler rejects one of them. Otherwise, only the rejected token loses its mark.
///
/// # Errors
/// Returns an error if the compiler cannot be run, or if it reports an error that is not about a marked name.
pub(crate) fn mark_names(
    tokens: &TokenStream,
    kept_names: &HashSet<String>,
    drops_names: bool,
    source: &Source,
) -> Result<TokenStream> {
    let mut names = find_names(tokens, kept_names);
    let mut rejected = HashSet::new();
    loop {
        let marked = mark(tokens, &names, &rejected);
        let printed = PrintedProgram::new(marked.clone());
        let errors = source.compiler.find_errors(&printed)?;
        let Some(error) = errors.first() else {
            return Ok(marked);
        };
        // An unknown type may cause errors about methods and fields, so such errors count only if no other
        // error rejects a token.
        let (member_errors, other_errors): (Vec<&Message>, Vec<&Message>) = errors
            .iter()
            .partition(|error| MEMBER_ERRORS.contains(&&error.code[..]));
        let rejected_by = |errors: &[&Message]| -> HashSet<TokenKey> {
            let keys = errors
                .iter()
                .flat_map(|error| rejected_tokens(error, &printed));
            keys.collect()
        };
        let mut keys = rejected_by(&other_errors);
        if keys.is_empty() {
            keys = rejected_by(&member_errors);
        }
        if keys.is_empty() {
            let name = rejected_name(error, &printed.text, &names);
            let name = name.ok_or_else(|| source.to_source_error(error, &printed))?;
            names.remove(&name);
        } else if drops_names {
            names.retain(|name| !keys.iter().any(|(.., word)| word == name));
        } else {
            rejected.extend(keys);
        }
    }
}

/// Returns the names to mark: all declared names, except names in `kept_names`, names in `extern` blocks, and
/// names that a format string may capture.
fn find_names(tokens: &TokenStream, kept_names: &HashSet<String>) -> HashSet<String> {
    // The variables that a literal captures if it is a format string: `{word}` and `{:word$}`.
    let capture = Regex::new(r"\{\w+|\w+\$").expect("an expression");
    let (mut names, mut captured) = (HashSet::new(), HashSet::new());
    replace_tokens(tokens.clone(), &mut |tokens, i| {
        match &tokens[i] {
            _ if is_attribute_or_cfg(tokens, i) => return Some((1, TokenStream::new())),
            // The names in an import are declared elsewhere.
            word if word.to_string() == "use" => {
                let end = find_semicolon(tokens, i)?;
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
    // The compiler would accept the pattern `zz_None` as a new variable, which matches everything.
    captured.extend(PRELUDE_VARIANTS.split(' ').map(String::from));
    names.retain(|name: &String| {
        !name.starts_with(MARK_PREFIX) && !kept_names.contains(name) && !captured.contains(name)
    });
    names
}

/// Returns the program with [`MARK_PREFIX`] before each of these names, except for the tokens in `rejected`.
fn mark(
    tokens: &TokenStream,
    names: &HashSet<String>,
    rejected: &HashSet<TokenKey>,
) -> TokenStream {
    replace_tokens(tokens.clone(), &mut |tokens, i| {
        if is_attribute_or_cfg(tokens, i) {
            return Some((1, tokens[i].clone().into()));
        }
        let (word, span) = (tokens[i].to_string(), tokens[i].span());
        if !is_name(tokens, i)
            || !names.contains(&word)
            || rejected.contains(&token_key(span, &word))
        {
            return None;
        }
        let name = format_ident!("{MARK_PREFIX}{word}", span = span);
        Some((1, name.into_token_stream()))
    })
}

fn token_key(span: Span, name: &str) -> TokenKey {
    (span.file(), span.byte_range().start, name.to_string())
}

/// True if the token at `i` is the content of an attribute or of `cfg!(…)`. Such content is not marked, since
/// its names have a meaning for the compiler.
fn is_attribute_or_cfg(tokens: &[TokenTree], i: usize) -> bool {
    let is_cfg = i > 1 && is_punct(tokens, i - 1, '!') && tokens[i - 2].to_string() == "cfg";
    is_cfg || is_attribute(tokens, i)
}

/// True if the token at `i` is the block of `extern { … }` or `extern "C" { … }`.
fn is_foreign(tokens: &[TokenTree], i: usize) -> bool {
    let mut before = tokens[i.saturating_sub(2)..i].iter().rev();
    let before = before.find(|token| !matches!(token, TokenTree::Literal(_)));
    is_braces(tokens, i) && before.is_some_and(|word| word.to_string() == "extern")
}

/// True if the token at `i` is a name: not a keyword, `union`, a raw identifier or a lifetime.
fn is_name(tokens: &[TokenTree], i: usize) -> bool {
    let word = tokens[i].to_string();
    let is_lifetime = i > 0 && is_punct(tokens, i - 1, '\'');
    let is_word = !is_lifetime && word != "union" && !word.starts_with("r#");
    is_word && syn::parse_str::<Ident>(&word).is_ok()
}

/// Returns the marked tokens that an error both points to and quotes.
fn rejected_tokens(error: &Message, printed: &PrintedProgram) -> Vec<TokenKey> {
    // The message quotes the name: "method `zz_len` is not a member of trait `Cost`".
    let quoted = error.quoted_words();
    let rejected = error.spans.iter().filter_map(|span| {
        let start = printed
            .tokens
            .partition_point(|(at, _)| at.start < span.start);
        let mut inside = printed.tokens[start..]
            .iter()
            .take_while(|(at, _)| at.end <= span.end);
        inside.find_map(|(at, origin)| {
            let word = &printed.text[at.clone()];
            let name = word.strip_prefix(MARK_PREFIX)?;
            quoted
                .iter()
                .any(|quoted| quoted == word)
                .then(|| token_key(*origin, name))
        })
    });
    rejected.collect()
}

/// Returns the name that an error quotes, or else the last name before the position of the error.
///
/// This handles errors that do not point at the name. The span may be in a macro definition that does not
/// contain the name. A syntax error, such as the one about `&zz_raw const x`, points to a later token.
fn rejected_name(error: &Message, text: &str, names: &HashSet<String>) -> Option<String> {
    let name_of = |word: &String| {
        let name = word.strip_prefix(MARK_PREFIX).unwrap_or(word);
        names.get(name).cloned()
    };
    let quoted = error.quoted_words();
    let before = || {
        let words = split_words(&text[..error.spans.first()?.start]);
        words.iter().rev().find_map(name_of)
    };
    quoted.iter().find_map(name_of).or_else(before)
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
            "fn main() { shown(1); match Some(1) { None => {} Some(_) => {} } }"
        );
        let tokens = text.parse::<TokenStream>().unwrap();
        let kept_names = HashSet::from(["main".into()]);
        let marked = mark_names(&tokens, &kept_names, false, &Source::from_text(text)).unwrap();
        let expected = concat!(
            r#"fn zz_shown(own: u8) { let zz_text = vec!["{own}"]; println!("{0}", zz_text[0]); } "#,
            "fn main() { zz_shown(1); match Some(1) { None => {} Some(_) => {} } }"
        );
        assert_eq!(
            marked.to_string(),
            expected.parse::<TokenStream>().unwrap().to_string()
        );
    }
}
