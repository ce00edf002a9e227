//! The page to test, and the commands that it is held against: made from the sources that these
//! tests are made from.

use anyhow::{ensure, Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The page, made once in every run.
///
/// # Errors
/// Why it cannot be made.
pub fn page() -> Result<&'static Path> {
    static PAGE: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let made = PAGE.get_or_init(|| make().map_err(|error| format!("{error:#}")));
    made.as_deref().map_err(|error| anyhow::anyhow!("{error}"))
}

/// What the compiler lacks to make the page.
pub fn missing_target() -> Option<String> {
    let target = "wasm32-unknown-unknown";
    let asked = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(["--print", "target-libdir", "--target", target])
        .output();
    let folder = asked.map_or_else(|_| Vec::new(), |answer| answer.stdout);
    let is_there = Path::new(String::from_utf8_lossy(&folder).trim()).is_dir();
    (!is_there).then(|| format!("the compiler has no target {target}"))
}

/// The path of the command `bot`, `generator` or `judge`. All of them are made once in every run,
/// with the options of `cargo xtask play`, so that nothing is compiled twice.
///
/// # Errors
/// Why they cannot be made.
pub fn program(name: &str) -> Result<PathBuf> {
    static MADE: OnceLock<Result<(), String>> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let packages = ["columns-bot", "columns-generator", "columns-judge"];
        let packages = packages.iter().flat_map(|package| ["--package", package]);
        let options = ["build", "--release", "--quiet", "--bins"];
        cargo(options.into_iter().chain(packages)).map_err(|error| format!("{error:#}"))
    });
    made.as_ref().map_err(|error| anyhow::anyhow!("{error}"))?;
    // Cargo marks its target folder.
    let own = std::env::current_exe()?;
    let mut above = own.ancestors();
    let target = above.find(|folder| folder.join("CACHEDIR.TAG").exists());
    let target = target.context("this program lies in cargo's target folder")?;
    Ok(target.join(format!("release/{name}{}", std::env::consts::EXE_SUFFIX)))
}

fn make() -> Result<PathBuf> {
    let page = root()?.join("target/viewer/columns.html");
    let out = page.to_str().context("the path is text")?;
    let options = ["run", "--release", "--quiet", "--package", "xtask"];
    cargo(options.into_iter().chain(["--", "viewer", "--out", out]))?;
    Ok(page)
}

/// The root of the workspace.
pub(crate) fn root() -> Result<&'static Path> {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .context("this package lies two folders deep")
}

/// Runs cargo in the workspace.
fn cargo<'a>(arguments: impl Iterator<Item = &'a str>) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments: Vec<&str> = arguments.collect();
    let done = Command::new(cargo)
        .args(&arguments)
        .current_dir(root()?)
        .output()?;
    ensure!(
        done.status.success(),
        "cargo {}: {}",
        arguments.join(" "),
        String::from_utf8_lossy(&done.stderr).trim()
    );
    Ok(())
}
