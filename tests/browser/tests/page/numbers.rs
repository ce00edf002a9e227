//! The numbers of the results: the page and the judge must agree with a recomputation from the runs' files.

use super::actions::{PageActions, write_files};
use super::bench::read_points;
use anyhow::{Context, Result, ensure};
use columns_browser::{Browser, Screen, build_program, test_page};
use columns_stats::{format_change, format_interval};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The bots: shell scripts that receive the case on standard input. `BOT` stands for the path of the bot.
/// Some fail on some of the cases, each in a different way.
const BOTS: [&str; 8] = [
    "exec BOT --nodes 300",
    "exec BOT --nodes 1200",
    "case=$(cat); set -- $case; [ $1 = 7 ] && exit 3; echo \"$case\" | BOT --nodes 900",
    "case=$(cat); set -- $case; [ $1 = 11 ] && echo oh || echo \"$case\" | BOT --nodes 600",
    "case=$(cat); set -- $case; [ $1$2 = 1013 ] && sleep 5; echo \"$case\" | BOT --nodes 500",
    "exec BOT --nodes 300",
    "echo 0",
    "BOT --nodes 200 | head -n 30 | sed '1s/.*/29/'",
];

/// The expected meaning of a filter: true if a case passes. The arguments are the first player's row of the
/// case, for its properties, and the rows of all players.
type Condition = fn(&Value, &[&Value]) -> bool;
const FILTERS: [(&str, Condition); 6] = [
    ("", |_, _| true),
    ("growing", |case, _| case["palette"] == "growing"),
    ("cells <= 126 -8x14", |case, _| {
        let [width, height] = ["width", "height"].map(|name| case[name].as_u64());
        let area = width
            .zip(height)
            .map_or(0, |(width, height)| width * height);
        area <= 126 && (width, height) != (Some(8), Some(14))
    }),
    ("-failed", |_, rows| rows.iter().all(|row| !is_failed(row))),
    ("bot8 < bot1", |_, rows| score(rows[7]) < score(rows[0])),
    ("ratio > 2 colours >= 4", |case, rows| {
        let base = rows[0];
        let ratio = |row: &&&Value| score(row).max(1) as f64 / score(base).max(1) as f64 > 2.0;
        let finished = rows
            .iter()
            .filter(|row| !is_failed(row) && !is_failed(base));
        case["colours"].as_u64() >= Some(4) && finished.filter(ratio).count() > 0
    }),
];

fn is_failed(row: &Value) -> bool {
    ["tle", "mle", "crashed", "invalid"].contains(&row["status"].as_str().unwrap_or_default())
}

fn score(row: &Value) -> u64 {
    row["score"].as_u64().unwrap_or_default()
}

/// Runs every bot on the cases, and returns the rows of each run in the order of the cases.
fn play_runs(root: &Path, cases: u32) -> Result<Vec<Vec<Value>>> {
    let bot = build_program("bot")?;
    let mut runs = Vec::new();
    for (number, script) in (1..).zip(BOTS) {
        let script = script.replace("BOT", &bot.display().to_string());
        write_files(root, &[(format!("{number}.sh"), script)])?;
        let mut judge = Command::new(build_program("judge")?);
        judge
            .current_dir(root)
            .args(["run", "--jobs", "2", "--time-limit", "0.5"]);
        judge.args(["--columns", "60", "--name", &format!("bot{number}")]);
        judge.args([
            "--seeds",
            &format!("1..={cases}"),
            "--bot",
            &format!("sh {number}.sh"),
        ]);
        let output = judge.output()?;
        let runs_file = root.join(format!("runs/{number:04}/run.jsonl"));
        let text = fs::read_to_string(&runs_file)
            .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
        let rows = text.lines().skip(1).map(serde_json::from_str::<Value>);
        let mut rows = rows.collect::<Result<Vec<_>, _>>()?;
        rows.sort_by_key(|row| row["seed"].as_u64());
        ensure!(
            rows.len() == cases as usize,
            "{} rows of run {number}",
            rows.len()
        );
        runs.push(rows);
    }
    Ok(runs)
}

/// Returns the density of Student's t-distribution, without its constant factor.
fn density(t: f64, freedom: f64) -> f64 {
    (1.0 + t * t / freedom).powf(-(freedom + 1.0) / 2.0)
}

/// Returns the value beyond which the two tails of Student's t-distribution have the probability `tails`.
/// Uses Simpson's rule and bisection.
fn quantile(tails: f64, freedom: f64) -> f64 {
    let area = |from: f64, to: f64| {
        let step = (to - from) / 2000.0;
        let weight = |i: i32| [2.0, 4.0][(i % 2) as usize];
        let inner: f64 = (1..2000)
            .map(|i| weight(i) * density(from + f64::from(i) * step, freedom))
            .sum();
        (density(from, freedom) + inner + density(to, freedom)) * step / 3.0
    };
    let all = area(0.0, 200.0);
    let (mut low, mut high) = (0.0, 200.0);
    while high - low > 1e-9 {
        let middle = f64::midpoint(low, high);
        if area(0.0, middle) / all < 1.0 - tails {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// Formats changes in percent as the page does.
fn change_texts(mean: f64, low: f64, high: f64) -> String {
    let text = format!(
        "{} {}",
        format_change(mean, 2),
        format_interval((low, high), 2)
    );
    text.replace('-', "−")
}

/// Returns the numbers that the standings must show for a player. Computes them only from the rows of the
/// player's run and of the reference.
fn expected_numbers(base: &[&Value], rows: &[&Value], candidates: f64) -> Vec<String> {
    let both = base.iter().zip(rows);
    let finished = both.clone().filter(|(a, b)| !is_failed(a) && !is_failed(b));
    let log = |row: &Value| (score(row).max(1) as f64).ln();
    let changes: Vec<f64> = finished.map(|(a, b)| log(b) - log(a)).collect();
    let n = changes.len() as f64;
    let mean = changes.iter().sum::<f64>() / n;
    let deviation = (changes.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
    let half = quantile(0.05 / candidates, n - 1.0) * deviation / n.sqrt();
    let percent = |log: f64| 100.0 * log.exp_m1();
    // A failed game ranks below a game of 0 points.
    let rank = |row: &Value| {
        if is_failed(row) {
            -1
        } else {
            score(row) as i64
        }
    };
    let count = |holds: fn(i64, i64) -> bool| {
        both.clone()
            .filter(|(a, b)| holds(rank(b), rank(a)))
            .count()
    };
    let kinds = [
        ("tle", "TLE"),
        ("mle", "MLE"),
        ("crashed", "crashed"),
        ("invalid", "invalid"),
    ];
    let kinds = kinds.map(|(status, word)| {
        (
            rows.iter().filter(|row| row["status"] == status).count(),
            word,
        )
    });
    let failed = kinds.iter().filter(|(count, _)| *count > 0);
    let failed: Vec<String> = failed
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    vec![
        change_texts(percent(mean), percent(mean - half), percent(mean + half)),
        format!(
            "{} · {} · {}",
            count(|b, a| b > a),
            count(|b, a| b == a),
            count(|b, a| b < a)
        ),
        failed.join(" · "),
        rows.iter().map(|row| score(row)).sum::<u64>().to_string(),
    ]
}

/// Returns the numbers that the page shows for a player, in the form of [`expected_numbers`].
fn shown_numbers(browser: &Browser, player: &str) -> Result<Vec<String>> {
    let cells = browser.run_js(&format!(
        "const row = document.querySelector('#ranking [data-player=\"{player}\"]');
         const text = (name) => row.querySelector('.' + name).textContent.replaceAll(',', '').trim();
         const failed = row.querySelector('.troubles').firstChild.data?.trim() ?? '';
         return [text('delta').replace(/ [0-9]+ of [0-9]+ cases$/, ''), text('wins'),
             failed.replace(/^0$/, ''), text('sum')]"
    ))?;
    Ok(serde_json::from_value(cells)?)
}

/// Plays the cases, opens the runs, and compares the standings under all filters.
fn check_standings(browser: &Browser, cases: u32) -> Result<()> {
    let root = tempfile::tempdir()?;
    let runs = play_runs(root.path(), cases)?;
    browser.choose_files("#folder", &[&root.path().join("runs")])?;
    browser.wait_for_scores(cases as usize, BOTS.len() + 1)?;
    browser.click("#ranking [aria-label='Show Quickstart']")?;
    browser.wait_for_scores(cases as usize, BOTS.len())?;
    assert_eq!(
        browser.evaluate("document.querySelectorAll('.cases .differs').length")?,
        0
    );
    for (filter, condition) in FILTERS {
        browser.set_filter(filter)?;
        browser.wait_for_frames()?;
        let rows_of = |case: usize| runs.iter().map(|rows| &rows[case]).collect::<Vec<_>>();
        let list: Vec<usize> = (0..cases as usize)
            .filter(|&case| condition(&runs[0][case], &rows_of(case)))
            .collect();
        assert_eq!(browser.case_names()?.len(), list.len(), "{filter}");
        assert!(list.len() > 5, "{} cases for {filter}", list.len());
        let part = |run: usize| {
            list.iter()
                .map(|&case| &runs[run][case])
                .collect::<Vec<_>>()
        };
        for run in 1..BOTS.len() {
            let expected = expected_numbers(&part(0), &part(run), 7.0);
            let name = format!("bot{}", run + 1);
            assert_eq!(
                shown_numbers(browser, &name)?,
                expected,
                "{name} with {filter:?}"
            );
        }
    }
    // Without a filter, the judge reports the same numbers.
    browser.set_filter("")?;
    let names: Vec<String> = (1..=BOTS.len()).map(|number| number.to_string()).collect();
    let mut judge = Command::new(build_program("judge")?);
    let output = judge
        .current_dir(root.path())
        .args(["compare", "--json"])
        .args(names)
        .output()?;
    let table: Vec<Value> = serde_json::from_slice(&output.stdout)?;
    for (run, comparison) in (1..).zip(&table) {
        let all = &comparison["all"];
        let number = |value: &Value| value.as_f64().context("a number");
        let change = &all["log_percent"];
        let [low, high] = [0, 1].map(|end| number(&change["interval"][end]));
        let shown = shown_numbers(browser, &format!("bot{}", run + 1))?;
        assert_eq!(
            shown[0],
            change_texts(number(&change["mean"])?, low?, high?)
        );
        let counts = ["wins", "ties", "losses"].map(|name| all[name].to_string());
        assert_eq!(shown[1], counts.join(" · "));
        let sum = number(&all["mean_b"])? * f64::from(cases);
        assert_eq!(shown[3], format!("{sum:.0}"));
        let failed: u64 = shown[2]
            .split(' ')
            .filter_map(|word| word.parse::<u64>().ok())
            .sum();
        assert_eq!(all["failed_b"], failed);
    }
    assert_eq!(table.len(), BOTS.len() - 1);
    check_points(browser, root.path())
}

/// Compares the points of the first two players in Results, Watch and Compare with those of `judge show`.
fn check_points(browser: &Browser, root: &Path) -> Result<()> {
    let show = |run: &str| -> Result<Vec<u64>> {
        let mut judge = Command::new(build_program("judge")?);
        let output = judge
            .current_dir(root)
            .args(["show", run, "--json"])
            .output()?;
        let mut shown: Value = serde_json::from_slice(&output.stdout)?;
        let rows = shown["rows"].as_array_mut().context("rows")?;
        rows.sort_by_key(|row| row["seed"].as_u64());
        Ok(rows.iter().map(score).collect())
    };
    let [a, b] = [show("1")?, show("2")?];
    assert_eq!(read_points(browser, "bot1")?, a);
    assert_eq!(read_points(browser, "bot2")?, b);
    let note = "document.querySelector('#watch-hud .hint').textContent.replaceAll(',', '')";
    browser.open_game("0001", "bot1")?;
    for points in &a {
        browser.wait_until(&format!("/Final {points}( |$)/.test({note})"))?;
        browser.press_keys(&[']'])?;
    }
    browser.click("#tab-compare")?;
    browser.select_option("#compare-a", "bot1")?;
    browser.select_option("#compare-b", "bot2")?;
    let end = "document.getElementById('compare-text').textContent.replaceAll(',', '')";
    for (a, b) in a.iter().zip(&b) {
        browser.wait_until(&format!("{end}.includes('At the end: A {a} B {b}.')"))?;
        browser.press_keys(&[']'])?;
    }
    // The accuracy of a review is the same in Watch and in Results.
    browser.click("#tab-watch")?;
    browser.click("#watch-review .main")?;
    browser.wait_for_text("#watch-review .hint", "Accuracy")?;
    let text = browser.text("#watch-review .hint")?;
    let accuracy = text.split([' ', ':']).nth(1).context("an accuracy")?;
    browser.click("#tab-results")?;
    browser.wait_for_text(
        "#ranking [data-player=bot1] .accuracy",
        &format!("{accuracy} % 1 game"),
    )
}

#[test]
fn the_page_the_judge_and_a_recomputation_agree() {
    test_page("numbers of 60 x 8 games", "", Screen::DESKTOP, |browser| {
        check_standings(browser, 60)
    });
}
