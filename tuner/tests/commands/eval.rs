//! `tuner eval` and `tuner parameters`.

use crate::{all_refused, good, refused, run, says, tuner, Desk};
use columns_bot::eval::weights::{Weights, PARAMETERS};
use columns_bot::weights_file;
use serde_json::{json, Value};
use std::fs;

const SMALL: &str = "eval --seeds 1..=12 --work 1.5 --columns 50";

/// The lines of `--json`.
fn lines(options: &str) -> Vec<Value> {
    let told = good(&run(&format!("{SMALL} --json {options}")));
    let lines = told.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

#[test]
fn results_are_the_same_for_any_number_of_jobs_and_in_any_order() {
    let plain = lines("--jobs 1");
    let mut sum = 0;
    for (line, seed) in plain.iter().zip(1..) {
        let points = line["points"].as_u64().unwrap();
        assert_eq!((&line["seed"], points % 47), (&json!(seed), 0));
        let log = (points as f64 / 50.0).ln();
        assert!((line["log_score"].as_f64().unwrap() - log).abs() < 1e-9);
        assert!(line["placed"].as_u64().unwrap() <= 50);
        sum += points;
    }
    assert_eq!(plain.len(), 12);
    for jobs in ["2", "3"] {
        assert_eq!(lines(&format!("--jobs {jobs}")), plain);
    }
    let mut shuffled = lines("--shuffle");
    assert_ne!(shuffled, plain);
    assert_eq!(shuffled, lines("--shuffle --jobs 1"));
    shuffled.sort_by_key(|line| line["seed"].as_u64());
    assert_eq!(shuffled, plain);
    let table = good(&run(SMALL));
    says(&table, format!("\nsum    {sum}\n"));
    assert!(table.lines().nth(1).unwrap().starts_with("all "), "{table}");
    says(&table, "games/s");
}

#[test]
fn weights_matter_and_bad_ones_are_refused() {
    let desk = Desk::new();
    let path = desk.at("w.json");
    let start = Weights::default();
    let text = weights_file::format(&start);
    let potential = format!("\"potential\": {}", start.potential);
    let with = |value: &str| text.replace(&potential, &format!("\"potential\": {value}"));
    let played = |text: &str| {
        fs::write(&path, text).unwrap();
        lines(&format!("--weights {path}"))
    };
    // What is not named is as it is in the bot.
    let (plain, other) = (lines(""), played("{\"potential\": 0.05}"));
    assert_ne!(other, plain);
    assert_eq!(played(&with("0.05")), other);
    assert_eq!([played(&text), played("{}")], [plain.clone(), plain]);
    let object = "expected an object of weights";
    for (bad, expected) in [
        (&b""[..], format!("line 1: {object}")),
        (b"\x00\x01", format!("line 1: {object}")),
        (with("NaN").as_bytes(), format!("line 2: {object}")),
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
        all_refused(&path, &format!("eval --weights @ | {path}: {expected}"));
    }
    all_refused(&path, "eval --weights @.none | none: cannot be read");
}

/// The same command continues, also with more seeds; what else differs is refused by name.
#[test]
fn an_evaluation_continues_in_its_ledger() {
    let desk = Desk::new();
    let out = desk.at("games");
    let line = |seeds: &str, rest: &str| {
        format!("eval --seeds {seeds} --work 1.5 --columns 50 --out {out} {rest}")
    };
    let first = good(&run(&line("1..=12", "")));
    says(&first, "\nspeed  ");
    let bytes = desk.read("games");
    // All is there: nothing is played.
    let again = good(&run(&line("1..=12", "")));
    assert_eq!(again, first.split("speed ").next().unwrap());
    assert!(desk.read("games") == bytes);
    let more: Vec<Value> = good(&run(&line("1..=20", "--json --shuffle")))
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(more.len(), 20);
    assert!(desk.read("games").starts_with(&bytes));
    let mut known = lines("");
    known.sort_by_key(|line| line["seed"].as_u64());
    for line in known {
        assert!(more.contains(&line), "{line}");
    }
    let told = refused(&run(&line("1..=12", "").replace("--work 1.5", "--work 2")));
    says(told, "work: expected 1500 as it was begun with, found 2000");
}

/// Any program can be evaluated, and its lost games are counted.
#[cfg(unix)]
#[test]
fn a_program_is_evaluated() {
    let play = |bot: &str, rest: &[&str]| {
        let mut command = tuner("eval --seeds 1..=4 --columns 30".split_whitespace());
        command.args(["--bot", bot]).args(rest).output().unwrap()
    };
    let told = good(&play("echo 0", &[]));
    assert!(!told.contains("note:"), "{told}");
    says(
        good(&play("false", &[])),
        "note: 4 games lost: 4 crashed (seed 1)\n",
    );
    let told = refused(&play("echo 0", &["--work", "5"]));
    says(told, "--work cannot be used with a program");
    let told = refused(&run("eval --time-limit 5"));
    says(told, "cannot be used with the bot of this build");
}

#[test]
fn the_parameters_are_a_table_and_a_search_space_of_optuna() {
    let table = good(&run("parameters"));
    assert_eq!(table.lines().count(), 1 + PARAMETERS.len(), "{table}");
    let row = table.lines().find(|line| line.starts_with("steps "));
    says(row.unwrap(), "Worth of each step of that chain.");
    assert!(
        table.lines().skip(1).all(|line| line.ends_with('.')),
        "{table}"
    );
    let told = good(&run("parameters --optuna --parameters steps,potential"));
    let space: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(space.as_object().unwrap().len(), 2);
    let attributes = json!({ "low": 0.0, "high": 1.5, "log": false, "step": null });
    let expected = json!({ "name": "FloatDistribution", "attributes": attributes });
    assert_eq!(space["potential"], expected);
    all_refused("", "parameters --parameters sport | no parameter is called");
}
