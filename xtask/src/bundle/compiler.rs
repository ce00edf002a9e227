//! What the compiler says of a program.

use anyhow::{ensure, Context, Result};
use serde_json::Value;
use std::fs;
use std::ops::Range;
use std::process::{Command, Stdio};

/// A name as long as `target_arch`, so that places in the text stay.
const ARCH: &str = "judges_arch";

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

impl Message {
    /// What it quotes.
    pub(crate) fn quoted(&self) -> impl Iterator<Item = &str> {
        self.rendered.split('`').skip(1).step_by(2)
    }
}

/// The errors of a program, for x86-64 and for other processors.
///
/// # Errors
/// If there is no compiler.
pub(crate) fn errors(text: &str) -> Result<Vec<Message>> {
    let mut messages = diagnose(text)?;
    messages.retain(|message| message.is_error);
    Ok(messages)
}

/// What the compiler says of unused items and imports and of errors, for x86-64 and for other
/// processors.
///
/// # Errors
/// If there is no compiler.
pub(crate) fn diagnose(text: &str) -> Result<Vec<Message>> {
    let folder = tempfile::tempdir().context("a folder for the compiler")?;
    let source = folder.path().join("bot.rs");
    // Another name for the processor lets the same compiler see both.
    fs::write(&source, text.replace("target_arch", ARCH))?;
    let start = |on_x86: bool| {
        let arch = if on_x86 { "x86_64" } else { "other" };
        let mut command = Command::new("rustc");
        command
            .args(["--edition", "2021", "--emit", "metadata", "-o"])
            .arg(folder.path().join(arch))
            .args(["--cfg", &format!("{ARCH}=\"{arch}\"")])
            .args(["--error-format", "json", "-Aunused"])
            .args(["-Wdead_code", "-Wunused_imports", "-Wunused_macros"])
            .arg(&source)
            .stderr(Stdio::piped());
        if on_x86 && cfg!(not(target_arch = "x86_64")) {
            // Only its library has the registers; the compiler says how to install it.
            command.args(["--target", "x86_64-unknown-linux-gnu"]);
        }
        command.spawn().context("the compiler rustc")
    };
    let mut messages = Vec::new();
    for (on_x86, child) in [(true, start(true)?), (false, start(false)?)] {
        let said = child.wait_with_output()?;
        let before = messages.len();
        for line in String::from_utf8_lossy(&said.stderr).lines() {
            let said: Value =
                serde_json::from_str(line).with_context(|| format!("rustc: {line}"))?;
            let spans = said["spans"].as_array().into_iter().flatten();
            let primary = spans.filter(|span| span["is_primary"] == true);
            let byte = |of: &Value| of.as_u64().unwrap_or_default() as usize;
            messages.push(Message {
                is_error: said["level"] == "error",
                on_x86,
                spans: primary
                    .map(|span| byte(&span["byte_start"])..byte(&span["byte_end"]))
                    .collect(),
                rendered: said["rendered"].as_str().unwrap_or_default().to_string(),
            });
        }
        let is_explained = messages[before..].iter().any(|message| message.is_error);
        ensure!(
            said.status.success() || is_explained,
            "rustc: {}",
            said.status
        );
    }
    Ok(messages)
}
