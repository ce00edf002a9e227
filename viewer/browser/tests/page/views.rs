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

/// The column that the slider is at, from 0.
fn turn(browser: &Browser) -> Result<u64> {
    let value =
        browser.js("return Number(document.querySelector('#watch-transport input').value)")?;
    value.as_u64().context("a turn")
}

#[test]
fn watch_goes_from_chain_to_chain() {
    let address = "watch?seed=4&profile=growing&width=8&columns=300&colours=4";
    visit("from chain to chain", address, Look::WIDE, |browser| {
        let spec = Spec::new(Profile::Growing)
            .with_width(8)?
            .with_columns(300)?;
        let case = generate(4, &spec.with_colours(4)?);
        let turns = replay::replay(&case, &quickstart(&case)).turns;
        let pays: Vec<u64> = turns
            .iter()
            .map(|turn| turn.steps.iter().map(|step| step.points).sum())
            .collect();
        let chains: Vec<u64> = (0_u64..)
            .zip(&turns)
            .filter(|(_, turn)| turn.chain() > 1 || turn.steps.iter().any(|s| s.matches.is_empty()))
            .map(|(index, _)| index)
            .collect();
        assert!(chains.len() > 3, "{chains:?}");
        for &chain in &chains[..3] {
            browser.press(&['n'])?;
            assert_eq!(turn(browser)?, chain);
        }
        browser.press(&['p'])?;
        assert_eq!(turn(browser)?, chains[1]);
        browser.click("[aria-label='The next chain']")?;
        assert_eq!(turn(browser)?, chains[2]);
        browser.click("[aria-label='The chain before']")?;
        assert_eq!(turn(browser)?, chains[1]);
        browser.press(&['b'])?;
        let most = pays.iter().max().context("points")?;
        assert_eq!(pays[turn(browser)? as usize], *most);
        // Where a column clears nothing the best ten are listed, the best first.
        browser.press(&[Key::Home.value()])?;
        assert_eq!(turns[0].steps.len(), 0);
        let listed = browser.text(".best-chains")?.replace(',', "");
        let mut sorted = pays.clone();
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        let points: Vec<u64> = listed
            .split_whitespace()
            .step_by(3)
            .filter_map(|word| word.parse().ok())
            .collect();
        assert_eq!(points, sorted[..points.len().max(5)], "{listed}");
        browser.click(".best-chains li:nth-child(2) button")?;
        assert_eq!(pays[turn(browser)? as usize], sorted[1]);
        assert!(!browser.text("#watch-info")?.contains("step 0 of"));
        // Chains only: the columns between them are left out.
        browser.press(&[Key::Home.value(), Key::Space.value()])?;
        browser.js(
            "const speed = document.querySelector('#watch-transport select');
             window.seen = new Set();
             window.watching = setInterval(() => window.seen.add(Number(document.querySelector('#watch-transport input').value)), 5);
             speed.value = [...speed.options].find((o) => o.textContent === 'Chains only').value",
        )?;
        browser.wait("window.seen.size > 4")?;
        browser.press(&[Key::Space.value()])?;
        let seen = browser.js("clearInterval(window.watching); return [...window.seen]")?;
        let seen: Vec<u64> = serde_json::from_value(seen)?;
        let between = |turn: &&u64| **turn > 3 && !chains.contains(*turn);
        assert_eq!(seen.iter().find(between), None, "{seen:?} {chains:?}");
        Ok(())
    });
}

#[test]
fn the_slider_tells_the_column_under_the_pointer() {
    let address = "watch?seed=5&profile=constant&width=12&height=19&columns=10000&colours=4";
    visit("the slider", address, Look::WIDE, |browser| {
        let case = generate(
            5,
            &Spec::new(Profile::Constant)
                .with_width(12)?
                .with_height(19)?
                .with_columns(10_000)?
                .with_colours(4)?,
        );
        let turns = replay::replay(&case, &quickstart(&case)).turns;
        let told = browser.js(
            "const box = document.querySelector('.line-of-time'), { left, width, top } = box.getBoundingClientRect();
             box.dispatchEvent(new PointerEvent('pointermove', { clientX: left + width / 3, clientY: top + 9 }));
             return document.querySelector('.tip').textContent",
        )?;
        // Of the dozens of columns under it the one that pays most.
        let told = told.as_str().context("a text")?.replace(',', "");
        let words: Vec<&str> = told
            .split([' ', ':', '+'])
            .filter(|w| !w.is_empty())
            .collect();
        let column: usize = words[1].parse()?;
        assert!((3300..3370).contains(&column), "{told}");
        let pays = |index: usize| turns[index].steps.iter().map(|s| s.points).sum::<u64>();
        assert_eq!(pays(column - 1), words[2].parse::<u64>()?, "{told}");
        let around = (column - 8..column + 8).map(pays).max();
        assert_eq!(around, Some(pays(column - 1)), "{told}");
        Ok(())
    });
}

#[test]
fn marks_can_be_switched_off() {
    visit("marks", "", Look::WIDE, |browser| {
        let drawn = "const c = document.querySelector('#watch-board canvas');
            return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.reduce((a, b) => (a * 31 + b) % 1000003, 7)";
        let marked = browser.js(drawn)?;
        browser.press(&['m'])?;
        assert_ne!(browser.js(drawn)?, marked);
        browser.click("#marks")?;
        assert_eq!(browser.js(drawn)?, marked);
        Ok(())
    });
}

#[test]
fn a_reload_within_a_step_comes_back_to_it() {
    visit("a quick reload", "watch?seed=4", Look::WIDE, |browser| {
        browser.press(&[Key::Right.value(), Key::Right.value()])?;
        browser.reload()?;
        assert_eq!(turn(browser)?, 2);
        // What was said of a link is gone with the next one that works.
        browser.js("location.hash = 'watch?seed=x'")?;
        browser.wait("!document.getElementById('message').hidden")?;
        browser.js("location.hash = 'watch?seed=6'")?;
        browser.wait("document.getElementById('message').hidden")?;
        // A new game is another one than before.
        browser.click("#tab-play")?;
        let next = "return document.querySelector('#play-hud canvas').getAttribute('aria-label')";
        let first = browser.js(next)?;
        browser.click("#play-form .main")?;
        assert_ne!(browser.js(next)?, first);
        Ok(())
    });
}

#[test]
fn the_first_screen_says_what_the_page_is() {
    for look in [Look::WIDE, Look::PHONE] {
        visit("the first screen", "", look, |browser| {
            let seen = browser.js(
                "const b = document.getElementById('intro-bot').getBoundingClientRect(); return b.top >= 0 && b.bottom < innerHeight",
            )?;
            assert_eq!(seen, true);
            browser.click("#intro-files")?;
            let open = browser.js("return document.getElementById('folder').checkVisibility()")?;
            assert_eq!(open, true);
            browser.js("document.getElementById('bot-time').value = '1'; scrollTo(0, 0)")?;
            browser.click("#intro-bot")?;
            browser.wait("document.getElementById('games').textContent.includes('Bot, 1 s')")?;
            // From then on the board has that room.
            browser.wait("document.getElementById('intro').hidden")
        });
    }
}

#[test]
fn boards_from_a_file_are_all_there_after_a_reload() {
    visit("boards", "puzzles", Look::WIDE, |browser| {
        let folder = tempfile::tempdir()?;
        let boards = write(folder.path(), "boards.txt", b"ABA\nABB\n\nCCD\nCDD\n")?;
        browser.choose("#files", &[&boards])?;
        let shows = |field: &str| {
            browser.wait(&format!(
                "document.querySelector('#same-board canvas').dataset.field === '{field}'"
            ))
        };
        shows("ABA/ABB")?;
        browser.js("const s = document.querySelector('#puzzle-opened select'); s.value = '1'; s.dispatchEvent(new Event('change', { bubbles: true }))")?;
        shows("CCD/CDD")?;
        browser.reload()?;
        shows("CCD/CDD")?;
        // Hint and undo by key; a lone tile is told to stay.
        browser.press(&['h'])?;
        browser.wait("document.getElementById('same-text').textContent.startsWith('Remove')")?;
        browser.js("document.querySelector('#same-board canvas').focus()")?;
        browser.press(&[Key::Enter.value()])?;
        browser.wait("!document.getElementById('same-undo').disabled")?;
        browser.press(&['u'])?;
        shows("CCD/CDD")?;
        let alone = write(folder.path(), "alone.txt", b"ABA\nBAB\nBAA\n")?;
        browser.choose("#files", &[&alone])?;
        shows("ABA/BAB/BAA")?;
        browser.js("document.querySelector('#same-board canvas').focus()")?;
        browser.press(&[
            Key::Right.value(),
            Key::Up.value(),
            Key::Up.value(),
            Key::Enter.value(),
        ])?;
        browser.wait("document.getElementById('same-text').textContent.startsWith('Only a group')")
    });
}
