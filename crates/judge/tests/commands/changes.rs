//! `judge watch` compares a changed bot with the base run, plays on after Enter, and ends on Ctrl-C.

use crate::temp_folder::TempFolder;
use columns_test_support::with_default_signals;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

#[test]
fn a_change_is_compared_with_the_base() {
    let temp = TempFolder::new();
    temp.put(
        "columns.toml",
        "bot = \"./mine\"\nfiles = [\"mine\"]\nseeds = \"2..=61\"\njobs = 2\n",
    );
    temp.judge(&["watch"])
        .refuses(&["expected a complete run to compare with: judge run plays one"]);
    temp.put_script("mine", "echo 0");
    assert_eq!(temp.judge(&["run"]).status, 0);
    let mut watch = with_default_signals(assert_cmd::cargo::cargo_bin!("judge"))
        .args(["watch", "--max-time", "1s"])
        .current_dir(temp.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(watch.stdout.take().unwrap()).lines();
    let mut line = || lines.next().unwrap().unwrap();
    assert!(line().starts_with("watching 1 file; the base is run 1 with 60 games"));
    // Slow games of a player that is equally good: the time is over before the test decides, and Enter
    // continues the games.
    temp.put_script("mine", "sleep 0.3; echo 0");
    let undecided = line();
    assert!(
        undecided.starts_with("undecided: +0.00 % (with each game's change clipped"),
        "{undecided}"
    );
    assert!(undecided.ends_with("; Enter plays on"), "{undecided}");
    watch.stdin.as_mut().unwrap().write_all(b"\n").unwrap();
    assert!(line().ends_with("; Enter plays on"));
    // This change stops the old games. A few games of the new bot suffice to find that it crashes.
    temp.put_script("mine", "exit 1");
    let worse = line();
    assert!(worse.starts_with("worse: "), "{worse}");
    let id = watch.id().to_string();
    assert!(
        std::process::Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(watch.wait().unwrap().code(), Some(130));
    // Both runs are kept and marked. Neither counts as the last run or as a run to resume.
    let list = temp.judge(&["list"]).out;
    assert_eq!(list.matches("  (watch of 1)").count(), 2, "{list}");
    assert_eq!(temp.last_run()["rows"].as_array().unwrap().len(), 60);
    temp.judge(&["run", "--resume"])
        .refuses(&["expected an interrupted run, found none"]);
}
