//! Reads the sources as one program whose tokens have spans in the source files.

use super::compiler::{Compiler, Message};
use super::externs;
use super::mir::IMPL_PREFIX;
use super::print::PrintedProgram;
use super::program::{Crate, Program};
use super::proof::LOCATION_MACROS;
use super::strip::{cfg_attributes, strip_crate};
use super::tokens::{
    begins_path, group, identifiers, is_braces, is_colons, is_punct, replace_tokens,
};
use anyhow::{Context, Result, anyhow, bail, ensure};
use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use syn::ext::IdentExt;
use syn::{Attribute, Item, Meta};

/// The macros that are replaced with the contents of a file or the value of an environment variable.
const EXPANDED_MACROS: [&str; 5] = [
    "env",
    "include",
    "include_bytes",
    "include_str",
    "option_env",
];

/// The end of the message about a syntax error in a program of edition 2015 or 2018. The program may still be
/// valid, since the bundler's parser knows only the syntax of later editions.
const OLD_SYNTAX_HINT: &str =
    "; old syntax, such as `&Fn()` without `dyn`, or an argument without a name, is not read";

/// A program in one file, with its modules inline. Each library is a module.
pub(crate) struct Source {
    pub(crate) program: syn::File,
    /// The crates that the program consists of. Each library precedes the crates that use it; the program's
    /// own crate is the last one.
    pub(crate) crates: Vec<SourceCrate>,
    /// True if a source file mentions `debug_assertions`: the bundle may then leave out debug code.
    pub(crate) has_debug_code: bool,
    pub(crate) compiler: Compiler,
    files: Files,
}

/// A crate of the program, as cargo compiles it.
pub(crate) struct SourceCrate {
    pub(crate) input: Crate,
    /// The module that holds the crate in the bundle; empty for the program's own crate.
    pub(crate) module: String,
    /// The crate's names for its libraries, each with the library's module.
    pub(crate) externs: Vec<(String, String)>,
    /// The names that `extern crate` gives to libraries, each with the library's module.
    pub(crate) aliases: Vec<(String, String)>,
    /// The files that the compiler reads.
    pub(crate) files: Vec<PathBuf>,
    /// The line and the column of the first item in the root file, both counted from 0.
    pub(crate) first_item: (usize, usize),
    /// True if the crate may call a macro such as `line!` ([`LOCATION_MACROS`]).
    pub(crate) uses_locations: bool,
}

/// A source file that the compiler reads.
struct SourceFile {
    path: PathBuf,
    canonical: PathBuf,
    /// True if the file belongs to the program's own crate, false if it belongs to a library.
    is_main: bool,
    has_debug_code: bool,
}

/// The source files, keyed by the file names in the spans of their tokens.
type Files = HashMap<String, SourceFile>;

/// The keywords before a name that may be part of a MIR path: the name of a module, function, constant or
/// static.
const MIR_PATH_KEYWORDS: [&str; 4] = ["const", "fn", "mod", "static"];

/// A crate that has been read, but is not yet part of the program.
struct ParsedCrate<'a> {
    input: &'a Crate,
    tokens: TokenStream,
    files: Vec<PathBuf>,
    first_item: (usize, usize),
}

impl<'a> ParsedCrate<'a> {
    fn new(input: &'a Crate, is_main: bool, files: &mut Files) -> Result<Self> {
        let mut reader = Reader {
            krate: input,
            is_main,
            files,
            paths: Vec::new(),
            open: Vec::new(),
        };
        let mut file = reader.read_file(&input.file, input.file.parent().unwrap_or(&input.file))?;
        let paths = reader.paths;
        let first = file.items.first().map(ToTokens::to_token_stream);
        let first = first.and_then(|tokens| tokens.into_iter().next());
        let first = first.map(|token| token.span().start());
        if !is_main {
            file.attrs.clear();
            externs::export_macros(&mut file);
        }
        Ok(Self {
            input,
            tokens: file.into_token_stream(),
            files: paths,
            first_item: first.map_or((0, 0), |start| (start.line - 1, start.column)),
        })
    }
}

impl Source {
    /// Reads a program. Each library that the program names becomes a module.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or parsed, or if a path leads into a library that cannot be
    /// part of the bundle. The error names the file and, if its text is at fault, the line.
    pub(crate) fn load(input: &Program) -> Result<Self> {
        let mut files = Files::new();
        let main = ParsedCrate::new(&input.main, true, &mut files)?;
        let libraries = input.libraries.iter();
        let remaining = libraries.map(|library| ParsedCrate::new(library, false, &mut files));
        let mut remaining: Vec<ParsedCrate> = remaining.collect::<Result<_>>()?;
        let mut modules = HashMap::new();
        let tokens: Vec<&TokenStream> = remaining
            .iter()
            .chain([&main])
            .map(|read| &read.tokens)
            .collect();
        for library in &remaining {
            let taken: Vec<String> = modules.values().cloned().collect();
            let module = externs::free_name(&library.input.name, &tokens, &taken);
            modules.insert(library.input.id.clone(), module);
        }
        let mut source = Self {
            program: syn::parse2(TokenStream::new())?,
            crates: Vec::new(),
            has_debug_code: files.values().any(|file| file.has_debug_code),
            compiler: Compiler::new(input),
            files,
        };
        let (mut tokens, mut pending) = source.add_crate(main, None, &modules)?;
        while let Some(id) = pending.pop_first() {
            let Some(at) = remaining.iter().position(|library| library.input.id == id) else {
                continue;
            };
            let module = &modules[&id];
            let (own, mut used) =
                source.add_crate(remaining.swap_remove(at), Some(module), &modules)?;
            let name = format_ident!("{module}");
            // The module is public, since another library may re-export it: `pub use library;`.
            tokens = quote!(#tokens pub mod #name { #own });
            pending.append(&mut used);
        }
        source.program = syn::parse2(tokens)?;
        let position = |krate: &SourceCrate| {
            input
                .libraries
                .iter()
                .position(|library| library.id == krate.input.id)
        };
        source
            .crates
            .sort_by_key(|krate| position(krate).unwrap_or(usize::MAX));
        Ok(source)
    }

    /// Returns the tokens of a crate as part of the program, and the libraries that it uses.
    fn add_crate(
        &mut self,
        parsed: ParsedCrate,
        module: Option<&String>,
        modules: &HashMap<String, String>,
    ) -> Result<(TokenStream, BTreeSet<String>)> {
        let input = parsed.input;
        let with_module =
            |(name, id): &(String, String)| Some((name.clone(), modules.get(id)?.clone()));
        let aliases = externs::aliases(&parsed.tokens, input);
        let own = module.map(String::as_str);
        let rewritten = externs::rewrite_paths(parsed.tokens.clone(), own, input, modules);
        let (tokens, used) = rewritten.map_err(|(span, reason)| {
            let location = self
                .location(span)
                .map_or(input.name.clone(), |(_, location)| location);
            anyhow!("{location}: {reason}, which one file cannot contain")
        })?;
        self.crates.push(SourceCrate {
            module: module.cloned().unwrap_or_default(),
            externs: input
                .externs
                .iter()
                .filter(|(_, id)| used.contains(id))
                .filter_map(with_module)
                .collect(),
            aliases: aliases.iter().filter_map(with_module).collect(),
            files: parsed.files,
            first_item: parsed.first_item,
            uses_locations: identifiers(parsed.tokens)
                .iter()
                .any(|word| LOCATION_MACROS.contains(&&word[..])),
            input: input.clone(),
        });
        Ok((tokens, used))
    }

    /// Formats a compiler error as one line that begins with the source file and the line number.
    ///
    /// Prefers a location in the program's own crate to a location in a library.
    pub(crate) fn to_source_error(
        &self,
        error: &Message,
        program: &PrintedProgram,
    ) -> anyhow::Error {
        let spans = error.spans.iter().map(|span| span.start);
        let locations = spans.filter_map(|start| {
            // Generated tokens have no location in the sources: use the nearest earlier token that has one.
            let until = program.tokens.partition_point(|(at, _)| at.start <= start);
            let mut before = program.tokens[..until].iter().rev();
            before.find_map(|(_, span)| self.location(*span))
        });
        let first = locations.min_by_key(|(is_main, _)| !is_main);
        let location = first.map_or("rustc".to_string(), |(_, location)| location);
        anyhow!("{location}: {}", error.text)
    }

    /// Describes the item with this path in MIR by its file, its line and its name. For the path `game`,
    /// `<impl src/game.rs:1:2`, `score`, the name is `game::score`.
    pub(crate) fn describe_item(&self, path: &[String]) -> String {
        let printed = PrintedProgram::new(self.program.to_token_stream());
        let word = |i: usize| &printed.text[printed.tokens[i].0.clone()];
        let mut at = None;
        for part in path {
            let is_part = |i: &usize| match part.strip_prefix(IMPL_PREFIX) {
                Some(location) => self.location_of(printed.tokens[*i].1) == location,
                None => word(*i) == part && MIR_PATH_KEYWORDS.contains(&word(i - 1)),
            };
            let mut rest = at.map_or(1, |at| at + 1)..printed.tokens.len();
            at = rest.find(is_part).or(at);
        }
        let location = at.and_then(|at| self.location(printed.tokens[at].1));
        let location = location.map_or(String::new(), |(_, location)| location + ": ");
        let names = path.iter().filter(|part| !part.starts_with(IMPL_PREFIX));
        location + &names.map(String::as_str).collect::<Vec<_>>().join("::")
    }

    /// Returns the location of a token in the sources, such as `/game/src/main.rs:1:2`.
    pub(crate) fn location_of(&self, span: Span) -> String {
        let start = span.start();
        let file = self.files.get(&span.file());
        let file = file.map_or(span.file(), |file| file.canonical.display().to_string());
        format!("{file}:{}:{}", start.line, start.column + 1)
    }

    /// Returns a token's file and line, such as `src/main.rs:1`. The flag is true if the file belongs to the
    /// program's own crate.
    fn location(&self, span: Span) -> Option<(bool, String)> {
        let file = self.files.get(&span.file())?;
        let location = format!("{}:{}", file.path.display(), span.start().line);
        Some((file.is_main, location))
    }
}

struct Reader<'a> {
    krate: &'a Crate,
    is_main: bool,
    files: &'a mut Files,
    /// The files read so far.
    paths: Vec<PathBuf>,
    /// The files that are being read: each file includes or declares the next one.
    open: Vec<PathBuf>,
}

impl Reader<'_> {
    /// Reads a file, and its modules from `folder`.
    fn read_file(&mut self, path: &Path, folder: &Path) -> Result<syn::File> {
        let tokens = self.read_tokens(path)?;
        let path_text = path.display();
        let is_old = matches!(&self.krate.edition[..], "2015" | "2018");
        let hint = if is_old { OLD_SYNTAX_HINT } else { "" };
        let mut file: syn::File = syn::parse2(tokens)
            .map_err(|error| anyhow!("{path_text}:{}: {error}{hint}", error.span().start().line))?;
        self.open.push(path.to_path_buf());
        self.read_modules(&mut file.items, folder, path.parent().unwrap_or(path))?;
        self.open.pop();
        Ok(file)
    }

    /// Reads the tokens of a file and of the files that it includes, and strips them ([`strip_crate`]).
    fn read_tokens(&mut self, path: &Path) -> Result<TokenStream> {
        let path_text = path.display();
        ensure!(
            !self.open.iter().any(|open| open == path),
            "{path_text}: contains itself"
        );
        let text = fs::read_to_string(path).with_context(|| path_text.to_string())?;
        self.paths.push(path.to_path_buf());
        let mut text = text.trim_start_matches('\u{feff}');
        if text.starts_with("#!") && !text[2..].trim_start().starts_with('[') {
            text = &text[text.find('\n').unwrap_or(text.len())..];
        }
        let tokens: TokenStream = text.parse().map_err(|error: proc_macro2::LexError| {
            anyhow!("{path_text}:{}: {error}", error.span().start().line)
        })?;
        if let Some(token) = tokens.clone().into_iter().next() {
            let file = SourceFile {
                path: path.to_path_buf(),
                canonical: path.canonicalize().unwrap_or_else(|_| path.to_path_buf()),
                is_main: self.is_main,
                has_debug_code: identifiers(tokens.clone())
                    .contains(&"debug_assertions".to_string()),
            };
            self.files.insert(token.span().file(), file);
        }
        self.open.push(path.to_path_buf());
        let tokens = self.expand_macros(strip_crate(tokens, self.krate), path);
        self.open.pop();
        tokens
    }

    /// Replaces `env!` and `option_env!` with their values, and `include!`, `include_str!` and
    /// `include_bytes!` with the contents of the files.
    fn expand_macros(&mut self, tokens: TokenStream, path: &Path) -> Result<TokenStream> {
        let mut result = Ok(());
        let tokens = replace_tokens(tokens, &mut |tokens, i| {
            let (count, name, call) = macro_call(tokens, i)?;
            // In a macro definition, the argument may contain macro variables, so its value is not known yet.
            let is_call = EXPANDED_MACROS.contains(&&name[..]) && !call.to_string().contains('$');
            if !is_call {
                return None;
            }
            let span = tokens[i].span();
            let replacement = self.expand_macro(&name, call, path, span).transpose()?;
            let location = || format!("{}:{}", path.display(), span.start().line);
            let replacement = replacement
                .with_context(location)
                .map_err(|error| result = Err(error))
                .ok()?;
            // Included items or statements replace the call and its semicolon. An included expression gets
            // parentheses.
            let is_item = i == 0 || is_punct(tokens, i - 1, ';') || is_braces(tokens, i - 1);
            Some(match (name.as_str(), is_item) {
                ("include", true) => {
                    let has_semicolon = is_punct(tokens, i + count, ';');
                    (count + usize::from(has_semicolon), replacement)
                }
                ("include", false) => (count, quote!((#replacement))),
                _ => (count, replacement),
            })
        });
        result.map(|()| tokens)
    }

    /// Returns the tokens that replace a call of one of [`EXPANDED_MACROS`]; `None` to keep the call, for
    /// example `env!` with an unset variable.
    fn expand_macro(
        &mut self,
        name: &str,
        call: TokenStream,
        path: &Path,
        span: Span,
    ) -> Result<Option<TokenStream>> {
        let argument = self.evaluate(call);
        if name == "option_env" || name == "env" {
            let Some(variable) = argument else {
                return Ok(None);
            };
            let value = self.variable(&variable);
            ensure!(
                variable != "OUT_DIR",
                "{name}!(\"OUT_DIR\") is the folder of a build script, which is gone in the contest"
            );
            let value = value.map(|value| Literal::string(&value)).map(|mut value| {
                value.set_span(span);
                value
            });
            return Ok(match (name, value) {
                ("env", value) => value.map(|value| TokenTree::from(value).into()),
                (_, Some(value)) => Some(quote!(::std::option::Option::Some(#value))),
                (_, None) => Some(quote!(::std::option::Option::None::<&'static str>)),
            });
        }
        let file = argument.with_context(|| {
            format!(
                "{name}!: expected a text, or concat! and env! of texts, as the name of the file"
            )
        })?;
        let file = path.parent().unwrap_or(path).join(file);
        if name == "include" {
            return self.read_tokens(&file).map(Some);
        }
        self.paths.push(file.clone());
        literal(&file, name, span).map(Some)
    }

    /// Evaluates a macro's argument (a literal, `concat!` or `env!`) to text; returns `None` if the value is
    /// unknown.
    fn evaluate(&self, argument: TokenStream) -> Option<String> {
        let tokens: Vec<TokenTree> = argument.into_iter().collect();
        let Some((_, name, call)) = macro_call(&tokens, 0) else {
            // `env!` may have a message after the name: ignore it.
            let literal: syn::Lit = syn::parse2(tokens.first()?.clone().into()).ok()?;
            return match literal {
                syn::Lit::Str(text) => Some(text.value()),
                syn::Lit::Int(number) => Some(number.base10_digits().to_string()),
                syn::Lit::Char(letter) => Some(letter.value().to_string()),
                _ => None,
            };
        };
        match name.as_str() {
            "env" => self.variable(&self.evaluate(call)?),
            "concat" => {
                let parts: Vec<TokenTree> = call.into_iter().collect();
                let mut parts = parts.split(|part| part.to_string() == ",");
                parts.try_fold(String::new(), |all, part| {
                    let part: TokenStream = part.iter().cloned().collect();
                    Some(
                        all + &if part.is_empty() {
                            String::new()
                        } else {
                            self.evaluate(part)?
                        },
                    )
                })
            }
            _ => None,
        }
    }

    /// Returns the value of an environment variable in cargo's build of this crate.
    fn variable(&self, name: &str) -> Option<String> {
        let own = self.krate.environment.get(name).cloned();
        own.or_else(|| {
            std::env::var(name)
                .ok()
                .filter(|_| !name.starts_with("CARGO_"))
        })
    }

    /// Reads the files of the modules among `items` from `folder`. A `#[path]` is relative to `path_base`.
    fn read_modules(
        &mut self,
        items: &mut Vec<Item>,
        folder: &Path,
        path_base: &Path,
    ) -> Result<()> {
        let mut read = Vec::new();
        for mut item in items.drain(..) {
            let is_read = match &mut item {
                Item::Mod(module) => self.read_module(module, folder, path_base)?,
                _ => true,
            };
            read.extend(is_read.then_some(item));
        }
        *items = read;
        Ok(())
    }

    /// Reads the file of a module. Returns false if the module has a condition but no file. Such a
    /// condition does not hold: otherwise, the compiler would report the missing file.
    fn read_module(
        &mut self,
        module: &mut syn::ItemMod,
        folder: &Path,
        path_base: &Path,
    ) -> Result<bool> {
        let name = module.ident.unraw().to_string();
        let inner = folder.join(&name);
        let path_attribute = module.attrs.iter().find_map(path_of);
        let path_attribute = path_attribute.map(|path| path_base.join(path));
        module
            .attrs
            .retain(|attribute| path_of(attribute).is_none());
        if let Some((_, items)) = &mut module.content {
            let inner = path_attribute.unwrap_or(inner);
            self.read_modules(items, &inner, &inner)?;
            return Ok(true);
        }
        let default_paths = [folder.join(format!("{name}.rs")), inner.join("mod.rs")];
        let paths = path_attribute
            .as_ref()
            .map_or(&default_paths[..], std::slice::from_ref);
        let Some(path) = paths.iter().find(|path| path.is_file()) else {
            if !cfg_attributes(&module.attrs).is_empty() {
                return Ok(false);
            }
            let (line, missing) = (module.ident.span().start().line, paths[0].display());
            let file = self.open.last().map_or(folder, |open| open).display();
            bail!("{file}:{line}: the file {missing} does not exist");
        };
        let folder = path
            .parent()
            .filter(|_| path_attribute.is_some())
            .unwrap_or(&inner);
        let file = self.read_file(path, folder)?;
        module.attrs.extend(file.attrs);
        // The braces replace the semicolon, so they get its location.
        let semicolon = module.semi.take().map(|semicolon| semicolon.spans[0]);
        let braces = syn::token::Brace(semicolon.unwrap_or_else(Span::call_site));
        module.content = Some((braces, file.items));
        Ok(true)
    }
}

/// Reads the macro call that begins at `i`, such as `env!(…)` or `::std::env!(…)`. Returns the number of its
/// tokens, the name of the macro, and the argument.
fn macro_call(tokens: &[TokenTree], i: usize) -> Option<(usize, String, TokenStream)> {
    let root = i + 2 * usize::from(is_colons(tokens, i));
    let is_std =
        is_colons(tokens, root + 1) && ["core", "std"].contains(&&tokens[root].to_string()[..]);
    let at = if is_std { root + 3 } else { i };
    let call = group(tokens, at + 2)?.stream();
    let is_call = is_punct(tokens, at + 1, '!') && begins_path(tokens, i);
    is_call.then(|| (at + 3 - i, tokens[at].to_string(), call))
}

/// Returns the file that `#[path = "…"]` names.
fn path_of(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(meta) = &attribute.meta else {
        return None;
    };
    let value: syn::LitStr = syn::parse2(meta.value.to_token_stream()).ok()?;
    meta.path.is_ident("path").then(|| value.value())
}

/// Returns the contents of a file as a string literal, or as a byte string if `macro_name` is
/// `include_bytes`.
fn literal(file: &Path, macro_name: &str, span: Span) -> Result<TokenStream> {
    let literal = match macro_name {
        "include_bytes" => fs::read(file).map(|bytes| Literal::byte_string(&bytes)),
        _ => fs::read_to_string(file).map(|text| Literal::string(&text)),
    };
    let mut literal = literal.with_context(|| file.display().to_string())?;
    literal.set_span(span);
    Ok(TokenTree::from(literal).into())
}

#[cfg(test)]
impl Source {
    /// Parses a program of edition 2021 without libraries.
    pub(crate) fn from_text(text: &str) -> Self {
        Self {
            program: syn::parse_file(text).unwrap(),
            crates: Vec::new(),
            has_debug_code: false,
            compiler: Compiler::new(&Program::new("main.rs".as_ref())),
            files: HashMap::new(),
        }
    }
}
