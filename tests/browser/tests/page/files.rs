//! Opening files: every file is used or rejected with a message, and plans belong to the right
//! case.

use super::bench::{column, quickstart_game};
use super::visitor::{Visitor, filled, judge, write};
use anyhow::{Context, Result};
use columns_browser::{Look, page, program, visit};
use columns_core::rules::plan::Plan;
use columns_core::rules::replay;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use thirtyfour::Key;

#[test]
fn a_plan_waits_for_its_case() {
    visit("pairing", "watch?seed=1", Look::WIDE, |browser| {
        let (case, plan, score) = quickstart_game(96)?;
        let has_run = || -> Result<()> {
            let players = browser.plain("#games")?;
            assert!(players.contains(&format!("Plans\n{score}")), "{players}");
            Ok(())
        };
        // A plan opened before its case waits; no other case gets it.
        browser.open(&[("0096.txt", plan.to_string())])?;
        browser.says_only("#waiting", "1 plan waits for its case: 0096.txt")?;
        browser.says("#message", "0096.txt waits for a case with the same number")?;
        browser.open(&[("0002.txt", quickstart_game(2)?.0.to_string())])?;
        browser.says_only("#game-name", "0002.txt")?;
        assert!(!browser.text("#games")?.contains("Plans"));
        // The plan gets its case, even if the case is opened later.
        browser.open(&[("0096.txt", case.to_string())])?;
        browser.says_only("#game-name", "0096.txt")?;
        browser.wait("document.getElementById('waiting').hidden")?;
        has_run()?;
        // A second plan with the same name becomes a new player; the first plan stays.
        browser.open(&[("0096.txt", "1\n1 0\n")])?;
        browser.says("#games", "Plans (2)")?;
        has_run()?;
        // A plan without a number belongs to the current case, and the page says so.
        browser.open(&[("mine.txt", "1\n2 0\n")])?;
        browser.says(
            "#message",
            "mine.txt has no number: it is used as a plan for 0096.txt.",
        )?;
        // A reload keeps all cases and plans.
        let before = browser.plain("#games")?;
        browser.wait("location.hash.includes('plan=3')")?;
        browser.reload_with(2)?;
        browser.wait("document.getElementById('games').children.length > 3")?;
        // Quickstart, last in the list, may have got its score in the meantime.
        let after = browser.plain("#games")?;
        assert!(after.starts_with(&before), "{before} {after}");
        Ok(())
    });
}

#[test]
fn messages_about_invalid_texts_say_what_was_expected() {
    visit("wrong texts", "watch?seed=1", Look::WIDE, |browser| {
        browser.click(".tools [data-open]")?;
        browser.click("#paste-open")?;
        let empty = "Both fields are empty: paste a case, a plan or both.";
        browser.says_only("#paste-wrong", empty)?;
        browser.type_into("#paste-case", "hello")?;
        browser.click("#paste-open")?;
        let message =
            "Pasted case: line 1: expected the width, a number from 6 to 12, found \"hello\"";
        browser.says_only("#paste-wrong", message)?;
        // The field keeps the text for correction.
        browser.wait("document.getElementById('paste-case').value === 'hello'")?;
        browser.open(&[("main.rs", "fn main() {}\n")])?;
        let message = "main.rs: line 1: expected a case, a plan, results of `judge run --json`, a \
             SameGame board, a Maya or Inc puzzle or a saved moment, found \"fn main() {}\"";
        assert_eq!(browser.complaint()?, message);
        browser.at("watch")?;
        // An invalid plan is played up to its mistake, where the page shows the reason.
        browser.click(".tools [data-open]")?;
        browser.js("document.getElementById('paste-case').value = ''")?;
        browser.type_into("#paste-plan", "3\n1 0\n2 0\n9 0\n")?;
        browser.click("#paste-open")?;
        browser.says("#games", "Invalid")?;
        let reason = "Plan error, line 4: expected the position of placement 3 of 3, \
             from 1 to 6, found \"9\". An invalid plan scores 0.";
        browser.says_only("#watch-info .say", reason)?;
        assert_eq!(filled(&browser.field("#watch-board")?), 6);
        // The message is part of the header and covers nothing.
        browser.open(&[("main.rs", "fn main() {}\n")])?;
        browser.says("#message", "main.rs")?;
        let bottom = "document.querySelector('.top').getBoundingClientRect().bottom";
        let top = "document.getElementById('watch-board').getBoundingClientRect().top";
        assert_eq!(browser.value(&format!("{top} >= {bottom}"))?, true);
        Ok(())
    });
}

/// Returns the options of a run of three short games.
fn run() -> Result<Vec<String>> {
    let bot = format!("{} --nodes 500", program("bot")?.display());
    let options = ["run", "--seeds", "2..=4", "--columns", "50", "--bot", &bot];
    Ok(options.map(String::from).to_vec())
}

#[test]
fn a_report_of_the_judge_can_be_opened() {
    visit("results of the judge", "", Look::WIDE, |browser| {
        let folder = tempfile::tempdir()?;
        let report = folder.path().join("night.json");
        let mut options = run()?;
        // The bot prints a number, which the chart offers for its x axis.
        let bot = options.pop().context("a bot")?;
        options.push(format!("sh -c 'echo depth = 7 >&2; exec {bot}'"));
        options.extend(["--json".into(), report.display().to_string()]);
        judge(&options.iter().map(String::as_str).collect::<Vec<_>>())?;
        browser.choose("#files", &[&report])?;
        browser.scored(3, 2)?;
        // The page generates the cases, plays them with quickstart, and reports the missing plans.
        let report: Value = serde_json::from_slice(&fs::read(&report)?)?;
        for (player, number) in [("night", "score"), ("Quickstart", "quickstart")] {
            let rows = report["rows"].as_array().context("rows")?.iter();
            let expected: Vec<_> = rows.map(|row| row[number].as_u64()).collect();
            let points: Vec<_> = column(browser, player)?.into_iter().map(Some).collect();
            assert_eq!(points, expected);
        }
        browser.select("#chart-axis", "depth")?;
        let title = "document.querySelector('#chart canvas').getAttribute('aria-label')";
        browser.wait(&format!(
            "{title}.startsWith('Ratio to the best against depth: 3 points')"
        ))?;
        browser.pick("0003", "night")?;
        browser.says("#message", "Only the points of night are known")
    });
}

#[test]
fn judge_run_open_opens_a_page_with_its_results() {
    visit("judge run --open", "", Look::WIDE, |browser| {
        let folder = tempfile::tempdir()?;
        // This replacement for xdg-open only writes the name of the page to a file.
        let note = folder.path().join("opened");
        let opener = format!("#!/bin/sh\nprintf %s \"$1\" > {}\n", note.display());
        let opener = write(folder.path(), &[("bin/xdg-open", opener)])?;
        let allowed = Command::new("chmod").arg("+x").arg(&opener[0]).status()?;
        assert!(allowed.success());
        let path = std::env::var_os("PATH").context("a path")?;
        let path = std::env::split_paths(&path);
        let path = std::env::join_paths([folder.path().join("bin")].into_iter().chain(path))?;
        let output = Command::new(program("judge")?)
            .args(run()?)
            .args(["--open", "--page"])
            .arg(page()?)
            .current_dir(folder.path())
            .env("PATH", path)
            .output()?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{stderr}");
        let path = PathBuf::from(fs::read_to_string(&note)?);
        browser.go(&path, "")?;
        fs::remove_file(&path)?;
        browser.scored(3, 2)?;
        assert_eq!(browser.message()?, "");
        // The page contains the plans, so every game can be watched.
        let points = column(browser, "bot")?;
        browser.pick("0003.txt", "bot")?;
        browser.press(&[Key::End.value()])?;
        assert_eq!(browser.points("watch")?, points[1]);
        Ok(())
    });
}

#[test]
fn two_plans_for_one_case_are_two_players() {
    visit("two plans", "watch?seed=1", Look::WIDE, |browser| {
        let (case, plan, score) = quickstart_game(96)?;
        let other = Plan::parse("1\n1 0\n", case.width(), 60)?;
        browser.open(&[
            ("0096.txt", case.to_string()),
            ("a-96.txt", plan.to_string()),
            ("b-96.txt", other.to_string()),
        ])?;
        // The list has both players, each with its points.
        let other = replay::score(&case, &other).points;
        for expected in [format!("Plans{score}"), format!("Plans (2){other}")] {
            let text = "document.getElementById('games').textContent.replaceAll(',', '')";
            browser.wait(&format!("{text}.includes({expected:?})"))?;
        }
        // The link of a generated case contains its seed. Other cases have no seed.
        browser.wait("location.hash.includes('seed=96') && !location.hash.includes('case=')")?;
        browser.open(&[("own.txt", "6 13\n3\nabc\n***\nbca\n")])?;
        browser.says_only("#game-name", "own.txt")?;
        browser.wait("document.getElementById('seed-form').elements.seed.value === ''")
    });
}
