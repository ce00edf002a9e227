//! `judge compare`, `judge list` and `judge open`: the runs that they read, and what they print or write.

use crate::environments::shell;
use crate::temp_folder::{SAMPLE, SAMPLE_PLAN, TempFolder, wait_until};
use columns_test_support::kill;
use serde_json::{Value, json};

/// Plays the runs `a` and `b` of two bots on the same two cases, and the runs `other` and `changed`, each on
/// a different case.
fn prepare() -> TempFolder {
    let temp = TempFolder::new();
    temp.put("in/0001.txt", SAMPLE);
    temp.put("in/0002.txt", SAMPLE.replace("dbc", "ddd"));
    temp.put("other/0003.txt", SAMPLE.replace("dbc", "aaa"));
    temp.put("changed/0001.txt", SAMPLE.replace("dbc", "ccc"));
    temp.put("good.txt", SAMPLE_PLAN);
    for (name, folder, bot) in [
        ("a", "in", "echo 0"),
        ("b", "in", "cat good.txt"),
        ("other", "other", "echo 0"),
        ("changed", "changed", "echo 0"),
    ] {
        let output = temp.judge(&["run", "--in", folder, "--bot", bot, "--name", name]);
        assert_eq!(output.status, 0, "{output:?}");
    }
    temp
}

#[test]
fn two_runs_are_compared() {
    let temp = prepare();
    let output = temp.judge(&["compare", "a", "b"]);
    assert_eq!((output.status, output.err.as_str()), (0, ""), "{output:?}");
    let sides = "A  run 1 a: echo 0 (";
    assert!(output.out.starts_with(sides), "{}", output.out);
    output.assert_shows(&["); --in in\nB  run 2 b: cat good.txt (", "\nB against A"]);
    let listed = "\nmost lost  0001 (-57.1 %)\nmost won   0002 (+42.9 %)\n";
    assert!(output.out.ends_with(listed), "{}", output.out);
    output.assert_shows(&["up to 126 cells", "\nup to 4 colours"]);

    let output = temp.judge(&["compare", "--json", "a", "b"]);
    let comparison: Value = output.json();
    let all = &comparison[0]["all"];
    // A scores 329 points on each case, B scores 141 and 470.
    let counts = ["cases", "wins", "losses", "ties"].map(|count| all[count].as_u64().unwrap());
    assert_eq!(counts, [2, 1, 1, 0]);
    assert_eq!(
        (&all["mean_a"], &all["mean_b"]),
        (&329.0.into(), &305.5.into())
    );
}

#[test]
fn runs_on_different_cases_are_refused() {
    let temp = prepare();
    temp.judge(&["compare", "a", "other"])
        .assert_refused(&["runs 1 a and 3 other", "none in common"]);
    temp.judge(&["compare", "a", "changed"]).assert_refused(&[
        "runs 1 a and 4 changed",
        "two different cases are called 0001",
    ]);
}

#[test]
fn the_last_two_complete_runs_that_share_cases_are_compared_by_default() {
    let temp = prepare();
    let sides = |args: &[&str]| -> String {
        let output = temp.judge(&[&["compare"], args].concat());
        assert_eq!(output.status, 0, "{output:?}");
        let sides = output
            .out
            .lines()
            .take(2)
            .map(|line| line.split(':').next().unwrap());
        sides.collect::<Vec<_>>().join(", ")
    };
    // Runs 3 and 4 share no case with any other run.
    assert_eq!(sides(&[]), "A  run 1 a, B  run 2 b");
    assert_eq!(sides(&["b"]), "A  run 2 b, B  run 1 a");
    assert_eq!(sides(&["last~2", "runs/0001"]), "A  run 2 b, B  run 1 a");
    // A run copied from another machine is named by its folder.
    std::fs::create_dir(temp.path("night")).unwrap();
    std::fs::rename(temp.path("runs/0002"), temp.path("night/theirs")).unwrap();
    assert_eq!(
        sides(&["a", "night/theirs"]),
        "A  run 1 a, B  run night/theirs b"
    );
    temp.judge(&["compare"])
        .assert_refused(&["runs: expected two complete runs that share cases, found none"]);
    temp.judge(&["compare", "a", "7"])
        .assert_refused(&["7: no such run in runs"]);
    temp.judge(&["compare", "a", "none"])
        .assert_refused(&["none: no such run in runs"]);
    temp.judge(&["compare", "a", "last~9"])
        .assert_refused(&["last~9: no such run in runs"]);
}

#[test]
fn the_list_shows_scores_relative_to_the_best_on_shared_cases() {
    let temp = prepare();
    // A damaged run does not hide the other runs.
    let ledger = temp
        .read("runs/0003/run.jsonl")
        .replace("\"name\":\"other\"", "\"name\":\"older\"");
    temp.put("runs/0003/run.jsonl", ledger);
    // Two runs score 0 on the only case that they share, so there is no best score to compare them with.
    temp.put("zero/0001.txt", "6 13\n1\nabc\n");
    for _ in 0..2 {
        let output = temp.judge(&["run", "--in", "zero", "--bot", "echo 0"]);
        assert_eq!(output.status, 0, "{output:?}");
    }
    let output = temp.judge(&["list"]);
    assert_eq!((output.status, &*output.err), (0, ""));
    output.assert_shows(&[
        "damaged: runs/0003/run.jsonl: line 1: expected the header of a run of the judge",
    ]);
    let cells = |line: &str| -> Vec<String> { line.split_whitespace().map(String::from).collect() };
    let lines: Vec<Vec<String>> = output.out.lines().map(cells).collect();
    let shown = |line: &[String]| [0, 1, 5, 6, 7, 8].map(|index| line[index].clone());
    // A scores 329 points on each case, B scores 141 and 470. No other run plays the case of run 4.
    assert_eq!(shown(&lines[1]), ["1", "a", "2", "0", "85.00", "2"]);
    assert_eq!(shown(&lines[2]), ["2", "b", "2", "0", "71.43", "2"]);
    assert_eq!(shown(&lines[4]), ["4", "changed", "1", "0", "-", "-"]);
    assert_eq!(shown(&lines[5]), ["5", "-", "1", "0", "-", "-"]);
    let listed: Value = temp.judge(&["list", "--json"]).json();
    assert_eq!(listed[0]["shared_cases"], 2);
    assert_eq!(listed[3]["head"]["name"], "changed");
}

#[test]
fn copies_of_a_case_count_once() {
    let temp = prepare();
    for copy in 3..=6 {
        temp.put(&format!("in/{copy:04}.txt"), SAMPLE);
    }
    for (name, bot) in [("c", "echo 0"), ("d", "cat good.txt")] {
        let output = temp.judge(&["run", "--in", "in", "--bot", bot, "--name", name]);
        assert_eq!(output.status, 0, "{output:?}");
    }
    let output = temp.judge(&["compare", "c", "d"]);
    output.assert_shows(&["\nnote: on copies of cases in A, left out: 4 games\n"]);
    let difference = |files: [&str; 2]| {
        let output = temp.judge(&["compare", "--json", files[0], files[1]]);
        output.json()[0]["all"].clone()
    };
    // Copies of cases do not change the numbers.
    assert_eq!(difference(["c", "d"]), difference(["a", "b"]));
    // The names of cases do not matter.
    temp.put("renamed/9.txt", temp.read("in/0001.txt"));
    temp.judge(&["run", "--in", "renamed", "--bot", "echo 0", "--name", "e"]);
    assert_eq!(difference(["a", "e"])["cases"], 1);
}

#[test]
fn intervals_are_corrected_for_several_candidates() {
    let temp = prepare();
    let seeds = |name: &str, bot: &str| {
        let output = temp.judge(&[
            "run",
            "--seeds",
            "2..=13",
            "--profile",
            "small",
            "--bot",
            bot,
            "--name",
            name,
        ]);
        assert_eq!(output.status, 0, "{output:?}");
    };
    seeds("base", "echo 0");
    seeds("x", "echo 1 1 2");
    seeds("y", "echo 1 2 0");
    let one = temp.judge(&["compare", "--json", "base", "x"]).json();
    let output = temp.judge(&["compare", "base", "x", "y"]);
    output.assert_shows(&[
        "\nC  run 7 y: ",
        "\nagainst A ",
        "\nB ",
        "\nC ",
        "\n2 candidates: all intervals hold together with 95 % (each alone with 97.50 %)",
    ]);
    let two = temp.judge(&["compare", "--json", "base", "x", "y"]).json();
    for (comparison, name) in two.as_array().unwrap().iter().zip(["B", "C"]) {
        assert_eq!(comparison["all"]["name"], name);
        assert_eq!(comparison["classes"], json!([]));
    }
    let (one, two) = (&one[0]["all"], &two[0]["all"]);
    let p = |of: &Value| of["log_percent"]["p_value"].as_f64().unwrap();
    assert!((p(two) - (2.0 * p(one)).min(1.0)).abs() < 1e-12);
    let width = |of: &Value| {
        let end = |index: usize| of["log_percent"]["interval"][index].as_f64().unwrap();
        end(1) - end(0)
    };
    assert!(width(two) > 1.1 * width(one));
}

/// The start tag of the element that holds the runs in a page.
const PAGE_TAG: &str = "<script type=\"application/json\" id=\"inside\">";

/// Runs `judge open` with these runs, without a browser. Returns the path of the page, which the command
/// prints.
fn open_page(temp: &TempFolder, runs: &[&str]) -> String {
    temp.put("page.html", format!("<p>{PAGE_TAG}</script>"));
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("judge");
    command.args(["open", "--page", "page.html"]).args(runs);
    command.current_dir(temp.path("")).env("PATH", "/none");
    let output = command.env("TMPDIR", temp.path("")).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text.strip_prefix("page     ").unwrap();
    line.split_once(": no browser").unwrap().0.into()
}

#[test]
fn the_page_holds_the_runs_even_if_no_browser_can_be_started() {
    let temp = prepare();
    let names = |runs: [&str; 2]| -> Vec<String> {
        assert_eq!(
            open_page(&temp, &runs),
            temp.path("runs/open.html").to_str().unwrap()
        );
        let page = temp.read("runs/open.html");
        let inside = page.strip_prefix(&format!("<p>{PAGE_TAG}")).unwrap();
        let inside = inside.strip_suffix("</script>").unwrap();
        let inside: Value = serde_json::from_str(inside).unwrap();
        let files = inside["files"].as_array().unwrap().iter();
        files
            .map(|file| file["name"].as_str().unwrap().into())
            .collect()
    };
    let first = [
        "runs/0001/run.jsonl",
        "runs/0001/in/0001.txt",
        "runs/0001/out/0001.txt",
    ];
    let opened = names(["a", "3"]);
    assert_eq!(
        (&opened[..3], opened.len()),
        (&first.map(String::from)[..], 5 + 3)
    );
    // Two stores have a run with the same number. Only their paths distinguish them.
    temp.put("copy/0001/run.jsonl", temp.read("runs/0003/run.jsonl"));
    temp.put("copy/0001/in/0003.txt", temp.read("runs/0003/in/0003.txt"));
    let copied = names(["1", "copy/0001"]);
    assert_eq!(copied[0], "runs/0001/run.jsonl");
    assert_eq!(
        copied[5..],
        ["copy/0001/run.jsonl", "copy/0001/in/0003.txt"]
    );
    temp.judge(&["open", "--page", "good.txt", "a"])
        .assert_refused(&["as --page FILE, found no room for runs"]);
}

#[test]
fn a_run_that_is_too_large_for_a_page_is_refused_before_all_of_it_is_read() {
    let temp = TempFolder::new();
    temp.put("page.html", format!("{PAGE_TAG}</script>"));
    let run = ["run", "--seeds", "2..=200000", "--bot", "echo 0"];
    let mut judge = temp.start(&run);
    wait_until(|| temp.path("runs/0001/out/0002.txt").exists());
    kill("KILL", judge.id());
    judge.wait().unwrap();
    // The texts of all cases need more than this address space, in KiB.
    let script = "ulimit -v 1000000; exec \"$0\" open --page page.html 1";
    shell(&temp, script).assert_refused(&[
        "expected runs of at most 64 MiB for a page: open fewer runs, or one with fewer cases",
    ]);
}

#[test]
fn the_page_replaces_a_link_and_not_the_file_behind_it() {
    let temp = prepare();
    temp.put("diary.txt", "my diary");
    let page = temp.path("runs/open.html");
    for target in ["../diary.txt", "nowhere"] {
        let _ = std::fs::remove_file(&page);
        std::os::unix::fs::symlink(target, &page).unwrap();
        assert_eq!(open_page(&temp, &["last"]), page.to_str().unwrap());
        assert!(!page.is_symlink());
        assert_eq!(temp.read("diary.txt"), "my diary");
    }
}

#[test]
fn the_page_of_any_runs_can_be_written() {
    let temp = prepare();
    // The name of the page does not depend on the number of runs. If the page cannot be written to the store,
    // because a folder has its name or the store does not exist, the page is in a new folder each time.
    let runs: Vec<&str> = std::iter::repeat_n("last", 50).collect();
    let page = temp.path("runs/open.html");
    assert_eq!(open_page(&temp, &runs), page.to_str().unwrap());
    std::fs::remove_file(&page).unwrap();
    std::fs::create_dir(&page).unwrap();
    let first = open_page(&temp, &["last"]);
    let second = open_page(&temp, &["--store", "none", "runs/0001"]);
    for path in [&first, &second] {
        assert!(
            path.contains("/columns-") && path.ends_with("/open.html"),
            "{path}"
        );
        let folder = std::path::Path::new(path).parent().unwrap();
        let mode =
            std::os::unix::fs::PermissionsExt::mode(&folder.metadata().unwrap().permissions());
        assert_eq!(mode & 0o777, 0o700);
    }
    assert_ne!(first, second);
}
