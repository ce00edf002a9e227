//! The numbers of the results: all views and the judge must agree, also with a recomputation from the runs'
//! files under filters.

use super::actions::{PageActions, write_files};
use anyhow::{Context, Result, ensure};
use columns_browser::{Browser, build_program, test_page};
use columns_stats::{format_change, format_interval};
use serde_json::Value;
use std::cmp::Ordering;
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

/// Returns the JSON that a command of the judge prints.
fn judge_json(root: &Path, arguments: &[&str]) -> Result<Value> {
    let mut judge = Command::new(build_program("judge")?);
    let output = judge.current_dir(root).args(arguments).output()?;
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    serde_json::from_slice(&output.stdout).context(stderr)
}

/// Runs every bot on the cases, and returns the rows of each run in the order of the cases.
fn play_runs(root: &Path, cases: usize) -> Result<Vec<Vec<Value>>> {
    let bot = build_program("bot")?;
    let mut runs = Vec::new();
    for (number, script) in (1..).zip(BOTS) {
        let script = script.replace("BOT", &bot.display().to_string());
        write_files(root, &[(format!("{number}.sh"), script)])?;
        let command = format!(
            "run --jobs 2 --time-limit 0.5 --columns 60 --name bot{number} --seeds 1..={cases} --bot"
        );
        let script = format!("sh {number}.sh");
        let arguments = command.split(' ').chain([script.as_str()]);
        // The status of the judge says whether games failed.
        Command::new(build_program("judge")?)
            .current_dir(root)
            .args(arguments)
            .output()?;
        let shown = judge_json(root, &["show", &number.to_string(), "--json"])?;
        let mut rows = shown["rows"].as_array().context("rows")?.clone();
        rows.sort_by_key(|row| row["seed"].as_u64());
        ensure!(rows.len() == cases, "{} rows of run {number}", rows.len());
        runs.push(rows);
    }
    Ok(runs)
}

/// Returns the numbers that the standings must show for a player: the change, without its interval; won,
/// equal and lost games; failed games by kind; and the sum. Computes them only from the rows of the player's
/// run and of the reference.
fn expected_numbers(base: &[&Value], rows: &[&Value]) -> [String; 4] {
    let both = base.iter().zip(rows);
    let finished = both.clone().filter(|(a, b)| !is_failed(a) && !is_failed(b));
    let log = |row: &Value| (score(row).max(1) as f64).ln();
    let changes: Vec<f64> = finished.map(|(a, b)| log(b) - log(a)).collect();
    let mean = changes.iter().sum::<f64>() / changes.len() as f64;
    // A failed game ranks below a game of 0 points.
    let rank = |row: &Value| {
        if is_failed(row) {
            -1
        } else {
            score(row) as i64
        }
    };
    let count = |order: Ordering| {
        both.clone()
            .filter(|(a, b)| rank(b).cmp(&rank(a)) == order)
            .count()
    };
    let counts = [Ordering::Greater, Ordering::Equal, Ordering::Less].map(count);
    let kinds = [
        ("tle", "TLE"),
        ("mle", "MLE"),
        ("crashed", "crashed"),
        ("invalid", "invalid"),
    ];
    let failed = kinds.iter().filter_map(|(status, word)| {
        let count = rows.iter().filter(|row| row["status"] == *status).count();
        (count > 0).then(|| format!("{count} {word}"))
    });
    [
        format_change(100.0 * mean.exp_m1(), 2).replace('-', "−"),
        counts.map(|count| count.to_string()).join(" · "),
        failed.collect::<Vec<_>>().join(" · "),
        rows.iter().map(|row| score(row)).sum::<u64>().to_string(),
    ]
}

/// Returns the numbers that the page shows for a player, in the form of [`expected_numbers`], and the interval
/// of the change.
fn shown_numbers(browser: &Browser, player: &str) -> Result<([String; 4], String)> {
    let cells = browser.run_js(&format!(
        "const row = document.querySelector('#ranking [data-player=\"{player}\"]');
         const text = (css) => row.querySelector(css)?.textContent.replaceAll(',', '').trim() ?? '';
         const failed = row.querySelector('.troubles').firstChild.data?.trim() ?? '';
         return [[text('.delta b'), text('.wins'), failed.replace(/^0$/, ''), text('.sum')],
             text('.delta small')]"
    ))?;
    Ok(serde_json::from_value(cells)?)
}

/// Compares the standings under all filters with the rows of the runs.
fn check_filters(browser: &Browser, runs: &[Vec<Value>]) -> Result<()> {
    for (filter, condition) in FILTERS {
        browser.set_filter(filter)?;
        browser.wait_for_frames()?;
        let rows_of = |case: usize| runs.iter().map(|rows| &rows[case]).collect::<Vec<_>>();
        let list: Vec<usize> = (0..runs[0].len())
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
            let (shown, _) = shown_numbers(browser, &format!("bot{}", run + 1))?;
            let expected = expected_numbers(&part(0), &part(run));
            assert_eq!(shown, expected, "bot{} with {filter:?}", run + 1);
        }
    }
    Ok(())
}

/// Compares the standings and the verdicts of all cases with `judge compare`.
fn check_comparison(browser: &Browser, root: &Path) -> Result<()> {
    browser.set_filter("")?;
    browser.wait_for_frames()?;
    let names: Vec<String> = (1..=BOTS.len()).map(|number| number.to_string()).collect();
    let mut arguments = vec!["compare", "--json"];
    arguments.extend(names.iter().map(String::as_str));
    let table = judge_json(root, &arguments)?;
    let table = table.as_array().context("an array")?;
    assert_eq!(table.len(), BOTS.len() - 1);
    let verdicts = browser.evaluate("document.getElementById('verdicts').textContent")?;
    for (number, comparison) in (2..).zip(table) {
        let all = &comparison["all"];
        let name = format!("bot{number}");
        let (shown, interval) = shown_numbers(browser, &name)?;
        let change = &all["log_percent"];
        let [low, high] = [0, 1].map(|end| change["interval"][end].as_f64().unwrap_or_default());
        let expected = format_interval((low, high), 2).replace('-', "−");
        ensure!(
            interval.starts_with(&expected),
            "{name}: {interval}, expected {expected}"
        );
        let counts = ["wins", "ties", "losses"].map(|name| all[name].to_string());
        assert_eq!(shown[1], counts.join(" · "));
        let numbers = shown[2]
            .split(' ')
            .filter_map(|word| word.parse::<u64>().ok());
        assert_eq!(all["failed_b"], numbers.sum::<u64>());
        ensure!(
            verdicts.as_str().unwrap_or_default().contains(&name),
            "{verdicts}"
        );
    }
    Ok(())
}

/// Compares the points of the first two players in Results, Watch and Compare with those of the judge, and
/// the accuracy of a review in Watch with that in Results.
fn check_points(browser: &Browser, runs: &[Vec<Value>]) -> Result<()> {
    let [a, b] = [0, 1].map(|run: usize| runs[run].iter().map(score).collect::<Vec<_>>());
    assert_eq!(browser.points_of("bot1")?, a);
    assert_eq!(browser.points_of("bot2")?, b);
    let note = "document.querySelector('#watch-hud .hint').textContent.replaceAll(',', '')";
    browser.open_game("0001", "bot1")?;
    for points in &a {
        browser.wait_until(&format!("/Final {points}( |$)/.test({note})"))?;
        browser.keys("]")?;
    }
    browser.click("#tab-compare")?;
    browser.select_option("#compare-a", "bot1")?;
    browser.select_option("#compare-b", "bot2")?;
    let end = "document.getElementById('compare-text').textContent.replaceAll(',', '')";
    for (a, b) in a.iter().zip(&b) {
        browser.wait_until(&format!("{end}.includes('At the end: A {a} B {b}.')"))?;
        browser.keys("]")?;
    }
    browser.click("#tab-watch")?;
    browser.click("#watch-review .main")?;
    browser.wait_for_text("#watch-review .hint", "Accuracy")?;
    let text = browser.text("#watch-review .hint")?;
    let accuracy = text.split([' ', ':']).nth(1).context("an accuracy")?;
    browser.click("#tab-results")?;
    let shown = format!("{accuracy} % 1 game");
    browser.wait_for_text("#ranking [data-player=bot1] .accuracy", &shown)
}

#[test]
fn the_views_the_judge_and_a_recomputation_agree() {
    test_page("", |browser| {
        let root = browser.new_folder();
        std::fs::create_dir_all(&root)?;
        let runs = play_runs(&root, 60)?;
        browser.choose_files("#folder", &[&root.join("runs")])?;
        browser.wait_for_scores(60, BOTS.len() + 1)?;
        browser.click("#ranking [aria-label='Show Quickstart']")?;
        browser.wait_for_scores(60, BOTS.len())?;
        let differ = "document.querySelectorAll('.cases .differs').length";
        assert_eq!(browser.evaluate(differ)?, 0);
        check_filters(browser, &runs)?;
        check_comparison(browser, &root)?;
        check_points(browser, &runs)
    });
}
