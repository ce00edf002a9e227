//! Shows that a short program does what the sources do.
//!
//! The compiler prints both in its intermediate form MIR, in which all names are resolved: types
//! are known, and methods and macros have been chosen. Each function of the short program must be
//! one of the sources, to the letter, once marks and the paths of modules are gone:
//!
//!     sources   _3 = rules::score(copy _1)
//!     short     _3 = zz_score(copy _1)
//!     both      _3 = score(copy _1)
//!
//! Paths of the standard library stay. So a call that reaches the program's `max` in place of
//! `std::cmp::max` is a difference.

use super::compiler;
use super::constants::Number;
use super::names::{FIELD, FUNCTION, MARK};
use super::print::{Printed, ALIAS};
use super::source::Source;
use super::words::{self, Words};
use anyhow::{ensure, Result};
use regex::{Captures, Regex};
use std::collections::{HashMap, HashSet};

/// Texts in MIR that say nothing about what a program does: places in files, names of variables,
/// numbers of allocations, and two ways to write the path of a member.
const NOISE: [(&str, &str); 10] = [
    (r"(?m)^//.*\n", ""),
    (r"(@| at )[^ ]*\.rs:\d+:\d+: \d+:\d+", ""),
    (r"\bdebug \S+ =>", "debug"),
    (r"(impl|constant)#\d+", "$1"),
    (r"╾─*alloc\d+", "alloc"),
    (r"─*╼", ""),
    (r"alloc\d+", "alloc"),
    // `<impl Type<A>>::member` and `Type::<A>::member`
    (r"<impl ", ""),
    (r"::<", "<"),
    (r">+::", "::"),
];

/// The constants that a program has numbers in place of, by their marked names.
type Numbers = HashMap<String, Number>;

/// The functions of a program, as the compiler understands them.
pub(crate) struct Bodies(String);

impl Bodies {
    /// # Errors
    /// If there is no compiler, or the program does not compile.
    pub(crate) fn of(program: &Printed, source: &Source) -> Result<Self> {
        let (messages, text) = compiler::mir(program)?;
        match messages.iter().find(|message| message.is_error) {
            Some(error) => Err(source.explain(error, program)),
            None => Ok(Self(text)),
        }
    }

    /// Checks that each function of `marked` is one of this program, whatever its module.
    ///
    /// # Errors
    /// Names a function that is not.
    pub(crate) fn contain(&self, marked: &Self) -> Result<()> {
        let [own, marked] = [self, marked].map(|program| functions(&without_modules(&program.0)));
        // A set: the compiler prints the constructor of a tuple struct twice.
        let own: HashSet<&String> = own.iter().collect();
        for function in &marked {
            ensure_same(own.contains(function), function, &marked)?;
        }
        Ok(())
    }

    /// Checks that `short` is this program with other words for the marked names, and with
    /// `numbers` in place of these constants.
    ///
    /// # Errors
    /// Names the first function that is not.
    pub(crate) fn are(&self, short: &Self, words: &Words, numbers: &Numbers) -> Result<()> {
        let constant = Regex::new(&format!(r"\bconst (?:\w+::)*({MARK}\w+)\b")).expect("an expression");
        let mut own = functions(&self.0);
        own.retain(|function| {
            let name = constant.captures_at(function, 0);
            !name.is_some_and(|name| function.starts_with(&name[0]) && numbers.contains_key(&name[1]))
        });
        let value = |found: &Captures| match numbers.get(&found[1]) {
            Some(number) => format!("const {}", number.printed),
            None => found[0].to_string(),
        };
        let own = own.iter().map(|function| constant.replace_all(function, value));
        let own: Vec<String> = own.map(|function| words::in_text(&function, words)).collect();
        let short = functions(&short.0);
        ensure!(own.len() == short.len(), "a function is missing");
        for (own, function) in own.iter().zip(&short) {
            if own != function { std::fs::write("/tmp/bundler/o1", own)?; std::fs::write("/tmp/bundler/o2", function)?; }
            ensure_same(own == function, function, &short)?;
        }
        Ok(())
    }
}

/// Refuses a function that is not the same, unless nothing mentions it, such as a table for tools.
fn ensure_same(is_same: bool, function: &str, all: &[String]) -> Result<()> {
    let title = function.split([':', '(', '{']).next().unwrap_or_default();
    let is_constant = title.starts_with("const ");
    let is_used = |other: &String| !other.starts_with(title) && other.contains(title);
    ensure!(
        is_same || is_constant && !all.iter().any(is_used),
        "{} would not do the same",
        title.trim()
    );
    Ok(())
}

/// The functions of a program, without noise. Constants and texts follow the function that they
/// belong to.
fn functions(text: &str) -> Vec<String> {
    let text = NOISE.iter().fold(text.to_string(), |text, (noise, by)| {
        let noise = Regex::new(noise).expect("an expression");
        noise.replace_all(&text, *by).into_owned()
    });
    // Such as `fn`, `const`, `static`, or the path of a constant without a name.
    let starts = Regex::new(r"(?m)^[a-z<{].* ?[:(]").expect("an expression");
    let is_own = |line: &str| {
        let line = line.lines().next().unwrap_or_default();
        !line.starts_with("alloc ") && !line.contains("promoted[")
    };
    let starts = starts.find_iter(&text).map(|found| found.start());
    let mut starts: Vec<usize> = starts.filter(|start| is_own(&text[*start..])).collect();
    starts.push(text.len());
    let functions = starts.windows(2).map(|pair| {
        // The order of the texts is that of their numbers.
        let mut parts: Vec<&str> = text[pair[0]..pair[1]]
            .trim_end()
            .split("\n\nalloc ")
            .collect();
        parts[1..].sort_unstable();
        parts.join("\n\nalloc ")
    });
    functions.collect()
}

/// MIR without marks, and without the modules in paths of the program. Texts stay.
fn without_modules(text: &str) -> String {
    let is_foreign = |path: &str| {
        let of = |krate: &&str| path.starts_with(*krate);
        ["std::", "core::", "alloc::", "std_detect::"]
            .iter()
            .any(of)
    };
    let text = without(
        text,
        &format!(r"{MARK}|{ALIAS}|{FUNCTION}\d+|{FIELD}"),
        |_| false,
    );
    without(&text, r"\b(?:[a-z_]\w*::)+", is_foreign)
}

/// The text without what `pattern` matches, but for texts in quotes and what `stays`.
fn without(text: &str, pattern: &str, stays: impl Fn(&str) -> bool) -> String {
    let parts = format!(r#"'"'|"(?:\\.|[^"\\\n])*"|{pattern}"#);
    let parts = Regex::new(&parts).expect("an expression");
    let kept = |part: &Captures| match &part[0] {
        part if part.contains('"') || stays(part) => part.to_string(),
        _ => String::new(),
    };
    parts.replace_all(text, kept).into_owned()
}
