//! What is opened: nothing is lost, nothing is attached to another case, mistakes are told.

use super::{message, pick, points, write};
use anyhow::{Context, Result};
use columns_browser::{page, visit, Browser, Look};
use columns_core::rules::case::Case;
use columns_core::rules::plan::Plan;
use columns_core::rules::quickstart::quickstart;
use columns_core::rules::replay;
use columns_generator::{generate, Spec};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use thirtyfour::Key;

/// The players of the case that is shown, with their points, a line each.
fn players(browser: &Browser) -> Result<String> {
    Ok(browser.text("#games")?.replace(',', ""))
}

/// Opens a file and waits until a case is shown by name.
fn open(browser: &Browser, path: &Path, name: &str) -> Result<()> {
    browser.choose("#files", &[path])?;
    browser.wait(&format!(
        "document.getElementById('game-name').textContent === '{name}'"
    ))
}

/// The name, the text and the score of the quickstart of a case by seed.
fn made(seed: u64) -> Result<(Case, Plan, u64)> {
    let case = generate(seed, &Spec::default().with_columns(60)?);
    let plan = quickstart(&case);
    let points = replay::score(&case, &plan).points;
    Ok((case, plan, points))
}

#[test]
fn a_plan_waits_for_its_case_and_is_for_no_other() {
    visit("pairing", "watch?seed=1", Look::WIDE, |browser| {
        let folder = tempfile::tempdir()?;
        let file = |name: &str, text: &str| write(folder.path(), name, text.as_bytes());
        let (case, plan, score) = made(96)?;
        let (other, ..) = made(2)?;
        let plan = file("out/0096.txt", &plan.to_string())?;
        // The plan first: it waits, and is for none of the cases that are there.
        browser.choose("#files", &[&plan])?;
        browser.wait("!document.getElementById('waiting').hidden")?;
        assert_eq!(
            browser.text("#waiting")?,
            "1 plan waits for its case: 0096.txt"
        );
        assert!(message(browser)?.starts_with("0096.txt waits for a case of that number"));
        open(
            browser,
            &file("in/0002.txt", &other.to_string())?,
            "0002.txt",
        )?;
        assert!(!players(browser)?.contains("Plans"));
        // The case of its number, in a later step.
        open(
            browser,
            &file("in/0096.txt", &case.to_string())?,
            "0096.txt",
        )?;
        browser.wait("document.getElementById('waiting').hidden")?;
        assert!(players(browser)?.contains(&format!("Plans\n{score}")));
        // A later run of the same player is another one: the first is still there.
        let again = file("again/0096.txt", "1\n1 0\n")?;
        browser.choose("#files", &[&again])?;
        browser.wait("document.getElementById('games').textContent.includes('Plans (2)')")?;
        assert!(players(browser)?.contains(&format!("Plans\n{score}")));
        // Without a number it is for the case that is shown, and the page says so.
        let plain = file("mine.txt", "1\n2 0\n")?;
        browser.choose("#files", &[&plain])?;
        browser.wait("document.getElementById('message').textContent.includes('mine.txt')")?;
        assert_eq!(
            message(browser)?,
            "mine.txt has no number: it is taken for 0096.txt."
        );
        // A reload keeps all of it.
        let before = players(browser)?;
        browser.wait("location.hash.includes('plan=3')")?;
        browser.wait("Object.keys(sessionStorage).filter((key) => key.startsWith('columns-game-')).length >= 2")?;
        std::thread::sleep(std::time::Duration::from_millis(500));
        browser.js("location.reload()")?;
        browser.wait("document.documentElement.dataset.ready === 'yes' && document.getElementById('games').children.length > 3")?;
        // Quickstart's score may have been found by now.
        let after = players(browser)?;
        assert!(after.starts_with(&before), "{before} {after}");
        Ok(())
    });
}

#[test]
fn a_wrong_text_is_told_what_was_expected() {
    visit("wrong texts", "watch?seed=1", Look::WIDE, |browser| {
        let told = |expected: &str| -> Result<()> {
            browser.wait("!document.getElementById('message').hidden")?;
            assert_eq!(message(browser)?, expected);
            browser.click("#message button")
        };
        browser.click("#open-files > summary")?;
        browser.click("#paste-open")?;
        told("Both fields are empty: paste a case, a plan or both.")?;
        browser.type_into("#paste-case", "hello")?;
        browser.click("#paste-open")?;
        told("Pasted case: line 1: expected the width, a number from 6 to 12, found \"hello\"")?;
        // What was typed is still there to be mended.
        assert_eq!(
            browser.js("return document.getElementById('paste-case').value")?,
            "hello"
        );
        let folder = tempfile::tempdir()?;
        let source = write(folder.path(), "main.rs", b"fn main() {}\n")?;
        browser.choose("#files", &[&source])?;
        told("main.rs: line 1: expected a case, a plan, results of `judge run --json`, a SameGame board, a Maya or Inc puzzle or a saved moment, found \"fn main() {}\"")?;
        assert_eq!(
            browser.js("return document.getElementById('view-puzzles').hidden")?,
            true
        );
        // An invalid plan is shown up to its mistake, with the reason there.
        browser.js("document.getElementById('paste-case').value = ''")?;
        browser.type_into("#paste-plan", "3\n1 0\n2 0\n9 0\n")?;
        browser.click("#paste-open")?;
        browser.wait("document.getElementById('games').textContent.includes('Invalid')")?;
        let reason = "Here the plan breaks, line 4: expected the position of placement 3 of 3, from 1 to 6, found \"9\". An invalid plan scores 0.";
        assert_eq!(browser.text("#watch-info .say")?, reason);
        let board = browser.field("#watch-board")?;
        assert_eq!(board.chars().filter(char::is_ascii_lowercase).count(), 6);
        // The message never lies over anything: it is a line of the head.
        browser.click("#paste-open")?;
        let below = browser.js(
            "const head = document.querySelector('.top').getBoundingClientRect().bottom;
             return document.getElementById('watch-board').getBoundingClientRect().top >= head",
        )?;
        assert_eq!(below, true);
        Ok(())
    });
}

/// Ten cases in `in`, quickstart's plans in `out-a`, cut ones in `out-b`; and their scores.
fn folders(root: &Path) -> Result<Vec<(String, u64, u64)>> {
    let mut expected = Vec::new();
    for seed in 1..=10 {
        let (case, plan, score) = made(seed + 1)?;
        let mut cut = plan.clone();
        cut.placements.truncate(20);
        let worse = replay::score(&case, &cut).points;
        let name = format!("{:04}.txt", seed + 1);
        for (folder, text) in [
            ("in", case.to_string()),
            ("out-a", plan.to_string()),
            ("out-b", cut.to_string()),
        ] {
            write(root, &format!("{folder}/{name}"), text.as_bytes())?;
        }
        expected.push((name, score, worse));
    }
    Ok(expected)
}

/// The texts of a column of the table.
fn column(browser: &Browser, label: &str) -> Result<Vec<String>> {
    let cells = browser.js(&format!(
        "return [...document.querySelectorAll('#table-body tr')].map((row) =>
           [...row.children].find((cell) => cell.dataset.label === '{label}').querySelector('span')?.textContent ?? '')"
    ))?;
    let cells = cells.as_array().context("cells")?;
    Ok(cells
        .iter()
        .map(|cell| cell.as_str().unwrap_or_default().replace(',', ""))
        .collect())
}

#[test]
fn a_folder_becomes_a_table() {
    visit("the table", "", Look::WIDE, |browser| {
        let root = tempfile::tempdir()?;
        let expected = folders(root.path())?;
        browser.choose("#folder", &[root.path()])?;
        browser
            .wait("document.getElementById('table-text').textContent === '10 cases, 3 players.'")?;
        assert_eq!(message(browser)?, "");
        let numbers = |list: Vec<String>| -> Vec<u64> {
            list.iter().map(|text| text.parse().unwrap()).collect()
        };
        assert_eq!(
            numbers(column(browser, "out-a")?),
            expected.iter().map(|row| row.1).collect::<Vec<_>>()
        );
        assert_eq!(
            numbers(column(browser, "out-b")?),
            expected.iter().map(|row| row.2).collect::<Vec<_>>()
        );
        let sum: u64 = expected.iter().map(|row| row.1).sum();
        let foot = browser.text("#table-foot")?.replace(',', "");
        assert!(foot.contains(&sum.to_string()), "{foot}");
        let mean = (expected
            .iter()
            .map(|row| (row.1.max(1) as f64).ln())
            .sum::<f64>()
            / 10.0)
            .exp();
        assert!(foot.contains(&format!("{mean:.0}")), "{foot} {mean}");
        // By points, the most first; again, the least first; then only some kinds.
        let by =
            "[...document.querySelectorAll('#table-head th.player')][0].querySelector('button')";
        browser.js(&format!("{by}.click()"))?;
        let down = numbers(column(browser, "out-a")?);
        assert!(down.is_sorted_by(|a, b| a >= b), "{down:?}");
        browser.js(&format!("{by}.click()"))?;
        assert!(numbers(column(browser, "out-a")?).is_sorted());
        browser.js(
            "const kind = document.getElementById('table-kind'); kind.value = '0'; kind.onchange()",
        )?;
        let small = column(browser, "Size")?.len();
        assert!(small > 0 && small < 10, "{small}");
        assert_eq!(
            browser.text("#table-text")?,
            format!("{small} of 10 cases, 3 players.")
        );
        // A click opens the game of that player.
        browser.js(
            "const kind = document.getElementById('table-kind'); kind.value = ''; kind.onchange()",
        )?;
        pick(browser, "0005.txt", "out-b")?;
        browser.press(&[Key::End.value()])?;
        assert_eq!(points(browser, "watch")?, expected[3].2);
        Ok(())
    });
}

#[test]
fn results_of_the_judge_open_as_they_are() {
    visit("results of the judge", "", Look::WIDE, |browser| {
        let folder = tempfile::tempdir()?;
        let report = folder.path().join("night.json");
        let bot = columns_browser::program("bot")?.display().to_string();
        let ran = Command::new(columns_browser::program("judge")?)
            .args([
                "run",
                "--seeds",
                "2..=4",
                "--columns",
                "50",
                "--bot",
                &format!("{bot} --nodes 500"),
                "--json",
            ])
            .arg(&report)
            .output()?;
        assert!(
            ran.status.success(),
            "{}",
            String::from_utf8_lossy(&ran.stderr)
        );
        let report_text: serde_json::Value = serde_json::from_slice(&fs::read(&report)?)?;
        browser.choose("#files", &[&report])?;
        browser
            .wait("document.getElementById('table-text').textContent === '3 cases, 2 players.'")?;
        let scores: Vec<String> = report_text["rows"]
            .as_array()
            .context("rows")?
            .iter()
            .map(|row| row["score"].to_string())
            .collect();
        assert_eq!(column(browser, "night")?, scores);
        // The cases are made again; quickstart plays them, and the page says what is missing.
        let base: Vec<String> = report_text["rows"]
            .as_array()
            .context("rows")?
            .iter()
            .map(|row| row["quickstart"].to_string())
            .collect();
        assert_eq!(column(browser, "Quickstart")?, base);
        pick(browser, "0003", "night")?;
        assert!(message(browser)?.starts_with("Only the points of night are known"));
        Ok(())
    });
}

#[test]
fn the_page_of_a_run_has_its_results_inside() {
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => panic!("{error}"),
    };
    visit("judge run --open", "", Look::WIDE, |browser| {
        let bot = columns_browser::program("bot")?.display().to_string();
        // What would open the page only notes its name.
        let note = folder.path().join("opened");
        let opener = write(
            folder.path(),
            "bin/xdg-open",
            format!("#!/bin/sh\nprintf %s \"$1\" > {}\n", note.display()).as_bytes(),
        )?;
        let allowed = Command::new("chmod").arg("+x").arg(&opener).status()?;
        assert!(allowed.success());
        let mut path = vec![opener.parent().context("a folder")?.to_path_buf()];
        path.extend(std::env::split_paths(
            &std::env::var_os("PATH").context("a path")?,
        ));
        let ran = Command::new(columns_browser::program("judge")?)
            .args([
                "run",
                "--seeds",
                "2..=4",
                "--columns",
                "50",
                "--bot",
                &format!("{bot} --nodes 500"),
                "--open",
                "--page",
            ])
            .arg(page()?)
            .current_dir(folder.path())
            .env("PATH", std::env::join_paths(path)?)
            .output()?;
        assert!(
            ran.status.success(),
            "{}",
            String::from_utf8_lossy(&ran.stderr)
        );
        browser.wait("true")?;
        let opened = PathBuf::from(fs::read_to_string(&note)?);
        browser.go(&opened, "")?;
        fs::remove_file(&opened)?;
        browser
            .wait("document.getElementById('table-text').textContent === '3 cases, 2 players.'")?;
        assert_eq!(message(browser)?, "");
        // With the plans inside every game can be watched.
        let points_told = column(browser, "bot")?;
        pick(browser, "0003.txt", "bot")?;
        browser.press(&[Key::End.value()])?;
        assert_eq!(points(browser, "watch")?.to_string(), points_told[1]);
        Ok(())
    });
}
