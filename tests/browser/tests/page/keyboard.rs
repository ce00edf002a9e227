//! Uses the page with the keyboard alone. Finds elements by the role and name that a screen reader
//! announces.

use super::actions::PageActions;
use super::bench::{quickstart_game, replace_folder_dialog};
use super::line::side_points;
use anyhow::{Result, bail};
use columns_browser::{Browser, Screen, test_page};
use columns_core::rules::replay::replay;
use thirtyfour::Key;

/// Calls `step` until the role and name of the focused element start with `wanted`, at most 60 times.
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
    search(browser, wanted, &|| browser.press_keys(&[Key::Tab.value()]))
}

/// Presses Shift and Tab until the element `wanted` has the focus.
fn back(browser: &Browser, wanted: &str) -> Result<()> {
    search(browser, wanted, &|| {
        browser.press_with_shift(Key::Tab.value())
    })
}

/// Presses Tab until the element `wanted` has the focus, then presses Enter.
fn enter(browser: &Browser, wanted: &str) -> Result<()> {
    reach(browser, wanted)?;
    browser.press_keys(&[Key::Enter.value()])
}

#[test]
fn the_keyboard_alone_opens_sorts_and_compares_runs() {
    test_page("the keyboard alone", "", Screen::DESKTOP, |browser| {
        let games = [quickstart_game(2)?, quickstart_game(3)?];
        let text = |number: usize| games[number].0.to_string();
        let plan = |number: usize| games[number].1.to_string();
        replace_folder_dialog(
            browser,
            &[("2.txt", text(0), plan(0)), ("3.txt", text(1), plan(1))],
        )?;
        // After a folder is opened, the page shows the table and moves the focus there.
        enter(browser, "button Open your files")?;
        enter(browser, "button Choose a folder")?;
        browser.wait_for_scores(2, 2)?;
        assert_eq!(browser.focused_element()?, "tabpanel Results");
        // Slash moves the focus to the filter; from there, Tab leads to the table.
        browser.press_keys(&['/', '.', Key::Tab.value()])?;
        while !browser.focused_element()?.starts_with("gridcell ") {
            browser.press_keys(&[Key::Tab.value()])?;
        }
        // The browser handles other combinations with arrow keys, such as Alt with ← to go back.
        for modifier in ["ctrlKey", "altKey", "metaKey"] {
            let is_left = browser.run_js(&format!(
                "const options = {{ key: 'ArrowLeft', {modifier}: true, bubbles: true, cancelable: true }};
                 return document.activeElement.dispatchEvent(new KeyboardEvent('keydown', options))"
            ))?;
            assert_eq!(is_left, true, "{modifier}");
        }
        // Sorting keeps the focus on the header.
        browser.press_keys(&[
            Key::Up.value(),
            Key::End.value(),
            Key::Left.value(),
            Key::Enter.value(),
        ])?;
        browser.press_keys(&[Key::Enter.value()])?;
        assert_eq!(browser.focused_element()?, "columnheader out");
        let worst = usize::from(games[1].2 < games[0].2);
        let first = browser.text("#table-body td")?;
        assert_eq!(first, ["2.txt", "3.txt"][worst]);
        // Open the first game, another game, the first one again, and go to its best chain.
        browser.press_keys(&[Key::Down.value(), Key::Home.value(), Key::Enter.value()])?;
        browser.wait_for_exact_text("#game-name", &first)?;
        browser.press_keys(&[']'])?;
        browser.wait_for_exact_text("#game-name", ["2.txt", "3.txt"][1 - worst])?;
        browser.press_keys(&['['])?;
        browser.wait_for_exact_text("#game-name", &first)?;
        assert_eq!(browser.focused_element()?, "tabpanel Watch");
        browser.press_keys(&['b'])?;
        let (case, plan, _) = &games[worst];
        let points: Vec<u64> = replay(case, plan)
            .iter()
            .map(|turn| turn.total_points)
            .collect();
        let before = |turn: usize| turn.checked_sub(1).map_or(0, |last| points[last]);
        let gained = |turn: usize| points[turn] - before(turn);
        let best = browser.slider_position()? as usize;
        assert_eq!(Some(gained(best)), (0..points.len()).map(gained).max());
        browser.wait_for_text("#live", &format!("Column {} of 60", best + 1))?;
        // Ask the bot and compare its line with the game.
        enter(browser, "button Ask the bot")?;
        browser.wait_for_text("#watch-ask .say", "Bot: position")?;
        enter(browser, "button Compare its line with this game")?;
        browser.wait_for_view("compare")?;
        assert_eq!(browser.focused_element()?, "tabpanel Compare");
        let start = browser.field("#compare-board-a")?;
        browser.press_keys(&[Key::Space.value()])?;
        browser.wait_until(&format!(
            "document.querySelector('#compare-board-a canvas').dataset.field !== {start:?}"
        ))?;
        browser.press_keys(&[Key::Space.value(), Key::End.value()])?;
        assert!(side_points(browser, "a")? > side_points(browser, "b")?);
        browser.wait_for_text("#live", "Where the line ends")
    });
}

#[test]
fn the_keyboard_alone_spends_an_evening() {
    test_page("an evening by keyboard", "", Screen::DESKTOP, |browser| {
        let games = [
            quickstart_game(2)?,
            quickstart_game(3)?,
            quickstart_game(4)?,
        ];
        let names = ["2.txt", "3.txt", "4.txt"];
        let plan = |game: usize| {
            let mut plan = games[game].1.clone();
            plan.placements.truncate(if game == 1 { 60 } else { 15 });
            plan.to_string()
        };
        let files = [0, 1, 2].map(|game| (names[game], games[game].0.to_string(), plan(game)));
        replace_folder_dialog(browser, &files)?;
        enter(browser, "button Open your files")?;
        enter(browser, "button Choose a folder")?;
        browser.wait_for_scores(3, 2)?;
        // Rename the player, isolate it in the charts, hide and show Quickstart, close the player and undo
        // that.
        reach(browser, "textbox Name of out")?;
        browser.press_keys(&[Key::End.value(), '2', Key::Enter.value()])?;
        browser.wait_for_text("#table-head", "out2")?;
        enter(browser, "button Only out2 in the charts")?;
        browser.wait_until("document.querySelector('#ranking [aria-pressed=true]')")?;
        reach(browser, "checkbox Show Quickstart")?;
        browser.press_keys(&[Key::Space.value()])?;
        browser.wait_for_scores(3, 1)?;
        browser.press_keys(&[Key::Space.value()])?;
        browser.wait_for_scores(3, 2)?;
        back(browser, "button Close out2")?;
        browser.press_keys(&[Key::Enter.value()])?;
        browser.wait_for_text("#message", "out2 was closed")?;
        back(browser, "button Undo")?;
        browser.press_keys(&[Key::Enter.value()])?;
        browser.wait_for_scores(3, 2)?;
        // Visit every chart, exchange A and B, and open the largest loss.
        for chart in ["Distribution", "By property", "Over runs", "A against B"] {
            reach(browser, &format!("button {chart}"))?;
            browser.press_keys(&[Key::Enter.value()])?;
        }
        browser.wait_for_text("#verdicts", "out2")?;
        enter(browser, "button Exchange A and B")?;
        browser.press_keys(&[Key::Enter.value()])?;
        browser.wait_for_text("#pair-text", "B is better on")?;
        let loss = browser.text("#pair-worst button")?;
        let loss = loss
            .split_whitespace()
            .next()
            .unwrap_or_default()
            .to_string();
        enter(browser, &format!("button {loss}"))?;
        browser.wait_for_view("compare")?;
        enter(browser, "button First difference")?;
        browser.wait_for_text("#compare-text", ": A and B are level")?;
        browser.press_keys(&[']', 'b', Key::Escape.value()])?;
        browser.wait_for_view("results")?;
        // Type a filter, and open the only game that passes.
        browser.press_keys(&['/', '3', '.', 't'])?;
        browser.wait_for_text("#table-text", "1 of 3 cases")?;
        reach(browser, "gridcell ")?;
        browser.press_keys(&[Key::Home.value(), Key::Enter.value()])?;
        browser.wait_for_exact_text("#game-name", "3.txt")?;
        // Review the game, and play its worst column again.
        enter(browser, "button Review this game")?;
        browser.wait_for_text("#watch-review .hint", "Accuracy")?;
        enter(browser, "button Retry")?;
        browser.wait_for_view("play")?;
        browser.press_keys(&[Key::Left.value(), Key::Up.value(), Key::Space.value()])?;
        browser
            .wait_until("/Nothing|loses/.test(document.getElementById('play-task').textContent)")?;
        browser.press_keys(&['u'])?;
        // Share a picture of a watched game.
        enter(browser, "button Watch this game")?;
        browser.wait_for_view("watch")?;
        reach(browser, "DisclosureTriangle Share")?;
        browser.press_keys(&[Key::Enter.value()])?;
        enter(browser, "button Picture")?;
        assert!(browser.take_download_bytes()?.1.starts_with(b"\x89PNG"));
        // Visit the puzzles and the help, and return.
        back(browser, "tab Watch")?;
        browser.press_keys(&[Key::Right.value(); 3])?;
        browser.wait_for_view("puzzles")?;
        let board = browser.field("#same-board")?;
        browser.press_keys(&['h'])?;
        browser.wait_for_text("#same-text", "Remove the")?;
        reach(browser, "image 225 tiles")?;
        browser.press_keys(&[Key::Enter.value()])?;
        browser.wait_until(&format!(
            "document.querySelector('#same-board canvas').dataset.field !== {board:?}"
        ))?;
        browser.press_keys(&['?'])?;
        browser.wait_until("document.getElementById('help-box').open")?;
        browser.press_keys(&[Key::Escape.value(), '/'])?;
        browser.wait_for_view("results")?;
        back(browser, "button Close all")?;
        browser.press_keys(&[Key::Enter.value()])?;
        browser.wait_for_text("#results-empty", "No results yet")
    });
}
