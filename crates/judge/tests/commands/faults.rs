//! Faults of the machine or the user: each has its own message, and never counts as the result of a game.

use crate::environments::shell;
use crate::temp_folder::TempFolder;
use serde_json::Value;
use std::process::Command;

/// Runs a script that plays three seeds. Asserts that all three games were played, and that none failed.
#[track_caller]
fn assert_plays(temp: &TempFolder, script: &str) {
    let output = shell(temp, script);
    assert_eq!((output.status, output.err.as_str()), (0, ""), "{output:?}");
    assert_eq!(temp.last_run()["summary"]["games"], 3, "{output:?}");
}

/// A script that closes all descriptors from 3 on, which the shell may have inherited from the test.
const CLOSE_INHERITED: &str =
    "for fd in /proc/$$/fd/*; do fd=${fd##*/}; [ $fd -lt 3 ] || eval \"exec $fd>&-\"; done";

/// The highest descriptor limit that is tested. With `--jobs 1`, the judge needs about a dozen descriptors.
const MAX_DESCRIPTORS: usize = 24;

/// The behaviour of a judge with a limited number of descriptors.
#[derive(Debug, PartialEq)]
enum Outcome {
    CannotBegin,
    StopsAtAGame,
    PlaysAll,
}

/// Plays a run of three games, in a store of its own, with at most `limit` file descriptors. Asserts that no
/// game has failed, and that the run can be resumed if it has stopped.
fn play_with_descriptors(temp: &TempFolder, limit: usize) -> Outcome {
    let run = format!("run --store {limit} --seeds 1..=3 --jobs 1 --time-limit 2 --bot ./bot");
    let script = format!("{CLOSE_INHERITED}; ulimit -n {limit}; exec \"$0\" {run}");
    let output = shell(temp, &script);
    let list = temp.judge(&["list", "--json", "--store", &limit.to_string()]);
    // If the judge could not start, the store may not exist.
    let runs: Value = serde_json::from_str(&list.out).unwrap_or_default();
    let Some(run) = runs.get(0) else {
        assert_ne!(output.status, 0, "{output:?}");
        return Outcome::CannotBegin;
    };
    let summary = &run["summary"];
    let played = summary.get("ended_early").unwrap_or(&Value::Null);
    assert_eq!(summary["games"], played.as_u64().unwrap_or(0), "{run:#}");
    if output.status == 0 {
        assert_eq!(summary["games"], 3, "{run:#}");
        return Outcome::PlaysAll;
    }
    assert_eq!(output.status, 2, "{output:?}");
    output.assert_error(&[
        "case 0001: ",
        "Too many open files",
        &format!("(3 tries); to continue: judge run --resume {limit}/0001"),
    ]);
    let resumed = temp.judge(&["run", "--resume", &format!("{limit}/0001")]);
    assert_eq!(resumed.status, 0, "{resumed:?}");
    Outcome::StopsAtAGame
}

#[test]
#[ignore = "waits for the pauses between retries; .ci/run plays it"]
fn a_machine_fault_stops_the_run_without_a_row() {
    let temp = &TempFolder::new();
    temp.put_script("bot", "echo 0");
    let outcomes: Vec<Outcome> = std::thread::scope(|scope| {
        let play = |limit| scope.spawn(move || play_with_descriptors(temp, limit));
        let games: Vec<_> = (3..=MAX_DESCRIPTORS).map(play).collect();
        games.into_iter().map(|game| game.join().unwrap()).collect()
    });
    assert!(outcomes.contains(&Outcome::StopsAtAGame), "{outcomes:?}");
    assert_eq!(outcomes.last(), Some(&Outcome::PlaysAll), "{outcomes:?}");
}

#[test]
fn a_missing_temporary_folder_does_not_matter() {
    assert_plays(
        &TempFolder::new(),
        "TMPDIR=/none exec \"$0\" run --seeds 1..=3 --bot 'echo 0'",
    );
}

#[test]
fn a_parent_may_ignore_the_end_of_its_children() {
    assert_plays(
        &TempFolder::new(),
        "trap '' CHLD; exec \"$0\" run --seeds 1..=3 --bot 'echo 0'",
    );
}

#[test]
fn a_bot_may_reopen_its_standard_output() {
    let temp = TempFolder::new();
    let bot = "echo 2 > /dev/stdout; echo 1 0 > /dev/stdout; echo 3 0 > /dev/stdout; \
               echo x = 1 > /dev/stderr";
    temp.put_script("bot", bot);
    assert_plays(&temp, "exec \"$0\" run --seeds 1..=3 --bot ./bot");
    assert_eq!(temp.read("runs/0001/out/0001.txt"), "2\n1 0\n3 0\n");
    assert_eq!(temp.read("runs/0001/err/0001.txt"), "x = 1\n");
}

#[test]
fn a_bot_leaves_no_core_file() {
    let temp = TempFolder::new();
    let script =
        "ulimit -c unlimited; exec \"$0\" run --seeds 1 --bot 'sh -c \"ulimit -c >&2; echo 0\"'";
    assert_eq!(shell(&temp, script).status, 0);
    assert_eq!(temp.read("runs/0001/err/0001.txt"), "0\n");
}

#[test]
fn a_pipe_is_no_case() {
    let temp = TempFolder::new();
    temp.put("in/0001.txt", crate::temp_folder::SAMPLE);
    let made = Command::new("mkfifo")
        .arg(temp.path("in/0002.txt"))
        .status();
    assert!(made.unwrap().success());
    temp.judge(&["run", "--in", "in", "--bot", "echo 0"])
        .assert_refused(&["in/0002.txt: expected a regular file"]);
    assert!(!temp.path("runs").exists());
}

/// Bots that cannot start, each with a part of the expected message.
const UNPLAYABLE_BOTS: &str = r##"
p0.sh => p0.sh: not found on PATH: write ./p0.sh for a file in this folder
none => none: not found on PATH
./none => ./none: no such file
./plain.sh => ./plain.sh: is not executable: chmod +x, or name its interpreter first
.. => ..: not found on PATH
./ => ./: is not executable:
./dos.sh => its interpreter or its loader is missing; its first line is "#!/bin/sh\r"
./none.py => its interpreter or its loader is missing; its first line is "#!/usr/bin/none"
./binary => is neither a program for this machine nor a script
"##;

#[test]
fn each_reason_why_a_bot_cannot_start_has_its_message() {
    let temp = TempFolder::new();
    temp.put_script("p0.sh", "echo 0");
    temp.put("plain.sh", "echo 0\n");
    for (name, line) in [
        ("dos.sh", "#!/bin/sh\r\necho 0\r\n"),
        ("none.py", "#!/usr/bin/none\n"),
        ("binary", "\u{1}\u{2}\n"),
    ] {
        temp.put_script(name, "");
        temp.put(name, line);
    }
    for line in UNPLAYABLE_BOTS.trim_matches('\n').lines() {
        let (bot, message) = line.split_once(" => ").unwrap();
        let output = temp.judge(&["run", "--seeds", "1", "--bot", bot]);
        output.assert_refused(&[&format!("cannot run the bot {bot}: "), message]);
    }
    assert!(!temp.path("runs").exists());
}

#[test]
fn a_dumb_terminal_gets_no_escape_sequences() {
    let output = |environment: &str| {
        let temp = TempFolder::new();
        let bot = "[ \"$1\" = --version ] && exit; sleep 0.7; echo '#' >> bot; exit 1";
        temp.put_script("bot", bot);
        let script = format!(
            "unset NO_COLOR CLICOLOR CLICOLOR_FORCE; {environment} \
             script -qec \"\\\"$0\\\" run --seeds 1..=2 --jobs 1 --bot ./bot\" /dev/null < /dev/null"
        );
        let output = shell(&temp, &script);
        assert_eq!(output.status, 1, "{output:?}");
        assert!(output.out.contains("crashed"), "{output:?}");
        output.out
    };
    let environments = ["TERM=xterm-256color", "TERM=dumb", "NO_COLOR=1 TERM=xterm"];
    let [colour, dumb, no_colour] = std::thread::scope(|scope| {
        let runs = environments.map(|environment| scope.spawn(move || output(environment)));
        runs.map(|run| run.join().unwrap())
    });
    // The bar is cleared before anything else is printed.
    for text in ["\u{1b}[31m0001", "note: ./bot: changed", "\u{1b}[31m0002"] {
        assert!(colour.contains(&format!("\r\u{1b}[2K{text}")), "{colour:?}");
    }
    assert!(!dumb.contains('\u{1b}'));
    assert!(!no_colour.contains('\u{1b}'), "{no_colour:?}");
}

#[test]
fn a_path_that_is_not_utf_8_is_named() {
    use std::os::unix::ffi::OsStrExt;
    let temp = TempFolder::new();
    let folder = temp.path("").join(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    std::fs::create_dir(&folder).unwrap();
    for name in ["judge", "bot"] {
        std::fs::copy(assert_cmd::cargo::cargo_bin!("judge"), folder.join(name)).unwrap();
    }
    let script = "exec caf*/judge run --seeds 1..=3";
    shell(&temp, script).assert_refused(&[
        "caf\u{fffd}/bot: expected a path in UTF-8: move the folder, or name a bot with --bot CMD",
    ]);
    shell(
        &temp,
        "mv caf* in; cp in/bot in/$(printf 'caf\\351.txt'); exec in/judge run --in in --bot true",
    )
    .assert_refused(&["in/caf\u{fffd}.txt: expected a regular file whose name is UTF-8"]);
    temp.put("columns.toml", "files = [\"in\"]\n");
    let script = "exec in/judge run --seeds 1 --bot true";
    shell(&temp, script)
        .assert_refused(&["in/caf\u{fffd}.txt: expected a file of the bot whose name is UTF-8"]);
    std::fs::remove_file(temp.path("columns.toml")).unwrap();
    // In a folder whose name is not UTF-8, a bot from PATH can play.
    shell(&temp, "mv in $(printf 'caf\\351')");
    let script = "cd caf*; exec ./judge run --seeds 1 --bot 'sh -c \"echo 0\"'";
    assert_eq!(shell(&temp, script).status, 0);
}
