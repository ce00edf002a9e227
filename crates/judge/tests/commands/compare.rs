//! End-to-end tests of `judge compare`, on reports that `judge run` wrote.

use crate::temp_folder::{SAMPLE, SAMPLE_PLAN, TempFolder, noise};
use serde_json::Value;

/// Makes reports of two bots on two cases, and of runs on other cases.
fn prepare() -> TempFolder {
    let temp = TempFolder::new();
    temp.put("in/0001.txt", SAMPLE);
    temp.put("in/0002.txt", SAMPLE.replace("dbc", "ddd"));
    temp.put("other/0003.txt", SAMPLE.replace("dbc", "aaa"));
    temp.put("changed/0001.txt", SAMPLE.replace("dbc", "ccc"));
    temp.put("good.txt", SAMPLE_PLAN);
    for (name, folder, bot) in [
        ("a.json", "in", "echo 0"),
        ("b.json", "in", "cat good.txt"),
        ("other.json", "other", "echo 0"),
        ("changed.json", "changed", "echo 0"),
    ] {
        let output = temp.judge(&["run", "--in", folder, "--bot", bot, "--json", name]);
        assert_eq!(output.status, 0, "{output:?}");
    }
    temp
}

#[test]
fn two_runs_are_compared() {
    let temp = prepare();
    let output = temp.judge(&["compare", "a.json", "b.json"]);
    assert_eq!((output.status, output.err.as_str()), (0, ""), "{output:?}");
    let sides = "A  a.json: echo 0 (";
    assert!(output.out.starts_with(sides), "{}", output.out);
    output.shows(&["); --in in\nB  b.json: cat good.txt (", "\nB against A"]);
    let listed = "\nmost lost  0001 (-57.1 %)\nmost won   0002 (+42.9 %)\n";
    assert!(output.out.ends_with(listed), "{}", output.out);
    output.shows(&["up to 126 cells", "growing, up to 6 colours"]);

    let output = temp.judge(&["compare", "--json", "a.json", "b.json"]);
    let comparison: Value = output.json();
    let all = &comparison["all"];
    // A scores 329 points on both cases, B scores 141 and 470.
    let counts = ["cases", "wins", "losses", "ties"].map(|count| all[count].as_u64().unwrap());
    assert_eq!(counts, [2, 1, 1, 0]);
    assert_eq!(
        (&all["mean_a"], &all["mean_b"]),
        (&329.0.into(), &305.5.into())
    );
    let back = temp.judge(&["compare", "--json", "b.json", "a.json"]);
    let back: Value = back.json();
    // The ratio of A to B is the inverse of the ratio of B to A.
    let ratio = |value: &Value| 1.0 + value["log_percent"]["mean"].as_f64().unwrap() / 100.0;
    assert!((ratio(all) * ratio(&back["all"]) - 1.0).abs() < 1e-9);
}

#[test]
fn runs_on_different_cases_are_refused() {
    let temp = prepare();
    temp.judge(&["compare", "a.json", "other.json"])
        .refuses(&["a.json and other.json", "none in common"]);
    temp.judge(&["compare", "a.json", "changed.json"])
        .refuses(&[
            "a.json and changed.json",
            "two different cases are called 0001",
        ]);
}

#[test]
fn a_file_that_is_not_a_report_is_refused() {
    let temp = prepare();
    let whole = temp.read("a.json");
    let score = whole.replace("\"score\": 329", "\"score\": \"none\"");
    let mark = whole.replace("\"ok\"", "\"fine\"");
    let mark = mark.replace("\"died\",", "\"dead\",");
    let expected = "expected a report of `judge run --json`";
    for (contents, part) in [
        (&b""[..], "line 1: expected a report"),
        (b"{}", "missing field `format`"),
        (SAMPLE.as_bytes(), expected),
        (&noise(), "bytes that are not UTF-8"),
        (b"[1, 2]", expected),
        (b"{\"format\": 1}", "missing field"),
        (b"{\"format\": 99}", "in format 1, found 99"),
        (&whole.as_bytes()[..whole.len() / 2], expected),
        (score.as_bytes(), expected),
        (mark.as_bytes(), expected),
    ] {
        temp.put("bad.json", contents);
        for files in [["a.json", "bad.json"], ["bad.json", "a.json"]] {
            let output = temp.judge(&["compare", files[0], files[1]]);
            output.refuses(&["bad.json: line ", part]);
        }
    }
}

#[test]
fn copies_of_a_case_count_once() {
    let temp = prepare();
    for copy in 3..=6 {
        temp.put(&format!("in/{copy:04}.txt"), SAMPLE);
    }
    for (name, bot) in [("c.json", "echo 0"), ("d.json", "cat good.txt")] {
        let output = temp.judge(&["run", "--in", "in", "--bot", bot, "--json", name]);
        output.shows(&["\ncopies   0001 0003 0004 0005 0006\n"]);
    }
    let output = temp.judge(&["compare", "c.json", "d.json"]);
    output
        .shows(&["\nnote: copies of one case in A, counted once: 0001, 0003, 0004, 0005, 0006\n"]);
    let difference = |files: [&str; 2]| {
        let output = temp.judge(&["compare", "--json", files[0], files[1]]);
        output.json()["all"].clone()
    };
    // Copies do not change the numbers.
    assert_eq!(
        difference(["c.json", "d.json"]),
        difference(["a.json", "b.json"])
    );
    // The names of cases do not matter.
    temp.put("renamed/9.txt", temp.read("in/0001.txt"));
    temp.judge(&[
        "run", "--in", "renamed", "--bot", "echo 0", "--json", "e.json",
    ]);
    assert_eq!(difference(["a.json", "e.json"])["cases"], 1);
}

#[test]
fn intervals_are_corrected_for_several_candidates() {
    let temp = prepare();
    let seeds = |name: &str, bot: &str| {
        let output = temp.judge(&[
            "run",
            "--seeds",
            "2..=13",
            "--profile",
            "small",
            "--bot",
            bot,
            "--json",
            name,
        ]);
        assert_eq!(output.status, 0, "{output:?}");
    };
    seeds("base.json", "echo 0");
    seeds("x.json", "echo 1 1 2");
    seeds("y.json", "echo 1 2 0");
    let one = temp
        .judge(&["compare", "--json", "base.json", "x.json"])
        .json();
    let output = temp.judge(&["compare", "base.json", "x.json", "y.json"]);
    output.shows(&[
        "\nC  y.json: ",
        "\nagainst A ",
        "\nB ",
        "\nC ",
        "\n2 candidates: all intervals hold together with 95 % (each alone with 97.50 %)",
    ]);
    let two = temp
        .judge(&["compare", "--json", "base.json", "x.json", "y.json"])
        .json();
    let (one, two) = (&one["all"], &two[0]["all"]);
    let p = |of: &Value| of["wilcoxon_p"].as_f64().unwrap();
    assert!((p(two) - (2.0 * p(one)).min(1.0)).abs() < 1e-12);
    let width = |of: &Value| {
        let end = |index: usize| of["log_percent"]["interval"][index].as_f64().unwrap();
        end(1) - end(0)
    };
    assert!(width(two) > 1.1 * width(one));
    let refused = temp.judge(&["compare", "base.json", "x.json", "y.json", "--by", "score"]);
    refused.refuses(&["--by: expected one run to compare with A, found 2"]);
}
