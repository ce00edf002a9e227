//! Uses the page with only the keyboard. Finds elements by the role and name that a screen reader announces.

use super::actions::{PageActions, sample_game};
use super::review::side_points;
use anyhow::{Result, bail};
use columns_browser::{Browser, test_page};
use thirtyfour::Key;

/// Calls `step` until the role and name of the focused element start with `wanted`. Fails after 60 calls.
fn search(browser: &Browser, wanted: &str, step: &dyn Fn() -> Result<()>) -> Result<()> {
    let mut announced = Vec::new();
    for _ in 0..60 {
        step()?;
        // After the last element of the page, no element has the focus.
        announced.push(browser.focused_element().unwrap_or_default());
        if announced.last().is_some_and(|now| now.starts_with(wanted)) {
            return Ok(());
        }
    }
    bail!("no {wanted} among {announced:#?}")
}

/// Presses Tab until the element `wanted` has the focus.
fn reach(browser: &Browser, wanted: &str) -> Result<()> {
    search(browser, wanted, &|| browser.keys("Tab"))
}

/// Presses Shift+Tab until the element `wanted` has the focus.
fn back(browser: &Browser, wanted: &str) -> Result<()> {
    search(browser, wanted, &|| {
        browser.press_with_shift(Key::Tab.value())
    })
}

/// Presses Shift+Tab until the element `wanted` has the focus, then presses Enter.
fn back_and_enter(browser: &Browser, wanted: &str) -> Result<()> {
    back(browser, wanted)?;
    browser.keys("Enter")
}

/// Presses Tab until the element `wanted` has the focus, then presses Enter.
fn enter(browser: &Browser, wanted: &str) -> Result<()> {
    reach(browser, wanted)?;
    browser.keys("Enter")
}

#[test]
fn the_keyboard_alone_spends_an_evening() {
    test_page("", |browser| {
        let games = [sample_game(2)?, sample_game(3)?, sample_game(4)?];
        let names = ["2.txt", "3.txt", "4.txt"];
        let plan = |game: usize| {
            let mut plan = games[game].1.clone();
            plan.placements.truncate(if game == 1 { 60 } else { 15 });
            plan.to_string()
        };
        let files = [0, 1, 2].map(|game| (names[game], games[game].0.to_string(), plan(game)));
        browser.replace_folder_dialog(&files)?;
        // After a folder is opened, the page shows the results and moves the focus to them.
        enter(browser, "button Open your files")?;
        enter(browser, "button Choose a folder")?;
        browser.wait_for_scores(3, 2)?;
        assert_eq!(browser.focused_element()?, "tabpanel Results");
        // Rename the player, hide and show Quickstart, close the player, and reopen it with Undo.
        reach(browser, "textbox Name of out")?;
        browser.keys("End 2 Enter")?;
        browser.wait_for_text("#table-head", "out2")?;
        reach(browser, "checkbox Show Quickstart")?;
        browser.keys("Space")?;
        browser.wait_for_scores(3, 1)?;
        browser.keys("Space")?;
        browser.wait_for_scores(3, 2)?;
        back_and_enter(browser, "button Close out2")?;
        browser.wait_for_text("#message", "out2 was closed")?;
        back_and_enter(browser, "button Undo")?;
        browser.wait_for_scores(3, 2)?;
        // Visit every chart, exchange A and B, and open the largest loss.
        for chart in ["Distribution", "By property", "A against B"] {
            enter(browser, &format!("button {chart}"))?;
        }
        browser.wait_for_text("#verdicts", "out2")?;
        enter(browser, "button Exchange A and B")?;
        browser.keys("Enter")?;
        browser.wait_until("!document.getElementById('pair-losses').hidden")?;
        let loss = browser.text("#pair-worst button")?;
        let name = loss.split_whitespace().next().unwrap_or_default();
        enter(browser, &format!("button {name}"))?;
        browser.wait_for_view("compare")?;
        enter(browser, "button First difference")?;
        browser.wait_for_text("#compare-text", ": A and B are level")?;
        browser.keys("] b Escape")?;
        browser.wait_for_view("results")?;
        // Slash moves the focus to the filter, and Tab leads to the table. Sorting keeps the focus.
        browser.keys("/ .")?;
        reach(browser, "gridcell ")?;
        browser.keys("Up*3 End Left Enter")?;
        let header = browser.focused_element()?;
        assert_eq!(header, "columnheader out2");
        browser.wait_until("document.querySelector('#table-head [aria-sort]')")?;
        // The page leaves arrow keys with a modifier to the browser: Alt+← must go back.
        for modifier in ["ctrlKey", "altKey", "metaKey"] {
            let is_left = browser.run_js(&format!(
                "const options = {{ key: 'ArrowLeft', {modifier}: true, bubbles: true, cancelable: true }};
                 return document.activeElement.dispatchEvent(new KeyboardEvent('keydown', options))"
            ))?;
            assert_eq!(is_left, true, "{modifier}");
        }
        // Open the first game and step to the next one; then step back and forth with AltGr held.
        let first = browser.text("#table-body td")?;
        browser.keys("Down Home Enter")?;
        browser.wait_for_exact_text("#game-name", &first)?;
        assert_eq!(browser.focused_element()?, "tabpanel Watch");
        browser.keys("]")?;
        let second = browser.text("#game-name")?;
        assert_ne!(second, first);
        for (key, name) in [("[", &first), ("]", &second)] {
            browser.run_js(&format!(
                "document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', ctrlKey: true,
                     altKey: true, modifierAltGraph: true, bubbles: true }}))"
            ))?;
            browser.wait_for_exact_text("#game-name", name)?;
        }
        // Ask the bot and compare its line with the game.
        browser.keys("Home Right*5")?;
        browser.wait_for_text("#live", "Column 6 of 60")?;
        enter(browser, "button Ask the bot")?;
        browser.wait_for_text("#watch-ask .say", "Bot: position")?;
        enter(browser, "button Compare its line with this game")?;
        browser.wait_for_view("compare")?;
        assert_eq!(browser.focused_element()?, "tabpanel Compare");
        let start = browser.field("#compare-board-a")?;
        browser.keys("Space")?;
        browser.wait_until(&format!(
            "document.querySelector('#compare-board-a canvas').dataset.field !== {start:?}"
        ))?;
        browser.keys("Space End")?;
        assert!(side_points(browser, "a")? > side_points(browser, "b")?);
        browser.wait_for_text("#live", "Where the line ends")?;
        // Filter the table, and open the only game left.
        browser.keys("/ Backspace 3 . t")?;
        browser.wait_for_text("#table-text", "1 of 3 cases")?;
        reach(browser, "gridcell ")?;
        browser.keys("Home Enter")?;
        browser.wait_for_exact_text("#game-name", "3.txt")?;
        // Review the game, and play its worst column again.
        enter(browser, "button Review this game")?;
        browser.wait_for_text("#watch-review .hint", "Accuracy")?;
        enter(browser, "button Retry")?;
        browser.wait_for_view("play")?;
        browser.keys("Left Up Space")?;
        browser
            .wait_until("/Nothing|loses/.test(document.getElementById('play-task').textContent)")?;
        browser.keys("u")?;
        // Share a picture of a watched game.
        enter(browser, "button Watch this game")?;
        browser.wait_for_view("watch")?;
        enter(browser, "DisclosureTriangle Share")?;
        enter(browser, "button Picture")?;
        assert!(browser.take_download_bytes()?.1.starts_with(b"\x89PNG"));
        // Visit the puzzles and the help, and return.
        back(browser, "tab Watch")?;
        browser.keys("Right*3")?;
        browser.wait_for_view("puzzles")?;
        let board = browser.field("#same-board")?;
        browser.keys("h")?;
        browser.wait_for_text("#same-text", "Remove the")?;
        enter(browser, "image 225 tiles")?;
        browser.wait_until(&format!(
            "document.querySelector('#same-board canvas').dataset.field !== {board:?}"
        ))?;
        browser.keys("?")?;
        browser.wait_until("document.getElementById('help-box').open")?;
        browser.keys("Escape /")?;
        browser.wait_for_view("results")?;
        back_and_enter(browser, "button Close all")?;
        browser.wait_for_text("#results-empty", "No results yet")
    });
}
