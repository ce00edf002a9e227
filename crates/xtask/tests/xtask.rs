//! `cargo xtask` works on the clone it is called in, and builds nothing for a wrong command line.

use std::process::{Command, Output};

/// Runs the program with these arguments, as if cargo had run it in `clone`. The program calls `echo` instead
/// of cargo, so it prints the arguments that cargo would get.
fn xtask(clone: &str, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(words).env("CARGO", "echo");
    command.env("CARGO_MANIFEST_DIR", format!("{clone}/crates/xtask"));
    command.output().unwrap()
}

#[test]
fn a_chore_is_built_in_the_clone_that_cargo_reports() {
    for clone in ["/renamed", "/copy of it"] {
        let output = xtask(clone, &["bundle", "--help"]);
        let line = String::from_utf8(output.stdout).unwrap();
        let expected = format!("run --manifest-path {clone}/crates/xtask/../../Cargo.toml ");
        assert!(line.starts_with(&expected), "{line}");
    }
    let mut alone = Command::new(env!("CARGO_BIN_EXE_xtask"));
    let output = alone.arg("bench").env_remove("CARGO_MANIFEST_DIR").output();
    let output = output.unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(message, "xtask: expected to be called as `cargo xtask`\n");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn play_refuses_options_before_it_builds() {
    for words in [&["play", "--bad"][..], &["play", "--seeds", "2"]] {
        let output = xtask("/clone", words);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        let expected = format!("xtask: play: expected no options, found {}", words[1]);
        assert!(message.starts_with(&expected), "{message}");
    }
    for help in ["--help", "-h"] {
        let output = xtask("/clone", &["play", help]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert!(
            text.starts_with("Build the bot and the judge, and play"),
            "{text}"
        );
    }
}
