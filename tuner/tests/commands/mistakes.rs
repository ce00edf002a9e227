//! Bad input: one line, status 2, nothing half-written.

use crate::{put, refused, run, Desk};

#[test]
fn a_bad_command_line_is_told_in_a_line() {
    let desk = Desk::new();
    let out = desk.at("run");
    let jobs = "expected a whole number from 1 to 1024";
    for (line, expected) in [
        ("", "expected a command"),
        ("fit", "--out <DIR>"),
        ("rehearse", "--out <DIR>"),
        ("resume", "<DIR>"),
        ("eval --seeds 5..=2", "expected a range that goes up"),
        ("eval --seeds x", "expected a seed or a range A..=B"),
        (
            "eval --seeds 0..=99999999999",
            "expected at most 10000000 seeds, found 100000000000",
        ),
        ("eval --work 0", "expected milliseconds from 0.001"),
        ("eval --work -5", "expected milliseconds"),
        ("eval --jobs 0", jobs),
        ("worker --jobs 18446744073709551615", jobs),
        ("fit --out OUT --jobs 99999", jobs),
        (
            "eval --profile none",
            "invalid value 'none' for '--profile <NAME>'",
        ),
        (
            "fit --out OUT --games 0",
            "expected from 1 to 800000000 games, found 0",
        ),
        (
            "fit --out OUT --pairs 1",
            "expected from 2 to 100000 pairs of games a generation, found 1",
        ),
        (
            "fit --out OUT --noise 0",
            "expected a noise above 0 and up to 1000, found 0",
        ),
        (
            "fit --out OUT --rate nan",
            "expected a rate above 0 and up to 1000, found NaN",
        ),
        (
            "fit --out OUT --work 0",
            "expected milliseconds from 0.001 to 1000000000",
        ),
        (
            "fit --out OUT --for 8",
            "expected a time such as 90s, 30m or 8h",
        ),
        (
            "fit --out OUT --most-pairs 0",
            "expected from 1 to 1000000 pairs of held-out games, found 0",
        ),
        (
            "fit --out OUT --parameters spot,sport",
            "no parameter is called \"sport\"",
        ),
        ("fit --out OUT --parameters spot,spot", "found spot twice"),
        (
            "fit --out OUT --objective best",
            "invalid value 'best' for '--objective <OBJECTIVE>'",
        ),
        (
            "resume x --games 0",
            "expected from 1 to 800000000 games, found 0",
        ),
        (
            "resume /dev/null",
            "/dev/null: expected the folder of a run",
        ),
        (
            "resume /none/at/all",
            "/none/at/all: expected the folder of a run",
        ),
        #[cfg(not(feature = "nats"))]
        ("worker", "--features nats` builds one with it"),
        #[cfg(not(feature = "nats"))]
        (
            "worker --nats nats://head:4222",
            "--features nats` builds one with it",
        ),
        #[cfg(not(feature = "nats"))]
        (
            "fit --out OUT --nats nats://head:4222",
            "--features nats` builds one with it",
        ),
    ] {
        let told = refused(&run(&line.replace("OUT", &out)));
        assert!(told.contains(expected), "{line}: {told}");
        assert!(
            !std::path::Path::new(&out).exists(),
            "{line}: nothing is half-made"
        );
    }
}

#[test]
fn a_folder_with_something_in_it_is_left_alone() {
    let desk = Desk::new();
    let (folder, notes) = (desk.at("."), desk.at("notes.txt"));
    put(notes.as_ref(), "mine");
    for (line, expected) in [
        (
            format!("fit --games 1 --out {folder}"),
            "expected a new or an empty folder, found \"notes.txt\" in it",
        ),
        (
            format!("resume {folder}"),
            "expected the folder of a run, found no ledger.jsonl in it",
        ),
        (
            format!("fit --out {notes}"),
            "notes.txt: expected a folder, found a file",
        ),
    ] {
        let told = refused(&run(&line));
        assert!(told.contains(expected), "{told}");
    }
    assert_eq!(desk.read("notes.txt"), b"mine");
}
