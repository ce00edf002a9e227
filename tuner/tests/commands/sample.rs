//! `tuner sample`: its data set has the same groups, however often and wherever a run is interrupted.
//! Other tests check the errors.

use crate::{
    TempFolder, assert_all_refused, assert_contains, interrupt, refusal, run, start, stderr,
    success, tuner, wait_for, write,
};
use std::fs;
use std::process::{Child, Output};

const SMALL_SAMPLE: &str = "sample --columns 30 --beam-width 20 --ahead 3 --every 2";
const ROLLOUTS: &str = "sample --columns 15 --beam-width 20 --rollouts 8,5 --every 3";

/// Runs [`SMALL_SAMPLE`] with further options, and writes to `out`.
fn sample(out: &str, options: &str) -> Output {
    run(&format!("{SMALL_SAMPLE} {options} --out {out}"))
}

/// Runs [`sample`], asserts that it succeeds, and returns the bytes of the file.
fn sample_bytes(out: &str, options: &str) -> Vec<u8> {
    success(&sample(out, options));
    fs::read(out).unwrap()
}

/// Returns the games in the bytes of a data set, without their checksums.
fn games_of(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let lines = text
        .lines()
        .filter_map(|line| line.split_once(",\"game\":"));
    lines.map(|(_, groups)| groups.into()).collect()
}

/// Asserts that `command` writes the same data set with any `--jobs` and after any stop.
fn check_data_set(command: &str) {
    let temp = TempFolder::new();
    let sample = |name: &str, options: &str| {
        let output = run(&format!("{command} {options} --out {}", temp.path(name)));
        success(&output);
        (temp.read(name), stderr(&output))
    };
    let (whole, _) = sample("a", "--seeds 1..=6 --jobs 1");
    let header = String::from_utf8_lossy(&whole[..200]);
    assert_contains(&header, r#""ledger":"data","format":5,"feature_count":"#);
    assert!(sample("b", "--seeds 1..=6 --jobs 3").0 == whole);
    // Resume in the middle of a game. Since standard error is a pipe, the command prints progress lines.
    let (part, _) = sample("c", "--seeds 1..=3");
    fs::write(temp.path("c"), &part[..part.len() - 1000]).unwrap();
    let (after, log) = sample("c", "--seeds 1..=6");
    assert!(games_of(&after) == games_of(&whole));
    let games = log.lines().map(|line| line.split(',').next().unwrap());
    let path = temp.path("c");
    let torn = format!("{path}: line 4: incomplete");
    let known = format!("{path}: has 2 games of --seeds 1..=6");
    let last = format!("{path}: 4 games");
    let expected = [
        &torn,
        &known,
        "1 of 4 games",
        "2 of 4 games",
        "3 of 4 games",
        &last,
    ];
    assert!(games.eq(expected), "{log}");
    // Resume with the options from the file, but with more seeds.
    let output = run(&format!("sample --resume {path} --seeds 1..=7"));
    success(&output);
    assert_contains(stderr(&output), format!("{path}: 1 game, "));
    assert!(games_of(&temp.read("c")) == games_of(&sample("d", "--seeds 1..=7").0));
    // A file that ends in the middle of its header is written from scratch.
    fs::write(temp.path("c"), &whole[..70]).unwrap();
    assert!(sample("c", "--seeds 1..=6").0 == whole);
}

#[test]
fn a_data_set_is_the_same_for_any_jobs_and_after_any_stop() {
    check_data_set(SMALL_SAMPLE);
    check_data_set(ROLLOUTS);
}

#[test]
fn a_different_option_is_named() {
    let temp = TempFolder::new();
    let path = temp.path("a");
    let whole = sample_bytes(&path, "--seeds 1..=2");
    write(temp.path("w.json").as_ref(), "{\"steps\": 6}");
    let weights = format!("--weights {} ", temp.path("w.json"));
    let begun = "as when it was begun, found";
    let of =
        |name: &str, before: &str, now: &str| format!("{name}: expected {before} {begun} {now};");
    let interval = of("settings.layer_interval", "2", "5");
    let ahead = of(
        "settings.group_kind.best_ancestor.min_layers_ahead",
        "3",
        "4",
    );
    for (before, now, expected) in [
        ("--every 2", "--every 5", interval),
        ("--ahead 3", "--ahead 4", ahead),
        ("h 20", "h 40", of("settings.beam_width", "20", "40")),
        ("", "--colours 4 ", of("case_spec.colours", "null", "4")),
        ("", "--network none ", "player.network: expected ".into()),
        ("", &weights, of("player.weights.steps", "3.5", "6.0")),
    ] {
        let options = format!(
            " --out {path} --seeds 1..=3 {}",
            &SMALL_SAMPLE["sample ".len()..]
        );
        let line = "sample ".to_string() + &options.replacen(before, now, 1);
        assert_all_refused(&path, &format!("{line} | {path}: {expected}"));
        assert!(fs::read(&path).unwrap() == whole);
    }
}

#[test]
fn only_the_end_of_the_seeds_may_grow_and_known_seeds_are_not_played_again() {
    let temp = TempFolder::new();
    let path = temp.path("a");
    let whole = sample_bytes(&path, "--seeds 5..=8");
    for command in [
        format!("{SMALL_SAMPLE} --out {path}"),
        format!("{SMALL_SAMPLE} --seeds 5..=8 --out {path}"),
        format!("sample --resume {path}"),
    ] {
        let output = run(&command);
        success(&output);
        assert_contains(
            stderr(&output),
            format!("{path}: has 4 games of --seeds 5..=8"),
        );
        assert!(fs::read(&path).unwrap() == whole);
    }
    let table = "
@ --seeds 1..=10 | first_seed: expected 5 as when it was begun, found 1;
@ --seeds 5..=7 | --seeds up to: the run already has 8; give 8 or more
@ --seeds 0..=99999999999 | expected at most 10000000 seeds
";
    assert_all_refused(&format!("{SMALL_SAMPLE} --out {path}"), table);
    let table = "
@ --seeds 1..=10 | --seeds: expected a range that begins at 5, as when the run began
@ --every 3 | cannot be used with
@ --out b | cannot be used with
";
    assert_all_refused(&format!("sample --resume {path}"), table);
    assert!(fs::read(&path).unwrap() == whole);
    let more = sample_bytes(&path, "--seeds 5..=9");
    assert!(more.starts_with(&whole) && more.len() > whole.len());
}

/// Starts sampling 40 games.
fn begin(out: &str) -> Child {
    let line = format!("{SMALL_SAMPLE} --seeds 1..=40 --jobs 2 --out {out}");
    start(tuner(line.split_whitespace()))
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_the_games_in_progress_and_a_second_process_is_refused() {
    let temp = TempFolder::new();
    let path = temp.path("a");
    let child = begin(&path);
    wait_for(&path, 2000);
    let message = refusal(&sample(&path, "--seeds 1..=40"));
    assert_contains(&message, "another process is working on this data");
    let (_, last) = interrupt(child);
    assert_contains(&last, "tuner: interrupted after ");
    assert_contains(
        &last,
        " of 40 games; to continue, give the same command again",
    );
    let whole = sample_bytes(&temp.path("whole"), "--seeds 1..=40");
    assert!(sample_bytes(&path, "--seeds 1..=40") == whole);
}
