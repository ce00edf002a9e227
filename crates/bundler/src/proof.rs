//! Proves that a bundle does what the sources do.
//!
//! The compiler prints both programs in MIR, its intermediate representation. In MIR, types are known, macros
//! are expanded, and the path of each item is resolved. Each function of the bundle must equal the function
//! with the same path in the sources:
//!
//! ```text
//! sources    fn game::best() { _3 = game::rules::score(copy _1) }
//! marked     fn zz_best()    { _3 = zz_score(copy _1) }
//! both       fn best()       { _3 = score(copy _1) }         if `game` and `game::rules` were merged
//! ```
//!
//! In MIR, the path of a method contains the location of its `impl` block in the compiled file. The proof
//! replaces it with that of the same token in the sources.

use super::aliases::ALIAS_PREFIX;
use super::compiler::{FILE_NAME, Message};
use super::flat::Homes;
use super::mir::{self, Body, IMPL_PREFIX, Token};
use super::names::MARK_PREFIX;
use super::print::PrintedProgram;
use super::source::Source;
use super::tokens::identifiers;
use super::words::Words;
use anyhow::{Result, ensure};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::{HashMap, HashSet};

/// The macros whose value depends on their location in the file.
pub(crate) const LOCATION_MACROS: [&str; 5] = ["column", "dbg", "file", "line", "module_path"];

/// Definitions of [`LOCATION_MACROS`] that do not depend on the location in the file. The original macros
/// would give different locations in the bundle and in the sources. Only the proof compiles these
/// definitions.
pub(crate) const FIXED_MACROS: &str = "macro_rules! line { () => { 0u32 } } \
    macro_rules! column { () => { 0u32 } } macro_rules! file { () => { \"\" } } \
    macro_rules! module_path { () => { \"\" } } \
    macro_rules! dbg { ($($value:expr),* $(,)?) => { ($(match $value { \
    value => { eprintln!(\"{} = {:#?}\", stringify!($value), &value); value } }),*) } } ";

/// The functions of a program in MIR, including named constants and statics.
pub(crate) struct Bodies(pub(crate) Vec<Body>);

impl Bodies {
    /// Compiles a program that is printed from `source`. Returns its functions, or the compiler's errors.
    ///
    /// # Errors
    /// Returns an error if the compiler cannot be run.
    pub(crate) fn compile(
        program: &PrintedProgram,
        source: &Source,
    ) -> Result<Result<Self, Vec<Message>>> {
        let (errors, text) = source.compiler.emit_mir(program)?;
        let to_source = |location: &str| {
            let start = line_and_column(location).filter(|(file, ..)| *file == FILE_NAME);
            let span = start.and_then(|(_, line, column)| program.span_at(line, column));
            span.map_or(location.to_string(), |span| source.location_of(span))
        };
        let bodies = || Self(mir::parse(&text, &to_source));
        Ok(errors.is_empty().then(bodies).ok_or(errors))
    }

    /// Checks that `self`, the functions of the sources, contains each function of `bundle`. `homes` maps
    /// each merged module to the module that holds its items.
    ///
    /// # Errors
    /// Returns an error if the sources do not contain a function of the bundle, or if two functions of the
    /// sources would have the same path in the bundle. The error names the functions.
    pub(crate) fn check_contains(
        &self,
        bundle: &Self,
        homes: &Homes,
        source: &Source,
    ) -> Result<()> {
        let mut paths: HashMap<Vec<String>, &Vec<String>> = HashMap::new();
        let mut own = HashSet::new();
        for function in &self.0 {
            let moved = to_flat_paths(function, homes);
            let path = &function.path;
            let known = paths.entry(moved.path.clone()).or_insert(path);
            ensure!(
                *known == path,
                "{} and {} would be one",
                known.join("::"),
                path.join("::")
            );
            own.insert(moved);
        }
        let mentioned_names = bundle.mentioned_names();
        for function in &bundle.0 {
            let plain = function.map(&without_marks);
            let is_same = own.contains(&plain) || is_unused(function, &mentioned_names);
            ensure!(
                is_same,
                "{} would not do the same",
                source.describe_item(&plain.path)
            );
        }
        Ok(())
    }

    /// Checks that `short` equals this program, apart from the words that replace the marked names.
    ///
    /// # Errors
    /// Returns an error if the numbers of functions differ, or if a function differs. The latter error names
    /// the first such function.
    pub(crate) fn check_equals(&self, short: &Self, words: &Words) -> Result<()> {
        ensure!(self.0.len() == short.0.len(), "a function is missing");
        let mentioned_names = self.mentioned_names();
        for (own, short) in self.0.iter().zip(&short.0) {
            let is_same =
                own.map(&|token| renamed(token, words)) == short.map(&without_impl_location);
            ensure!(
                is_same || is_unused(own, &mentioned_names),
                "{} would not do the same",
                own.path.join("::")
            );
        }
        Ok(())
    }

    /// Returns the last segment of every path that the functions mention, except each function's own path in
    /// its header.
    pub(crate) fn mentioned_names(&self) -> HashSet<&str> {
        let paths = self.0.iter().flat_map(|body| {
            let mut is_header = true;
            body.paths().filter(move |path| {
                let is_own = is_header && **path == body.path;
                is_header &= !is_own;
                !is_own
            })
        });
        paths
            .filter_map(|path| path.last())
            .map(String::as_str)
            .collect()
    }
}

/// Splits a location such as `bot.rs:1:2: 3:4` into the file, and the line and the column of its start.
pub(crate) fn line_and_column(location: &str) -> Option<(&str, usize, usize)> {
    let (start, _) = location.rsplit_once(": ")?;
    let (rest, column) = start.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some((file, line.parse().ok()?, column.parse().ok()?))
}

/// Prepends [`FIXED_MACROS`] to a program that may use [`LOCATION_MACROS`].
pub(crate) fn fix_locations(program: TokenStream) -> TokenStream {
    let may_be_call = |word: &String| LOCATION_MACROS.contains(&&word[..]);
    if !identifiers(program.clone()).iter().any(may_be_call) {
        return program;
    }
    let files = [Ok(program.clone()), FIXED_MACROS.parse()]
        .map(|tokens| syn::parse2::<syn::File>(tokens.unwrap_or_default()));
    let [Ok(mut file), Ok(macros)] = files else {
        return program;
    };
    file.items.splice(0..0, macros.items);
    file.into_token_stream()
}

/// True for a constant that no other item mentions. Such a constant has no effect on the program.
pub(crate) fn is_unused(function: &Body, mentioned_names: &HashSet<&str>) -> bool {
    let name = function.path.last();
    function.is_constant && name.is_none_or(|name| !mentioned_names.contains(&name[..]))
}

fn without_marks(token: &Token) -> Token {
    token.map_parts(|part| part.replace(MARK_PREFIX, "").replace(ALIAS_PREFIX, ""))
}

/// Returns a token without the location of an `impl` block.
fn without_impl_location(token: &Token) -> Token {
    token.map_parts(|part| {
        if part.starts_with(IMPL_PREFIX) {
            IMPL_PREFIX
        } else {
            part
        }
        .to_string()
    })
}

/// Replaces the marked names in a token with their words, and removes the location of an `impl` block.
fn renamed(token: &Token, words: &Words) -> Token {
    let word = |name: &str| words.get(name).map_or(name, String::as_str).to_string();
    // MIR joins the names of a variable and its captured field: `zz_trigger__zz_stack`.
    let joined = |part: &str| part.split("__").map(word).collect::<Vec<_>>().join("__");
    without_impl_location(token).map_parts(|part| match words.get(part) {
        Some(word) => word.clone(),
        None => joined(part),
    })
}

/// Returns a function of the sources with the paths that the flat program uses.
fn to_flat_paths(function: &Body, homes: &Homes) -> Body {
    function.map(&|token| match token {
        Token::Path(path) => {
            let mut ends = (1..path.len()).rev();
            let home = ends.find_map(|end| Some((homes.get(&path[..end])?, &path[end..])));
            Token::Path(home.map_or(path.clone(), |(home, item)| [home, item].concat()))
        }
        token => token.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::words;
    use super::*;

    #[test]
    fn only_paths_of_merged_modules_change() {
        let path = |text: &str| -> Vec<String> {
            let parts = text.split("::").filter(|part| !part.is_empty());
            parts.map(String::from).collect()
        };
        let homes = [("", ""), ("a", ""), ("a::b", ""), ("c", "c"), ("c::d", "c")];
        let homes = Homes::from(homes.map(|(module, home)| (path(module), path(home))));
        let read = |text: &str| mir::parse(text, &|location: &str| location.to_string()).remove(0);
        let function = "fn a::b::<impl at 1:2>::f(_1: &c::d::T, _2: std::a::T) -> a::b::U {\n\
                        _2 = a::{constant#1}; _4 = c::d::{impl#1}::é; _5 = T { a: a };\n\
                        _3 = c::d::<impl at 3:4>::g(a::h::<b::c>, \"a::b\")";
        let expected = "fn <impl at 1:2>::f(_1: &c::T, _2: std::a::T) -> U {\n\
                        _2 = {constant#1}; _4 = c::{impl#1}::é; _5 = T { a: a };\n\
                        _3 = c::<impl at 3:4>::g(h::<b::c>, \"a::b\")";
        assert_eq!(to_flat_paths(&read(function), &homes), read(expected));
    }

    /// Returns the error from comparing a bundle with the sources; empty if they are equivalent.
    fn refusal(sources: &str, bundle: &str, homes: &Homes) -> String {
        let [sources, bundle] = [sources, bundle].map(|text| {
            let source = Source::from_text(text);
            compile(source.program.to_token_stream(), &source)
        });
        message(sources.check_contains(&bundle, homes, &Source::from_text("")))
    }

    fn compile(program: TokenStream, source: &Source) -> Bodies {
        Bodies::compile(&PrintedProgram::new(program), source)
            .unwrap()
            .unwrap_or_else(|errors| panic!("{}", errors[0].text))
    }

    fn message(result: Result<()>) -> String {
        result
            .err()
            .map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn another_closure_is_no_proof() {
        let text = "fn f(_: impl Fn(u8) -> u8) {} fn main() { \
                    let zz_one = |x: u8| x + 1; let zz_two = |x: u8| x + 2; f(zz_one); f(zz_two); }";
        let source = Source::from_text(text);
        let sources = compile(source.program.to_token_stream(), &source);
        // MIR has no variables for closures that capture nothing, so only the closures' locations differ.
        for (word, expected) in [("b", ""), ("a", "main would not do the same")] {
            let words = [("zz_one", "a"), ("zz_two", word)];
            let words = Words::from(words.map(|(name, word)| (name.into(), word.into())));
            let short = words::rename(source.program.to_token_stream(), &words);
            let short = compile(short, &source);
            let contained = sources.check_contains(&short, &Homes::new(), &source);
            assert_eq!(message(contained), expected);
            assert_eq!(message(sources.check_equals(&short, &words)), expected);
        }
    }

    #[test]
    fn another_function_is_no_proof() {
        let sources =
            "fn score() -> u8 { 1 } mod a { pub fn score() -> u8 { 2 } } fn main() { a::score(); }";
        let same = Homes::new();
        assert_eq!(refusal(sources, sources, &same), "");
        for (bundle, expected) in [
            (
                "fn score() -> u8 { 1 } fn main() { score(); }",
                "main would not do the same",
            ),
            (
                "fn score() -> u8 { 3 } mod a { pub fn score() -> u8 { 2 } } fn main() { a::score(); }",
                "score would not do the same",
            ),
            (
                "mod a { pub fn score() -> u8 { 2 } } fn main() { a::score(); stringify!(x); }",
                "",
            ),
        ] {
            assert_eq!(refusal(sources, bundle, &same), expected, "{bundle}");
        }
        let merged = Homes::from([(vec!["a".to_string()], Vec::new())]);
        let bundle = "fn score() -> u8 { 2 } fn main() { score(); }";
        assert_eq!(
            refusal(sources, bundle, &merged),
            "score and a::score would be one"
        );
    }
}
