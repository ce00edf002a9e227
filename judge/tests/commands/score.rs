//! `judge score`, as a user runs it.

use crate::desk::{noise, Desk, SAMPLE, SAMPLE_PLAN};
use serde_json::{json, Value};

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("in/0001.txt", SAMPLE);
    desk.put("out/0001.txt", SAMPLE_PLAN);
    desk
}

const FILES: [&str; 3] = ["score", "in/0001.txt", "out/0001.txt"];

#[test]
fn the_sample_scores_141() {
    let said = desk().judge(&FILES);
    assert_eq!((said.status, said.err.as_str()), (0, "Score = 141\n"));
    assert_eq!(said.out, "");
    // As an editor of Windows saves it.
    let desk = desk();
    desk.put(
        "in/0001.txt",
        format!("\u{feff}{}", SAMPLE.replace('\n', "\r\n")),
    );
    let said = desk.judge(&FILES);
    assert_eq!((said.status, said.err.as_str()), (0, "Score = 141\n"));
}

#[test]
fn the_plan_or_the_case_can_come_from_standard_input() {
    let desk = desk();
    let said = desk.judge_with(&["score", "in/0001.txt", "-"], SAMPLE_PLAN);
    assert_eq!((said.status, said.err.as_str()), (0, "Score = 141\n"));
    let said = desk.judge_with(&["score", "-", "out/0001.txt"], SAMPLE);
    assert_eq!((said.status, said.err.as_str()), (0, "Score = 141\n"));
}

#[test]
fn json_tells_more() {
    let desk = desk();
    let said = desk.judge(&["score", "--json", "in/0001.txt", "out/0001.txt"]);
    let outcome: Value = said.json();
    assert_eq!(
        outcome,
        json!({
            "score": 141,
            "columns": 11,
            "placed": 11,
            "ended_early": false,
            "longest_chain": 1,
            "invalid": null
        })
    );
    // All on one stack: 3 · 4 jewels fit unless some clear.
    desk.put("out/0001.txt", "0\n");
    let said = desk.judge(&["score", "--json", "in/0001.txt", "out/0001.txt"]);
    let outcome: Value = said.json();
    assert_eq!(said.status, 0);
    assert_eq!(outcome["ended_early"], true);
    let placed = outcome["placed"].as_u64().unwrap();
    assert!((4..11).contains(&placed), "{outcome}");
}

/// Plans whose lines end with `/`, and what they are told.
const INVALID: &str = r#"
 | line 1: COUNT nothing
// | COUNT nothing
12/ | line 1: COUNT "12"
-1/ | line 1: COUNT "-1"
eleven/ | line 1: COUNT "eleven"
99999999999999999999999999/ | line 1: COUNT
1/0 0/ | line 2: POSITION 1 of 1, from 1 to 6, found "0"
1/7 0/ | line 2: POSITION 1 of 1, from 1 to 6, found "7"
1/1 3/ | line 2: SHIFTS 1 of 1, from 0 to 2, found "3"
1/1.0 0/ | line 2: POSITION 1 of 1
2/1 0/1/ | line 3: SHIFTS 2 of 2, from 0 to 2, found nothing
2/1 0/ | POSITION 2 of 2, from 1 to 6, found nothing
1/1 0/1 0/ | line 3: expected the end of the input, found "1"
"#;

#[test]
fn invalid_plans_score_0_and_say_why() {
    let desk = desk();
    for line in INVALID.trim_matches('\n').lines() {
        let (plan, reason) = line.split_once(" | ").unwrap();
        let plan = plan.trim().replace('/', "\n");
        let reason = reason
            .replace(
                "COUNT",
                "expected the number of placements, from 0 to 11, found",
            )
            .replace("POSITION", "expected the position of placement")
            .replace("SHIFTS", "expected the shifts of placement");
        desk.put("out/0001.txt", &plan);
        let said = desk.judge(&["score", "--json", "in/0001.txt", "out/0001.txt"]);
        assert_eq!(said.status, 1, "{plan:?}: {said:?}");
        let lines: Vec<&str> = said.err.lines().collect();
        assert_eq!(lines.len(), 2, "{said:?}");
        assert_eq!(lines[0], "Score = 0", "{said:?}");
        assert!(lines[1].starts_with("judge: out/0001.txt: "), "{said:?}");
        assert!(lines[1].contains(&reason), "{reason:?}: {said:?}");
        let outcome: Value = said.json();
        assert_eq!(outcome["score"], 0);
        assert_eq!(outcome["placed"], Value::Null);
        assert_eq!(
            format!("judge: {}", outcome["invalid"].as_str().unwrap()),
            lines[1]
        );
    }
    let noise = [noise(), b"1\n1 0\n\xff\xfe".into()];
    let long = [vec![b' '; 3 << 20], b"1\n".repeat(1 << 20)];
    for plan in noise.into_iter().chain(long) {
        desk.put("out/0001.txt", plan);
        let said = desk.judge(&FILES);
        assert_eq!((said.status, said.err.lines().count()), (1, 2), "{said:?}");
        assert!(said.err.starts_with("Score = 0\n"), "{said:?}");
    }
}

#[test]
fn a_game_is_shown_column_by_column() {
    let desk = desk();
    let said = desk.judge(&["show", "in/0001.txt", "out/0001.txt"]);
    assert_eq!((said.status, said.err.as_str()), (0, ""));
    for (number, points) in [(1, 0), (3, 94), (4, 141), (11, 141)] {
        let line = |line: &str| {
            line.starts_with(&format!("column {number}: "))
                && line.ends_with(&format!(": {points} points so far"))
        };
        assert!(said.out.lines().any(line), "{number}: {}", said.out);
    }
    let one = desk.judge(&["show", "in/0001.txt", "out/0001.txt", "--column", "4"]);
    assert!(said.out.contains(&one.out) && one.out.starts_with("column 4: aab at position 3"));
    for number in ["0", "12"] {
        desk.judge(&["show", "in/0001.txt", "out/0001.txt", "--column", number])
            .refuses(&["--column", "from 1 to 11"]);
    }
    let invalid = desk.judge_with(&["show", "in/0001.txt", "-"], "1\n7 0\n");
    assert_eq!((invalid.status, invalid.out.as_str()), (1, ""));
    invalid.one_line(&["standard input: line 2"]);
}

#[test]
fn a_plan_may_begin_with_a_byte_order_mark() {
    let desk = Desk::new();
    desk.put("case.txt", format!("\u{feff}{SAMPLE}"));
    desk.put("plan.txt", format!("\u{feff}{SAMPLE_PLAN}"));
    let said = desk.judge(&["score", "case.txt", "plan.txt"]);
    assert_eq!(
        (said.status, said.err.as_str()),
        (0, "Score = 141\n"),
        "{said:?}"
    );
}
