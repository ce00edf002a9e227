//! Fetches axe-core, an accessibility checker, from the npm registry.

use crate::build::workspace_root;
use anyhow::{Context, Result, ensure};
use std::process::Command;

/// The npm package and its major version. The newest minor version, which may add rules, is installed.
const PACKAGE: &str = "axe-core@4";

/// Returns the script of axe-core. Installs axe-core into the target folder if it is missing.
///
/// # Errors
/// Returns an error if npm is missing or cannot install the package.
pub fn load_axe_script() -> Result<String> {
    let folder = workspace_root()?.join("target/axe");
    let script = folder.join("node_modules/axe-core/axe.min.js");
    if !script.is_file() {
        std::fs::create_dir_all(&folder)?;
        let output = Command::new("npm")
            .args("install --no-audit --no-fund --ignore-scripts --prefix".split(' '))
            .arg(&folder)
            .arg(PACKAGE)
            .output()
            .context("npm is not installed")?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        ensure!(
            output.status.success(),
            "npm install {PACKAGE}: {}",
            stderr.trim()
        );
    }
    std::fs::read_to_string(&script).with_context(|| script.display().to_string())
}
