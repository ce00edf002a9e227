//! Bad input: one line, status 2, nothing half-written.

use crate::{all_refused, put, Desk};
use std::path::Path;

#[cfg(not(feature = "nats"))]
const WITHOUT_NATS: &str = "
worker | expected the address of a NATS server, --nats URL, and a tuner that was built with --features
worker --nats nats://head:4222 | --features nats` builds one with it
fit --out @ --nats nats://head:4222 | --features nats` builds one with it
";

/// Of a program, whose space is in a file.
const OF_PROGRAMS: &str = r#"
fit --out @/run --bot x{a} --space @/none.toml | none.toml: cannot be read
fit --out @/run --bot x{a} --space @ | cannot be read: Is a directory
fit --out @/run --bot x{a} --space @/mine | mine: TOML parse error at line 1, column 5: key with no
fit --out @/run --bot x{a} --space @/number | number: TOML parse error at line 1, column 5: invalid
fit --out @/run --bot x{a} --space @/number | expected a table of start, lowest, highest and step, or of start and values
fit --out @/run --bot x{a} --space @/range | range: a: expected a start from the lowest to the highest
fit --out @/run --bot x{a} --space @/empty | expected at least one parameter, found none
fit --out @/run --bot x{b} --space @/good | --bot: expected {a} in the command line, found "x{b}"
fit --out @/run --bot x{a}{b} --space @/good | expected a value in the place of {b}
fit --out @/run --bot /none/{a} --space @/good | cannot run the bot /none/3: No such file
fit --out @/run --space @/good | --bot <CMD>
fit --out @/run --bot x{a} --space @/good --parameters a | cannot be used with
fit --out @/run --bot x{a} --space @/good --network none | cannot be used with
fit --out @/run --bot x{a} --space @/good --nats nats://x | cannot be used with
fit --out @/run --bot x{a} --space @/good --work 5 | cannot be used with
fit --out @/run --bot x{a} --space @/good --time-limit 0 | expected seconds from 0.001 to 86400
fit --out @/run --bot x{a} --space @/good --memory-limit 0 | 0 is not in 1..=1048576
"#;

/// The head of a run of version 0.2.
#[cfg(unix)]
#[test]
fn a_run_of_version_0_2_names_the_version_that_reads_it() {
    let desk = Desk::new();
    std::fs::create_dir(desk.at("old")).unwrap();
    let head = "{\"crc\":\"c37b2850\",\"ledger\":\"run\",\"format\":4}\n";
    put(desk.at("old/ledger.jsonl").as_ref(), head);
    let expected =
        "expected a run of the tuner in format 5, found format 4: version 0.2 of the tuner reads";
    for line in ["fit --out @", "export @", "report @ @ --out x"] {
        all_refused(&desk.at("old"), &format!("{line} | {expected}"));
    }
    assert_eq!(desk.read("old/ledger.jsonl"), head.as_bytes());
}

/// Of the file of a comparison.
const OF_COMPARISONS: &str = "
compare --b @/w.json --out @ | cannot be written: is a directory
compare --b @/w.json --out @/none/x | x: cannot be written
compare --b @/w.json --out @/mine | mine: line 1: expected the head of a comparison
compare --b @/w.json --out @/w.json | does not use otherwise
compare --b @/w.json --json=@/run | unexpected value
compare --b @/w.json --out @/other | other: expected a comparison, found a ledger of run
compare --b @/w.json --out /dev/zero | /dev/zero: line 1: expected the line of a comparison
";

#[cfg(feature = "nats")]
const OF_SERVERS: &str = "
worker | expected the address of a NATS server, --nats URL, and a tuner
worker --nats nats://127.0.0.1:1 | nats://127.0.0.1:1: no NATS server can be used
worker --nats nats://127.0.0.1:1 --idle 0 | 0 is not in 1..=31536000
fit --out @/run --nats nats://127.0.0.1:1 | nats://127.0.0.1:1: no NATS server can be used
fit --out @/run --nats http://x | --nats: expected the address of a NATS server, as in nats://host
fit --out @/run --nats nats:// | --nats: expected the address of a NATS server, as in nats://host
fit --out @/run --nats nats://x, | --nats: expected the address of a NATS server, as in nats://host
fit --out @/run --nats-creds x | --nats <URL>
fit --out @/run --nats-ca x | --nats <URL>
fit --out @/run --nats nats://x --nats-cert x | --nats-key <FILE>
fit --out @/run --nats nats://x --nats-key x | --nats-cert <FILE>
fit --out @/run --nats nats://x --nats-creds @/none | none: cannot be read
fit --out @/run --nats nats://x --nats-creds @/mine | mine: cannot be read
fit --out @/run --nats nats://x --nats-ca @ | cannot be read: Is a directory
fit --out @/run --nats nats://x --nats-cert @/none --nats-key @/mine | none: cannot be read
fit --out @/run --nats nats://x --nats-cert @/mine --nats-key @/none | none: cannot be read
";

#[cfg(unix)]
#[test]
fn a_bad_program_file_or_server_is_told_in_a_line() {
    let desk = Desk::new();
    let head = "{\"crc\":\"c37b2850\",\"ledger\":\"run\",\"format\":4}\n";
    for (name, text) in [
        ("mine", "not mine"),
        ("number", "a = 3"),
        (
            "range",
            "a = { start = 3, lowest = 4, highest = 9, step = 1 }",
        ),
        (
            "good",
            "a = { start = 3, lowest = 0, highest = 9, step = 1 }",
        ),
        ("empty", ""),
        ("w.json", "{\"potential\": 0}"),
        ("other", head),
    ] {
        put(desk.at(name).as_ref(), text);
    }
    let path = desk.at("");
    let path = path.trim_end_matches('/');
    all_refused(path, OF_PROGRAMS);
    all_refused(path, OF_COMPARISONS);
    #[cfg(feature = "nats")]
    all_refused(path, OF_SERVERS);
    assert!(!Path::new(&desk.at("run")).exists(), "nothing is half-made");
    assert_eq!(desk.read("mine"), b"not mine");
    assert_eq!(desk.read("other"), head.as_bytes());
}

#[cfg(not(feature = "nats"))]
#[test]
fn what_needs_a_server_is_told_in_a_line() {
    let desk = Desk::new();
    let out = desk.at("run");
    all_refused(&out, WITHOUT_NATS);
    assert!(!Path::new(&out).exists(), "nothing is half-made");
}

/// A user's own files, whatever their names, are not replaced.
#[test]
fn a_folder_with_something_in_it_is_left_alone() {
    let desk = Desk::new();
    for name in ["notes.txt", "start.json", "weights.json", "lock"] {
        put(desk.at(name).as_ref(), "mine");
        let table = r#"
fit --games 500 --out @ | expected a new or an empty folder, or that of a run, found "NAME" in it
export @ | expected the folder of a run, found no ledger.jsonl in it
fit --out @/NAME | NAME: expected a folder, found a file
"#;
        all_refused(&desk.at(""), &table.replace("NAME", name));
        assert_eq!(desk.read(name), b"mine");
        std::fs::remove_file(desk.at(name)).unwrap();
    }
    put(desk.at("journal.jsonl").as_ref(), "{}\n");
    let old = "export @ | expected a run in format 5, found one of version 0.1 of the tuner";
    all_refused(&desk.at(""), old);
}
