//! Tests of `judge run --against`, which compares a bot with a base run, and of `judge watch`, which does so
//! after each change of the bot's sources.

use crate::environments::shell;
use crate::temp_folder::{TempFolder, wait_until};
use columns_cli::ledger::{self, Ledger};
use columns_judge::head::Head;
use columns_test_support::{kill, with_default_signals};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// Arguments that play a base run of 40 cases.
const BASE_ARGS: [&str; 7] = ["run", "--seeds", "2..=41", "--columns", "20", "--jobs", "2"];

/// A running `judge watch`, and the lines that it prints to standard output and standard error.
struct Watch {
    child: Child,
    lines: Receiver<String>,
}

impl Watch {
    /// Starts the command, and waits until it reports that it is watching.
    fn start(temp: &TempFolder, more: &[&str]) -> Self {
        let mut command = with_default_signals(assert_cmd::cargo::cargo_bin!("judge"));
        command.arg("watch").args(more).current_dir(temp.path(""));
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (sender, lines) = mpsc::channel();
        let streams: [Box<dyn std::io::Read + Send>; 2] = [
            Box::new(child.stdout.take().unwrap()),
            Box::new(child.stderr.take().unwrap()),
        ];
        for stream in streams {
            let sender = sender.clone();
            thread::spawn(move || {
                let lines = BufReader::new(stream).lines().map_while(Result::ok);
                lines.for_each(|line| drop(sender.send(line)));
            });
        }
        let watch = Self { child, lines };
        watch.expect("watching ");
        watch
    }

    /// Returns the lines up to the first that contains `part`. Panics if no line arrives for 20 seconds.
    #[track_caller]
    fn expect(&self, part: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while !lines
            .last()
            .is_some_and(|line: &String| line.contains(part))
        {
            let line = self.lines.recv_timeout(Duration::from_secs(20));
            lines.push(line.unwrap_or_else(|_| panic!("no line with {part:?} after {lines:?}")));
        }
        lines
    }

    /// Waits for `seconds`, and returns the lines that no other call has returned.
    fn lines_for(&self, seconds: f64) -> Vec<String> {
        thread::sleep(Duration::from_secs_f64(seconds));
        self.lines.try_iter().collect()
    }

    /// Ends the command with a signal. Returns its exit status and the time until it ended.
    fn end(mut self, signal: &str) -> (Option<i32>, Duration) {
        let start = Instant::now();
        kill(signal, self.child.id());
        (self.child.wait().unwrap().code(), start.elapsed())
    }
}

/// Makes a folder with a bot, its source, a `columns.toml` with the text `config`, and a base run.
fn prepare(config: &str, bot: &str) -> TempFolder {
    let temp = TempFolder::new();
    temp.put("columns.toml", config);
    temp.put_script("mine", bot);
    temp.put_script("src/main.sh", bot);
    let output = temp.judge(&BASE_ARGS);
    assert!(output.status < 2, "{output:?}");
    temp
}

#[test]
fn a_change_is_compared_with_the_base() {
    let temp = prepare("bot = \"./mine\"\n", "echo 0");
    let watch = Watch::start(&temp, &["--max-time", "1s"]);
    // The games are slow while the file `slow` exists, and the new bot is as good as the base, so the time is
    // up before the sequential test decides.
    let bot = "[ ! -e slow ] || sleep 0.3; echo 0";
    temp.put("slow", "");
    temp.put_script("mine", bot);
    watch.expect("undecided: +0.00 % (with each game's change clipped");
    watch.expect("to continue: judge run --resume runs/0002");
    // A few games are enough to decide against a bot that crashes.
    temp.put_script("mine", "exit 1");
    watch.expect("worse: ");
    let (status, time) = watch.end("INT");
    assert_eq!(status, Some(130));
    assert!(time < Duration::from_secs(2), "{time:?}");
    // Both runs are kept and marked. Neither counts as the last run or as a run to resume.
    let list = temp.judge(&["list"]).out;
    assert_eq!(list.matches("  (against 1)").count(), 2, "{list}");
    assert_eq!(temp.last_run()["rows"].as_array().unwrap().len(), 40);
    temp.judge(&["run", "--resume"])
        .assert_refused(&["expected an interrupted run, found none"]);
    // The printed command continues the comparison.
    temp.put_script("mine", bot);
    fs::remove_file(temp.path("slow")).unwrap();
    let resumed = temp.judge(&["run", "--resume", "runs/0002", "--max-time", "20s"]);
    assert_eq!(resumed.status, 3, "{resumed:?}");
    resumed.assert_shows(&[
        "undecided: +0.00 %",
        " after 40 games, ",
        "\nall of run 1 is played (40 cases): ",
    ]);
}

#[test]
fn build_output_triggers_no_other_build() {
    let check = |build: &str| {
        let config = format!("bot = \"./mine\"\nbuild = \"{build}\"\nsources = [\"src\"]\n");
        let temp = prepare(&config, "echo 0");
        let watch = Watch::start(&temp, &[]);
        temp.put_script("src/main.sh", "echo 0 # saved");
        let mut lines = watch.expect("undecided: ");
        lines.extend(watch.lines_for(0.8));
        let count = |part: &str| lines.iter().filter(|line| line.starts_with(part)).count();
        assert_eq!(
            (count("build: "), count("undecided: ")),
            (1, 1),
            "{lines:?}"
        );
        let notes = usize::from(build.contains("version"));
        let note = "note: changed during the build, so no further build begins: src/version.txt; if you \
                    saved it, save another change to play it";
        assert_eq!(count(note), notes);
        assert_eq!(temp.names("runs").len(), 1 + 2);
        watch.end("TERM");
    };
    thread::scope(|scope| {
        scope.spawn(|| check("cp src/main.sh mine; date +%N > src/version.txt"));
        scope.spawn(|| check("cp src/main.sh mine; touch src/main.sh"));
    });
}

#[test]
fn only_new_contents_of_a_source_start_a_build() {
    let config = "bot = \"./mine\"\nfiles = [\"lib/*.sh\"]\n";
    let temp = TempFolder::new();
    temp.put("lib/part.sh", "part");
    temp.put("columns.toml", config);
    temp.put_script("mine", "echo 0");
    assert_eq!(temp.judge(&BASE_ARGS).status, 0);
    let watch = Watch::start(&temp, &[]);
    for (name, text) in [
        ("lib/part.sh", "part"),
        ("lib/#part.sh#", "x"),
        ("lib/4913", "x"),
        ("other.sh", "x"),
    ] {
        temp.put(name, text);
    }
    assert_eq!(watch.lines_for(0.8), Vec::<String>::new());
    for name in ["lib/part.sh", "lib/new.sh"] {
        temp.put(name, "new");
        watch.expect(&format!("changed: {name}"));
        watch.expect("undecided: ");
        watch.expect("all of run 1 is played");
    }
    watch.end("TERM");
}

#[test]
fn columns_toml_is_read_again_when_it_changes() {
    let temp = prepare("bot = \"./mine\"\n", "echo 0");
    temp.put_script("other", "exit 1");
    let watch = Watch::start(&temp, &[]);
    temp.put("columns.toml", "bot = 5\n");
    watch.expect("columns.toml: line 1: invalid type: integer `5`, expected a string");
    temp.put("columns.toml", "bot = \"./other\"\n");
    watch.expect("changed: columns.toml");
    watch.expect("worse: ");
    // The sources are now the files that the new columns.toml names.
    temp.put_script("other", "echo 0");
    watch.expect("undecided: ");
    watch.end("TERM");
}

#[test]
fn columns_toml_that_is_saved_during_a_build_counts_from_the_next_change_on() {
    let config =
        |build: &str| format!("bot = \"./mine\"\nbuild = \"{build}\"\nsources = [\"src\"]\n");
    let temp = prepare("bot = \"./mine\"\n", "echo 0");
    let wait = "until [ -e saved ]; do sleep 0.02; done";
    temp.put("columns.toml", config(wait));
    let watch = Watch::start(&temp, &[]);
    temp.put("src/main.sh", "first");
    watch.expect("build: until");
    temp.put("columns.toml", config("echo another"));
    temp.put("saved", "");
    watch.expect("note: changed during the build, so no further build begins: columns.toml; ");
    watch.expect("all of run 1 is played");
    temp.put("src/main.sh", "second");
    watch.expect("build: echo another");
    watch.end("TERM");
}

#[test]
fn a_source_folder_may_be_replaced() {
    let config = "bot = \"./mine\"\nsources = [\"src\", \"lib/deep/src\"]\n";
    let temp = prepare("bot = \"./mine\"\n", "echo 0");
    temp.put("columns.toml", config);
    temp.put("lib/deep/src/part.sh", "part");
    let watch = Watch::start(&temp, &[]);
    for (folder, new) in [("src", "src/new.sh"), ("lib", "lib/deep/src/new.sh")] {
        // Only the two renames have to follow each other without a pause.
        shell(&temp, &format!("cp -r {folder} copy"));
        fs::rename(temp.path(folder), temp.path("old")).unwrap();
        fs::rename(temp.path("copy"), temp.path(folder)).unwrap();
        fs::remove_dir_all(temp.path("old")).unwrap();
        assert_eq!(watch.lines_for(0.8), Vec::<String>::new(), "{folder}");
        temp.put(new, "new");
        watch.expect(&format!("changed: {new}"));
        watch.expect("all of run 1 is played");
    }
    // The folder and those above it are missing for a while.
    shell(&temp, "rm -r lib");
    watch.expect("lib/deep/src: expected files of the bot, found none in ");
    temp.put("lib/deep/src/again.sh", "again");
    watch.expect("lib/deep/src/again.sh");
    watch.expect("all of run 1 is played");
    watch.end("TERM");
}

#[test]
fn a_base_of_another_version_of_the_judge_is_noted() {
    let temp = prepare("bot = \"./mine\"\n", "echo 0");
    // Run 2 is a copy of run 1, with another version in its head.
    let [first, second] = ["0001", "0002"].map(|run| temp.path(&format!("runs/{run}/run.jsonl")));
    let (mut head, rows) = ledger::read::<Head, Value>(&first).unwrap();
    head.judge_version = "0.1.0".into();
    fs::create_dir(second.parent().unwrap()).unwrap();
    let mut ledger = Ledger::open_or_create(&second, &head).unwrap();
    rows.for_each(|row| ledger.append(&row.unwrap()).unwrap());
    drop(ledger);
    let note = "note: version of the judge: 0.1.0 in run 2, ";
    let output = temp.judge(&["run", "--against", "2"]);
    assert!(output.err.contains(note), "{output:?}");
    let watch = Watch::start(&temp, &["--base", "2"]);
    temp.put_script("mine", "exit 1");
    let lines = watch.expect("worse: ");
    let is_note = |line: &String| line.starts_with(note);
    assert!(lines.iter().any(is_note), "{lines:?}");
    watch.end("TERM");
}

#[test]
fn a_signal_ends_a_build_and_its_processes_immediately() {
    let build = "echo began > began; sleep 60.371; cp src/main.sh mine";
    let config = format!("bot = \"./mine\"\nbuild = \"{build}\"\nsources = [\"src\"]\n");
    for command in ["watch", "run"] {
        let temp = prepare("bot = \"./mine\"\n", "echo 0");
        temp.put("columns.toml", &config);
        // If the judge killed only the shell of the build, `pgrep` would still find `sleep`.
        let script = format!(
            "\"$0\" {command} < /dev/null > out 2>&1 & \
             [ {command} = run ] || until grep -q watching out; do sleep 0.05; done; \
             echo '# x' >> src/main.sh; until [ -e began ]; do sleep 0.05; done; kill -TERM $!; wait $!; \
             echo $?; sleep 0.1; pgrep -f '^sleep 60.371'"
        );
        let start = Instant::now();
        let output = shell(&temp, &script);
        assert_eq!(output.out, "143\n", "{output:?}");
        assert!(start.elapsed() < Duration::from_secs(15));
    }
}

#[test]
fn a_source_that_is_saved_during_the_first_game_is_no_output() {
    let check = |config: &str| {
        let temp = TempFolder::new();
        temp.put("lib.sh", "");
        temp.put("columns.toml", config);
        temp.put_script("mine", "echo 0");
        assert_eq!(temp.judge(&BASE_ARGS).status, 0);
        let watch = Watch::start(&temp, &[]);
        // The first game ends as soon as the file is saved, while the judge still waits for further saves. So
        // the file changes during the first game, as output of the bot does.
        let wait = "touch .began; until grep -q saved lib.sh; do sleep 0.02; done; echo 0";
        temp.put_script("mine", wait);
        wait_until(|| temp.path(".began").exists());
        temp.put("lib.sh", "saved");
        let lines = watch.expect("undecided: ");
        let is_output = |line: &String| line.contains("counts as output");
        assert!(!lines.iter().any(is_output), "{config}: {lines:?}");
        watch.end("TERM");
    };
    thread::scope(|scope| {
        scope.spawn(|| check("bot = \"sh mine lib.sh\"\n"));
        scope.spawn(|| check("bot = \"sh mine\"\nfiles = [\"*.sh\"]\nsources = [\".\"]\n"));
    });
}

#[test]
fn the_status_of_a_comparison_is_its_verdict() {
    let temp = prepare("bot = \"./mine\"\n", "echo 0");
    temp.put_script("bad", "exit 1");
    assert_eq!(
        temp.judge(&[&BASE_ARGS[..], &["--bot", "./bad", "--name", "bad"]].concat())
            .status,
        1
    );
    for (bot, base, status, text) in [
        ("./mine", "bad", 0, "better: "),
        ("./bad", "1", 1, "worse: "),
        ("./mine", "1", 3, "undecided: +0.00 %"),
    ] {
        let output = temp.judge(&["run", "--bot", bot, "--against", base]);
        assert_eq!(output.status, status, "{output:?}");
        let last = output
            .out
            .lines()
            .find(|line| line.starts_with(text))
            .expect(text);
        assert!(
            status == 3 || !last.contains(" after 40 games"),
            "{output:?}"
        );
        let json = temp.judge(&["run", "--bot", bot, "--against", base, "--json"]);
        assert_eq!(json.status, status, "{json:?}");
        let last: serde_json::Value =
            serde_json::from_str(json.out.lines().last().unwrap()).unwrap();
        assert_eq!(
            last["verdict"].as_str().unwrap_or("undecided"),
            text.split(':').next().unwrap()
        );
        // Games that end at the same time as the deciding one are kept, so there may be more games than
        // pairs.
        assert!(last["pairs"].as_u64().unwrap() < json.out.lines().count() as u64);
    }
    // None of these runs counts as `last`, or as a run that `compare` chooses by default.
    let last = temp.judge(&["show", "--json"]).json();
    assert_eq!(last["head"]["name"], "bad");
    temp.judge(&["compare"])
        .assert_shows(&["A  run 1: ", "B  run 2 bad: "]);
    // No cases are left, so a decision needs a base with more cases.
    let output = temp.judge(&["run", "--against", "1"]);
    output.assert_shows(&[
        "\nall of run 1 is played (40 cases): for an answer, play a base with more --seeds first\n",
    ]);
    // Run 50 is a copy of run 1, interrupted after three games.
    let ledger = temp.read("runs/0001/run.jsonl");
    let rows: String = ledger.split_inclusive('\n').take(1 + 3).collect();
    temp.put("runs/0050/run.jsonl", rows);
    temp.judge(&["run", "--against", "50"])
        .assert_shows(&["\nall of run 50 is played (3 cases): "]);
    for option in [["--seeds", "1"], ["--time-limit", "1"], ["--width", "9"]] {
        let refused = temp.judge(&[&["run", "--against", "1"], &option[..]].concat());
        refused.assert_refused(&["--against", option[0]]);
    }
}

#[test]
fn a_comparison_in_pieces_has_the_result_of_a_whole_one() {
    let temp = prepare("bot = \"./mine\"\n", "echo 0");
    // The games are slow while the file `slow` exists, so that the first call reaches its time limit before
    // the comparison is decided.
    let bot = "[ ! -e slow ] || sleep 0.05; echo 2; echo 1 0; echo 2 0";
    temp.put_script("other", bot);
    let line = |out: &str| {
        let line = out
            .lines()
            .rfind(|line| line.contains(" % sure) after "))
            .expect(out);
        line.rsplit_once(',').unwrap().0.to_string()
    };
    let run = ["run", "--bot", "./other", "--against", "1"];
    let whole = temp.judge(&run);
    temp.put("slow", "");
    let mut pieces = temp.judge(&[&run[..], &["--max-time", "0.3s"]].concat());
    let mut count = 1;
    while pieces
        .out
        .contains("\nto continue: judge run --resume runs/0003\n")
    {
        assert_eq!(pieces.status, 3, "{pieces:?}");
        pieces = temp.judge(&["run", "--resume", "runs/0003", "--max-time", "0.5s"]);
        count += 1;
    }
    temp.judge(&["run", "--resume", "1", "--max-time", "5m"])
        .assert_refused(&["--max-time: expected a run of --against to resume, found runs/0001"]);
    assert!(count > 1, "{pieces:?}");
    assert_eq!(pieces.status, whole.status);
    assert_eq!(line(&pieces.out), line(&whole.out));
}

#[test]
fn a_base_without_games_is_refused_and_a_run_without_games_leaves_no_folder() {
    let temp = prepare("bot = \"./mine\"\n", "echo 0");
    // Run 2 has the head of run 1, but no games.
    let ledger = temp.read("runs/0001/run.jsonl");
    let head = ledger.split_inclusive('\n').next().unwrap();
    temp.put("runs/0002/run.jsonl", head);
    for line in [&["watch", "--base", "2"][..], &["run", "--against", "2"]] {
        temp.judge(line)
            .assert_refused(&["run 2: expected a run with games to compare with"]);
    }
    temp.put_script("mine", "[ \"$1\" = --version ] || sleep 60");
    let late = temp.judge(&["run", "--against", "1", "--max-time", "0.3s"]);
    late.assert_refused(&["no game has ended in --max-time"]);
    assert_eq!(temp.names("runs"), [".gitignore", "0001", "0002"]);
}
