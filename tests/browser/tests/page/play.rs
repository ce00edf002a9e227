//! Play: a game by hand, with hints.

use super::actions::{PageActions, case_of_address, count_jewels, field_text, sample_game};
use super::review::side_points;
use anyhow::{Context, Result};
use columns_browser::{Browser, test_page};
use columns_core::rules::plan::Placement;
use columns_core::rules::quickstart::play_quickstart;
use columns_core::rules::replay::{self, Referee};
use serde_json::json;

const ADDRESS: &str = "play?seed=7&profile=constant&width=6&height=13&colours=3&columns=11";

/// Waits until the game has reached a column, such as `2 of 11`.
fn wait_for_column(browser: &Browser, column: &str) -> Result<()> {
    browser.wait_for_exact_text("#play-info dd", column)
}

#[test]
fn a_game_by_hand_follows_its_keys() {
    test_page(ADDRESS, |browser| {
        let case = case_of_address(ADDRESS)?;
        // R and L move the column, S shifts it, D drops it.
        let keys = "RRRDLLLLSDRRSSDLDRRRRRRDLLLLLLLLDSDRDLLSDRSSD";
        let mut game = Referee::new(&case);
        let (mut stack, mut shift) = (2_usize, 0);
        for letter in keys.chars() {
            let (key, next_stack, next_shift) = match letter {
                'R' => ("Right", (stack + 1).min(5), shift),
                'L' => ("Left", stack.saturating_sub(1), shift),
                'S' => ("Up", stack, (shift + 1) % 3),
                _ => ("Down", stack, 0),
            };
            if letter == 'D' {
                game.play(Placement { stack, shift })
                    .ok()
                    .context("it fits")?;
            }
            (stack, shift) = (next_stack, next_shift);
            browser.keys(key)?;
        }
        let expected = field_text(game.field());
        browser.wait_for_field("#play-board", &expected)?;
        assert_eq!(browser.shown_points("play")?, game.outcome().points);
        assert!(game.outcome().points > 0 && game.outcome().placed_columns == 10);
        // Undo everything, then redo everything.
        browser.keys("u*10")?;
        assert_eq!(count_jewels(&browser.field("#play-board")?), 0);
        browser.keys("r*10")?;
        browser.wait_for_field("#play-board", &expected)?;
        // A hint names a placement. At the end of the game, the page shows the scores of quickstart and the
        // bot.
        browser.keys("h")?;
        browser.wait_for_text("#play-info .say", "Bot: position")?;
        // Further keys change nothing.
        browser.keys("Down*3")?;
        let table = "document.querySelector('#play-end table')?.innerText ?? ''";
        browser.wait_until(&format!("/Bot[^a-z]*4 s[^a-z]*[0-9,]+$/.test({table})"))?;
        let table = browser.text_without_commas("#play-end")?;
        let rival = replay::score(&case, &play_quickstart(&case)).points;
        assert!(table.contains(&format!("Quickstart {rival}")), "{table}");
        Ok(())
    });
}

#[test]
fn the_space_bar_drops_after_a_click() {
    test_page(ADDRESS, |browser| {
        let drop = |column: &str| {
            browser.keys("Space")?;
            wait_for_column(browser, column)
        };
        drop("2 of 11")?;
        drop("3 of 11")?;
        // After a click on Undo, the space bar drops the column, and does not press Undo again.
        browser.click("[data-press=undo]")?;
        wait_for_column(browser, "2 of 11")?;
        drop("3 of 11")?;
        // Compare the line of a hint with this game, which ends at its current position.
        browser.click("#play-hint")?;
        browser.wait_for_text("#play-info .say", "Bot: ")?;
        let field = browser.field("#play-board")?;
        browser.click("#play-info .say button")?;
        browser.wait_for_view("compare")?;
        browser.keys("End")?;
        browser.wait_for_field("#compare-board-b", &field)?;
        browser.wait_for_text("#compare-name-b", "B · This game so far")?;
        assert!(side_points(browser, "a")? > side_points(browser, "b")?);
        browser.click("#tab-play")?;
        drop("4 of 11")?;
        let before = browser.field("#play-board")?;
        // The space bar does not start a second game, and Undo returns to the previous game.
        browser.click("#play-form .main")?;
        wait_for_column(browser, "1 of 100")?;
        drop("2 of 100")?;
        browser.keys("u u")?;
        wait_for_column(browser, "4 of 11")?;
        browser.wait_for_field("#play-board", &before)?;
        // Restart starts a game, too.
        browser.click_button("#play-info", "Restart")?;
        wait_for_column(browser, "1 of 11")?;
        browser.keys("u")?;
        wait_for_column(browser, "4 of 11")?;
        browser.wait_for_field("#play-board", &before)?;
        // A double click on a placement plays one column.
        browser.click_button("#play-ask", "Ask the bot")?;
        browser.run_js(
            "const row = document.querySelector('#play-ask td button'); row.click(); row.click()",
        )?;
        wait_for_column(browser, "5 of 11")?;
        browser.keys("u")?;
        browser.click_button("#play-ask", "Close")?;
        // The space bar presses a button that the user has focused with the keyboard.
        browser.run_js("document.querySelector('[data-press=left]').focus()")?;
        browser.keys("Tab Space")?;
        wait_for_column(browser, "4 of 11")
    });
}

#[test]
fn a_column_without_room_stays_the_end_of_its_game() {
    let columns = "abcbcacab".repeat(4);
    test_page(&format!("play?case=6x13.{columns}"), |browser| {
        browser.keys("Down*5")?;
        let end = "Ended early at ";
        browser.wait_for_text("#play-info .say", end)?;
        browser.reload()?;
        browser.wait_for_text("#play-info .say", end)?;
        // The results that a folder opens do not change the entry of the game in the browser's history.
        browser.open_players(&[60; 2])?;
        browser.run_js("history.back()")?;
        browser.wait_for_view("play")?;
        browser.wait_for_text("#play-info .say", end)?;
        browser.click_button("#play-info", "Watch this game")?;
        browser.wait_for_view("watch")?;
        browser.keys("End")?;
        browser.wait_for_text("#watch-info .say", end)
    });
}

#[test]
fn dropped_files_end_no_game() {
    test_page(ADDRESS, |browser| {
        browser.keys("Space Right Space Left Space")?;
        wait_for_column(browser, "4 of 11")?;
        let before = browser.field("#play-board")?;
        let drop_file = |text: &str| {
            let drop = format!(
                "const dataTransfer = new DataTransfer();
                 dataTransfer.items.add(new File([{}], '2.txt'));
                 document.body.dispatchEvent(new DragEvent('drop', {{ dataTransfer, bubbles: true,
                     cancelable: true }}))",
                json!(text)
            );
            browser.wait_for_opening(|| browser.run_js(&drop))
        };
        // The page opens the first file, a case, in Watch. It rejects the second.
        for text in [sample_game(2)?.0.to_string(), "hello".into()] {
            drop_file(&text)?;
            browser.click("#tab-play")?;
            browser.wait_for_field("#play-board", &before)?;
        }
        // A link to Play starts a new game. Undo returns to the previous game.
        browser.run_js("location.hash = 'play?seed=9&profile=constant&columns=20'")?;
        wait_for_column(browser, "1 of 20")?;
        browser.keys("u")?;
        browser.wait_for_field("#play-board", &before)?;
        // Undo returns from a new game to the game started from Watch, and then to the first game.
        browser.click("#tab-watch")?;
        browser.keys("Right*5")?;
        browser.click_button("#watch-info", "Play from here")?;
        browser.wait_for_view("play")?;
        wait_for_column(browser, "6 of 60")?;
        browser.click("#play-form .main")?;
        for (keys, column) in [("u", "6 of 60"), ("u*6", "4 of 11")] {
            browser.keys(keys)?;
            wait_for_column(browser, column)?;
        }
        browser.wait_for_field("#play-board", &before)
    });
}

#[test]
fn entries_are_checked_where_they_are_entered() {
    test_page("play", |browser| {
        // A message about a field appears next to it.
        let width = "document.querySelector('#play-form [name=width]').value";
        browser.run_js(&format!("{width} = 99"))?;
        browser.click("#play-form .main")?;
        browser.wait_for_text("#play-form .pair + .wrong", "The width must be")?;
        browser.run_js(&format!("{width} = 6"))?;
        // "New game" starts a different game.
        let next = "document.querySelector('#play-hud canvas').getAttribute('aria-label')";
        let first = browser.evaluate(next)?;
        browser.click("#play-form .main")?;
        assert_ne!(browser.evaluate(next)?, first);
        Ok(())
    });
}
