//! `tuner sample`: writes the same bytes after every interruption.

use crate::{
    TempFolder, assert_all_refused, assert_contains, interrupt, kill, refusal, run, start, stderr,
    success, tuner, wait_for, write,
};
use std::fs;
use std::process::{Child, Output};
use std::thread::sleep;
use std::time::Duration;

const SMALL_SAMPLE: &str = "sample --columns 40 --beam-width 30 --ahead 3 --every 2";
const ROLLOUTS: &str = "sample --columns 40 --beam-width 30 --rollouts 8,5 --every 3";

/// Runs [`SMALL_SAMPLE`] with further options, and writes to `out`.
fn sample(out: &str, options: &str) -> Output {
    run(&format!("{SMALL_SAMPLE} {options} --out {out}"))
}

/// Runs [`sample`], asserts that it succeeds, and returns the bytes of the file.
fn sample_bytes(out: &str, options: &str) -> Vec<u8> {
    success(&sample(out, options));
    fs::read(out).unwrap()
}

/// Asserts that `command` writes the same data set with any `--jobs` and after any stop.
fn check_data_set(command: &str) {
    let temp = TempFolder::new();
    let sample = |name: &str, options: &str| {
        let output = run(&format!("{command} {options} --out {}", temp.at(name)));
        success(&output);
        (temp.read(name), stderr(&output))
    };
    let (whole, _) = sample("a", "--seeds 1..=6 --jobs 1");
    let head = String::from_utf8_lossy(&whole[..200]);
    assert_contains(&head, r#""ledger":"data","format":5,"feature_count":"#);
    assert!(sample("b", "--seeds 1..=6 --jobs 3").0 == whole);
    // Resume in the middle of a game. In a pipe, the command prints lines of progress.
    let (part, _) = sample("c", "--seeds 1..=3");
    fs::write(temp.at("c"), &part[..part.len() - 1000]).unwrap();
    let (after, log) = sample("c", "--seeds 1..=6");
    assert!(after == whole);
    let games = log.lines().map(|line| line.split(',').next().unwrap());
    let path = temp.at("c");
    let torn = format!("{path}: line 4: incomplete");
    let known = format!("{path}: has 2 of the 6 games of --seeds 1..=6");
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
    // Resume in the middle of the head.
    fs::write(temp.at("c"), &whole[..70]).unwrap();
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
    let path = temp.at("a");
    let whole = sample_bytes(&path, "--seeds 1..=2");
    write(temp.at("w.json").as_ref(), "{\"steps\": 6}");
    let weights = format!("--weights {} ", temp.at("w.json"));
    let begun = "as when it was begun, found";
    let of =
        |name: &str, before: &str, now: &str| format!("{name}: expected {before} {begun} {now};");
    for (before, now, expected) in [
        ("--every 2", "--every 5", of("every", "2", "5")),
        ("--ahead 3", "--ahead 4", of("ahead", "3", "4")),
        ("h 30", "h 40", of("beam_width", "30", "40")),
        ("", "--colours 4 ", of("cases.colours", "null", "4")),
        ("", "--network none ", "network: expected ".into()),
        ("", &weights, "weights: expected ".into()),
    ] {
        let options = format!(
            " --out {path} --seeds 1..=3 {}",
            &SMALL_SAMPLE["sample ".len()..]
        );
        let line = "sample ".to_string() + &options.replacen(before, now, 1);
        assert_all_refused(
            &path,
            &format!("{line} | {path}: sampling_options.{expected}"),
        );
        assert!(fs::read(&path).unwrap() == whole);
    }
}

#[test]
fn seeds_ascend_and_known_seeds_are_not_played_again() {
    let temp = TempFolder::new();
    let path = temp.at("a");
    let whole = sample_bytes(&path, "--seeds 5..=8");
    for seeds in ["5..=8", "6..8"] {
        let output = sample(&path, &format!("--seeds {seeds}"));
        success(&output);
        let expected = if seeds == "5..=8" {
            "4 of the 4"
        } else {
            "2 of the 2"
        };
        let expected = format!("{path}: has {expected} games of --seeds ");
        assert_contains(stderr(&output), &expected);
        assert!(fs::read(&path).unwrap() == whole);
    }
    // Add seeds, then leave a gap, which no later command can fill.
    let more = sample_bytes(&path, "--seeds 7..=9");
    assert!(more.starts_with(&whole) && more.len() > whole.len());
    let whole = sample_bytes(&path, "--seeds 12");
    let table = "
@ --seeds 1..=10 | expected seeds above 12, the last one in the file, found --seeds 1..=10 with 1,
@ --seeds 4 | with 4, which the file lacks
@ --seeds 9..=12 | with 10, which the file lacks
@ --seeds 0..=99999999999 | expected at most 10000000 seeds
";
    assert_all_refused(&format!("{SMALL_SAMPLE} --out {path}"), table);
    assert!(fs::read(&path).unwrap() == whole);
}

#[test]
fn damage_is_named_and_the_file_stays_unchanged() {
    let temp = TempFolder::new();
    let path = temp.at("a");
    let whole = sample_bytes(&path, "--seeds 1..=6");
    let head = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    // Damage two bytes of the head, then the first byte, the checksum and the groups of the second
    // line.
    for (at, line) in [(3, 1), (30, 1), (head, 2), (head + 9, 2), (head + 5000, 2)] {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        fs::write(&path, &bytes).unwrap();
        let message = refusal(&sample(&path, "--seeds 1..=7"));
        let start = format!("tuner: {path}: line {line}: expected ");
        assert!(message.starts_with(&start), "{message}");
        assert!(fs::read(&path).unwrap() == bytes, "the file is unchanged");
    }
    // Damage the last line, which is the game of seed 6. The command plays this game again if its `--seeds`
    // include 6.
    let mut bytes = whole.clone();
    bytes[whole.len() - 9] ^= 0x10;
    fs::write(&path, &bytes).unwrap();
    assert!(
        sample_bytes(&path, "--seeds 1..=3") == bytes,
        "the file is unchanged"
    );
    assert!(sample_bytes(&path, "--seeds 1..=6") == whole);
}

/// Starts sampling 40 games.
fn begin(out: &str) -> Child {
    let line = format!("{SMALL_SAMPLE} --seeds 1..=40 --jobs 2 --out {out}");
    start(tuner(line.split_whitespace()))
}

#[test]
#[ignore = "kills ten runs; .ci/run plays it"]
fn kills_at_ten_moments_lose_nothing() {
    let temp = TempFolder::new();
    let (path, whole) = (
        temp.at("a"),
        sample_bytes(&temp.at("whole"), "--seeds 1..=40"),
    );
    for moment in 0..10 {
        let child = begin(&path);
        wait_for(&path, whole.len() * moment / 11);
        sleep(Duration::from_millis(7 * moment as u64));
        kill(child);
    }
    assert!(fs::metadata(&path).unwrap().len() > whole.len() as u64 / 2);
    assert!(sample_bytes(&path, "--seeds 1..=40") == whole);
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_the_games_in_progress_and_a_second_process_is_refused() {
    let temp = TempFolder::new();
    let path = temp.at("a");
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
    let whole = sample_bytes(&temp.at("whole"), "--seeds 1..=40");
    assert!(sample_bytes(&path, "--seeds 1..=40") == whole);
}
