//! The steps from a program to a bundle.

use super::flat::{self, Homes};
use super::print::PrintedProgram;
use super::process::{KILL_TIMEOUT, POLL_INTERVAL};
use super::program::{Goal, Program};
use super::proof::{Bodies, LOCATION_MACROS, fix_locations};
use super::reference::Reference;
use super::source::Source;
use super::{aliases, attributes, dead, derives, marks, tidy, words};
use anyhow::{Result, anyhow, ensure};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::panic::resume_unwind;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use syn::visit_mut::VisitMut;

/// The stack size of the thread that bundles. Nested expressions cause deep recursion.
const STACK_BYTES: usize = 64 << 20;

/// A program in one file.
pub struct Bundle {
    /// The contents of the file.
    pub text: String,
    /// The Rust edition of the file, such as `2021`: the edition of the program's main crate.
    pub edition: String,
    /// A line for each shortening step that was tried: the bytes that it saved, or the reason why it was left
    /// out. Further lines report options and debug code that are left out, and unused code or whitespace that
    /// stays.
    pub log: Vec<String>,
}

/// Bundles a program into one file.
///
/// The file leaves out unused code, comments and whitespace, but keeps the modules and names of the sources.
/// If it does not reach the goal, further steps shorten it, one at a time. After each step, the compiler's
/// intermediate representation shows whether the program still does what the sources do. A step that changes
/// what the program does, or breaks its compilation, is left out.
///
/// # Errors
/// Returns an error if a source file cannot be read, if the compiler cannot be run, if the sources do not
/// compile as one file, if a library would behave differently in the edition of the program, or after a
/// request to stop. The message about an error in the sources begins with the file and the line.
pub fn bundle(program: &Program) -> Result<Bundle> {
    let (sender, result) = mpsc::channel();
    // Only the caller holds the guard of the temporary folder. After a stop request, the caller can return
    // and remove the folder while the thread still reads a program.
    let input = Program {
        _scratch_guard: None,
        ..program.clone()
    };
    let worker = move || drop(sender.send(bundle_to_end(&input)));
    let worker = thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(worker)?;
    loop {
        let is_stopped = program.stop.load(Ordering::Relaxed);
        // After a stop request, the thread needs time to kill a running compiler.
        match result.recv_timeout([POLL_INTERVAL, KILL_TIMEOUT][usize::from(is_stopped)]) {
            Ok(bundle) => return bundle,
            Err(RecvTimeoutError::Timeout) => ensure!(!is_stopped, "interrupted"),
            Err(RecvTimeoutError::Disconnected) => {
                let panicked = worker.join().err();
                resume_unwind(panicked.unwrap_or_else(|| Box::new("the thread has ended")));
            }
        }
    }
}

fn bundle_to_end(program: &Program) -> Result<Bundle> {
    let mut source = Source::load(program)?;
    let whole = PrintedProgram::print(source.program.to_token_stream(), true);
    if let Some(error) = source.compiler.adapt_to(&whole)?.first() {
        return Err(source.to_source_error(error, &whole));
    }
    let edition = source.compiler.edition.clone();
    let lints = source.compiler.allowed_lints.iter();
    let lints: String = lints.map(|lint| format!(",{lint}")).collect();
    let mut comment = program.comment.clone();
    let omitted = program.omitted_options.join(", ");
    if !omitted.is_empty() {
        let _ = write!(comment, ", without cargo's {omitted}");
    }
    let mut state = BundleState {
        // A contest server shows no warnings, so the file turns them off.
        header: format!("// Rust edition {edition}: {comment}\n#![allow(warnings{lints})]\n"),
        reference: Reference::compile(&source)?,
        baseline: Bodies(Vec::new()),
        source: &source,
        program: source.program.to_token_stream(),
        homes: Homes::new(),
        keeps_whitespace: true,
        kept_names: &program.kept_names,
        log: Vec::new(),
    };
    if !omitted.is_empty() {
        let reason = "the contest compiles with -O";
        state
            .log
            .push(format!("cargo's {omitted} is not carried over: {reason}"));
    }
    if source.has_debug_code {
        let reason = "the contest compiles with -O";
        state.log.push(format!(
            "code under cfg(debug_assertions) is left out: {reason}"
        ));
    }
    state.remove_unused_code()?;
    let text = if program.goal == Goal::Pretty {
        state.header.clone() + &prettyplease::unparse(&syn::parse2(state.program)?)
    } else {
        state.shorten(program.goal)?;
        state.text()
    };
    Ok(Bundle {
        text,
        edition,
        log: state.log,
    })
}

/// The state of the bundling between two steps.
struct BundleState<'a> {
    /// The comment and the attributes at the start of the file.
    header: String,
    source: &'a Source,
    reference: Reference,
    /// The functions of the program after unused code was removed. After each later step, every function of
    /// the program must equal one of them.
    baseline: Bodies,
    /// The program after the steps so far.
    program: TokenStream,
    /// Maps each merged module to the module that now holds its items.
    homes: Homes,
    /// True if the file keeps the whitespace of the sources: at first, and later only if a macro shows it.
    keeps_whitespace: bool,
    /// The names that must not be shortened, in addition to `main`.
    kept_names: &'a [String],
    log: Vec<String>,
}

/// A step that shortens the program. The error explains why the step is left out.
type Step = fn(&mut BundleState) -> Result<()>;

/// The steps that shorten the program, in order.
const STEPS: [(&str, Step); 4] = [
    ("commas and numbers", |state| {
        state.accept(tidy::tidy(state.program.clone()), Homes::new())
    }),
    ("modules", |state| {
        let (flat, homes) = flat::flatten(&state.program)?;
        state.accept(flat, homes)
    }),
    ("derived traits", |state| {
        let stripped = derives::remove_derives(&state.program, state.source)?;
        // A removed implementation of `Display` may have been the only user of a function.
        let stripped = dead::prune(stripped, state.source)?;
        state.accept(stripped, state.homes.clone())
    }),
    ("names", |state| state.shorten_names()),
];

impl BundleState<'_> {
    /// Removes unused code, comments and whitespace.
    ///
    /// # Errors
    /// Returns an error if the compiler cannot be run, or if a library that uses another edition would behave
    /// differently in the edition of the program.
    fn remove_unused_code(&mut self) -> Result<()> {
        let mut program = self.source.program.clone();
        dead::NarrowVisibility.visit_file_mut(&mut program);
        let pruned = dead::prune(program, self.source);
        let pruned = pruned.and_then(|pruned| self.set_program(pruned));
        if let Err(reason) = pruned {
            ensure!(!self.source.compiler.is_broken.get(), reason);
            self.log.push(format!("unused code stays: {reason:#}"));
            let whole = self.set_program(self.source.program.to_token_stream());
            whole.map_err(|_| anyhow!("{reason:#}{}", self.advice()))?;
        }
        Ok(())
    }

    /// Returns the end of the message if the program differs from the sources even with its unused code:
    /// the probable cause, and what the user can do. It is empty if the cause is unknown.
    fn advice(&self) -> String {
        let (crates, edition) = (&self.source.crates, &self.source.compiler.edition);
        let text = self.source.program.to_token_stream().to_string();
        let is_called_by_path = |name: &&str| text.contains(&format!(":: {name} !"));
        if crates.iter().any(|krate| krate.input.edition != *edition) {
            format!(
                ", since the program has edition {edition}: give both crates the same, or try --edition"
            )
        } else if LOCATION_MACROS.iter().any(is_called_by_path) {
            ": write macros such as line! and dbg! without std::".to_string()
        } else {
            String::new()
        }
    }

    /// Makes `program` the current program if it is proven equal to the sources. Removes the whitespace of
    /// the sources, unless a macro such as `stringify!` shows it.
    fn set_program(&mut self, program: TokenStream) -> Result<()> {
        let prove = |keeps_whitespace| {
            let bodies = self.compile(&program, keeps_whitespace)?;
            self.reference.check_contains(&bodies, self.source)?;
            Ok(bodies)
        };
        let proof: Result<Bodies> = prove(false);
        let keeps_whitespace = proof.is_err();
        // Later steps are compared with these functions, which no longer include unused ones.
        self.baseline = proof.or_else(|_| prove(true))?;
        (self.program, self.keeps_whitespace) = (program, keeps_whitespace);
        let note = "blanks stay: a macro shows them".to_string();
        self.log.extend(keeps_whitespace.then_some(note));
        Ok(())
    }

    /// Applies the steps one by one until the goal is reached.
    fn shorten(&mut self, goal: Goal) -> Result<()> {
        for (name, step) in STEPS {
            let before = self.text().len();
            if matches!(goal, Goal::Bytes(limit) if before <= limit) {
                break;
            }
            let result = step(self);
            let saved = before as isize - self.text().len() as isize;
            match result {
                Ok(()) => self.log.push(format!("{name}: {saved} bytes saved")),
                Err(reason) if self.source.compiler.is_broken.get() => return Err(reason),
                Err(reason) => self.log.push(format!("{name} stay: {reason:#}")),
            }
        }
        Ok(())
    }

    /// Returns the text of the bundle after the steps so far.
    fn text(&self) -> String {
        let printed = PrintedProgram::print(self.program.clone(), self.keeps_whitespace);
        self.header.clone() + &printed.text
    }

    /// Replaces the program, or returns an error if the new one does not do what the sources do.
    fn accept(&mut self, program: TokenStream, homes: Homes) -> Result<()> {
        self.prove(&program, &homes)?;
        (self.program, self.homes) = (program, homes);
        Ok(())
    }

    /// Returns the functions of `program`, or an error if one of them differs from the sources.
    fn prove(&self, program: &TokenStream, homes: &Homes) -> Result<Bodies> {
        let bodies = self.compile(program, self.keeps_whitespace)?;
        self.baseline.check_contains(&bodies, homes, self.source)?;
        Ok(bodies)
    }

    /// Returns the functions of `program`, or an error if it does not compile.
    fn compile(&self, program: &TokenStream, keeps_whitespace: bool) -> Result<Bodies> {
        let printed = PrintedProgram::print(fix_locations(program.clone()), keeps_whitespace);
        Bodies::compile(&printed, self.source)?
            .map_err(|errors| self.source.to_source_error(&errors[0], &printed))
    }

    /// Replaces the declared names, and frequent attributes and names of the standard library, with short
    /// ones.
    ///
    /// If the result does not behave like the sources, tries again: no two declared names then share a short
    /// name, and attributes and names of the standard library stay as they are.
    fn shorten_names(&mut self) -> Result<()> {
        let mut kept_names = derives::debug_names(&self.program);
        kept_names.extend(self.kept_names.iter().cloned().chain(["main".to_string()]));
        self.program = match self.with_short_names(&kept_names, true) {
            Ok(short) => short,
            Err(reason) => {
                self.log.push(format!(
                    "names: neither shared nor with aliases: {reason:#}"
                ));
                self.with_short_names(&kept_names, false)?
            }
        };
        Ok(())
    }

    /// Returns the program with a short word for each declared name that is not in `kept_names`. If
    /// `is_aggressive` is true, names share words, and frequent attributes and names of the standard library
    /// get words, too.
    fn with_short_names(
        &self,
        kept_names: &HashSet<String>,
        is_aggressive: bool,
    ) -> Result<TokenStream> {
        let mut marked = self.program.clone();
        // If the step `modules` was left out, the modules would not see the aliases, which are in the root.
        if is_aggressive && !self.homes.is_empty() {
            marked = aliases::add_aliases(marked);
        }
        marked = marks::mark_names(&marked, kept_names, !is_aggressive, self.source)?;
        let bodies = self.prove(&marked, &self.homes)?;
        let words = words::choose_words(&marked, is_aggressive);
        let mut short = words::rename(marked, &words);
        if is_aggressive {
            short = attributes::replace_attributes(short);
        }
        bodies.check_equals(&self.compile(&short, self.keeps_whitespace)?, &words)?;
        Ok(short)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;

    #[test]
    fn a_stop_request_ends_the_bundling_while_no_compiler_runs() {
        static STOP: AtomicBool = AtomicBool::new(false);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("main.rs");
        let function =
            "fn f(x: u64) -> u64 { let y = x * 7; if y % 3 == 0 { y } else { y ^ 1 } }\n";
        std::fs::write(&file, function.repeat(1000)).unwrap();
        let mut program = Program::new(&file);
        program.stop = &STOP;
        let start = Instant::now();
        Source::load(&program).unwrap();
        // The time that the bundler takes to read the program before it starts the compiler.
        let loading = start.elapsed();
        let start = Instant::now();
        thread::spawn(move || {
            thread::sleep(loading / 8);
            STOP.store(true, Ordering::Relaxed);
        });
        let error = bundle(&program).err().unwrap();
        assert_eq!(error.to_string(), "interrupted");
        assert!(
            start.elapsed() < loading / 8 + KILL_TIMEOUT + loading / 2,
            "{loading:?}"
        );
    }
}
