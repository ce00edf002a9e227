//! Builds the page under test, and the commands whose results the tests compare with the page.

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Builds the page, once per test program, and returns its path.
///
/// # Errors
/// Returns an error if the build fails.
pub fn build_page() -> Result<&'static Path> {
    static PAGE: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let path = PAGE.get_or_init(|| make_page().map_err(|error| format!("{error:#}")));
    path.as_deref().map_err(|error| anyhow::anyhow!("{error}"))
}

/// Returns a message if the compiler's WebAssembly target is not installed, otherwise `None`.
pub fn missing_wasm_target() -> Option<String> {
    let target = "wasm32-unknown-unknown";
    let output = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(["--print", "target-libdir", "--target", target])
        .output();
    let folder = output.map_or_else(|_| Vec::new(), |output| output.stdout);
    let is_installed = Path::new(String::from_utf8_lossy(&folder).trim()).is_dir();
    (!is_installed).then(|| format!("the compiler has no target {target}"))
}

/// Builds the commands `bot`, `generator` and `judge`, once per test program. Uses the same profile as
/// `cargo xtask play`, so that both share build artefacts. Returns the path of the command `name`.
///
/// # Errors
/// Returns an error if the build fails.
pub fn build_program(name: &str) -> Result<PathBuf> {
    static BUILD: OnceLock<Result<(), String>> = OnceLock::new();
    let build = BUILD.get_or_init(|| {
        let packages = [
            "columns-bot-command",
            "columns-generator-command",
            "columns-judge",
        ];
        let packages = packages.iter().flat_map(|package| ["--package", package]);
        let options = ["build", "--release", "--quiet", "--bins"];
        cargo(options.into_iter().chain(packages)).map_err(|error| format!("{error:#}"))
    });
    build.as_ref().map_err(|error| anyhow::anyhow!("{error}"))?;
    // The target folder is the nearest ancestor with a `CACHEDIR.TAG`, which cargo creates.
    let executable = std::env::current_exe()?;
    let mut folders = executable.ancestors();
    let target = folders.find(|folder| folder.join("CACHEDIR.TAG").exists());
    let target = target.context("expected this program in cargo's target folder")?;
    Ok(target.join(format!("release/{name}{}", std::env::consts::EXE_SUFFIX)))
}

fn make_page() -> Result<PathBuf> {
    let page = workspace_root()?.join("target/viewer/columns.html");
    let out = page.to_str().context("the path is not UTF-8")?;
    let options = [
        "run",
        "--release",
        "--quiet",
        "--package",
        "columns-workshop",
    ];
    cargo(options.into_iter().chain(["--", "viewer", "--out", out]))?;
    Ok(page)
}

pub(crate) fn workspace_root() -> Result<&'static Path> {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .context("expected this package two folders below the root")
}

/// Runs cargo in the workspace. If cargo fails, the returned error contains cargo's standard error.
fn cargo<'a>(arguments: impl Iterator<Item = &'a str>) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments: Vec<&str> = arguments.collect();
    let output = Command::new(cargo)
        .args(&arguments)
        .current_dir(workspace_root()?)
        .output()?;
    ensure!(
        output.status.success(),
        "cargo {}: {}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(())
}
