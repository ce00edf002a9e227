//! Runs the README's example with Optuna, which pip installs.

use crate::{assert_contains, shared_folder, success};
use columns_test_support::{Requirement, report_untested};
use std::path::Path;
use std::process::Command;

/// Installs Optuna in a virtual environment in `folder`. Returns the folder of its programs; `None` if the
/// installation fails or `jq` is missing.
fn optuna(folder: &Path) -> Option<std::path::PathBuf> {
    let succeeds = |command: &mut Command| {
        let output = command.output();
        output.is_ok_and(|output| output.status.success())
    };
    let python = |args: &[&str]| succeeds(Command::new("python3").args(args));
    let venv = folder.join("venv");
    let path = venv.display().to_string();
    let has_tools = python(&["-m", "venv", &path]) && succeeds(Command::new("jq").arg("--version"));
    let pip = ["install", "--quiet", "--timeout", "20", "optuna"];
    let is_installed = has_tools && succeeds(Command::new(venv.join("bin/pip")).args(pip));
    is_installed.then(|| venv.join("bin"))
}

#[cfg(unix)]
#[test]
#[ignore = "installs Optuna; .ci/run plays it"]
fn the_example_with_optuna_runs() {
    let folder = shared_folder("optuna");
    let Some(programs) = optuna(&folder) else {
        let why = "needs python3 with venv, a pip that has optuna, and jq";
        return report_untested(Requirement::Optuna, "the README's example with Optuna", why);
    };
    let own = Path::new(env!("CARGO_BIN_EXE_tuner")).parent().unwrap();
    if !["judge", "bot"].iter().all(|name| own.join(name).exists()) {
        let why = "needs judge and bot beside the tuner: cargo build --workspace";
        return report_untested(Requirement::Optuna, "the README's example with Optuna", why);
    }
    let readme = include_str!("../../README.md");
    let (_, block) = readme.split_once("needs Optuna\n").unwrap();
    let (script, _) = block.split_once("```").unwrap();
    let script = script
        .replace("--seeds 1..=400", "--seeds 1..=3")
        .replace("--work 20", "--work 1");
    let path = [programs.as_path(), own].into_iter().map(Path::to_path_buf);
    let usual = std::env::var_os("PATH").unwrap();
    let path = path.chain(std::env::split_paths(&usual));
    // Use a folder outside the repository, so that no command finds the repository's columns.toml.
    let place = tempfile::tempdir().unwrap();
    let mut shell = Command::new("sh");
    let shell = shell.args(["-e", "-c", &script]).current_dir(&place);
    let stdout = success(
        &shell
            .env("PATH", std::env::join_paths(path).unwrap())
            .output()
            .unwrap(),
    );
    let games: Vec<&str> = stdout
        .lines()
        .filter(|line| line.contains("\"points_per_column\""))
        .collect();
    assert_eq!(games.len(), 3, "{stdout}");
    let trial = std::fs::read_to_string(place.path().join("trial.json")).unwrap();
    assert_contains(&trial, "\"potential\"");
}
