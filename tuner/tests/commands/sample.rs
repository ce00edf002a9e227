//! `tuner sample`: the same bytes whatever happens on the way.

use crate::{good, put, refused, run, stderr, tuner};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

const SMALL: &str = "sample --columns 40 --beam-width 30 --ahead 3 --every 2";

/// Takes groups with some options.
fn sample(out: &Path, options: &str) -> Output {
    run(&format!("{SMALL} {options} --out {}", out.display()))
}

/// The same, and gives the file.
fn sampled(out: &Path, options: &str) -> Vec<u8> {
    good(&sample(out, options));
    fs::read(out).unwrap()
}

#[test]
fn a_data_set_is_the_same_for_any_jobs_and_after_any_stop() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let whole = sampled(&path("a"), "--seeds 1..=6 --jobs 1");
    assert!(whole.len() > 100_000, "{}", whole.len());
    assert!(sampled(&path("b"), "--seeds 1..=6 --jobs 3") == whole);
    // Stopped in the middle of a game.
    let part = sampled(&path("c"), "--seeds 1..=3");
    fs::write(path("c"), &part[..part.len() - 1000]).unwrap();
    let done = sample(&path("c"), "--seeds 1..=6");
    good(&done);
    assert!(fs::read(path("c")).unwrap() == whole);
    // In a pipe it says how far it has come.
    let told = stderr(&done);
    let games: Vec<&str> = told
        .lines()
        .map(|line| line.split(',').next().unwrap())
        .collect();
    let last = format!("{}: 4 games", path("c").display());
    assert_eq!(
        games,
        ["1 of 4 games", "2 of 4 games", "3 of 4 games", &last]
    );
    // Stopped in the header.
    fs::write(path("c"), &whole[..70]).unwrap();
    assert!(sampled(&path("c"), "--seeds 1..=6") == whole);
}

#[test]
fn the_option_that_differs_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let whole = sampled(&path, "--seeds 1..=2");
    let weights = folder.path().join("w.json");
    let start = columns_bot::eval::weights::Weights::default();
    let mut other = start.clone();
    other.set("steps", start.steps + 3.0).unwrap();
    put(&weights, &columns_bot::weights_file::format(&other));
    let weights = format!("--weights {}", weights.display());
    for (options, expected) in [
        (
            "--cut 5",
            "--cut: expected 6 as the file was made with, found 5;",
        ),
        (
            "--colours 4",
            "--colours: expected none as the file was made with, found 4;",
        ),
        ("--network none", "--network: expected "),
        (&weights, "--weights: expected "),
    ] {
        let told = refused(&sample(&path, &format!("--seeds 1..=3 {options}")));
        let start = format!("tuner: {}: {expected}", path.display());
        assert!(told.starts_with(&start), "{told}");
        assert!(!told.contains(['{', '(', '"']), "no debug text: {told}");
        assert!(fs::read(&path).unwrap() == whole);
    }
    let narrow = format!(
        "sample --columns 40 --ahead 3 --every 2 --out {}",
        path.display()
    );
    let told = refused(&run(&narrow));
    let expected = "--beam-width: expected 30 as the file was made with, found 400;";
    assert!(told.contains(expected), "{told}");
    let header = whole.split(|&byte| byte == b'\n').next().unwrap();
    let header: serde_json::Value = serde_json::from_slice(header).unwrap();
    let made_with = &header["made_with"];
    assert_eq!(made_with["--survivors"], "13");
    assert_eq!(made_with["behaviour"].as_str().unwrap().len(), 16);
}

#[test]
fn seeds_go_up_and_those_that_are_there_are_not_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let shown = path.display();
    let whole = sampled(&path, "--seeds 5..=8");
    for seeds in ["5..=8", "6..8"] {
        let done = sample(&path, &format!("--seeds {seeds}"));
        good(&done);
        assert!(stderr(&done).contains("are all there"), "{}", stderr(&done));
        assert!(fs::read(&path).unwrap() == whole);
    }
    for seeds in ["1..=10", "4"] {
        let told = refused(&sample(&path, &format!("--seeds {seeds}")));
        let start =
            format!("tuner: {shown}: expected seeds above 8, the last one in the file, found ");
        assert!(told.starts_with(&start), "{told}");
        assert!(fs::read(&path).unwrap() == whole);
    }
    // More, with a gap that cannot be filled any more.
    let more = sampled(&path, "--seeds 7..=9");
    assert!(more.starts_with(&whole) && more.len() > whole.len());
    sampled(&path, "--seeds 12");
    let told = refused(&sample(&path, "--seeds 9..=12"));
    assert!(told.contains("with 10, which is not there"), "{told}");
    let told = refused(&sample(&path, "--seeds 0..=99999999999"));
    assert!(told.contains("expected at most 10000000 seeds"), "{told}");
}

#[test]
fn damage_is_told_and_nothing_behind_it_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let whole = sampled(&path, "--seeds 1..=6");
    let header = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    // In the first line and in the second: its checksum, its seed, its groups.
    for (at, line) in [
        (3, 1),
        (30, 1),
        (header, 2),
        (header + 9, 2),
        (header + 5000, 2),
    ] {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        fs::write(&path, &bytes).unwrap();
        let told = refused(&sample(&path, "--seeds 1..=7"));
        let start = format!("tuner: {}: line {line}: expected ", path.display());
        assert!(told.starts_with(&start), "{told}");
        assert!(fs::read(&path).unwrap() == bytes, "left as it was");
    }
    // At the end, where a game is played again if there is something to play.
    let mut bytes = whole.clone();
    bytes[whole.len() - 9] ^= 0x10;
    fs::write(&path, &bytes).unwrap();
    let done = sample(&path, "--seeds 1..=3");
    good(&done);
    assert!(fs::read(&path).unwrap() == bytes, "left as it was");
    assert!(sampled(&path, "--seeds 1..=6") == whole);
}

/// Starts to take groups from more games than there is time for.
fn begun(out: &Path) -> Child {
    let line = format!(
        "{SMALL} --seeds 1..=100000 --jobs 2 --out {}",
        out.display()
    );
    let mut command = tuner(line.split_whitespace());
    command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until a file is that long.
fn wait_for(out: &Path, length: usize) {
    while fs::metadata(out).map_or(0, |data| data.len()) < length as u64 {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_and_kill_lose_nothing_and_a_second_process_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, path] = ["whole", "a"].map(|name| folder.path().join(name));
    let whole = sampled(&whole, "--seeds 1..=20");
    let mut child = begun(&path);
    wait_for(&path, whole.len() / 4);
    child.kill().unwrap();
    child.wait().unwrap();
    let child = begun(&path);
    wait_for(&path, whole.len() / 2);
    let told = refused(&sample(&path, "--seeds 1..=20"));
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
        last.ends_with(" games; to go on: the same command again"),
        "{told}"
    );
    let found = fs::read(&path).unwrap();
    if found.len() < whole.len() {
        assert!(sampled(&path, "--seeds 1..=20") == whole);
    } else {
        assert!(found.starts_with(&whole));
    }
}
