//! The text of the submission, from the sources of the two library crates.

use super::{attributes, constants, dead, flat, print, shorten, source, strip};
use anyhow::Result;
use quote::ToTokens;
use std::path::{Path, PathBuf};

/// The names that stay: the function that a program starts with, and the constant that
/// docs/submitting.md names.
const NAMES_KEPT: [&str; 2] = ["main", "SECONDS"];

/// The first lines of the file. A judge shows its compiler's warnings to nobody.
const HEADER: &str = "\
// A bot for the Columns Game, made by `cargo xtask bundle` from readable sources.
#![allow(warnings)]
";

/// The part of [`HEADER`] that tells a submission from other files.
pub(crate) const MARK: &str = "made by `cargo xtask bundle`";

/// The folders of the sources.
pub(crate) fn sources(workspace: &Path) -> [PathBuf; 2] {
    source::CRATES.map(|(_, folder)| workspace.join(folder))
}

/// The text of the submission. `pretty`: with line breaks, indentation and the names of the
/// sources.
///
/// # Errors
/// If the sources cannot be read or use what the bundler does not provide for.
pub(crate) fn text(workspace: &Path, pretty: bool) -> Result<String> {
    let mut program = source::load(workspace)?;
    dead::prune(&mut program)?;
    strip::strip_derives(&mut program)?;
    let program: syn::File = syn::parse2(flat::flatten(&program))?;
    let text = if pretty {
        prettyplease::unparse(&program)
    } else {
        let tokens = constants::replace(program.into_token_stream(), &NAMES_KEPT);
        let tokens = print::tidy(tokens);
        let tokens = shorten::shorten(&tokens, &NAMES_KEPT)?;
        print::compact(attributes::by_macros(tokens))
    };
    Ok(format!("{HEADER}{text}"))
}
