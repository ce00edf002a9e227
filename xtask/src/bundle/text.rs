//! The text of the submission, from the sources of the two library crates.

use super::{alias, attributes, flatten, print, reach, shorten, source, tidy};
use anyhow::Result;
use quote::format_ident;
use std::path::{Path, PathBuf};
use syn::Item;

/// The crates that the submission is made from: name and folder.
const CRATES: [(&str, &str); 2] = [("columns_core", "core"), ("columns_bot", "bot")];

/// The function that becomes `main`.
const ENTRY: [&str; 3] = ["columns_bot", "submission", "main"];

/// The names that stay: the function that a program starts with, and the constant that
/// docs/submitting.md names.
const NAMES_KEPT: [&str; 2] = ["main", "SECONDS"];

/// The first line of the file.
const HEADER: &str =
    "// A bot for the Columns Game, made by `cargo xtask bundle` from readable sources.\n";

/// The folders of the sources.
pub(crate) fn sources(workspace: &Path) -> [PathBuf; 2] {
    CRATES.map(|(_, folder)| workspace.join(folder).join("src"))
}

/// The text of the submission. `pretty`: with line breaks, indentation and the names of the
/// sources.
///
/// # Errors
/// If the sources cannot be read or use what the bundler does not provide for.
pub(crate) fn text(workspace: &Path, pretty: bool) -> Result<String> {
    let mut program = Vec::new();
    for (name, folder) in CRATES {
        let items = source::load(&workspace.join(folder).join("src/lib.rs"))?;
        let name = format_ident!("{name}");
        program.push(Item::Mod(syn::parse_quote!(mod #name { #(#items)* })));
    }
    reach::prune(&mut program, &ENTRY)?;
    let tokens = flatten::flatten(&program)?;
    let text = if pretty {
        prettyplease::unparse(&syn::parse2(tokens)?)
    } else {
        let tokens = shorten::shorten(alias::for_size(tidy::tidy(tokens)), &NAMES_KEPT)?;
        print::compact(&attributes::by_macros(tokens))?
    };
    Ok(format!("{HEADER}{text}"))
}
