//! Bad input: one line, status 2, nothing half-written.

use crate::{put, refused, run};
use std::fs;

#[test]
fn a_bad_command_line_is_told_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let fit = format!("fit --out {}", out.display());
    for (line, expected) in [
        ("", "expected a command"),
        ("fit", "--out <DIR>"),
        ("resume", "<DIR>"),
        ("eval --seeds 5..=2", "expected a range that goes up"),
        ("eval --seeds x", "expected a seed or a range A..=B"),
        (
            "eval --seeds 0..=99999999999",
            "expected at most 10000000 seeds, found 100000000000",
        ),
        ("eval --work 0", "expected milliseconds from 0.001"),
        ("eval --work -5", "expected milliseconds"),
        ("eval --jobs 0", "expected a whole number from 1 to 1024"),
        (
            "fit --out x --jobs 99999",
            "expected a whole number from 1 to 1024",
        ),
        (
            "eval --profile none",
            "invalid value 'none' for '--profile <NAME>'",
        ),
        (
            &format!("{fit} --games 0"),
            "expected from 1 to 800000000 games, found 0",
        ),
        (
            &format!("{fit} --pairs 1"),
            "expected from 2 to 100000 pairs of games a generation, found 1",
        ),
        (
            &format!("{fit} --noise 0"),
            "expected a noise above 0 and up to 1000, found 0",
        ),
        (
            &format!("{fit} --rate nan"),
            "expected a rate above 0 and up to 1000, found NaN",
        ),
        (
            &format!("{fit} --work 0"),
            "expected milliseconds from 0.001 to 1000000000",
        ),
        (
            &format!("{fit} --for 8"),
            "expected a time such as 90s, 30m or 8h",
        ),
        (
            &format!("{fit} --most-pairs 0"),
            "expected from 1 to 1000000 pairs of held-out games, found 0",
        ),
        ("rehearse", "--out <DIR>"),
        (
            "worker --jobs 18446744073709551615",
            "expected a whole number from 1 to 1024",
        ),
        (
            "resume x --games 0",
            "expected from 1 to 800000000 games, found 0",
        ),
        (
            &format!("{fit} --parameters spot,sport"),
            "no parameter is called \"sport\"",
        ),
        (&format!("{fit} --parameters spot,spot"), "found spot twice"),
        (
            &format!("{fit} --objective best"),
            "invalid value 'best' for '--objective <OBJECTIVE>'",
        ),
        (
            "resume /dev/null",
            "/dev/null: expected the folder of a run",
        ),
        (
            "resume /none/at/all",
            "/none/at/all: expected the folder of a run",
        ),
    ] {
        let told = refused(&run(line));
        assert!(told.contains(expected), "{line}: {told}");
        assert!(!out.exists(), "{line}: nothing is half-made");
    }
}

#[test]
fn a_folder_with_something_in_it_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    put(&path, "mine");
    let fit = format!("fit --games 1 --out {}", folder.path().display());
    let told = refused(&run(&fit));
    assert!(
        told.contains("expected a new or an empty folder, found \"notes.txt\" in it"),
        "{told}"
    );
    let told = refused(&run(&format!("resume {}", folder.path().display())));
    assert!(
        told.contains("expected the folder of a run, found no ledger.jsonl in it"),
        "{told}"
    );
    let told = refused(&run(&format!("fit --out {}", path.display())));
    assert!(
        told.contains("notes.txt: expected a folder, found a file"),
        "{told}"
    );
    assert_eq!(fs::read_to_string(path).unwrap(), "mine");
}

#[cfg(not(feature = "nats"))]
#[test]
fn a_build_without_nats_says_what_to_build() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    for line in [
        "worker --nats nats://head:4222".to_string(),
        "worker".to_string(),
        format!("fit --out {} --nats nats://head:4222", out.display()),
    ] {
        let told = refused(&run(&line));
        assert!(
            told.contains("--features nats` builds one with it"),
            "{told}"
        );
        assert!(!out.exists(), "{line}: nothing is half-made");
    }
}
