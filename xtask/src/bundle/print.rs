//! Prints tokens with no more characters than the compiler needs.

use super::tokens::{begins_path, is, is_attribute, is_colons, item_end, replaced};
use proc_macro2::{Delimiter, Literal, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use std::ops::Range;

/// A line with more bytes than this ends at the next comma, semicolon or bracket.
const LINE: usize = 500;

/// Frequent types. The program declares an alias for each, which gets a short name like every other declared name.
const TYPES: [&str; 6] = ["usize", "i32", "u32", "f64", "u64", "Option<T>"];

/// The prefix of the alias of a frequent type.
pub(crate) const ALIAS: &str = "alias_of_";

/// Removes commas before a closing bracket, underscores in numbers, and zeros after a decimal point.
///
/// `is_flat`: the program has only one module, so its frequent types get an alias.
pub(crate) fn tidy(tokens: TokenStream, is_flat: bool) -> TokenStream {
    let mut tidy = replaced(tokens, &mut |tokens, i| {
        let shorter = match &tokens[i] {
            _ if is_attribute(tokens, i) => return Some((1, tokens[i].clone().into())),
            // A derived `==` compares fields of primitive types first, and does not know their aliases.
            TokenTree::Punct(_) if is_flat && is_compared(tokens, i) => {
                let item = &tokens[i..=item_end(tokens, i)?];
                return Some((item.len(), tidy(item.iter().cloned().collect(), false)));
            }
            TokenTree::Ident(name) if TYPES.iter().any(|of| name == of.trim_end_matches("<T>")) => {
                // `f64::consts::PI` begins with a module, not with a type.
                let is_module =
                    is_colons(tokens, i + 1) && is_colons(tokens, i + 4) && !is(tokens, i + 6, '<');
                if !is_flat || is_module || !begins_path(tokens, i) {
                    return None;
                }
                format_ident!("{ALIAS}{name}", span = name.span()).into_token_stream()
            }
            TokenTree::Literal(literal) => TokenTree::from(number(literal)?).into(),
            // The tuple `(a,)` needs its comma.
            TokenTree::Punct(comma) if comma.as_char() == ',' && i + 1 == tokens.len() => {
                let is_first = !(0..i).any(|i| is(tokens, i, ','));
                return (!is_first).then(|| (1, TokenStream::new()));
            }
            _ => return None,
        };
        Some((1, shorter))
    });
    for name in TYPES.iter().filter(|_| is_flat) {
        let declared = format!("type {ALIAS}{name} = {name};");
        tidy.extend(declared.parse::<TokenStream>());
    }
    tidy
}

/// True if the attribute at `i` derives `PartialEq`.
fn is_compared(tokens: &[TokenTree], i: usize) -> bool {
    let attribute = tokens.get(i + 1).map(ToString::to_string);
    let attribute = attribute.filter(|_| is(tokens, i, '#'));
    attribute.is_some_and(|text| text.contains("derive") && text.contains("PartialEq"))
}

/// Returns a shorter form of a number; `None` for another literal.
fn number(literal: &Literal) -> Option<Literal> {
    let text = literal.to_string();
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let text = text.replace('_', "");
    let whole = text.strip_suffix(".0").map(|whole| format!("{whole}."));
    whole.unwrap_or(text).parse().ok()
}

/// Pairs of characters that need a space, because together they are an operator or the start of one.
///
/// `>>` is not among them: the compiler splits it itself where it closes two lists of generics.
const GLUED: [&str; 23] = [
    "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", ".=", "<<",
    "->", "=>", "::", "..", "<-", "/*", "//",
];

/// A printed program, with the origin of each token.
#[derive(Default)]
pub(crate) struct Printed {
    pub(crate) text: String,
    /// The byte range of each token in the text, and its span in the sources.
    pub(crate) tokens: Vec<(Range<usize>, Span)>,
}

impl Printed {
    pub(crate) fn new(tokens: TokenStream) -> Self {
        let mut printer = Printer::default();
        printer.stream(tokens);
        printer.printed.text.push('\n');
        printer.printed
    }
}

#[derive(Default)]
struct Printer {
    printed: Printed,
    /// The byte offset of the last line.
    line: usize,
    /// True if the next token continues an operator.
    joined: bool,
    /// True if the last token is a number that ends with a point.
    point: bool,
}

impl Printer {
    fn stream(&mut self, tokens: TokenStream) {
        for token in tokens {
            let mut joined = false;
            let is_literal = matches!(token, TokenTree::Literal(_));
            let span = token.span();
            match token {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    self.add(open, group.span_open());
                    self.stream(group.stream());
                    self.add(close, group.span_close());
                }
                TokenTree::Punct(punct) => {
                    self.push(&punct.as_char().to_string(), span);
                    joined = punct.spacing() == Spacing::Joint;
                }
                word => self.push(&word.to_string(), span),
            }
            self.joined = joined;
            self.point = self.printed.text.ends_with('.') && is_literal;
        }
    }

    fn push(&mut self, token: &str, span: Span) {
        let is_word = |c: char| c.is_alphanumeric() || "_\"'#".contains(c);
        let text = &mut self.printed.text;
        let (last, next) = (
            text.chars().next_back().unwrap_or('\n'),
            token.chars().next().unwrap_or('\n'),
        );
        let pair = String::from_iter([last, next]);
        if self.joined {
        } else if (is_word(last) || self.point) && is_word(next) || GLUED.contains(&&pair[..]) {
            text.push(' ');
        } else if is_word(next) && ",;()[]{}".contains(last) && text.len() - self.line > LINE {
            // A declaration stays on one line, so that a search finds it.
            text.push('\n');
            self.line = text.len();
        }
        self.add(token, span);
    }

    fn add(&mut self, token: &str, span: Span) {
        let start = self.printed.text.len();
        self.printed.text += token;
        self.printed.tokens.push((start..start + token.len(), span));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> TokenStream {
        text.parse().unwrap()
    }

    fn printed(text: &str) -> String {
        Printed::new(tokens(text)).text.trim_end().to_string()
    }

    #[test]
    fn commas_underscores_and_zeros_are_removed() {
        for (before, after) in [
            ("f(a, b,)", "f(a, b)"),
            ("(a,)", "(a,)"),
            ("S { a, b: (1, 2,), }", "S { a, b: (1, 2) }"),
            ("0_u64 + 0x9e37_79b9 + 10_000", "0u64 + 0x9e3779b9 + 10000"),
            ("3.0 + 1.0.max(2.0) + x.0", "3. + 1. .max(2.) + x.0"),
            (
                "[usize; usize::MAX as u8] + 0_usize",
                "[alias_of_usize; alias_of_usize::MAX as u8] + 0usize",
            ),
        ] {
            let expected = tokens(after).to_string();
            let tidy = tidy(tokens(before), true).to_string();
            assert!(
                tidy.starts_with(&format!("{expected} type alias_of_usize = usize ;")),
                "{tidy}"
            );
        }
    }

    #[test]
    fn only_necessary_spaces_are_printed() {
        for (before, after) in [
            ("fn f ( x : u8 ) -> u8 { x + 1 }", "fn f(x:u8)->u8{x+1}"),
            ("& & x", "& &x"),
            ("a && b", "a&&b"),
            ("a < - 1", "a< -1"),
            ("a - - 1", "a--1"),
            ("a = - 1", "a=-1"),
            ("x : :: std :: X", "x: ::std::X"),
            ("let v : Vec < Vec < u8 > > = w", "let v:Vec<Vec<u8>> =w"),
            ("1 .. 2", "1..2"),
            ("2. as u8 + x . 0 . f", "2. as u8+x.0.f"),
            ("1. .. 2.", "1. ..2."),
            ("1 .. = 2", "1.. =2"),
            ("1 . max ( 2 )", "1.max(2)"),
            ("& 'a mut x", "&'a mut x"),
            ("break 'outer ;", "break 'outer;"),
            ("'a' b'a' b\"a\" r#\"a\"# x", "'a' b'a' b\"a\" r#\"a\"# x"),
            ("x # [ a ] y", "x #[a]y"),
            ("a ! = b", "a! =b"),
            ("r#fn ( )", "r#fn()"),
            ("0 as u8 as i8", "0 as u8 as i8"),
            ("if x { return } else { 1 }", "if x{return}else{1}"),
            ("| | x", "| |x"),
            ("a / * b", "a/ *b"),
        ] {
            assert_eq!(printed(before), after, "{before}");
        }
    }

    #[test]
    fn literals_are_printed_unchanged() {
        let text = r##"f("a  b // c /* d */ \" {x} \\", 'x', '"', b'\'', r#"a " b"#, 1_000.5e-3, 0x9e37_u64, "two
            lines");"##;
        assert_eq!(printed(text), text.replace(", ", ","));
    }

    #[test]
    fn lines_end_between_tokens_but_not_between_words() {
        let text = "let value = call ( \"a string with blanks\" , 12345 ) ; ".repeat(200);
        let out = printed(&text);
        assert!(out.lines().count() > 10);
        assert!(out.lines().all(|line| line.len() < LINE + 40), "{out}");
        assert!(!out.lines().any(|line| line.ends_with("let")), "{out}");
        // Wherever the lines end, a search finds the whole declaration.
        for before in 0..LINE {
            let text = format!(
                "f ( ) ; {} const SECONDS : f64 = 3.8 ;",
                "a ; ".repeat(before)
            );
            assert!(printed(&text).contains("const SECONDS:f64=3.8;"));
        }
    }
}
