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
        // The ratios stay in their cells.
        let place =
            "return getComputedStyle(document.querySelector('#table-body small.best')).position";
        assert_eq!(browser.js(place)?, "static");
        let kinds = browser.text("#table-kind")?;
        assert!(kinds.contains("Fields of up to 126 cells"), "{kinds}");
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

/// The sum of a player in the table's last rows.
fn foot(browser: &Browser, label: &str) -> Result<Vec<String>> {
    let cells = browser.js(&format!(
        "return [...document.querySelectorAll('#table-foot tr')]
           .find((row) => row.firstElementChild.textContent.startsWith('{label}')).innerText.split('\\t').slice(1)"
    ))?;
    Ok(serde_json::from_value(cells)?)
}

/// Chooses a value of a select, as a visitor does.
fn select(browser: &Browser, css: &str, text: &str) -> Result<()> {
    browser.js(&format!(
        "const s = document.querySelector('{css}'); s.value = [...s.options].find((o) => o.textContent === '{text}').value;
         s.dispatchEvent(new Event('change', {{ bubbles: true }}))"
    ))?;
    Ok(())
}

#[test]
fn the_table_is_a_workbench_for_players() {
    visit("the workbench", "", Look::WIDE, |browser| {
        let root = tempfile::tempdir()?;
        let expected = folders(root.path())?;
        let scored = "document.getElementById('table-text').textContent.endsWith(' players.')";
        browser.choose("#folder", &[root.path()])?;
        browser.wait(scored)?;
        // Against out-a: the mean of the ratios, wins and losses.
        select(browser, "#table-reference", "out-a")?;
        browser.settle()?;
        let ratios: Vec<f64> = expected
            .iter()
            .map(|row| row.2.max(1) as f64 / row.1.max(1) as f64)
            .collect();
        let mean = ratios.iter().sum::<f64>() / 10.0;
        assert_eq!(
            foot(browser, "Mean ratio to out-a")?[..2],
            ["1.0000".into(), format!("{mean:.4}")]
        );
        let lost = ratios.iter().filter(|&&ratio| ratio < 1.0).count();
        assert_eq!(
            foot(browser, "Wins")?[1],
            format!("{} – {lost}", ratios.iter().filter(|&&r| r > 1.0).count())
        );
        // Renamed, and sorted by its points; a reload keeps that.
        browser.js("document.getElementById('players').open = true;
            const name = document.querySelector('#players [aria-label=\"Name of out-b\"]');
            name.value = 'mine'; name.dispatchEvent(new Event('change'))")?;
        browser.settle()?;
        browser.js("[...document.querySelectorAll('#table-head button')].find((b) => b.textContent.startsWith('mine')).click()")?;
        browser.settle()?;
        let before = column(browser, "mine")?;
        browser.wait("Object.keys(sessionStorage).filter((key) => key.startsWith('columns-game-')).length >= 10")?;
        std::thread::sleep(std::time::Duration::from_millis(700));
        browser.reload()?;
        browser.click("#tab-table")?;
        browser.wait(scored)?;
        assert_eq!(column(browser, "mine")?, before);
        // The next case is the table's next, of the same player; Compare keeps both as well.
        browser.js("[...document.querySelector('#table-body tr').children].find((c) => c.dataset.label === 'mine').querySelector('button').click()")?;
        browser.wait("document.getElementById('game-count').textContent === '1 of 10'")?;
        browser.click("#game-on")?;
        browser.wait("document.getElementById('game-count').textContent === '2 of 10'")?;
        let shown = browser.text("#games [aria-current=true]")?.replace(',', "");
        assert_eq!(shown, format!("mine\n{}", before[1]));
        browser.click("#tab-compare")?;
        browser
            .js("const s = document.getElementById('compare-case'); s.value = '4'; s.onchange()")?;
        let names = browser.text(".duo")?;
        assert!(
            names.contains("A · mine") && names.contains("B · Quickstart"),
            "{names}"
        );
        // Both begin alike, and differ from where one plan was cut.
        select(browser, "#compare-b", "out-a")?;
        browser.click("#compare-first")?;
        let text = browser.text("#compare-text")?;
        assert!(text.starts_with("Column 21: they are level"), "{text}");
        // Hidden and removed.
        browser.click("#tab-table")?;
        browser.js("document.getElementById('players').open = true")?;
        browser.click("#players [aria-label='Show Quickstart']")?;
        browser
            .wait("document.getElementById('table-text').textContent === '10 cases, 2 players.'")?;
        browser.click("#players [aria-label='Remove mine']")?;
        browser
            .wait("document.getElementById('table-text').textContent === '10 cases, 1 player.'")?;
        Ok(())
    });
}

#[test]
fn a_folder_that_is_opened_again_takes_its_place() {
    visit("a folder again", "", Look::WIDE, |browser| {
        let root = tempfile::tempdir()?;
        let expected = folders(root.path())?;
        let scored = "document.getElementById('table-text').textContent === '10 cases, 3 players.'";
        browser.choose("#folder", &[root.path()])?;
        browser.wait(scored)?;
        // After a reload as well, when everything has been scored.
        browser.wait("Object.keys(sessionStorage).filter((key) => key.startsWith('columns-game-')).length >= 10")?;
        std::thread::sleep(std::time::Duration::from_millis(700));
        browser.reload()?;
        for (name, ..) in &expected {
            write(root.path(), &format!("out-b/{name}"), b"0\n")?;
        }
        browser.choose("#folder", &[root.path()])?;
        browser.click("#tab-table")?;
        browser.wait(scored)?;
        let zero: Vec<u64> = expected
            .iter()
            .map(|(name, ..)| {
                let seed = name.trim_end_matches(".txt").parse().unwrap();
                replay::score(&made(seed).unwrap().0, &Plan::default()).points
            })
            .collect();
        let now: Vec<u64> = column(browser, "out-b")?
            .iter()
            .map(|text| text.parse().unwrap())
            .collect();
        assert_eq!(now, zero);
        Ok(())
    });
}

#[test]
fn two_plans_of_one_case_are_two_players() {
    visit("two plans", "watch?seed=1", Look::WIDE, |browser| {
        let folder = tempfile::tempdir()?;
        let (case, plan, _) = made(96)?;
        let files = [
            write(folder.path(), "0096.txt", case.to_string().as_bytes())?,
            write(folder.path(), "a-96.txt", plan.to_string().as_bytes())?,
            write(folder.path(), "b-96.txt", b"1\n1 0\n")?,
        ];
        let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
        browser.choose("#files", &files)?;
        browser.wait("document.getElementById('games').textContent.includes('Plans (2)')")?;
        // The case is known by its seed: the link is short. A case of one's own has none.
        browser.wait("location.hash.includes('seed=96') && !location.hash.includes('case=')")?;
        let own = write(folder.path(), "own.txt", b"6 13\n3\nabc\n***\nbca\n")?;
        open(browser, &own, "own.txt")?;
        browser.wait("document.getElementById('seed-form').elements.seed.value === ''")
    });
}
