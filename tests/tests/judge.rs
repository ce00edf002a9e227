//! Tests of the generator, the bot and the judge together, as `judge run` and pahcer run them.

use crate::commands::{command, program_path};
use regex::Regex;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;

fn run(folder: &Path, name: &str, args: &[&str]) -> Output {
    let mut command = command(name);
    command.args(args).current_dir(folder).output().unwrap()
}

/// Runs `judge run`. Returns the run as `judge show --json` prints it.
fn report(folder: &Path, args: &[&str]) -> Value {
    let output = run(folder, "judge", &[&["run"], args].concat());
    assert!(output.status.success(), "{output:?}");
    let output = run(folder, "judge", &["show", "--json"]);
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
#[ignore = "plays a game of four seconds; .ci/run plays it"]
fn the_judge_runs_the_bot_in_its_own_folder_by_default() {
    let folder = tempfile::tempdir().unwrap();
    let report = report(folder.path(), &["--seeds", "1"]);
    assert_eq!(report["summary"]["ok"], 1, "{report}");
    assert!(
        report["head"]["bot_version"]
            .as_str()
            .unwrap()
            .contains(char::is_numeric)
    );
    // On the sample (seed 1), the bot scores more than twice as much as quickstart.
    assert!(report["summary"]["against_quickstart"].as_f64().unwrap() > 2.0);
}

#[test]
fn the_quickstart_of_the_bot_is_the_baseline_of_the_judge() {
    let folder = tempfile::tempdir().unwrap();
    let bot = format!("'{}' --quickstart", program_path("bot").display());
    for profile in ["default", "extreme", "uniform"] {
        let args = ["--seeds", "1..=10", "--profile", profile, "--bot", &bot];
        let report = report(folder.path(), &args);
        for row in report["rows"].as_array().unwrap() {
            assert_eq!(row["score"], row["quickstart_score"], "{row}");
        }
        let sum = report["summary"]["sum"].as_u64().unwrap();
        assert!(sum > 0, "{report}");
    }
}

#[test]
fn scores_of_files_agree_with_the_report_of_their_run() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(
        folder.path(),
        "generator",
        &["--seeds", "1..=10", "--out", "in", "--profile", "short"],
    );
    assert!(output.status.success(), "{output:?}");
    let bot = format!("'{}' --beam-width 8", program_path("bot").display());
    let report = report(folder.path(), &["--in", "in", "--bot", &bot]);
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 10);
    for row in rows {
        let name = row["name"].as_str().unwrap();
        let (case, plan) = (
            format!("in/{name}.txt"),
            format!("runs/0001/out/{name}.txt"),
        );
        let output = run(folder.path(), "judge", &["score", "--json", &case, &plan]);
        let outcome: Value = serde_json::from_slice(&output.stdout).unwrap();
        for key in ["score", "placed_columns", "longest_chain"] {
            assert_eq!(outcome[key], row[key], "{name}");
        }
        let output = run(folder.path(), "judge", &["score", &case, &plan]);
        let line = String::from_utf8(output.stdout).unwrap();
        assert_eq!(line, format!("Score = {}\n", row["score"]));
    }
}

/// Runs a step of pahcer's configuration for a seed, with the programs of this build. Returns its
/// standard output and standard error.
fn pahcer_step(folder: &Path, step: &toml::Value, seed: u64) -> Vec<String> {
    let text = |key: &str| step.get(key).and_then(toml::Value::as_str);
    let expand = |text: &str| {
        text.replace("{SEED}", &seed.to_string())
            .replace("{SEED04}", &format!("{seed:04}"))
    };
    let program = text("program").unwrap();
    let name = program
        .strip_prefix("./target/release/")
        .unwrap_or_else(|| panic!("{program} is not a program of this project"));
    let args = step["args"].as_array().unwrap();
    let args = args.iter().map(|arg| expand(arg.as_str().unwrap()));
    let mut command = command(name);
    command.args(args).current_dir(folder);
    if let Some(path) = text("stdin") {
        command.pipe_stdin(folder.join(expand(path))).unwrap();
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    if let Some(path) = text("stdout") {
        let path = folder.join(expand(path));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &output.stdout).unwrap();
    }
    [output.stdout, output.stderr]
        .map(|bytes| String::from_utf8(bytes).unwrap())
        .into()
}

#[test]
#[ignore = "plays a game of four seconds; .ci/run plays it"]
fn the_configuration_of_pahcer_finds_one_score_per_game() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../pahcer_config.toml");
    let text = fs::read_to_string(file).unwrap();
    let config: toml::Value = toml::from_str(&text).unwrap();
    let test = &config["test"];
    let folder = tempfile::tempdir().unwrap();

    // The first step builds the programs. This test skips it, because cargo has built them already. The
    // second step generates cases.
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
    let texts: Vec<String> = steps
        .iter()
        .flat_map(|step| pahcer_step(folder.path(), step, 1))
        .collect();
    let scores: Vec<u64> = texts
        .iter()
        .flat_map(|text| score.captures_iter(text))
        .map(|captures| captures["score"].parse().unwrap())
        .collect();
    assert_eq!(scores.len(), 1, "{texts:?}");
    assert!(scores[0] > 141, "{texts:?}");
}
