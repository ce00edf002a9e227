//! The numbers in the results: all views and the judge must agree on them.

use super::actions::{PageActions, write_files};
use anyhow::{Context, Result, ensure};
use columns_browser::{Browser, build_program, test_page};
use columns_stats::{format_change, format_interval};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The players: shell scripts that receive the case on standard input. `BOT` stands for the path of the bot.
/// Some scripts fail on some of the cases, each in a different way.
const BOTS: [&str; 6] = [
    "exec BOT --nodes 300",
    "exec BOT --nodes 1200",
    "case=$(cat); set -- $case; [ $1 = 7 ] && exit 3; echo \"$case\" | BOT --nodes 900",
    "case=$(cat); set -- $case; [ $1 = 11 ] && echo oh || echo \"$case\" | BOT --nodes 600",
    "case=$(cat); set -- $case; [ $1$2 = 1013 ] && sleep 5; echo \"$case\" | BOT --nodes 500",
    "BOT --nodes 200 | head -n 30 | sed '1s/.*/29/'",
];

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
        // The exit status is not checked, since the judge exits with 1 if a game failed.
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

/// Returns the numbers that the standings show for a player: the change with its interval; the counts of
/// won, equal and lost games; the count of failed games; and the sum.
fn shown_numbers(browser: &Browser, player: &str) -> Result<[String; 4]> {
    let cells = browser.run_js(&format!(
        "const row = document.querySelector('#ranking [data-player=\"{player}\"]');
         const text = (css) => row.querySelector(css)?.textContent.replaceAll(',', '').trim();
         const failed = row.querySelector('.troubles').firstChild.data ?? '';
         const sum = (failed.match(/\\d+/g) ?? []).reduce((a, b) => a + Number(b), 0);
         return [text('.delta'), text('.wins'), String(sum), text('.sum')]"
    ))?;
    Ok(serde_json::from_value(cells)?)
}

/// Checks that the page's standings and verdicts match the output of `judge compare`.
fn check_comparison(browser: &Browser, root: &Path, cases: usize) -> Result<()> {
    let names: Vec<String> = (1..=BOTS.len()).map(|number| number.to_string()).collect();
    let mut arguments = vec!["compare", "--json"];
    arguments.extend(names.iter().map(String::as_str));
    let table = judge_json(root, &arguments)?;
    let table = table.as_array().context("an array")?;
    assert_eq!(table.len(), BOTS.len() - 1);
    let verdicts = browser.evaluate("document.getElementById('verdicts').textContent")?;
    for (number, comparison) in (2..).zip(table) {
        let all = &comparison["all"];
        let value = |value: &Value| value.as_f64().unwrap_or_default();
        let change = &all["log_percent"];
        let [low, high] = [0, 1].map(|end| value(&change["interval"][end]));
        let mean = format_change(value(&change["mean"]), 2);
        let change = format!("{mean} {}", format_interval((low, high), 2)).replace('-', "−");
        let wins = ["wins", "ties", "losses"].map(|name| all[name].to_string());
        let sum = value(&all["mean_b"]) * cases as f64;
        let expected = [
            change,
            wins.join(" · "),
            all["failed_b"].to_string(),
            format!("{sum:.0}"),
        ];
        let name = format!("bot{number}");
        assert_eq!(shown_numbers(browser, &name)?, expected, "{name}");
        ensure!(
            verdicts.as_str().unwrap_or_default().contains(&name),
            "{verdicts}"
        );
    }
    Ok(())
}

/// Compares the points of the first two players in Results, Watch and Compare with the judge's points, and
/// the accuracy of a review in Watch with the accuracy in Results.
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
fn the_views_and_the_judge_show_the_same_numbers() {
    const CASES: usize = 60;
    test_page("", |browser| {
        let root = browser.new_folder();
        std::fs::create_dir_all(&root)?;
        let runs = play_runs(&root, CASES)?;
        browser.choose("#folder", &[&root.join("runs")])?;
        browser.wait_for_scores(CASES, BOTS.len() + 1)?;
        browser.click("#ranking [aria-label='Show Quickstart']")?;
        browser.wait_for_scores(CASES, BOTS.len())?;
        let differ = "document.querySelectorAll('.cases .differs').length";
        assert_eq!(browser.evaluate(differ)?, 0);
        check_comparison(browser, &root, CASES)?;
        check_points(browser, &runs)
    });
}
