//! Where the commands are that the tests run: where cargo has put them.
//!
//! Cargo builds the programs of all packages that it tests, before it runs the first test. What
//! tests this package alone has to build them before: `cargo build`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// All commands of the project. `xtask` is called as `cargo xtask`.
pub(crate) const COMMANDS: [&str; 6] = ["bot", "generator", "judge", "puzzles", "tuner", "xtask"];

/// The folder that holds the commands under their own names.
///
/// # Panics
/// If one is not there, or older than its sources.
pub(crate) fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        // The tests themselves lie in the folder `deps` of that one.
        let own = std::env::current_exe().unwrap();
        let folder = own.parent().unwrap().parent().unwrap();
        for name in COMMANDS {
            let program = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
            let changed = |file: &Path| fs::metadata(file).and_then(|file| file.modified());
            let built = changed(&program);
            let built = built.unwrap_or_else(|_| panic!("no {}: `cargo build`", program.display()));
            // `cargo build` lists the sources of a program beside it. `cargo test` on all crates
            // does not, and builds the programs itself.
            let sources = folder.join(format!("{name}.d"));
            let sources = fs::read_to_string(sources).unwrap_or_default();
            for source in sources.split_whitespace().skip(1) {
                let is_older = changed(source.as_ref()).is_ok_and(|changed| changed > built);
                assert!(!is_older, "{name} is older than {source}: `cargo build`");
            }
        }
        folder.to_path_buf()
    })
}

/// A command, to be given its words and what it reads.
#[allow(dead_code)] // by tests that run commands in their own way
pub(crate) fn command(name: &str) -> assert_cmd::Command {
    assert_cmd::Command::new(program(name))
}

/// The path of a command.
#[allow(dead_code)] // by tests that run all of them
pub(crate) fn program(name: &str) -> PathBuf {
    folder().join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}
