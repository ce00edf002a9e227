//! Format strings such as `"{count} of {0}"`, and the variables that they capture.

use super::tokens::{is, replaced};
use proc_macro2::{Literal, TokenStream, TokenTree};
use regex::{Captures, Regex};

/// The macros of the standard library that take a format string, by the number of arguments before
/// it.
const MACROS: [&str; 3] = [
    "eprint eprintln format format_args panic print println todo unimplemented unreachable",
    "assert write writeln",
    "assert_eq assert_ne",
];

/// Returns the index of the format string among the argument tokens of the macro call at `i`; `None` if
/// there is no format string.
pub(crate) fn text(tokens: &[TokenTree], i: usize) -> Option<usize> {
    let name = tokens[i].to_string();
    let arguments = MACROS
        .iter()
        .position(|names| names.split(' ').any(|known| known == name))?;
    let Some(TokenTree::Group(call)) = tokens.get(i + 2).filter(|_| is(tokens, i + 1, '!')) else {
        return None;
    };
    let inner: Vec<TokenTree> = call.stream().into_iter().collect();
    let commas = (0..inner.len()).filter(|i| is(&inner, *i, ','));
    let at = match arguments {
        0 => 0,
        _ => 1 + commas.take(arguments).nth(arguments - 1)?,
    };
    let is_text =
        matches!(inner.get(at)?, TokenTree::Literal(text) if text.to_string().contains('"'));
    is_text.then_some(at)
}

/// Replaces names in the format string of a macro call. `at` is the index of the format string;
/// `name` returns the new name, or `None` to keep the old one.
pub(crate) fn renamed(
    call: TokenStream,
    at: usize,
    name: &dyn Fn(&str) -> Option<String>,
) -> TokenStream {
    let mut tokens: Vec<TokenTree> = call.into_iter().collect();
    let part = Regex::new(r"\{\{|\{(\w*)([^{}]*)").expect("an expression");
    let size = Regex::new(r"(\w+)\$").expect("an expression");
    let word = |word: &str| name(word).unwrap_or_else(|| word.to_string());
    let text = part
        .replace_all(&tokens[at].to_string(), |part: &Captures| {
            match part.get(1) {
                Some(argument) => {
                    let rest = size.replace_all(&part[2], |variable: &Captures| {
                        format!("{}$", word(&variable[1]))
                    });
                    format!("{{{}{rest}", word(argument.as_str()))
                }
                None => part[0].to_string(),
            }
        })
        .into_owned();
    if let Ok(mut literal) = text.parse::<Literal>() {
        literal.set_span(tokens[at].span());
        tokens[at] = literal.into();
    }
    tokens.into_iter().collect()
}

/// Returns the names that strings might capture. Skips the format strings in calls of [`MACROS`].
pub(crate) fn captured(tokens: TokenStream) -> Vec<String> {
    let capture = Regex::new(r"\{(\w+)|(\w+)\$").expect("an expression");
    let mut names = Vec::new();
    replaced(tokens, &mut |tokens, i| {
        if let Some(at) = text(tokens, i) {
            let TokenTree::Group(call) = &tokens[i + 2] else {
                return None;
            };
            let others = call.stream().into_iter().enumerate();
            let others = others.filter(|(i, _)| *i != at).map(|(_, token)| token);
            names.extend(captured(others.collect()));
            return Some((3, TokenStream::new()));
        }
        if let TokenTree::Literal(text) = &tokens[i] {
            for groups in capture.captures_iter(&text.to_string()) {
                let name = groups.get(1).or(groups.get(2));
                names.extend(name.map(|name| name.as_str().to_string()));
            }
        }
        None
    });
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_format_texts_get_other_names() {
        let tokens = r#"assert!(a == "{a}", "{a:>b$.c$} {{a}} {0} {} {d:?}", "{a}")"#;
        let tokens: Vec<TokenTree> = tokens.parse::<TokenStream>().unwrap().into_iter().collect();
        let TokenTree::Group(call) = &tokens[2] else {
            panic!("no call")
        };
        let at = text(&tokens, 0).unwrap();
        let name = |word: &str| "abc".contains(word).then(|| format!("{word}{word}"));
        let renamed = renamed(call.stream(), at, &name).to_string();
        let expected = r#"a == "{a}", "{aa:>bb$.cc$} {{a}} {0} {} {d:?}", "{a}""#;
        assert_eq!(
            renamed,
            expected.parse::<TokenStream>().unwrap().to_string()
        );
        assert_eq!(captured(tokens.into_iter().collect()), ["a", "a"]);
    }
}
