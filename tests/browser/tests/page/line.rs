//! The bot's line: requested in Watch and Play, and compared with the game.

use super::actions::{PageActions, case_of_address, field_after, field_text};
use anyhow::{Context, Result};
use columns_browser::{Browser, Screen, test_page};
use columns_core::rules::quickstart::play_quickstart;
use columns_core::rules::replay::replay;
use thirtyfour::Key;

const ADDRESS: &str = "watch?seed=3&width=7&height=14&colours=4&columns=150&at=20.0";

/// Returns the number in front of the text `before`.
fn number(text: &str, before: &str) -> Result<u64> {
    let words = text.split(before).next().context("text")?;
    let word = words.split_whitespace().last().context("a number")?;
    Ok(word.parse()?)
}

/// Returns the current points of one side of the view Compare.
pub(crate) fn side_points(browser: &Browser, name: &str) -> Result<u64> {
    let text = browser.text_without_commas(&format!("#compare-name-{name}"))?;
    number(&format!("{text} points"), " points")
}

#[test]
fn the_bots_line_is_compared_with_the_game() {
    test_page("the bot's line", ADDRESS, Screen::DESKTOP, |browser| {
        let case = case_of_address(ADDRESS)?;
        browser.click("#watch-ask h2 button")?;
        // The answer is above the other elements of the panel.
        browser.wait_for_text("#watch-ask .say", "Bot: position")?;
        let first = "document.querySelector('#watch-ask h2 + div').firstElementChild.className";
        assert_eq!(browser.evaluate(first)?, "say");
        browser.wait_for_text("#watch-ask .say", "Looking 40 columns ahead, it found ")?;
        let gain = number(
            &browser.text_without_commas("#watch-ask .say")?,
            " points this way",
        )?;
        browser.click("#watch-ask .main")?;
        browser.wait_for_view("compare")?;
        let plan = play_quickstart(&case);
        let turns = replay(&case, &plan);
        let field = |columns| field_text(&field_after(&case, &plan, columns));
        let before = field(20);
        browser.wait_for_field("#compare-board-a", &before)?;
        browser.wait_for_field("#compare-board-b", &before)?;
        let began = side_points(browser, "a")?;
        assert_eq!(began, turns[19].total_points);
        // Go to the next column, then to the end.
        browser.press_keys(&[Key::Right.value()])?;
        browser.wait_for_field("#compare-board-b", &field(21))?;
        assert_ne!(browser.field("#compare-board-a")?, before);
        browser.press_keys(&[Key::End.value()])?;
        assert_eq!(side_points(browser, "a")? - began, gain);
        assert_eq!(side_points(browser, "b")?, turns[59].total_points);
        browser.wait_for_field("#compare-board-b", &field(60))?;
        browser.wait_for_text("#compare-text", "Where the line ends")?;
        // The address restores both games.
        let line = browser.field("#compare-board-a")?;
        browser.reopen_link("until=60")?;
        browser.wait_for_field("#compare-board-a", &line)?;
        browser.wait_for_text("#compare-name-a", "A · The bot's line")?;
        assert_eq!(browser.message()?, "");
        Ok(())
    });
}

#[test]
fn the_line_of_a_hint_is_compared_with_the_game() {
    let address = "play?seed=7&profile=constant&width=6&height=13&colours=3&columns=30";
    test_page("the line of a hint", address, Screen::DESKTOP, |browser| {
        browser.press_keys(&[Key::Down.value(); 2])?;
        browser.wait_for_exact_text("#play-info dd", "3 of 30")?;
        browser.press_keys(&['h'])?;
        browser.wait_for_text("#play-info .say", "Looking 28 columns ahead, it found ")?;
        let field = browser.field("#play-board")?;
        browser.click("#play-info .say button")?;
        browser.wait_for_view("compare")?;
        browser.press_keys(&[Key::End.value()])?;
        // The game played by hand ends at its current position.
        browser.wait_for_field("#compare-board-b", &field)?;
        browser.wait_for_text("#compare-name-b", "B · This game so far")?;
        assert!(side_points(browser, "a")? > side_points(browser, "b")?);
        Ok(())
    });
}

#[test]
fn on_a_phone_the_board_stays_beside_the_answer() {
    test_page("asking on a phone", ADDRESS, Screen::PHONE, |browser| {
        browser.click("#watch-ask h2 button")?;
        browser.wait_for_text("#watch-ask .say", "Bot: position")?;
        browser.wait_for_frames()?;
        assert!(browser.are_in_sight(&["#watch-board canvas", "#watch-ask .say"])?);
        Ok(())
    });
}
