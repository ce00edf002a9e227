//! The steps from a program to a bundle.

use super::flat::{self, Homes};
use super::print::Printed;
use super::program::{Goal, Program};
use super::proof::{Bodies, fixed};
use super::source::Source;
use super::tidy::{DebugAssertions, tidy};
use super::{aliases, attributes, dead, derives, marks, names, words};
use anyhow::{Context, Result, ensure};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashSet;
use std::ops::Range;
use syn::visit_mut::{self, VisitMut};

/// A program in one file.
pub struct Bundle {
    /// The text of the file.
    pub text: String,
    /// The edition of the file.
    pub edition: String,
    /// The steps: what each saved, or why it was left out.
    pub log: Vec<String>,
}

/// Makes one file of a program.
///
/// Without unused code, comments and blanks, the file has the modules and names of the sources. If it does not reach the
/// goal, further steps shorten it, one after the other. The compiler's intermediate form shows after each step whether the
/// program still does what the sources do. If it does not, or if it does not compile, the step is left out.
///
/// # Errors
/// Returns an error if the compiler cannot be run, or if the sources do not compile as one file. The message begins with the
/// file and the line.
pub fn bundle(program: &Program) -> Result<Bundle> {
    let mut source = Source::load(program)?;
    let whole = Printed::with_blanks(source.program.to_token_stream(), true);
    if let Some(error) = source.compiler.adapt(&whole)?.first() {
        return Err(source.explain(error, &whole));
    }
    let edition = source.compiler.edition().to_string();
    let allowed = source
        .compiler
        .allowed
        .iter()
        .map(|lint| format!(",{lint}"));
    let allowed: String = allowed.collect();
    let mut steps = Steps {
        // Warnings are off: no judge shows them.
        header: format!(
            "// Rust edition {edition}: {}\n#![allow(warnings{allowed})]\n",
            program.comment
        ),
        sources: Bodies::of_sources(&source.program, &source)?,
        source: &source,
        program: source.program.clone(),
        homes: Homes::new(),
        has_blanks: true,
        short: None,
        has_aliases: false,
        log: Vec::new(),
    };
    steps.safe()?;
    if program.goal == Goal::Pretty {
        steps.has_blanks = true;
    } else {
        steps.risky(program)?;
    }
    let text = match program.goal {
        Goal::Pretty => format!("{}{}", steps.header, prettyplease::unparse(&steps.program)),
        _ => steps.text(),
    };
    Ok(Bundle {
        text,
        edition,
        log: steps.log,
    })
}

/// A bundle in the making.
struct Steps<'a> {
    /// The first lines of the file.
    header: String,
    source: &'a Source,
    /// The functions of the sources.
    sources: Bodies,
    /// The program after the steps so far, with its names.
    program: syn::File,
    /// The modules that have been merged.
    homes: Homes,
    /// True if blanks of the sources have to stay.
    has_blanks: bool,
    /// The program with short names.
    short: Option<TokenStream>,
    /// True if frequent names of the standard library have an alias.
    has_aliases: bool,
    log: Vec<String>,
}

/// A step that shortens the program.
type Step = fn(&Steps, &Program) -> Result<Change>;

/// The result of a step: a program with its names, or the short program.
enum Change {
    Program(syn::File),
    Flat(syn::File, Homes),
    Sources(syn::File, Bodies),
    Short(TokenStream),
}

/// The steps that merge modules and shorten names, in their order.
const STEPS: [(&str, Step); 7] = [
    ("debug assertions", without_debug_assertions),
    ("derived traits", |steps, _| {
        derives::strip(&steps.program, steps.source).map(Change::Program)
    }),
    ("commas and numbers", |steps, _| {
        Ok(Change::Program(syn::parse2(tidy(
            steps.program.to_token_stream(),
        ))?))
    }),
    ("modules", without_modules),
    ("names", |steps, program| steps.short(program, false, false)),
    ("aliases", |steps, program| {
        // Modules would not see the aliases of the root.
        ensure!(!steps.homes.is_empty(), "the modules stay");
        steps.short(program, true, false)
    }),
    ("attributes", |steps, program| {
        steps.short(program, steps.has_aliases, true)
    }),
];

impl Steps<'_> {
    /// Removes unused code, comments and blanks.
    ///
    /// # Errors
    /// Returns an error if the compiler cannot be run.
    fn safe(&mut self) -> Result<()> {
        let reason = match dead::prune(self.source) {
            Ok(pruned) => [false, true].into_iter().find_map(|has_blanks| {
                let bodies = self.proven(pruned.to_token_stream(), &self.homes, has_blanks);
                let bodies = match bodies {
                    Ok(bodies) => bodies,
                    Err(reason) => return has_blanks.then_some(Err(reason)),
                };
                (self.sources, self.program, self.has_blanks) =
                    (bodies, pruned.clone(), has_blanks);
                Some(Ok(()))
            }),
            Err(reason) => Some(Err(reason)),
        };
        if let Some(Err(reason)) = reason {
            ensure!(!self.source.compiler.is_broken(), reason);
            self.log.push(format!("unused code stays: {reason:#}"));
            let whole = self.program.to_token_stream();
            self.has_blanks = self.proven(whole.clone(), &self.homes, false).is_err();
            if self.has_blanks {
                // Only a library of another edition can differ here.
                self.proven(whole, &self.homes, true)
                    .context("in the edition of the program")?;
            }
        }
        if self.has_blanks {
            self.log.push("blanks stay: a macro shows them".to_string());
        }
        Ok(())
    }

    /// Takes the steps that the goal needs.
    fn risky(&mut self, program: &Program) -> Result<()> {
        for (name, step) in STEPS {
            let before = self.text().len();
            if matches!(program.goal, Goal::Bytes(limit) if before <= limit) {
                break;
            }
            let change = step(self, program).and_then(|change| {
                match &change {
                    Change::Program(program) => {
                        self.proven(program.to_token_stream(), &self.homes, self.has_blanks)?;
                    }
                    Change::Flat(program, homes) => {
                        self.proven(program.to_token_stream(), homes, self.has_blanks)?;
                    }
                    Change::Sources(..) | Change::Short(_) => {}
                }
                Ok(change)
            });
            match change {
                Ok(Change::Program(program)) => self.program = program,
                Ok(Change::Flat(program, homes)) => (self.program, self.homes) = (program, homes),
                Ok(Change::Sources(program, sources)) => {
                    (self.program, self.sources) = (program, sources);
                }
                Ok(Change::Short(short)) => self.short = Some(short),
                Err(reason) if self.source.compiler.is_broken() => return Err(reason),
                Err(reason) => {
                    self.log.push(format!("{name} stay: {reason:#}"));
                    continue;
                }
            }
            self.has_aliases |= name == "aliases";
            let saved = before as isize - self.text().len() as isize;
            self.log.push(format!("{name}: {saved} bytes saved"));
        }
        Ok(())
    }

    /// Returns the text of the bundle after the steps so far.
    fn text(&self) -> String {
        let program = self
            .short
            .clone()
            .unwrap_or_else(|| self.program.to_token_stream());
        self.header.clone() + &Printed::with_blanks(program, self.has_blanks).text
    }

    /// Returns the functions of a program that does what the sources do.
    fn proven(&self, program: TokenStream, homes: &Homes, has_blanks: bool) -> Result<Bodies> {
        let bodies = self.bodies(program, has_blanks)?;
        self.sources.contain(&bodies, homes, self.source.has_root)?;
        Ok(bodies)
    }

    fn bodies(&self, program: TokenStream, has_blanks: bool) -> Result<Bodies> {
        let printed = Printed::with_blanks(fixed(program), has_blanks);
        Bodies::of(&printed, self.source)?
            .map_err(|errors| self.source.explain(&errors[0], &printed))
    }

    /// Returns the program with short names.
    fn short(&self, program: &Program, has_aliases: bool, has_macros: bool) -> Result<Change> {
        let mut held = Held(
            program
                .names
                .iter()
                .cloned()
                .chain(["main".to_string()])
                .collect(),
        );
        held.visit_file_mut(&mut self.program.clone());
        let mut tokens = self.program.to_token_stream();
        if has_aliases {
            tokens = aliases::aliased(tokens);
        }
        tokens = marks::mark(&tokens, &held.0, self.source)?;
        let marked = self.bodies(tokens.clone(), self.has_blanks)?;
        self.sources
            .contain(&marked, &self.homes, self.source.has_root)?;
        let mut alone = HashSet::new();
        let short = self
            .with_words(&tokens, &marked, &mut alone, has_macros)
            .or_else(|_| {
                alone.insert(words::ALL.to_string());
                self.with_words(&tokens, &marked, &mut alone, has_macros)
            });
        short.map(Change::Short)
    }

    /// Returns the program with a short word for each marked name. Names share words, except those in `alone`.
    ///
    /// If the short program does not compile, the names at the errors join `alone`, and new words are
    /// chosen.
    fn with_words(
        &self,
        tokens: &TokenStream,
        marked: &Bodies,
        alone: &mut HashSet<String>,
        has_macros: bool,
    ) -> Result<TokenStream> {
        let with_macros = |tokens| {
            if has_macros {
                attributes::by_macros(tokens)
            } else {
                tokens
            }
        };
        let names = Printed::new(fixed(with_macros(tokens.clone())));
        loop {
            let words = words::choose(tokens, alone);
            let short = with_macros(words::renamed(tokens.clone(), &words));
            let printed = Printed::with_blanks(fixed(short.clone()), self.has_blanks);
            let errors = match Bodies::of(&printed, self.source)? {
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
                return Err(self.source.explain(&errors[0], &printed));
            }
        }
    }
}

/// Removes debug assertions from the program, and from the sources that it is compared with.
fn without_debug_assertions(steps: &Steps, _: &Program) -> Result<Change> {
    let mut program = steps.program.clone();
    DebugAssertions.visit_file_mut(&mut program);
    let sources = Bodies::of_sources(&program, steps.source)?;
    Ok(Change::Sources(program, sources))
}

/// Merges the modules.
fn without_modules(steps: &Steps, _: &Program) -> Result<Change> {
    let mut program = steps.program.clone();
    // The root's `main` only calls the `main` of a library, which becomes the `main` of the flat program.
    let has_root = steps.source.has_root;
    program
        .items
        .retain(|item| has_root || matches!(item, syn::Item::Mod(_)));
    let (program, homes) = flat::flatten(&program)?;
    Ok(Change::Flat(program, homes))
}

/// The names that keep their form, such as those that a derived `Debug` prints.
struct Held(HashSet<String>);

impl Held {
    fn add(&mut self, attributes: &[syn::Attribute], item: TokenStream) {
        let mut derived = attributes.iter().flat_map(derives::derived);
        if derived.any(|path| {
            path.segments
                .last()
                .is_some_and(|name| name.ident == "Debug")
        }) {
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
