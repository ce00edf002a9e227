//! Shows that a short program does what the sources do.
//!
//! The compiler prints both in its intermediate form MIR, in which all names are resolved: types
//! are known, and methods and macros have been chosen. Each function of the short program must be
//! one of the sources, to the letter, once marks and the paths of modules are gone:
//!
//!     sources   _3 = rules::score(copy _1, const rules::LIMIT)
//!     short     _3 = zz_score(copy _1, const 40_u64)
//!     both      _3 = score(copy _1, const 40_u64)
//!
//! A name of the standard library that the program declares as well gets a mark of its own. So a
//! call that reaches the wrong one of the two is a difference.

use super::compiler;
use super::print::Printed;
use super::shorten::{Names, Uses, MARK};
use super::source::Source;
use anyhow::{bail, Result};
use regex::{Captures, Regex};
use std::collections::{HashMap, HashSet};

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

    /// Checks that each function of `short` is one of this program. In `short` the `names` are
    /// marked, and the `constants` are numbers.
    ///
    /// # Errors
    /// Names a function that is not.
    pub(crate) fn contain(&self, short: &Self, names: &Names, constants: &[String]) -> Result<()> {
        let own = canonical(&self.0, names, false);
        let (own, short) = (
            with_numbers(&own, constants),
            canonical(&short.0, names, true),
        );
        let mut known: HashMap<String, usize> = HashMap::new();
        for body in bodies(&own) {
            *known.entry(body).or_default() += 1;
        }
        let short = bodies(&short);
        for body in &short {
            match known.get_mut(body) {
                Some(count) if *count > 0 => *count -= 1,
                _ if is_unused(body, &short) => {}
                _ => bail!("{} would not do the same", title(body)),
            }
        }
        Ok(())
    }
}

/// The first line of a function, without its body.
fn title(body: &str) -> &str {
    body.split(['(', '{']).next().unwrap_or(body).trim()
}

/// The functions of a program; constants and texts follow the function that they belong to.
fn bodies(text: &str) -> Vec<String> {
    // Such as `fn`, `const`, `static`, or the path of a constant without a name.
    let starts = Regex::new(r"(?m)^[a-z<{].* ?[:(]").expect("an expression");
    let is_own = |line: &str| {
        let line = line.lines().next().unwrap_or_default();
        !line.starts_with("alloc ") && !line.contains("promoted[")
    };
    let starts = starts.find_iter(text).map(|found| found.start());
    let mut starts: Vec<usize> = starts.filter(|start| is_own(&text[*start..])).collect();
    starts.push(text.len());
    let bodies = starts.windows(2).map(|pair| {
        // The order of the texts is that of their numbers.
        let mut parts: Vec<&str> = text[pair[0]..pair[1]]
            .trim_end()
            .split("\n\nalloc ")
            .collect();
        parts[1..].sort_unstable();
        parts.join("\n\nalloc ")
    });
    bodies.collect()
}

/// True for a constant that no other function mentions, such as a table for tools.
fn is_unused(body: &str, bodies: &[String]) -> bool {
    let Some(name) = body
        .strip_prefix("const ")
        .and_then(|rest| rest.split(':').next())
    else {
        return false;
    };
    let name = format!("const {name}");
    !bodies
        .iter()
        .any(|other| !other.starts_with(&name) && other.contains(&name))
}

/// The text in which each of the `constants` is its number.
fn with_numbers(text: &str, constants: &[String]) -> String {
    let mut numbers = HashMap::new();
    for body in bodies(text) {
        let (Some(name), Some(at)) = (body.strip_prefix("const "), body.rfind("const ")) else {
            continue;
        };
        let name = name
            .split([':', '='])
            .find(|part| constants.iter().any(|of| of == part));
        let value = body[at..].split(';').next();
        numbers.extend(name.map(String::from).zip(value.map(String::from)));
    }
    let used = Regex::new(r"const (?:[^ ,;()]*::)?(\w+)\b").expect("an expression");
    let used = used.replace_all(text, |found: &Captures| match numbers.get(&found[1]) {
        Some(value) => (*value).clone(),
        None => found[0].to_string(),
    });
    used.into_owned()
}

/// MIR without marks, paths of modules, places in files, and numbers of allocations.
fn canonical(text: &str, names: &Names, is_short: bool) -> String {
    let noise = [
        (r"@[^ ]*\.rs:\d+:\d+: \d+:\d+", ""),
        (r" at [^ ]*\.rs:\d+:\d+: \d+:\d+", ""),
        (r"alias_of_", ""),
        (r"impl#\d+", "impl"),
        (r"constant#\d+", "constant"),
        (r"╾─*alloc\d+", "alloc"),
        (r"─*╼", ""),
        (r"alloc\d+", "alloc"),
    ];
    let text = noise.iter().fold(text.to_string(), |text, (noise, by)| {
        let noise = Regex::new(noise).expect("an expression");
        noise.replace_all(&text, *by).into_owned()
    });
    let everywhere = names.iter().filter(|(_, uses)| **uses == Uses::All);
    let everywhere: HashSet<&str> = everywhere.map(|(name, _)| &name[..]).collect();
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        if line.contains('│') {
            out.push_str(line); // bytes
        } else {
            path_by_path(&with_types(line), &everywhere, is_short, &mut out);
        }
        out.push('\n');
    }
    out
}

/// A line in which the members of a type have one name wherever they are implemented: in place of
/// `<impl Type<A>>::member` it has `Type::<A>::member`.
fn with_types(line: &str) -> String {
    let Some((before, rest)) = line.split_once("<impl ") else {
        return line.to_string();
    };
    let (mut depth, mut is_trait) = (1, false);
    let end = rest.char_indices().find(|(at, c)| {
        let is_arrow = *c == '>' && rest[..*at].ends_with(['-', '=']);
        depth += i32::from(*c == '<') - i32::from(*c == '>' && !is_arrow);
        is_trait |= depth == 1 && rest[*at..].starts_with(" as ");
        depth == 0
    });
    let end = end.map_or(rest.len(), |(at, _)| at);
    let (of, after) = rest.split_at(end);
    let after = with_types(after);
    match after.strip_prefix('>') {
        Some(after) if after.starts_with("::") && !is_trait => {
            format!("{before}{}{after}", of.replacen('<', "::<", 1))
        }
        _ => format!("{before}<impl {of}{after}"),
    }
}

/// Adds a line to `out`, without marks and modules.
fn path_by_path(line: &str, everywhere: &HashSet<&str>, is_short: bool, out: &mut String) {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut rest, mut is_foreign, mut is_first) = (line, false, true);
    while let Some(c) = rest.chars().next() {
        if c == '"' {
            // A text stays as it is.
            let mut escaped = false;
            let end = rest.char_indices().skip(1).find(|(_, c)| {
                let is_end = *c == '"' && !escaped;
                escaped = *c == '\\' && !escaped;
                is_end
            });
            let end = end.map_or(rest.len(), |(at, _)| at + 1);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        if !is_word(c) {
            let colons = rest.starts_with("::");
            let length = if colons { 2 } else { c.len_utf8() };
            out.push_str(&rest[..length]);
            rest = &rest[length..];
            (is_foreign, is_first) = (false, !colons);
            continue;
        }
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        // Also in `self__zz_count`, a field that a closure captures.
        let name = word.replace(MARK, "");
        let is_lower = |c: char| c.is_lowercase() || c == '_';
        rest = after;
        let is_module = after
            .strip_prefix("::")
            .is_some_and(|next| next.starts_with(is_word) || next.starts_with("<impl"));
        if is_module && is_first && name.starts_with(is_lower) && !word.starts_with("promoted") {
            is_foreign |= ["std", "core", "alloc", "std_detect"].contains(&word);
            rest = &after[2..];
            continue;
        }
        let is_item = word.starts_with(char::is_uppercase)
            || after.starts_with(['('])
            || after.starts_with("::<");
        let is_unmarked = is_short && is_first && is_item && name == word;
        let is_known = everywhere.contains(word);
        if is_known && (is_foreign || is_unmarked) {
            out.push_str("std#");
        }
        out.push_str(&name);
        (is_foreign, is_first) = (false, true);
    }
}
