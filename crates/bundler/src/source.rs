//! Reads the sources as one program whose tokens have spans in the source files.

use super::compiler::{Compiler, Message};
use super::print::PrintedProgram;
use super::program::{Crate, Program, Root};
use super::strip::strip_crate;
use super::tokens::{group, identifiers, is_braces, is_punct, replace_tokens};
use super::{externs, places};
use anyhow::{Context, Result, anyhow, bail, ensure};
use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use syn::ext::IdentExt;
use syn::{Attribute, Item, Meta};

/// A program in one file, with its modules inline. Each library is a module.
pub(crate) struct Source {
    pub(crate) program: syn::File,
    /// True if the program begins in a file; false if it begins in a library.
    pub(crate) begins_in_file: bool,
    pub(crate) libraries: Vec<Library>,
    /// True if a condition on `debug_assertions` leaves out code.
    pub(crate) has_debug_code: bool,
    pub(crate) compiler: Compiler,
    files: Files,
}

/// A library that the program uses, and that becomes one of its modules.
pub(crate) struct Library {
    /// The name of the module that holds the library in the program.
    pub(crate) module: String,
    pub(crate) edition: String,
    /// The modules of the libraries that this library uses.
    pub(crate) uses: Vec<String>,
}

/// A source file.
struct SourceFile {
    path: PathBuf,
    /// True if the file belongs to the crate of the program's root.
    is_root: bool,
    has_debug_code: bool,
}

/// The source files, keyed by their name in the spans of tokens.
type Files = HashMap<String, SourceFile>;

/// The keywords before the names in a MIR path: those of modules, and of items that MIR contains.
const MIR_PATH_KEYWORDS: [&str; 4] = ["const", "fn", "mod", "static"];

impl Source {
    /// Reads a program. Each library that the program names becomes a module.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or parsed. The error names the file, and the line where
    /// parsing failed.
    pub(crate) fn load(given: &Program) -> Result<Self> {
        let mut files = Files::new();
        let root = match &given.root {
            Root::File(file) => read(file, &given.main, true, &mut files)?.into_token_stream(),
            // The flat program does not need this function: there, the library's `main` replaces it.
            Root::Function(path) => format!("fn main() -> std::process::ExitCode {{ {path}() }}")
                .parse()
                .map_err(|_| anyhow!("{path}: no path"))?,
        };
        let module = |library: &Crate| externs::free_name(&library.name, &root);
        let mut unread: Vec<&Crate> = given.libraries.iter().collect();
        let modules = unread.iter();
        let modules = modules.map(|library| (library.name.clone(), module(library)));
        let modules: HashMap<String, String> = modules.collect();
        let (mut tokens, mut open) = externs::rewrite_paths(root, None, &given.main, &modules);
        let mut libraries: Vec<Library> = Vec::new();
        while let Some(name) = open.pop_first() {
            let Some(at) = unread.iter().position(|library| library.name == name) else {
                continue;
            };
            let (library, module) = (unread.swap_remove(at), modules[&name].clone());
            let mut file = read(&library.file, library, false, &mut files)?;
            file.attrs.clear();
            externs::export_macros(&mut file);
            let file = file.into_token_stream();
            let (own, mut used) = externs::rewrite_paths(file, Some(&module), library, &modules);
            let name = format_ident!("{module}");
            // Another library may publish it: `pub use library;`.
            tokens = quote!(#tokens pub mod #name { #own });
            libraries.push(Library {
                module,
                edition: library.edition.clone(),
                uses: used.iter().map(|name| modules[name].clone()).collect(),
            });
            open.append(&mut used);
        }
        let folder = match &given.root {
            Root::File(file) => file.canonicalize()?.parent().map(Path::to_path_buf),
            Root::Function(_) => None,
        };
        Ok(Self {
            program: syn::parse2(tokens)?,
            begins_in_file: matches!(given.root, Root::File(_)),
            libraries,
            has_debug_code: files.values().any(|file| file.has_debug_code),
            compiler: Compiler::new(&given.main.edition, folder, given.stop),
            files,
        })
    }

    /// Returns the modules of a library and of the libraries that it needs.
    pub(crate) fn needed_modules(&self, library: &Library) -> HashSet<String> {
        let mut modules = HashSet::from([library.module.clone()]);
        for _ in &self.libraries {
            let libraries = self.libraries.iter();
            let needed = libraries.filter(|library| modules.contains(&library.module));
            let needed: Vec<String> = needed.flat_map(|library| library.uses.clone()).collect();
            modules.extend(needed);
        }
        modules
    }

    /// Formats a compiler error as one line that begins with the source file and the line number.
    ///
    /// A location in the program's own crate is preferred to one in a library.
    pub(crate) fn to_source_error(
        &self,
        error: &Message,
        program: &PrintedProgram,
    ) -> anyhow::Error {
        let spans = error.spans.iter().map(|span| span.start);
        let places = spans.filter_map(|start| {
            // Generated tokens have no place in the sources: use the nearest earlier token that has one.
            let until = program.tokens.partition_point(|(at, _)| at.start <= start);
            let mut before = program.tokens[..until].iter().rev();
            before.find_map(|(_, span)| self.place(*span))
        });
        let first = places.min_by_key(|(is_root, _)| !is_root);
        let place = first.map_or("rustc".to_string(), |(_, place)| place);
        anyhow!("{place}: {}", error.text)
    }

    /// Describes the item with this path in MIR, such as `game<impl⟨1 20⟩::score`: its file, its line, and
    /// `game::score`.
    pub(crate) fn describe_item(&self, path: &str) -> String {
        let printed = PrintedProgram::new(self.program.to_token_stream());
        let word = |i: usize| &printed.text[printed.tokens[i].0.clone()];
        let mut at = None;
        for part in path.split("::") {
            let (name, block) = part.split_once("<impl").unwrap_or((part, ""));
            let is_declared =
                |i: &usize| word(*i) == name && MIR_PATH_KEYWORDS.contains(&word(i - 1));
            let is_block = |i: &usize| places::place_text(printed.tokens[*i].1) == block;
            let mut rest = at.map_or(1, |at| at + 1)..printed.tokens.len();
            at = rest.clone().find(is_declared).or(at);
            at = rest.find(is_block).or(at);
        }
        let place = at.and_then(|at| self.place(printed.tokens[at].1));
        let place = place.map_or(String::new(), |(_, place)| place + ": ");
        place + &places::remove_places(path).replace("<impl", "")
    }

    /// Returns whether the token's file belongs to the program's own crate, and the token's file and line.
    fn place(&self, span: Span) -> Option<(bool, String)> {
        let file = self.files.get(&span.file())?;
        let place = format!("{}:{}", file.path.display(), span.start().line);
        Some((file.is_root, place))
    }
}

/// Reads the files of a crate, beginning with its root file.
fn read(path: &Path, krate: &Crate, is_root: bool, files: &mut Files) -> Result<syn::File> {
    let mut reader = Reader {
        krate,
        is_root,
        files,
        open: Vec::new(),
    };
    reader.file(path, path.parent().unwrap_or(path))
}

struct Reader<'a> {
    krate: &'a Crate,
    is_root: bool,
    files: &'a mut Files,
    /// The files that are being read: each includes or declares the next.
    open: Vec<PathBuf>,
}

impl Reader<'_> {
    /// Reads a file and its modules, which are in `folder`.
    fn file(&mut self, path: &Path, folder: &Path) -> Result<syn::File> {
        let tokens = self.tokens(path)?;
        let path_text = path.display();
        let mut file: syn::File = syn::parse2(tokens)
            .map_err(|error| anyhow!("{path_text}:{}: {error}", error.span().start().line))?;
        self.open.push(path.to_path_buf());
        self.modules(&mut file.items, folder, path.parent().unwrap_or(path))?;
        self.open.pop();
        Ok(file)
    }

    /// Reads the tokens of a file and of the files that it includes, and strips them ([`strip_crate`]).
    fn tokens(&mut self, path: &Path) -> Result<TokenStream> {
        let path_text = path.display();
        ensure!(
            !self.open.iter().any(|open| open == path),
            "{path_text}: contains itself"
        );
        let text = fs::read_to_string(path).with_context(|| path_text.to_string())?;
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
                is_root: self.is_root,
                has_debug_code: identifiers(tokens.clone())
                    .contains(&"debug_assertions".to_string()),
            };
            self.files.insert(token.span().file(), file);
        }
        self.open.push(path.to_path_buf());
        let tokens = self.included(strip_crate(tokens, self.krate), path);
        self.open.pop();
        tokens
    }

    /// Replaces `include!`, `include_str!` and `include_bytes!` with the contents of the files.
    fn included(&mut self, tokens: TokenStream, path: &Path) -> Result<TokenStream> {
        let mut result = Ok(());
        let tokens = replace_tokens(tokens, &mut |tokens, i| {
            let name = tokens[i].to_string();
            let is_include = ["include", "include_str", "include_bytes"].contains(&name.as_str());
            let is_call = is_include && is_punct(tokens, i + 1, '!');
            let call = group(tokens, i + 2).filter(|_| is_call)?;
            let file: syn::LitStr = syn::parse2(call.stream()).ok()?;
            let file = path.parent().unwrap_or(path).join(file.value());
            let span = tokens[i].span();
            let contents = match name.as_str() {
                "include" => self.tokens(&file),
                name => literal(&file, name, span),
            };
            let contents =
                contents.with_context(|| format!("{}:{}", path.display(), span.start().line));
            let contents = contents.map_err(|error| result = Err(error)).ok()?;
            // An item or a statement replaces the call and its semicolon; an expression gets parentheses.
            let is_item = i == 0 || is_punct(tokens, i - 1, ';') || is_braces(tokens, i - 1);
            Some(match (name.as_str(), is_item) {
                ("include", true) => (3 + usize::from(is_punct(tokens, i + 3, ';')), contents),
                ("include", false) => (3, quote!((#contents))),
                _ => (3, contents),
            })
        });
        result.map(|()| tokens)
    }

    /// Reads the files of the modules among `items` from `folder`. A `#[path]` is relative to `above`.
    fn modules(&mut self, items: &mut Vec<Item>, folder: &Path, above: &Path) -> Result<()> {
        let mut read = Vec::new();
        for mut item in items.drain(..) {
            let is_read = match &mut item {
                Item::Mod(module) => self.module(module, folder, above)?,
                _ => true,
            };
            read.extend(is_read.then_some(item));
        }
        *items = read;
        Ok(())
    }

    /// Reads the file of a module. Returns false if the module has a condition but no file: its condition
    /// then does not hold, since the compiler would report the missing file.
    fn module(&mut self, module: &mut syn::ItemMod, folder: &Path, above: &Path) -> Result<bool> {
        let name = module.ident.unraw().to_string();
        let inner = folder.join(&name);
        let given = module.attrs.iter().find_map(path_of);
        let given = given.map(|given| above.join(given));
        module
            .attrs
            .retain(|attribute| path_of(attribute).is_none());
        if let Some((_, items)) = &mut module.content {
            let inner = given.unwrap_or(inner);
            self.modules(items, &inner, &inner)?;
            return Ok(true);
        }
        let usual = [folder.join(format!("{name}.rs")), inner.join("mod.rs")];
        let paths = given.as_ref().map_or(&usual[..], std::slice::from_ref);
        let Some(path) = paths.iter().find(|path| path.is_file()) else {
            let mut attributes = module.attrs.iter();
            if attributes.any(|attribute| attribute.path().is_ident("cfg")) {
                return Ok(false);
            }
            let (line, missing) = (module.ident.span().start().line, paths[0].display());
            let file = self.open.last().map_or(folder, |open| open).display();
            bail!("{file}:{line}: the file {missing} does not exist");
        };
        let folder = path.parent().filter(|_| given.is_some()).unwrap_or(&inner);
        let file = self.file(path, folder)?;
        module.attrs.extend(file.attrs);
        // The braces replace the semicolon, and so have its place.
        let semicolon = module.semi.take().map(|semicolon| semicolon.spans[0]);
        let braces = syn::token::Brace(semicolon.unwrap_or_else(Span::call_site));
        module.content = Some((braces, file.items));
        Ok(true)
    }
}

/// Returns the file that `#[path = "…"]` names.
fn path_of(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(meta) = &attribute.meta else {
        return None;
    };
    let value: syn::LitStr = syn::parse2(meta.value.to_token_stream()).ok()?;
    meta.path.is_ident("path").then(|| value.value())
}

/// Returns the literal to which the macro `of`, `include_str` or `include_bytes`, would expand for this file.
fn literal(file: &Path, of: &str, span: Span) -> Result<TokenStream> {
    let literal = match of {
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
            begins_in_file: true,
            libraries: Vec::new(),
            has_debug_code: false,
            compiler: Compiler::new("2021", None, &super::program::NO_STOP_REQUEST),
            files: HashMap::new(),
        }
    }
}
