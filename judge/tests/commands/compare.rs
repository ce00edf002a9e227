//! `judge compare`, as a user runs it, on reports that `judge run` wrote.

use crate::desk::{noise, Desk, SAMPLE, SAMPLE_PLAN};
use serde_json::Value;

/// Reports of three bots on two cases, and of one on another case.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("in/0001.txt", SAMPLE);
    desk.put("in/0002.txt", SAMPLE.replace("dbc", "ddd"));
    desk.put("other/0003.txt", SAMPLE);
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
