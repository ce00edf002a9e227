//! Where the commands are that the tests run.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// All commands of the project. `xtask` is called as `cargo xtask`.
#[allow(dead_code)] // by tests that run some of them
pub(crate) const COMMANDS: [&str; 6] = ["bot", "generator", "judge", "puzzles", "tuner", "xtask"];

/// The folder that holds the commands under their own names, as `judge` expects of `bot` and as a
/// user has them in the path.
pub(crate) fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        // Each program of tests has a folder of its own.
        let name = format!("commands-{}", env!("CARGO_CRATE_NAME"));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for (name, built) in [
            ("bot", env!("CARGO_BIN_EXE_tested-bot")),
            ("generator", env!("CARGO_BIN_EXE_tested-generator")),
            ("judge", env!("CARGO_BIN_EXE_tested-judge")),
            ("puzzles", env!("CARGO_BIN_EXE_tested-puzzles")),
            ("tuner", env!("CARGO_BIN_EXE_tested-tuner")),
            ("xtask", env!("CARGO_BIN_EXE_tested-xtask")),
        ] {
            let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
            fs::hard_link(built, folder.join(file)).unwrap();
        }
        folder
    })
}

/// The path of a command.
pub(crate) fn program(name: &str) -> PathBuf {
    let path = folder().join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(path.is_file(), "{} is not there", path.display());
    path
}
