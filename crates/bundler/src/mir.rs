//! Parses the functions of a program in MIR, the compiler's mid-level intermediate representation. The lines
//! of MIR on the left become the tokens on the right:
//!
//! ```text
//! fn rules::<impl at bot.rs:1:7: 1:17>::score(_1: Board) -> u8 {      `fn`, a path with three parts, `(`, …
//!     debug board => _1;                                              nothing: the name of a variable
//!     _2 = far::<impl Type<A>>::member(const "text");                 the same as for `Type::<A>::member`
//! ```
//!
//! Two programs may behave the same although their MIR differs. The comparison ignores variable names, the
//! number in a name such as `alloc12`, and the default message of `assert!`. It treats the paths
//! `far::<impl Type<A>>::member` and `Type::<A>::member` as equal.

/// The bytes of "assertion failed", the default message of `assert!`, in a memory dump.
const ASSERTION_BYTES: &str = "61 73 73 65 72 74 69 6f 6e 20 66 61 69 6c 65 64";

/// The start of the path segment for an `impl` block. The location of the block in the sources follows.
pub(crate) const IMPL_PREFIX: &str = "<impl ";

/// The keywords before the path of a function, constant or static.
const KEYWORDS: [&str; 4] = ["const", "fn", "mut", "static"];

/// The smallest part of MIR that is compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Token {
    /// A word or a path. If a path continues a type, as in `Type<A>::member`, its first part is empty. The
    /// part for an `impl` block is [`IMPL_PREFIX`], followed by the location of the block.
    Path(Vec<String>),
    /// A string or a character.
    Literal(String),
    /// The location of a closure in the sources.
    Location(String),
    Punct(char),
}

impl Token {
    /// Returns the word if the token is a path with a single part.
    fn word(&self) -> Option<&str> {
        match self {
            Self::Path(path) if path.len() == 1 => Some(&path[0]),
            _ => None,
        }
    }

    /// Returns a copy of the token with `change` applied to each part of a path.
    pub(crate) fn map_parts(&self, change: impl Fn(&str) -> String) -> Self {
        match self {
            Self::Path(parts) => Self::Path(parts.iter().map(|part| change(part)).collect()),
            token => token.clone(),
        }
    }
}

/// A function, constant or static. Promoted constants belong to the function that uses them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Body {
    pub(crate) is_constant: bool,
    pub(crate) path: Vec<String>,
    code: Vec<Token>,
    /// The memory dumps that belong to the function, sorted.
    data: Vec<Vec<Token>>,
}

impl Body {
    /// Returns a copy of the body with `change` applied to each token.
    pub(crate) fn map(&self, change: &impl Fn(&Token) -> Token) -> Self {
        let all = |tokens: &Vec<Token>| tokens.iter().map(change).collect::<Vec<_>>();
        Self::new(all(&self.code), self.data.iter().map(all).collect())
    }

    fn new(code: Vec<Token>, mut data: Vec<Vec<Token>>) -> Self {
        data.sort_unstable();
        let path = code.iter().find_map(|token| match token {
            Token::Path(path) if !token.word().is_some_and(|word| KEYWORDS.contains(&word)) => {
                Some(path.clone())
            }
            _ => None,
        });
        Self {
            is_constant: code.first().and_then(Token::word) == Some("const"),
            path: path.unwrap_or_default(),
            code,
            data,
        }
    }

    /// Returns the locations of the closures in the body.
    pub(crate) fn closure_locations(&self) -> impl Iterator<Item = &String> {
        self.code.iter().filter_map(|token| match token {
            Token::Location(location) => Some(location),
            _ => None,
        })
    }

    /// Returns the paths and words in the body.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Vec<String>> {
        let tokens = self.code.iter().chain(self.data.iter().flatten());
        tokens.filter_map(|token| match token {
            Token::Path(path) => Some(path),
            _ => None,
        })
    }
}

/// Splits a program in MIR into its functions. `to_source` maps a location such as `bot.rs:1:2: 3:4` to the
/// sources.
pub(crate) fn parse(text: &str, to_source: &impl Fn(&str) -> String) -> Vec<Body> {
    let mut bodies = Vec::new();
    let mut code = Vec::new();
    // The memory dumps so far, and whether the current line belongs to one.
    let (mut data, mut is_data): (Vec<Vec<Token>>, bool) = (Vec::new(), false);
    for line in text.lines() {
        let is_alloc = line.starts_with("alloc") && line.contains(" (") && !line.contains('=');
        // A header begins with a word such as `fn`, or with the path of an anonymous constant.
        let is_header = line.starts_with(|c: char| c.is_ascii_alphabetic() || "_<{".contains(c))
            && line.contains([':', '('])
            && !is_alloc
            && !line.contains("promoted[");
        if is_header && !code.is_empty() {
            let (code, data) = (std::mem::take(&mut code), std::mem::take(&mut data));
            bodies.push(Body::new(code, without_assertions(data)));
        }
        is_data = is_alloc || is_data && !is_header && !line.contains("promoted[");
        if is_alloc {
            data.push(Vec::new());
        }
        let is_variable = line.trim_start().starts_with("debug ") && line.contains(" => ");
        if line.starts_with("//") || is_variable {
            continue;
        }
        // The text at the end of a dump line repeats the bytes of the line.
        let line = if is_data {
            line.rsplit_once('│').map_or(line, |(bytes, _)| bytes)
        } else {
            line
        };
        let tokens = if is_data {
            data.last_mut().unwrap_or(&mut code)
        } else {
            &mut code
        };
        Lexer {
            rest: line,
            to_source,
            tokens,
        }
        .read();
    }
    if !code.is_empty() {
        bodies.push(Body::new(code, without_assertions(data)));
    }
    bodies
}

/// Removes the memory dumps that contain the default message of `assert!`.
fn without_assertions(mut data: Vec<Vec<Token>>) -> Vec<Vec<Token>> {
    let bytes: Vec<&str> = ASSERTION_BYTES.split(' ').collect();
    data.retain(|tokens| {
        let words: Vec<&str> = tokens.iter().filter_map(Token::word).collect();
        !words.windows(bytes.len()).any(|words| words == bytes)
    });
    data
}

struct Lexer<'a, P> {
    rest: &'a str,
    to_source: &'a P,
    tokens: &'a mut Vec<Token>,
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || !c.is_ascii() && !"│╾─╼".contains(c)
}

impl<'a, P: Fn(&str) -> String> Lexer<'a, P> {
    /// Reads the tokens of a line.
    fn read(mut self) {
        while let Some(c) = self.rest.chars().next() {
            match c {
                '"' => self.literal(),
                '\'' => self.character(),
                '<' | '{' if self.path(Vec::new()) => {}
                '@' => {
                    let location = self.location();
                    self.tokens
                        .push(Token::Location((self.to_source)(location)));
                }
                ':' if self.rest.starts_with("::") => {
                    // Drop the closing brackets: `Type<A>::member` has fewer of them than
                    // `<impl Type<A>>::member`.
                    while self.tokens.last() == Some(&Token::Punct('>')) {
                        self.tokens.pop();
                    }
                    if !self.path(vec![String::new()]) && self.rest.starts_with("::") {
                        self.skip(2);
                    }
                }
                c if is_word_char(c) => {
                    let word = self.word();
                    self.path(vec![word]);
                }
                // Whitespace, and the box-drawing characters that mark pointers in a dump.
                c if c.is_whitespace() || "│╾─╼".contains(c) => self.skip(c.len_utf8()),
                c => {
                    self.tokens.push(Token::Punct(c));
                    self.skip(c.len_utf8());
                }
            }
        }
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }

    /// Consumes and returns this number of bytes, or all remaining text if `bytes` is `None`.
    fn take(&mut self, bytes: Option<usize>) -> &'a str {
        let (text, rest) = self.rest.split_at(bytes.unwrap_or(self.rest.len()));
        self.rest = rest;
        text
    }

    /// Consumes an `@` and the closure location after it, and returns the location. For a closure of another
    /// crate, the location is a path with braces.
    fn location(&mut self) -> &'a str {
        let mut depth = 0;
        let end = self.rest.find(|c| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            depth < 0
        });
        &self.take(end)[1..]
    }

    fn word(&mut self) -> String {
        let start = if self.rest.starts_with("r#") { 2 } else { 0 };
        let end = self.rest[start..].find(|c| !is_word_char(c));
        let word = self.take(end.map(|end| start + end));
        let is_alloc = word.strip_prefix("alloc").is_some_and(|number| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        });
        if is_alloc { "alloc" } else { word }.to_string()
    }

    /// Reads a string. Ignores the condition in the default message of `assert!`.
    fn literal(&mut self) {
        let mut is_escaped = false;
        let end = self.rest[1..].find(|c| {
            let is_end = c == '"' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            is_end
        });
        let text = self.take(end.map(|end| end + 2));
        let is_assertion = text.starts_with("\"assertion failed: ");
        let text = if is_assertion {
            "\"assertion failed\""
        } else {
            text
        };
        self.tokens.push(Token::Literal(text.to_string()));
    }

    /// Reads a character such as `'a'`, or the quote of a lifetime.
    fn character(&mut self) {
        let mut inside = self.rest[1..].char_indices();
        let end = match inside.next() {
            Some((_, '\\')) => self.rest[3..].find('\'').map(|end| end + 4),
            _ => inside
                .next()
                .filter(|(_, c)| *c == '\'')
                .map(|(at, _)| at + 2),
        };
        if end.is_some() {
            let text = self.take(end).to_string();
            self.tokens.push(Token::Literal(text));
        } else {
            self.tokens.push(Token::Punct('\''));
            self.skip(1);
        }
    }

    /// Reads the rest of a path that begins with these parts. Returns false if there is no path.
    fn path(&mut self, mut parts: Vec<String>) -> bool {
        let is_start = parts.is_empty();
        loop {
            let colons = if is_start && parts.is_empty() { 0 } else { 2 };
            let is_joined = colons == 0 || self.rest.starts_with("::");
            let next = self
                .rest
                .get(colons..)
                .filter(|_| is_joined)
                .unwrap_or_default();
            if next.starts_with("<impl at ") {
                self.skip(colons + "<impl at ".len());
                let location = (self.to_source)(self.take(self.rest.find('>')));
                self.skip(1);
                parts.push(format!("{IMPL_PREFIX}{location}"));
            } else if next.starts_with(IMPL_PREFIX) {
                // Drop the path before the type of a member: it depends on the module of the `impl` block.
                self.skip(colons + IMPL_PREFIX.len());
                return true;
            } else if let Some(part) = numbered_part(next) {
                let bytes = part.len();
                self.skip(colons + bytes);
                let name = part.split('#').next().unwrap_or(part);
                let ignores_number = matches!(name, "{impl" | "{constant");
                parts.push(if ignores_number {
                    format!("{name}}}")
                } else {
                    part.to_string()
                });
            } else if colons == 2 && next.starts_with(is_word_char) {
                self.skip(2);
                parts.push(self.word());
            } else {
                // The path of a generic function, such as `score::<u8>`, ends before its type arguments.
                if next.starts_with('<') && colons == 2 {
                    self.skip(2);
                }
                break;
            }
        }
        let is_path = parts.iter().any(|part| !part.is_empty());
        if is_path {
            self.tokens.push(Token::Path(parts));
        }
        is_path
    }
}

/// Returns the numbered path part at the start of `text`, such as `{closure#0}` or `{constant#3}`.
fn numbered_part(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('{')?;
    let end = inside.find('}')?;
    let (name, number) = inside[..end].split_once('#')?;
    let is_part =
        name.chars().all(is_word_char) && number.bytes().all(|byte| byte.is_ascii_digit());
    is_part.then(|| &text[..end + 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        let mut tokens = Vec::new();
        let to_source = |location: &str| format!("at {location}");
        Lexer {
            rest: text,
            to_source: &to_source,
            tokens: &mut tokens,
        }
        .read();
        tokens
    }

    fn path(parts: &[&str]) -> Token {
        Token::Path(parts.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn only_parts_that_affect_the_program_remain() {
        let text = r#"// a comment
fn rules::<impl at bot.rs:1:7: 1:17>::score(_1: Board) -> u8 {
    debug board => _1;
    _2 = far::<impl Type<A>>::member(const "text \" debug");
}

alloc12 (size: 3, align: 1) {
    61 62 63                                        │ abc
}

alloc13 (size: 30, align: 1) {
    0x00 │ 61 73 73 65 72 74 69 6f 6e 20 66 61 69 6c 65 64 │ assertion failed
}

const TOP: u8 = {
    _0 = const 1_u8;
}
"#;
        let bodies = parse(text, &|location: &str| format!("at {location}"));
        let [score, top] = &bodies[..] else {
            panic!("{bodies:?}");
        };
        assert_eq!(score.path, ["rules", "<impl at bot.rs:1:7: 1:17", "score"]);
        assert!(!score.is_constant && top.is_constant);
        assert_eq!(score.data.len(), 1);
        assert_eq!(top.path, ["TOP"]);
        let code = score.code.iter();
        assert!(
            !code.clone().any(|token| *token == path(&["debug"])),
            "{score:?}"
        );
    }

    #[test]
    fn two_ways_to_write_a_path_become_one() {
        for (one, other) in [
            ("far::<impl Type<A>>::member(", "Type::<A>::member("),
            ("alloc12", "alloc7"),
            ("a::{constant#1}", "a::{constant#2}"),
            ("\"assertion failed: a\"", "\"assertion failed: b\""),
        ] {
            assert_eq!(tokens(one), tokens(other), "{one}");
        }
        assert_eq!(
            tokens("a::b::<u8>(copy _1, 'x', &'a T, r#move::f, {closure@bot.rs:1:2: 3:4})"),
            [
                path(&["a", "b"]),
                Token::Punct('<'),
                path(&["u8"]),
                Token::Punct('>'),
                Token::Punct('('),
                path(&["copy"]),
                path(&["_1"]),
                Token::Punct(','),
                Token::Literal("'x'".to_string()),
                Token::Punct(','),
                Token::Punct('&'),
                Token::Punct('\''),
                path(&["a"]),
                path(&["T"]),
                Token::Punct(','),
                path(&["r#move", "f"]),
                Token::Punct(','),
                Token::Punct('{'),
                path(&["closure"]),
                Token::Location("at bot.rs:1:2: 3:4".to_string()),
                Token::Punct('}'),
                Token::Punct(')'),
            ]
        );
    }
}
