//! `tuner report`, run as a user runs it.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn tuner(arguments: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("tuner").unwrap();
    command.args(arguments).assert()
}

/// A small run that has ended.
fn run() -> (TempDir, PathBuf) {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("a<b");
    let shown = folder.to_str().unwrap();
    let line = format!(
        "fit --generations 6 --population 4 --games 2 --work 900 --columns 40 --held-out 1..=9 --out {shown}"
    );
    tuner(&line.split(' ').collect::<Vec<_>>()).success();
    (parent, folder)
}

fn page(folder: &Path) -> String {
    tuner(&["report", folder.to_str().unwrap()]).success();
    fs::read_to_string(folder.join("report.html")).unwrap()
}

fn told(folder: &Path) -> String {
    let failed = tuner(&["report", folder.to_str().unwrap()]).code(2);
    let text = String::from_utf8(failed.get_output().stderr.clone()).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

#[test]
fn a_page_has_plots_and_the_numbers_behind_them() {
    let (_parent, folder) = run();
    let page = page(&folder);
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("<h1>Fit “a&lt;b”</h1>"));
    for without in ["http:", "https:", "src=", "NaN", "inf", "url("] {
        assert!(!page.contains(without), "{without}");
    }
    let read =
        |name| -> Value { serde_json::from_slice(&fs::read(folder.join(name)).unwrap()).unwrap() };
    // Plots: score, step size, rates, groups, the share of the time, games a second, and one a parameter.
    let parameters = read("config.json")["parameters"].as_array().unwrap().len();
    assert_eq!(page.matches("<svg").count(), 6 + parameters);
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
    // The score's dashed line, and one for each parameter's start.
    assert_eq!(
        page.matches("class=\"level start\"").count(),
        1 + parameters
    );
    let result = read("result.json");
    for parameter in result["parameters"].as_array().unwrap() {
        let name = parameter["name"].as_str().unwrap();
        let start = parameter["start"].as_f64().unwrap();
        assert!(
            page.contains(&format!("<b>{name}</b> {start} → ")),
            "{name}"
        );
    }
    // The numbers are those of the run: its generations, its validation.
    let journal = fs::read_to_string(folder.join("journal.jsonl")).unwrap();
    let generations: Vec<Value> = journal
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["generation"].clone())
        .filter(Value::is_object)
        .collect();
    assert_eq!(generations.len(), 6);
    for generation in generations {
        let gain = 100.0 * generation["gain"].as_f64().unwrap().exp_m1();
        let gain = format!("<td>{gain:+.2}").replace('-', "−");
        assert!(page.contains(&gain), "{gain}");
        let seeds = generation["seeds"].as_str().unwrap();
        assert!(page.contains(&format!("<td>{seeds}<td>")), "{seeds}");
    }
    let all = &result["validation"]["all"];
    let row = format!(
        "<tr><td>all<td>9<td>{:.0}<td>{:.0}<td>",
        all["mean_a"].as_f64().unwrap(),
        all["mean_b"].as_f64().unwrap()
    );
    assert!(page.contains(&row), "{row}");
}

#[test]
fn a_run_that_has_not_ended_is_shown_as_far_as_it_is() {
    let (_parent, folder) = run();
    fs::remove_file(folder.join("result.json")).unwrap();
    let path = folder.join("journal.jsonl");
    let journal = fs::read_to_string(&path).unwrap();
    let third = journal.find("\"generation\":{\"generation\":4").unwrap();
    // In the middle of a line, as a process at work may leave it for a moment.
    fs::write(&path, &journal[..third + 30]).unwrap();
    let page = page(&folder);
    assert!(page.contains("The run has not ended: 3 of 6 generations are done"));
    assert!(!page.contains("Held-out seeds</h2>"));
    // Reading repairs nothing: that is the business of whoever works on the run.
    assert_eq!(fs::read_to_string(&path).unwrap().len(), third + 30);
    // Elsewhere, on demand.
    let out = folder.with_file_name("page.html");
    tuner(&[
        "report",
        folder.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ])
    .success();
    assert_eq!(fs::read_to_string(out).unwrap(), page);
}

#[test]
fn what_is_no_run_is_told_in_one_line() {
    let (parent, folder) = run();
    assert!(told(parent.path()).contains("config.json: cannot be read"));
    assert!(told(&parent.path().join("none")).contains("expected the folder of a run"));
    let journal = folder.join("journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replacen("\"seed\"", "\"sead\"", 1)).unwrap();
    assert!(told(&folder).contains("journal.jsonl: line 2: expected a record of the run"));
    fs::write(&journal, text.lines().next().unwrap().to_string() + "\n").unwrap();
    assert!(told(&folder).contains("no generation is done yet"));
    fs::write(folder.join("result.json"), "{").unwrap();
    fs::write(&journal, &text).unwrap();
    assert!(told(&folder).contains("result.json: line 1: expected the result of a fit"));
    fs::write(folder.join("config.json"), b"\xff").unwrap();
    assert!(told(&folder).contains("config.json: line 1: expected text"));
}
