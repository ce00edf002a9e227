//! Runs the compiler on a program and reads its messages.

use super::print::PrintedProgram;
use super::process::RunningProcess;
use super::program::Program;
use super::source::SourceCrate;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

/// The architectures to compile for, as values of `target_arch`. `other` stands for every architecture except
/// x86-64.
pub(crate) const ARCHITECTURES: [&str; 2] = ["x86_64", "other"];

/// The options that enable the lints about unused code.
const UNUSED_LINTS: [&str; 3] = ["-Wdead_code", "-Wunused_imports", "-Wunused_macros"];

/// The custom `cfg` that replaces `target_arch` in the source. Both names have the same length, so byte
/// offsets stay valid.
pub(crate) const ARCH_CFG: &str = "judges_arch";

/// The options of the contest's build that change what a program does. `-O` implies them.
const CONTEST_FLAGS: [&str; 2] = ["-Cdebug-assertions=off", "-Coverflow-checks=off"];

/// The name of the temporary source file that the compiler reads.
pub(crate) const FILE_NAME: &str = "bot.rs";

/// A warning or an error of the compiler.
pub(crate) struct Message {
    pub(crate) is_error: bool,
    /// The code of an error, such as `E0425`, or the name of a lint, such as `dead_code`; empty if there is
    /// neither.
    pub(crate) code: String,
    /// For each of [`ARCHITECTURES`], true if the compiler printed the message for it.
    pub(crate) architectures: [bool; 2],
    /// The byte ranges of the program that the message points to.
    pub(crate) spans: Vec<Range<usize>>,
    /// The byte ranges of the message's notes and labels, each with the text that the compiler suggests
    /// there.
    pub(crate) notes: Vec<(Range<usize>, String)>,
    /// The text of the message, without its spans and notes.
    pub(crate) text: String,
}

impl Message {
    /// Parses the messages among the lines of the compiler's standard error.
    fn parse_all(errors: &str, architectures: [bool; 2]) -> impl Iterator<Item = Self> {
        let jsons = errors
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        jsons.map(move |json| Self::new(&json, architectures))
    }

    fn new(json: &Value, architectures: [bool; 2]) -> Self {
        let all = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let spans = all(&json["spans"]).into_iter();
        let spans = spans.filter(|span| span["is_primary"] == true);
        let labels = all(&json["spans"]).into_iter();
        let labels = labels.filter(|span| span["is_primary"] == false);
        let notes = all(&json["children"]).into_iter();
        let notes = notes.flat_map(|child| all(&child["spans"])).chain(labels);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        Self {
            is_error: json["level"] == "error",
            code: text(&json["code"]["code"]),
            architectures,
            spans: spans
                .filter_map(|span| Some(parse_span(&span)?.0))
                .collect(),
            notes: notes.filter_map(|span| parse_span(&span)).collect(),
            text: text(&json["message"]),
        }
    }

    /// Returns the words that the message quotes, such as `count` in "cannot find value `count`".
    pub(crate) fn quoted_words(&self) -> Vec<String> {
        let quoted = self.text.split('`').skip(1).step_by(2);
        quoted.flat_map(split_words).collect()
    }

    /// True for an error in the program. An error without a span is a system error, or the final error count.
    fn is_fault(&self) -> bool {
        self.is_error && !self.spans.is_empty()
    }
}

/// Splits a text into its words of letters, digits and underscores.
pub(crate) fn split_words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words
        .filter(|word| !word.is_empty())
        .map(String::from)
        .collect()
}

/// Returns the byte range of a span, and the text that the compiler suggests at this range.
///
/// For a span inside a macro of the standard library, returns the range of the macro's call.
fn parse_span(span: &Value) -> Option<(Range<usize>, String)> {
    if !span["file_name"].as_str()?.ends_with(FILE_NAME) {
        return parse_span(span.get("expansion")?.get("span")?);
    }
    let byte = |key: &str| span[key].as_u64().map(|byte| byte as usize);
    let suggested = span["suggested_replacement"].as_str().unwrap_or_default();
    Some((
        byte("byte_start")?..byte("byte_end")?,
        suggested.to_string(),
    ))
}

/// The compiler, with the options for one program.
#[derive(Clone)]
pub(crate) struct Compiler {
    pub(crate) edition: String,
    /// The folder of the program. A `rust-toolchain.toml` there chooses the compiler.
    folder: PathBuf,
    /// The folder for temporary files.
    pub(crate) scratch: PathBuf,
    /// For each of [`ARCHITECTURES`], true if the program compiles for it.
    pub(crate) architectures: [bool; 2],
    /// The deny-by-default lints that the sources violate. Every compilation allows them.
    pub(crate) allowed_lints: BTreeSet<String>,
    /// True if the compiler has failed for a reason outside the program, such as a full disk.
    pub(crate) is_broken: Cell<bool>,
    stop: &'static AtomicBool,
}

impl Compiler {
    pub(crate) fn new(program: &Program) -> Self {
        let file = program.main.file.canonicalize().ok();
        let folder = file.as_deref().and_then(Path::parent);
        Self {
            edition: program.main.edition.clone(),
            folder: folder.map_or_else(|| ".".into(), Path::to_path_buf),
            scratch: program.scratch.clone(),
            architectures: [true; 2],
            allowed_lints: BTreeSet::new(),
            is_broken: Cell::new(false),
            stop: program.stop,
        }
    }

    /// Compiles `program`, and records the lints to allow and the architectures that it compiles for. If it
    /// compiles for none of them, returns the errors; otherwise, returns no errors.
    ///
    /// # Errors
    /// Returns an error if the compiler cannot be run.
    pub(crate) fn adapt_to(&mut self, program: &PrintedProgram) -> Result<Vec<Message>> {
        let (messages, _) = self.emit_mir(program)?;
        let is_lint = |error: &Message| error.code.starts_with(|c: char| c.is_ascii_lowercase());
        let faults = messages.into_iter().filter(Message::is_fault);
        let (lints, mut errors): (Vec<Message>, Vec<Message>) = faults.partition(is_lint);
        self.allowed_lints = lints.into_iter().map(|lint| lint.code).collect();
        let is_faulty = |arch: usize| errors.iter().any(|error| error.architectures[arch]);
        let architectures = [0, 1].map(|arch| !is_faulty(arch));
        if architectures.contains(&true) {
            self.architectures = architectures;
            errors.clear();
        }
        Ok(errors)
    }

    /// Returns the compiler's errors about a program, for all its architectures.
    ///
    /// # Errors
    /// Returns an error if the compiler cannot be run.
    pub(crate) fn find_errors(&self, program: &PrintedProgram) -> Result<Vec<Message>> {
        Ok(self.run(&program.text, "metadata", &["-Awarnings"])?.0)
    }

    /// Returns the compiler's errors, and its warnings about unused code, for all architectures.
    ///
    /// # Errors
    /// Returns an error if the compiler cannot be run.
    pub(crate) fn diagnose(&self, program: &PrintedProgram) -> Result<Vec<Message>> {
        Ok(self.run(&program.text, "metadata", &UNUSED_LINTS)?.0)
    }

    /// Compiles the program for each of its architectures. Returns the compiler's messages, and the
    /// program's MIR, the compiler's mid-level intermediate representation.
    ///
    /// # Errors
    /// Returns an error if the compiler cannot be run.
    pub(crate) fn emit_mir(&self, program: &PrintedProgram) -> Result<(Vec<Message>, String)> {
        self.run(&program.text, "mir", &["-Awarnings"])
    }

    /// Compiles a crate from copies of its files, as cargo does, but with the contest's flags. `root` is the
    /// copy of its root file, below `folder`. Returns the crate in MIR, for the architecture with index
    /// `arch`.
    ///
    /// # Errors
    /// Returns an error if the crate does not compile, or if the compiler cannot be run.
    pub(crate) fn emit_crate(
        &self,
        krate: &SourceCrate,
        root: &Path,
        folder: &Path,
        arch: usize,
        is_conditional: bool,
    ) -> Result<String> {
        let name = if krate.module.is_empty() {
            "bot"
        } else {
            &krate.module
        };
        let mut command = self.command(folder, arch, is_conditional);
        command.args(["--edition", &krate.input.edition, "--crate-name", name]);
        let folder_text = folder.display();
        let mir = format!("{folder_text}/{name}.mir");
        command
            .args(["--crate-type", "lib", "--cap-lints", "allow", "-L"])
            .arg(folder)
            .args(["--emit", &format!("mir={mir}")])
            .args(["--emit", &format!("metadata={folder_text}/lib{name}.rmeta")])
            .args(krate.input.cfgs.iter().flat_map(|cfg| ["--cfg", cfg]))
            .arg(root)
            .envs(&krate.input.environment);
        for (known, module) in &krate.externs {
            command.args([
                "--extern",
                &format!("{known}={folder_text}/lib{module}.rmeta"),
            ]);
        }
        let running = RunningProcess::start(&mut command, folder, name, self.stop);
        let (status, _, errors) = running.context("the compiler rustc")?.finish()?;
        if !status.success() {
            self.is_broken.set(true);
        }
        let error = Message::parse_all(&errors, [true; 2]).find(|message| message.is_error);
        let error = error.map_or(status.to_string(), |error| error.text);
        ensure!(status.success(), "{}: {error}", krate.input.file.display());
        let bytes = fs::read(mir).context("the output of rustc")?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn run(&self, text: &str, emit: &str, options: &[&str]) -> Result<(Vec<Message>, String)> {
        let result = self.compile(text, emit, options);
        self.is_broken.set(self.is_broken.get() || result.is_err());
        result
    }

    /// Compiles a program for each of its architectures, or only once if its code is the same for all.
    /// Returns the messages, and the output files joined into one text.
    fn compile(&self, text: &str, emit: &str, options: &[&str]) -> Result<(Vec<Message>, String)> {
        let folder = tempfile::tempdir_in(&self.scratch).context("a folder for the compiler")?;
        let file = folder.path().join(FILE_NAME);
        // Replace `target_arch` with a custom `cfg`, so that one compiler can check both variants.
        let conditional = text.replace("target_arch", ARCH_CFG);
        let is_conditional = conditional != text;
        fs::write(&file, conditional).with_context(|| file.display().to_string())?;
        let mut running = Vec::new();
        for arch in self.arches(is_conditional) {
            let output = folder.path().join(ARCHITECTURES[arch]);
            let mut command = self.command(folder.path(), arch, is_conditional);
            command.args(["--edition", &self.edition, "--crate-name", "bot"]);
            command.args(["--emit", emit, "-o"]).arg(&output);
            command.args(options).arg(&file);
            let child =
                RunningProcess::start(&mut command, folder.path(), ARCHITECTURES[arch], self.stop);
            running.push((arch, output, child.context("the compiler rustc")?));
        }
        let (mut messages, mut emitted) = (Vec::new(), String::new());
        for (arch, path, child) in running {
            let architectures = [0, 1].map(|other| other == arch || !is_conditional);
            let (status, _, errors) = child.finish()?;
            let before = messages.len();
            // Lines that are not JSON come from a preloaded library or from the log of rustc.
            let is_not_json = |line: &&str| serde_json::from_str::<Value>(line).is_err();
            messages.extend(
                Message::parse_all(&errors, architectures).filter(|message| {
                    message.is_error || UNUSED_LINTS.iter().any(|lint| lint[2..] == message.code)
                }),
            );
            if status.success() {
                let output = fs::read(path).context("the output of rustc")?;
                emitted += &String::from_utf8_lossy(&output);
                continue;
            }
            let own_messages = &messages[before..];
            let reason = own_messages.iter().find(|message| message.is_error);
            let reason = reason.map(|error| error.text.clone());
            let last = || errors.lines().rfind(is_not_json).map(String::from);
            let reason = reason.or_else(last).unwrap_or_else(|| status.to_string());
            ensure!(
                own_messages.iter().any(Message::is_fault),
                "rustc: {reason}"
            );
        }
        Ok((messages, emitted))
    }

    /// Returns the indices of the architectures to compile for. Unless the code depends on the architecture
    /// (`is_conditional`), one of them is enough.
    pub(crate) fn arches(&self, is_conditional: bool) -> impl Iterator<Item = usize> {
        let architectures = self.architectures;
        let arches = (0..2).filter(move |arch| architectures[*arch]);
        arches.take(if is_conditional { 2 } else { 1 })
    }

    /// Returns the `rustc` command for the architecture with index `arch`. The command writes only to
    /// `folder`.
    fn command(&self, folder: &Path, arch: usize, is_conditional: bool) -> Command {
        let mut command = Command::new("rustc");
        // The cargo that runs the bundler sets variables that the program must not see.
        let names = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        for name in names.filter(|name| name.starts_with("CARGO_") || name == "OUT_DIR") {
            command.env_remove(name);
        }
        let mut remapped = folder.as_os_str().to_os_string();
        remapped.push("=");
        command
            .args(["--error-format", "json", "-Aunused"])
            .args(CONTEST_FLAGS)
            .args(["--cfg", &format!("{ARCH_CFG}=\"{}\"", ARCHITECTURES[arch])])
            .args(self.allowed_lints.iter().map(|lint| format!("-A{lint}")))
            // Print full paths. By default, the compiler shortens a path whose last segment is unique, and
            // the segment may be unique in only one of the two programs that the proof compares.
            .arg("-Ztrim-diagnostic-paths=no")
            .arg("--remap-path-prefix")
            .arg(remapped)
            .env("RUSTC_BOOTSTRAP", "1") // allows -Z
            .current_dir(&self.folder);
        if arch == 0 && cfg!(not(target_arch = "x86_64")) && is_conditional {
            // Only the standard library of this target contains `std::arch::x86_64`. If the target is
            // missing, rustc explains how to install it.
            command.args(["--target", "x86_64-unknown-linux-gnu"]);
        }
        command
    }
}
