//! The views: keys, history, charts of chains, sharing, puzzles played by hand.

use super::actions::{PageActions, case_of_address, count_jewels};
use anyhow::Context;
use columns_browser::{Screen, build_page, test_page};
use columns_core::rules::case::Column;
use columns_core::rules::quickstart::play_quickstart;
use columns_core::rules::replay::{self, Turn};
use std::fs;
use std::path::Path;
use thirtyfour::Key;

#[test]
fn the_first_picture_is_a_chain_of_the_bot() {
    test_page("the first picture", "", Screen::DESKTOP, |browser| {
        let text = browser.text("#watch-info .say")?;
        let step = text
            .strip_prefix("Step ")
            .and_then(|rest| rest.split(' ').next());
        assert!(step.context("a step")?.parse::<usize>()? > 5, "{text}");
        assert!(count_jewels(&browser.field("#watch-board")?) > 20);
        let case =
            case_of_address("?seed=13&profile=constant&width=8&height=15&columns=120&colours=5")?;
        let rival = replay::score(&case, &play_quickstart(&case)).points;
        browser.wait_for_text("#watch-info dl", "of 18,377 · step 11 of 21")?;
        browser.wait_for_text("#watch-hud", "Quickstart")?;
        let hud = browser.text_without_commas("#watch-hud")?;
        assert!(hud.contains(&format!("Quickstart {rival}")), "{hud}");
        // The viewer's README states the size of this page. An older compiler makes a slightly larger page.
        let size = fs::metadata(build_page()?)?.len() as f64 / 1e6;
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let readme = fs::read_to_string(root.join("crates/viewer/README.md"))?;
        let stated = readme.split("| at most 1.1 MB | ").nth(1);
        let stated = stated.and_then(|text| text.split_once(" MB")?.0.parse::<f64>().ok());
        let stated = stated.context("the size of the page")?;
        assert!((size - stated).abs() < 0.1 && size <= 1.1, "{size} MB");
        // The user can play the game back, and compare it with quickstart's game.
        browser.press_keys(&[Key::Space.value()])?;
        browser.wait_until("document.querySelector('#watch-transport [aria-label=Pause]')")?;
        browser.click("#tab-compare")?;
        browser.wait_for_text("#compare-name-a", "A · Bot")?;
        browser.wait_for_text("#compare-name-b", "B · Quickstart")
    });
}

#[test]
fn the_space_bar_drops_after_a_click() {
    let address = "play?seed=7&profile=constant&width=6&height=13&colours=3&columns=11";
    test_page("the space bar", address, Screen::DESKTOP, |browser| {
        let is_at = |column: &str| browser.wait_for_exact_text("#play-info dd", column);
        let drop = |column: &str| {
            browser.press_keys(&[Key::Space.value()])?;
            is_at(column)
        };
        drop("2 of 11")?;
        drop("3 of 11")?;
        // After a click on Undo, the space bar drops the column, and does not press Undo again.
        browser.click("[data-press=undo]")?;
        is_at("2 of 11")?;
        drop("3 of 11")?;
        browser.click("#play-hint")?;
        browser.wait_for_text("#play-info .say", "Bot: ")?;
        drop("4 of 11")?;
        let before = browser.field("#play-board")?;
        // The space bar does not start a second game, and Undo returns to the previous game.
        browser.click("#play-form .main")?;
        is_at("1 of 100")?;
        drop("2 of 100")?;
        browser.press_keys(&['u', 'u'])?;
        is_at("4 of 11")?;
        browser.wait_for_field("#play-board", &before)?;
        // The space bar presses a button that the user has focused with the keyboard.
        browser.run_js("document.querySelector('[data-press=left]').focus()")?;
        browser.press_keys(&[Key::Tab.value(), Key::Space.value()])?;
        is_at("4 of 11")
    });
}

#[test]
fn back_and_forward_switch_views() {
    test_page(
        "back and forward",
        "watch?seed=1",
        Screen::DESKTOP,
        |browser| {
            let views = ["watch", "results", "compare", "puzzles", "play"];
            for view in &views[1..] {
                browser.click(&format!("#tab-{view}"))?;
                browser.wait_for_view(view)?;
                // The pointer is still over the tab, so the tab has a border.
                let tab = format!("document.getElementById('tab-{view}')");
                let border =
                    browser.evaluate(&format!("getComputedStyle({tab}).borderTopColor"))?;
                assert_ne!(border, "rgba(0, 0, 0, 0)", "{view}");
            }
            for view in views[..4].iter().rev() {
                browser.run_js("history.back()")?;
                browser.wait_for_view(view)?;
            }
            for view in &views[1..] {
                browser.run_js("history.forward()")?;
                browser.wait_for_view(view)?;
            }
            assert_eq!(browser.message()?, "");
            Ok(())
        },
    );
}

#[test]
fn the_seed_box_shows_a_case_immediately() {
    test_page("the seed box", "", Screen::DESKTOP, |browser| {
        browser.set_details_open("#open-seed", true)?;
        for (id, seed) in [("more", 14), ("more", 15), ("less", 14), ("less", 13)] {
            browser.click(&format!("#seed-{id}"))?;
            browser.wait_for_exact_text("#game-name", &format!("Seed {seed} · constant"))?;
        }
        // Watching games adds no results.
        browser.click("#tab-results")?;
        browser.wait_for_text("#results-empty", "No results yet")?;
        assert_eq!(
            browser.evaluate("document.querySelectorAll('#table-body tr').length")?,
            0
        );
        Ok(())
    });
}

#[test]
fn a_chart_shows_the_steps_of_a_chain() {
    test_page("charts of chains", "", Screen::DESKTOP, |browser| {
        let text = browser.text("#watch-chain .hint")?;
        assert!(
            text.starts_with("21 steps, 18,377 points, from 88 jewels to 12."),
            "{text}"
        );
        let this = browser.pixel_hash("#watch-chain")?;
        browser.press_keys(&['n'])?;
        assert_ne!(browser.pixel_hash("#watch-chain")?, this);
        browser.click_button("#watch-chain", "The best")?;
        browser.wait_for_text(
            "#watch-chain .hint",
            "76,046 points in 13 chains, 5 with more than one step",
        )
    });
}

#[test]
fn maya_is_played_by_dragging() {
    let address = "puzzles?puzzle=maya";
    test_page("Maya by hand", address, Screen::DESKTOP, |browser| {
        // Drag the blocks of the statement's solution to the right. Each entry is a stack and a row.
        for (stack, row, left) in [
            (2, 1, "2 moves left"),
            (3, 1, "1 move left"),
            (3, 0, "Solved in 3 moves!"),
        ] {
            let from = browser.run_js(&format!(
                "const b = document.querySelector('#maya-board canvas').getBoundingClientRect();
                 const cell = b.width / (5 + 0.5 + 0.62), x = b.left + (0.87 + {stack} + 0.5) * cell;
                 return [x, b.top + (7 - {row} - 0.5) * cell, cell]"
            ))?;
            let [x, y, cell]: [f64; 3] = serde_json::from_value(from)?;
            browser.drag((x, y), (x + 0.9 * cell, y))?;
            browser.wait_for_text("#maya-text", left)?;
        }
        browser.click("#maya-undo")?;
        browser.wait_for_exact_text("#maya-text", "1 move left: drag a block sideways.")
    });
}

#[test]
fn puzzles_are_played_and_solved() {
    test_page("puzzles", "puzzles", Screen::DESKTOP, |browser| {
        let first = browser.field("#same-board")?;
        browser.click("#same-hint")?;
        browser.wait_for_text("#same-text", "Remove the")?;
        // The hint moves the cursor to the group; Enter removes the group.
        browser.run_js("document.querySelector('#same-board canvas').focus()")?;
        browser.press_keys(&[Key::Enter.value()])?;
        assert!(count_jewels(&browser.field("#same-board")?) + 2 <= count_jewels(&first));
        browser.click("#same-undo")?;
        browser.wait_for_field("#same-board", &first)?;
        // Maya shows the solution of its puzzle, and a message about an invalid puzzle.
        browser.click("#choose-maya")?;
        browser.click("#maya-solution [aria-label='Go to the end']")?;
        browser.wait_for_text("#maya-text", "Answer: 2 1 1, 3 1 1, 3 0 1.")?;
        assert_eq!(count_jewels(&browser.field("#maya-board")?), 0);
        browser.set_details_open("#maya details", true)?;
        browser.run_js("document.getElementById('maya-input').value = '1\\n1 x'")?;
        browser.click("#maya-solve")?;
        let message = browser.take_message()?;
        assert!(
            message.starts_with("Line 2: expected stack 1 of 5"),
            "{message}"
        );
        // Inc shows the game turn by turn.
        browser.click("#choose-inc")?;
        browser.click("#inc-turns [aria-label=Next]")?;
        browser.wait_for_text("#inc-text", "Turn 1 of 10: player 1 adds 1 to the ")?;
        browser.click("#inc-turns [aria-label='Go to the end']")?;
        browser.wait_for_field("#inc-board", "123.1/1.333/12.31/1.331/132.2")?;
        // A file with an Inc board opens in Inc.
        browser.open_files(&[("board.txt", "-1 3\n....\n3333\n3333\n.33.\n")])?;
        browser.wait_for_text("#inc-text", "0, 0 and 10")?;
        browser.click("#inc-turns [aria-label='Go to the end']")?;
        browser.wait_for_field("#inc-board", "..../2222/2222/.22.")?;
        browser.load(build_page()?, "watch?seed=1")?;
        assert_eq!(browser.shown_points("watch")?, 0);
        Ok(())
    });
}

/// Returns the points of a turn; `Turn::total_points` includes those of earlier turns.
pub(crate) fn turn_points(turn: &Turn) -> u64 {
    turn.steps.iter().map(|step| step.points).sum()
}

#[test]
fn watch_goes_from_chain_to_chain() {
    let address = "watch?seed=4&profile=growing&width=8&columns=300&colours=4";
    test_page("from chain to chain", address, Screen::DESKTOP, |browser| {
        let case = case_of_address(address)?;
        let turns = replay::replay(&case, &play_quickstart(&case));
        let points: Vec<u64> = turns.iter().map(turn_points).collect();
        let magic = |turn: &Turn| turn.steps.iter().any(|step| step.matches.is_empty());
        let chains = (0_u64..).zip(&turns);
        let chains = chains.filter(|(_, turn)| turn.chain_length() > 1 || magic(turn));
        let chains: Vec<u64> = chains.map(|(index, _)| index).collect();
        assert!(chains.len() > 3, "{chains:?}");
        for &chain in &chains[..3] {
            browser.press_keys(&['n'])?;
            assert_eq!(browser.slider_position()?, chain);
        }
        browser.press_keys(&['p'])?;
        assert_eq!(browser.slider_position()?, chains[1]);
        browser.click("[aria-label='Next chain']")?;
        assert_eq!(browser.slider_position()?, chains[2]);
        browser.click("[aria-label='Previous chain']")?;
        assert_eq!(browser.slider_position()?, chains[1]);
        browser.press_keys(&['b'])?;
        assert_eq!(
            Some(&points[browser.slider_position()? as usize]),
            points.iter().max()
        );
        // For a column that clears nothing, the page lists the ten best chains.
        browser.press_keys(&[Key::Home.value()])?;
        assert_eq!(turns[0].steps.len(), 0);
        let listed = browser.text_without_commas(".best-chains")?;
        let mut sorted = points.clone();
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        let listed_points = listed.split_whitespace().step_by(3);
        let listed_points: Vec<u64> = listed_points.filter_map(|word| word.parse().ok()).collect();
        assert!(sorted[9] > 0);
        assert_eq!(listed_points, sorted[..10], "{listed}");
        browser.click(".best-chains li:nth-child(2) button")?;
        assert_eq!(points[browser.slider_position()? as usize], sorted[1]);
        assert!(!browser.text("#watch-info")?.contains("step 0 of"));
        browser.click_button("#watch-chain", "The best")?;
        browser.click(".best-chains li button")?;
        assert_eq!(points[browser.slider_position()? as usize], sorted[0]);
        // The "Chains only" speed skips the columns between chains.
        browser.press_keys(&[Key::Home.value(), Key::Space.value()])?;
        browser.select_option("#watch-transport select", "Chains only")?;
        browser.run_js(
            "window.seen = new Set();
             const slider = document.querySelector('#watch-transport input');
             const note = () => window.seen.add(Number(slider.value));
             window.watching = setInterval(note, 5)",
        )?;
        browser.wait_until("window.seen.size > 4")?;
        browser.press_keys(&[Key::Space.value()])?;
        let columns = browser.run_js("clearInterval(window.watching); return [...window.seen]")?;
        let columns: Vec<u64> = serde_json::from_value(columns)?;
        let between = |turn: &&u64| **turn > 3 && !chains.contains(*turn);
        assert_eq!(columns.iter().find(between), None, "{columns:?} {chains:?}");
        Ok(())
    });
}

#[test]
fn the_slider_names_the_column_under_the_pointer() {
    let address = "watch?seed=5&profile=constant&width=12&height=19&columns=10000&colours=4";
    test_page("the slider", address, Screen::DESKTOP, |browser| {
        let case = case_of_address(address)?;
        let turns = replay::replay(&case, &play_quickstart(&case));
        browser.run_js(
            "const box = document.querySelector('.line-of-time'), { left, width,
            top } = box.getBoundingClientRect();
             box.dispatchEvent(new PointerEvent('pointermove', { clientX: left + width / 3,
                 clientY: top + 9 }))",
        )?;
        // If several columns are under the pointer, the tip names the one with the most points.
        let text = browser.text_without_commas("#watch-transport .tip")?;
        let words = text.split([' ', ':', '+']).filter(|word| !word.is_empty());
        let words: Vec<&str> = words.collect();
        let column: usize = words[1].parse()?;
        assert!((3300..3370).contains(&column), "{text}");
        assert_eq!(
            turn_points(&turns[column - 1]),
            words[2].parse::<u64>()?,
            "{text}"
        );
        let around = turns[column - 8..column + 8].iter().map(turn_points).max();
        assert_eq!(around, Some(turn_points(&turns[column - 1])), "{text}");
        // The tip marks magic columns, and only these.
        for magic in [true, false] {
            browser.run_js(&format!("const box = document.querySelector('.line-of-time'), {{ left, width,
                top }} = box.getBoundingClientRect();
                 for (let x = left; x < left + width; x++) {{
                   box.dispatchEvent(new PointerEvent('pointermove', {{ clientX: x, clientY: top + 9 }}));
                   if (box.querySelector('.tip').textContent.endsWith(', magic') === {magic}) break; }}"))?;
            let text = browser.text_without_commas("#watch-transport .tip")?;
            let column: usize = text.split([' ', ':']).nth(1).context("a column")?.parse()?;
            let is_magic = case.columns()[column - 1] == Column::Magic;
            assert_eq!(
                (text.ends_with(" magic"), is_magic),
                (magic, magic),
                "{text}"
            );
        }
        Ok(())
    });
}

#[test]
fn marks_can_be_switched_off() {
    test_page("marks", "", Screen::DESKTOP, |browser| {
        let marked = browser.pixel_hash("#watch-board")?;
        browser.press_keys(&['m'])?;
        assert_ne!(browser.pixel_hash("#watch-board")?, marked);
        browser.click("#marks")?;
        assert_eq!(browser.pixel_hash("#watch-board")?, marked);
        Ok(())
    });
}

#[test]
fn a_quick_reload_keeps_the_column() {
    test_page(
        "a quick reload",
        "watch?seed=4",
        Screen::DESKTOP,
        |browser| {
            browser.press_keys(&[Key::Right.value(), Key::Right.value()])?;
            browser.reload()?;
            assert_eq!(browser.slider_position()?, 2);
            // A working link clears the message about a broken one.
            browser.run_js("location.hash = 'watch?seed=x'")?;
            browser.wait_until("!document.getElementById('message').hidden")?;
            browser.run_js("location.hash = 'watch?seed=6'")?;
            browser.wait_until("document.getElementById('message').hidden")?;
            // "New game" starts a different game.
            browser.click("#tab-play")?;
            let next = "document.querySelector('#play-hud canvas').getAttribute('aria-label')";
            let first = browser.evaluate(next)?;
            browser.click("#play-form .main")?;
            assert_ne!(browser.evaluate(next)?, first);
            Ok(())
        },
    );
}

#[test]
fn the_first_screen_introduces_the_page() {
    for screen in [Screen::DESKTOP, Screen::PHONE] {
        test_page("the first screen", "", screen, |browser| {
            assert!(browser.are_in_sight(&["#intro p", "#intro [data-open]", "#intro-bot"])?);
            browser.click("#intro [data-open]")?;
            browser.wait_until("document.getElementById('folder').checkVisibility()")?;
            browser.click("#open-box .acts .close")?;
            browser.select_option("#bot-time", "1 second")?;
            browser.run_js("scrollTo(0, 0)")?;
            browser.click("#intro-bot")?;
            browser.wait_for_text("#games", "Bot, 1 s")?;
            // The introduction disappears, which leaves its space to the board.
            browser.wait_until("document.getElementById('intro').hidden")
        });
    }
}

#[test]
fn boards_from_a_file_survive_a_reload() {
    test_page("boards", "puzzles", Screen::DESKTOP, |browser| {
        let focus = || browser.run_js("document.querySelector('#same-board canvas').focus()");
        browser.open_files(&[("boards.txt", "ABA\nABB\n\nCCD\nCDD\n")])?;
        browser.wait_for_field("#same-board", "ABA/ABB")?;
        browser.select_option("#puzzle-opened select", "boards.txt, board 2")?;
        browser.wait_for_field("#same-board", "CCD/CDD")?;
        browser.reload()?;
        browser.wait_for_field("#same-board", "CCD/CDD")?;
        // Hint and undo by key; a single tile cannot be removed.
        browser.press_keys(&['h'])?;
        browser.wait_for_text("#same-text", "Remove")?;
        focus()?;
        browser.press_keys(&[Key::Enter.value()])?;
        browser.wait_until("!document.getElementById('same-undo').disabled")?;
        browser.press_keys(&['u'])?;
        browser.wait_for_field("#same-board", "CCD/CDD")?;
        browser.open_files(&[("alone.txt", "ABA\nBAB\nBAA\n")])?;
        browser.wait_for_field("#same-board", "ABA/BAB/BAA")?;
        focus()?;
        let way = [Key::Right, Key::Up, Key::Up, Key::Enter];
        browser.press_keys(&way.map(|key| key.value()))?;
        browser.wait_for_text("#same-text", "Only groups")
    });
}
