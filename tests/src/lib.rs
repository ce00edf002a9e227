//! What the tests that cross the rooms share: the commands, built from the same
//! sources and in the same way as the tests.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The root of the workspace.
///
/// # Panics
/// Never: this package lies in it.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The folder of the commands, built like this test and from the same sources.
fn built() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        // <target>/<profile>/deps/<this test>
        let own = std::env::current_exe().unwrap();
        let folder = own.ancestors().nth(2).unwrap();
        let profile = match folder.file_name().unwrap().to_str().unwrap() {
            "debug" => "dev",
            other => other,
        };
        let packages = ["columns-bot", "columns-generator", "columns-judge"];
        let done = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--bins", "--profile", profile])
            .args(packages.iter().flat_map(|package| ["-p", package]))
            .current_dir(root())
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
        folder.to_path_buf()
    })
}

/// The path of a command.
///
/// # Panics
/// If it does not build.
pub fn program(name: &str) -> PathBuf {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let path = built().join(file);
    assert!(path.is_file(), "{} is not there", path.display());
    path
}

/// Runs a command in a folder.
///
/// # Panics
/// If it cannot be started.
pub fn run(folder: &Path, name: &str, args: &[&str]) -> Output {
    let command = Command::new(program(name))
        .args(args)
        .current_dir(folder)
        .output();
    command.unwrap()
}
