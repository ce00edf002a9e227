//! `judge compare`, as a user runs it, on reports that `judge run` wrote.

use crate::desk::{noise, Desk, SAMPLE, SAMPLE_PLAN};
use serde_json::Value;

/// Reports of three bots on two cases, and of one on another case.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("in/0001.txt", SAMPLE);
    desk.put("in/0002.txt", SAMPLE.replace("dbc", "ddd"));
    desk.put("other/0003.txt", SAMPLE.replace("dbc", "aaa"));
    desk.put("changed/0001.txt", SAMPLE.replace("dbc", "ccc"));
    desk.put("good.txt", SAMPLE_PLAN);
    for (name, folder, bot) in [
        ("a.json", "in", "echo 0"),
        ("b.json", "in", "cat good.txt"),
        ("other.json", "other", "echo 0"),
        ("changed.json", "changed", "echo 0"),
    ] {
        let said = desk.judge(&["run", "--in", folder, "--bot", bot, "--json", name]);
        assert_eq!(said.status, 0, "{said:?}");
    }
    desk
}

#[test]
fn two_runs_are_compared() {
    let desk = desk();
    let said = desk.judge(&["compare", "a.json", "b.json"]);
    assert_eq!((said.status, said.err.as_str()), (0, ""), "{said:?}");
    let sides = "A  a.json: echo 0 (";
    assert!(said.out.starts_with(sides), "{}", said.out);
    said.shows(&["); --in in\nB  b.json: cat good.txt (", "\nB against A"]);
    let listed = "\nmost lost  0001 (-57.1 %)\nmost won   0002 (+42.9 %)\n";
    assert!(said.out.ends_with(listed), "{}", said.out);
    said.shows(&["up to 126 cells", "growing, up to 6 colours"]);

    let said = desk.judge(&["compare", "--json", "a.json", "b.json"]);
    let comparison: Value = said.json();
    let all = &comparison["all"];
    // 329 both times against 141 and 470.
    let counts = ["cases", "wins", "losses", "ties"].map(|count| all[count].as_u64().unwrap());
    assert_eq!(counts, [2, 1, 1, 0]);
    assert_eq!(
        (&all["mean_a"], &all["mean_b"]),
        (&329.0.into(), &305.5.into())
    );
    let back = desk.judge(&["compare", "--json", "b.json", "a.json"]);
    let back: Value = back.json();
    // B against A and A against B are inverse ratios.
    let ratio = |value: &Value| 1.0 + value["log_percent"]["mean"].as_f64().unwrap() / 100.0;
    assert!((ratio(all) * ratio(&back["all"]) - 1.0).abs() < 1e-9);
}

#[test]
fn runs_over_other_cases_are_refused() {
    let desk = desk();
    desk.judge(&["compare", "a.json", "other.json"])
        .refuses(&["a.json and other.json", "none in common"]);
    desk.judge(&["compare", "a.json", "changed.json"])
        .refuses(&["a.json and changed.json", "two different cases 0001"]);
}

#[test]
fn what_is_no_report_is_refused() {
    let desk = desk();
    let whole = desk.read("a.json");
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
        desk.put("bad.json", contents);
        for files in [["a.json", "bad.json"], ["bad.json", "a.json"]] {
            let said = desk.judge(&["compare", files[0], files[1]]);
            said.refuses(&["bad.json: line ", part]);
        }
    }
}

#[test]
fn copies_of_a_case_count_once() {
    let desk = desk();
    for copy in 3..=6 {
        desk.put(&format!("in/{copy:04}.txt"), SAMPLE);
    }
    for (name, bot) in [("c.json", "echo 0"), ("d.json", "cat good.txt")] {
        let said = desk.judge(&["run", "--in", "in", "--bot", bot, "--json", name]);
        said.shows(&["\none case 0001 0003 0004 0005 0006\n"]);
    }
    let said = desk.judge(&["compare", "c.json", "d.json"]);
    said.shows(&["\nnote: one case in A, counted once: 0001, 0003, 0004, 0005, 0006\n"]);
    let counted = |files: [&str; 2]| {
        let said = desk.judge(&["compare", "--json", files[0], files[1]]);
        said.json()["all"].clone()
    };
    // As without the copies.
    assert_eq!(counted(["c.json", "d.json"]), counted(["a.json", "b.json"]));
    // Names do not matter.
    desk.put("renamed/9.txt", desk.read("in/0001.txt"));
    desk.judge(&[
        "run", "--in", "renamed", "--bot", "echo 0", "--json", "e.json",
    ]);
    assert_eq!(counted(["a.json", "e.json"])["cases"], 1);
}

#[test]
fn several_candidates_share_the_chance_of_an_error() {
    let desk = desk();
    let seeds = |name: &str, bot: &str| {
        let said = desk.judge(&[
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
        assert_eq!(said.status, 0, "{said:?}");
    };
    seeds("base.json", "echo 0");
    seeds("x.json", "echo 1 1 2");
    seeds("y.json", "echo 1 2 0");
    let one = desk
        .judge(&["compare", "--json", "base.json", "x.json"])
        .json();
    let said = desk.judge(&["compare", "base.json", "x.json", "y.json"]);
    said.shows(&[
        "\nC  y.json: ",
        "\nagainst A ",
        "\nB ",
        "\nC ",
        "\n2 candidates: all intervals hold together with 95 % (each alone with 97.50 %)",
    ]);
    let two = desk
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
    let refused = desk.judge(&["compare", "base.json", "x.json", "y.json", "--by", "score"]);
    refused.refuses(&["--by: expected one run to compare with A, found 2"]);
}
