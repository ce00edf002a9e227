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
    assert!(
        said.out.contains("); --in in\nB  b.json: cat good.txt ("),
        "{}",
        said.out
    );
    assert!(said.out.contains("\nB against A"), "{}", said.out);
    let listed = "\nmost lost  0001 (-57.1 %)\nmost won   0002 (+42.9 %)\n";
    assert!(said.out.ends_with(listed), "{}", said.out);
    assert!(said.out.contains("up to 126 cells"), "{}", said.out);
    assert!(
        said.out.contains("growing, up to 6 colours"),
        "{}",
        said.out
    );

    let said = desk.judge(&["compare", "--json", "a.json", "b.json"]);
    let comparison: Value = serde_json::from_str(&said.out).unwrap();
    let all = &comparison["all"];
    // 329 both times against 141 and 470.
    let counts = ["cases", "wins", "losses", "ties"].map(|count| all[count].as_u64().unwrap());
    assert_eq!(counts, [2, 1, 1, 0]);
    assert_eq!(
        (&all["mean_a"], &all["mean_b"]),
        (&329.0.into(), &305.5.into())
    );
    let back = desk.judge(&["compare", "--json", "b.json", "a.json"]);
    let back: Value = serde_json::from_str(&back.out).unwrap();
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
    let refused = |contents: Vec<u8>, part: &str| {
        desk.put("bad.json", contents);
        desk.judge(&["compare", "a.json", "bad.json"])
            .refuses(&["bad.json: line ", part]);
        desk.judge(&["compare", "bad.json", "a.json"])
            .refuses(&["bad.json: line ", part]);
    };
    let expected = "expected a report of `judge run --json`";
    refused(b"".to_vec(), "line 1: expected a report");
    refused(b"{}".to_vec(), "missing field `format`");
    refused(SAMPLE.into(), expected);
    refused(noise(), "bytes that are not UTF-8");
    refused(b"[1, 2]".to_vec(), expected);
    refused(b"{\"format\": 1}".to_vec(), "missing field");
    refused(b"{\"format\": 99}".to_vec(), "in format 1, found 99");
    let whole = desk.read("a.json");
    refused(whole.as_bytes()[..whole.len() / 2].to_vec(), expected);
    refused(
        whole
            .replace("\"score\": 329", "\"score\": \"none\"")
            .into(),
        expected,
    );
    refused(
        whole
            .replace("\"ok\"", "\"fine\"")
            .replace("\"died\",", "\"dead\",")
            .into(),
        expected,
    );
    desk.judge(&["compare", "a.json", "none.json"])
        .refuses(&["none.json: cannot be read"]);
    desk.judge(&["compare", "in", "a.json"])
        .refuses(&["in: cannot be read"]);
    desk.judge(&["compare", "a.json"]).refuses(&["<B>"]);
}
