//! Proves that a short program does what the sources do.
//!
//! The compiler prints both programs in its intermediate form, MIR. In MIR, types are known, macros are expanded, and the path of each
//! method is resolved. Without marks and the paths of modules, each function of the short program must equal one of the sources:
//!
//! ```text
//! sources   _3 = rules::score(copy _1)
//! marked    _3 = zz_score(copy _1)
//! both      _3 = score(copy _1)
//! ```
//!
//! Paths of the standard library remain. So a call of the program's `max` differs from a call of `std::cmp::max`.

use super::aliases::ALIAS;
use super::compiler::{self, Message};
use super::names::{FIELD, FUNCTION, MARK};
use super::print::Printed;
use super::words::{self, Words};
use anyhow::{Result, ensure};
use std::collections::HashSet;

/// The end of the first line of MIR's memory dump of "assertion failed: …", the text of an `assert!` without a message.
const ASSERTION: &str = " │ 61 73 73 65 72 74 69 6f 6e 20 66 61 69 6c 65 64 │ assertion failed";

/// A program in MIR.
pub(crate) struct Bodies(String);

impl Bodies {
    /// Compiles a program. Returns its functions, or the compiler's errors.
    ///
    /// # Errors
    /// Returns an error if the compiler cannot be run.
    pub(crate) fn of(program: &Printed) -> Result<Result<Self, Vec<Message>>> {
        let (mut messages, text) = compiler::mir(program)?;
        messages.retain(|message| message.is_error);
        Ok(if messages.is_empty() {
            Ok(Self(text))
        } else {
            Err(messages)
        })
    }

    /// Checks that this program contains each function of `marked`, in any module.
    ///
    /// # Errors
    /// Returns an error that names a function that this program does not contain.
    pub(crate) fn contain(&self, marked: &Self) -> Result<()> {
        let [own, marked] = [self, marked].map(|program| functions(&normal(&program.0, true)));
        // A set: the compiler prints the constructor of a tuple struct twice.
        let own: HashSet<&String> = own.iter().collect();
        for function in &marked {
            ensure_same(own.contains(function), function, &marked)?;
        }
        Ok(())
    }

    /// Checks that `short` is this program with other words for the marked names.
    ///
    /// # Errors
    /// Returns an error that names the first different function.
    pub(crate) fn are(&self, short: &Self, words: &Words) -> Result<()> {
        let own = functions(&normal(&words::in_text(&self.0, words), false));
        let short = functions(&normal(&short.0, false));
        ensure!(own.len() == short.len(), "a function is missing");
        for (own, function) in own.iter().zip(&short) {
            ensure_same(own == function, function, &short)?;
        }
        Ok(())
    }
}

/// Returns an error if a function differs, unless it is a constant that no other function mentions, such as a table that only tools use.
fn ensure_same(is_same: bool, function: &str, all: &[String]) -> Result<()> {
    let title = function.split(": ").next().unwrap_or_default();
    let title = title.split(['(', '{']).next().unwrap_or_default();
    let is_constant = title.starts_with("const ");
    let is_used = |other: &String| !other.starts_with(title) && other.contains(title);
    ensure!(
        is_same || is_constant && !all.iter().any(is_used),
        "{} would not do the same",
        title.trim()
    );
    Ok(())
}

/// Returns the functions of a program. Constants and texts follow the function that they belong to.
fn functions(text: &str) -> Vec<String> {
    let mut functions: Vec<String> = Vec::new();
    for line in text.lines() {
        // A header begins with a word such as `fn`, `const` or `static`, or with the path of a
        // constant without a name.
        let is_header = line.starts_with(|c: char| c.is_ascii_alphabetic() || "_<{".contains(c))
            && line.contains([':', '('])
            && !line.starts_with("alloc ")
            && !line.contains("promoted[");
        match functions.last_mut() {
            Some(function) if !is_header => *function += line,
            _ => functions.push(line.to_string()),
        }
        functions
            .last_mut()
            .into_iter()
            .for_each(|function| function.push('\n'));
    }
    for function in &mut functions {
        // MIR lists the texts by allocation number. The comparison ignores these numbers, so sort the texts.
        let mut parts: Vec<&str> = function.trim_end().split("\n\nalloc ").collect();
        parts.retain(|part| !part.contains(ASSERTION));
        parts[1..].sort_unstable();
        *function = parts.join("\n\nalloc ");
    }
    functions
}

/// Returns MIR without the parts that do not affect a program.
///
/// These are comments, source locations, names of variables, numbers of allocations, and the text of an `assert!` without a message.
/// `<impl Type<A>>::member` and `Type::<A>::member`, two ways to write one path, become equal.
///
/// If `is_plain`, marks and the names of the program's modules are removed as well.
fn normal(text: &str, is_plain: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines().filter(|line| !line.starts_with("//")) {
        let mut line = without_places(line);
        if let Some((_, value)) = line
            .split_once(" => ")
            .filter(|_| line.trim_start().starts_with("debug "))
        {
            line = format!("debug {value}");
        }
        let pieces = pieces(&line);
        // True while a path leads into the standard library.
        let mut is_foreign = false;
        for (i, piece) in pieces.iter().enumerate() {
            let is_first = !out.ends_with("::");
            match *piece {
                "╾" | "─" | "╼" => {}
                text if text.starts_with("\"assertion failed: ") => out += "\"assertion failed\"",
                // `score::<u8>` loses its colons, and `<impl Type>::member` its `<impl `.
                "<" if !is_first => {
                    out.truncate(out.len() - 2);
                    out.push('<');
                }
                " " if out.ends_with("<impl") => out.truncate(out.len() - "<impl".len()),
                ":" if out.ends_with(':') => {
                    let path = out.trim_end_matches(':').trim_end_matches('>').len();
                    out.truncate(path);
                    let word = out.rfind(|c: char| !is_word(c)).map_or(0, |at| at + 1);
                    let name = &out[word..];
                    let is_lower = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_');
                    is_foreign |= FOREIGN.contains(&name);
                    let is_module = is_lower && name != "impl" && !is_foreign;
                    if is_plain && is_module && !is_generic(&pieces[i + 1..]) {
                        out.truncate(word);
                    } else {
                        out += "::";
                    }
                }
                word if word.starts_with(is_word) => {
                    is_foreign &= !is_first;
                    let is_number =
                        |word: &str| !word.is_empty() && word.bytes().all(|c| c.is_ascii_digit());
                    let is_numbered = ["impl#", "constant#"]
                        .iter()
                        .any(|start| out.ends_with(start));
                    if is_number(word) && is_numbered {
                        out.pop();
                    } else if word.strip_prefix("alloc").is_some_and(is_number) {
                        out += "alloc";
                    } else if is_plain && word.contains('_') {
                        out += &without_marks(word);
                    } else {
                        out += word;
                    }
                }
                other => out += other,
            }
        }
        out.push('\n');
    }
    out
}

/// True if the pieces after `::` are the types of a generic function, as in `score::<u8>(…)`, and not the next part of a path.
fn is_generic(pieces: &[&str]) -> bool {
    let mut depth = 0;
    let end = pieces.iter().enumerate().position(|(i, piece)| {
        depth += i32::from(*piece == "<");
        depth -= i32::from(*piece == ">" && (i == 0 || pieces[i - 1] != "-"));
        depth == 0
    });
    pieces.first() == Some(&"<") && end.is_none_or(|end| pieces.get(end + 1) != Some(&":"))
}

/// The names that paths of the standard library begin with.
const FOREIGN: [&str; 4] = ["std", "core", "alloc", "std_detect"];

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Splits a line into words, quoted strings, and other characters.
fn pieces(line: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let length = if first == '"' {
            let mut is_escaped = false;
            let end = rest[1..].find(|c| {
                let is_end = c == '"' && !is_escaped;
                is_escaped = c == '\\' && !is_escaped;
                is_end
            });
            end.map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("'\"'") {
            3
        } else if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        pieces.push(&rest[..length]);
        rest = &rest[length..];
    }
    pieces
}

/// Returns a line without source locations such as ` at bot.rs:1:2: 3:4` and `@bot.rs:1:2: 3:4`.
fn without_places(line: &str) -> String {
    let (mut out, mut rest) = (String::new(), line);
    while let Some(at) = rest.find(".rs:") {
        let (before, after) = rest.split_at(at + ".rs:".len());
        let end = after
            .find(|c: char| !c.is_ascii_digit() && c != ':' && c != ' ')
            .unwrap_or(after.len());
        let start = before.rfind([' ', '@']).unwrap_or(0);
        let start = before[..start].strip_suffix(" at").map_or(start, str::len);
        out += &before[..start];
        rest = &after[end..];
    }
    out + rest
}

/// Returns a word without marks.
fn without_marks(word: &str) -> String {
    let word = word.replace(MARK, "").replace(ALIAS, "").replace(FIELD, "");
    match word.split_once(FUNCTION) {
        Some((name, number)) => {
            name.to_string() + number.trim_start_matches(|c: char| c.is_ascii_digit())
        }
        None => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_parts_that_affect_the_program_remain() {
        let mir = r#"// a comment
fn rules::<impl at bot.rs:5:6: 7:8>::zz_score(_1: zz_Board) -> u8 {
    debug zz_board_of_function_1 => _1;
    _2 = rules::deep::score::<u8>(copy _1) -> [return: bb1];
    _3 = <impl Type<A>>::member(const "rules::zz_text \" debug");
    _4 = std::mem::drop::<{closure@bot.rs:1:2: 3:4}>(const {alloc12: &str});
    _5 = <impl at bot.rs:5:6: 7:8>::one(const zz_Board::zz_MAX::{constant#3}) with "assertion failed: zz_a";
}
"#;
        let expected = r#"fn <impl::score(_1: Board) -> u8 {
debug _1;
    _2 = score<u8>(copy _1) -> [return: bb1];
    _3 = Type<A::member(const "rules::zz_text \" debug");
    _4 = std::mem::drop<{closure}>(const {alloc: &str});
    _5 = <impl::one(const Board::MAX::{constant}) with "assertion failed";
}
"#;
        assert_eq!(normal(mir, true), expected);
    }
}
