//! The page to test: made from the sources that these tests are made from.

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

fn make() -> Result<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .context("this package lies two folders deep")?;
    let page = root.join("target/viewer/columns.html");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let done = Command::new(cargo)
        .args(["run", "--release", "--quiet", "--package", "xtask"])
        .args(["--", "viewer", "--out"])
        .arg(&page)
        .current_dir(root)
        .output()?;
    ensure!(
        done.status.success(),
        "cargo xtask viewer: {}",
        String::from_utf8_lossy(&done.stderr).trim()
    );
    Ok(page)
}
