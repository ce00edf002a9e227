//! Runs the compiler on a program, and reads its messages.

use super::print::Printed;
use anyhow::{ensure, Context, Result};
use serde_json::Value;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Stdio};

/// A name as long as `target_arch`, so that places in the text stay.
const ARCH: &str = "judges_arch";

/// The file of the program in the compiler's folder.
const FILE: &str = "bot.rs";

/// A lint or an error.
pub(crate) struct Message {
    pub(crate) is_error: bool,
    /// The error's code, such as `E0425`; empty for a message without one.
    pub(crate) code: String,
    /// True where the message is about the program on x86-64, and on other processors.
    pub(crate) on: [bool; 2],
    /// The places in the text that the message is about, in bytes.
    pub(crate) spans: Vec<Range<usize>>,
    /// The places of its notes, each with the text that the compiler suggests there.
    pub(crate) notes: Vec<(Range<usize>, String)>,
    /// One line for people.
    pub(crate) text: String,
}

impl Message {
    fn new(said: &Value, on: [bool; 2]) -> Self {
        let spans = |of: &Value, is_primary: bool| -> Vec<(Range<usize>, String)> {
            let spans = of["spans"].as_array().into_iter().flatten();
            let spans = spans.filter(|span| !is_primary || span["is_primary"] == true);
            spans.filter_map(place).collect()
        };
        let children = said["children"].as_array().into_iter().flatten();
        let code = said["code"]["code"].as_str().unwrap_or_default();
        Self {
            is_error: said["level"] == "error",
            code: code.to_string(),
            on,
            spans: spans(said, true).into_iter().map(|(at, _)| at).collect(),
            notes: children.flat_map(|child| spans(child, false)).collect(),
            text: said["message"].as_str().unwrap_or_default().to_string(),
        }
    }
}

/// The place in the program of a span, and the text that should stand there. What a macro of the
/// standard library says is about its call.
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

/// The compiler's errors about a program, for x86-64 and for other processors.
///
/// # Errors
/// If there is no compiler.
pub(crate) fn errors(program: &Printed) -> Result<Vec<Message>> {
    let mut messages = diagnose(program)?;
    messages.retain(|message| message.is_error);
    Ok(messages)
}

/// The compiler's errors, and its lints about unused items and imports, for x86-64 and for other
/// processors.
///
/// # Errors
/// If there is no compiler.
pub(crate) fn diagnose(program: &Printed) -> Result<Vec<Message>> {
    let lints = "-Wdead_code -Wunused_imports -Wunused_macros";
    Ok(run(&program.text, "metadata", lints)?.0)
}

/// The program as the compiler understands it: its intermediate form MIR, as text, for x86-64 and
/// for other processors.
///
/// # Errors
/// If there is no compiler.
pub(crate) fn mir(program: &Printed) -> Result<(Vec<Message>, String)> {
    // Full paths: a name that is short because it is unique is longer where another one is like it.
    run(
        &program.text,
        "mir",
        "-Awarnings -Ztrim-diagnostic-paths=no",
    )
}

/// Compiles a program for each kind of processor that it tells apart. Returns the messages, and
/// the emitted files as one text.
fn run(text: &str, emit: &str, lints: &str) -> Result<(Vec<Message>, String)> {
    let folder = tempfile::tempdir().context("a folder for the compiler")?;
    // Another name for the processor lets the same compiler see both.
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
            .env("RUSTC_BOOTSTRAP", "1") // takes -Z
            .current_dir(folder.path())
            .stderr(Stdio::piped());
        if on[0] && cfg!(not(target_arch = "x86_64")) && text.contains("target_arch") {
            // Only its library has the registers; the compiler says how to install it.
            command.args(["--target", "x86_64-unknown-linux-gnu"]);
        }
        running.push((arch, on, command.spawn().context("the compiler rustc")?));
    }
    let (mut messages, mut emitted) = (Vec::new(), Vec::new());
    for (arch, on, child) in running {
        let done = child.wait_with_output()?;
        let before = messages.len();
        for line in String::from_utf8_lossy(&done.stderr).lines() {
            let said = serde_json::from_str(line).with_context(|| format!("rustc: {line}"))?;
            messages.push(Message::new(&said, on));
        }
        let is_explained = messages[before..].iter().any(|message| message.is_error);
        let status = done.status;
        ensure!(status.success() || is_explained, "rustc: {status}");
        emitted.extend(read(&folder.path().join(arch)));
    }
    Ok((messages, String::from_utf8_lossy(&emitted).into_owned()))
}

/// The bytes of a file; none for a program with an error, which has no file.
fn read(file: &Path) -> Vec<u8> {
    fs::read(file).unwrap_or_default()
}
