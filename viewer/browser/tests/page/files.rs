//! What is opened: nothing is lost, nothing is attached to another case, mistakes are told.

use super::bench::{column, made};
use super::visitor::{filled, judge, write, Visitor};
use anyhow::{Context, Result};
use columns_browser::{page, program, visit, Look};
use columns_core::rules::plan::Plan;
use columns_core::rules::replay;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use thirtyfour::Key;

#[test]
fn a_plan_waits_for_its_case_and_is_for_no_other() {
    visit("pairing", "watch?seed=1", Look::WIDE, |browser| {
        let (case, plan, score) = made(96)?;
        let has_run = || -> Result<()> {
            let players = browser.plain("#games")?;
            assert!(players.contains(&format!("Plans\n{score}")), "{players}");
            Ok(())
        };
        // The plan first: it waits, and is for none of the cases that are there.
        browser.open(&[("0096.txt", plan.to_string())])?;
        browser.says_only("#waiting", "1 plan waits for its case: 0096.txt")?;
        browser.says("#message", "0096.txt waits for a case of that number")?;
        browser.open(&[("0002.txt", made(2)?.0.to_string())])?;
        browser.says_only("#game-name", "0002.txt")?;
        assert!(!browser.text("#games")?.contains("Plans"));
        // The case of its number, in a later step.
        browser.open(&[("0096.txt", case.to_string())])?;
        browser.says_only("#game-name", "0096.txt")?;
        browser.wait("document.getElementById('waiting').hidden")?;
        has_run()?;
        // A later run of the same player is another one: the first is still there.
        browser.open(&[("0096.txt", "1\n1 0\n")])?;
        browser.says("#games", "Plans (2)")?;
        has_run()?;
        // Without a number it is for the case that is shown, and the page says so.
        browser.open(&[("mine.txt", "1\n2 0\n")])?;
        browser.says(
            "#message",
            "mine.txt has no number: it is taken for 0096.txt.",
        )?;
        // A reload keeps all of it.
        let before = browser.plain("#games")?;
        browser.wait("location.hash.includes('plan=3')")?;
        browser.reload_with(2)?;
        browser.wait("document.getElementById('games').children.length > 3")?;
        // Quickstart's score may have been found by now.
        let after = browser.plain("#games")?;
        assert!(after.starts_with(&before), "{before} {after}");
        Ok(())
    });
}

#[test]
fn a_wrong_text_is_told_what_was_expected() {
    visit("wrong texts", "watch?seed=1", Look::WIDE, |browser| {
        browser.click(".tools [data-open]")?;
        browser.click("#paste-open")?;
        let empty = "Both fields are empty: paste a case, a plan or both.";
        browser.says_only("#paste-wrong", empty)?;
        browser.type_into("#paste-case", "hello")?;
        browser.click("#paste-open")?;
        let told =
            "Pasted case: line 1: expected the width, a number from 6 to 12, found \"hello\"";
        browser.says_only("#paste-wrong", told)?;
        // What was typed is still there to be mended.
        browser.wait("document.getElementById('paste-case').value === 'hello'")?;
        browser.open(&[("main.rs", "fn main() {}\n")])?;
        let told = "main.rs: line 1: expected a case, a plan, results of `judge run --json`, a \
             SameGame board, a Maya or Inc puzzle or a saved moment, found \"fn main() {}\"";
        assert_eq!(browser.complaint()?, told);
        browser.at("watch")?;
        // An invalid plan is shown up to its mistake, with the reason there.
        browser.click(".tools [data-open]")?;
        browser.js("document.getElementById('paste-case').value = ''")?;
        browser.type_into("#paste-plan", "3\n1 0\n2 0\n9 0\n")?;
        browser.click("#paste-open")?;
        browser.says("#games", "Invalid")?;
        let reason = "Plan error, line 4: expected the position of placement 3 of 3, \
             from 1 to 6, found \"9\". An invalid plan scores 0.";
        browser.says_only("#watch-info .say", reason)?;
        assert_eq!(filled(&browser.field("#watch-board")?), 6);
        // The message never lies over anything: it is a line of the head.
        browser.open(&[("main.rs", "fn main() {}\n")])?;
        browser.says("#message", "main.rs")?;
        let bottom = "document.querySelector('.top').getBoundingClientRect().bottom";
        let top = "document.getElementById('watch-board').getBoundingClientRect().top";
        assert_eq!(browser.value(&format!("{top} >= {bottom}"))?, true);
        Ok(())
    });
}

/// The options of a run of three short games.
fn run() -> Result<Vec<String>> {
    let bot = format!("{} --nodes 500", program("bot")?.display());
    let options = ["run", "--seeds", "2..=4", "--columns", "50", "--bot", &bot];
    Ok(options.map(String::from).to_vec())
}

#[test]
fn results_of_the_judge_open_as_they_are() {
    visit("results of the judge", "", Look::WIDE, |browser| {
        let folder = tempfile::tempdir()?;
        let report = folder.path().join("night.json");
        let mut options = run()?;
        // A number that a bot tells is one to draw ratios against.
        let bot = options.pop().context("a bot")?;
        options.push(format!("sh -c 'echo depth = 7 >&2; exec {bot}'"));
        options.extend(["--json".into(), report.display().to_string()]);
        judge(&options.iter().map(String::as_str).collect::<Vec<_>>())?;
        browser.choose("#files", &[&report])?;
        browser.scored(3, 2)?;
        // The cases are made again; quickstart plays them, and the page says what is missing.
        let told: Value = serde_json::from_slice(&fs::read(&report)?)?;
        for (player, number) in [("night", "score"), ("Quickstart", "quickstart")] {
            let rows = told["rows"].as_array().context("rows")?.iter();
            let expected: Vec<_> = rows.map(|row| row[number].as_u64()).collect();
            let shown: Vec<_> = column(browser, player)?.into_iter().map(Some).collect();
            assert_eq!(shown, expected);
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
fn the_page_of_a_run_has_its_results_inside() {
    visit("judge run --open", "", Look::WIDE, |browser| {
        let folder = tempfile::tempdir()?;
        // What would open the page only notes its name.
        let note = folder.path().join("opened");
        let opener = format!("#!/bin/sh\nprintf %s \"$1\" > {}\n", note.display());
        let opener = write(folder.path(), &[("bin/xdg-open", opener)])?;
        let allowed = Command::new("chmod").arg("+x").arg(&opener[0]).status()?;
        assert!(allowed.success());
        let path = std::env::var_os("PATH").context("a path")?;
        let path = std::env::split_paths(&path);
        let path = std::env::join_paths([folder.path().join("bin")].into_iter().chain(path))?;
        let ran = Command::new(program("judge")?)
            .args(run()?)
            .args(["--open", "--page"])
            .arg(page()?)
            .current_dir(folder.path())
            .env("PATH", path)
            .output()?;
        let told = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{told}");
        let opened = PathBuf::from(fs::read_to_string(&note)?);
        browser.go(&opened, "")?;
        fs::remove_file(&opened)?;
        browser.scored(3, 2)?;
        assert_eq!(browser.message()?, "");
        // With the plans inside every game can be watched.
        let points = column(browser, "bot")?;
        browser.pick("0003.txt", "bot")?;
        browser.press(&[Key::End.value()])?;
        assert_eq!(browser.points("watch")?, points[1]);
        Ok(())
    });
}

#[test]
fn two_plans_of_one_case_are_two_players() {
    visit("two plans", "watch?seed=1", Look::WIDE, |browser| {
        let (case, plan, score) = made(96)?;
        let other = Plan::parse("1\n1 0\n", case.width(), 60)?;
        browser.open(&[
            ("0096.txt", case.to_string()),
            ("a-96.txt", plan.to_string()),
            ("b-96.txt", other.to_string()),
        ])?;
        // Both are shown, each with its own points.
        let other = replay::score(&case, &other).points;
        for told in [format!("Plans{score}"), format!("Plans (2){other}")] {
            let shown = "document.getElementById('games').textContent.replaceAll(',', '')";
            browser.wait(&format!("{shown}.includes({told:?})"))?;
        }
        // The case is known by its seed: the link is short. A case of one's own has none.
        browser.wait("location.hash.includes('seed=96') && !location.hash.includes('case=')")?;
        browser.open(&[("own.txt", "6 13\n3\nabc\n***\nbca\n")])?;
        browser.says_only("#game-name", "own.txt")?;
        browser.wait("document.getElementById('seed-form').elements.seed.value === ''")
    });
}
