//! Proves that a bundle does what the sources do.
//!
//! The compiler prints both programs in its intermediate form, MIR. In MIR, types are known, macros are
//! expanded, and the path of each item is resolved. Each function of the bundle must equal the function with
//! the same path in the sources:
//!
//! ```text
//! sources    fn game::best() { _3 = game::rules::score(copy _1) }
//! marked     fn zz_best()    { _3 = zz_score(copy _1) }
//! both       fn best()       { _3 = score(copy _1) }         if `game` and `game::rules` were merged
//! ```
//!
//! In MIR, the path of a method contains the location of its `impl` block in the compiled file. The proof
//! replaces this location with the place of the same token in the sources.

use super::aliases::ALIAS_PREFIX;
use super::compiler::{Compiler, Message};
use super::flat::Homes;
use super::names::MARK_PREFIX;
use super::places::{place_text, remove_places};
use super::print::PrintedProgram;
use super::source::{Library, Source};
use super::tokens::identifiers;
use super::words::{self, Words};
use anyhow::{Result, ensure};
use proc_macro2::TokenStream;
use quote::ToTokens;
use regex::{Captures, Regex};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;
use syn::parse_quote;

/// The line that begins MIR's memory dump of "assertion failed: …", the default message of `assert!`.
const ASSERTION_TEXT: &str =
    " │ 61 73 73 65 72 74 69 6f 6e 20 66 61 69 6c 65 64 │ assertion failed";

/// A location such as ` at bot.rs:1:2: 3:4`.
static LOCATION: LazyLock<Regex> = LazyLock::new(|| {
    expression(r"(?: at |(?<sign>[ @]))[^ @]*\.rs:(?<line>\d+):(?<column>\d+)[\d: ]*")
});

/// The parts of MIR that may differ between equivalent programs. The expression also matches whole strings,
/// places and non-ASCII words, so that it matches nothing inside them.
static VARIANT_PARTS: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r#"(?x) "(?:\\.|[^"\\])*"? | '"' | ⟨[^⟩]*⟩ | [\wLETTERS:]*<impl\x20 | [LETTERS][\wLETTERS]* | [╾─╼]
        | >*::<? | (?<numbered>impl|constant)\#\d+ | \balloc\d+\b"#,
    )
});

/// The strings and the paths in normalised MIR. The path of a module ends with `::` or `<impl`.
static PATHS: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r#"(?x) "(?:\\.|[^"\\])*"? | '"'
        | (?:::)? (?:r\#)?[\wLETTERS]+ (?: ::(?:r\#)?[\wLETTERS]+ )* (?: :: | <impl )?"#,
    )
});

/// Compiles a regular expression. In a class, `LETTERS` stands for the letters that are not ASCII.
fn expression(text: &str) -> Regex {
    let text = text.replace("LETTERS", r"\x{80}-\x{1fff}\x{2c00}-\x{10ffff}");
    Regex::new(&text).expect("a regular expression")
}

/// The functions of a program in MIR; here, named constants and statics count as functions, too. Promoted
/// constants and string data belong to the text of the function that uses them.
pub(crate) struct Bodies(Vec<String>);

impl Bodies {
    /// Compiles a program; `kind` is `bin` or `lib`. Returns its functions, or the compiler's errors.
    ///
    /// # Errors
    /// Returns an error if the compiler cannot be run.
    pub(crate) fn compile(
        program: &PrintedProgram,
        compiler: &Compiler,
        kind: &str,
    ) -> Result<Result<Self, Vec<Message>>> {
        let (errors, text) = compiler.emit_mir(program, kind)?;
        let bodies = || Self(functions(&normal(&text, program)));
        Ok(errors.is_empty().then(bodies).ok_or(errors))
    }

    /// Compiles the sources, each crate in its own edition.
    ///
    /// # Errors
    /// Returns an error if the sources do not compile. The message begins with the file and the line.
    pub(crate) fn from_sources(source: &Source) -> Result<Self> {
        let compile = |program: &syn::File, compiler: &Compiler, kind| {
            let printed = PrintedProgram::print(fix_locations(program.to_token_stream()), true);
            Self::compile(&printed, compiler, kind)?
                .map_err(|errors| source.to_source_error(&errors[0], &printed))
        };
        let mut all = compile(&source.program, &source.compiler, "bin")?;
        let is_other = |library: &&Library| library.edition != source.compiler.edition;
        for library in source.libraries.iter().filter(is_other) {
            let modules = source.needed_modules(library);
            let mut own = source.program.clone();
            own.items.retain(|item| {
                let syn::Item::Mod(item) = item else {
                    return false;
                };
                modules.contains(&item.ident.to_string())
            });
            let mut compiler = source.compiler.clone();
            compiler.edition.clone_from(&library.edition);
            let own = compile(&own, &compiler, "lib")?;
            let within = format!("{}::", library.module);
            let is_within = |function: &String| path(function).starts_with(&within);
            all.0.retain(|function| !is_within(function));
            all.0.extend(own.0.into_iter().filter(is_within));
        }
        Ok(all)
    }

    /// Checks that `self`, the functions of the sources, contains each function of `bundle`. `homes` maps
    /// each merged module to the module that holds its items.
    ///
    /// # Errors
    /// Returns an error that names a function that the sources do not contain, or a path that two functions
    /// share.
    pub(crate) fn check_contains(
        &self,
        bundle: &Self,
        homes: &Homes,
        source: &Source,
    ) -> Result<()> {
        let mut paths: HashMap<String, &str> = HashMap::new();
        let mut own = HashSet::new();
        // If the program begins in a library, the library's `main` replaces the `main` that only called it.
        let has_main = source.begins_in_file || homes.is_empty();
        let functions = self.0.iter().map(|function| (path(function), function));
        for (path_here, function) in functions.filter(|(path, _)| has_main || *path != "main") {
            let moved = moved(function, homes);
            let known = paths.entry(path(&moved).to_string()).or_insert(path_here);
            ensure!(*known == path_here, "{known} and {path_here} would be one");
            own.insert(moved);
        }
        for function in &bundle.0 {
            let plain = without_marks(function);
            let is_same = own.contains(&plain) || is_unused(function, &bundle.0);
            ensure!(
                is_same,
                "{} would not do the same",
                source.describe_item(path(&plain))
            );
        }
        Ok(())
    }

    /// Checks that `short` equals this program, apart from the words for the marked names.
    ///
    /// # Errors
    /// Returns an error if the numbers of functions differ, or if a function differs. The latter error names
    /// the first such function.
    pub(crate) fn check_equals(&self, short: &Self, words: &Words) -> Result<()> {
        ensure!(self.0.len() == short.0.len(), "a function is missing");
        for (own, short) in self.0.iter().zip(&short.0) {
            let renamed = words::rename_in_text(&remove_places(own), words);
            let is_same = parts(&renamed) == parts(&remove_places(short));
            ensure!(
                is_same || is_unused(own, &self.0),
                "{} would not do the same",
                path(own)
            );
        }
        Ok(())
    }
}

/// Replaces `line!`, `column!`, `file!` and `dbg!` with macros that do not depend on the location in the
/// file.
///
/// The original macros would give other locations in the bundle than in the sources. Only the proof compiles
/// the result.
pub(crate) fn fix_locations(program: TokenStream) -> TokenStream {
    let may_be_call = |word: &String| ["line", "column", "file", "dbg"].contains(&&word[..]);
    if !identifiers(program.clone()).iter().any(may_be_call) {
        return program;
    }
    let Ok(mut file) = syn::parse2::<syn::File>(program.clone()) else {
        return program;
    };
    let macros: syn::File = parse_quote! {
        macro_rules! line { () => { 0u32 } }
        macro_rules! column { () => { 0u32 } }
        macro_rules! file { () => { "" } }
        macro_rules! dbg { ($($value:expr),* $(,)?) => { ($(match $value {
            value => { eprintln!("{} = {:#?}", stringify!($value), &value); value }
        }),*) } }
    };
    file.items.splice(0..0, macros.items);
    file.into_token_stream()
}

/// Returns the path at the start of a function's text, such as `game::score`.
fn path(function: &str) -> &str {
    let title = function.lines().next().unwrap_or_default();
    let title = ["fn ", "const ", "static ", "mut "]
        .iter()
        .fold(title, |title, word| {
            title.strip_prefix(word).unwrap_or(title)
        });
    let end = title.find(['(', '{']).unwrap_or(title.len());
    title[..end].split(": ").next().unwrap_or(title)
}

/// True for a constant that no other function mentions. Such a constant has no effect on the program.
fn is_unused(function: &str, all: &[String]) -> bool {
    let title = path(function);
    function.starts_with("const ")
        && !all
            .iter()
            .any(|other| path(other) != title && other.contains(title))
}

/// Splits a program in MIR into its functions.
fn functions(text: &str) -> Vec<String> {
    let mut functions: Vec<String> = Vec::new();
    for line in text.lines() {
        // A header begins with a word such as `fn`, `const` or `static`, or with the path of a
        // constant without a name.
        let is_header = line.starts_with(|c: char| c.is_ascii_alphabetic() || "_<{".contains(c))
            && line.contains([':', '('])
            && !line.starts_with("alloc ")
            && !line.contains("promoted[");
        if is_header || functions.is_empty() {
            functions.push(String::new());
        }
        let function = functions.last_mut().into_iter();
        function.for_each(|function| function.extend([line, "\n"]));
    }
    functions.iter().map(|function| parts(function)).collect()
}

/// Returns a function with its string data in a fixed order, and without the default message of `assert!`.
/// MIR orders the data by allocation number, which the comparison ignores.
fn parts(function: &str) -> String {
    let mut parts: Vec<&str> = function.trim_end().split("\n\nalloc ").collect();
    parts.retain(|part| !part.contains(ASSERTION_TEXT));
    parts[1..].sort_unstable();
    parts.join("\n\nalloc ")
}

/// Normalises MIR: removes the parts that do not affect what the program does.
///
/// These are comments, names of variables, numbers of allocations, and the default message of `assert!`.
/// `<impl Type<A>>::member` and `Type::<A>::member`, two ways to write one path, become equal. Locations in
/// the text of the program become places in its sources.
fn normal(text: &str, program: &PrintedProgram) -> String {
    let is_comment = |line: &&str| line.starts_with("//");
    let is_variable =
        |line: &&str| line.trim_start().starts_with("debug ") && line.contains(" => ");
    let lines = text
        .lines()
        .filter(|line| !is_comment(line) && !is_variable(line));
    let lines = lines.map(|line| with_places(line, program) + "\n");
    let short = |part: &Captures| match &part[0] {
        text if text.starts_with("\"assertion failed: ") => "\"assertion failed\"".to_string(),
        // `score::<u8>` loses its colons, and `module::<impl Type>::member` everything before the type.
        text if text.ends_with("::<") => "<".to_string(),
        text if text.starts_with(['>', ':']) && text.ends_with("::") => "::".to_string(),
        text if text.ends_with("<impl ") || text.starts_with(['╾', '─', '╼']) => {
            String::new()
        }
        text if text.starts_with("alloc") => "alloc".to_string(),
        text => part
            .name("numbered")
            .map_or(text, |word| word.as_str())
            .to_string(),
    };
    VARIANT_PARTS
        .replace_all(&lines.collect::<String>(), short)
        .into_owned()
}

/// Replaces locations in a line with places in the sources: `<impl at bot.rs:1:2: 3:4>` becomes `<impl⟨…⟩>`.
fn with_places<'a>(line: &'a str, program: &PrintedProgram) -> Cow<'a, str> {
    if !line.contains(".rs:") {
        return line.into();
    }
    LOCATION.replace_all(line, |location: &Captures| {
        let number = |group: &str| location[group].parse().ok();
        let span = number("line").zip(number("column"));
        let span = span.and_then(|(line, column)| program.span_at(line, column));
        let sign = location.name("sign").map_or("", |sign| sign.as_str());
        sign.to_string() + &span.map_or(String::new(), place_text)
    })
}

fn without_marks(text: &str) -> String {
    text.replace(MARK_PREFIX, "").replace(ALIAS_PREFIX, "")
}

/// Returns a function of the sources with the paths of the flat program.
fn moved(function: &str, homes: &Homes) -> String {
    let moved = |path: &Captures| {
        let text = &path[0];
        // `<impl …>::method` in a module has lost its colons.
        let ends = text.match_indices("::").map(|(end, _)| end);
        let ends = ends.filter(|end| *end > 0);
        let ends = ends.chain(text.strip_suffix("<impl").map(str::len));
        let modules = ends.filter_map(|end| Some((homes.get(&text[..end])?, &text[end..])));
        match modules.last() {
            Some((home, item)) if home.is_empty() => item.trim_start_matches(':').to_string(),
            Some((home, item)) => home.clone() + item,
            None => text.to_string(),
        }
    };
    PATHS.replace_all(function, moved).into_owned()
}

#[cfg(test)]
mod tests {
    use super::super::places::PLACE_BRACKETS;
    use super::*;

    #[test]
    fn only_parts_that_affect_the_program_remain() {
        let program = PrintedProgram::new(
            "mod a { impl T for U { } fn f() { || 1 } }"
                .parse()
                .unwrap(),
        );
        let text = &program.text; // mod a{impl T for U{}fn f(){||1}}
        assert!(text.starts_with("mod a{impl"), "{text}");
        let mir = r#"// a comment
fn rules::<impl at bot.rs:1:7: 1:17>::zz_score(_1: zz_Board) -> u8 {
    debug zz_board => _1;
    _2 = rules::deep::score::<u8>(copy _1) -> [return: bb1];
    _3 = far::<impl Type<A>>::member(const "rules::zz_text \" debug");
    _4 = std::mem::drop::<{closure@bot.rs:1:28: 1:30}>(const {alloc12: &str});
    _5 = <impl at bot.rs:1:7: 1:17>::one(const zz_Board::zz_MAX::{constant#3}) with "assertion failed: zz_a";
}
"#;
        let actual = normal(mir, &program);
        let places: Vec<&str> = actual.split(PLACE_BRACKETS).skip(1).step_by(2).collect();
        let places: Vec<&str> = places
            .iter()
            .map(|place| place.split(' ').nth(1).unwrap())
            .collect();
        // The byte offsets of `impl` and of the closure in the source.
        assert_eq!(places, ["8", "34", "8"]);
        let expected = r#"fn rules<impl::zz_score(_1: zz_Board) -> u8 {
    _2 = rules::deep::score<u8>(copy _1) -> [return: bb1];
    _3 = Type<A::member(const "rules::zz_text \" debug");
    _4 = std::mem::drop<{closure@}>(const {alloc: &str});
    _5 = <impl::one(const zz_Board::zz_MAX::{constant}) with "assertion failed";
}
"#;
        assert_eq!(remove_places(&actual), expected);
    }

    #[test]
    fn only_paths_of_merged_modules_change() {
        let homes = [("", ""), ("a", ""), ("a::b", ""), ("c", "c"), ("c::d", "c")];
        let homes = Homes::from(homes.map(|(path, home)| (path.to_string(), home.to_string())));
        let function = "fn a::b<impl⟨1 2⟩::f(_1: &c::d::T, _2: std::a::T) -> a::b::U {\n\
                        _2 = a::{constant}; _4 = c::d::{impl}::é;\n\
                        _3 = c::d<impl⟨3 4⟩::g(a::h<b::c>, \"a::b\")";
        let expected = "fn <impl⟨1 2⟩::f(_1: &c::T, _2: std::a::T) -> U {\n\
                        _2 = {constant}; _4 = c::{impl}::é;\n\
                        _3 = c<impl⟨3 4⟩::g(h<b::c>, \"a::b\")";
        assert_eq!(moved(function, &homes), expected);
    }

    /// Returns the error from comparing a bundle with the sources; empty if the bundle does what they do.
    fn refusal(sources: &str, bundle: &str, homes: &Homes) -> String {
        let [sources, bundle] = [sources, bundle].map(|text| {
            let source = Source::from_text(text);
            let printed = PrintedProgram::new(source.program.to_token_stream());
            Bodies::compile(&printed, &source.compiler, "bin")
                .unwrap()
                .unwrap_or_else(|errors| panic!("{}", errors[0].text))
        });
        sources
            .check_contains(&bundle, homes, &Source::from_text(""))
            .err()
            .map_or_else(String::new, |error| error.to_string())
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
        let merged = Homes::from([("a".to_string(), String::new())]);
        let bundle = "fn score() -> u8 { 2 } fn main() { score(); }";
        assert_eq!(
            refusal(sources, bundle, &merged),
            "score and a::score would be one"
        );
    }
}
