//! `tuner eval`: games, files of weights, resumption from a ledger. Also `tuner parameters`.

use crate::{TempFolder, assert_all_refused, assert_contains, refusal, run, success, tuner};
use columns_bot::eval::weights::{PARAMETERS, Weights};
use columns_bot_command::weights_file;
use serde_json::{Value, json};
use std::fs;

const SMALL: &str = "eval --seeds 1..=12 --work 1.5 --columns 50";

/// Runs [`SMALL`] with `--json` and these options. Returns the lines of the output.
fn lines(options: &str) -> Vec<Value> {
    let stdout = success(&run(&format!("{SMALL} --json {options}")));
    let lines = stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
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
    let table = success(&run(SMALL));
    assert_contains(&table, format!("\nsum    {sum}\n"));
    assert!(table.lines().nth(1).unwrap().starts_with("all "), "{table}");
    assert_contains(&table, "games/s");
}

#[test]
fn weights_change_the_games_and_bad_files_are_refused() {
    let temp = TempFolder::new();
    let path = temp.at("w.json");
    let start = Weights::default();
    let text = weights_file::format(&start);
    let potential = format!("\"potential\": {}", start.potential);
    let with = |value: &str| text.replace(&potential, &format!("\"potential\": {value}"));
    let games = |text: &str| {
        fs::write(&path, text).unwrap();
        lines(&format!("--weights {path}"))
    };
    // Weights that the file does not name keep the bot's values.
    let (plain, other) = (lines(""), games("{\"potential\": 0.05}"));
    assert_ne!(other, plain);
    assert_eq!(games(&with("0.05")), other);
    assert_eq!([games(&text), games("{}")], [plain.clone(), plain]);
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
        assert_all_refused(&path, &format!("eval --weights @ | {path}: {expected}"));
    }
    assert_all_refused(&path, "eval --weights @.none | none: cannot be read");
}

/// The same command resumes, also with more seeds. A message names any other difference.
#[test]
fn an_evaluation_resumes_from_its_ledger() {
    let temp = TempFolder::new();
    let out = temp.at("games");
    let line = |seeds: &str, rest: &str| {
        format!("eval --seeds {seeds} --work 1.5 --columns 50 --out {out} {rest}")
    };
    let first = success(&run(&line("1..=12", "")));
    assert_contains(&first, "\nspeed  ");
    let bytes = temp.read("games");
    // All games are in the ledger: none is played.
    let again = success(&run(&line("1..=12", "")));
    assert_eq!(again, first.split("speed ").next().unwrap());
    assert!(temp.read("games") == bytes);
    let more: Vec<Value> = success(&run(&line("1..=20", "--json --shuffle")))
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(more.len(), 20);
    assert!(temp.read("games").starts_with(&bytes));
    let mut first = lines("");
    first.sort_by_key(|line| line["seed"].as_u64());
    for line in first {
        assert!(more.contains(&line), "{line}");
    }
    let message = refusal(&run(&line("1..=12", "").replace("--work 1.5", "--work 2")));
    assert_contains(
        message,
        "work: expected 1500 as when it was begun, found 2000",
    );
}

/// Evaluates programs, and counts their lost games.
#[cfg(unix)]
#[test]
fn a_program_is_evaluated() {
    let play = |bot: &str, rest: &[&str]| {
        let mut command = tuner("eval --seeds 1..=4 --columns 30".split_whitespace());
        command.args(["--bot", bot]).args(rest).output().unwrap()
    };
    let stdout = success(&play("echo 0", &[]));
    assert!(!stdout.contains("note:"), "{stdout}");
    assert_contains(
        success(&play("false", &[])),
        "note: 4 games lost: 4 crashed (seed 1)\n",
    );
    let message = refusal(&play("echo 0", &["--work", "5"]));
    assert_contains(message, "--work cannot be used with a program");
    let message = refusal(&run("eval --time-limit 5"));
    assert_contains(message, "cannot be used with the bot of this build");
}

#[test]
fn the_parameters_are_a_table_and_a_search_space_of_optuna() {
    let table = success(&run("parameters"));
    assert_eq!(table.lines().count(), 1 + PARAMETERS.len(), "{table}");
    let row = table.lines().find(|line| line.starts_with("steps "));
    assert_contains(row.unwrap(), "Worth of each step of the best chain.");
    assert!(
        table.lines().skip(1).all(|line| line.ends_with('.')),
        "{table}"
    );
    let stdout = success(&run("parameters --optuna --parameters steps,potential"));
    let space: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(space.as_object().unwrap().len(), 2);
    let attributes = json!({ "low": 0.0, "high": 1.5, "log": false, "step": null });
    let expected = json!({ "name": "FloatDistribution", "attributes": attributes });
    assert_eq!(space["potential"], expected);
    assert_all_refused("", "parameters --parameters sport | no parameter is called");
}
