//! `cargo xtask bench` records a fingerprint of the bot's behaviour, and compares later runs with it.

use assert_cmd::Command;
use std::fs;
use std::path::{Path, PathBuf};

/// Creates a minimal clone of the workspace without a fingerprint. Returns the path for its fingerprint file.
fn prepare_clone(clone: &Path) -> PathBuf {
    let workshop = clone.join("crates/workshop");
    fs::create_dir_all(&workshop).unwrap();
    fs::write(workshop.join("Cargo.toml"), "").unwrap();
    workshop.join("bench.fingerprint")
}

/// Returns the command `bench` for the clone with this fingerprint file. It builds few states to keep the
/// tests fast.
fn bench(file: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("workshop").unwrap();
    command
        .args(["bench", "--nodes", "2000"])
        .args(arguments)
        .env("CARGO_MANIFEST_DIR", file.parent().unwrap());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_missing_or_damaged_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = prepare_clone(&folder.path().join("renamed clone"));
    let missing = bench(&file, &["--check"])
        .assert()
        .code(2)
        .get_output()
        .clone();
    let message = text(&missing.stderr);
    assert!(message.contains("--write creates it"), "{message}");
    assert!(message.contains(file.to_str().unwrap()), "{message}");

    fs::write(&file, b"\xff\xfe").unwrap();
    bench(&file, &["--check"]).assert().code(2);
}

#[test]
#[ignore = "plays the fingerprint five times; .ci/run plays it with an optimised solver"]
fn the_fingerprint_is_the_same_on_both_paths_and_changes_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let file = prepare_clone(folder.path());
    bench(&file, &["--write"]).assert().success();
    let recorded = fs::read_to_string(&file).unwrap();
    // The lines are two comments, 14 cases with a budget of nodes and their total, 14 cases with a budget of
    // work, and 3 SameGame boards.
    assert_eq!(recorded.lines().count(), 2 + 14 + 1 + 14 + 3, "{recorded}");
    for cpu in ["portable", "detect"] {
        bench(&file, &["--check", "--cpu", cpu]).assert().success();
    }

    let total = recorded.lines().find(|line| line.starts_with("total "));
    let total = total.unwrap().to_string();
    fs::write(&file, recorded.replace(&total, "total 1 2")).unwrap();
    let output = bench(&file, &["--check"])
        .assert()
        .code(1)
        .get_output()
        .clone();
    let difference = format!(":\n- total 1 2\n+ {total}\n");
    assert!(
        text(&output.stderr).ends_with(&difference),
        "{}",
        text(&output.stderr)
    );
    // Without --check, a difference is not a failure.
    bench(&file, &[]).assert().success();
}
