//! Bad input: one line, status 2, nothing half-written.

use crate::{all_refused, put, Desk};
use std::path::Path;

const MISTAKES: &str = r#"
fit | --out <DIR>
rehearse | --out <DIR>
resume | <DIR>
eval --seeds 5..=2 | expected a range that goes up
eval --seeds x | expected a seed or a range A..=B
eval --seeds 0..=99999999999 | expected at most 10000000 seeds, found 100000000000
eval --work 0 | expected milliseconds from 0.001
eval --work -5 | expected milliseconds
eval --jobs 0 | expected a whole number from 1 to 1024
worker --jobs 18446744073709551615 | expected a whole number from 1 to 1024
fit --out @ --jobs 99999 | expected a whole number from 1 to 1024
eval --profile none | invalid value 'none' for '--profile <NAME>'
fit --out @ --games 0 | expected from 1 to 800000000 games, found 0
fit --out @ --pairs 1 | expected from 2 to 100000 pairs of games a generation, found 1
fit --out @ --noise 0 | expected a noise above 0 and up to 1000, found 0
fit --out @ --rate nan | expected a rate above 0 and up to 1000, found NaN
fit --out @ --work 0 | expected milliseconds from 0.001 to 1000000000
fit --out @ --for 8 | expected a time such as 90s, 30m or 8h
fit --out @ --most-pairs 0 | expected from 1 to 1000000 pairs of held-out games, found 0
fit --out @ --parameters spot,sport | no parameter is called "sport"
fit --out @ --parameters spot,spot | found spot twice
fit --out @ --objective best | invalid value 'best' for '--objective <OBJECTIVE>'
fit --out @ --bot x | --space <FILE>
fit --out @ --time-limit 2 | --memory-limit are for programs
fit --out @ --bot x --space y --weights z | cannot be used with
fit --out @ --bot x --space none.toml | none.toml: cannot be read
resume x --games 0 | expected from 1 to 800000000 games, found 0
resume /dev/null | /dev/null: expected the folder of a run
resume /none/at/all | /none/at/all: expected the folder of a run
"#;

#[cfg(not(feature = "nats"))]
const WITHOUT_NATS: &str = "
worker | --features nats` builds one with it
worker --nats nats://head:4222 | --features nats` builds one with it
fit --out @ --nats nats://head:4222 | --features nats` builds one with it
";

#[test]
fn a_bad_command_line_is_told_in_a_line() {
    let desk = Desk::new();
    let out = desk.at("run");
    all_refused(&out, MISTAKES);
    #[cfg(not(feature = "nats"))]
    all_refused(&out, WITHOUT_NATS);
    assert!(!Path::new(&out).exists(), "nothing is half-made");
    let told = crate::refused(&crate::run(""));
    assert!(told.contains("expected a command"), "{told}");
}

#[test]
fn a_folder_with_something_in_it_is_left_alone() {
    let desk = Desk::new();
    put(desk.at("notes.txt").as_ref(), "mine");
    let table = r#"
fit --games 1 --out @ | expected a new or an empty folder, found "notes.txt" in it
resume @ | expected the folder of a run, found no ledger.jsonl in it
fit --out @/notes.txt | notes.txt: expected a folder, found a file
"#;
    all_refused(&desk.at(""), table);
    assert_eq!(desk.read("notes.txt"), b"mine");
}
