//! Sets the version that every command prints: the project's version, the commit of the sources, and whether they have
//! uncommitted changes.

// A build script talks to cargo through standard output.
#![allow(clippy::print_stdout)]

use std::path::Path;
use std::process::Command;

/// Git arguments that select the files that affect a build: all but the documents.
const SOURCES: [&str; 3] = ["--", ":!*.md", ":!docs"];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let version = env!("CARGO_PKG_VERSION");
    let commit = commit().map_or(String::new(), |commit| format!(" ({commit})"));
    println!("cargo:rustc-env=COLUMNS_VERSION={version}{commit}");
}

/// Returns the commit of these sources, such as `1a2b3c4d5` or `1a2b3c4d5, with changes`.
///
/// `None` outside a checkout and in debug builds, where every edit would make cargo rebuild all tests.
fn commit() -> Option<String> {
    if std::env::var("PROFILE").as_deref() != Ok("release") {
        return None;
    }
    // The sources may have been unpacked inside the checkout of another project.
    git(&["ls-files", "--error-unmatch", "cli/Cargo.toml"])?;
    // Git adds a line to `logs/HEAD` at every commit and checkout.
    let mut heads = ["logs/HEAD", "HEAD"]
        .into_iter()
        .filter_map(|name| git(&["rev-parse", "--git-path", name]))
        .map(|path| Path::new("..").join(path));
    if let Some(head) = heads.find(|path| path.is_file()) {
        println!("cargo:rerun-if-changed={}", head.display());
    }
    for file in git(&[&["ls-files"], &SOURCES[..]].concat())?.lines() {
        println!("cargo:rerun-if-changed=../{file}");
    }
    let commit = git(&["rev-parse", "--short=9", "HEAD"])?;
    let is_clean = git(&[&["diff", "--quiet", "HEAD"], &SOURCES[..]].concat()).is_some();
    Some(commit + if is_clean { "" } else { ", with changes" })
}

/// Runs git in the folder above this package. Returns its output, or `None` if git fails or is not installed.
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg("..")
        .args(args)
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_string())
}
