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

/// Commands with an invalid program or file, each with a part of the expected message.
const INVALID_FILES: &str = r#"
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
fit --out @/mine | mine: expected a folder, found a file
compare --b @/mine | mine: line 1: expected an object of weights
compare --b-network none --out /dev/zero | /dev/zero: line 1: expected the header of a comparison
"#;

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
    ] {
        write(temp.path(name).as_ref(), text);
    }
    let path = temp.path("");
    let path = path.trim_end_matches('/');
    assert_all_refused(path, INVALID_FILES);
    #[cfg(feature = "nats")]
    assert_all_refused(path, INVALID_SERVERS);
    assert!(
        !Path::new(&temp.path("run")).exists(),
        "no file was written"
    );
    assert_eq!(temp.read("mine"), b"not mine");
}

#[cfg(not(feature = "nats"))]
#[test]
fn without_the_feature_a_server_is_refused_in_one_line() {
    let temp = TempFolder::new();
    let out = temp.path("run");
    assert_all_refused(&out, WITHOUT_NATS);
    assert!(!Path::new(&out).exists(), "no file was written");
}
