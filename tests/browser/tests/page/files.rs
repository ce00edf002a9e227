//! Opens files: the page uses each file, or rejects it with a message, and assigns each plan to its case.

use super::actions::{PageActions, count_jewels, write_files};
use super::bench::{quickstart_game, read_points};
use super::day::ledger_text;
use anyhow::Result;
use columns_browser::{Screen, build_page, test_page};
use columns_core::rules::plan::Plan;
use columns_core::rules::replay;
use serde_json::{Value, json};
use std::fs;
use thirtyfour::Key;

#[test]
fn a_plan_waits_for_its_case() {
    test_page("pairing", "watch?seed=1", Screen::DESKTOP, |browser| {
        let (case, plan, score) = quickstart_game(96)?;
        let has_run = || -> Result<()> {
            let players = browser.text_without_commas("#games")?;
            assert!(players.contains(&format!("Plans\n{score}")), "{players}");
            Ok(())
        };
        // A plan that is opened before its case waits for it, and is not assigned to another case.
        browser.open_files(&[("0096.txt", plan.to_string())])?;
        browser.wait_for_exact_text("#waiting", "1 plan waits for its case: 0096.txt")?;
        browser.wait_for_text("#message", "0096.txt waits for a case with the same number")?;
        browser.open_files(&[("0002.txt", quickstart_game(2)?.0.to_string())])?;
        browser.wait_for_exact_text("#game-name", "0002.txt")?;
        assert!(!browser.text("#games")?.contains("Plans"));
        // The page assigns the plan as soon as its case is opened.
        browser.open_files(&[("0096.txt", case.to_string())])?;
        browser.wait_for_exact_text("#game-name", "0096.txt")?;
        browser.wait_until("document.getElementById('waiting').hidden")?;
        has_run()?;
        // A second plan with the same name becomes a new player; the first plan stays.
        browser.open_files(&[("0096.txt", "1\n1 0\n")])?;
        browser.wait_for_text("#games", "Plans (2)")?;
        has_run()?;
        // A plan without a number in its name belongs to the current case, and a message reports this.
        browser.open_files(&[("mine.txt", "1\n2 0\n")])?;
        browser.wait_for_text(
            "#message",
            "mine.txt has no number: it is used as a plan for 0096.txt.",
        )?;
        // A reload keeps all cases and plans.
        let before = browser.text_without_commas("#games")?;
        browser.wait_until("location.hash.includes('plan=3')")?;
        browser.reload_after_saving(2)?;
        browser.wait_until("document.getElementById('games').children.length > 3")?;
        // The score of Quickstart, last in the list, may have arrived in the meantime.
        let after = browser.text_without_commas("#games")?;
        assert!(after.starts_with(&before), "{before} {after}");
        Ok(())
    });
}

#[test]
fn messages_about_invalid_texts_say_what_was_expected() {
    test_page("wrong texts", "watch?seed=1", Screen::DESKTOP, |browser| {
        browser.click(".tools [data-open]")?;
        browser.click("#paste-open")?;
        let empty = "Both fields are empty: paste a case, a plan or both.";
        browser.wait_for_exact_text("#paste-wrong", empty)?;
        browser.type_into("#paste-case", "hello")?;
        browser.click("#paste-open")?;
        let message =
            "Pasted case: line 1: expected the width, a number from 6 to 12, found \"hello\"";
        browser.wait_for_exact_text("#paste-wrong", message)?;
        // The input keeps the text so that the user can correct it.
        browser.wait_until("document.getElementById('paste-case').value === 'hello'")?;
        browser.open_files(&[("main.rs", "fn main() {}\n")])?;
        let message = "main.rs: line 1: expected a case, a plan, a run of the judge or of pahcer, a \
             SameGame board, a Maya or Inc puzzle or a saved moment, found \"fn main() {}\"";
        assert_eq!(browser.take_message()?, message);
        browser.wait_for_view("watch")?;
        // An invalid plan is played up to its mistake, and there the page shows the reason.
        browser.open_files(&[("mine.txt", "3\n1 0\n2 0\n9 0\n")])?;
        browser.wait_for_text("#games", "Invalid")?;
        let reason = "Plan error, line 4: expected the position of placement 3 of 3, \
             from 1 to 6, found \"9\". An invalid plan scores 0.";
        browser.wait_for_exact_text("#watch-info .say", reason)?;
        assert_eq!(count_jewels(&browser.field("#watch-board")?), 6);
        // The message is part of the header and covers no other element.
        browser.open_files(&[("main.rs", "fn main() {}\n")])?;
        browser.wait_for_text("#message", "main.rs")?;
        let bottom = "document.querySelector('.top').getBoundingClientRect().bottom";
        let top = "document.getElementById('watch-board').getBoundingClientRect().top";
        assert_eq!(browser.evaluate(&format!("{top} >= {bottom}"))?, true);
        Ok(())
    });
}

/// Returns the page with files inside, as `judge open` writes it. `files` holds the name and the text of each
/// file.
pub(crate) fn page_with_files(files: &[(String, String)]) -> Result<String> {
    let file = |(name, text): &(String, String)| json!({ "name": name, "text": text });
    let files: Vec<Value> = files.iter().map(file).collect();
    let inside = json!({ "base": "https://example.org/columns.html", "files": files });
    let empty = "<script type=\"application/json\" id=\"inside\">";
    let text = fs::read_to_string(build_page()?)?;
    Ok(text.replacen(empty, &format!("{empty}{inside}"), 1))
}

#[test]
fn a_page_with_a_run_inside_opens_it() {
    test_page("a run inside", "", Screen::DESKTOP, |browser| {
        let (_, plan, points) = quickstart_game(3)?;
        let name = |file: &str| format!("runs/0001/{file}");
        let files = [
            (name("run.jsonl"), ledger_text(&[(2, 5), (3, points)])?),
            (name("out/0003.txt"), plan.to_string()),
        ];
        let folder = tempfile::tempdir()?;
        let path = &write_files(folder.path(), &[("run.html", page_with_files(&files)?)])?[0];
        browser.load(path, "")?;
        browser.wait_for_scores(2, 2)?;
        assert_eq!(browser.message()?, "");
        assert_eq!(read_points(browser, "0001")?, [5, points]);
        browser.open_game("0003", "0001")?;
        browser.press_keys(&[Key::End.value()])?;
        assert_eq!(browser.shown_points("watch")?, points);
        // Shared links begin with the base address.
        browser
            .run_js("navigator.clipboard.writeText = async (text) => { window.link = text; }")?;
        browser.click(".share summary")?;
        browser.click_button(".share", "Copy link")?;
        browser.wait_until("window.link?.startsWith('https://example.org/columns.html#watch?')")?;
        browser.wait_for_exact_text("#watch-info .say", "Link copied.")
    });
}

#[test]
fn two_plans_for_one_case_are_two_players() {
    test_page("two plans", "watch?seed=1", Screen::DESKTOP, |browser| {
        let (case, plan, score) = quickstart_game(96)?;
        let other = Plan::parse("1\n1 0\n", case.width(), 60)?;
        browser.open_files(&[
            ("0096.txt", case.to_string()),
            ("a-96.txt", plan.to_string()),
            ("b-96.txt", other.to_string()),
        ])?;
        // The list shows both players, each with its points.
        let other = replay::score(&case, &other).points;
        for expected in [format!("Plans{score}"), format!("Plans (2){other}")] {
            let text = "document.getElementById('games').textContent.replaceAll(',', '')";
            browser.wait_until(&format!("{text}.includes({expected:?})"))?;
        }
        // The link of a generated case contains its seed. Other cases have no seed.
        browser
            .wait_until("location.hash.includes('seed=96') && !location.hash.includes('case=')")?;
        browser.open_files(&[("own.txt", "6 13\n3\nabc\n***\nbca\n")])?;
        browser.wait_for_exact_text("#game-name", "own.txt")?;
        browser.wait_until("document.getElementById('seed-form').elements.seed.value === ''")
    });
}
