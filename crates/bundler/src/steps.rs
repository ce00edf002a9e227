//! The steps from a program to a bundle.

use super::flat::{self, Homes};
use super::names::MARK_PREFIX;
use super::print::PrintedProgram;
use super::program::{Goal, Program};
use super::proof::{Bodies, fix_locations};
use super::source::Source;
use super::{aliases, attributes, dead, derives, marks, tidy, words};
use anyhow::{Result, anyhow, ensure};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::HashSet;

/// A program in one file.
pub struct Bundle {
    /// The contents of the file.
    pub text: String,
    /// The Rust edition of the file, such as `2021`: that of the program's main crate.
    pub edition: String,
    /// A line for each shortening step that was tried: the bytes that it saved, or the reason why it was left
    /// out. Further lines explain why unused code or blanks stay, if they do.
    pub log: Vec<String>,
}

/// Bundles a program into one file.
///
/// The file leaves out unused code, comments and blanks, but keeps the modules and names of the sources. If
/// it does not reach the goal, further steps shorten it, one at a time. The compiler's intermediate form
/// shows after each step whether the program still does what the sources do. If the program does not, or if
/// it does not compile, the step is left out.
///
/// # Errors
/// Returns an error if a source file cannot be read, if the compiler cannot be run, if the sources do not
/// compile as one file, or if a library would behave differently in the edition of the program. The message
/// about an error in the sources begins with the file and the line.
pub fn bundle(program: &Program) -> Result<Bundle> {
    let mut source = Source::load(program)?;
    let whole = PrintedProgram::print(source.program.to_token_stream(), true);
    if let Some(error) = source.compiler.adapt_to(&whole)?.first() {
        return Err(source.to_source_error(error, &whole));
    }
    let edition = source.compiler.edition().to_string();
    let lints = source.compiler.allowed_lints.iter();
    let lints: String = lints.map(|lint| format!(",{lint}")).collect();
    let comment = &program.comment;
    let mut steps = Steps {
        // A contest server shows no warnings, so the file turns them off.
        header: format!("// Rust edition {edition}: {comment}\n#![allow(warnings{lints})]\n"),
        sources: Bodies::from_sources(&source)?,
        source: &source,
        file: source.program.clone(),
        homes: Homes::new(),
        keeps_blanks: true,
        short: None,
        kept_names: &program.kept_names,
        log: Vec::new(),
    };
    steps.without_unused_code()?;
    let text = if program.goal == Goal::Pretty {
        steps.header.clone() + &prettyplease::unparse(&steps.file)
    } else {
        steps.shorten(program.goal)?;
        steps.text()
    };
    let log = steps.log;
    Ok(Bundle { text, edition, log })
}

/// The state of the bundling between two steps.
struct Steps<'a> {
    /// The comment and the attributes at the start of the file.
    header: String,
    source: &'a Source,
    /// The functions of the sources, until unused code is removed; then only the used ones. After each step,
    /// the functions of the program must equal them.
    sources: Bodies,
    /// The program after the steps so far, before its names are shortened.
    file: syn::File,
    /// Maps each merged module to the module that now holds its items.
    homes: Homes,
    /// True if the file keeps the blanks of the sources: at first, and later only if a macro shows them.
    keeps_blanks: bool,
    /// The program with short names; `None` before names are shortened.
    short: Option<TokenStream>,
    /// The names that must not be shortened, in addition to `main`.
    kept_names: &'a [String],
    log: Vec<String>,
}

/// A step that shortens the program. Its error says why the step is left out.
type Step = fn(&mut Steps) -> Result<()>;

/// The steps that shorten the program, in the order in which they are applied.
const STEPS: [(&str, Step); 4] = [
    ("commas and numbers", |steps| {
        let tidy = tidy::tidy(steps.file.to_token_stream());
        steps.accept(syn::parse2(tidy)?, Homes::new())
    }),
    ("modules", |steps| {
        let (flat, homes) = flat::flatten(&steps.file, steps.source.begins_in_file)?;
        steps.accept(flat, homes)
    }),
    ("derived traits", |steps| {
        let stripped = derives::remove_derives(&steps.file, steps.source)?;
        steps.accept(stripped, steps.homes.clone())
    }),
    ("names", |steps| steps.shorten_names()),
];

impl Steps<'_> {
    /// Removes unused code, comments and blanks.
    ///
    /// # Errors
    /// Returns an error if the compiler cannot be run, or if a library of another edition would behave
    /// differently in the edition of the program.
    fn without_unused_code(&mut self) -> Result<()> {
        let pruned = dead::prune(self.source).and_then(|pruned| self.without_blanks(pruned));
        if let Err(reason) = pruned {
            ensure!(!self.source.compiler.is_broken(), reason);
            self.log.push(format!("unused code stays: {reason:#}"));
            // If even the whole program differs from the sources, a library is written in another edition.
            let edition = self.source.compiler.edition();
            let way_out = format!(
                "the program has edition {edition}: give both crates the same, or try --edition"
            );
            let whole = self.without_blanks(self.source.program.clone());
            whole.map_err(|reason| anyhow!("{reason:#}, since {way_out}"))?;
        }
        Ok(())
    }

    /// Replaces the program with `file`, and removes its blanks unless a macro shows them.
    fn without_blanks(&mut self, file: syn::File) -> Result<()> {
        let proven = |keeps_blanks| self.proven(file.to_token_stream(), &self.homes, keeps_blanks);
        let proof = proven(false);
        let keeps_blanks = proof.is_err();
        // Later steps are compared with these functions: the unused ones are gone.
        self.sources = proof.or_else(|_| proven(true))?;
        (self.file, self.keeps_blanks) = (file, keeps_blanks);
        let blanks = "blanks stay: a macro shows them".to_string();
        self.log.extend(self.keeps_blanks.then_some(blanks));
        Ok(())
    }

    /// Applies one step after the other until the goal is reached.
    fn shorten(&mut self, goal: Goal) -> Result<()> {
        for (name, step) in STEPS {
            let before = self.text().len();
            if matches!(goal, Goal::Bytes(limit) if before <= limit) {
                break;
            }
            match step(self) {
                Ok(()) => {
                    let saved = before as isize - self.text().len() as isize;
                    self.log.push(format!("{name}: {saved} bytes saved"));
                }
                Err(reason) if self.source.compiler.is_broken() => return Err(reason),
                Err(reason) => self.log.push(format!("{name} stay: {reason:#}")),
            }
        }
        Ok(())
    }

    /// Returns the text of the bundle after the steps so far.
    fn text(&self) -> String {
        let tokens = self.short.clone();
        let tokens = tokens.unwrap_or_else(|| self.file.to_token_stream());
        self.header.clone() + &PrintedProgram::print(tokens, self.keeps_blanks).text
    }

    /// Replaces the program with `file`, or returns an error if `file` does not do what the sources do.
    fn accept(&mut self, file: syn::File, homes: Homes) -> Result<()> {
        self.proven(file.to_token_stream(), &homes, self.keeps_blanks)?;
        (self.file, self.homes) = (file, homes);
        Ok(())
    }

    /// Returns the functions of `program`, or an error if one of them differs from that of the sources.
    fn proven(&self, program: TokenStream, homes: &Homes, keeps_blanks: bool) -> Result<Bodies> {
        let printed = PrintedProgram::print(fix_locations(program), keeps_blanks);
        let bodies = Bodies::from_program(&printed, self.source)?
            .map_err(|errors| self.source.to_source_error(&errors[0], &printed))?;
        self.sources.check_contains(&bodies, homes, self.source)?;
        Ok(bodies)
    }

    /// Gives short words to the declared names, and to frequent attributes and names of the standard library.
    ///
    /// If the result does not do what the sources do, tries again with a different word for each name, and
    /// finally with short words for the declared names only.
    fn shorten_names(&mut self) -> Result<()> {
        let mut held = derives::debug_names(&self.file);
        held.extend(self.kept_names.iter().cloned().chain(["main".to_string()]));
        let named = |is_frugal: bool, alone: &str| -> Result<TokenStream> {
            // If the step `modules` was left out, the modules do not see the aliases of the root.
            let with_aliases = is_frugal && !self.homes.is_empty();
            let mut tokens = self.file.to_token_stream();
            if with_aliases {
                tokens = aliases::add_aliases(tokens);
            }
            let tokens = marks::mark_names(&tokens, &held, self.source)?;
            let marked = self.proven(tokens.clone(), &self.homes, self.keeps_blanks)?;
            let replace_attributes = if is_frugal {
                attributes::replace_attributes
            } else {
                |tokens| tokens
            };
            self.with_words(&tokens, &marked, alone, replace_attributes)
        };
        let short = named(true, "").or_else(|_| named(true, words::WILDCARD));
        self.short = Some(short.or_else(|_| named(false, words::WILDCARD))?);
        Ok(())
    }

    /// Returns the program with a short word for each marked name. Names share words, unless `alone` is
    /// [`words::WILDCARD`].
    ///
    /// If the short program does not compile, the names at the errors get words of their own from then on.
    fn with_words(
        &self,
        tokens: &TokenStream,
        marked: &Bodies,
        alone: &str,
        replace_attributes: fn(TokenStream) -> TokenStream,
    ) -> Result<TokenStream> {
        let mut alone = HashSet::from([alone.to_string()]);
        let names = PrintedProgram::new(fix_locations(replace_attributes(tokens.clone())));
        loop {
            let words = words::choose_words(tokens, &alone);
            let short = replace_attributes(words::rename(tokens.clone(), &words));
            let printed = PrintedProgram::print(fix_locations(short.clone()), self.keeps_blanks);
            let errors = match Bodies::from_program(&printed, self.source)? {
                Ok(bodies) => return marked.check_equals(&bodies, &words).map(|()| short),
                Err(errors) => errors,
            };
            let before = alone.len();
            for span in errors.iter().flat_map(|error| &error.spans) {
                // The marked program has the same tokens: find the name by the index of its token.
                let token = printed
                    .tokens
                    .partition_point(|(at, _)| at.end <= span.start);
                let words = marks::split_words(&names.text[names.tokens[token].0.clone()]);
                alone.extend(
                    words
                        .into_iter()
                        .filter(|word| word.starts_with(MARK_PREFIX)),
                );
            }
            if alone.len() == before {
                return Err(self.source.to_source_error(&errors[0], &printed));
            }
        }
    }
}
