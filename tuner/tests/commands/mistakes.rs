//! Bad input: the command prints one line on standard error, exits with status 2, and leaves no incomplete
//! file.

use crate::{TempFolder, assert_all_refused, write};
use std::path::Path;

/// Commands that a tuner without the feature `nats` refuses, each with a part of the expected message.
#[cfg(not(feature = "nats"))]
const WITHOUT_NATS: &str = "
worker | expected the address of a NATS server, --nats URL, and a tuner that was built with --features
worker --nats nats://head:4222 | --features nats` builds one with it
fit --out @ --nats nats://head:4222 | --features nats` builds one with it
";

/// Invalid `fit` commands with a program, each with a part of the expected message.
const INVALID_FITS: &str = r#"
fit --out @/run --bot x{a} --space @/none.toml | none.toml: cannot be read
fit --out @/run --bot x{a} --space @ | cannot be read: Is a directory
fit --out @/run --bot x{a} --space @/mine | mine: TOML parse error at line 1, column 5: key with no
fit --out @/run --bot x{a} --space @/number | number: TOML parse error at line 1, column 5: invalid
fit --out @/run --bot x{a} --space @/number | expected a table of start, min, max and step, or of
fit --out @/run --bot x{a} --space @/unknown | unknown: TOML parse error at line 1, column 18: unknown field
fit --out @/run --bot x{a} --space @/range | range: a: expected a start from min to max
fit --out @/run --bot x{a} --space @/empty | expected at least one parameter, found none
fit --out @/run --bot x{b} --space @/good | --bot: expected {a} in the command line, found "x{b}"
fit --out @/run --bot x{a}{b} --space @/good | expected a value in the place of {b}
fit --out @/run --bot /none/{a} --space @/good | cannot run the bot /none/3: /none/3: no such file
fit --out @/run --space @/good | --bot [<CMD>]
fit --out @/run --bot x{a} --space @/good --parameters b | --parameters: expected parameters that --space
fit --out @/run --bot x{a} --space @/good --network none | cannot be used with
fit --out @/run --bot x{a} --space @/good --nats nats://x | cannot be used with
fit --out @/run --bot x{a} --space @/good --work 5 | cannot be used with
fit --out @/run --bot x{a} --space @/good --time-limit 0 | expected seconds from 0.001 to 86400
fit --out @/run --bot x{a} --space @/good --memory-limit 0 | expected MiB from 1 to 1048576
"#;

#[cfg(unix)]
#[test]
fn a_run_in_another_format_is_refused() {
    let temp = TempFolder::new();
    std::fs::create_dir(temp.path("old")).unwrap();
    let head = "{\"crc\":\"c37b2850\",\"ledger\":\"run\",\"format\":4}\n";
    write(temp.path("old/ledger.jsonl").as_ref(), head);
    let expected = "expected a run of the tuner in format 7, found format 4: make it again";
    for line in ["fit --out @", "export @"] {
        assert_all_refused(&temp.path("old"), &format!("{line} | {expected}"));
    }
    assert_eq!(temp.read("old/ledger.jsonl"), head.as_bytes());
}

/// Invalid `compare` commands, each with a part of the expected message.
const INVALID_COMPARISONS: &str = "
compare --b @/w.json --out @ | cannot be written: is a directory
compare --b @/w.json --out @/none/x | x: cannot be written
compare --b @/w.json --out @/mine | mine: line 1: expected the header of a comparison
compare --b @/w.json --out @/w.json | does not use otherwise
compare --b @/w.json --json=@/run | unexpected value
compare --b @/w.json --out @/other | other: expected a comparison, found a ledger of run
compare --b @/w.json --out /dev/zero | /dev/zero: line 1: expected the header of a comparison
";

/// Invalid `worker` and `fit` commands with a server, each with a part of the expected message.
#[cfg(feature = "nats")]
const INVALID_SERVERS: &str = "
worker | expected the address of a NATS server, --nats URL, and a tuner
worker --nats nats://127.0.0.1:1 | nats://127.0.0.1:1: no NATS server can be used
worker --nats nats://127.0.0.1:1 --idle 0 | expected a whole number from 1 to 31536000
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
fn a_bad_program_file_or_server_is_reported_in_one_line() {
    let temp = TempFolder::new();
    let head = "{\"crc\":\"c37b2850\",\"ledger\":\"run\",\"format\":4}\n";
    for (name, text) in [
        ("mine", "not mine"),
        ("number", "a = 3"),
        (
            "unknown",
            "a = { start = 3, lowest = 0, max = 9, step = 1 }",
        ),
        ("range", "a = { start = 3, min = 4, max = 9, step = 1 }"),
        ("good", "a = { start = 3, min = 0, max = 9, step = 1 }"),
        ("empty", ""),
        ("w.json", "{\"potential\": 0}"),
        ("other", head),
    ] {
        write(temp.path(name).as_ref(), text);
    }
    let path = temp.path("");
    let path = path.trim_end_matches('/');
    assert_all_refused(path, INVALID_FITS);
    assert_all_refused(path, INVALID_COMPARISONS);
    #[cfg(feature = "nats")]
    assert_all_refused(path, INVALID_SERVERS);
    assert!(
        !Path::new(&temp.path("run")).exists(),
        "no file was written"
    );
    assert_eq!(temp.read("mine"), b"not mine");
    assert_eq!(temp.read("other"), head.as_bytes());
}

#[cfg(not(feature = "nats"))]
#[test]
fn without_the_feature_a_server_is_refused_in_one_line() {
    let temp = TempFolder::new();
    let out = temp.path("run");
    assert_all_refused(&out, WITHOUT_NATS);
    assert!(!Path::new(&out).exists(), "no file was written");
}

/// The command never replaces a user's file, regardless of its name.
#[test]
fn a_folder_with_other_files_stays_unchanged() {
    let temp = TempFolder::new();
    for name in ["notes.txt", "start.json", "weights.json", "lock"] {
        write(temp.path(name).as_ref(), "mine");
        let table = r#"
fit --games 500 --out @ | expected a new or an empty folder, or that of a run, found "NAME" in it
export @ | expected the folder of a run, found no ledger.jsonl in it
fit --out @/NAME | NAME: expected a folder, found a file
"#;
        assert_all_refused(&temp.path(""), &table.replace("NAME", name));
        assert_eq!(temp.read(name), b"mine");
        std::fs::remove_file(temp.path(name)).unwrap();
    }
}
