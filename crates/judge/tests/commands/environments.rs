//! Tests of the judge in unusual environments: time zones, Git hooks, file systems, and names with control
//! characters.

use crate::temp_folder::{Output, TempFolder};
use columns_test_support::with_default_signals;

/// Runs a script in a shell. In the script, `"$0" run …` starts the judge.
pub(crate) fn shell(temp: &TempFolder, script: &str) -> Output {
    let judge = assert_cmd::cargo::cargo_bin!("judge");
    let mut shell = with_default_signals("bash");
    let output = shell
        .args(["-c", script])
        .arg(judge)
        .current_dir(temp.path(""))
        .output()
        .unwrap();
    Output::new(&output)
}

#[test]
fn times_are_local_and_name_their_zone() {
    let temp = TempFolder::new();
    assert_eq!(
        temp.judge(&["run", "--seeds", "2", "--bot", "echo 0"])
            .status,
        0
    );
    let start = temp.last_run()["head"]["start_time"].to_string();
    let hour: u32 = start[12..14].parse().unwrap();
    for (zone, difference, name) in [
        ("JST-9", 9, "+09:00"),
        ("EST5", 24 - 5, "-05:00"),
        ("UTC0", 0, "+00:00"),
    ] {
        let listed = shell(&temp, &format!("TZ={zone} \"$0\" list"));
        let local = format!(
            " {:02}:{} {name} ",
            (hour + difference) % 24,
            &start[15..17]
        );
        listed.assert_shows(&[&local]);
    }
}

#[test]
fn names_and_comments_of_others_print_no_control_characters() {
    let temp = TempFolder::new();
    temp.put("in/a\x1b[2Jb.txt", "6 13\n1\nabc\n");
    temp.put("in/line\nbreak\u{9b}31m.txt", "6 13\n1\nabc\n");
    let run = [
        "run",
        "--in",
        "in",
        "--bot",
        "echo 0",
        "--comment",
        "two\nlines\x1b]0;title\x07",
    ];
    let mut texts = vec![temp.judge(&run).out];
    texts.push(temp.judge(&run).out);
    for line in [&["list"][..], &["show"], &["compare"]] {
        texts.push(temp.judge(line).out);
    }
    for text in &texts {
        assert!(
            !text.contains(|c: char| c.is_control() && c != '\n'),
            "{text:?}"
        );
    }
    // A line break in a name or a comment must not split a row: below the titles, each game and each run has
    // one line.
    assert!(
        texts[0]
            .lines()
            .nth(2)
            .unwrap()
            .starts_with("line\u{fffd}break\u{fffd}31m "),
        "{texts:?}"
    );
    assert_eq!(texts[2].lines().count(), 1 + 2);
    assert!(
        texts[2].contains("two\u{fffd}lines\u{fffd}]0;title\u{fffd}\n"),
        "{texts:?}"
    );
}

#[test]
fn the_commit_is_that_of_the_folder_even_in_a_hook() {
    let temp = TempFolder::new();
    let git = "git -c user.name=a -c user.email=a@b";
    let commit = |folder: &str| {
        let script = format!(
            "mkdir {folder} && cd {folder} && git init -q && echo {folder} > file && git add file && \
             {git} commit -qm one && git rev-parse --short=9 HEAD"
        );
        let output = shell(&temp, &script);
        assert_eq!(output.status, 0, "{output:?}");
        output.out.trim().to_string()
    };
    let (mine, _other) = (commit("mine"), commit("other"));
    for variable in [
        "GIT_DIR=$PWD/../other/.git",
        "GIT_WORK_TREE=/ GIT_DIR=/none",
    ] {
        let run = "\"$0\" run --seeds 2 --bot 'echo 0' --store ../runs";
        let output = shell(&temp, &format!("cd mine && {variable} {run}"));
        assert_eq!(output.status, 0, "{output:?}");
        let head = &temp.last_run()["head"];
        assert_eq!(
            (&head["commit"], &head["has_uncommitted_changes"]),
            (&mine.as_str().into(), &false.into())
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_system_without_locks_is_reported_with_advice() {
    let temp = TempFolder::new();
    temp.put(
        "flock.c",
        "#include <errno.h>\nint flock(int a, int b) { errno = ENOLCK; return -1; }\n",
    );
    let script = "cc -shared -fPIC flock.c -o flock.so && \
                  LD_PRELOAD=$PWD/flock.so exec \"$0\" run --seeds 2 --bot 'echo 0'";
    shell(&temp, script).assert_refused(&[
        "run.jsonl: cannot be locked: ",
        "--store",
        "No locks available",
    ]);
    assert_eq!(temp.names("runs"), [".gitignore"]);
}

#[test]
fn a_file_size_limit_acts_like_a_full_disk() {
    let temp = TempFolder::new();
    let run = "\"$0\" run --seeds 2..=101 --columns 5 --jobs 1 --bot 'echo 0'";
    // The first file size limit is too small for the head, and the second one for the head and all rows.
    for blocks in [1, 20] {
        let output = shell(&temp, &format!("ulimit -f {blocks}; {run}"));
        assert_eq!(output.status, 2, "{output:?}");
        output.assert_error(&["run.jsonl: ", "File too large"]);
    }
    let resumed = temp.judge(&["run", "--resume"]);
    assert_eq!(resumed.status, 0, "{resumed:?}");
    resumed.assert_shows(&["games    100: "]);
}
