//! axe-core, which finds what keeps people out of a page: from the npm registry, at test time.

use crate::build::root;
use anyhow::{ensure, Context, Result};
use std::process::Command;

/// The version that is fetched; another one may have other rules.
const PACKAGE: &str = "axe-core@4";

/// The script, fetched once into the target folder.
///
/// # Errors
/// Why it cannot be had.
pub fn axe() -> Result<String> {
    let folder = root()?.join("target/axe");
    let script = folder.join("node_modules/axe-core/axe.min.js");
    if !script.is_file() {
        std::fs::create_dir_all(&folder)?;
        let done = Command::new("npm")
            .args([
                "install",
                "--no-audit",
                "--no-fund",
                "--ignore-scripts",
                "--prefix",
            ])
            .arg(&folder)
            .arg(PACKAGE)
            .output()
            .context("npm is not installed")?;
        let told = String::from_utf8_lossy(&done.stderr);
        ensure!(
            done.status.success(),
            "npm install {PACKAGE}: {}",
            told.trim()
        );
    }
    std::fs::read_to_string(&script).with_context(|| script.display().to_string())
}
