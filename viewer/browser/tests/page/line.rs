//! The bot's line: found by asking, and played beside the game as it was.

use super::{message, rows};
use anyhow::{Context, Result};
use columns_browser::{page, visit, Browser, Look};
use columns_core::rules::quickstart::quickstart;
use columns_core::rules::replay::replay;
use columns_generator::{generate, Spec};
use thirtyfour::Key;

const ADDRESS: &str = "watch?seed=3&width=7&height=14&colours=4&columns=80&at=20.0";

/// The number before a word.
fn number(text: &str, before: &str) -> Result<u64> {
    let words = text.split(before).next().context("text")?;
    let word = words.split_whitespace().last().context("a number")?;
    Ok(word.replace(',', "").parse()?)
}

/// The points that a side of a comparison has now.
fn side(browser: &Browser, name: &str) -> Result<u64> {
    let text = browser.text(&format!("#compare-name-{name}"))?;
    number(&format!("{text} points"), " points")
}

#[test]
fn the_bots_line_is_played_beside_the_game() {
    visit("the bot's line", ADDRESS, Look::WIDE, |browser| {
        let case = generate(
            3,
            &Spec::default()
                .with_width(7)?
                .with_height(14)?
                .with_colours(4)?
                .with_columns(80)?,
        );
        browser.click("#watch-ask h2 button")?;
        let answer = "document.querySelector('#watch-ask .say').textContent";
        // The answer comes first.
        browser.wait(&format!("{answer}.startsWith('Bot: position')"))?;
        browser.js("const ahead = document.querySelector('#watch-ask input');
             ahead.value = 12; ahead.dispatchEvent(new Event('change'))")?;
        browser.wait(&format!("{answer}.includes('Looking 12 columns ahead')"))?;
        let found = number(&browser.text("#watch-ask .say")?, " points this way")?;
        browser.click("#watch-ask .main")?;
        browser.wait("!document.getElementById('view-compare').hidden")?;
        let replayed = replay(&case, &quickstart(&case));
        let before = rows(&replayed.field_before(20));
        assert_eq!(browser.field("#compare-board-a")?, before);
        assert_eq!(browser.field("#compare-board-b")?, before);
        let began = side(browser, "a")?;
        assert_eq!(began, replayed.turns[19].points);
        browser.press(&[Key::End.value()])?;
        assert_eq!(side(browser, "a")? - began, found);
        assert_eq!(side(browser, "b")?, replayed.turns[31].points);
        assert_eq!(
            browser.field("#compare-board-b")?,
            rows(&replayed.field_before(32))
        );
        let text = browser.text("#compare-text")?;
        assert!(text.contains("Where the line ends"), "{text}");
        // The address brings both back.
        let line = browser.field("#compare-board-a")?;
        browser.wait("location.hash.includes('until=32')")?;
        let hash = browser.js("return location.hash.slice(1)")?;
        browser.go(page()?, hash.as_str().context("an address")?)?;
        assert_eq!(browser.field("#compare-board-a")?, line);
        assert!(browser
            .text("#compare-name-a")?
            .starts_with("A · The bot's line"));
        assert_eq!(message(browser)?, "");
        Ok(())
    });
}

#[test]
fn a_hint_has_its_line_too() {
    let address = "play?seed=7&profile=constant&width=6&height=13&colours=3&columns=30";
    visit("the line of a hint", address, Look::WIDE, |browser| {
        browser.press(&[Key::Down.value(); 2])?;
        browser.wait("document.querySelector('#play-info dd').textContent === '3 of 30'")?;
        browser.press(&['h'])?;
        browser.wait("document.querySelector('#play-info .say button')")?;
        let field = browser.field("#play-board")?;
        browser.click("#play-info .say button")?;
        browser.wait("!document.getElementById('view-compare').hidden")?;
        browser.press(&[Key::End.value()])?;
        // The game by hand stands still where it is.
        assert_eq!(browser.field("#compare-board-b")?, field);
        assert!(browser
            .text("#compare-name-b")?
            .starts_with("B · This game so far"));
        assert!(side(browser, "a")? > side(browser, "b")?);
        Ok(())
    });
}

#[test]
fn on_a_phone_the_board_stays_beside_the_answer() {
    visit("asking on a phone", ADDRESS, Look::PHONE, |browser| {
        browser.click("#watch-ask h2 button")?;
        browser.wait(
            "document.querySelector('#watch-ask .say').textContent.startsWith('Bot: position')",
        )?;
        browser.settle()?;
        let seen = browser.js(
            "return ['#watch-board canvas', '#watch-ask .say'].map((css) => {
               const b = document.querySelector(css).getBoundingClientRect();
               return b.top >= 0 && b.bottom <= innerHeight; })",
        )?;
        assert_eq!(seen, serde_json::json!([true, true]));
        Ok(())
    });
}
