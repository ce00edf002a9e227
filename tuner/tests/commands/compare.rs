//! `tuner compare`.

use crate::fit::kill_ten_times;
use crate::{good, interrupted, put, refused, run, says, start, stderr, tuner, wait_for};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A file that sets one of the bot's weights.
fn weights(folder: &Path, name: &str, value: f64) -> PathBuf {
    let path = folder.join(format!("{name}-{value}.json"));
    put(&path, &format!("{{\"{name}\": {value}}}"));
    path
}

const SMALL: &str = "compare --work 1.5 --columns 60 --delta 10";

#[test]
fn worse_weights_are_found_worse_early() {
    let folder = tempfile::tempdir().unwrap();
    let bad = weights(folder.path(), "potential", 0.0);
    let bad = bad.display();
    let compare = |options: &str| good(&run(&format!("{SMALL} --seeds 2..=300 {options}")));
    let told = compare(&format!("--b {bad}"));
    let last: Vec<&str> = told.lines().rev().take(3).collect();
    assert!(last[2].starts_with("Stopped after "), "{told}");
    says(last[2], " of 299 seeds: ");
    says(last[2], "too narrow");
    assert!(last[1].ends_with(" % (90 % sure)."), "{told}");
    assert_eq!(
        last[0],
        "B is not better than A by 10 % or more. (If it were, that would be said in at most 5 of \
         100 comparisons.)"
    );
    let start = columns_bot::eval::weights::Weights::default();
    let good = weights(folder.path(), "potential", start.potential);
    let told = compare(&format!("--a {bad} --b {}", good.display()));
    assert!(
        told.contains("\nB is better than A. (If it were not, that would be said in at most 5 of"),
        "{told}"
    );
}

#[test]
fn the_comparison_is_the_same_for_any_number_of_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let b = weights(folder.path(), "placeable", 9.0);
    let line = format!("{SMALL} --seeds 2..=60 --b {} --json", b.display());
    let seen = ["1", "2", "3"].map(|jobs| good(&run(&format!("{line} --jobs {jobs}"))));
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0], seen[2]);
    let json: Value = serde_json::from_str(&seen[0]).unwrap();
    let all = &json["comparison"]["all"];
    assert_eq!(json["played"], all["cases"]);

    // The same differences as two evaluations give.
    let eval = |weights: &str| -> Vec<f64> {
        let line = format!("eval --work 1.5 --columns 60 --seeds 2..=60 {weights} --json");
        let told = good(&run(&line));
        let lines = told
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines
            .map(|line| line["log_score"].as_f64().unwrap())
            .collect()
    };
    let (a, b) = (eval(""), eval(&format!("--weights {}", b.display())));
    let played = json["played"].as_u64().unwrap() as usize;
    let sum: f64 = a.iter().zip(&b).take(played).map(|(a, b)| b - a).sum();
    let expected = 100.0 * (sum / played as f64).exp_m1();
    let mean = all["log_percent"]["mean"].as_f64().unwrap();
    assert!((mean - expected).abs() < 1e-9, "{mean} {expected}");
}

#[test]
fn all_is_all_and_how_long_it_takes_is_said_first() {
    let folder = tempfile::tempdir().unwrap();
    let bad = weights(folder.path(), "potential", 0.0);
    let line = format!("{SMALL} --all --seeds 2..=30 --b {}", bad.display());
    let done = run(&line);
    let told = good(&done);
    says(&told, "All 29 seeds were played.\n");
    assert!(!told.contains("too narrow"), "{told}");
    let first = stderr(&done);
    assert!(first.starts_with("About "), "{first}");
    says(first, " pairs will decide this.\n");
}

#[test]
fn whoever_is_killed_goes_on_and_comes_to_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let b = weights(folder.path(), "placeable", 9.0);
    let line = format!("{SMALL} --all --seeds 2..=250 --b {} --out", b.display());
    let [whole, killed] = ["whole", "killed"].map(|name| folder.path().join(name));
    let compare = |line: &str, out: &Path| {
        let mut command = tuner(line.split_whitespace());
        command.arg(out);
        command
    };
    let mut alone = compare(&line, &whole);
    let told = good(&alone.args(["--jobs", "1"]).output().unwrap());
    let again = || compare(&line, &killed);
    kill_ten_times(again, again, &killed, &whole);
    assert_eq!(good(&again().output().unwrap()), told);
    let bytes = std::fs::read(&whole).unwrap();
    assert!(std::fs::read(&killed).unwrap() == bytes);

    // Fewer seeds are there already, more go on.
    let fewer = line.replace("..=250", "..=100");
    assert!(good(&compare(&fewer, &whole).output().unwrap()).contains("All 99 seeds"));
    assert!(std::fs::read(&whole).unwrap() == bytes);
    let more = line.replace("..=250", "..=260");
    assert!(good(&compare(&more, &whole).output().unwrap()).contains("All 259 seeds"));
    assert!(std::fs::read(&whole).unwrap().starts_with(&bytes));
    let begun = "as it was begun with, found";
    for (from, to, expected) in [
        (
            "--work 1.5",
            "--work 2",
            format!("work: expected 1500 {begun} 2000"),
        ),
        ("2..=250", "3..=250", format!("first: expected 2 {begun} 3")),
    ] {
        let other = compare(&line.replace(from, to), &killed).output().unwrap();
        says(refused(&other), expected);
    }
    let told = refused(&compare(&line, &b).output().unwrap());
    says(&told, "does not use otherwise");
}

#[test]
fn networks_are_compared() {
    let compare = |options: &str| good(&run(&format!("{SMALL} --seeds 2..=200 {options}")));
    let told = compare("--b-network none");
    says(&told, "B is not better than A by 10 % or more.");
    let told = compare("--a-network none --b-network none");
    says(&told, "they play the same games");
}

/// Bots that are no bots: they print a plan for any case, or none.
#[cfg(unix)]
#[test]
fn bots_play_as_processes() {
    let compare = |a: &str, b: &str| {
        let output = tuner("compare --seeds 2..=6 --columns 30 --time-limit 2".split_whitespace())
            .args(["--a-bot", a, "--b-bot", b])
            .output()
            .unwrap();
        good(&output)
    };
    let told = compare("echo 0", "echo x");
    says(&told, "note: B: 5 games lost: 5 invalid (seed 2)\n");
    // A plan of no placements is a valid one.
    assert!(!told.contains("note: A"), "{told}");
    says(&told, "It is open whether B is better");
    let empty =
        "sh -c 'echo 30; for i in 1 2 3 4 5 6 7 8 9 10; do echo 1 0; echo 2 0; echo 3 0; done'";
    let told = compare(empty, "echo 0");
    assert!(!told.contains("note:"), "{told}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_shows_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let bot = format!("sh -c 'echo x >> {}; echo 0'", mark.display());
    let mut command = tuner(["compare", "--columns", "30", "--jobs", "1"]);
    command.args(["--a-bot", "echo 0", "--b-bot", &bot]);
    let child = start(command);
    wait_for(&mark, 10);
    let (output, last) = interrupted(child);
    says(&last, "tuner: interrupted after ");
    says(crate::stdout(&output), "B against A");
}

/// Whoever compares a file with itself need not wait for games.
#[test]
fn the_same_weights_are_told_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.json");
    put(&path, "{\"spot\": 2.0}");
    let same = format!("compare --a {0} --b {0}", path.display());
    let told = good(&run(&same));
    says(&told, "they play the same games");
    let json = good(&run(&format!("{same} --json")));
    let json: Value = serde_json::from_str(&json).unwrap();
    assert!(json["verdict"] == "same" && json["played"] == 0, "{json}");
}
