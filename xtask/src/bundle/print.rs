//! Tokens as text, with only the blanks that a compiler needs.

use anyhow::{anyhow, ensure, Result};
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// After this many characters, a line ends at the next comma, semicolon or bracket.
const LINE: usize = 500;

/// The text of tokens.
///
/// # Errors
/// If the text does not read as the very same tokens.
pub(crate) fn compact(tokens: &TokenStream) -> Result<String> {
    let mut printer = Printer::default();
    printer.stream(tokens.clone());
    printer.text.push('\n');
    let again: TokenStream = printer
        .text
        .parse()
        .map_err(|error| anyhow!("the printed tokens do not read again: {error}"))?;
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    flatten(tokens.clone(), &mut expected);
    flatten(again, &mut found);
    let same = expected
        .iter()
        .zip(&found)
        .take_while(|(a, b)| a == b)
        .count();
    ensure!(
        expected == found,
        "the printed tokens read differently: {:?} for {:?}",
        found.get(same),
        expected.get(same)
    );
    Ok(printer.text)
}

/// Every token as text, operators character by character.
fn flatten(tokens: TokenStream, out: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = delimiters(group.delimiter());
                out.push(open.to_string());
                flatten(group.stream(), out);
                out.push(close.to_string());
            }
            // A negative number may be one literal or two tokens.
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                match text.strip_prefix('-') {
                    Some(number) => out.extend(["-".to_string(), number.to_string()]),
                    None => out.push(text),
                }
            }
            other => out.push(other.to_string()),
        }
    }
    out.retain(|text| !text.is_empty());
}

fn delimiters(delimiter: Delimiter) -> (&'static str, &'static str) {
    match delimiter {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::None => ("", ""),
    }
}

/// The operators of more than one character.
const OPERATORS: [&str; 26] = [
    "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<<", ">>",
    "<<=", ">>=", "->", "=>", "::", "..", "...", "..=", "<-", "/*",
];

/// Whether `next`, put right behind the operators `last`, would make another
/// operator of their end.
fn runs_into(last: &str, next: char) -> bool {
    // Every parser can tell two `>` that close generics from a shift.
    if next == '>' && last.ends_with('>') {
        return false;
    }
    let joined = format!("{last}{next}");
    (0..last.len()).any(|from| {
        let end = &joined[from..];
        OPERATORS.iter().any(|operator| operator.starts_with(end)) || end == "//"
    })
}

#[derive(Default)]
struct Printer {
    text: String,
    /// Where the last line starts.
    line: usize,
    last: Last,
}

/// What the text ends with.
#[derive(Default)]
enum Last {
    /// Nothing that a next token could run into.
    #[default]
    Closed,
    /// An identifier or a literal.
    Word,
    /// Punctuation characters in a row; true if the next one is part of the
    /// last.
    Puncts(String, bool),
}

impl Printer {
    fn stream(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    let (open, close) = delimiters(group.delimiter());
                    self.delimiter(open);
                    self.stream(group.stream());
                    self.delimiter(close);
                }
                TokenTree::Ident(ident) => self.word(&ident.to_string()),
                TokenTree::Literal(literal) => self.word(&literal.to_string()),
                TokenTree::Punct(p) => self.punct(p.as_char(), p.spacing()),
            }
        }
    }

    fn delimiter(&mut self, text: &str) {
        if !text.is_empty() {
            self.text += text;
            self.last = Last::Closed;
        }
    }

    fn word(&mut self, text: &str) {
        let (needed, may_break) = match &self.last {
            Last::Closed => (false, true),
            // The words of a declaration stay on one line, so that a search finds them.
            Last::Word => (true, false),
            Last::Puncts(_, true) => (false, false),
            // A negative number begins with an operator.
            Last::Puncts(last, false) => (
                text.starts_with('-') && runs_into(last, '-'),
                last.ends_with([',', ';']),
            ),
        };
        if may_break && self.text.len() - self.line > LINE {
            self.text.push('\n');
            self.line = self.text.len();
        } else if needed {
            self.text.push(' ');
        }
        self.text += text;
        self.last = Last::Word;
    }

    fn punct(&mut self, c: char, spacing: Spacing) {
        let (mut run, needed) = match std::mem::take(&mut self.last) {
            Last::Closed => (String::new(), false),
            // 1. and .. would be 1.. and . to a compiler, a.0 and .1 the number 0.1, and
            // x# a prefix.
            Last::Word => {
                let number = self.text.trim_end_matches(|c: char| c.is_ascii_digit());
                let of_tuple = number.len() < self.text.len() && number.ends_with('.');
                let dots = of_tuple || self.text.ends_with('.');
                (String::new(), "'#".contains(c) || c == '.' && dots)
            }
            Last::Puncts(run, joins) => {
                let needed = !joins && runs_into(&run, c);
                (run, needed)
            }
        };
        if needed {
            self.text.push(' ');
            run.clear();
        }
        run.push(c);
        self.text.push(c);
        self.last = Last::Puncts(run, spacing == Spacing::Joint);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> String {
        let text = compact(&text.parse().unwrap()).unwrap();
        text.trim_end().to_string()
    }

    #[test]
    fn blanks_stay_only_where_tokens_would_run_together() {
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
            ("1. .. 2.", "1. ..2."),
            ("1 . max ( 2 )", "1.max(2)"),
            ("t . 0 . 1", "t.0 .1"),
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
    fn literals_are_printed_as_they_are() {
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
        // Wherever the lines end, what is declared can be found.
        for before in 0..LINE {
            let text = format!(
                "f ( ) ; {} const SECONDS : f64 = 3.8 ;",
                "a ; ".repeat(before)
            );
            assert!(printed(&text).contains("const SECONDS:f64=3.8;"));
        }
    }
}
