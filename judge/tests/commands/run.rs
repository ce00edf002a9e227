//! `judge run` with bots made of shell commands: good ones and all kinds of
//! bad ones.

use crate::desk::{noise, Desk, Said, SAMPLE, SAMPLE_PLAN};
use serde_json::Value;
use std::time::{Duration, Instant};

/// Two cases: the sample, and one that the default placement ends at once.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("in/0001.txt", SAMPLE);
    desk.put("in/0002.txt", format!("7 14\n9\n{}", "abc\n".repeat(9)));
    desk.put("in/README.md", "not a case");
    desk.put(
        "in/._0001.txt",
        "not a case either, but what macOS keeps of one",
    );
    desk.put("good.txt", SAMPLE_PLAN);
    desk
}

/// As [`desk`], with the sample as more cases, up to this number.
fn desk_of(cases: usize) -> Desk {
    let desk = desk();
    for i in 3..=cases {
        desk.put(&format!("in/{i:04}.txt"), SAMPLE);
    }
    desk
}

/// Plays a bot from scratch, with results in `r.json`.
fn play(desk: &Desk, bot: &str, more: &[&str]) -> (Said, Value) {
    let _ = std::fs::remove_file(desk.path("r.json"));
    let mut args = vec!["run", "--in", "in", "--json", "r.json", "--bot", bot];
    args.extend(more);
    let said = desk.judge(&args);
    let report = desk.json("r.json");
    (said, report)
}

/// A field of each row of a report.
fn each(report: &Value, field: &str) -> Vec<Value> {
    let rows = report["rows"].as_array().unwrap().iter();
    rows.map(|row| row[field].clone()).collect()
}

/// Whether a process runs; one that is only waiting to be reaped does not.
fn runs(pid: &str) -> bool {
    let pid = pid.trim();
    if cfg!(target_os = "linux") {
        // pid (name) state ...
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        return matches!(stat.rsplit_once(") "), Some((_, state)) if !state.starts_with('Z'));
    }
    let ps = std::process::Command::new("ps")
        .args(["-o", "stat=", "-p", pid])
        .output()
        .expect("this test needs the command ps");
    let state = String::from_utf8(ps.stdout).unwrap();
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

/// Whether a process that was killed is gone within a few seconds; these all sleep
/// for a minute.
pub(crate) fn ends(pid: &str) -> bool {
    let clock = Instant::now();
    while runs(pid) && clock.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(10));
    }
    !runs(pid)
}

/// All games of a bot have this mark, score 0 and make the status 1.
#[track_caller]
fn fails(bot: &str, more: &[&str], mark: &str, reason: &str) -> Value {
    let desk = desk();
    let (said, report) = play(&desk, bot, more);
    assert_eq!(said.status, 1, "{said:?}");
    assert_eq!(said.err, "");
    for row in report["rows"].as_array().unwrap() {
        assert_eq!(
            (&row["mark"], &row["score"]),
            (&mark.into(), &0.into()),
            "{row}"
        );
        assert!(row["reason"].as_str().unwrap().contains(reason), "{row}");
        assert_eq!(row["placed"], Value::Null);
    }
    assert_eq!(report["summary"][mark], 2);
    assert_eq!(report["summary"]["sum"], 0);
    // 0 counts as 1, against 141 and 1 (quickstart's 0).
    let against = report["summary"]["against_quickstart"].as_f64().unwrap();
    let baselines = each(&report, "quickstart").into_iter();
    let product: f64 = baselines.map(|of| of.as_f64().unwrap().max(1.0)).product();
    assert!((against - product.powf(-0.5)).abs() < 1e-9, "{report}");
    report
}

#[test]
fn a_good_bot_gets_a_table_and_a_report() {
    let desk = desk();
    // It reads the case, as a bot does, and answers the sample.
    let bot = "sh -c 'read w h; read k; case $k in 11) cat good.txt;; *) echo 0;; esac'";
    let (said, report) = play(&desk, bot, &["--out", "out", "--jobs", "2"]);
    assert_eq!((said.status, said.err.as_str()), (0, ""), "{said:?}");
    let lines: Vec<&str> = said.out.lines().collect();
    assert!(lines[0].starts_with("case   size  colours"), "{}", said.out);
    assert!(lines[1].starts_with("0001   6x13"), "{}", said.out);
    assert!(lines[1].ends_with("ok"), "{}", said.out);
    assert!(lines[2].starts_with("0002   7x14"), "{}", said.out);
    // Four columns fit into 14 cells.
    assert!(lines[2].ends_with("died at 5"), "{}", said.out);
    said.shows(&[
        "games    2: 1 ok, 1 died early",
        "sum      141\n",
        "% of a core\n",
        "worst    0002\n",
    ]);

    assert_eq!(desk.names("out"), ["0001.txt", "0002.txt"]);
    assert_eq!(desk.read("out/0001.txt"), SAMPLE_PLAN);
    assert_eq!(report["seeds"], serde_json::json!([1, 2]));
    assert_eq!(report["bot"], bot);
    assert_eq!(report["time_limit_s"], 4.0);
    assert_eq!(report["jobs"], 2);
    let row = &report["rows"][0];
    assert_eq!(row["score"], 141);
    assert_eq!(row["quickstart"], 141);
    assert_eq!(
        (&row["placed"], &row["longest_chain"]),
        (&11.into(), &1.into())
    );
    assert_eq!((&row["colours"], &row["magic"]), (&4.into(), &1.into()));
    assert_eq!(row["palette"], "growing");
    let wall = row["wall_s"].as_f64().unwrap();
    assert!(wall > 0.0 && wall < 4.0);
    assert!(row["peak_memory_mib"].as_f64().unwrap() > 0.1);
    assert_eq!(report["rows"][1]["mark"], "died");
    assert_eq!(report["rows"][1]["placed"], 4);
}

#[test]
fn a_bot_that_sleeps_is_out_of_time() {
    let clock = Instant::now();
    let limit = ["--time-limit", "0.3", "--jobs", "2"];
    // The children of the bot have to go with it, or this takes a minute.
    let report = fails(
        "sh -c 'sleep 60 & sleep 61; echo 0'",
        &limit,
        "tle",
        "more than 0.3 s",
    );
    assert!(clock.elapsed() < Duration::from_secs(50));
    // It was given a little longer, to see by how much it is late.
    let wall = report["rows"][0]["wall_s"].as_f64().unwrap();
    assert!(wall >= 0.8, "{wall}");
}

#[test]
fn a_bot_that_is_a_little_late_is_out_of_time_and_not_killed() {
    let desk = desk_of(8);
    let bot = "sh -c 'sleep 0.15; echo $$ >> done; echo 0'";
    let limit = ["--time-limit", "0.1", "--jobs", "1"];
    let (said, report) = play(&desk, bot, &limit);
    assert_eq!((said.status, &report["summary"]["tle"]), (1, &8.into()));
    // On a machine that stands still for a moment one may be killed, but not all of them.
    assert!(desk.read("done").lines().count() >= 1);
    assert!(report["rows"][0]["wall_s"].as_f64().unwrap() >= 0.15);
}

#[test]
fn a_bot_that_crashes_or_has_no_valid_plan() {
    for (bot, mark, reason) in [
        ("sh -c 'echo 0; exit 3'", "crashed", "exit status: 3"),
        (
            "sh -c 'echo 0; kill -SEGV $$'",
            "crashed",
            "signal: 11 (SIGSEGV)",
        ),
        (
            "sh -c 'echo first >&2; echo the reason >&2; exit 101'",
            "crashed",
            "exit status: 101: the reason",
        ),
        // However much it complains: the last line is kept.
        (
            "sh -c 'yes | head -c 3000000 >&2; echo the end >&2; exit 1'",
            "crashed",
            "exit status: 1: the end",
        ),
        (
            "true",
            "invalid",
            "line 1: expected the number of placements",
        ),
        ("echo 1 7 9", "invalid", "line 1: expected"),
        (
            "echo 0 0",
            "invalid",
            "line 1: expected the end of the input",
        ),
    ] {
        fails(bot, &[], mark, reason);
    }
    let desk = desk();
    desk.put("noise", noise());
    let (said, report) = play(&desk, "cat noise", &[]);
    assert_eq!(said.status, 1);
    assert_eq!(report["summary"]["invalid"], 2);
    said.shows(&["bytes that are not UTF-8"]);
}

#[test]
fn a_bot_that_never_stops_printing() {
    let clock = Instant::now();
    fails(
        "yes",
        &["--time-limit", "60"],
        "invalid",
        "expected a plan, found 1048576 bytes or more",
    );
    assert!(
        clock.elapsed() < Duration::from_secs(20),
        "it was not stopped at once"
    );
}

#[test]
fn a_bot_that_eats_memory() {
    // `tail` keeps the whole line; it is a child of the shell.
    let bot = "sh -c 'head -c 400000000 /dev/zero | tail -n 1 | wc -c; echo'";
    let report = fails(
        bot,
        &["--memory-limit", "64", "--time-limit", "60"],
        "mle",
        "more than 64 MiB",
    );
    let peak = report["rows"][0]["peak_memory_mib"].as_f64().unwrap();
    assert!(peak > 64.0, "{peak}");
    // The same within its limit is only wrong.
    let desk = desk();
    let (_, report) = play(
        &desk,
        bot,
        &["--memory-limit", "2048", "--time-limit", "60"],
    );
    assert_eq!(report["summary"]["invalid"], 2, "{report}");
    let peak = report["rows"][0]["peak_memory_mib"].as_f64().unwrap();
    assert!(peak > 380.0, "{peak}");
}

#[test]
fn a_bot_that_leaves_something_behind() {
    // Its child has the pipe open; the judge neither waits for it nor leaves it.
    let desk = desk();
    let clock = Instant::now();
    let (said, _) = play(
        &desk,
        "sh -c 'sleep 60 & echo $! > child; echo 0'",
        &["--jobs", "1"],
    );
    assert_eq!(said.status, 0);
    assert!(clock.elapsed() < Duration::from_secs(10));
    let child = desk.read("child");
    assert!(ends(&child), "process {child} is left");
}

#[cfg(target_os = "linux")]
#[test]
fn a_bot_whose_children_leave_its_process_group() {
    let desk = desk();
    let child = "echo $$ >> children; exec sleep 60";
    let bot = format!("sh -c 'setsid sh -c \"$0\" & setsid setsid sh -c \"$0\" & until [ $(wc -l < children) -ge 2 ]; do sleep 0.01; done; echo 0' '{child}'");
    desk.put("children", "");
    let (said, _) = play(&desk, &bot, &["--jobs", "1"]);
    assert_eq!(said.status, 0, "{said:?}");
    let children = desk.read("children");
    assert!(children.lines().count() >= 2);
    for child in children.lines() {
        assert!(ends(child), "process {child} is left");
    }
}

#[test]
fn a_bot_may_go_on_by_a_process_whose_parent_has_ended() {
    // The other bot ends meanwhile.
    let bot = "sh -c 'read w h; read k; \
        if [ $k = 11 ]; then until [ -e on ]; do sleep 0.01; done; sleep 0.2; echo 0; exit; fi; \
        (sh -c \"touch on; sleep 0.5; touch done\" &); until [ -e done ]; do sleep 0.01; done; echo 0'";
    let (said, _) = play(&desk(), bot, &["--jobs", "2"]);
    assert_eq!(said.status, 0, "{said:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn all_processes_of_a_bot_share_the_memory() {
    // `tail` keeps the line until it ends.
    let bot = |processes: &str| {
        format!(
            "sh -c 'for i in {processes}; do (head -c 45000000 /dev/zero; sleep 1) | tail -n 1 | wc -c & done; wait'"
        )
    };
    let limit = ["--memory-limit", "80", "--jobs", "1"];
    fails(&bot("1 2"), &limit, "mle", "more than 80 MiB");
    // One whose parent has ended counts as well.
    let left =
        "sh -c '((head -c 90000000 /dev/zero; sleep 2) | tail -n 1 | wc -c &); sleep 3; echo 0'";
    fails(left, &limit, "mle", "more than 80 MiB");
    let (_, report) = play(&desk(), &bot("1"), &limit);
    assert_eq!(report["summary"]["invalid"], 2, "{report}");
}

#[test]
fn a_case_larger_than_a_pipe_does_not_stop_a_bot_that_talks_first() {
    let desk = Desk::new();
    desk.put(
        "in/1.txt",
        format!("6 13\n10000\n{}", "abc\n".repeat(10_000)),
    );
    // 900 KB of blanks before it reads anything.
    let bot = "sh -c 'head -c 900000 /dev/zero | tr \"\\000\" \" \"; cat > seen; echo 0'";
    let (said, report) = play(&desk, bot, &[]);
    assert_eq!(said.status, 0, "{said:?}");
    assert_eq!(report["summary"]["died"], 1);
    assert_eq!(desk.read("seen"), desk.read("in/1.txt"));
}

#[test]
fn rows_are_in_order_however_the_games_end() {
    let desk = Desk::new();
    for k in 1..=12 {
        desk.put(
            &format!("in/{k:04}.txt"),
            format!("6 13\n{k}\n{}", "abc\n".repeat(k)),
        );
    }
    // The first case takes longest.
    let bot = "sh -c 'read w h; read k; test $k = 1 && sleep 0.3; echo 0'";
    let (said, report) = play(&desk, bot, &["--jobs", "4"]);
    assert_eq!(said.status, 0);
    assert_eq!(each(&report, "columns"), (1..=12).collect::<Vec<u64>>());
    let lines = said.out.lines().skip(1).take(12);
    let shown: Vec<&str> = lines.map(|line| &line[..4]).collect();
    let names: Vec<String> = (1..=12).map(|k| format!("{k:04}")).collect();
    assert_eq!(shown, names);
}

#[test]
fn seeds_are_played_like_the_files_of_their_cases() {
    let desk = Desk::new();
    let report = |args: &[&str]| -> Value {
        let bot = "sh -c 'mkdir -p seen; cat > seen/$$; echo 0'";
        let all = [&["run", "--json", "r.json", "--bot", bot], args];
        let said = desk.judge(&all.concat());
        assert_eq!(said.status, 0, "{said:?}");
        desk.json("r.json")
    };
    let seeded = report(&["--seeds", "1..4", "--profile", "small"]);
    assert_eq!(seeded["seeds"], serde_json::json!([1, 2, 3]));
    assert_eq!(seeded["cases"], "--seeds 1..=3 --profile small");
    let mut digests = Vec::new();
    for name in desk.names("seen") {
        let case: columns_core::rules::case::Case =
            desk.read(&format!("seen/{name}")).parse().unwrap();
        digests.push(columns_generator::digest::digest(&case));
    }
    digests.sort();
    let mut told = each(&seeded, "digest");
    told.sort_by_key(Value::to_string);
    assert_eq!(told, digests);

    let spec = columns_generator::Spec::new(columns_generator::Profile::Small);
    for seed in 0..6 {
        let case = columns_generator::generate(seed, &spec).to_string();
        desk.put(&format!("in/{seed:04}.txt"), case);
    }
    let from_files = report(&["--seeds", "1..=3", "--in", "in"]);
    assert_eq!(each(&from_files, "digest"), each(&seeded, "digest"));
    assert_eq!(
        report(&["--in", "in"])["seeds"],
        serde_json::json!([0, 1, 2, 3, 4, 5])
    );
}

#[test]
fn twenty_seeds_are_played_by_default() {
    let desk = Desk::new();
    let said = desk.judge(&["run", "--bot", "echo 0"]);
    assert_eq!(said.status, 0);
    assert!(said
        .out
        .lines()
        .nth(1)
        .unwrap()
        .starts_with("0001   6x13      4 g     11"));
    assert!(said.out.lines().nth(20).unwrap().starts_with("0020 "));
    said.shows(&["games    20: "]);
}

#[test]
fn json_can_go_to_standard_output() {
    let desk = desk();
    let said = desk.judge(&["run", "--in", "in", "--bot", "echo 0", "--json", "-"]);
    let report: Value = said.json();
    assert_eq!(report["summary"]["games"], 2);
    assert!(said.err.starts_with("case "), "{said:?}");
    // So can the games, but not both.
    let lines = ["run", "--in", "in", "--bot", "echo 0", "--jsonl", "-"];
    let said = desk.judge(&lines);
    let mut lines: Vec<&str> = said.out.lines().collect();
    lines.sort_unstable();
    let names = lines.iter().map(|line| &line[..14]);
    let expected = [r#"{"name":"0001""#, r#"{"name":"0002""#];
    assert_eq!(names.collect::<Vec<_>>(), expected);
    assert!(said.err.starts_with("case "), "{said:?}");
    assert!(!desk.path("-").exists());
}

/// Runs the judge with a reader that goes after two lines; gives the number of games and the status.
fn without_reader(desk: &Desk, options: &str) -> (usize, String) {
    let judge = assert_cmd::cargo::cargo_bin!("judge");
    let script = format!(
        "\"$0\" run --in in --jobs 1 {options} --bot 'sh -c \"sleep 0.1; echo >> played; echo 0\"' \
         2> err; echo $? > rc"
    );
    let status = std::process::Command::new("sh")
        .args(["-c", &format!("({script}) | head -n 2 > /dev/null")])
        .arg(judge)
        .current_dir(desk.path(""))
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(desk.read("err"), "");
    (desk.read("played").lines().count(), desk.read("rc"))
}

#[test]
fn a_reader_that_has_gone_ends_a_run_that_keeps_nothing() {
    let desk = desk_of(39);
    let (played, status) = without_reader(&desk, "");
    assert!((1..30).contains(&played), "{played} games: it played on");
    assert_eq!(status, "0\n");
}

#[test]
fn results_are_kept_without_a_reader() {
    let desk = desk_of(9);
    let (played, status) = without_reader(&desk, "--json r.json");
    assert_eq!((played, &*status), (9, "0\n"));
    let report: Value = desk.json("r.json");
    assert_eq!(report["rows"].as_array().unwrap().len(), 9);
}

#[test]
fn devices_can_be_written_until_they_are_full() {
    let line = ["run", "--in", "in", "--bot", "echo 0"];
    let files = ["--json", "/dev/null", "--jsonl", "/dev/null"];
    assert_eq!(desk().judge(&[&line[..], &files].concat()).status, 0);
    let said = desk().judge(&[&line[..], &["--jsonl", "/dev/full"]].concat());
    assert_eq!(said.status, 2);
    said.one_line(&["/dev/full: cannot be written: "]);
}

/// Starts a run of a bot that sleeps, and sends the judge a signal once the bot is there. Returns
/// the judge, which has ended, its errors, and the number of the bot's process.
fn signalled(desk: &Desk, signal: &str, first: &str) -> (std::process::ExitStatus, String, String) {
    let judge = assert_cmd::cargo::cargo_bin!("judge");
    let bot = format!("sh -c '{first} echo $$ >> started; sleep 60'");
    let mut child = std::process::Command::new(judge)
        .args(["run", "--in", "in", "--jobs", "1", "--time-limit", "60"])
        .args(["--bot", &bot, "--json", "r.json", "--out", "out"])
        .current_dir(desk.path(""))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let clock = Instant::now();
    while !desk.path("started").exists() || desk.read("started").is_empty() {
        assert!(
            clock.elapsed() < Duration::from_secs(20),
            "no bot was started"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    let kill = format!("kill -{signal} {}", child.id());
    let sent = std::process::Command::new("sh")
        .args(["-c", &kill])
        .status();
    assert!(sent.unwrap().success());
    let status = child.wait().unwrap();
    let mut err = String::new();
    std::io::Read::read_to_string(&mut child.stderr.unwrap(), &mut err).unwrap();
    (status, err, desk.read("started"))
}

#[test]
fn an_interrupted_run_leaves_nothing_half_written() {
    let desk = desk();
    let (status, err, bot) = signalled(&desk, "INT", "");
    assert_eq!(status.code(), Some(130));
    assert_eq!(err, "judge: interrupted after 0 of 2 games\n");
    assert!(!desk.path("r.json").exists());
    assert!(!desk.path("out").exists());
    assert!(ends(&bot), "bot {bot} is left");
}

#[test]
fn an_interrupted_run_keeps_the_games_that_have_ended() {
    let desk = desk();
    let first = "read w h; read k; if test $k = 11; then echo 0; exit; fi;";
    let (status, err, bot) = signalled(&desk, "TERM", first);
    assert_eq!(status.code(), Some(130));
    let expected = "interrupted after 1 of 2 games; to continue, give the same command again";
    assert_eq!(err, format!("judge: {expected}\n"));
    let report: Value = desk.json("r.json");
    assert_eq!(
        (&report["interrupted"], &report["summary"]["games"]),
        (&true.into(), &1.into())
    );
    assert_eq!(report["rows"][0]["name"], "0001");
    assert_eq!(desk.names("out"), ["0001.txt"]);
    assert!(ends(&bot), "bot {bot} is left");
    let said = desk.judge(&["compare", "r.json", "r.json"]);
    said.shows(&["note: A was interrupted\n"]);
}

#[test]
fn a_judge_that_is_killed_leaves_no_bot() {
    // The guard is told of a bot just after its start.
    let (_, _, bot) = signalled(&desk(), "KILL", "sleep 0.5;");
    assert!(ends(&bot), "bot {bot} is left");
}

#[test]
fn runs_are_listed_against_the_best() {
    let desk = Desk::new();
    desk.put("seeds.txt", "3\n1..=2 # the sample and one more\n");
    desk.put("sample.txt", SAMPLE_PLAN);
    let kept = |name: &str, bot: &str, more: &[&str]| {
        let run = ["run", "--seeds-file", "seeds.txt", "--bot", bot];
        let keep = ["--json", name, "--comment", name];
        let said = desk.judge(&[&run[..], &keep, more].concat());
        let report: Value = desk.json(name);
        assert_eq!(report["seeds"], serde_json::json!([3, 1, 2]));
        (said, report)
    };
    let (first, report) = kept("a.json", "echo 0", &[]);
    assert_eq!(report["rows"][1]["relative"], Value::Null);
    let lines = first.out.lines().skip(1).take(3);
    let order: Vec<_> = lines.map(|line| &line[..4]).collect();
    assert_eq!(order, ["0003", "0001", "0002"]);
    // Another order of play, the same of rows; worse on the sample, and no plan for the others.
    let more = ["--shuffle", "--best", "a.json"];
    let (second, report) = kept("b.json", "cat sample.txt", &more);
    second.shows(&["  relative\n"]);
    let sample = report["rows"][1]["relative"].as_f64().unwrap();
    assert!((sample - 100.0 * 141.0 / 329.0).abs() < 1e-9, "{sample}");
    second.shows(&[" % of the best scores known\n"]);
    let said = desk.judge(&["history", "b.json", "a.json"]);
    let lines: Vec<&str> = said.out.lines().collect();
    assert_eq!(lines.len(), 3, "{said:?}");
    assert!(
        lines[1].starts_with("a.json  ") && lines[1].contains("  83.33  "),
        "{said:?}"
    );
    assert!(
        lines[2].starts_with("b.json  ") && lines[2].ends_with("  b.json"),
        "{said:?}"
    );
    let said = desk.judge(&["history", "--cases", "a.json", "b.json"]);
    assert_eq!(said.out.lines().count(), 4, "{said:?}");
    said.shows(&["\n0001   329  100.00   42.86\n"]);
    let said = desk.judge(&["history", "--json", "a.json"]);
    let listed: Value = said.json();
    assert_eq!(listed[0]["comment"], "a.json");
    assert_eq!(listed[0]["file"], "a.json");
    assert_eq!(listed[0]["summary"]["relative"], 100.0);
}

#[test]
fn what_a_bot_tells_is_kept() {
    let desk = desk();
    let bot = "sh -c 'read w h; read k; test $k = 11 && sleep 0.3; echo x = $k >&2; \
               echo \\$y = 2.5 >&2; echo \"[DATA] z = -1\" >&2; echo noise >&2; echo 0'";
    let more = [
        "--jsonl", "games", "--column", "x", "--column", "none", "--sort", "-x",
    ];
    let (said, report) = play(&desk, bot, &[&more[..], &["--jobs", "2"]].concat());
    assert_eq!(said.status, 0, "{said:?}");
    let told = |x: f64| serde_json::json!({"x": x, "y": 2.5, "z": -1.0});
    let rows = &report["rows"];
    assert_eq!(
        (&rows[0]["numbers"], &rows[1]["numbers"]),
        (&told(11.0), &told(9.0))
    );
    let header = said.out.lines().next().unwrap();
    assert!(header.contains("MiB         x      none"), "{said:?}");
    said.shows(&["        11         -  died at"]);
    let notes =
        "worst    0002 0001\nmost     x: 0001 0002\ncolumn   the bot reported no number \"none\"\n";
    assert!(said.out.ends_with(notes), "{said:?}");
    // As they ended.
    let games = desk.read("games");
    let games: Vec<Value> = games
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(games, [rows[1].clone(), rows[0].clone()]);
    let said = desk.judge(&["compare", "--by", "x", "r.json", "r.json"]);
    said.shows(&["\nx 9 ", "\nx 11 "]);
    desk.judge(&["compare", "--by", "w", "r.json", "r.json"])
        .refuses(&["expected a number of the games of A, found none called \"w\""]);
    let (said, _) = play(&desk, bot, &["--sort", "w"]);
    assert!(
        said.out.ends_with("least    no game has a number \"w\"\n"),
        "{said:?}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn memory_that_processes_share_counts_once() {
    // A shell with a long variable, and a child that has the same memory.
    let bot = |more: &str| {
        let long = "x=$(head -c 40000000 /dev/zero | tr \"\\000\" a)";
        format!("sh -c '{long}; {more} sleep 0.3; echo 0'")
    };
    let desk = desk();
    let peak = |bot: &str| -> f64 {
        let (said, report) = play(&desk, bot, &["--jobs", "1"]);
        assert_eq!(said.status, 0, "{said:?}");
        report["rows"][0]["peak_memory_mib"].as_f64().unwrap()
    };
    let alone = peak(&bot(""));
    let forked = peak(&bot(
        "(sleep 0.3; echo ${#x} >/dev/null) & (sleep 0.3; echo ${#x} >/dev/null) &",
    ));
    assert!(alone > 38.0, "{alone}");
    assert!(forked < 1.3 * alone, "{forked} of {alone}");
}

#[test]
fn a_bot_without_a_processor_is_told() {
    let desk = desk();
    let (said, report) = play(&desk, "sh -c 'sleep 0.4; echo 0'", &["--jobs", "2"]);
    let cores = report["summary"]["cores"].as_f64().unwrap();
    assert!(cores < 0.3, "{cores}");
    let told = format!("; the bot had {:.0} % of a core\n", 100.0 * cores);
    said.shows(&[&told]);
    assert!(
        said.out
            .lines()
            .next()
            .unwrap()
            .contains("  wall s   cpu s  "),
        "{said:?}"
    );
}

/// The report of a game of a bot.
fn report_of(desk: &Desk, bot: &str) -> Value {
    let _ = std::fs::remove_file(desk.path("r.json"));
    let said = desk.judge(&["run", "--seeds", "1", "--bot", bot, "--json", "r.json"]);
    assert_eq!(said.status, 0, "{said:?}");
    desk.json("r.json")
}

/// Writes a script and lets everybody run it.
fn put_script(desk: &Desk, name: &str, text: &str) {
    desk.put(name, format!("#!/bin/sh\n{text}\n"));
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(desk.path(name), executable).unwrap();
}

#[test]
fn the_identity_of_a_bot_is_its_content() {
    let desk = Desk::new();
    let digest = |bot: &str| report_of(&desk, bot)["bot_digest"].clone();
    // They do not know --version, and answer a plan.
    put_script(&desk, "one", "echo 0");
    put_script(&desk, "two", "echo 0 # changed");
    let [one, two] = ["./one", "./two"].map(digest);
    assert_ne!(one, two);
    assert_eq!(digest("./one with --options"), one);
    assert_eq!(report_of(&desk, "./one")["bot_version"], "one");
    // Two scripts of one program are two bots, also when one is changed while it plays.
    desk.put("a.sh", "echo 0\n");
    desk.put("b.sh", "echo 0 # changed\n");
    let [a, b] = ["sh a.sh", "sh b.sh"].map(digest);
    assert_ne!(a, b);
    assert_ne!(
        digest("sh -c 'exec sh a.sh'"),
        digest("sh -c 'exec sh b.sh'")
    );
    desk.put("c.sh", "echo 0; echo '# more' >> c.sh\n");
    let first = digest("sh c.sh");
    desk.put("c.sh", "echo 0; echo '# more' >> c.sh\n");
    assert_eq!(digest("sh c.sh"), first);
}

#[test]
fn two_builds_with_one_version_are_two_bots() {
    let desk = Desk::new();
    let script = |more: &str| {
        let text = format!("[ \"$1\" = --version ] && {{ echo 'mine 1.2'; exit; }}\n{more}echo 0");
        put_script(&desk, "mine", &text);
    };
    script("");
    let run = |file: &str, seeds: &str| {
        desk.judge(&["run", "--seeds", seeds, "--bot", "./mine", "--json", file])
    };
    assert_eq!(run("a.json", "1").status, 0);
    script("# built again\n");
    // The file has games of the other build, and keeps them.
    let before = desk.read("a.json");
    let refused = run("a.json", "1..=2");
    refused.refuses(&[
        "a.json: expected the games of ./mine (mine 1.2, build ",
        "found those of ./mine (mine 1.2, build ",
    ]);
    assert_eq!(desk.read("a.json"), before);
    assert_eq!(run("b.json", "1").status, 0);
    let said = desk.judge(&["compare", "a.json", "b.json"]);
    said.shows(&[
        "\nnote: A and B are two builds of one version\n",
        "./mine (mine 1.2, build ",
    ]);
}

#[test]
fn the_numbers_of_the_bot_and_of_the_judge_have_two_names() {
    let desk = desk();
    let bot = "sh -c 'echo score = 1000000 >&2; echo two words = 3 >&2; echo 0'";
    let line = ["run", "--in", "in", "--bot", bot];
    let refused = desk.judge(&[&line[..], &["--column", "score"]].concat());
    refused.refuses(&["the judge has its own score; that of the bot is bot.score"]);
    let columns = [
        "--column",
        "bot.score",
        "--column",
        "two words",
        "--sort",
        "bot.score",
    ];
    let (said, report) = play(&desk, bot, &columns);
    assert_eq!(report["rows"][0]["numbers"]["bot.score"], 1e6);
    assert_eq!(report["rows"][0]["numbers"]["two words"], 3.0);
    said.shows(&[
        "MiB  bot.score  two words\n",
        "    1000000          3  ",
        "least    bot.score: 0001 0002\n",
    ]);
}

#[test]
fn no_output_replaces_what_the_bot_is_made_of() {
    let desk = desk();
    let texts = [
        ("greedy.sh", "echo 0"),
        ("w.json", "{\"potential\": 1}"),
        ("notes", "mine"),
        ("keep/0001.txt", "mine"),
    ];
    for (name, text) in texts {
        desk.put(name, text);
    }
    for (bot, output) in [
        ("sh greedy.sh", ["--json", "greedy.sh"]),
        ("sh -c 'sh greedy.sh; true'", ["--jsonl", "./greedy.sh"]),
        ("sh greedy.sh --weights=w.json", ["--json", "w.json"]),
        ("sh greedy.sh --weights w.json", ["--jsonl", "w.json"]),
        // And none replaces what is no result at all.
        ("echo 0", ["--json", "w.json"]),
        ("echo 0", ["--json", "notes"]),
        ("echo 0", ["--jsonl", "w.json"]),
        ("echo 0", ["--out", "keep"]),
        ("echo 0", ["--err", "keep"]),
        ("echo 0", ["--json", "in/0001.txt"]),
    ] {
        let line = ["run", "--in", "in", "--bot", bot];
        let said = desk.judge(&[&line[..], &output].concat());
        assert_eq!(
            (said.status, said.out.as_str()),
            (2, ""),
            "{output:?}: {said:?}"
        );
        for (name, text) in texts {
            assert_eq!(desk.read(name), text, "{output:?}");
        }
        assert_eq!(desk.names("keep"), ["0001.txt"], "{output:?}");
    }
    assert_eq!(desk.read("in/0001.txt"), SAMPLE);
    assert_eq!(desk.names("").len(), 6, "{:?}", desk.names(""));
}

#[test]
fn standard_error_is_kept_on_request() {
    let desk = desk();
    let bot = "sh -c 'read w h; read k; echo \"\\$k = $k\" >&2; test $k = 9 && exit 3; echo 0'";
    let (said, _) = play(&desk, bot, &["--err", "err", "--out", "out"]);
    assert_eq!(said.status, 1, "{said:?}");
    assert_eq!(desk.names("err"), ["0001.txt", "0002.txt"]);
    assert_eq!(desk.read("err/0001.txt"), "$k = 11\n");
    assert_eq!(desk.read("err/0002.txt"), "$k = 9\n");
    assert_eq!(desk.read("out/0002.txt"), "");
}

#[test]
fn a_folder_tells_the_history() {
    let desk = desk();
    desk.put("w.json", "{\"potential\": 1}");
    desk.judge(&["history"])
        .refuses(&[".: expected reports of `judge run --json`, found none"]);
    play(&desk, "echo 0", &[]);
    let report = desk.read("r.json").replace("\"processor\":", "\"was\":");
    desk.put(
        "s.json",
        report.replace("\"interrupted\": false", "\"interrupted\": true"),
    );
    desk.judge(&["history", "--json=all.json"]);
    for args in [&["history"][..], &["history", "."]] {
        let said = desk.judge(args);
        assert_eq!(said.status, 0, "{said:?}");
        said.shows(&[
            "\nr.json ",
            "\ns.json ",
            "  (interrupted)",
            "  processor",
            ", build ",
        ]);
        if cfg!(target_os = "linux") && !report.contains("\"was\": null") {
            said.shows(&["note: not all runs have the same processor\n"]);
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn each_game_has_processors_of_its_own() {
    let desk = desk_of(8);
    let bot = "sh -c 'grep ^Cpus_allowed_list: /proc/self/status >> seen; echo 0'";
    let (said, report) = play(&desk, bot, &["--pin"]);
    assert_eq!(
        (said.status, &report["pinned"]),
        (0, &true.into()),
        "{said:?}"
    );
    for line in desk.read("seen").lines() {
        let processor = line.trim_start_matches("Cpus_allowed_list:").trim();
        assert!(processor.parse::<u32>().is_ok(), "{line}");
    }
    let _ = std::fs::remove_file(desk.path("r.json"));
    let refused = desk.judge(&[
        "run", "--in", "in", "--bot", "echo 0", "--pin", "--jobs", "1024",
    ]);
    refused.refuses(&["--pin: expected at most "]);
}

#[test]
fn a_bot_with_threads_has_several_cores() {
    let desk = desk();
    let busy = "for i in 1 2 3; do (i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done) & done; wait; echo 0";
    let (said, report) = play(&desk, &format!("sh -c '{busy}' --threads 1024"), &[]);
    assert_eq!(report["jobs"], 1);
    let cores = report["summary"]["cores"].as_f64().unwrap();
    if cores >= 1.05 {
        said.shows(&[&format!("; the bot had {cores:.1} cores\n")]);
    }
}
