//! `tuner compare`: its answers, resuming from a ledger, and its messages about changed players.

use crate::fit::kill_ten_times;
use crate::{
    TempFolder, assert_contains, interrupt, refusal, run, start, stderr, success, tuner, wait_for,
    write,
};
use columns_tuner::{comparison::Comparison, record::Line};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;

/// Writes a file that sets one of the bot's weights.
fn weights(folder: &Path, name: &str, value: f64) -> PathBuf {
    let path = folder.join(format!("{name}-{value}.json"));
    write(&path, &format!("{{\"{name}\": {value}}}"));
    path
}

const SMALL_COMPARISON: &str = "compare --work 1.5 --columns 60 --delta 10";

#[test]
fn worse_weights_are_decided_early() {
    let folder = tempfile::tempdir().unwrap();
    let bad = weights(folder.path(), "potential", 0.0);
    let bad = bad.display();
    let compare = |options: &str| success(&run(&format!("{SMALL_COMPARISON} {options}")));
    let stdout = compare(&format!("--seeds 2..=300 --b {bad}"));
    let last: Vec<&str> = stdout.lines().rev().take(3).collect();
    assert_contains(last[2], "too narrow");
    assert_contains(last[1], " of 299 seeds: -");
    assert_contains(
        last[1],
        " % (with each game's change clipped at a factor of e: -",
    );
    assert_contains(last[1], " %, 90 % sure).");
    assert_eq!(
        last[0],
        "B is not better than A by 10 % or more, and perhaps worse. (If it were, at most 5 of 100 \
         comparisons would say so.)"
    );
    // The table and the answer below it show the same number.
    let [all] = &stdout
        .lines()
        .filter(|line| line.starts_with("all "))
        .collect::<Vec<_>>()[..]
    else {
        panic!("{stdout}");
    };
    let mean = all.split_whitespace().nth(4).unwrap();
    assert_contains(last[1], format!(" seeds: {mean} % (with"));
    // With --all, the games continue after the verdict, and a clear loss becomes "worse".
    let stdout = compare(&format!("--seeds 2..=100 --all --b {bad}"));
    let worse = "B is worse than A. (If it were not, at most 5 of 100 comparisons";
    assert_contains(stdout.lines().last().unwrap(), worse);
    assert!(!stdout.contains("too narrow"), "{stdout}");
    let start = columns_bot::eval::weights::Weights::default();
    let good = weights(folder.path(), "potential", start.potential);
    let stdout = compare(&format!("--seeds 2..=300 --a {bad} --b {}", good.display()));
    assert!(
        stdout.contains("\nB is better than A. (If it were not, at most 5 of 100 comparisons"),
        "{stdout}"
    );
}

#[test]
fn the_comparison_is_the_same_for_any_number_of_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let b = weights(folder.path(), "open_stacks", 9.0);
    let line = format!(
        "{SMALL_COMPARISON} --seeds 2..=60 --b {} --json",
        b.display()
    );
    let outputs = ["1", "2", "3"].map(|jobs| success(&run(&format!("{line} --jobs {jobs}"))));
    assert_eq!(outputs[0], outputs[1]);
    assert_eq!(outputs[0], outputs[2]);
    let lines = outputs[0]
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let lines: Vec<Value> = lines.collect();
    let (json, lines) = lines.split_last().unwrap();
    let all = &json["candidates"][0]["table"]["all"];
    assert_eq!(all["cases"], lines.len());
    assert_eq!(lines[0]["seed"], 2);
    assert_eq!(lines[0]["points"].as_array().unwrap().len(), 2);

    // The change in the table follows from the printed points.
    let logs = lines
        .iter()
        .map(|line| [0, 1].map(|player| (line["points"][player].as_f64().unwrap()).max(1.0).ln()));
    let (sum, count) = (logs.map(|[a, b]| b - a).sum::<f64>(), lines.len());
    let expected = 100.0 * (sum / count as f64).exp_m1();
    let mean = all["log_percent"]["mean"].as_f64().unwrap();
    assert!((mean - expected).abs() < 1e-9, "{mean} {expected}");
}

#[test]
fn the_largest_seeds_are_played_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let bad = weights(folder.path(), "potential", 0.0);
    let (bad, path) = (bad.display(), folder.path().join("ledger"));
    let ledger = path.display();
    let seeds = format!("{}..={}", u64::MAX - 4, u64::MAX);
    let line = format!("{SMALL_COMPARISON} --seeds {seeds} --b {bad} --out {ledger}");
    assert_contains(success(&run(&line)), ", all 5 seeds: ");
    let message = refusal(&run(&format!("export {ledger}")));
    assert_contains(message, " in 5 pairs of games");
    // The players take turns at playing first.
    let (_, lines) = columns_cli::ledger::read::<Comparison, Line>(&path).unwrap();
    let player = |line| match line {
        Line::Game(game) => Some(game.player),
        _ => None,
    };
    let players: Vec<usize> = lines.map(Result::unwrap).filter_map(player).collect();
    assert_eq!(players, [0, 1, 1, 0, 0, 1, 1, 0, 0, 1]);
}

#[test]
fn a_killed_comparison_resumes_with_the_same_result() {
    let folder = tempfile::tempdir().unwrap();
    let b = weights(folder.path(), "open_stacks", 9.0);
    let line = format!(
        "{SMALL_COMPARISON} --all --seeds 2..=60 --b {} --out",
        b.display()
    );
    let [whole, killed] = ["whole", "killed"].map(|name| folder.path().join(name));
    let compare = |line: &str, out: &Path| {
        let mut command = tuner(line.split_whitespace());
        command.arg(out);
        command
    };
    let mut alone = compare(&line, &whole);
    let stdout = success(&alone.args(["--jobs", "1"]).output().unwrap());
    let again = || compare(&line, &killed);
    kill_ten_times(again, &killed, &whole);
    assert_eq!(success(&again().output().unwrap()), stdout);
    let bytes = std::fs::read(&whole).unwrap();
    assert!(std::fs::read(&killed).unwrap() == bytes);

    // A command with fewer seeds is refused. A command with more seeds extends the record.
    let fewer = line.replace("..=60", "..=30");
    let message = refusal(&compare(&fewer, &whole).output().unwrap());
    assert_contains(
        &message,
        "--seeds up to: the run already has 60; give 60 or more",
    );
    let more = line.replace("..=60", "..=70");
    assert!(success(&compare(&more, &whole).output().unwrap()).contains(", all 69 seeds: "));
    assert!(std::fs::read(&whole).unwrap().starts_with(&bytes));
    // --resume takes all options from the record.
    let resume = |seeds: &str| {
        let options = format!("compare --resume {} {seeds}", whole.display());
        run(&options)
    };
    assert!(success(&resume("")).contains(", all 69 seeds: "));
    assert_contains(
        refusal(&resume("--seeds 2..=20000000000")),
        "expected at most 10000000 seeds",
    );
    assert!(success(&resume("--seeds 2..=72")).contains(", all 71 seeds: "));
    assert_contains(
        refusal(&resume("--seeds 3..=72")),
        "--seeds: expected a range that begins at 2",
    );
    assert_contains(refusal(&resume("--delta 2")), "cannot be used with");
    let begun = "as when it was begun, found";
    for (from, to, expected) in [
        (
            "--work 1.5",
            "--work 2",
            format!("work_us: expected 1500 {begun} 2000"),
        ),
        (
            "2..=60",
            "3..=60",
            format!("first_seed: expected 2 {begun} 3"),
        ),
    ] {
        let other = compare(&line.replace(from, to), &killed).output().unwrap();
        assert_contains(refusal(&other), expected);
    }
    let message = refusal(&compare(&line, &b).output().unwrap());
    assert_contains(&message, "does not use otherwise");
}

/// The bots of this test print the same plan for every case, or an invalid plan.
#[cfg(unix)]
#[test]
fn bots_play_as_processes() {
    let line = "compare --seeds 2..=6 --columns 30 --time-limit 2";
    let compare_with = |options: &str, a: &str, b: &str| {
        let mut command = tuner(line.split_whitespace().chain(options.split_whitespace()));
        success(&command.args(["--a-bot", a, "--b-bot", b]).output().unwrap())
    };
    let compare = |a: &str, b: &str| compare_with("", a, b);
    // Without a match, the plan scores 0 points.
    let options = "--objective sum --magic-rate 0 --colours 26 --palette fixed";
    let stdout = compare_with(options, "echo 0", "echo 0");
    assert_contains(&stdout, "against A's, all 5 seeds: no scores to compare");
    let stdout = compare("echo 0", "echo x");
    assert_contains(&stdout, "note: B: 5 games failed: 5 invalid (seed 2)\n");
    // A plan without placements is valid.
    assert!(!stdout.contains("note: A"), "{stdout}");
    assert_contains(
        &stdout,
        "B is worse than A: A fails in 0.0 % of all, B in 100.0 %. (If",
    );
    let empty =
        "sh -c 'echo 30; for i in 1 2 3 4 5 6 7 8 9 10; do echo 1 0; echo 2 0; echo 3 0; done'";
    let stdout = compare(empty, "echo 0");
    assert!(!stdout.contains("note:"), "{stdout}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_the_results_so_far() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    // The games of B fail. The second one is the first game of its seed, and still in progress after Ctrl-C.
    let bot = format!(
        "sh -c 'echo x >> {0}; [ $(wc -l < {0}) -lt 2 ] || sleep 1; echo x'",
        mark.display()
    );
    let mut command = tuner(["compare", "--columns", "30", "--jobs", "1"]);
    command.args(["--a-bot", "echo 0", "--b-bot", &bot]);
    let child = start(command);
    wait_for(&mark, 4);
    let (output, last) = interrupt(child);
    assert_contains(
        stderr(&output),
        "press Ctrl-C again to end immediately (without --out no game is kept)\n",
    );
    assert_contains(&last, "tuner: interrupted after ");
    let stdout = crate::stdout(&output);
    assert_contains(&stdout, "B against A");
    assert_contains(&stdout, "note: B: 1 game failed: ");
}

/// A comparison of a file with itself fails before the first game.
#[test]
fn the_same_weights_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = weights(folder.path(), "spot", 2.0);
    let path = path.display();
    let message = refusal(&run(&format!("compare --a {path} --b {path}")));
    assert_contains(
        &message,
        "spot-2.json: expected another player than A and the other candidates, found the same",
    );
    let message = refusal(&run(&format!("compare --b {path} --b {path}")));
    assert_contains(&message, "found the same weights and networks");
    let message = refusal(&run("compare --a-network none --b-network none"));
    assert_contains(&message, "none: expected another player than A");
}

/// If standard error is a pipe, the command prints the results so far after ten seeds, and then after every
/// 50th seed.
#[test]
fn the_progress_names_the_answers_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let bad = weights(folder.path(), "potential", 0.0);
    let near = weights(folder.path(), "open_stacks", 9.0);
    let progress = |b: &Path| {
        let output = run(&format!(
            "{SMALL_COMPARISON} --seeds 2..=52 --all --b {}",
            b.display()
        ));
        success(&output);
        stderr(&output)
    };
    let text = progress(&bad);
    let lines: Vec<&str> = text.lines().take(2).collect();
    assert!(
        lines[0].starts_with("B: ") && lines[0].contains(" after 10 pairs"),
        "{text}"
    );
    assert!(
        lines[1].starts_with("B: not better, -") || lines[1].starts_with("B: worse, -"),
        "{text}"
    );
    assert!(lines[1].ends_with(" % after 50 pairs"), "{text}");
    // For an undecided candidate, the progress estimates the number of further pairs.
    let text = progress(&near);
    let first = text.lines().next().unwrap();
    assert!(
        first.contains(" % after 10 pairs, ") && first.ends_with(" decide"),
        "{text}"
    );
}

#[test]
fn candidates_play_the_same_seeds_and_the_bad_ones_drop_out() {
    let folder = tempfile::tempdir().unwrap();
    let [bad, near] = [("potential", 0.0), ("open_stacks", 9.0)];
    let bad = weights(folder.path(), bad.0, bad.1);
    let near = weights(folder.path(), near.0, near.1);
    let out = folder.path().join("games");
    let line = |seeds: &str, rest: &str| {
        let (bad, near, out) = (bad.display(), near.display(), out.display());
        format!("{SMALL_COMPARISON} --seeds {seeds} --b {bad} --b {near} --out {out} {rest}")
    };
    let stdout = success(&run(&line("2..=90", "")));
    assert_contains(&stdout, format!("B1 ({}):\n", bad.display()));
    assert_contains(&stdout, format!("B2 ({}):\n", near.display()));
    assert_contains(
        &stdout,
        "potential-0.json) is not better than A by 10 % or more, and perhaps worse. (If it were, at \
         most 5 of 100 comparisons would say so.)",
    );
    let json = success(&run(&line("2..=90", "--json")));
    let lines = json
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let lines: Vec<Value> = lines.collect();
    let (result, lines) = lines.split_last().unwrap();
    let count = |player: usize| {
        lines
            .iter()
            .filter(|line| !line["points"][player].is_null())
            .count()
    };
    assert!(count(1) < count(2) && count(0) == count(2), "{stdout}");
    for (index, player) in [(0, 1), (1, 2)] {
        assert_eq!(
            result["candidates"][index]["table"]["all"]["cases"],
            count(player)
        );
    }
    // The options that affect the result are in the ledger and must not change. Only the number of seeds may
    // grow.
    let message = refusal(&run(&line("2..=90", "--alpha 0.01")));
    assert_contains(
        &message,
        "alpha: expected 0.05 as when it was begun, found 0.01",
    );
    let message = refusal(&run(&line("2..=90", "--objective sum")));
    assert_contains(
        &message,
        "objective: expected \"log\" as when it was begun, found \"sum\"",
    );
    success(&run(&line("2..=95", "")));
}

/// The message names the first difference between the players in the ledger and those of the command.
#[test]
fn changed_and_reordered_candidates_are_named() {
    let temp = TempFolder::new();
    let [x, y, z] = ["x.json", "y.json", "z.json"].map(|name| temp.path(name));
    let put = |path: &str, text: &str| write(path.as_ref(), text);
    put(&x, "{\"spot\": 3}");
    put(&y, "{\"potential\": 0.5}");
    put(&z, "{\"spot\": 2}");
    let compare = |players: &str| {
        let options = format!(
            "{SMALL_COMPARISON} --seeds 2..=5 --out {}",
            temp.path("xy.jsonl")
        );
        run(&format!("{options} {players}"))
    };
    success(&compare(&format!("--b {x} --b {y}")));
    let refuse = |players: &str, expected: &str| {
        assert_contains(
            refusal(&compare(players)),
            format!("xy.jsonl: players{expected}"),
        );
    };
    let begun = "as when it was begun, found";
    refuse(
        &format!("--b {y} --b {x}"),
        &format!(".1.player.bot.player.weights.potential: expected 0.85 {begun} 0.5"),
    );
    refuse(
        &format!("--b {x} --b {z}"),
        &format!(".2.player.bot.player.weights.potential: expected 0.5 {begun} 0.85"),
    );
    refuse(
        &format!("--b {x}"),
        ": expected the one with which it was begun, found another",
    );
    refuse(
        &format!("--a {z} --b {x} --b {y}"),
        &format!(".0.player.bot.player.weights.spot: expected 1.5 {begun} 2.0"),
    );
    // The comparison also resumes with another file that holds the same player.
    let copy = temp.path("copy.json");
    put(&copy, "{\"spot\": 3}");
    success(&compare(&format!("--b {copy} --b {y}")));
    put(&x, "{\"spot\": 4}");
    let changed = format!(".1.player.bot.player.weights.spot: expected 3.0 {begun} 4.0");
    refuse(&format!("--b {x} --b {y}"), &changed);
    // Without --a, the base is the bot of this build, not the base in the ledger.
    let options = format!(
        "{SMALL_COMPARISON} --seeds 2..=5 --out {}",
        temp.path("rebuilt")
    );
    success(&run(&format!("{options} --a {z} --b {y}")));
    let message = refusal(&run(&format!("{options} --b {y}")));
    let expected = format!("players.0.player.bot.player.weights.spot: expected 2.0 {begun} 1.5");
    assert_contains(message, expected);
}

/// With --objective sum, the verdict and the table show the change in the sum of scores.
#[test]
fn a_comparison_by_the_sum_of_scores_shows_its_change() {
    let folder = tempfile::tempdir().unwrap();
    let bad = weights(folder.path(), "potential", 0.0);
    let line = format!(
        "{SMALL_COMPARISON} --objective sum --all --seeds 2..=100 --json --b {}",
        bad.display()
    );
    let json = success(&run(&line));
    let lines = json
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let lines: Vec<Value> = lines.collect();
    let (result, lines) = lines.split_last().unwrap();
    let sum = |player: usize| -> u64 {
        lines
            .iter()
            .map(|line| line["points"][player].as_u64().unwrap())
            .sum()
    };
    let expected = 100.0 * (sum(1) as f64 / sum(0) as f64 - 1.0);
    let candidate = &result["candidates"][0];
    let mean = candidate["table"]["all"]["sum_percent"]["mean"]
        .as_f64()
        .unwrap();
    assert!((mean - expected).abs() < 1e-9, "{mean} {expected}");
    assert_eq!(candidate["answer"], "worse");
    let stdout = success(&run(&line.replace("--json ", "")));
    assert_contains(
        &stdout,
        format!(
            "B's sum of scores against A's, all {} seeds: {mean:+.2} %",
            lines.len()
        ),
    );
}

/// With --no-worse, the comparison tests whether a simplification loses points.
#[test]
fn no_worse_is_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let near = weights(folder.path(), "open_stacks", 9.0);
    let line = "compare --work 1.5 --columns 60 --delta 40 --no-worse --seeds 2..=300";
    let stdout = success(&run(&format!("{line} --b {}", near.display())));
    assert_contains(
        &stdout,
        "B is not worse than A by 40 % or more, and perhaps better. (If it were, at most 5 of 100",
    );
    let bad = weights(folder.path(), "potential", 0.0);
    let stdout = success(&run(
        &format!("{line} --delta 10 --b {}", bad.display()).replace("--delta 40 ", "")
    ));
    assert_contains(&stdout, "B is worse than A. (If it were not");
}

/// Only `tuner fit` replaces placeholders such as `{x}`.
#[cfg(unix)]
#[test]
fn a_placeholder_without_a_value_is_refused() {
    let message = refusal(
        &tuner(["compare", "--a-bot", "echo 0", "--b-bot", "echo {x}"])
            .output()
            .unwrap(),
    );
    assert_contains(&message, "expected a value in the place of {x}");
}

/// Ctrl-C reaches all processes of the group, and a wrapper such as `timeout` sends the signal a second time.
/// The signals may kill the bots, but the command must still end with status 130.
#[cfg(unix)]
#[test]
fn ctrl_c_of_a_group_always_ends_with_status_130() {
    use std::os::unix::process::CommandExt;
    for round in 0..3 {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().join("mark");
        let bot = format!("sh -c 'echo x >> {}; sleep 0.3; echo 0'", mark.display());
        let mut command = tuner(["compare", "--columns", "30", "--jobs", "3"]);
        command.args(["--a-bot", &bot, "--b-bot", "sh -c 'sleep 0.2; echo 0'"]);
        let mut child = start_in_group(command.process_group(0));
        wait_for(&mark, 2);
        for _ in 0..=round % 3 {
            let group = format!("-{}", child.id());
            let kill = std::process::Command::new("kill")
                .args(["-INT", "--", &group])
                .status();
            assert!(kill.unwrap().success() || round > 0);
            std::thread::sleep(std::time::Duration::from_millis(round));
        }
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(130), "round {round}");
    }
}

/// Starts a command without input, and discards its output. The caller must already have put the command into
/// its own process group.
#[cfg(unix)]
fn start_in_group(command: &mut std::process::Command) -> std::process::Child {
    use std::process::Stdio;
    let command = command.stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(Stdio::null()).spawn().unwrap()
}

/// Without a value, `--a-bot` and `--bot` stand for the bot of `columns.toml`. The command builds this bot,
/// and checks its files.
#[cfg(unix)]
#[test]
fn the_bot_of_columns_toml_is_built_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("below")).unwrap();
    let run_in = |place: &Path, line: &str| {
        let mut command = tuner(line.split_whitespace());
        command.current_dir(place).output().unwrap()
    };
    let compare = |seeds: &str| {
        let line = format!("compare --a-bot --b-bot false --columns 30 --out c --seeds {seeds}");
        run_in(folder.path(), &line)
    };
    // The output of a build may precede the message, so `refusal` does not apply.
    let failure = |output: &Output| {
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        stderr(output)
    };
    let message = refusal(&compare("1..=3"));
    assert_contains(
        message,
        "--a-bot: expected a command line, or a key `bot` in columns.toml",
    );
    let config = |bot: &str, build: &str| {
        let text = format!("bot = '{bot}'\nbuild = '{build}'\nfiles = ['*.txt']\n");
        write(&at("columns.toml"), &text);
    };
    write(&at("lib.txt"), "1");
    config("sh bot.sh", "echo echo 0 > bot.sh");
    success(&compare("1..=3"));
    write(&at("lib.txt"), "2");
    assert_contains(
        failure(&compare("1..=5")),
        "lib.txt: changed since the run began",
    );
    let line = "compare --a-bot --b-bot false --seeds 1..=3";
    let message = refusal(&run_in(&at("below"), line));
    assert_contains(message, "--a-bot: columns.toml is in ");

    write(
        &at("space"),
        "a = { start = 3, min = 0, max = 9, step = 1 }",
    );
    let fit = || {
        let line = "fit --bot --space space --out run --pairs 2 --games 110 --max-pairs 2";
        run_in(folder.path(), line)
    };
    config("sh bot.sh {a}", "false");
    assert_contains(failure(&fit()), "the build failed");
    config("sh bot.sh {a}", "true");
    let output = fit();
    success(&output);
    assert_contains(stderr(&output), "lib.txt");
    assert_contains(
        std::fs::read_to_string(at("run/command.txt")).unwrap(),
        "sh bot.sh ",
    );

    config("sh bot.sh", "echo > begun; sleep 60");
    let mut command = tuner(line.split_whitespace());
    command.current_dir(folder.path());
    let child = start(command);
    wait_for(at("begun"), 1);
    let (output, last) = interrupt(child);
    assert_eq!(last, "tuner: interrupted during the build");
    assert!(!stderr(&output).contains("games in progress"), "{output:?}");
}
