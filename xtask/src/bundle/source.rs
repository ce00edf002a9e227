//! The sources of the two crates as one program.

use super::strip::strip;
use super::tokens::{begins_path, replaced};
use anyhow::{anyhow, ensure, Context, Result};
use quote::{format_ident, quote, ToTokens};
use std::path::Path;
use syn_inline_mod::{Error, InlinerBuilder};

/// The crates that the submission is made from, and the folders of their sources.
pub(crate) const CRATES: [(&str, &str); 2] =
    [("columns_core", "core/src"), ("columns_bot", "bot/src")];

/// Reads the crates as modules of one program, whose `main` is that of the contest.
///
/// # Errors
/// Names a file that cannot be read.
pub(crate) fn load(workspace: &Path) -> Result<syn::File> {
    let mut program = quote!(
        fn main() -> std::process::ExitCode {
            crate::columns_bot::submission::main()
        }
    );
    for (name, folder) in CRATES {
        let root = workspace.join(folder).join("lib.rs");
        let read = InlinerBuilder::new().parse_and_inline_modules(&root);
        let read = read.map_err(|error| match error {
            Error::Io(error) => error.into(),
            Error::Parse(error) => anyhow!(error),
        });
        let read = read.with_context(|| root.display().to_string())?;
        ensure!(!read.has_errors(), "{read}");
        let mut file = read.into_output_and_errors().0;
        strip(&mut file);
        let name = format_ident!("{name}");
        let items = replaced(file.to_token_stream(), &mut |tokens, i| {
            let krate = match tokens[i].to_string().as_str() {
                "crate" if tokens.len() > 1 => name.to_string(), // not that of `pub(crate)`
                other if CRATES.iter().any(|(name, _)| *name == other) => other.to_string(),
                _ => return None,
            };
            let krate = format_ident!("{krate}");
            begins_path(tokens, i).then(|| (1, quote!(crate::#krate)))
        });
        program.extend(quote!(mod #name { #items }));
    }
    Ok(syn::parse2(program)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn both_crates_become_modules_of_one_program() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(
            "core/src/lib.rs",
            "#[cfg(test)] mod missing; mod c { mod d; }",
        );
        write(
            "core/src/c/d.rs",
            "pub(in crate::c) fn d() { crate::c::d::d() }",
        );
        write("core/src/missing.rs", "");
        write("bot/src/lib.rs", "mod a;");
        write(
            "bot/src/a/mod.rs",
            "use columns_core::{c, d}; use crate::a;",
        );
        let expected = "
            fn main() -> std::process::ExitCode { crate::columns_bot::submission::main() }
            mod columns_core { mod c { mod d {
                pub(crate) fn d() { crate::columns_core::c::d::d() }
            } } }
            mod columns_bot { mod a {
                use crate::columns_core::{c, d};
                use crate::columns_bot::a;
            } }
        ";
        let expected = syn::parse_file(expected).unwrap().to_token_stream();
        let found = load(folder.path()).unwrap().to_token_stream();
        assert_eq!(found.to_string(), expected.to_string());

        write("bot/src/lib.rs", "mod b;");
        let error = load(folder.path()).err().unwrap();
        assert!(format!("{error:#}").contains("b.rs"), "{error:#}");
    }
}
