//! What the compiler says of a program.

use anyhow::{ensure, Context, Result};
use serde::Deserialize;
use std::fs;
use std::ops::Range;
use std::process::{Command, Stdio};

/// A lint or an error.
pub(crate) struct Message {
    pub(crate) is_error: bool,
    /// Whether it was said of the program as it is on x86-64.
    pub(crate) on_x86: bool,
    /// The places in the text that it is about, in bytes.
    pub(crate) spans: Vec<Range<usize>>,
    /// It as text for people.
    pub(crate) rendered: String,
}

#[derive(Deserialize)]
struct Said {
    level: String,
    spans: Vec<Span>,
    rendered: String,
}

#[derive(Deserialize)]
struct Span {
    byte_start: usize,
    byte_end: usize,
    is_primary: bool,
}

/// What the compiler says of unused items and imports and of errors, for x86-64 and for other
/// processors.
///
/// # Errors
/// If there is no compiler, or it has no standard library for x86-64.
pub(crate) fn diagnose(text: &str) -> Result<Vec<Message>> {
    let folder = tempfile::tempdir().context("a folder for the compiler")?;
    let source = folder.path().join("bot.rs");
    // Another name for the processor lets the same compiler see both.
    fs::write(&source, text.replace("target_arch", ARCH))?;
    let start = |on_x86: bool| {
        let mut command = Command::new("rustc");
        command
            .args(["--edition", "2021", "--emit", "metadata", "-o"])
            .arg(folder.path().join(format!("{on_x86}.rmeta")))
            .args(["--error-format", "json", "-A", "unused"])
            .args(["-W", "dead_code", "-W", "unused_imports", "-W", "unused_macros"])
            .arg(&source)
            .stderr(Stdio::piped());
        let arch = if on_x86 { "x86_64" } else { "other" };
        command.arg("--cfg").arg(format!("{ARCH}=\"{arch}\""));
        command.spawn().context("the compiler rustc")
    };
    let mut messages = Vec::new();
    for (on_x86, child) in [(true, start(true)?), (false, start(false)?)] {
        let said = child.wait_with_output()?;
        for line in String::from_utf8_lossy(&said.stderr).lines() {
            let said: Said = serde_json::from_str(line).with_context(|| format!("rustc: {line}"))?;
            messages.push(Message {
                is_error: said.level == "error",
                on_x86,
                spans: said
                    .spans
                    .into_iter()
                    .filter(|span| span.is_primary)
                    .map(|span| span.byte_start..span.byte_end)
                    .collect(),
                rendered: said.rendered,
            });
        }
    }
    Ok(messages)
}

/// A name as long as `target_arch`, so that places in the text stay.
const ARCH: &str = "judges_arch";
