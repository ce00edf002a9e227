//! Runs the compiler on a program and reads its messages.

use super::print::Printed;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fs;
use std::ops::Range;
use std::path::Path;
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

/// Returns the compiler's errors about a program, for x86-64 and for other processors.
///
/// # Errors
/// Returns an error if the compiler cannot be run.
pub(crate) fn errors(program: &Printed) -> Result<Vec<Message>> {
    let mut messages = diagnose(program)?;
    messages.retain(|message| message.is_error);
    Ok(messages)
}

/// Returns the compiler's errors, and its warnings about unused items and imports, for x86-64 and for other processors.
///
/// # Errors
/// Returns an error if the compiler cannot be run.
pub(crate) fn diagnose(program: &Printed) -> Result<Vec<Message>> {
    let lints = "-Wdead_code -Wunused_imports -Wunused_macros";
    Ok(run(&program.text, "metadata", lints)?.0)
}

/// Returns the compiler's messages, and the program in the compiler's intermediate form (MIR) as text, for x86-64 and for other processors.
///
/// # Errors
/// Returns an error if the compiler cannot be run.
pub(crate) fn mir(program: &Printed) -> Result<(Vec<Message>, String)> {
    // Full paths: the compiler shortens a path only if its last name is unique, which differs between programs.
    run(
        &program.text,
        "mir",
        "-Awarnings -Ztrim-diagnostic-paths=no",
    )
}

/// Compiles a program once for each kind of processor that it distinguishes. Returns the messages and the concatenated output files.
fn run(text: &str, emit: &str, lints: &str) -> Result<(Vec<Message>, String)> {
    let folder = tempfile::tempdir().context("a folder for the compiler")?;
    // Replace `target_arch` with a custom condition, so that one compiler can check both variants.
    fs::write(folder.path().join(FILE), text.replace("target_arch", ARCH))?;
    let kinds = if text.contains("target_arch") {
        vec![("x86_64", [true, false]), ("other", [false, true])]
    } else {
        vec![("x86_64", [true, true])]
    };
    let mut running = Vec::new();
    for (arch, on) in kinds {
        let mut command = Command::new("rustc");
        command
            .args(["--edition", "2021", "--crate-name", "bot", "--emit"])
            .arg(format!("{emit}={arch}"))
            .args(["--cfg", &format!("{ARCH}=\"{arch}\"")])
            .args(["--error-format", "json", "-Aunused"])
            .args(lints.split(' '))
            .arg(FILE)
            .env("RUSTC_BOOTSTRAP", "1") // allows -Z
            .current_dir(folder.path())
            .stderr(Stdio::piped());
        if on[0] && cfg!(not(target_arch = "x86_64")) && text.contains("target_arch") {
            // Only the standard library of this target contains `std::arch::x86_64`. If the target is missing, rustc says how to install it.
            command.args(["--target", "x86_64-unknown-linux-gnu"]);
        }
        running.push((arch, on, command.spawn().context("the compiler rustc")?));
    }
    let (mut messages, mut emitted) = (Vec::new(), Vec::new());
    for (arch, on, child) in running {
        let output = child.wait_with_output()?;
        let before = messages.len();
        for line in String::from_utf8_lossy(&output.stderr).lines() {
            let json = serde_json::from_str(line).with_context(|| format!("rustc: {line}"))?;
            messages.push(Message::new(&json, on));
        }
        let is_explained = messages[before..].iter().any(|message| message.is_error);
        let status = output.status;
        ensure!(status.success() || is_explained, "rustc: {status}");
        emitted.extend(read(&folder.path().join(arch)));
    }
    Ok((messages, String::from_utf8_lossy(&emitted).into_owned()))
}

/// Returns the bytes of an output file; empty if the compiler wrote no file, as for a program with errors.
fn read(file: &Path) -> Vec<u8> {
    fs::read(file).unwrap_or_default()
}
