//! The text of a bundle, from its sources.

use super::print::Printed;
use super::program::Program;
use super::proof::Bodies;
use super::source::Source;
use super::{aliases, attributes, dead, derives, flat, marks, names, print, words};
use anyhow::Result;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashSet;
use std::ops::Range;
use syn::visit_mut::{self, VisitMut};

/// A program in one file.
pub struct Bundle {
    /// The text of the file.
    pub text: String,
    /// The reasons why modules or names had to stay, for the user.
    pub kept: Vec<String>,
}

/// Makes one file of a program.
///
/// The compiler's intermediate form shows whether the short program does what the sources do. If it
/// does not, or if the short program does not compile, a second attempt keeps the modules, and a
/// third one keeps the names as well.
///
/// # Errors
/// Returns an error if the compiler cannot be run, or if the sources do not compile as one file. The message begins with the file and
/// the line.
pub fn bundle(program: &Program) -> Result<Bundle> {
    let (pretty, mut source) = (program.pretty, Source::load(program)?);
    let whole = bodies_of(&source.program, &source)?;
    dead::prune(&mut source)?;
    derives::strip(&mut source)?;
    let bodies = bodies_of(&source.program, &source)?;
    whole.contain(&bodies)?;
    let mut kept = Vec::new();
    for (is_flat, is_short, what) in [
        (true, !pretty, "modules"),
        (false, !pretty, "names"),
        (false, false, "nothing"),
    ] {
        let text = match attempt(program.names, &source, &bodies, is_flat, is_short) {
            Ok(tokens) if pretty => prettyplease::unparse(&syn::parse2(tokens)?),
            Ok(tokens) => Printed::new(tokens).text,
            Err(reason) if !is_flat && !is_short => return Err(reason),
            Err(reason) => {
                kept.push(format!("{what} stay: {reason:#}"));
                continue;
            }
        };
        return Ok(Bundle { text, kept });
    }
    unreachable!("the last attempt returns")
}

/// Compiles a program to MIR.
///
/// # Errors
/// Returns an error if the compiler cannot be run, or if the program does not compile.
fn bodies_of(program: &impl ToTokens, source: &Source) -> Result<Bodies> {
    let printed = Printed::new(program.to_token_stream());
    Bodies::of(&printed)?.map_err(|errors| source.explain(&errors[0], &printed))
}

/// Returns the program, with one module if `is_flat`, and with short names, except `names`, if `is_short`.
///
/// # Errors
/// Returns an error if this program does not compile, or does not do what the sources do.
fn attempt(
    names: &[&str],
    source: &Source,
    bodies: &Bodies,
    is_flat: bool,
    is_short: bool,
) -> Result<TokenStream> {
    let mut program = source.program.clone();
    if is_flat {
        // The root's `main` only calls the `main` of a library, which becomes the `main` of the flat program.
        program
            .items
            .retain(|item| source.has_root || matches!(item, syn::Item::Mod(_)));
        program = syn::parse2(flat::flatten(&program))?;
    }
    let names = ["main"].iter().chain(names);
    let mut held = Held(names.map(ToString::to_string).collect());
    held.visit_file_mut(&mut program);
    let mut tokens = program.into_token_stream();
    if is_short {
        if is_flat {
            tokens = aliases::aliased(tokens);
        }
        tokens = print::tidy(tokens);
        tokens = marks::mark(&tokens, &held.0, source)?;
    }
    let marked = bodies_of(&tokens, source)?;
    bodies.contain(&marked)?;
    if !is_short {
        return Ok(tokens);
    }
    let mut alone = HashSet::new();
    let shared = with_words(&tokens, &marked, source, &mut alone);
    shared.or_else(|_| {
        alone.insert(words::ALL.to_string());
        with_words(&tokens, &marked, source, &mut alone)
    })
}

/// Returns the program with a short word for each marked name. Names share words, except those in `alone`.
///
/// If the short program does not compile, the names at the errors join `alone`, and new words are
/// chosen.
///
/// # Errors
/// Returns an error if the short program does not compile, or does not do what the sources do.
fn with_words(
    tokens: &TokenStream,
    marked: &Bodies,
    source: &Source,
    alone: &mut HashSet<String>,
) -> Result<TokenStream> {
    let names = Printed::new(attributes::by_macros(tokens.clone()));
    loop {
        let words = words::choose(tokens, alone);
        let short = attributes::by_macros(words::renamed(tokens.clone(), &words));
        let printed = Printed::new(short.clone());
        let errors = match Bodies::of(&printed)? {
            Ok(bodies) => return marked.are(&bodies, &words).map(|()| short),
            Err(errors) => errors,
        };
        let before = alone.len();
        for span in errors.iter().flat_map(|error| &error.spans) {
            // The marked program has the same tokens, so the token's index leads to the marked name.
            let ends_before = |(at, _): &(Range<usize>, _)| at.end <= span.start;
            let token = printed.tokens.partition_point(ends_before);
            let words = marks::words(&names.text[names.tokens[token].0.clone()]);
            alone.extend(
                words
                    .into_iter()
                    .filter(|word| word.starts_with(names::MARK)),
            );
        }
        if alone.len() == before {
            return Err(source.explain(&errors[0], &printed));
        }
    }
}

/// The names that keep their form, such as those that a derived `Debug` prints.
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
