//! `judge score`: the points of a plan, the mistakes in it, and its game column by column.

use crate::temp_folder::{SAMPLE, SAMPLE_PLAN, TempFolder, noise};
use serde_json::{Value, json};

fn prepare() -> TempFolder {
    let temp = TempFolder::new();
    temp.put("in/0001.txt", SAMPLE);
    temp.put("out/0001.txt", SAMPLE_PLAN);
    temp
}

const SCORE_ARGS: [&str; 3] = ["score", "in/0001.txt", "out/0001.txt"];

#[test]
fn the_sample_scores_141() {
    let output = prepare().judge(&SCORE_ARGS);
    assert_eq!((output.status, output.out.as_str()), (0, "Score = 141\n"));
    assert_eq!(output.err, "");
    // An editor on Windows may save a file with a byte order mark and with CRLF at the end of each line.
    let temp = prepare();
    temp.put(
        "in/0001.txt",
        format!("\u{feff}{}", SAMPLE.replace('\n', "\r\n")),
    );
    temp.put("out/0001.txt", format!("\u{feff}{SAMPLE_PLAN}"));
    let output = temp.judge(&SCORE_ARGS);
    assert_eq!((output.status, output.out.as_str()), (0, "Score = 141\n"));
}

#[test]
fn the_plan_or_the_case_can_come_from_standard_input() {
    let temp = prepare();
    let output = temp.judge_with(&["score", "in/0001.txt", "-"], SAMPLE_PLAN);
    assert_eq!((output.status, output.out.as_str()), (0, "Score = 141\n"));
    let output = temp.judge_with(&["score", "-", "out/0001.txt"], SAMPLE);
    assert_eq!((output.status, output.out.as_str()), (0, "Score = 141\n"));
}

#[test]
fn json_has_the_details_of_the_outcome() {
    let temp = prepare();
    let output = temp.judge(&["score", "--json", "in/0001.txt", "out/0001.txt"]);
    let outcome: Value = output.json();
    assert_eq!(
        outcome,
        json!({
            "score": 141,
            "columns": 11,
            "placed_columns": 11,
            "ended_early": false,
            "longest_chain": 1,
            "reason": null
        })
    );
    // All columns land on one stack. Four of them fit, or more if jewels are cleared.
    temp.put("out/0001.txt", "0\n");
    let output = temp.judge(&["score", "--json", "in/0001.txt", "out/0001.txt"]);
    let outcome: Value = output.json();
    assert_eq!(output.status, 0);
    assert_eq!(outcome["ended_early"], true);
    let placed = outcome["placed_columns"].as_u64().unwrap();
    assert!((4..11).contains(&placed), "{outcome}");
}

#[test]
fn invalid_plans_score_0_with_a_reason() {
    let temp = prepare();
    temp.put("out/0001.txt", "1\n7 0\n");
    let output = temp.judge(&["score", "--json", "in/0001.txt", "out/0001.txt"]);
    assert_eq!(output.status, 1, "{output:?}");
    let reason =
        "out/0001.txt: line 2: expected the position of placement 1 of 1, from 1 to 6, found \"7\"";
    assert_eq!(output.err, format!("judge: {reason}\n"));
    let outcome: Value = output.json();
    assert_eq!(
        (&outcome["score"], &outcome["reason"]),
        (&0.into(), &reason.into())
    );
    assert_eq!(outcome["placed_columns"], Value::Null);
    let noise = [noise(), b"1\n1 0\n\xff\xfe".into()];
    let long = [vec![b' '; 3 << 20], b"1\n".repeat(1 << 20)];
    for plan in noise.into_iter().chain(long) {
        temp.put("out/0001.txt", plan);
        let output = temp.judge(&SCORE_ARGS);
        assert_eq!(
            (output.status, output.out.as_str()),
            (1, "Score = 0\n"),
            "{output:?}"
        );
        output.assert_error(&["out/0001.txt: "]);
    }
}

#[test]
fn a_game_is_shown_column_by_column() {
    let temp = prepare();
    let show = |more: &[&str]| temp.judge(&[&SCORE_ARGS[..], more].concat());
    let output = show(&["--show"]);
    assert_eq!((output.status, output.err.as_str()), (0, ""));
    for (number, points) in [(1, 0), (3, 94), (4, 141), (11, 141)] {
        let line = |line: &str| {
            line.starts_with(&format!("column {number}: "))
                && line.ends_with(&format!(": {points} points so far"))
        };
        assert!(output.out.lines().any(line), "{number}: {}", output.out);
    }
    let one = show(&["--column", "4"]);
    assert!(output.out.contains(&one.out) && one.out.starts_with("column 4: aab at position 3"));
    for number in ["0", "12"] {
        show(&["--column", number]).assert_refused(&["--column", "from 1 to 11"]);
    }
    // Show the same game from a run.
    let bot = "cat out/0001.txt";
    assert_eq!(temp.judge(&["run", "--in", "in", "--bot", bot]).status, 0);
    assert_eq!(
        temp.judge(&["show", "last", "1", "--column", "4"]).out,
        "0001: ok, 141 points\n".to_string() + &one.out
    );
    // With all columns on one stack, column 10 does not fit.
    temp.put("out/0001.txt", "0\n");
    assert_eq!(temp.judge(&["run", "--in", "in", "--bot", bot]).status, 0);
    for game in [&SCORE_ARGS[..], &["show", "last", "1"]] {
        let column = |number| temp.judge(&[game, &["--column", number]].concat());
        column("10").assert_shows(&["column 10: ", ": does not fit, the game is over\n"]);
        column("11").assert_refused(&[
            "--column: expected a number from 1 to 10, since column 10 did not fit, found 11",
        ]);
    }
    temp.judge(&["show", "last", "2"])
        .assert_refused(&["2: run 2 has no game on such a case"]);
    assert_eq!(
        temp.judge(&["run", "--in", "in", "--bot", "echo 1 7 0"])
            .status,
        1
    );
    let invalid = temp.judge(&["show", "last", "0001"]);
    assert_eq!((invalid.status, invalid.err.as_str()), (1, ""));
    assert!(
        invalid.out.starts_with("0001: invalid: line 1"),
        "{invalid:?}"
    );
}
