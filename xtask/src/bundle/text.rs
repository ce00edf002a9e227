//! The text of a submission, from its sources.

use super::names::MARK as MARKED;
use super::print::Printed;
use super::proof::Bodies;
use super::source::{Source, CRATES};
use super::{attributes, constants, dead, derives, flat, marks, print, words};
use anyhow::{ensure, Result};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use syn::visit_mut::{self, VisitMut};

/// The names that stay: the function that a program starts with, and the constant that
/// docs/submitting.md names.
const NAMES_KEPT: [&str; 2] = ["main", "SECONDS"];

/// The first lines of the file. A judge shows its compiler's warnings to nobody.
const HEADER: &str = "\
// A bot, made by `cargo xtask bundle` from readable sources.
#![allow(warnings)]
";

/// The part of [`HEADER`] that tells a submission from other files.
pub(crate) const MARK: &str = "made by `cargo xtask bundle`";

/// The folders of the sources of the libraries.
pub(crate) fn sources(workspace: &Path) -> [PathBuf; 2] {
    CRATES.map(|(_, folder)| workspace.join(folder))
}

/// A submission, and what could not be made short in it.
pub(crate) struct Made {
    pub(crate) text: String,
    pub(crate) kept: Vec<String>,
}

/// Makes the text of a submission. `pretty`: with line breaks, indentation and the names of the
/// sources.
///
/// The short program is compared with the sources as the compiler understands both. Where they
/// differ, or the short one does not compile, the modules stay; then the names as well.
///
/// # Errors
/// If there is no compiler, or the sources do not compile as one file.
pub(crate) fn text(mut source: Source, pretty: bool) -> Result<Made> {
    let printed = Printed::new(source.program.to_token_stream());
    let whole = Bodies::of(&printed, &source)?;
    dead::prune(&mut source)?;
    derives::strip(&mut source)?;
    let printed = Printed::new(source.program.to_token_stream());
    let bodies = Bodies::of(&printed, &source)?;
    whole.contain(&bodies)?;
    let mut kept = Vec::new();
    for (is_flat, is_short, what) in [
        (true, !pretty, "modules"),
        (false, !pretty, "names"),
        (false, false, "nothing"),
    ] {
        match attempt(&source, &bodies, is_flat, is_short) {
            Ok(tokens) if pretty => {
                let text = prettyplease::unparse(&syn::parse2(tokens)?);
                return Ok(Made {
                    text: format!("{HEADER}{text}"),
                    kept,
                });
            }
            Ok(tokens) => {
                let text = format!("{HEADER}{}", Printed::new(tokens).text);
                return Ok(Made { text, kept });
            }
            Err(reason) if !is_flat && !is_short => return Err(reason),
            Err(reason) => kept.push(format!("{what} stay: {reason:#}")),
        }
    }
    unreachable!("the last attempt returns")
}

/// The program, with one module and short names where that is asked for.
fn attempt(source: &Source, bodies: &Bodies, is_flat: bool, is_short: bool) -> Result<TokenStream> {
    let mut program = source.program.clone();
    if is_flat {
        // Among the items of all modules is the function that the contest's root only calls.
        program
            .items
            .retain(|item| source.has_root || matches!(item, syn::Item::Mod(_)));
        program = syn::parse2(flat::flatten(&program))?;
    }
    let mut held = Held(HashSet::from(NAMES_KEPT.map(String::from)));
    held.visit_file_mut(&mut program);
    let mut tokens = program.into_token_stream();
    if is_short {
        let is_plain = !tokens.to_string().contains(MARKED);
        ensure!(is_plain, "the program has a name or a text with {MARKED}");
        let tidy = attributes::by_macros(print::tidy(tokens, is_flat));
        tokens = marks::mark(&tidy, &held.0, source)?;
    }
    let marked = Bodies::of(&Printed::new(tokens.clone()), source)?;
    bodies.contain(&marked)?;
    let with_words = |share, has_numbers| {
        let (tokens, numbers) = if has_numbers {
            constants::replace(&tokens)
        } else {
            (tokens.clone(), HashMap::new())
        };
        let words = words::choose(&tokens, share);
        let short = words::renamed(tokens, &words);
        let bodies = Bodies::of(&Printed::new(short.clone()), source)?;
        marked.are(&bodies, &words, &numbers)?;
        Ok(short)
    };
    let result = with_words(true, true);
    if let Err(error) = &result { eprintln!("DEBUG {error:#}"); }
    let others = result.or_else(|_: anyhow::Error| with_words(true, false));
    others.or_else(|_| with_words(false, false))
}

/// The names that a program may print, since their types derive `Debug`.
struct Held(HashSet<String>);

impl Held {
    fn add(&mut self, attributes: &[syn::Attribute], item: TokenStream) {
        let mut derived = attributes.iter().filter_map(derives::derived);
        if derived.any(|names| names.iter().any(|name| name == "Debug")) {
            self.words(item);
        }
    }

    fn words(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(word) => drop(self.0.insert(word.to_string())),
                TokenTree::Group(group) => self.words(group.stream()),
                _ => {}
            }
        }
    }
}

impl VisitMut for Held {
    fn visit_item_mut(&mut self, item: &mut syn::Item) {
        let tokens = item.to_token_stream();
        match item {
            syn::Item::Struct(item) => self.add(&item.attrs, tokens),
            syn::Item::Enum(item) => self.add(&item.attrs, tokens),
            _ => visit_mut::visit_item_mut(self, item),
        }
    }
}
