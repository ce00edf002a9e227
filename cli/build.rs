//! The version that every command tells: the project's, and the commit where git knows it.

// Cargo reads what a build script prints.
#![allow(clippy::print_stdout)]

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let version = env!("CARGO_PKG_VERSION");
    let commit = commit().map_or(String::new(), |commit| format!(" ({commit})"));
    println!("cargo:rustc-env=COLUMNS_VERSION={version}{commit}");
}

/// The commit of these sources; `None` where they are no checkout. Only what is built to be used
/// tells it: otherwise every commit would have all tests built again.
fn commit() -> Option<String> {
    if std::env::var("PROFILE").as_deref() != Ok("release") {
        return None;
    }
    // Packed sources may lie inside of the checkout of something else.
    git(&["ls-files", "--error-unmatch", "Cargo.toml"])?;
    // Every commit and every checkout adds a line to the first.
    let mut seen = ["logs/HEAD", "HEAD"]
        .into_iter()
        .filter_map(|name| git(&["rev-parse", "--git-path", name]));
    if let Some(path) = seen.find(|path| Path::new(path).is_file()) {
        println!("cargo:rerun-if-changed={path}");
    }
    git(&["rev-parse", "--short=9", "HEAD"])
}

/// What git says in the folder of this package; `None` if it fails or there is none.
fn git(args: &[&str]) -> Option<String> {
    let said = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(said.stdout).ok()?;
    said.status.success().then(|| text.trim().to_string())
}
