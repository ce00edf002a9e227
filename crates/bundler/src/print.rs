//! Prints tokens, with spaces only where the compiler may need them.

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};
use std::ops::Range;

/// A line longer than this ends after the next comma, semicolon or bracket that is followed by a word. If
/// the whitespace of the sources stays, the line ends at the next whitespace.
const MAX_LINE_BYTES: usize = 4000;

/// Pairs of characters that need a space between them, since together they would begin an operator or a
/// comment.
///
/// `>>` and `||` are not among them: the compiler splits them where `>>` closes two lists of generic
/// arguments, or `||` starts a closure.
const MERGING_PAIRS: [&str; 22] = [
    "==", "!=", "<=", ">=", "&&", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", ".=", "<<", "->",
    "=>", "::", "..", "<-", "/*", "//",
];

/// A printed program, with the origin of each token.
#[derive(Default)]
pub(crate) struct PrintedProgram {
    pub(crate) text: String,
    /// The byte range of each token in the text, and its span in the sources.
    pub(crate) tokens: Vec<(Range<usize>, Span)>,
}

impl PrintedProgram {
    pub(crate) fn new(tokens: TokenStream) -> Self {
        Self::print(tokens, false)
    }

    /// Prints a program. If `keeps_whitespace` is true, a space remains wherever the sources have whitespace,
    /// because `stringify!` shows it.
    pub(crate) fn print(tokens: TokenStream, keeps_whitespace: bool) -> Self {
        let mut printer = Printer {
            keeps_whitespace,
            ..Printer::default()
        };
        printer.stream(tokens);
        printer.printed.text.push('\n');
        printer.printed
    }

    /// Returns the span of the token at this line and column, both counted from 1.
    pub(crate) fn span_at(&self, line: usize, column: usize) -> Option<Span> {
        let before = self
            .text
            .split_inclusive('\n')
            .take(line - 1)
            .map(str::len)
            .sum::<usize>();
        let (byte, _) = self.text[before..].char_indices().nth(column - 1)?;
        let at = self
            .tokens
            .partition_point(|(at, _)| at.start < before + byte);
        self.tokens.get(at).map(|(_, span)| *span)
    }
}

#[derive(Default)]
struct Printer {
    printed: PrintedProgram,
    keeps_whitespace: bool,
    /// The span of the last token; `None` before the first one.
    last: Option<Span>,
    /// True if the next token continues an operator.
    is_joint: bool,
    /// True if the last token is a number that ends with a dot, such as `1.`.
    ends_with_point: bool,
}

impl Printer {
    fn stream(&mut self, tokens: TokenStream) {
        for token in tokens {
            let mut is_joint = false;
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
                    self.push(open, group.span_open());
                    self.stream(group.stream());
                    if close == "}" && self.printed.text.ends_with(',') && !self.keeps_whitespace {
                        self.printed.text.pop();
                    }
                    self.push(close, group.span_close());
                }
                TokenTree::Punct(punct) => {
                    self.push(&punct.as_char().to_string(), span);
                    is_joint = punct.spacing() == Spacing::Joint;
                }
                word => self.push(&word.to_string(), span),
            }
            self.is_joint = is_joint;
            self.ends_with_point = self.printed.text.ends_with('.') && is_literal;
        }
    }

    fn push(&mut self, token: &str, span: Span) {
        let is_word = |c: char| c.is_alphanumeric() || "_\"'#".contains(c);
        let text = &mut self.printed.text;
        let line = text.rfind('\n').map_or(0, |end| end + 1);
        let last = text.chars().next_back().unwrap_or('\n');
        let next = token.chars().next().unwrap_or('\n');
        let pair = String::from_iter([last, next]);
        let needs_space = (is_word(last) || self.ends_with_point) && is_word(next)
            || MERGING_PAIRS.contains(&&pair[..]);
        // True if whitespace is kept, and the source has some between the last token and this one.
        let has_whitespace = self.keeps_whitespace
            && self.last.is_some_and(|last| {
                let end = last.byte_range().end;
                last.file() == span.file() && end < span.byte_range().start
            });
        // A declaration such as `const SECONDS:f64=3.8;` stays on one line, so that a text search finds it.
        let ends_line = is_word(next) && ",;()[]{}".contains(last) && !self.keeps_whitespace;
        if self.is_joint {
        } else if (has_whitespace || ends_line) && text.len() - line > MAX_LINE_BYTES {
            text.push('\n');
        } else if (has_whitespace || needs_space) && !text.ends_with([' ', '\n']) {
            text.push(' ');
        }
        let start = text.len();
        *text += token;
        self.printed.tokens.push((start..text.len(), span));
        self.last = Some(span);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> TokenStream {
        text.parse().unwrap()
    }

    fn printed(text: &str) -> String {
        PrintedProgram::new(tokens(text))
            .text
            .trim_end()
            .to_string()
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
            ("| | x", "||x"),
            ("a / * b", "a/ *b"),
        ] {
            assert_eq!(printed(before), after, "{before}");
        }
    }

    #[test]
    fn literals_are_printed_unchanged() {
        let text = r##"f("a  b // /* */ \" {x} \\", 'x', '"', b'\'', r#"a " b"#, 1_000.5e-3, 0x9e37_u64, "two
            lines");"##;
        assert_eq!(printed(text), text.replace(", ", ","));
    }

    #[test]
    fn lines_end_between_tokens_but_not_between_words() {
        let text = "let value = call ( \"a string with blanks\" , 12345 ) ; ".repeat(1600);
        let out = printed(&text);
        assert!(out.lines().count() > 10);
        assert!(
            out.lines().all(|line| line.len() < MAX_LINE_BYTES + 40),
            "{out}"
        );
        assert!(!out.lines().any(|line| line.ends_with("let")), "{out}");
        // A text search finds the whole declaration wherever the lines end.
        for before in MAX_LINE_BYTES / 2 - 40..MAX_LINE_BYTES / 2 + 10 {
            let text = format!(
                "f ( ) ; {} const SECONDS : f64 = 3.8 ;",
                "a ; ".repeat(before)
            );
            assert!(printed(&text).contains("const SECONDS:f64=3.8;"));
        }
    }
}
