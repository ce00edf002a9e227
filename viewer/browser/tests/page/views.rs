//! What each view does: keys, history, chains as a whole, sharing, puzzles by hand.

use super::{message, points, write};
use anyhow::{Context, Result};
use columns_browser::{page, visit, Browser, Look};
use columns_core::rules::quickstart::quickstart;
use columns_core::rules::replay;
use columns_generator::{generate, Profile, Spec};
use std::path::Path;
use thirtyfour::Key;

/// Clicks on the button of that text in a box.
fn push(browser: &Browser, inside: &str, text: &str) -> Result<()> {
    let done = browser.js(&format!(
        "const button = [...document.querySelectorAll('{inside} button')].find((b) => b.textContent === '{text}');
         button?.click(); return Boolean(button)"
    ))?;
    anyhow::ensure!(done == true, "no button {text} in {inside}");
    Ok(())
}

#[test]
fn the_first_picture_is_a_chain_of_the_bot() {
    visit("the first picture", "", Look::WIDE, |browser| {
        let text = browser.text("#watch-info .say")?;
        let step = text
            .strip_prefix("Step ")
            .and_then(|rest| rest.split(' ').next());
        assert!(step.context("a step")?.parse::<usize>()? > 5, "{text}");
        let board = browser.field("#watch-board")?;
        assert!(
            board.chars().filter(char::is_ascii_lowercase).count() > 20,
            "{board}"
        );
        let case = generate(
            13,
            &Spec::new(Profile::Constant)
                .with_width(8)?
                .with_height(15)?
                .with_columns(120)?
                .with_colours(5)?,
        );
        let rival = replay::score(&case, &quickstart(&case)).points;
        browser.wait("document.getElementById('watch-hud').textContent.includes('Quickstart')")?;
        let hud = browser.text("#watch-hud")?.replace(',', "");
        assert!(hud.contains(&format!("Quickstart: {rival}.")), "{hud}");
        // Ready to play, and to be compared: the bot against quickstart.
        browser.press(&[Key::Space.value()])?;
        assert_eq!(browser.js("return document.querySelector('#watch-transport .main').getAttribute('aria-label')")?, "Pause");
        browser.click("#tab-compare")?;
        let names = browser.text("#view-compare .duo")?;
        assert!(
            names.contains("A · Bot") && names.contains("B · Quickstart"),
            "{names}"
        );
        // Another player: the bot with another time.
        browser.js("document.getElementById('compare-time').value = '1'")?;
        browser.click("#compare-bot")?;
        browser
            .wait("document.getElementById('compare-name-b').textContent.includes('Bot, 1 s')")?;
        Ok(())
    });
}

#[test]
fn the_space_bar_drops_after_a_click() {
    let address = "play?seed=7&profile=constant&width=6&height=13&colours=3&columns=11";
    visit("the space bar", address, Look::WIDE, |browser| {
        let column = || browser.text("#play-info dd");
        browser.press(&[Key::Space.value()])?;
        browser.wait("document.querySelector('#play-info dd').textContent === '2 of 11'")?;
        browser.press(&[Key::Space.value()])?;
        browser.wait("document.querySelector('#play-info dd').textContent === '3 of 11'")?;
        // Undo by a click; the space bar then drops and does not undo again.
        browser.click("[data-press=undo]")?;
        assert_eq!(column()?, "2 of 11");
        browser.press(&[Key::Space.value()])?;
        browser.wait("document.querySelector('#play-info dd').textContent === '3 of 11'")?;
        browser.click("#play-hint")?;
        browser
            .wait("document.querySelector('#play-info .say').textContent.startsWith('Bot: ')")?;
        browser.press(&[Key::Space.value()])?;
        browser.wait("document.querySelector('#play-info dd').textContent === '4 of 11'")?;
        let before = browser.field("#play-board")?;
        // A new game is not thrown away by the next press, and brings back the one before.
        browser.click("#play-form .main")?;
        assert_eq!(column()?, "1 of 100");
        browser.press(&[Key::Space.value()])?;
        browser.wait("document.querySelector('#play-info dd').textContent === '2 of 100'")?;
        browser.press(&['u', 'u'])?;
        assert_eq!(column()?, "4 of 11");
        assert_eq!(browser.field("#play-board")?, before);
        // A button that the keyboard has come to takes the space bar itself.
        browser.js("document.querySelector('[data-press=left]').focus()")?;
        browser.press(&[Key::Tab.value(), Key::Space.value()])?;
        assert_eq!(column()?, "4 of 11");
        Ok(())
    });
}

#[test]
fn back_and_forward_go_through_the_views() {
    visit("back and forward", "watch?seed=1", Look::WIDE, |browser| {
        let at =
            |view: &str| browser.wait(&format!("!document.getElementById('view-{view}').hidden"));
        for view in ["table", "compare", "puzzles", "play"] {
            browser.click(&format!("#tab-{view}"))?;
            at(view)?;
        }
        for view in ["puzzles", "compare", "table", "watch"] {
            browser.js("history.back()")?;
            at(view)?;
        }
        for view in ["table", "compare", "puzzles", "play"] {
            browser.js("history.forward()")?;
            at(view)?;
        }
        assert_eq!(message(browser)?, "");
        Ok(())
    });
}

#[test]
fn the_seed_box_redraws_at_once() {
    visit("the seed box", "", Look::WIDE, |browser| {
        for (id, seed) in [("more", 14), ("more", 15), ("less", 14), ("less", 13)] {
            let name = format!("Seed {seed} · constant");
            browser.click(&format!("#seed-{id}"))?;
            browser.wait(&format!(
                "document.getElementById('game-name').textContent === '{name}'"
            ))?;
        }
        // What nobody has played makes room: there is one case, not five.
        browser.click("#tab-table")?;
        browser.wait("document.querySelectorAll('#table-body tr').length === 1")
    });
}

#[test]
fn a_chain_is_seen_as_a_whole() {
    visit("chains as a whole", "", Look::WIDE, |browser| {
        let text = browser.text("#watch-chain .hint")?;
        assert!(
            text.contains(" steps, ") && text.contains(" jewels to "),
            "{text}"
        );
        let drawn = "const c = document.querySelector('#watch-chain canvas');
            return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.reduce((a, b) => (a * 31 + b) % 1000003, 7)";
        let this = browser.js(drawn)?;
        push(browser, "#watch-chain", "Whole game")?;
        let whole = browser.text("#watch-chain .hint")?;
        assert!(
            whole.contains(" points in ") && whole.contains(" chains"),
            "{whole}"
        );
        assert_ne!(browser.js(drawn)?, this);
        // A click on the chart goes there.
        browser.js("const c = document.querySelector('#watch-chain canvas'), b = c.getBoundingClientRect();
            c.dispatchEvent(new MouseEvent('click', { clientX: b.left + b.width * 0.254, clientY: b.top + 5 }))")?;
        assert_eq!(
            browser.js("return document.querySelector('#watch-transport input').value")?,
            "30"
        );
        Ok(())
    });
}

/// Whether a file's name ends so.
fn ends(name: &str, ending: &str) -> bool {
    Path::new(name).extension().is_some_and(|end| end == ending)
}

#[test]
fn a_moment_and_a_chain_can_be_given_away() {
    visit("sharing", "", Look::WIDE, |browser| {
        browser.click(".share summary")?;
        push(browser, ".share", "Picture")?;
        let (name, png) = browser.downloaded_bytes()?;
        assert!(
            ends(&name, "png") && png.starts_with(b"\x89PNG") && png.len() > 5_000,
            "{name}"
        );
        // A short chain, so that the film is short.
        browser.press(&[Key::Home.value()])?;
        push(browser, ".share", "Film")?;
        let (name, film) = browser.downloaded_bytes()?;
        assert!(
            ends(&name, "webm") && film.starts_with(b"\x1a\x45\xdf\xa3") && film.len() > 1_000,
            "{name} {}",
            film.len()
        );
        assert_eq!(message(browser)?, "");
        Ok(())
    });
}

#[test]
fn maya_is_played_by_dragging() {
    visit(
        "Maya by hand",
        "puzzles?puzzle=maya",
        Look::WIDE,
        |browser| {
            // The solution of the statement, by pointer: stack and row of each block, then to the right.
            for (stack, row) in [(2, 1), (3, 1), (3, 0)] {
                let from = browser.js(&format!(
                "const b = document.querySelector('#maya-board canvas').getBoundingClientRect();
                 const cell = b.width / (5 + 0.5 + 0.62), x = b.left + (0.87 + {stack} + 0.5) * cell,
                   y = b.top + (7 - {row} - 0.5) * cell;
                 return [x, y, cell]"
            ))?;
                let place = |i: usize| from[i].as_f64().context("a place");
                browser.drag(
                    (place(0)?, place(1)?),
                    (place(0)? + 0.9 * place(2)?, place(1)?),
                )?;
                browser.wait(&format!(
                    "!document.getElementById('maya-text').textContent.startsWith('{} move')",
                    if row == 1 && stack == 2 {
                        3
                    } else if row == 1 {
                        2
                    } else {
                        1
                    }
                ))?;
            }
            browser.wait(
                "document.getElementById('maya-text').textContent === 'Solved in 3 moves!'",
            )?;
            browser.click("#maya-undo")?;
            assert_eq!(
                browser.text("#maya-text")?,
                "1 move left: drag a block to the side."
            );
            Ok(())
        },
    );
}

#[test]
fn inc_shows_its_three_players() {
    visit("Inc", "puzzles?puzzle=inc", Look::WIDE, |browser| {
        browser.click("#inc-on")?;
        let text = browser.text("#inc-text")?;
        assert!(
            text.starts_with("Turn 1 of 10: player 1 adds 1 to the "),
            "{text}"
        );
        browser.click("#inc-last")?;
        assert_eq!(
            browser.field("#inc-board")?,
            "123.1/1.333/12.31/1.331/132.2"
        );
        // A board from a file.
        let folder = tempfile::tempdir()?;
        let board = write(
            folder.path(),
            "board.txt",
            b"-1 3\n....\n3333\n3333\n.33.\n",
        )?;
        browser.choose("#files", &[&board])?;
        browser.wait("document.getElementById('inc-text').textContent.includes('0, 0 and 10')")?;
        browser.click("#inc-last")?;
        assert_eq!(browser.field("#inc-board")?, "..../2222/2222/.22.");
        browser.go(page()?, "watch?seed=1")?;
        assert_eq!(points(browser, "watch")?, 0);
        Ok(())
    });
}
