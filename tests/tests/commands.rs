//! Finds the programs that cargo has built.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// All commands of the project. Users call `workshop` through `cargo xtask`.
pub(crate) const COMMANDS: [&str; 6] =
    ["bot", "generator", "judge", "puzzles", "tuner", "workshop"];

/// Returns the folder with the programs of all commands.
///
/// # Panics
/// Panics if a program is missing, or older than its sources.
pub(crate) fn program_folder() -> &'static Path {
    static PROGRAM_FOLDER: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM_FOLDER.get_or_init(|| {
        // Cargo puts the tests into `deps`, a subfolder of the folder that holds the programs.
        let test = std::env::current_exe().unwrap();
        let folder = test.parent().unwrap().parent().unwrap();
        for name in COMMANDS {
            let program = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
            let modified = |file: &Path| fs::metadata(file).and_then(|file| file.modified());
            let build_time = modified(&program)
                .unwrap_or_else(|_| panic!("no {}: run `cargo build`", program.display()));
            // `cargo build` writes a list of sources beside each program. `cargo test` on all crates writes
            // no list, but it builds the programs itself, so they are up to date.
            let list = folder.join(format!("{name}.d"));
            let sources = fs::read_to_string(list).unwrap_or_default();
            for source in sources.split_whitespace().skip(1) {
                let is_older = modified(source.as_ref()).is_ok_and(|time| time > build_time);
                assert!(
                    !is_older,
                    "{name} is older than {source}: run `cargo build`"
                );
            }
        }
        folder.to_path_buf()
    })
}

pub(crate) fn command(name: &str) -> assert_cmd::Command {
    assert_cmd::Command::new(program_path(name))
}

/// Returns the path of a program that cargo has built.
pub(crate) fn program_path(name: &str) -> PathBuf {
    program_folder().join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}
