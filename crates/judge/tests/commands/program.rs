//! The files of a program: a change to one of them is reported, but does not stop the run.

use crate::temp_folder::{Output, TempFolder, wait_until};
use assert_cmd::cargo::cargo_bin;
use columns_test_support::kill;
use serde_json::{Value, json};
use std::fs;
use std::process::{Child, Command};
use std::thread;
use std::time::Duration;

/// Plays six games, one at a time. The field is nine cells wide only in the second game.
fn play(temp: &TempFolder, bot: &str) -> Output {
    let run = "run --seeds 1..=6 --columns 20 --jobs 1 --bot";
    let run: Vec<&str> = run.split(' ').chain([bot]).collect();
    temp.judge(&run)
}

/// Returns the changed files of each row of the last run.
fn changed_files(temp: &TempFolder) -> Vec<Value> {
    let run = temp.last_run();
    let rows = run["rows"].as_array().unwrap();
    rows.iter().map(|row| row["changed"].clone()).collect()
}

/// Returns a script that adds a line to `file` in its second game.
fn changing_script(file: &str) -> String {
    format!("read w h; test $w = 9 && echo '# changed' >> {file}; echo 0")
}

#[test]
fn the_games_after_a_change_are_marked() {
    for (bot, file) in [
        ("./mine", "./mine"),
        ("sh mine", "mine"),
        ("nice -n 1 sh mine", "mine"),
        ("sh -u mine", "mine"),
        ("awk -f mine.awk", "mine.awk"),
        // The script sources the file that changes.
        ("sh -c '. ./hook.sh; . ./mine' hook.sh mine", "hook.sh"),
    ] {
        let temp = TempFolder::new();
        temp.put("hook.sh", ":\n");
        temp.put_script("mine", &changing_script(file));
        let script = "NR == 1 && $1 == 9 { print \"# changed\" >> \"mine.awk\" } END { print 0 }\n";
        temp.put("mine.awk", script);
        let output = play(&temp, bot);
        assert_eq!(output.status, 0, "{output:?}");
        let note =
            format!("note: {file}: changed since the run began; the next games record this\n");
        assert_eq!(output.err, note, "{bot}");
        let sentence = format!("games 0003 to 0006 were played after {file} changed");
        output.assert_shows(&[&format!("\nnote     {sentence}\n")]);
        temp.judge(&["show"]).assert_shows(&[&sentence]);
        let changed = json!([file]);
        let expected = [
            &Value::Null,
            &Value::Null,
            &changed,
            &changed,
            &changed,
            &changed,
        ];
        assert!(changed_files(&temp).iter().eq(expected), "{bot}");
        let rows = &temp.last_run()["rows"];
        assert!(rows[1]["program_digest"].is_null() && rows[2]["program_digest"].is_string());
        // The next run begins with the changed file.
        assert_eq!(play(&temp, bot).status, 0);
        temp.judge(&["compare"]).assert_shows(&[
            &format!("\nnote: in A, {sentence}\n"),
            &format!("\nnote: {file} differs between A and B\n"),
        ]);
    }
}

#[test]
fn the_files_of_columns_toml_belong_to_the_program() {
    let temp = TempFolder::new();
    temp.put(
        "columns.toml",
        "bot = \"sh -c '. lib/a.sh'\"\nfiles = [\"lib/*.sh\", \"data\"]\njobs = 1\n",
    );
    temp.put("lib/b.sh", "");
    temp.put("data/book", "");
    for file in ["lib/b.sh", "data/book"] {
        temp.put("lib/a.sh", changing_script(file));
        let output = temp.judge(&["run", "--seeds", "1..=6", "--columns", "20"]);
        assert_eq!(output.status, 0, "{output:?}");
        output.assert_shows(&[&format!(
            "games 0003 to 0006 were played after {file} changed\n"
        )]);
    }
}

/// A file created after the start of a run is not part of the program, so an editor's copies, an
/// interpreter's cache and the store never count.
#[test]
fn files_that_appear_later_do_not_count() {
    for files in ["src", "src/*", "."] {
        let temp = TempFolder::new();
        temp.put(
            "columns.toml",
            format!("bot = \"src/main.sh\"\nfiles = [\"{files}\"]\njobs = 1\n"),
        );
        let names = "'src/#main.sh#' src/main.sh~ src/4913 src/.main.sh.swp";
        temp.put_script(
            "src/main.sh",
            &format!("for i in {names}; do date >> \"$i\"; done; echo 0"),
        );
        let output = temp.judge(&["run", "--seeds", "1..=6", "--columns", "20"]);
        assert_eq!((output.status, &*output.err), (0, ""), "{output:?}");
        assert!(changed_files(&temp).iter().all(Value::is_null));
    }
}

#[test]
fn a_file_that_the_bot_writes_is_its_output() {
    let temp = TempFolder::new();
    temp.put_script("mine", "date +%N >> $1; echo 0");
    temp.put("games.log", "");
    for _ in 0..2 {
        let output = play(&temp, "./mine games.log");
        let note = "note: games.log: changed during the first game, so it counts as output of the bot, not \
                    as part of the program: if you have edited it, begin a new run\n";
        assert_eq!((output.status, &*output.err), (0, note), "{output:?}");
        let run = temp.last_run();
        assert_eq!(run["rows"][5]["output_files"], json!(["games.log"]));
        let sentence =
            "note     games.log changed during the first game, so it counts as output of the bot\n";
        temp.judge(&["show"]).assert_shows(&[sentence]);
        assert!(
            run["summary"]["changed_games"]
                .as_array()
                .unwrap()
                .is_empty()
        );
    }
    // The two runs have the same identity, although `games.log` has changed between them.
    let compared = temp.judge(&["compare"]).out;
    assert!(!compared.contains("note:"), "{compared}");
}

#[test]
fn an_unknown_program_asks_for_its_files() {
    let temp = TempFolder::new();
    temp.put_script("mine", "echo 0");
    temp.put("module.sh", "echo 0");
    let here = temp.path("mine").display().to_string();
    for (bot, is_known) in [
        ("sh -c '. ./module.sh'", false),
        ("nice -n 1 true", false),
        ("nice -n 1 ./mine", true),
        ("sh module.sh", true),
        (&*here, true),
    ] {
        let output = temp.judge(&["run", "--seeds", "1", "--bot", bot]);
        assert_eq!(output.advice.is_empty(), is_known, "{output:?}");
    }
    // By default, the judge plays the bot beside it. This bot is also outside of the current folder, but is
    // known to need no other files.
    temp.put_script("build/bot", "echo 0");
    temp.put("project/README", "");
    let judge = temp.path("build/judge");
    fs::copy(cargo_bin("judge"), &judge).unwrap();
    let mut command = Command::new(judge);
    command.args(["run", "--seeds", "1"]);
    let output = command.current_dir(temp.path("project")).output().unwrap();
    let output = Output::new(&output);
    assert_eq!((output.status, &*output.advice), (0, ""), "{output:?}");
    temp.put(
        "columns.toml",
        "bot = \"sh -c '. ./module.sh'\"\nfiles = [\"*.sh\"]\n",
    );
    assert_eq!(temp.judge(&["run", "--seeds", "1"]).advice, "");
}

/// Starts eight games, one at a time, and waits until the second one has ended. If the bot cannot be started,
/// the judge waits for the time limit and half a second before it tries again.
fn start(temp: &TempFolder, bot: &str) -> Child {
    let run = "run --seeds 1..=8 --columns 20 --jobs 1 --time-limit 2 --bot";
    let run: Vec<&str> = run.split(' ').chain([bot]).collect();
    let judge = temp.start(&run);
    let ledger = temp.path("runs/0001/run.jsonl");
    wait_until(|| fs::read_to_string(&ledger).is_ok_and(|text| text.lines().count() > 2));
    judge
}

#[test]
fn a_run_is_resumed_with_another_program_only_on_request() {
    let temp = TempFolder::new();
    temp.put_script("mine", "date +%N >> $1; sleep 0.2; echo 0");
    temp.put("games.log", "");
    let mut judge = start(&temp, "./mine games.log");
    kill("INT", judge.id());
    assert_eq!(judge.wait().unwrap().code(), Some(130));
    let played = temp.last_run()["rows"].as_array().unwrap().len();
    // The log and the script have changed. Only the change to the script counts.
    temp.put_script("mine", "echo 0 # changed");
    temp.judge(&["run", "--resume"]).assert_refused(&[
        "runs/0001: ./mine: changed since the run began: restore it, begin a new run, or continue all the \
         same with --changed",
    ]);
    let output = temp.judge(&["run", "--resume", "--changed"]);
    assert_eq!(output.status, 0, "{output:?}");
    let changed = changed_files(&temp);
    let (before, after) = changed.split_at(played);
    assert!(before.iter().all(Value::is_null), "{changed:?}");
    assert!(
        after.iter().all(|files| *files == json!(["./mine"])),
        "{changed:?}"
    );
    assert!(!after.is_empty());
}

#[test]
fn a_build_may_replace_the_program_while_it_plays() {
    let temp = TempFolder::new();
    temp.put_script("mine", "sleep 0.1; echo 0");
    let mut judge = start(&temp, "./mine");
    fs::remove_file(temp.path("mine")).unwrap();
    thread::sleep(Duration::from_millis(200));
    temp.put_script("mine", "echo 0 # built again");
    assert_eq!(judge.wait().unwrap().code(), Some(0));
    let changed = changed_files(&temp);
    assert_eq!(changed.len(), 8);
    assert_eq!(changed[7], json!(["./mine"]));
}

#[test]
fn a_program_is_what_is_executed() {
    let temp = TempFolder::new();
    let files = |bot: &str| {
        let output = temp.judge(&["run", "--seeds", "1", "--bot", bot]);
        assert_eq!(output.status, 0, "{output:?}");
        temp.last_run()["head"]["files"].clone()
    };
    // The scripts ignore --version and print a plan, so the judge uses their names as versions.
    temp.put_script("one", "echo 0");
    temp.put_script("two", "echo 0 # changed");
    let [one, two] = ["./one", "./two"].map(files);
    assert_ne!(one[0]["digest"], two[0]["digest"]);
    temp.put("log.txt", "a");
    assert_eq!(
        files("./one log.txt missing --options")[1]["path"],
        "log.txt"
    );
    assert_eq!(temp.last_run()["head"]["bot_version"], "one");
    assert_eq!(files("./one ./one .").as_array().unwrap().len(), 1);
    let run = files("sh two");
    assert_eq!(
        (&run[1], &temp.last_run()["head"]["bot_version"]),
        (
            &json!({"path": "two", "digest": two[0]["digest"]}),
            &"two".into()
        )
    );
    // Both builds have the same version, but different contents.
    for more in ["", "# built again"] {
        temp.put_script(
            "mine",
            &format!("[ \"$1\" = --version ] && echo mine 1.2 || echo 0 {more}"),
        );
        files("./mine");
    }
    temp.judge(&["compare", "last~1", "last"]).assert_shows(&[
        "\nnote: ./mine differs between A and B\n",
        "./mine (mine 1.2, ",
    ]);
}
