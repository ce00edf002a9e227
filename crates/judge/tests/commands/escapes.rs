//! Tests of bots that leave processes behind while the judge plays other games.

use crate::run::wait_for_end;
use crate::temp_folder::{SAMPLE, TempFolder, wait_until};
use columns_test_support::{kill, with_default_signals};
use serde_json::Value;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The time limit of a game, in seconds. A game takes half a second longer if the bot hangs.
const TIME_LIMIT_S: &str = "2";

/// The bot that plays all games. In the first game, which has 9 columns, it tries to escape. In all others,
/// it starts a helper in a new session, and fails if the helper dies before the game ends.
const BOT: &str = "
read w h; read k
if [ $k = 9 ]; then echo $$ >> left; . ./escape.sh; exit; fi
setsid sleep 60 & helper=$!
sleep 0.4
kill -0 $helper || exit 1
echo 0
";

/// The script of a process that must not survive the game.
const HELPER_SCRIPT: &str = "echo $$ >> left; exec sleep 60";

/// The script of a process that starts its successor and then ends.
const CHAIN_SCRIPT: &str = "echo $$ >> left; [ -e bot.sh ] && sh chain.sh &";

/// Makes a folder with eight cases and a bot that runs `script` to escape.
fn prepare(script: &str) -> TempFolder {
    let temp = TempFolder::new();
    temp.put("in/0001.txt", format!("7 14\n9\n{}", "abc\n".repeat(9)));
    for i in 2..=8 {
        temp.put(&format!("in/{i:04}.txt"), SAMPLE);
    }
    temp.put("bot.sh", BOT);
    temp.put("helper.sh", HELPER_SCRIPT);
    temp.put("chain.sh", CHAIN_SCRIPT);
    let functions = "started() { until [ $(wc -l < left) -gt $1 ]; do sleep 0.01; done; }\n\
                     in_group() { exec perl -e 'setpgrp(0, shift); exec @ARGV' \"$@\"; }";
    temp.put("escape.sh", format!("{functions}\n{script}\n"));
    temp
}

/// Starts a judge in its own process group, without ignored signals.
fn start(temp: &TempFolder, limit: &str) -> Child {
    // The file `judge` contains the process ID of the judge, which is also the ID of its process group.
    let script = "echo $$ > judge; exec \"$0\" \"$@\"";
    with_default_signals("sh")
        .args(["-c", script])
        .arg(assert_cmd::cargo::cargo_bin!("judge"))
        .args(["run", "--in", "in", "--jobs", "2", "--time-limit", limit])
        .args(["--bot", "sh bot.sh"])
        .current_dir(temp.path(""))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap()
}

/// Waits for a judge to end, and returns its exit status. Panics after 40 seconds.
#[track_caller]
fn wait(judge: &mut Child, name: &str) -> ExitStatus {
    let clock = Instant::now();
    loop {
        if let Some(status) = judge.try_wait().unwrap() {
            return status;
        }
        if clock.elapsed() > Duration::from_secs(40) {
            judge.kill().unwrap();
            panic!("{name}: the judge does not end");
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// Asserts that all processes of the bot have ended.
#[track_caller]
fn assert_clean(temp: &TempFolder, name: &str) {
    let processes = temp.read("left");
    assert!(!processes.is_empty(), "{name}: the bot has not started");
    for process in processes.lines() {
        let ps = ["-o", "pid,ppid,pgid,sid,stat,etimes,wchan,args", "-e"];
        assert!(
            wait_for_end(process),
            "{name}: process {process} still runs among\n{}",
            String::from_utf8_lossy(&Command::new("ps").args(ps).output().unwrap().stdout)
        );
    }
}

/// Attempts to escape: the expected status of the game, the name and the script.
const ESCAPE_ATTEMPTS: &str = r"
ended_early | a child in the background | sh helper.sh & started 1; echo 0
ended_early | a double fork | (sh helper.sh &); started 1; echo 0
ended_early | a new session | setsid sh helper.sh & (setsid setsid sh helper.sh &); started 2; echo 0
ended_early | a new group | in_group 0 sh helper.sh & started 1; echo 0
tle | the judge's group | in_group $(cat judge) sleep 60
ended_early | a child in the judge's group | in_group $(cat judge) sh helper.sh & started 1; echo 0
tle | a stopped bot | sh helper.sh & started 1; kill -STOP $! $$
ended_early | a stopped child | setsid sh helper.sh & started 1; kill -STOP $!; echo 0
ended_early | a stopped parent | kill -STOP $PPID; echo 0
ended_early | a full pipe | (yes | sh helper.sh) & started 1; echo 0
tle | a full pipe of its own | mkfifo pipe; sh helper.sh < pipe & exec yes > pipe
tle | closed descriptors | sh helper.sh & exec <&- >&- 2>&-; sleep 60
tle | ignored signals | trap '' HUP INT QUIT TERM; setsid sh helper.sh & started 1; sleep 60
crashed | its own group, killed | setsid sh helper.sh & started 1; kill -KILL 0
ended_early | a chain of processes | sh chain.sh; started 9; echo 0
ended_early | a chain of sessions | sed -i 's/sh chain.sh/setsid &/' chain.sh; sh chain.sh; started 9; echo 0
";

#[test]
#[ignore = "plays a run for each escape; .ci/run plays it"]
fn no_bot_escapes_or_disturbs_another_game() {
    thread::scope(|scope| {
        for attempt in ESCAPE_ATTEMPTS.trim_matches('\n').lines() {
            scope.spawn(move || {
                let mut parts = attempt.splitn(3, " | ");
                let [status, name, script] = std::array::from_fn(|_| parts.next().unwrap());
                let temp = prepare(script);
                wait(&mut start(&temp, TIME_LIMIT_S), name);
                let report: Value = temp.last_run();
                let rows = report["rows"].as_array().unwrap();
                let statuses: Vec<_> = rows
                    .iter()
                    .map(|row| row["status"].as_str().unwrap())
                    .collect();
                let mut expected = vec!["ended_early"; 8];
                expected[0] = status;
                assert_eq!(statuses, expected, "{name}: {report:#}");
                assert_clean(&temp, name);
            });
        }
    });
}

#[test]
fn no_bot_survives_a_judge_that_gets_a_signal() {
    thread::scope(|scope| {
        for signal in ["INT", "TERM", "HUP", "QUIT", "KILL"] {
            for group in ["", "-"] {
                scope.spawn(move || {
                    let name = format!("{signal}, {group}");
                    let temp = prepare(
                        "setsid sh helper.sh & (sh helper.sh &); started 2; touch ready; sleep 60",
                    );
                    let mut judge = start(&temp, "60");
                    wait_until(|| temp.path("ready").exists());
                    kill(signal, format_args!("{group}{}", judge.id()));
                    let status = wait(&mut judge, &name);
                    let handled = [("INT", 130), ("TERM", 143), ("HUP", 129)];
                    let expected = handled.iter().find(|(name, _)| *name == signal);
                    assert_eq!(status.code(), expected.map(|(_, status)| *status), "{name}");
                    assert_clean(&temp, &name);
                });
            }
        }
    });
}

#[test]
#[ignore = "waits for a time limit; .ci/run plays it"]
fn the_game_of_a_killed_or_stopped_supervisor_is_played_again() {
    thread::scope(|scope| {
        for signal in ["KILL", "STOP"] {
            scope.spawn(move || play_without_supervisor(signal));
        }
    });
}

/// Plays a run, and sends `signal` to the supervisor of the first game.
fn play_without_supervisor(signal: &str) {
    // The test itself sends the signal, because a confined bot cannot signal its supervisor.
    let script = "[ -e supervisor ] && echo 0 && exit; echo $PPID > supervisor; sleep 60";
    let temp = prepare(script);
    let mut judge = start(&temp, TIME_LIMIT_S);
    let has_written = || temp.path("supervisor").exists() && !temp.read("supervisor").is_empty();
    wait_until(has_written);
    kill(signal, temp.read("supervisor"));
    wait(&mut judge, signal);
    let report = temp.last_run();
    assert_eq!(report["summary"]["ended_early"], 8, "{report:#}");
    // A killed supervisor cannot kill its bot, so the test kills the bot's process group, which includes
    // `sleep`.
    if signal == "KILL" {
        let first = temp.read("left");
        let group = format!("-{}", first.lines().next().unwrap());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
    }
    assert_clean(&temp, signal);
}

/// Needs Linux 6.12 or later with Landlock.
#[test]
fn a_bot_can_only_signal_its_own_processes() {
    let script = "setsid sh helper.sh & kill -0 $! && started 1 && echo $PPID $(cat judge) > others; \
        for process in $(cat others); do kill -0 $process && echo $process >> reached; done; echo 0";
    let temp = prepare(script);
    wait(&mut start(&temp, TIME_LIMIT_S), "signals");
    let others = temp.read("others");
    assert_eq!(others.split_whitespace().count(), 2, "{others}");
    assert!(
        !temp.path("reached").exists(),
        "the bot can signal {} of {others}",
        temp.read("reached")
    );
    assert_clean(&temp, "signals");
}
