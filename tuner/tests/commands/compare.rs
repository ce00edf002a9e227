//! `tuner compare`.

use crate::fit::kill_ten_times;
use crate::{good, put, refused, run, stderr, tuner};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The weights of the bot, with one of them set.
fn weights(folder: &Path, name: &str, value: f64) -> PathBuf {
    let mut weights = columns_bot::eval::weights::Weights::default();
    weights.set(name, value).unwrap();
    let path = folder.join(format!("{name}-{value}.json"));
    put(&path, &columns_bot::weights_file::format(&weights));
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
    assert!(
        last[2].contains(" of 299 seeds: ") && last[2].contains("too narrow"),
        "{told}"
    );
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
        let lines = good(&run(&line));
        let lines = lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        lines
            .map(|line: Value| line["log_score"].as_f64().unwrap())
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
    let done = run(&format!(
        "{SMALL} --all --seeds 2..=30 --b {}",
        bad.display()
    ));
    let told = good(&done);
    assert!(told.contains("All 29 seeds were played.\n"), "{told}");
    assert!(!told.contains("too narrow"), "{told}");
    let first = stderr(&done);
    assert!(
        first.starts_with("About ") && first.contains(" pairs will decide this.\n"),
        "{first}"
    );
}

#[test]
fn whoever_is_killed_goes_on_and_comes_to_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let b = weights(folder.path(), "placeable", 9.0);
    let line = format!("{SMALL} --all --seeds 2..=400 --b {} --out", b.display());
    let [whole, killed] = ["whole", "killed"].map(|name| folder.path().join(name));
    let compare = |line: &str, out: &Path| {
        let mut command = tuner(line.split_whitespace());
        command.arg(out);
        command
    };
    let told = good(
        &compare(&line, &whole)
            .args(["--jobs", "1"])
            .output()
            .unwrap(),
    );
    let again = || compare(&line, &killed);
    kill_ten_times(again, again, &killed, &whole);
    assert_eq!(good(&again().output().unwrap()), told);
    let bytes = std::fs::read(&whole).unwrap();
    assert!(std::fs::read(&killed).unwrap() == bytes);

    // Fewer seeds are there already, more go on.
    let fewer = line.replace("..=400", "..=100");
    assert!(good(&compare(&fewer, &whole).output().unwrap()).contains("All 99 seeds"));
    assert!(std::fs::read(&whole).unwrap() == bytes);
    let more = line.replace("..=400", "..=410");
    assert!(good(&compare(&more, &whole).output().unwrap()).contains("All 409 seeds"));
    assert!(std::fs::read(&whole).unwrap().starts_with(&bytes));
    for (from, to, expected) in [
        (
            "--work 1.5",
            "--work 2",
            "work: expected 1500 as it was begun with, found 2000",
        ),
        (
            "2..=400",
            "3..=400",
            "first: expected 2 as it was begun with, found 3",
        ),
    ] {
        let told = refused(&compare(&line.replace(from, to), &killed).output().unwrap());
        assert!(told.contains(expected), "{told}");
    }
    let told = refused(&compare(&line, &b).output().unwrap());
    assert!(told.contains("does not use otherwise"), "{told}");
}

#[test]
fn networks_are_compared() {
    let compare = |options: &str| good(&run(&format!("{SMALL} --seeds 2..=200 {options}")));
    let told = compare("--b-network none");
    assert!(
        told.contains("B is not better than A by 10 % or more."),
        "{told}"
    );
    let told = compare("--a-network none --b-network none");
    assert!(told.contains("they play the same games"), "{told}");
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
    assert!(
        told.starts_with("note: 5 games of B lost: over a limit, invalid or crashed\n"),
        "{told}"
    );
    assert!(told.contains("It is open whether B is better"), "{told}");
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
    let child = tuner(["compare", "--columns", "30", "--jobs", "1", "--b-bot"])
        .arg(&bot)
        .args(["--a-bot", "echo 0"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    while std::fs::metadata(&mark).map_or(0, |data| data.len()) < 10 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let kill = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(
        stderr(&output).contains("\ntuner: interrupted after "),
        "{output:?}"
    );
    assert!(crate::stdout(&output).contains("B against A"), "{output:?}");
}

#[test]
fn mistakes_are_told_in_a_line() {
    for (line, expected) in [
        ("compare", "for B: --b, --b-network, --b-bot"),
        (
            "compare --b-bot y --work 5",
            "--work is for the bot of this build",
        ),
        ("compare --a x --b x --out x", "x: "),
        ("compare --b none.json", "none.json: cannot be read"),
        (
            "compare --a-bot true --b-bot \"",
            "--b-bot: expected a command line",
        ),
        ("compare --b x --b-bot y", "cannot be used with"),
        ("compare --b x --time-limit 2", "are for programs"),
        (
            "compare --b x --delta 0",
            "expected percent from 0.01 to 100",
        ),
        ("compare --b x --alpha 1", "expected a chance from"),
        ("compare --b x --beta nan", "expected a chance from"),
        (
            "compare --b-bot /none/at/all --a-bot true",
            "cannot run the bot",
        ),
    ] {
        let told = refused(&run(line));
        assert!(told.contains(expected), "{line}: {told}");
    }
}

/// Whoever compares a file with itself need not wait for games.
#[test]
fn the_same_weights_are_told_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.json");
    put(&path, "{\"spot\": 2.0}");
    let same = format!("compare --a {0} --b {0}", path.display());
    let told = good(&run(&same));
    assert!(told.contains("they play the same games"), "{told}");
    let json: serde_json::Value =
        serde_json::from_str(&good(&run(&format!("{same} --json")))).unwrap();
    assert_eq!(
        (&json["verdict"], &json["played"]),
        (&"same".into(), &0.into())
    );
}
