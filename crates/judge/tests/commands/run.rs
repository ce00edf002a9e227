//! `judge run` with good and bad bots, which are shell commands.

use crate::environments::shell;
use crate::temp_folder::{
    Output, SAMPLE, SAMPLE_PLAN, TempFolder, noise, split_advice, wait_until,
};
use columns_test_support::{kill, with_default_signals};
use serde_json::Value;
use std::time::{Duration, Instant};

/// Makes a folder with two cases: the sample, and a case that ends early if the plan has no placements.
fn prepare() -> TempFolder {
    let temp = TempFolder::new();
    temp.put("in/0001.txt", SAMPLE);
    temp.put("in/0002.txt", format!("7 14\n9\n{}", "abc\n".repeat(9)));
    temp.put("in/README.md", "not a case");
    temp.put("in/._0001.txt", "metadata that macOS keeps of a case");
    temp.put("good.txt", SAMPLE_PLAN);
    temp
}

/// Makes a folder with `cases` cases: the two cases of [`prepare`], then copies of the sample.
fn prepare_cases(cases: usize) -> TempFolder {
    let temp = prepare();
    for i in 3..=cases {
        temp.put(&format!("in/{i:04}.txt"), SAMPLE);
    }
    temp
}

/// Plays a bot. Returns the output, and the run as `judge show --json` prints it.
fn play(temp: &TempFolder, bot: &str, more: &[&str]) -> (Output, Value) {
    let output = temp.judge(&[&["run", "--in", "in", "--bot", bot], more].concat());
    (output, temp.last_run())
}

/// Returns the values of a field in all rows of a report.
fn field_values(report: &Value, field: &str) -> Vec<Value> {
    let rows = report["rows"].as_array().unwrap().iter();
    rows.map(|row| row[field].clone()).collect()
}

/// True if a process is running, and is not a zombie.
fn is_running(pid: &str) -> bool {
    let ps = std::process::Command::new("ps")
        .args(["-o", "stat=", "-p", pid.trim()])
        .output()
        .expect("this test needs the command ps");
    let state = String::from_utf8(ps.stdout).unwrap();
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

/// Waits for a process to end, for at most 5 seconds. Returns true if it has ended. The processes of these
/// tests sleep for a minute unless they are killed.
pub(crate) fn wait_for_end(pid: &str) -> bool {
    let clock = Instant::now();
    while is_running(pid) && clock.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(10));
    }
    !is_running(pid)
}

/// Plays a bot. Asserts that the judge exits with status 1, and that all games score 0 with the result
/// `status` and a reason that contains `reason`.
#[track_caller]
fn assert_fails(bot: &str, more: &[&str], status: &str, reason: &str) -> Value {
    let temp = prepare();
    let (output, report) = play(&temp, bot, more);
    assert_eq!(output.status, 1, "{output:?}");
    assert_eq!(output.err, "");
    for row in report["rows"].as_array().unwrap() {
        assert_eq!(
            (&row["status"], &row["score"]),
            (&status.into(), &0.into()),
            "{row}"
        );
        assert!(row["reason"].as_str().unwrap().contains(reason), "{row}");
        assert_eq!(row["placed_columns"], Value::Null);
    }
    assert_eq!(report["summary"][status], 2);
    assert_eq!(report["summary"]["sum"], 0);
    // Scores of 0 count as 1. Quickstart scores 141 and 0 points.
    let against = report["summary"]["against_quickstart"].as_f64().unwrap();
    let baselines = field_values(&report, "quickstart_score").into_iter();
    let product: f64 = baselines.map(|of| of.as_f64().unwrap().max(1.0)).product();
    assert!((against - product.powf(-0.5)).abs() < 1e-9, "{report}");
    report
}

#[test]
fn a_good_bot_gets_a_table_and_a_run() {
    let temp = prepare();
    // The bot prints a plan for the sample, and an empty plan for the other case.
    let bot = "sh -c 'read w h; read k; case $k in 11) cat good.txt;; *) echo 0;; esac'";
    let (output, report) = play(&temp, bot, &["--jobs", "2"]);
    assert_eq!((output.status, output.err.as_str()), (0, ""), "{output:?}");
    let lines: Vec<&str> = output.out.lines().collect();
    assert!(
        lines[0].starts_with("case   size  colours"),
        "{}",
        output.out
    );
    assert!(lines[1].starts_with("0001   6x13"), "{}", output.out);
    assert!(lines[1].ends_with("ok"), "{}", output.out);
    assert!(lines[2].starts_with("0002   7x14"), "{}", output.out);
    // Four columns fit into a stack of 14 cells; the fifth does not.
    assert!(lines[2].ends_with("ended early at 5"), "{}", output.out);
    output.assert_shows(&[
        "games    2: 1 ok, 1 ended early",
        "sum      141\n",
        "% of a core\n",
        "worst    0002\nrun      1 is kept in runs/0001\n",
    ]);

    assert_eq!(temp.names("runs/0001/out"), ["0001.txt", "0002.txt"]);
    assert_eq!(temp.read("runs/0001/out/0001.txt"), SAMPLE_PLAN);
    assert_eq!(temp.read("runs/0001/in/0001.txt"), SAMPLE);
    assert_eq!(temp.read("runs/.gitignore"), "*\n");
    assert_eq!(field_values(&report, "seed"), [1, 2]);
    let head = &report["head"];
    assert_eq!(head["bot"], bot);
    assert_eq!(head["time_limit_s"], 4.0);
    assert_eq!(head["jobs"], 2);
    let row = &report["rows"][0];
    assert_eq!(row["score"], 141);
    assert_eq!(row["quickstart_score"], 141);
    assert_eq!(
        (&row["placed_columns"], &row["longest_chain"]),
        (&11.into(), &1.into())
    );
    assert_eq!(
        (&row["colours"], &row["magic_columns"]),
        (&4.into(), &1.into())
    );
    // A case file does not state the kind of its palette.
    assert_eq!(row["palette"], Value::Null);
    let wall = row["wall_s"].as_f64().unwrap();
    assert!(wall > 0.0 && wall < 4.0);
    assert!(row["peak_memory_mib"].as_f64().unwrap() > 0.1);
    assert_eq!(report["rows"][1]["status"], "ended_early");
    assert_eq!(report["rows"][1]["placed_columns"], 4);
}

#[test]
fn a_bot_that_sleeps_exceeds_the_time_limit() {
    let clock = Instant::now();
    let limit = ["--time-limit", "0.3", "--jobs", "2"];
    // If the judge did not kill the children of the bot, this test would take a minute.
    let report = assert_fails(
        "sh -c 'sleep 60 & sleep 61; echo 0'",
        &limit,
        "tle",
        "more than 0.3 s",
    );
    assert!(clock.elapsed() < Duration::from_secs(50));
    // The supervisor kills the bot half a second after the limit.
    let wall = report["rows"][0]["wall_s"].as_f64().unwrap();
    assert!(wall >= 0.8, "{wall}");
}

#[test]
fn a_bot_that_is_a_little_late_is_not_killed() {
    let temp = prepare_cases(8);
    let bot = "sh -c 'sleep 0.15; echo $$ >> done; echo 0'";
    let limit = ["--time-limit", "0.1", "--jobs", "1"];
    let (output, report) = play(&temp, bot, &limit);
    assert_eq!((output.status, &report["summary"]["tle"]), (1, &8.into()));
    // If the machine stalls, the judge may kill some of the bots, but not all of them.
    assert!(temp.read("done").lines().count() >= 1);
    assert!(report["rows"][0]["wall_s"].as_f64().unwrap() >= 0.15);
}

/// Failures: the status of the game, a part of the reason, and the bot. The judge keeps the last line of
/// standard error, however much the bot prints.
const FAILURES: &str = r"
crashed | exit status: 3 | sh -c 'echo 0; exit 3'
crashed | signal: 11 (SIGSEGV) | sh -c 'echo 0; kill -SEGV $$'
crashed | exit status: 101: the reason | sh -c 'echo first >&2; echo the reason >&2; exit 101'
crashed | exit status: 1: the end | sh -c 'yes | head -c 3000000 >&2; echo the end >&2; exit 1'
invalid | line 1: expected the number of placements | true
invalid | line 1: expected | echo 1 7 9
invalid | line 1: expected the end of the input | echo 0 0
";

#[test]
fn crashes_and_invalid_plans_have_a_reason() {
    for failure in FAILURES.trim_matches('\n').lines() {
        let mut parts = failure.splitn(3, " | ");
        let [status, reason, bot] = std::array::from_fn(|_| parts.next().unwrap());
        assert_fails(bot, &[], status, reason);
    }
    let temp = prepare();
    temp.put("noise", noise());
    let (output, report) = play(&temp, "cat noise", &[]);
    assert_eq!(output.status, 1);
    assert_eq!(report["summary"]["invalid"], 2);
    output.assert_shows(&["bytes that are not UTF-8"]);
}

#[test]
fn a_bot_that_never_stops_printing_is_killed() {
    let clock = Instant::now();
    assert_fails(
        "yes",
        &["--time-limit", "60"],
        "invalid",
        "expected a plan, found 1048576 bytes or more",
    );
    assert!(
        clock.elapsed() < Duration::from_secs(20),
        "the judge did not kill it immediately"
    );
}

#[test]
fn a_bot_that_uses_too_much_memory_is_killed() {
    // `tail`, a child of the shell, keeps the whole line in memory.
    let bot = "sh -c 'head -c 150000000 /dev/zero | tail -n 1 | wc -c; echo'";
    let report = assert_fails(
        bot,
        &["--memory-limit", "64", "--time-limit", "60"],
        "mle",
        "more than 64 MiB",
    );
    let peak = report["rows"][0]["peak_memory_mib"].as_f64().unwrap();
    assert!(peak > 64.0, "{peak}");
    // Under a higher limit, the same bot exits on its own. The number that `wc` prints is not a valid plan.
    let temp = prepare();
    let (_, report) = play(
        &temp,
        bot,
        &["--memory-limit", "1024", "--time-limit", "60"],
    );
    assert_eq!(report["summary"]["invalid"], 2, "{report}");
    let peak = report["rows"][0]["peak_memory_mib"].as_f64().unwrap();
    assert!(peak > 140.0, "{peak}");
}

#[test]
fn a_bot_may_use_a_process_whose_parent_has_ended() {
    // The game on the sample ends while an orphan of the other game is running, and must not kill the orphan.
    let bot = "sh -c 'read w h; read k; \
        if [ $k = 11 ]; then until [ -e on ]; do sleep 0.01; done; sleep 0.2; echo 0; exit; fi; \
        (sh -c \"touch on; sleep 0.5; touch done\" &); until [ -e done ]; do sleep 0.01; done; echo 0'";
    let (output, _) = play(&prepare(), bot, &["--jobs", "2"]);
    assert_eq!(output.status, 0, "{output:?}");
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "fills memory for seconds; .ci/run plays it"]
fn the_memory_limit_holds_for_all_processes_of_a_bot() {
    // `tail` keeps the line in memory until its input ends. A bot that exceeds the limit is killed before
    // that.
    let bot = |processes: &str, seconds: u32| {
        format!(
            "sh -c 'for i in {processes}; do \
             (head -c 45000000 /dev/zero; sleep {seconds}) | tail -n 1 | wc -c & done; wait'"
        )
    };
    let limit = ["--memory-limit", "80", "--jobs", "1"];
    assert_fails(&bot("1 2", 9), &limit, "mle", "more than 80 MiB");
    // A process whose parent has ended also counts.
    let orphan =
        "sh -c '((head -c 90000000 /dev/zero; sleep 9) | tail -n 1 | wc -c &); sleep 9; echo 0'";
    assert_fails(orphan, &limit, "mle", "more than 80 MiB");
    let (_, report) = play(&prepare(), &bot("1", 1), &limit);
    assert_eq!(report["summary"]["invalid"], 2, "{report}");
}

#[test]
fn a_bot_may_print_before_it_reads_a_large_case() {
    let temp = TempFolder::new();
    temp.put(
        "in/1.txt",
        format!("6 13\n10000\n{}", "abc\n".repeat(10_000)),
    );
    // The bot prints 900 KB of spaces before it reads the case.
    let bot = "sh -c 'head -c 900000 /dev/zero | tr \"\\000\" \" \"; cat > seen; echo 0'";
    let (output, report) = play(&temp, bot, &[]);
    assert_eq!(output.status, 0, "{output:?}");
    assert_eq!(report["summary"]["ended_early"], 1);
    assert_eq!(temp.read("seen"), temp.read("in/1.txt"));
}

#[test]
fn rows_are_in_the_order_of_the_cases() {
    let temp = TempFolder::new();
    for k in 1..=12 {
        temp.put(
            &format!("in/{k:04}.txt"),
            format!("6 13\n{k}\n{}", "abc\n".repeat(k)),
        );
    }
    // The first game ends last, but its row must come first.
    let bot = "sh -c 'read w h; read k; test $k = 1 && sleep 0.3; echo 0'";
    let (output, report) = play(&temp, bot, &["--jobs", "4"]);
    assert_eq!(output.status, 0);
    assert_eq!(
        field_values(&report, "columns"),
        (1..=12).collect::<Vec<u64>>()
    );
    let lines = output.out.lines().skip(1).take(12);
    let listed: Vec<&str> = lines.map(|line| &line[..4]).collect();
    let names: Vec<String> = (1..=12).map(|k| format!("{k:04}")).collect();
    assert_eq!(listed, names);
}

#[test]
fn seeds_and_files_of_the_same_cases_give_the_same_run() {
    let temp = TempFolder::new();
    let report = |args: &[&str]| -> Value {
        let bot = "sh -c 'mkdir -p seen; cat > seen/$$; echo 0'";
        let output = temp.judge(&[&["run", "--bot", bot], args].concat());
        assert_eq!(output.status, 0, "{output:?}");
        temp.last_run()
    };
    let seeded = report(&["--seeds", "1..4", "--profile", "small"]);
    let expected = serde_json::json!({"seeds": ["1..=3"], "spec": {"profile": "small"}});
    assert_eq!(seeded["head"]["cases"]["generated"], expected);
    assert_eq!(field_values(&seeded, "seed"), [1, 2, 3]);
    assert_eq!(
        field_values(&seeded, "palette"),
        ["fixed", "growing", "fixed"]
    );
    let mut digests = Vec::new();
    for name in temp.names("seen") {
        let case: columns_core::rules::case::Case =
            temp.read(&format!("seen/{name}")).parse().unwrap();
        digests.push(columns_cases::digest::case_digest(&case));
    }
    digests.sort();
    let mut reported = field_values(&seeded, "case_digest");
    reported.sort_by_key(Value::to_string);
    assert_eq!(reported, digests);

    let spec = columns_generator::Spec::new(columns_generator::Profile::Small);
    for seed in 0..6 {
        let case = columns_generator::generate(seed, &spec).to_string();
        temp.put(&format!("my cases/{seed:04}.txt"), case);
    }
    let from_files = report(&["--seeds", "1..=3", "--in", "my cases"]);
    assert_eq!(
        field_values(&from_files, "case_digest"),
        field_values(&seeded, "case_digest")
    );
    let files = serde_json::json!({"source": "my cases", "names": ["0001", "0002", "0003"]});
    assert_eq!(from_files["head"]["cases"]["files"], files);
    assert_eq!(
        field_values(&report(&["--in", "my cases"]), "seed"),
        [0, 1, 2, 3, 4, 5]
    );
    let output = temp.judge(&["show"]);
    output.assert_shows(&["--in 'my cases'\n"]);
}

#[test]
fn twenty_seeds_are_played_by_default() {
    let temp = TempFolder::new();
    let output = temp.judge(&["run", "--bot", "echo 0"]);
    assert_eq!(output.status, 0);
    assert!(output.out.lines().nth(1).unwrap().starts_with("0002 "));
    assert!(output.out.lines().nth(20).unwrap().starts_with("0021 "));
    output.assert_shows(&["games    20: "]);
}

#[test]
fn json_is_a_line_for_each_game_then_the_summary() {
    let temp = prepare_cases(9);
    let output = temp.judge(&["run", "--in", "in", "--bot", "echo 0", "--json"]);
    assert_eq!((output.status, output.err.as_str()), (0, ""), "{output:?}");
    let lines: Vec<Value> = output
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let run = temp.last_run();
    assert_eq!(lines[..9], run["rows"].as_array().unwrap()[..]);
    let last = &lines[9];
    assert_eq!(
        (&last["run"], &last["summary"]),
        (&"runs/0001".into(), &run["summary"])
    );
    // The shuffled order is always the same, and the run lists its rows in the order of the cases.
    let names = || -> Vec<String> {
        let output = temp.judge(&[
            "run",
            "--in",
            "in",
            "--bot",
            "echo 0",
            "--json",
            "--shuffle",
        ]);
        output.out.lines().map(|line| line[..15].into()).collect()
    };
    let (first, second) = (names(), names());
    assert_eq!(first, second);
    assert!(!first[..9].is_sorted());
    assert_eq!(
        field_values(&temp.last_run(), "name"),
        field_values(&run, "name")
    );
}

/// Pipes the output of a run to a process that exits after two lines. Returns the number of games that were
/// played, and the judge's exit status.
fn play_without_reader(temp: &TempFolder, options: &str) -> (usize, String) {
    let script = format!(
        "(\"$0\" run --in in --jobs 1 {options} --bot 'sh -c \"sleep 0.1; echo >> played; echo 0\"' \
         2> err; echo $? > rc) | head -n 2 > /dev/null"
    );
    assert_eq!(shell(temp, &script).status, 0);
    assert_eq!(split_advice(&temp.read("err"))[1], "");
    (temp.read("played").lines().count(), temp.read("rc"))
}

#[test]
fn a_run_ends_when_its_reader_of_json_ends() {
    let temp = prepare_cases(39);
    let (played, status) = play_without_reader(&temp, "--json");
    assert!(
        (1..30).contains(&played),
        "{played} games: the run did not end"
    );
    assert_eq!(status, "0\n");
}

/// If the reader of a pipe stalls, the pipe fills up and the judge can no longer print. A signal must still
/// end the judge.
#[test]
fn a_full_pipe_does_not_block_an_interrupted_run() {
    let temp = prepare_cases(60);
    // A row of this bot takes about 50 KiB.
    let bot =
        "sh -c 'x=$(printf %0500d); for i in $(seq 100); do echo a$x$i = 1 >&2; done; echo 0'";
    let mut judge = with_default_signals(assert_cmd::cargo::cargo_bin!("judge"))
        .args(["run", "--in", "in", "--json", "--bot", bot])
        .current_dir(temp.path(""))
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // The reader exists, but reads nothing.
    let _reader = judge.stdout.take();
    let ledger = temp.path("runs/0001/run.jsonl");
    // A pipe holds 64 KiB. Once the ledger has 256 KiB, the pipe is full.
    wait_until(|| std::fs::metadata(&ledger).is_ok_and(|file| file.len() >= 1 << 18));
    kill("INT", judge.id());
    std::thread::sleep(Duration::from_millis(300));
    kill("INT", judge.id());
    assert!(wait_for_end(&judge.id().to_string()));
    assert_eq!(judge.wait().unwrap().code(), Some(130));
    temp.judge(&["list"]).assert_shows(&[" of 60 "]);
}

#[test]
fn a_run_continues_without_a_reader_of_its_table() {
    let temp = prepare_cases(9);
    let (played, status) = play_without_reader(&temp, "");
    assert_eq!((played, &*status), (9, "0\n"));
    assert_eq!(temp.last_run()["rows"].as_array().unwrap().len(), 9);
}

/// Starts a run of a bot that sleeps, sends the judge a signal as soon as the bot runs, and waits for the
/// judge to end. `first` is the start of the bot's script. Returns the judge's exit status and standard
/// error, and the bot's process ID.
fn interrupt(
    temp: &TempFolder,
    signal: &str,
    first: &str,
) -> (std::process::ExitStatus, String, String) {
    let judge = assert_cmd::cargo::cargo_bin!("judge");
    let bot = format!("sh -c '{first} echo $$ >> started; sleep 60'");
    let mut child = with_default_signals(judge)
        .args(["run", "--in", "in", "--jobs", "1", "--time-limit", "60"])
        .args(["--bot", &bot])
        .current_dir(temp.path(""))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    wait_until(|| temp.path("started").exists() && !temp.read("started").is_empty());
    kill(signal, child.id());
    let status = child.wait().unwrap();
    let mut err = String::new();
    std::io::Read::read_to_string(&mut child.stderr.unwrap(), &mut err).unwrap();
    let [_, err] = split_advice(&err);
    (status, err, temp.read("started"))
}

#[test]
fn an_interrupted_run_keeps_the_games_that_have_ended() {
    let first = "read w h; read k; if test $k = 11; then echo 0; exit; fi;";
    for (signal, status, first, games) in [
        ("INT", 130, "", 0),
        ("TERM", 143, first, 1),
        ("HUP", 129, first, 1),
    ] {
        let temp = prepare();
        let (ended, err, bot) = interrupt(&temp, signal, first);
        assert_eq!(ended.code(), Some(status));
        let expected = format!(
            "interrupted after {games} of 2 games; to continue: judge run --resume runs/0001"
        );
        assert_eq!(err, format!("judge: {expected}\n"));
        assert_eq!(temp.last_run()["summary"]["games"], games);
        assert!(wait_for_end(&bot), "bot {bot} is left");
        let output = temp.judge(&["list"]);
        output.assert_shows(&[&format!("  {games} of 2  ")]);
    }
}

#[test]
fn the_numbers_of_a_bot_are_kept() {
    let temp = prepare();
    let bot = "sh -c 'read w h; read k; echo x = $k >&2; \
               echo \\$y = 2.5 >&2; echo \"[DATA] z = -1\" >&2; echo noise >&2; echo 0'";
    let more = ["--number", "x", "--number", "none", "--jobs", "2"];
    let (output, report) = play(&temp, bot, &more);
    assert_eq!(output.status, 0, "{output:?}");
    let numbers = |x: f64| serde_json::json!({"x": x, "y": 2.5, "z": -1.0});
    let rows = &report["rows"];
    assert_eq!(
        (&rows[0]["numbers"], &rows[1]["numbers"]),
        (&numbers(11.0), &numbers(9.0))
    );
    let header = output.out.lines().next().unwrap();
    assert!(header.contains("MiB         x      none"), "{output:?}");
    output.assert_shows(&[
        "        11         -  ended early at",
        "worst    0002 0001\n",
    ]);
    let output = temp.judge(&["show", "--number", "x", "--number", "cpu_s"]);
    output.assert_shows(&["MiB         x     cpu_s  result\n", "        11  "]);
    temp.judge(&["show", "last", "2", "--number", "x"])
        .assert_refused(&["--number"]);
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "fills memory for seconds; .ci/run plays it"]
fn shared_memory_counts_once() {
    // The bot is a shell that holds a long variable. `more` can start children, which share the memory of the
    // shell.
    let bot = |more: &str| {
        let long = "x=$(head -c 40000000 /dev/zero | tr \"\\000\" a)";
        format!("sh -c '{long}; {more} sleep 0.3; echo 0'")
    };
    let temp = prepare();
    let peak = |bot: &str| -> f64 {
        let (output, report) = play(&temp, bot, &["--jobs", "1", "--time-limit", "60"]);
        assert_eq!(output.status, 0, "{output:?}");
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
fn a_number_of_the_bot_does_not_replace_one_of_the_judge() {
    let temp = prepare();
    let bot = "sh -c 'echo score = 1000000 >&2; echo two words = 3 >&2; echo 0'";
    let columns = ["--number", "score", "--number", "two words"];
    let (output, report) = play(&temp, bot, &columns);
    let row = &report["rows"][0];
    assert_eq!(
        (&row["score"], &row["numbers"]["score"]),
        (&329.into(), &1e6.into())
    );
    assert_eq!(row["numbers"]["two words"], 3.0);
    // The column `score` shows the judge's score, not the number that the bot printed under that name.
    output.assert_shows(&[
        "MiB     score  two words  result\n",
        "       329          3  ",
    ]);
    // A failed game has no `placed_columns`, even if the bot reports a number with this name.
    let (output, _) = play(
        &temp,
        "sh -c 'echo placed_columns = 7 >&2'",
        &["--number", "placed_columns"],
    );
    output.assert_shows(&["MiB  placed_columns  result\n", "             -  invalid: "]);
}
