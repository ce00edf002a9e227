//! Reads the sources as one program whose tokens have spans in the source files.

use super::compiler::Message;
use super::print::Printed;
use super::program::{Program, Root};
use super::strip::strip;
use super::tokens::{begins_path, replaced};
use anyhow::{Context, Result, anyhow, bail, ensure};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use syn::spanned::Spanned;
use syn::{Attribute, Item};

/// A program in one file, with its modules inline.
pub(crate) struct Source {
    pub(crate) program: syn::File,
    /// True if the user has named the root file.
    pub(crate) has_root: bool,
    /// The path of each file, by its name in the spans of tokens.
    files: HashMap<String, PathBuf>,
}

impl Source {
    /// Reads a program. Each library that the program names becomes a module.
    ///
    /// # Errors
    /// Returns an error that names the file and the line if a file cannot be read or has an unsupported attribute.
    pub(crate) fn load(given: &Program) -> Result<Self> {
        let mut files = HashMap::new();
        let program = match given.root {
            Root::File(root) => read(root, root.parent().unwrap_or(root), given, &mut files)?,
            // The flat program does not need this function: there, the library's `main` becomes `main`.
            Root::Function(path) => syn::parse_str(&format!(
                "fn main() -> std::process::ExitCode {{ {path}() }}"
            ))?,
        };
        let mut source = Self {
            program,
            has_root: matches!(given.root, Root::File(_)),
            files,
        };
        for (name, folder) in given.libraries.iter().rev() {
            let tokens = source.program.to_token_stream();
            if !tokens.to_string().contains(name) {
                continue;
            }
            let file = read(&folder.join("lib.rs"), folder, given, &mut source.files)?;
            let krate = format_ident!("{name}");
            let items = renamed(file.to_token_stream(), Some(name), given);
            let program = renamed(tokens, None, given);
            source.program = syn::parse2(quote!(#program mod #krate { #items }))?;
        }
        Ok(source)
    }

    /// Parses a program.
    #[cfg(test)]
    pub(crate) fn of(text: &str) -> Self {
        Self {
            program: syn::parse_file(text).unwrap(),
            has_root: true,
            files: HashMap::new(),
        }
    }

    /// Formats a compiler error as one line that begins with the source file and the line number.
    pub(crate) fn explain(&self, error: &Message, program: &Printed) -> anyhow::Error {
        let spans = error.spans.iter().map(|span| span.start);
        let mut places = spans.flat_map(|start| {
            // Generated tokens have no place in the sources; the nearest earlier token has one.
            let until = program.tokens.partition_point(|(at, _)| at.start <= start);
            let before = program.tokens[..until].iter().rev();
            before.map(|(_, span)| *span)
        });
        match places.find_map(|span| place(&self.files, span)) {
            Some(place) => anyhow!("{place}: {}", error.text),
            None => anyhow!("rustc: {}", error.text),
        }
    }
}

/// Reads a file and its modules, which are in `folder`. Adds their paths to `files`.
fn read(
    path: &Path,
    folder: &Path,
    given: &Program,
    files: &mut HashMap<String, PathBuf>,
) -> Result<syn::File> {
    let path_text = path.display();
    let text = fs::read_to_string(path).with_context(|| path_text.to_string())?;
    let mut file = syn::parse_file(&text)
        .map_err(|error| anyhow!("{path_text}:{}: {error}", error.span().start().line))?;
    if let Some(item) = file.items.first() {
        files.insert(item.span().file(), path.to_path_buf());
    }
    strip(&mut file, given);
    add_modules(&mut file.items, folder, given, files)?;
    Ok(file)
}

fn add_modules(
    items: &mut [Item],
    folder: &Path,
    given: &Program,
    files: &mut HashMap<String, PathBuf>,
) -> Result<()> {
    for item in items {
        let Item::Mod(module) = item else { continue };
        let name = module.ident.to_string();
        let inner = folder.join(&name);
        if let Some((_, items)) = &mut module.content {
            add_modules(items, &inner, given, files)?;
            continue;
        }
        let place = place(files, module.ident.span()).unwrap_or_default();
        let is_path = |attribute: &Attribute| attribute.path().is_ident("path");
        ensure!(
            !module.attrs.iter().any(is_path),
            "{place}: #[path] is not supported: move the module to {name}.rs or {name}/mod.rs"
        );
        let paths = [folder.join(format!("{name}.rs")), inner.join("mod.rs")];
        let Some(path) = paths.iter().find(|path| path.is_file()) else {
            bail!("{place}: the file {} does not exist", paths[0].display());
        };
        let file = read(path, &inner, given, files)?;
        module.attrs.extend(file.attrs);
        module.content = Some((syn::token::Brace::default(), file.items));
        module.semi = None;
    }
    Ok(())
}

/// Returns the file and the line of a token, such as `src/main.rs:7`.
fn place(files: &HashMap<String, PathBuf>, span: Span) -> Option<String> {
    let path = files.get(&span.file())?.display();
    Some(format!("{path}:{}", span.start().line))
}

/// Makes paths into this crate and into other libraries begin at the root of the program.
///
/// In the library `columns_bot`, `crate::a` becomes `crate::columns_bot::a`. `own` is the library's name; `None` for the root file.
fn renamed(tokens: TokenStream, own: Option<&str>, given: &Program) -> TokenStream {
    replaced(tokens, &mut |tokens, i| {
        let word = tokens[i].to_string();
        let krate = match own {
            Some(own) if word == "crate" && tokens.len() > 1 => own, // except in `pub(crate)`
            _ => given.libraries.iter().find(|(name, _)| *name == word)?.0,
        };
        let is_module = i > 0 && tokens[i - 1].to_string() == "mod";
        let span = tokens[i].span();
        let (root, krate) = (
            format_ident!("crate", span = span),
            format_ident!("{krate}", span = span),
        );
        (begins_path(tokens, i) && !is_module).then(|| (1, quote!(#root::#krate)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_become_modules_and_errors_name_lines() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(
            "crates/core/src/lib.rs",
            "#[cfg(test)] mod missing; pub mod c { mod d; }",
        );
        write(
            "crates/core/src/c/d.rs",
            "pub(in crate::c) fn d() { crate::c::d::d() }",
        );
        write("bot/src/lib.rs", "mod a;");
        write(
            "bot/src/a/mod.rs",
            "use columns_core::{c, d}; use crate::a;",
        );
        let expected = "
            fn main() -> std::process::ExitCode { crate::columns_bot::submission::main() }
            mod columns_bot { mod a {
                use crate::columns_core::{c, d};
                use crate::columns_bot::a;
            } }
            mod columns_core { pub(crate) mod c { mod d {
                pub(crate) fn d() { crate::columns_core::c::d::d() }
            } } }
        ";
        let expected = syn::parse_file(expected).unwrap().to_token_stream();
        let libraries = [
            ("columns_core", "crates/core/src"),
            ("columns_bot", "bot/src"),
        ];
        let libraries = libraries.map(|(name, of)| (name, folder.path().join(of)));
        let program = Program {
            libraries: &libraries,
            ..Program::new(Root::Function("columns_bot::submission::main"))
        };
        let source = Source::load(&program).unwrap();
        assert_eq!(
            source.program.to_token_stream().to_string(),
            expected.to_string()
        );

        write("main.rs", "fn main() {}\n\n/// Gone.\nmod gone;");
        let root = folder.path().join("main.rs");
        let error = Source::load(&Program::new(Root::File(&root)))
            .err()
            .unwrap();
        let (error, root) = (format!("{error:#}"), root.display().to_string());
        assert!(
            error.starts_with(&format!("{root}:4: the file ")),
            "{error}"
        );
    }
}
