//! Uses the page with the keyboard alone. Finds elements by the role and name that a screen reader
//! announces.

use super::bench::{disk, quickstart_game};
use super::line::side;
use super::visitor::Visitor;
use anyhow::{Result, bail};
use columns_browser::{Browser, Look, visit};
use columns_core::rules::replay::replay;
use thirtyfour::Key;

/// Presses Tab until an element whose role and name start with `wanted` has the focus, then presses
/// Enter.
fn enter(browser: &Browser, wanted: &str) -> Result<()> {
    let mut announced = Vec::new();
    for _ in 0..60 {
        browser.press(&[Key::Tab.value()])?;
        announced.push(browser.focused()?);
        if announced.last().is_some_and(|now| now.starts_with(wanted)) {
            return browser.press(&[Key::Enter.value()]);
        }
    }
    bail!("no {wanted} among {announced:#?}")
}

#[test]
fn the_keyboard_alone_opens_sorts_and_compares_runs() {
    visit("the keyboard alone", "", Look::WIDE, |browser| {
        let games = [quickstart_game(2)?, quickstart_game(3)?];
        let text = |number: usize| games[number].0.to_string();
        let plan = |number: usize| games[number].1.to_string();
        disk(
            browser,
            &[("2.txt", text(0), plan(0)), ("3.txt", text(1), plan(1))],
        )?;
        // Opening a folder shows the table and moves the focus there.
        enter(browser, "button Open your files")?;
        enter(browser, "button Choose a folder")?;
        browser.scored(2, 2)?;
        assert_eq!(browser.focused()?, "tabpanel Results");
        // Slash leads to the filter; the table is one stop after it.
        browser.press(&['/', '.', Key::Tab.value()])?;
        while !browser.focused()?.starts_with("gridcell ") {
            browser.press(&[Key::Tab.value()])?;
        }
        // Sorting keeps the focus on the header.
        browser.press(&[
            Key::Up.value(),
            Key::End.value(),
            Key::Left.value(),
            Key::Enter.value(),
        ])?;
        browser.press(&[Key::Enter.value()])?;
        assert_eq!(browser.focused()?, "columnheader out");
        let worst = usize::from(games[1].2 < games[0].2);
        let first = browser.text("#table-body td")?;
        assert_eq!(first, ["2.txt", "3.txt"][worst]);
        // Open the first game, the other one and this one again, and go to its best chain.
        browser.press(&[Key::Down.value(), Key::Home.value(), Key::Enter.value()])?;
        browser.says_only("#game-name", &first)?;
        browser.press(&[']'])?;
        browser.says_only("#game-name", ["2.txt", "3.txt"][1 - worst])?;
        browser.press(&['['])?;
        browser.says_only("#game-name", &first)?;
        assert_eq!(browser.focused()?, "tabpanel Watch");
        browser.press(&['b'])?;
        let (case, plan, _) = &games[worst];
        let points: Vec<u64> = replay(case, plan).iter().map(|turn| turn.points).collect();
        let before = |turn: usize| turn.checked_sub(1).map_or(0, |last| points[last]);
        let gained = |turn: usize| points[turn] - before(turn);
        let best = browser.turn()? as usize;
        assert_eq!(Some(gained(best)), (0..points.len()).map(gained).max());
        browser.says("#live", &format!("Column {} of 60", best + 1))?;
        // Ask the bot and compare its line with the game.
        enter(browser, "button Ask the bot")?;
        browser.says("#watch-ask .say", "Bot: position")?;
        enter(browser, "button Compare its line with this game")?;
        browser.at("compare")?;
        assert_eq!(browser.focused()?, "tabpanel Compare");
        let start = browser.field("#compare-board-a")?;
        browser.press(&[Key::Space.value()])?;
        browser.wait(&format!(
            "document.querySelector('#compare-board-a canvas').dataset.field !== {start:?}"
        ))?;
        browser.press(&[Key::Space.value(), Key::End.value()])?;
        assert!(side(browser, "a")? > side(browser, "b")?);
        browser.says("#live", "Where the line ends")
    });
}
