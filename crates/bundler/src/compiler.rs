//! Runs the compiler on a program and reads its messages.

use super::print::Printed;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::cell::Cell;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The name that replaces `target_arch`. Both have the same length, so that byte positions stay the
/// same.
const ARCH: &str = "judges_arch";

/// The name of the program's file in the folder of the compiler.
const FILE: &str = "bot.rs";

/// A lint or an error.
pub(crate) struct Message {
    pub(crate) is_error: bool,
    /// The error's code, such as `E0425`; empty for a message without one.
    pub(crate) code: String,
    /// True at index 0 if the compiler printed the message for x86-64; at index 1, for other processors.
    pub(crate) on: [bool; 2],
    /// The byte ranges of the program that the message is about.
    pub(crate) spans: Vec<Range<usize>>,
    /// The byte ranges of the message's notes, each with the text that the compiler suggests there.
    pub(crate) notes: Vec<(Range<usize>, String)>,
    /// The first line of the message.
    pub(crate) text: String,
}

impl Message {
    fn new(json: &Value, on: [bool; 2]) -> Self {
        let spans = |of: &Value, is_primary: bool| -> Vec<(Range<usize>, String)> {
            let spans = of["spans"].as_array().into_iter().flatten();
            let spans = spans.filter(|span| !is_primary || span["is_primary"] == true);
            spans.filter_map(place).collect()
        };
        let children = json["children"].as_array().into_iter().flatten();
        let code = json["code"]["code"].as_str().unwrap_or_default();
        Self {
            is_error: json["level"] == "error",
            code: code.to_string(),
            on,
            spans: spans(json, true).into_iter().map(|(at, _)| at).collect(),
            notes: children.flat_map(|child| spans(child, false)).collect(),
            text: json["message"].as_str().unwrap_or_default().to_string(),
        }
    }
}

/// Returns the byte range of a span, and the text that the compiler suggests there.
///
/// A span in a macro of the standard library becomes the span of the call.
fn place(span: &Value) -> Option<(Range<usize>, String)> {
    let byte = |of: &str| span[of].as_u64().map(|byte| byte as usize);
    if span["file_name"].as_str()?.ends_with(FILE) {
        let suggested = span["suggested_replacement"].as_str().unwrap_or_default();
        return Some((
            byte("byte_start")?..byte("byte_end")?,
            suggested.to_string(),
        ));
    }
    place(span["expansion"].get("span")?)
}

/// The compiler, with the options for one program.
pub(crate) struct Compiler {
    edition: String,
    /// The folder of the program. A `rust-toolchain.toml` there chooses the compiler.
    folder: PathBuf,
    /// The kinds of processor that the program compiles for.
    kinds: Vec<Kind>,
    /// The lints that are errors by default, and that the program allows.
    pub(crate) allowed: Vec<String>,
    /// True if the compiler could not be run, as on a full disk.
    is_broken: Cell<bool>,
}

/// A kind of processor: its index in [`Message::on`], and its name.
#[derive(Clone, Copy)]
struct Kind(usize, &'static str);

const KINDS: [Kind; 2] = [Kind(0, "x86_64"), Kind(1, "other")];

impl Compiler {
    /// Returns the compiler for programs of this edition in `folder`; `None` is the current folder.
    pub(crate) fn new(edition: &str, folder: Option<PathBuf>) -> Self {
        Self {
            edition: edition.to_string(),
            folder: folder.unwrap_or_else(|| ".".into()),
            kinds: KINDS.to_vec(),
            allowed: Vec::new(),
            is_broken: Cell::new(false),
        }
    }

    /// Returns the same compiler for another edition.
    pub(crate) fn with_edition(&self, edition: &str) -> Self {
        Self {
            edition: edition.to_string(),
            folder: self.folder.clone(),
            kinds: self.kinds.clone(),
            allowed: self.allowed.clone(),
            is_broken: Cell::new(false),
        }
    }

    /// True if the compiler could not be run.
    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken.get()
    }

    pub(crate) fn edition(&self) -> &str {
        &self.edition
    }

    /// True at index 0 if the compiler compiles for x86-64; at index 1, for other processors.
    pub(crate) fn kinds(&self) -> [bool; 2] {
        [0, 1].map(|index| self.kinds.iter().any(|kind| kind.0 == index))
    }

    /// Finds the lints that the program allows, and the kinds of processor that it compiles for. Returns the errors if
    /// it compiles for none.
    ///
    /// # Errors
    /// Returns an error if the compiler cannot be run.
    pub(crate) fn adapt(&mut self, program: &Printed) -> Result<Vec<Message>> {
        // An error without a place only counts the others.
        let (messages, _) = self.mir(program, "bin")?;
        let errors = messages
            .into_iter()
            .filter(|message| message.is_error && !message.spans.is_empty());
        let is_lint = |error: &Message| error.code.starts_with(|c: char| c.is_ascii_lowercase());
        let (lints, mut errors): (Vec<Message>, Vec<Message>) = errors.partition(is_lint);
        self.allowed = lints.into_iter().map(|lint| lint.code).collect();
        self.allowed.sort();
        self.allowed.dedup();
        let fails = |kind: &Kind| errors.iter().any(|error| error.on[kind.0]);
        if self.kinds.iter().any(|kind| !fails(kind)) {
            self.kinds.retain(|kind| !fails(kind));
            errors.clear();
        }
        Ok(errors)
    }

    /// Returns the compiler's errors about a program, for x86-64 and for other processors.
    ///
    /// # Errors
    /// Returns an error if the compiler cannot be run.
    pub(crate) fn errors(&self, program: &Printed) -> Result<Vec<Message>> {
        let mut messages = self.diagnose(program)?;
        messages.retain(|message| message.is_error);
        Ok(messages)
    }

    /// Returns the compiler's errors and warnings, for x86-64 and for other processors.
    ///
    /// # Errors
    /// Returns an error if the compiler cannot be run.
    pub(crate) fn diagnose(&self, program: &Printed) -> Result<Vec<Message>> {
        Ok(self
            .run(
                &program.text,
                "metadata",
                &["-Wdead_code", "-Wunused_imports", "-Wunused_macros"],
            )?
            .0)
    }

    /// Returns the compiler's messages, and the program in the compiler's intermediate form (MIR) as text, for x86-64 and
    /// for other processors. `kind` is `bin` or `lib`.
    ///
    /// # Errors
    /// Returns an error if the compiler cannot be run.
    pub(crate) fn mir(&self, program: &Printed, kind: &str) -> Result<(Vec<Message>, String)> {
        // Full paths: the compiler shortens a path only if its last name is unique, which differs between programs.
        let options = [
            "-Awarnings",
            "-Ztrim-diagnostic-paths=no",
            "--crate-type",
            kind,
        ];
        self.run(&program.text, "mir", &options)
    }

    fn run(&self, text: &str, emit: &str, options: &[&str]) -> Result<(Vec<Message>, String)> {
        let result = self.compile(text, emit, options);
        self.is_broken.set(self.is_broken() || result.is_err());
        result
    }

    /// Compiles a program once for each kind of processor that it distinguishes. Returns the messages and the
    /// concatenated output files.
    fn compile(&self, text: &str, emit: &str, options: &[&str]) -> Result<(Vec<Message>, String)> {
        let folder = tempfile::tempdir().context("a folder for the compiler")?;
        let file = folder.path().join(FILE);
        // Replace `target_arch` with a custom condition, so that one compiler can check both variants.
        fs::write(&file, text.replace("target_arch", ARCH))
            .with_context(|| file.display().to_string())?;
        let is_conditional = text.contains("target_arch");
        let mut running = Vec::new();
        for Kind(index, arch) in self.kinds.iter().take(if is_conditional { 2 } else { 1 }) {
            let on = [0, 1].map(|other| other == *index || !is_conditional);
            let mut remap = OsString::from(folder.path());
            remap.push("=");
            let mut command = Command::new("rustc");
            // Variables of the cargo that runs the bundler are not those of the program.
            for (name, _) in env::vars_os().filter(|(name, _)| is_of_cargo(name)) {
                command.env_remove(name);
            }
            command
                .args([
                    "--edition",
                    &self.edition,
                    "--crate-name",
                    "bot",
                    "--error-format",
                    "json",
                ])
                .args(["--cfg", &format!("{ARCH}=\"{arch}\""), "-Aunused"])
                .args(options)
                .args(self.allowed.iter().map(|lint| format!("-A{lint}")))
                .arg("--emit")
                .arg(join(emit, &folder.path().join(arch)))
                // The compiler writes the full names of long types there.
                .arg("--out-dir")
                .arg(folder.path())
                .arg("--remap-path-prefix")
                .arg(remap)
                .arg(&file)
                .env("RUSTC_BOOTSTRAP", "1") // allows -Z
                .current_dir(&self.folder)
                .stderr(Stdio::piped());
            if *index == 0 && cfg!(not(target_arch = "x86_64")) && is_conditional {
                // Only the standard library of this target contains `std::arch::x86_64`. If the target is missing,
                // rustc says how to install it.
                command.args(["--target", "x86_64-unknown-linux-gnu"]);
            }
            running.push((arch, on, command.spawn().context("the compiler rustc")?));
        }
        let (mut messages, mut emitted) = (Vec::new(), String::new());
        for (arch, on, child) in running {
            let output = child.wait_with_output()?;
            let errors = String::from_utf8_lossy(&output.stderr);
            let before = messages.len();
            for line in errors.lines() {
                let json = serde_json::from_str(line).with_context(|| format!("rustc: {line}"))?;
                messages.push(Message::new(&json, on));
            }
            // An error without a place is one of the machine, such as a full disk.
            let is_explained = messages[before..]
                .iter()
                .any(|message| message.is_error && !message.spans.is_empty());
            let reason = messages[before..].iter().find(|message| message.is_error);
            let reason =
                reason.map_or_else(|| output.status.to_string(), |error| error.text.clone());
            ensure!(output.status.success() || is_explained, "rustc: {reason}");
            if output.status.success() {
                let path = folder.path().join(arch);
                emitted +=
                    &String::from_utf8_lossy(&fs::read(&path).context("the output of rustc")?);
            }
        }
        Ok((messages, emitted))
    }
}

/// True for a variable that cargo sets for the crates that it compiles and runs.
fn is_of_cargo(name: &OsStr) -> bool {
    name.to_str()
        .is_some_and(|name| name.starts_with("CARGO_") || name == "OUT_DIR")
}

/// Returns the option `EMIT=PATH`.
fn join(emit: &str, path: &Path) -> OsString {
    let mut option = OsString::from(emit);
    option.push("=");
    option.push(path);
    option
}
