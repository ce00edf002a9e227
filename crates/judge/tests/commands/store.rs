//! A run survives any interruption, and each row matches its plan.

use crate::environments::shell;
use crate::temp_folder::{Output, TempFolder, wait_until};
use columns_cases::digest::Digest;
use columns_cli::ledger::{Header, Ledger};
use columns_test_support::{kill, with_default_signals};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// The number of cases. Case k has k columns.
const CASES: usize = 40;

/// A bot that takes 20 ms, prints the plan in one of two forms at random, and fails on the case with 5
/// columns.
const BOT: &str = "sh -c 'read w h; read k; echo k = $k >&2; sleep 0.02; test $k = 5 && exit 3; \
                   echo 1; echo 1 0; echo; echo \" \" | head -c $(($$ % 2))'";

/// Creates a folder with [`CASES`] different cases.
fn prepare() -> TempFolder {
    let temp = TempFolder::new();
    for case in 1..=CASES {
        let columns = "abc\n".repeat(case);
        temp.put(
            &format!("in/{case:04}.txt"),
            format!("6 13\n{case}\n{columns}"),
        );
    }
    temp
}

/// The arguments that begin a new run of [`BOT`].
const RUN_ARGS: [&str; 7] = ["run", "--in", "in", "--jobs", "2", "--bot", BOT];

/// Returns, for each case of a run, the plan digest in its last row. Leaves out a truncated last line.
fn rows(temp: &TempFolder, run: &str) -> HashMap<String, String> {
    let ledger = fs::read_to_string(temp.path(&format!("{run}/run.jsonl"))).unwrap_or_default();
    let lines = ledger
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'));
    let rows = lines
        .skip(1)
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let text = |row: &Value, field: &str| row[field].as_str().unwrap().to_string();
    rows.map(|row| (text(&row, "name"), text(&row, "output_digest")))
        .collect()
}

/// Returns the folder names of the runs. A folder without a head is not a run: the judge was killed before
/// the run began.
fn run_numbers(temp: &TempFolder) -> Vec<String> {
    // If the judge was killed early, the store may not exist yet.
    let is_made = temp.path("runs").exists();
    let mut names = if is_made {
        temp.names("runs")
    } else {
        Vec::new()
    };
    names.retain(|name| {
        let ledger = fs::read_to_string(temp.path(&format!("runs/{name}/run.jsonl")));
        ledger.is_ok_and(|ledger| ledger.contains('\n'))
    });
    names
}

/// Asserts that each row of a run has a plan file with the digest in the row.
#[track_caller]
fn assert_plans(temp: &TempFolder, run: &str) {
    for (name, digest) in rows(temp, run) {
        let plan = fs::read(temp.path(&format!("{run}/out/{name}.txt"))).unwrap();
        assert_eq!(Digest::new(&plan).to_string(), digest, "{run}: {name}");
    }
}

/// Interrupts runs at `times` random moments, in several ways. Asserts after each interruption that no row is
/// lost, and that each row has its plan.
fn interrupt(times: u64) {
    let temp = prepare();
    let mut random = times;
    let mut kept: HashMap<String, HashMap<String, String>> = HashMap::new();
    for number in 0..times {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let pause = Duration::from_millis((random >> 33) % 250);
        // Of every six rounds, the first begins a run, and the second begins two runs at the same time. The
        // other rounds resume the last interrupted run. In the third round, two processes try to resume it at
        // the same time.
        let mut judges = Vec::new();
        match number % 6 {
            0 => judges.push(temp.start(&RUN_ARGS)),
            1 => judges.extend([temp.start(&RUN_ARGS), temp.start(&RUN_ARGS)]),
            2 => judges.extend([
                temp.start(&["run", "--resume"]),
                temp.start(&["run", "--resume"]),
            ]),
            // A limit on the size of files, 4 KiB or 8 KiB depending on the shell, acts like a full disk.
            3 => {
                let script = "ulimit -f 8; trap '' XFSZ; exec \"$0\" run --resume";
                let mut shell = with_default_signals("sh");
                shell
                    .args(["-c", script])
                    .arg(assert_cmd::cargo::cargo_bin!("judge"));
                let shell = shell
                    .current_dir(temp.path(""))
                    .stdout(Stdio::null())
                    .stderr(Stdio::null());
                judges.push(shell.spawn().unwrap());
            }
            _ => judges.push(temp.start(&["run", "--resume"])),
        }
        thread::sleep(pause);
        for judge in &mut judges {
            if judge.try_wait().unwrap().is_none() {
                let signal = ["KILL", "TERM", "INT"][(random >> 20) as usize % 3];
                kill(signal, judge.id());
            }
            judge.wait().unwrap();
        }
        for name in run_numbers(&temp) {
            let run = format!("runs/{name}");
            let now = rows(&temp, &run);
            let before = kept.entry(run).or_default();
            for (case, digest) in before.iter() {
                assert_eq!(now.get(case), Some(digest), "{number}: {name}, case {case}");
            }
            *before = now;
            // A killed judge may leave a plan without a row, so check only that each row has a plan.
            assert_plans(&temp, &format!("runs/{name}"));
        }
    }
    let runs = run_numbers(&temp);
    assert!(runs.len() as u64 <= times / 2, "{runs:?}");
    // The list contains exactly these runs. A run that hit a full disk and has not been resumed ends with a
    // partial line.
    let list = temp.judge(&["list"]);
    assert_eq!(list.status, 0, "{list:?}");
    let is_ignored = |line: &str| line.ends_with(": incomplete, so this last line is ignored");
    assert!(list.err.lines().all(is_ignored), "{list:?}");
    assert_eq!(list.out.lines().count(), 1 + runs.len(), "{list:?}");
    // In the end, the first two runs can be completed.
    for name in runs.iter().take(2) {
        let run = format!("runs/{name}");
        let output = temp.judge(&["run", "--resume", &run]);
        assert!(output.status < 2, "{output:?}");
        assert_plans(&temp, &run);
        for folder in ["out", "err", "in"] {
            let files = temp.names(&format!("{run}/{folder}"));
            let is_partial = |file: &String| file.contains(".part");
            assert!(!files.iter().any(is_partial), "{files:?}");
        }
    }
}

#[test]
fn no_row_is_lost_and_none_differs_from_its_plan() {
    interrupt(6);
}

/// Like the previous test, with 200 interruptions.
#[test]
#[ignore = "takes a minute; .ci/run plays it"]
fn no_row_is_lost_in_two_hundred_interruptions() {
    interrupt(200);
}

/// Plays a run until it has some rows, then interrupts it.
fn play_and_interrupt() -> TempFolder {
    let temp = prepare();
    let mut judge = temp.start(&RUN_ARGS);
    wait_until(|| rows(&temp, "runs/0001").len() >= 3);
    kill("TERM", judge.id());
    assert_eq!(judge.wait().unwrap().code(), Some(143));
    temp
}

#[test]
fn a_resumed_run_has_the_rows_of_a_whole_one() {
    let temp = play_and_interrupt();
    let kept = rows(&temp, "runs/0001").len();
    let output = temp.judge(&["run", "--resume"]);
    assert_eq!(output.status, 1, "{output:?}");
    output.assert_shows(&[
        &format!("{kept} of {CASES} games were played before\n"),
        "\nrun      1 is kept in runs/0001\n",
    ]);
    let resumed = temp.last_run();
    assert_eq!(temp.judge(&RUN_ARGS).status, 1);
    let whole = temp.last_run();
    let timeless = |run: &Value| -> Vec<Value> {
        let rows = run["rows"].as_array().unwrap().iter().cloned();
        let timeless = rows.map(|mut row| {
            for field in ["wall_s", "cpu_s", "peak_memory_mib", "output_digest"] {
                row[field].take();
            }
            row
        });
        timeless.collect()
    };
    assert_eq!(timeless(&resumed), timeless(&whole));
    assert_eq!(temp.names("runs/0001/err").len(), CASES);
    assert_eq!(temp.read("runs/0001/err/0007.txt"), "k = 7\n");
    temp.judge(&["run", "--resume"])
        .assert_refused(&["runs: expected an interrupted run, found none"]);
    // If plans of a complete run are missing or have changed, only their games are played again.
    let plans = || temp.names("runs/0001/out").len();
    fs::remove_file(temp.path("runs/0001/out/0009.txt")).unwrap();
    temp.put("runs/0001/out/0008.txt", "0\n");
    let output = temp.judge(&["run", "--resume", "1"]);
    output.assert_shows(&[&format!(
        "{} of {CASES} games were played before\n",
        CASES - 2
    )]);
    assert_eq!(plans(), CASES);
    assert_plans(&temp, "runs/0001");
}

#[test]
fn a_run_is_resumed_from_any_folder() {
    let temp = TempFolder::new();
    temp.put_script("mine", "sleep 0.05; echo 0");
    let run = "run --seeds 1..=15 --columns 20 --jobs 1 --bot ./mine";
    let mut judge = temp.start(&run.split(' ').collect::<Vec<_>>());
    wait_until(|| rows(&temp, "runs/0001").len() >= 2);
    kill("INT", judge.id());
    judge.wait().unwrap();
    temp.put("else/where", "");
    let resumed = shell(&temp, "cd else && exec \"$0\" run --resume ../runs/0001");
    assert_eq!(resumed.status, 0, "{resumed:?}");
    assert_eq!(rows(&temp, "runs/0001").len(), 15);
}

#[test]
fn a_run_is_resumed_in_the_store_that_holds_it() {
    let temp = TempFolder::new();
    play(&temp, &["--store", "far"]);
    let comparison = ["run", "--against", "1", "--bot", "echo 0", "--store", "far"];
    assert_eq!(temp.judge(&comparison).status, 3);
    // Run 1 of the default store has other cases than run 1 of the store `far`.
    let other = ["run", "--seeds", "7", "--bot", "echo 0"];
    assert_eq!(temp.judge(&other).status, 0);
    let resumed = temp.judge(&["run", "--resume", "far/0002"]);
    resumed.assert_shows(&["\nall of run 1 is played (2 cases): "]);
    fs::remove_file(temp.path("far/0001/out/0001.txt")).unwrap();
    temp.judge(&["run", "--resume", "far/0001"])
        .assert_shows(&["\nbest     100.00 % of the best known scores on 2 cases; "]);
    // The base of the comparison is replaced by a run with other cases.
    fs::remove_dir_all(temp.path("far/0001")).unwrap();
    fs::rename(temp.path("runs/0001"), temp.path("far/0001")).unwrap();
    temp.judge(&["run", "--resume", "far/0002"]).assert_refused(&[
        "far/0002: expected run 1 to have the same cases as this comparison with it, found --seeds 7 ",
    ]);
}

#[test]
fn an_interrupted_run_counts_only_the_games_that_have_plans() {
    let temp = TempFolder::new();
    temp.put_script("mine", "touch began; [ ! -e slow ] || sleep 60; echo 0");
    let run = ["run", "--seeds", "1..=2", "--bot", "./mine"];
    assert_eq!(temp.judge(&run).status, 0);
    fs::remove_file(temp.path("runs/0001/out/0002.txt")).unwrap();
    fs::remove_file(temp.path("began")).unwrap();
    temp.put("slow", "");
    let script =
        "\"$0\" run --resume 1 & until [ -e began ]; do sleep 0.02; done; kill -TERM $!; wait $!";
    let interrupted = shell(&temp, script);
    let message = "interrupted after 1 of 2 games; to continue: judge run --resume runs/0001\n";
    assert!(interrupted.err.contains(message), "{interrupted:?}");
}

#[test]
fn a_damaged_run_is_refused_with_advice() {
    let temp = play_and_interrupt();
    let whole = temp.read("runs/0001/run.jsonl");
    let mut lines: Vec<&str> = whole.split_inclusive('\n').collect();
    // With another score, the line is still a valid row, but its checksum does not match.
    let forged = lines[2].replace(r#""score":0"#, r#""score":9"#);
    assert_ne!(forged, lines[2]);
    lines[2] = &forged;
    temp.put("runs/0001/run.jsonl", lines.concat());
    temp.judge(&["run", "--resume", "1"]).assert_refused(&[
        "runs/0001/run.jsonl: line 3: expected the line of a run of the judge that follows line 2, \
         found another or a changed one",
        "restore a copy of the file, or delete this line and all after it",
    ]);
    assert_eq!(temp.read("runs/0001/run.jsonl"), lines.concat());
    // After the user follows the advice in the message, the run resumes with the rows above the damaged line.
    temp.put("runs/0001/run.jsonl", lines[..2].concat());
    let output = temp.judge(&["run", "--resume"]);
    output.assert_shows(&[&format!("1 of {CASES} games were played before\n")]);
}

#[test]
fn a_damaged_last_line_is_reported_and_its_game_played_again() {
    let temp = play_and_interrupt();
    let whole = temp.read("runs/0001/run.jsonl");
    let (before, last) = whole.trim_end().rsplit_once('\n').unwrap();
    let line = whole.lines().count();
    let forged = last.replace(r#""score":0"#, r#""score":9"#);
    let reported =
        format!("runs/0001/run.jsonl: line {line}: damaged, so this last line is ignored\n");
    let incomplete = reported.replace("damaged", "incomplete");
    for (end, message) in [
        (format!("{forged}\n"), reported),
        (last[..40].into(), incomplete),
    ] {
        temp.put("runs/0001/run.jsonl", format!("{before}\n{end}"));
        let output = temp.judge(&["show", "1"]);
        assert_eq!(output.err, message);
        output.assert_shows(&[&format!("games    {}: ", line - 2)]);
        let output = temp.judge(&["run", "--resume"]);
        assert_eq!(output.err, message);
        output.assert_shows(&[&format!(
            "{} of {CASES} games were played before\n",
            line - 2
        )]);
        assert_eq!(rows(&temp, "runs/0001").len(), CASES);
    }
}

#[test]
fn a_run_belongs_to_one_process() {
    let temp = prepare();
    let mut first = temp.start(&RUN_ARGS);
    wait_until(|| !rows(&temp, "runs/0001").is_empty());
    temp.judge(&["run", "--resume", "1"])
        .assert_refused(&["runs/0001/run.jsonl: another process is working on this judge run"]);
    temp.judge(&["run", "--resume"])
        .assert_refused(&["expected an interrupted run, found none"]);
    assert_eq!(first.wait().unwrap().code(), Some(1));
    assert_plans(&temp, "runs/0001");
}

#[test]
fn failed_games_have_half_of_the_room_for_errors() {
    let temp = TempFolder::new();
    for name in ["1", "2", "3"] {
        temp.put(
            &format!("in/{name}.txt"),
            format!("6 13\n{name}\n{}", "abc\n".repeat(name.parse().unwrap())),
        );
    }
    // The last game fails, and prints more than 1 MiB, of which the judge keeps 1 MiB.
    let bot = "sh -c 'read w h; read k; echo x >&2; echo 0; test $k != 3 || head -c 1200000 /dev/zero >&2; \
               test $k != 3'";
    let run = ["run", "--in", "in", "--bot", bot, "--jobs", "1"];
    assert_eq!(temp.judge(&run).status, 1);
    let play_again = |names: [&str; 2]| {
        for name in names {
            fs::remove_file(temp.path(&format!("runs/0001/out/{name}.txt"))).unwrap();
        }
        assert_eq!(temp.judge(&["run", "--resume", "1"]).status, 1);
    };
    // Games that have not failed may fill half of the space for standard error. The first game now does so
    // alone.
    let first = fs::File::create(temp.path("runs/0001/err/1.txt"));
    first.unwrap().set_len(32 << 20).unwrap();
    play_again(["2", "3"]);
    assert_eq!(temp.names("runs/0001/err"), ["1.txt", "3.txt"]);
    let kept = fs::metadata(temp.path("runs/0001/err/3.txt"));
    assert_eq!(kept.unwrap().len(), 1 << 20);
    // When a game is played again, its earlier standard error no longer counts.
    play_again(["1", "2"]);
    assert_eq!(temp.names("runs/0001/err").len(), 3);
}

/// Plays a run on seeds 1 and 2. Returns the output.
fn play(temp: &TempFolder, more: &[&str]) -> Output {
    let output = temp.judge(&[&["run", "--seeds", "1..=2", "--bot", "echo 0"], more].concat());
    assert_eq!(output.status, 0, "{output:?}");
    output
}

fn copy(temp: &TempFolder, from: &str, to: &str) {
    let [from, to] = [from, to].map(|name| temp.path(name));
    assert!(
        Command::new("cp")
            .arg("-r")
            .args([from, to])
            .status()
            .unwrap()
            .success()
    );
}

#[test]
fn only_a_folder_with_the_name_of_a_run_is_a_run() {
    let temp = TempFolder::new();
    play(&temp, &[]);
    play(&temp, &[]);
    for name in ["2", "00002", "0000", "0002.old", "20261129", "lastweek"] {
        copy(&temp, "runs/0002", &format!("runs/{name}"));
    }
    fs::create_dir(temp.path("runs/99999999999999999999")).unwrap();
    let list = temp.judge(&["list", "--json"]).json();
    let runs: Vec<_> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|run| &run["run"])
        .collect();
    // Of the copies, only `20261129` has a name that the judge would choose.
    assert_eq!(runs, ["runs/0001", "runs/0002", "runs/20261129"]);
    fs::remove_dir_all(temp.path("runs/20261129")).unwrap();
    // An empty folder is not a run, but the judge neither uses its number nor changes it.
    fs::create_dir(temp.path("runs/20261129")).unwrap();
    fs::create_dir(temp.path("runs/0003")).unwrap();
    play(&temp, &[]).assert_shows(&["\nrun      4 is kept in runs/0004\n"]);
    assert!(temp.names("runs/0003").is_empty());
    temp.judge(&["show", "2"]).assert_shows(&["run 2: echo 0"]);
    temp.judge(&["show", "0002"])
        .assert_shows(&["run 2: echo 0"]);
    // Copies of runs are named by their paths.
    for path in ["runs/2", "runs/0002.old", "runs/lastweek"] {
        temp.judge(&["show", path])
            .assert_shows(&[&format!("run {path}: echo 0")]);
    }
    copy(&temp, "runs/0002", "lastweek");
    temp.judge(&["show", "lastweek"])
        .assert_shows(&["run lastweek: echo 0"]);
}

#[test]
fn every_path_of_a_run_leads_to_the_same_run() {
    let temp = TempFolder::new();
    play(&temp, &["--name", "a"]);
    play(&temp, &[]);
    let whole = temp.path("runs/0002");
    for path in ["./runs/0002", "runs/../runs/0002", whole.to_str().unwrap()] {
        temp.judge(&["compare", path])
            .assert_shows(&["A  run 2: ", "B  run 1 a: "]);
    }
    // A run is not compared with itself.
    fs::remove_dir_all(temp.path("runs/0001")).unwrap();
    fs::remove_file(temp.path("runs/0002/out/0001.txt")).unwrap();
    let resumed = temp.judge(&["run", "--resume", "./runs/0002"]);
    resumed.assert_shows(&["\nrun      2 is kept in runs/0002\n"]);
    assert!(!resumed.out.contains("of best"), "{resumed:?}");
}

#[test]
fn git_ignores_only_a_store_that_the_judge_has_made() {
    let temp = TempFolder::new();
    play(&temp, &["--store", "."]);
    assert_eq!(temp.names(""), ["0001"]);
    play(&temp, &["--store", "far/runs"]);
    assert_eq!(temp.names("far"), ["runs"]);
    assert_eq!(temp.names("far/runs"), [".gitignore", "0001"]);
}

#[test]
fn a_name_is_used_once() {
    let temp = TempFolder::new();
    play(&temp, &["--name", "base"]);
    play(&temp, &["--name", "basement"]);
    temp.put(
        "columns.toml",
        "bot = \"./mine\"\nbuild = \"touch built\"\n",
    );
    for (name, folder) in [("base", "runs/0001"), ("basement", "runs/0002")] {
        let expected = format!("--name: expected a new name: {folder} has the name \"{name}\"");
        temp.judge(&["run", "--name", name])
            .assert_refused(&[&expected]);
    }
    assert!(!temp.path("built").exists());
    assert_eq!(temp.names("runs"), [".gitignore", "0001", "0002"]);
}

#[test]
fn a_missing_store_is_named() {
    let temp = TempFolder::new();
    let commands: [&[&str]; 6] = [
        &["list"],
        &["show"],
        &["show", "base"],
        &["compare"],
        &["open"],
        &["run", "--resume"],
    ];
    for command in commands {
        temp.judge(&[command, &["--store", "rums"]].concat())
            .assert_refused(&[
                "rums: no such folder: judge run makes it, and --store names another one",
            ]);
        temp.judge(command)
            .assert_refused(&["runs: no such folder: judge run makes it"]);
    }
    std::os::unix::fs::symlink("/none/runs", temp.path("runs")).unwrap();
    let play: &[&str] = &["run", "--seeds", "1", "--bot", "echo 0"];
    for command in commands.into_iter().chain([play]) {
        temp.judge(command)
            .assert_refused(&["runs: a link to /none/runs, which does not exist"]);
    }
}

#[test]
fn a_damaged_run_is_refused_if_it_may_be_the_requested_one() {
    let temp = TempFolder::new();
    for name in ["a", "b", "c"] {
        play(&temp, &["--name", name]);
    }
    let damage = |run: &str| {
        let path = format!("runs/{run}/run.jsonl");
        let ledger = temp.read(&path);
        temp.put(&path, ledger.replacen("\"score\":", "\"score\":1", 1));
        ledger
    };
    let whole = damage("0002");
    let damaged = [
        "runs/0002/run.jsonl: line 2: expected the line of a run of the judge that follows line 1",
    ];
    for command in [
        &["show", "2"][..],
        &["show", "b"],
        &["show", "last~1"],
        &["compare", "a", "b"],
        &["compare"],
    ] {
        temp.judge(command).assert_refused(&damaged);
    }
    // Commands that do not need the damaged run still work.
    for command in [
        &["show"][..],
        &["show", "last"],
        &["show", "1"],
        &["compare", "a", "c"],
        &["compare", "a"],
    ] {
        assert_eq!(temp.judge(command).status, 0, "{command:?}");
    }
    let list = temp.judge(&["list"]);
    assert_eq!((list.status, list.out.lines().count()), (0, 4), "{list:?}");
    let line = list.out.lines().nth(2).unwrap();
    assert!(
        line.starts_with("2 ") && line.contains("damaged: runs/0002/run.jsonl: line 2"),
        "{line}"
    );
    let listed = temp.judge(&["list", "--json"]).json();
    assert!(
        listed[1]["damaged"].as_str().unwrap().contains("line 2"),
        "{listed}"
    );
    temp.put("runs/0002/run.jsonl", whole);
    damage("0003");
    for command in [
        &["show"][..],
        &["show", "last~1"],
        &["compare"],
        &["compare", "a"],
        &["run", "--resume"],
    ] {
        temp.judge(command)
            .assert_refused(&["runs/0003/run.jsonl: line 2: "]);
    }
    // A new run can still begin.
    play(&temp, &["--name", "d"]);
}

/// The head of a run in the previous format.
#[derive(Debug, Serialize, Deserialize)]
struct OldHead {
    bot: String,
}

impl Header for OldHead {
    const LEDGER: &'static str = "judge run";
    const DESCRIPTION: &'static str = "an old run";
    const FORMAT_VERSION: u32 = 1;
}

#[test]
fn a_store_in_the_previous_format_is_refused_in_one_line() {
    let temp = TempFolder::new();
    for run in ["0001", "0002"] {
        fs::create_dir_all(temp.path(&format!("runs/{run}"))).unwrap();
        let path = temp.path(&format!("runs/{run}/run.jsonl"));
        let bot = "echo 0".into();
        Ledger::<Value>::open_or_create(&path, &OldHead { bot }).unwrap();
    }
    let play: &[&str] = &["run", "--seeds", "1", "--bot", "echo 0", "--name", "new"];
    for command in [&["list"], &["show", "1"][..], &["compare"], play] {
        temp.judge(command).assert_refused(&[
            "/run.jsonl: expected a run of the judge in format 2, found format 1: version 0.2.0 of this \
             command reads it",
        ]);
    }
    assert_eq!(temp.names("runs"), ["0001", "0002"]);
}
