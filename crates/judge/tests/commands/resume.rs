//! Tests that `judge run` resumes after any interruption.

use crate::temp_folder::{SAMPLE, TempFolder};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Makes a folder with [`CASES`] different cases.
fn prepare() -> TempFolder {
    let temp = TempFolder::new();
    for case in 1..=CASES {
        let columns = "abc\n".repeat(case);
        temp.put(
            &format!("in/{case:04}.txt"),
            format!("6 13\n{case}\n{columns}"),
        );
    }
    temp
}

/// Number of cases; case k has k columns.
const CASES: usize = 60;

/// A bot that takes 20 ms, and fails on the case of 5 columns.
const BOT: &str =
    "sh -c 'read w h; read k; echo k = $k >&2; sleep 0.02; test $k = 5 && exit 3; echo 0'";

/// Returns the command line of the run, followed by the options in `out`.
fn line<'a>(out: &[&'a str]) -> Vec<&'a str> {
    [&["run", "--in", "in", "--jobs", "2", "--bot", BOT], out].concat()
}

/// Returns a report without the values that depend on the clock.
fn timeless(mut report: Value) -> Value {
    for field in ["started", "elapsed_s", "summary"] {
        report[field].take();
    }
    for row in report["rows"].as_array_mut().unwrap() {
        for field in ["wall_s", "cpu_s", "peak_memory_mib"] {
            row[field].take();
        }
    }
    report
}

/// Starts the judge, and kills it once `is_time` returns true, or after 20 seconds.
fn kill(temp: &TempFolder, line: &[&str], is_time: impl Fn() -> bool) {
    let judge = assert_cmd::cargo::cargo_bin!("judge");
    let mut child = Command::new(judge)
        .args(line)
        .current_dir(temp.path(""))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let clock = Instant::now();
    while !is_time() && clock.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Returns the number of games in a `FILE.part`.
fn games(part: &Path) -> usize {
    let text = std::fs::read_to_string(part).unwrap_or_default();
    text.lines().count().saturating_sub(1)
}

#[test]
fn a_run_that_was_killed_ten_times_has_the_same_rows() {
    let whole = prepare();
    assert_eq!(whole.judge(&line(&["--json", "r.json"])).status, 1);
    let whole = timeless(whole.json("r.json"));
    for out in [&["--json", "r.json", "--err", "err"][..], &["--out", "out"]] {
        let temp = prepare();
        let file = if out[0] == "--out" {
            "out/report.json"
        } else {
            "r.json"
        };
        let part = temp.path(&format!("{file}.part"));
        let mut kept = 0;
        for number in 0..10 {
            // Every second invocation is killed after it has completed a game, the others soon after they start.
            kill(&temp, &line(out), || {
                let is_time = number % 2 == 0 || games(&part) > kept;
                std::thread::sleep(Duration::from_millis(if is_time {
                    number * 7919 % 30
                } else {
                    0
                }));
                is_time
            });
            let left = games(&part);
            assert!(left >= kept, "{left} of {kept} games are left");
            kept = left;
        }
        assert!((5..CASES).contains(&kept), "{kept} games were kept");
        let output = temp.judge(&line(out));
        assert_eq!(output.status, 1, "{output:?}");
        output.shows(&[&format!("{kept} of {CASES} games were played before\n")]);
        assert_eq!(timeless(temp.json(file)), whole);
        // After the end of the run, the same command changes nothing.
        let before = timeless(temp.json(file));
        let output = temp.judge(&line(out));
        output.shows(&[
            &format!("{CASES} of {CASES} games were played before\n"),
            "games    60: ",
        ]);
        assert_eq!(timeless(temp.json(file)), before);
        assert!(!temp.path(&format!("{file}.part")).exists());
    }
}

#[test]
fn an_interrupted_run_does_not_replace_a_complete_one() {
    let temp = prepare();
    assert_eq!(temp.judge(&line(&["--json", "r.json"])).status, 1);
    let before = temp.read("r.json");
    // A command with other limits or cases belongs to another run.
    for (more, part) in [
        (
            ["--time-limit", "3"],
            "time limit in s: expected 3, found games with 4",
        ),
        (
            ["--memory-limit", "99"],
            "memory limit in MiB: expected 99, found games with 1024",
        ),
        (["--seeds", "1..=2"], "found a game on another case 0003"),
    ] {
        let output = temp.judge(&[line(&["--json", "r.json"]), more.to_vec()].concat());
        output.refuses(&["r.json: ", part]);
        assert_eq!(temp.read("r.json"), before);
    }
    let other = ["run", "--in", "in", "--bot", "echo 0", "--json", "r.json"];
    temp.judge(&other)
        .refuses(&["r.json: expected the games of echo 0 ("]);
    temp.put("in/0007.txt", SAMPLE);
    let output = temp.judge(&line(&["--json", "r.json"]));
    output.refuses(&["r.json: ", "found a game on another case 0007"]);
    assert_eq!(temp.read("r.json"), before);
    assert_eq!(temp.names(""), ["in", "r.json"]);
}

#[test]
fn a_run_can_be_resumed_with_more_cases() {
    let temp = prepare();
    temp.judge(&[line(&["--json", "r.json"]), vec!["--seeds", "1..=3"]].concat());
    let output = temp.judge(&line(&["--json", "r.json"]));
    output.shows(&[&format!("3 of {CASES} games were played before\n")]);
    assert_eq!(temp.json("r.json")["summary"]["games"], CASES);
}

#[test]
fn a_file_that_is_not_a_record_is_refused() {
    let temp = prepare();
    // The second text has the form of early builds of version 0.2, without checksums.
    for text in [
        "print(1)\n",
        "{\"format\":1,\"judge\":\"0.2.0\"}\n{\"name\":\"0001\"}\n",
    ] {
        temp.put("r.json.part", text);
        temp.judge(&line(&["--json", "r.json"])).refuses(&[
            "r.json.part: line 1: expected the head of a run of the judge, found another",
            "; restore a copy of the file, or give another one",
        ]);
        assert_eq!(temp.read("r.json.part"), text);
    }
}

#[test]
fn a_damaged_game_of_a_killed_run_is_refused() {
    let temp = prepare();
    let part = temp.path("r.json.part");
    kill(&temp, &line(&["--json", "r.json"]), || games(&part) >= 3);
    let whole = temp.read("r.json.part");
    let mut lines: Vec<&str> = whole.split_inclusive('\n').collect();
    // With another score the line is still a valid game, but its checksum no longer matches.
    let forged = lines[2].replace(r#""score":0"#, r#""score":9"#);
    assert_ne!(forged, lines[2]);
    lines[2] = &forged;
    temp.put("r.json.part", lines.concat());
    temp.judge(&line(&["--json", "r.json"])).refuses(&[
        "r.json.part: line 3: expected the line of a run of the judge that follows line 2, found another or a changed one",
        "restore a copy of the file, or delete this line and all after it",
    ]);
    assert_eq!(temp.read("r.json.part"), lines.concat());
    // After following the advice in the message, the run resumes with the games above the damaged line.
    temp.put("r.json.part", lines[..2].concat());
    let output = temp.judge(&line(&["--json", "r.json"]));
    output.shows(&[&format!("1 of {CASES} games were played before\n")]);
    assert_eq!(temp.json("r.json")["summary"]["games"], CASES);
}
