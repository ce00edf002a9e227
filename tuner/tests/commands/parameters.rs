//! `tuner parameters`, and weights files.

use crate::{TempFolder, assert_all_refused, assert_contains, run, success};
use columns_bot::eval::weights::{PARAMETERS, Weights};
use columns_bot_command::weights_file;
use std::fs;

#[test]
fn bad_files_of_weights_are_refused() {
    let temp = TempFolder::new();
    let path = temp.path("w.json");
    let start = Weights::default();
    let potential = format!("\"potential\": {}", start.potential);
    let with_nan = weights_file::format(&start).replace(&potential, "\"potential\": NaN");
    let object = "expected an object of weights";
    for (bad, expected) in [
        (&b""[..], format!("line 1: {object}")),
        (b"\x00\x01", format!("line 1: {object}")),
        (with_nan.as_bytes(), format!("line 2: {object}")),
        (
            b"{\"sport\": 1}",
            format!("line 1: {object}: no weight is called \"sport\""),
        ),
        (
            b"{\"potential\": 85}",
            format!("line 1: {object}: potential must be from 0 to 1.5, not 85"),
        ),
        (b"{\n\xff", "line 2: expected text".into()),
    ] {
        fs::write(&path, bad).unwrap();
        assert_all_refused(&path, &format!("compare --b @ | {path}: {expected}"));
    }
    assert_all_refused(&path, "compare --b @.none | none: cannot be read");
}

#[test]
fn the_parameters_are_a_table() {
    let table = success(&run("parameters"));
    assert_eq!(table.lines().count(), 1 + PARAMETERS.len(), "{table}");
    let row = table.lines().find(|line| line.starts_with("steps "));
    assert_contains(row.unwrap(), "Worth of each step of the best chain.");
    assert!(
        table.lines().skip(1).all(|line| line.ends_with('.')),
        "{table}"
    );
    assert_all_refused("", "parameters --parameters sport | no parameter is called");
}
