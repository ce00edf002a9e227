//! Uses the page with only the keyboard. Finds elements by the role and name that a screen reader announces.

use super::actions::{PageActions, sample_game};
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

/// Presses Tab until the element `wanted` has the focus, then presses Enter.
fn enter(browser: &Browser, wanted: &str) -> Result<()> {
    reach(browser, wanted)?;
    browser.keys("Enter")
}

#[test]
fn the_page_can_be_used_with_the_keyboard_alone() {
    test_page("", |browser| {
        let file = |(name, seed, length)| -> Result<_> {
            let (case, mut plan, _) = sample_game(seed)?;
            plan.placements.truncate(length);
            Ok((name, case.to_string(), plan.to_string()))
        };
        let files = [("2.txt", 2, 15), ("3.txt", 3, 60), ("4.txt", 4, 15)];
        let files: Vec<_> = files.into_iter().map(file).collect::<Result<_>>()?;
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
        back(browser, "button Close out2")?;
        browser.keys("Enter")?;
        browser.wait_for_text("#message", "out2 was closed")?;
        back(browser, "button Undo")?;
        browser.keys("Enter")?;
        browser.wait_for_scores(3, 2)?;
        // Visit every chart, exchange A and B, and open the largest loss.
        for chart in ["Distribution", "By property", "A against B"] {
            enter(browser, &format!("button {chart}"))?;
        }
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
        let is_left = browser.run_js(
            "const options = { key: 'ArrowLeft', altKey: true, bubbles: true, cancelable: true };
             return document.activeElement.dispatchEvent(new KeyboardEvent('keydown', options))",
        )?;
        assert_eq!(is_left, true);
        // Open the first game, step to the next one, and step back with AltGr held.
        let first = browser.text("#table-body td")?;
        browser.keys("Down Home Enter")?;
        browser.wait_for_exact_text("#game-name", &first)?;
        assert_eq!(browser.focused_element()?, "tabpanel Watch");
        browser.keys("]")?;
        assert_ne!(browser.text("#game-name")?, first);
        browser.run_js(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '[', ctrlKey: true,
                 altKey: true, modifierAltGraph: true, bubbles: true }))",
        )?;
        browser.wait_for_exact_text("#game-name", &first)?;
        // Ask the bot and compare its line with the game.
        browser.keys("Home Right*5")?;
        browser.wait_for_text("#live", "Column 6 of 60")?;
        enter(browser, "button Ask the bot")?;
        browser.wait_for_text("#watch-ask .say", "Bot: position")?;
        enter(browser, "button Compare its line with this game")?;
        browser.wait_for_view("compare")?;
        assert_eq!(browser.focused_element()?, "tabpanel Compare");
        browser.keys("End")?;
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
        browser.keys("h")?;
        browser.wait_for_text("#same-text", "Remove the")?;
        reach(browser, "image 225 tiles")?;
        browser.keys("?")?;
        browser.wait_until("document.getElementById('help-box').open")?;
        browser.keys("Escape /")?;
        browser.wait_for_view("results")?;
        back(browser, "button Close all")?;
        browser.keys("Enter")?;
        browser.wait_for_text("#results-empty:not([hidden])", "No results yet")
    });
}
