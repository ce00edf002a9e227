//! `tuner sample`: the same bytes whatever happens on the way.

use crate::{good, put, refused, run, stderr, tuner, Desk};
use std::fs;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

const SMALL: &str = "sample --columns 40 --beam-width 30 --ahead 3 --every 2";
const ROLLOUTS: &str = "sample --columns 40 --beam-width 30 --rollouts 8,5 --every 3";
const SAMEGAME: &str = "sample --game samegame --beam-width 10";

/// Takes groups with some options.
fn sample(out: &str, options: &str) -> Output {
    run(&format!("{SMALL} {options} --out {out}"))
}

/// The same, and gives the file.
fn sampled(out: &str, options: &str) -> Vec<u8> {
    good(&sample(out, options));
    fs::read(out).unwrap()
}

#[test]
fn a_data_set_is_the_same_for_any_jobs_and_after_any_stop() {
    for (command, game) in [
        (SMALL, "columns"),
        (ROLLOUTS, "columns"),
        (SAMEGAME, "samegame"),
    ] {
        let desk = Desk::new();
        let sample = |name: &str, options: &str| {
            let done = run(&format!("{command} {options} --out {}", desk.at(name)));
            good(&done);
            (desk.read(name), stderr(&done))
        };
        let (whole, _) = sample("a", "--seeds 1..=6 --jobs 1");
        let head = String::from_utf8_lossy(&whole[..200]);
        let expected = format!(r#""ledger":"data","format":4,"game":"{game}","features":"#);
        assert!(head.contains(&expected), "{head}");
        assert!(sample("b", "--seeds 1..=6 --jobs 3").0 == whole);
        // Stopped in the middle of a game; in a pipe it says how far it has come.
        let (part, _) = sample("c", "--seeds 1..=3");
        fs::write(desk.at("c"), &part[..part.len() - 1000]).unwrap();
        let (after, told) = sample("c", "--seeds 1..=6");
        assert!(after == whole);
        let games = told.lines().map(|line| line.split(',').next().unwrap());
        let last = format!("{}: 4 games", desk.at("c"));
        let expected = ["1 of 4 games", "2 of 4 games", "3 of 4 games", &last];
        assert!(games.eq(expected), "{told}");
        // Stopped in the head.
        fs::write(desk.at("c"), &whole[..70]).unwrap();
        assert!(sample("c", "--seeds 1..=6").0 == whole);
    }
}

#[test]
fn the_option_that_differs_is_named() {
    let desk = Desk::new();
    let path = desk.at("a");
    let whole = sampled(&path, "--seeds 1..=2");
    let start = columns_bot::eval::weights::Weights::default();
    let mut other = start.clone();
    other.set("steps", start.steps + 3.0).unwrap();
    put(
        desk.at("w.json").as_ref(),
        &columns_bot::weights_file::format(&other),
    );
    let weights = format!("--weights {} ", desk.at("w.json"));
    for (before, now, expected) in [
        (
            "--every 2",
            "--every 5",
            "every: expected 2 as it was begun with, found 5;",
        ),
        (
            "--ahead 3",
            "--ahead 4",
            "ahead: expected 3 as it was begun with, found 4;",
        ),
        (
            "width 30",
            "width 40",
            "beam-width: expected 30 as it was begun with, found 40;",
        ),
        (
            "",
            "--colours 4 ",
            "colours: expected null as it was begun with, found 4;",
        ),
        ("", "--network none ", "behaviour: expected "),
        ("", &weights, "behaviour: expected "),
    ] {
        let line = format!(" --out {path} --seeds 1..=3 ") + SMALL.trim_start_matches("sample");
        let told = refused(&run(&format!("sample {}", line.replacen(before, now, 1))));
        let start = format!("tuner: {path}: {expected}");
        assert!(told.starts_with(&start), "{told}");
        assert!(fs::read(&path).unwrap() == whole);
    }
    let nowhere = "sample --seeds 1..=2 --out /nowhere/x".to_string();
    let same = |options: &str| format!("{SAMEGAME} {options} --out {path}");
    for (line, expected) in [
        (nowhere, "cannot be written"),
        (same("--columns 40"), "are for --game columns"),
        (same("--profile few"), "are for --game columns"),
        (same("--weights w.json"), "are for --game columns"),
        (same("--rollouts 12,30"), "are for --game columns"),
        (
            format!("{SMALL} --rollouts 12,30 --out {path}"),
            "cannot be used with",
        ),
        (
            format!("sample --rollouts 12 --out {path}"),
            "expected two numbers from 1 to 1000",
        ),
        (
            format!("sample --rollouts 12,0 --out {path}"),
            "expected two numbers from 1 to 1000",
        ),
    ] {
        let told = refused(&run(&line));
        assert!(told.contains(expected), "{told}");
    }
}

#[test]
fn seeds_go_up_and_those_that_are_there_are_not_played_again() {
    let desk = Desk::new();
    let path = desk.at("a");
    let whole = sampled(&path, "--seeds 5..=8");
    for seeds in ["5..=8", "6..8"] {
        let done = sample(&path, &format!("--seeds {seeds}"));
        good(&done);
        assert!(stderr(&done).contains("are all there"), "{}", stderr(&done));
        assert!(fs::read(&path).unwrap() == whole);
    }
    // More, with a gap that cannot be filled any more.
    let more = sampled(&path, "--seeds 7..=9");
    assert!(more.starts_with(&whole) && more.len() > whole.len());
    let whole = sampled(&path, "--seeds 12");
    for (seeds, expected) in [
        (
            "1..=10",
            "expected seeds above 12, the last one in the file, found --seeds 1..=10 with 1,",
        ),
        ("4", "with 4, which is not there"),
        ("9..=12", "with 10, which is not there"),
        ("0..=99999999999", "expected at most 10000000 seeds"),
    ] {
        let told = refused(&sample(&path, &format!("--seeds {seeds}")));
        assert!(told.contains(expected), "{told}");
        assert!(fs::read(&path).unwrap() == whole);
    }
}

#[test]
fn damage_is_told_and_nothing_behind_it_is_lost() {
    let desk = Desk::new();
    let path = desk.at("a");
    let whole = sampled(&path, "--seeds 1..=6");
    let head = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    // In the first line and in the second: its checksum, its seed, its groups.
    for (at, line) in [(3, 1), (30, 1), (head, 2), (head + 9, 2), (head + 5000, 2)] {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        fs::write(&path, &bytes).unwrap();
        let told = refused(&sample(&path, "--seeds 1..=7"));
        let start = format!("tuner: {path}: line {line}: expected ");
        assert!(told.starts_with(&start), "{told}");
        assert!(fs::read(&path).unwrap() == bytes, "left as it was");
    }
    // At the end, where a game is played again if there is something to play.
    let mut bytes = whole.clone();
    bytes[whole.len() - 9] ^= 0x10;
    fs::write(&path, &bytes).unwrap();
    assert!(sampled(&path, "--seeds 1..=3") == bytes, "left as it was");
    assert!(sampled(&path, "--seeds 1..=6") == whole);
}

/// Starts to take groups from 40 games.
fn begun(out: &str) -> Child {
    let line = format!("{SMALL} --seeds 1..=40 --jobs 2 --out {out}");
    let mut command = tuner(line.split_whitespace());
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Waits until a file is that long.
fn wait_for(out: &str, length: usize) {
    while fs::metadata(out).map_or(0, |data| data.len()) < length as u64 {
        sleep(Duration::from_millis(2));
    }
}

#[test]
fn kills_at_ten_moments_lose_nothing() {
    let desk = Desk::new();
    let (path, whole) = (desk.at("a"), sampled(&desk.at("whole"), "--seeds 1..=40"));
    for moment in 0..10 {
        let mut child = begun(&path);
        wait_for(&path, whole.len() * moment / 11);
        sleep(Duration::from_millis(7 * moment as u64));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(fs::metadata(&path).unwrap().len() > whole.len() as u64 / 2);
    assert!(sampled(&path, "--seeds 1..=40") == whole);
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_the_games_in_hand_and_a_second_process_is_refused() {
    let desk = Desk::new();
    let path = desk.at("a");
    let child = begun(&path);
    wait_for(&path, 2000);
    let told = refused(&sample(&path, "--seeds 1..=40"));
    assert!(
        told.contains("another process is working on a data set"),
        "{told}"
    );
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let told = stderr(&output);
    let last = told.lines().last().unwrap();
    assert!(last.starts_with("tuner: interrupted after "), "{told}");
    assert!(
        last.ends_with(" of 40 games; to go on: the same command again"),
        "{told}"
    );
    let whole = sampled(&desk.at("whole"), "--seeds 1..=40");
    assert!(sampled(&path, "--seeds 1..=40") == whole);
}
