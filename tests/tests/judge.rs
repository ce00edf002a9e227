//! Generator, bot and judge together, as `judge run` and pahcer run them.

mod commands;

use commands::{command, program};
use regex::Regex;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;

/// Runs a command in a folder.
fn run(folder: &Path, name: &str, args: &[&str]) -> Output {
    let mut command = command(name);
    command.args(args).current_dir(folder).output().unwrap()
}

fn report(folder: &Path, args: &[&str]) -> Value {
    // An earlier report would be continued.
    let _ = fs::remove_file(folder.join("r.json"));
    let done = run(
        folder,
        "judge",
        &[&["run", "--json", "r.json"], args].concat(),
    );
    assert!(done.status.success(), "{done:?}");
    serde_json::from_slice(&fs::read(folder.join("r.json")).unwrap()).unwrap()
}

#[test]
fn the_bot_beside_the_judge_plays_without_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let report = report(folder.path(), &["--seeds", "1"]);
    assert_eq!(report["summary"]["ok"], 1, "{report}");
    assert!(report["bot_version"]
        .as_str()
        .unwrap()
        .contains(char::is_numeric));
    // Better than the sample solution on the sample.
    assert!(report["summary"]["against_quickstart"].as_f64().unwrap() > 2.0);
}

#[test]
fn the_speed_of_the_machine_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let done = run(folder.path(), "judge", &["calibrate"]);
    assert!(done.status.success(), "{done:?}");
    let text = String::from_utf8(done.stdout).unwrap();
    assert!(text.starts_with("1000 ms of work took "), "{text}");
}

#[test]
fn the_bots_quickstart_is_the_judges_baseline() {
    let folder = tempfile::tempdir().unwrap();
    let bot = format!("'{}' --quickstart", program("bot").display());
    for profile in ["default", "extreme", "uniform"] {
        let args = ["--seeds", "1..=30", "--profile", profile, "--bot", &bot];
        let report = report(folder.path(), &args);
        for row in report["rows"].as_array().unwrap() {
            assert_eq!(row["score"], row["quickstart"], "{row}");
        }
        let scored = report["summary"]["sum"].as_u64().unwrap();
        assert!(scored > 0, "{report}");
    }
}

#[test]
fn generated_files_are_scored_as_they_were_played() {
    let folder = tempfile::tempdir().unwrap();
    let made = run(
        folder.path(),
        "generator",
        &["--seeds", "1..=10", "--out", "in", "--profile", "short"],
    );
    assert!(made.status.success(), "{made:?}");
    let bot = format!("'{}' --beam-width 8", program("bot").display());
    let report = report(
        folder.path(),
        &["--in", "in", "--out", "out", "--bot", &bot],
    );
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 10);
    for row in rows {
        let name = row["name"].as_str().unwrap();
        let (case, plan) = (format!("in/{name}.txt"), format!("out/{name}.txt"));
        let scored = run(folder.path(), "judge", &["score", "--json", &case, &plan]);
        let outcome: Value = serde_json::from_slice(&scored.stdout).unwrap();
        for key in ["score", "placed", "longest_chain"] {
            assert_eq!(outcome[key], row[key], "{name}");
        }
        let line = String::from_utf8(scored.stderr).unwrap();
        assert_eq!(line, format!("Score = {}\n", row["score"]));
    }
}

/// A step of pahcer's configuration, run for a seed as pahcer runs it; but the
/// programs are those of this build. Gives what it wrote.
fn pahcer_step(folder: &Path, step: &toml::Value, seed: u64) -> Vec<String> {
    let text = |key: &str| step.get(key).and_then(toml::Value::as_str);
    let filled = |text: &str| {
        let text = text.replace("{SEED}", &seed.to_string());
        text.replace("{SEED04}", &format!("{seed:04}"))
    };
    let name = text("program").unwrap();
    let name = name
        .strip_prefix("./target/release/")
        .unwrap_or_else(|| panic!("{name} is not of this project"));
    let args = step["args"].as_array().unwrap();
    let args = args.iter().map(|arg| filled(arg.as_str().unwrap()));
    let mut command = command(name);
    command.args(args).current_dir(folder);
    if let Some(path) = text("stdin") {
        command.pipe_stdin(folder.join(filled(path))).unwrap();
    }
    let done = command.output().unwrap();
    assert!(done.status.success(), "{done:?}");
    if let Some(path) = text("stdout") {
        let path = folder.join(filled(path));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &done.stdout).unwrap();
    }
    [done.stdout, done.stderr]
        .map(|bytes| String::from_utf8(bytes).unwrap())
        .into()
}

#[test]
fn pahcer_finds_the_score_by_its_configuration() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../pahcer_config.toml");
    let text = fs::read_to_string(file).unwrap();
    let config: toml::Value = toml::from_str(&text).unwrap();
    let test = &config["test"];
    let folder = tempfile::tempdir().unwrap();

    // First it builds, as cargo has done for this test, then it generates.
    let [build, generate] = test["compile_steps"].as_array().unwrap().as_slice() else {
        panic!("{test}");
    };
    assert_eq!(build["program"].as_str(), Some("cargo"));
    pahcer_step(folder.path(), generate, 0);
    let seed = |key: &str| test[key].as_integer().unwrap();
    let exists = |seed: i64| folder.path().join(format!("in/{seed:04}.txt")).exists();
    assert!(exists(seed("start_seed")) && exists(seed("end_seed") - 1));
    assert!(!exists(seed("end_seed")));

    let score = Regex::new(config["problem"]["score_regex"].as_str().unwrap()).unwrap();
    let steps = test["test_steps"].as_array().unwrap();
    let written: Vec<String> = steps
        .iter()
        .flat_map(|step| pahcer_step(folder.path(), step, 1))
        .collect();
    let scores: Vec<u64> = written
        .iter()
        .flat_map(|text| score.captures_iter(text))
        .map(|found| found["score"].parse().unwrap())
        .collect();
    assert_eq!(scores.len(), 1, "{written:?}");
    assert!(scores[0] > 141, "{written:?}");
}
