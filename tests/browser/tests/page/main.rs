//! Tests of the page in a real browser.
//!
//! Without a browser or the compiler's target for WebAssembly, every test prints a warning in capitals and
//! passes. With `COLUMNS_REQUIRE=browser`, it fails.

mod actions;
mod bench;
mod day;
mod faults;
mod files;
mod firefox;
mod keyboard;
mod layout;
mod line;
mod numbers;
mod reported;
mod review;
mod views;

use actions::{
    PageActions, case_of_address, count_jewels, field_after, field_text, judge_score, write_files,
};
use anyhow::{Context, Result};
use columns_browser::{Browser, Screen, build_page, test_page};
use columns_core::rules::case::Case;
use columns_core::rules::plan::{Placement, Plan};
use columns_core::rules::quickstart::play_quickstart;
use columns_core::rules::replay::{self, Referee};
use columns_generator::SAMPLE;
use std::fs;
use std::time::Instant;
use thirtyfour::Key;

#[test]
fn a_game_by_hand_follows_its_keys() {
    let address = "play?seed=7&profile=constant&width=6&height=13&colours=3&columns=11";
    test_page("playing by hand", address, Screen::DESKTOP, |browser| {
        let case = case_of_address(address)?;
        // R and L move the column, S shifts it, D drops it.
        let keys = "RRRDLLLLSDRRSSDLDRRRRRRDLLLLLLLLDSDRDLLSDRSSD";
        let mut game = Referee::new(&case);
        let (mut stack, mut shift) = (2_usize, 0);
        for letter in keys.chars() {
            let (key, next_stack, next_shift) = match letter {
                'R' => (Key::Right, (stack + 1).min(5), shift),
                'L' => (Key::Left, stack.saturating_sub(1), shift),
                'S' => (Key::Up, stack, (shift + 1) % 3),
                _ => (Key::Down, stack, 0),
            };
            if letter == 'D' {
                game.play(Placement { stack, shift })
                    .ok()
                    .context("it fits")?;
            }
            (stack, shift) = (next_stack, next_shift);
            browser.press_keys(&[key.value()])?;
        }
        let expected = field_text(game.field());
        browser.wait_for_field("#play-board", &expected)?;
        assert_eq!(browser.shown_points("play")?, game.outcome().points);
        assert!(game.outcome().points > 0 && game.outcome().placed == 10);
        // Undo everything, then redo everything.
        browser.press_keys(&['u'; 10])?;
        assert_eq!(browser.shown_points("play")?, 0);
        assert_eq!(count_jewels(&browser.field("#play-board")?), 0);
        browser.press_keys(&['r'; 10])?;
        browser.wait_for_field("#play-board", &expected)?;
        // A hint names a placement. At the end of the game, the page shows the scores of quickstart and of
        // the bot.
        browser.press_keys(&['h'])?;
        browser.wait_for_text("#play-info .say", "Bot: position")?;
        browser.press_keys(&[Key::Down.value()])?;
        let table = "document.querySelector('#play-end table')?.innerText ?? ''";
        browser.wait_until(&format!("/Bot[^a-z]*4 s[^a-z]*[0-9,]+$/.test({table})"))?;
        let table = browser.text_without_commas("#play-end")?;
        let rival = replay::score(&case, &play_quickstart(&case)).points;
        assert!(table.contains(&format!("Quickstart {rival}")), "{table}");
        Ok(())
    });
}

#[test]
fn the_bot_plays_and_its_plan_is_valid() {
    let address = "watch?seed=3&width=7&height=14&colours=5&columns=150";
    test_page("the bot in the page", address, Screen::DESKTOP, |browser| {
        browser.set_details_open("#open-bot", true)?;
        browser.select_option("#bot-time", "1 second")?;
        browser.click("#bot-play")?;
        browser.wait_until("!document.getElementById('bot-progress').hidden")?;
        browser.wait_for_text("#bot-text", "states")?;
        browser.press_keys(&[Key::End.value()])?;
        let points = browser.shown_points("watch")?;
        let text = browser.text_without_commas("#bot-text")?;
        assert!(text.starts_with(&format!("{points} points")), "{text}");
        browser.click_button("#watch-info", "Download plan")?;
        let (name, plan) = browser.take_download()?;
        assert!(name.ends_with(".out.txt"), "{name}");
        let case = case_of_address(address)?;
        let folder = tempfile::tempdir()?;
        let paths = write_files(folder.path(), &[("case", case.to_string()), ("plan", plan)])?;
        let score = judge_score(&paths[0], &paths[1])?;
        assert_eq!(score, points);
        let rival = replay::score(&case, &play_quickstart(&case)).points;
        assert!(score > 2 * rival, "{score} against {rival}");
        // After the user stops the bot, the page reports it, and the bot can play again.
        browser.select_option("#bot-time", "1 minute")?;
        browser.click("#bot-play")?;
        browser.click("#bot-cancel")?;
        browser.wait_for_exact_text("#bot-text", "Stopped.")?;
        browser.select_option("#bot-time", "1 second")?;
        browser.click("#bot-play")?;
        browser.wait_for_text("#bot-text", "states")
    });
}

/// Returns what is visible now: the field, the texts, and the index of the column.
fn snapshot(browser: &Browser) -> Result<(String, String, u64)> {
    Ok((
        browser.field("#watch-board")?,
        browser.text("#watch-info")?,
        browser.slider_position()?,
    ))
}

#[test]
fn a_link_and_a_saved_file_restore_the_moment() {
    let address = "watch?seed=4&profile=growing&width=8&columns=300&colours=4";
    test_page(
        "links and saved moments",
        address,
        Screen::DESKTOP,
        |browser| {
            // Go into the middle of a chain.
            let case = case_of_address(address)?;
            let turns = replay::replay(&case, &play_quickstart(&case));
            let turn = turns.iter().position(|turn| turn.steps.len() >= 2);
            let turn = turn.context("a chain")?;
            browser.seek(turn)?;
            browser.press_keys(&[Key::Down.value(); 5])?;
            let before = snapshot(browser)?;
            let chain = format!("Step 2 of {}", turns[turn].chain_length());
            assert!(before.1.contains(&chain), "{}", before.1);
            browser.click_button("#watch-info", "Save moment")?;
            let (name, saved) = browser.take_download()?;
            let hash = browser.reopen_link(&format!("at={turn}.5"))?;
            assert!(hash.contains("seed=4"), "{hash}");
            assert_eq!(snapshot(browser)?, before);
            // Open the file in a page that shows another game.
            browser.load(build_page()?, "watch?seed=1")?;
            assert_ne!(snapshot(browser)?, before);
            browser.open_files(&[(name, saved)])?;
            browser.wait_until(&format!("location.hash.endsWith('at={turn}.5')"))?;
            assert_eq!(snapshot(browser)?, before);
            // The link to a case from a file contains the case.
            browser.open_files(&[("own.txt", "6 13\n3\nabc\n***\nbca\n")])?;
            browser.wait_until("location.hash.includes('case=6x13.abc-bca')")?;
            browser.press_keys(&[Key::Right.value(), Key::Down.value()])?;
            let before = browser.field("#watch-board")?;
            browser.reopen_link("at=1.1")?;
            assert_eq!(browser.field("#watch-board")?, before);
            Ok(())
        },
    );
}

#[test]
fn a_page_reloads_at_its_moment_if_the_engine_fails() {
    let address = "watch?seed=96&at=3.0";
    test_page("a failing engine", address, Screen::DESKTOP, |browser| {
        let before = snapshot(browser)?;
        // The next request to the WebAssembly traps, as it would after a panic.
        browser.run_js(
            "const { decode } = TextDecoder.prototype;
            TextDecoder.prototype.decode = function () {
                TextDecoder.prototype.decode = decode;
                throw new WebAssembly.RuntimeError('unreachable');
            };
            document.documentElement.dataset.ready = 'not yet'",
        )?;
        browser.press_keys(&[Key::Right.into()])?;
        browser.wait_until("document.documentElement?.dataset.ready === 'yes'")?;
        browser.wait_for_text("#message", "The page was reloaded: the engine failed")?;
        assert_eq!(snapshot(browser)?, before);
        // The page continues to work.
        browser.press_keys(&[Key::Right.into()])?;
        browser.wait_for_frames()?;
        assert_ne!(snapshot(browser)?, before);
        Ok(())
    });
}

/// Checks that the page still shows the game of the sample, and that no input was executed as code.
fn still_works(browser: &Browser) -> Result<()> {
    browser.press_keys(&[Key::Home.value(), Key::End.value()])?;
    assert_eq!(browser.shown_points("watch")?, 141);
    let injected = "document.querySelectorAll('img, iframe, b.evil').length + (window.evil ?? 0)";
    assert_eq!(browser.evaluate(injected)?, 0);
    Ok(())
}

#[test]
fn hostile_files_get_a_message() {
    test_page(
        "hostile files",
        "watch?seed=1",
        Screen::DESKTOP,
        |browser| {
            let noise = |i: u32| (i.wrapping_mul(2_654_435_761) >> 24) as u8;
            let noise: Vec<u8> = (0..5000).map(noise).collect();
            let evil = "<img src=x onerror='window.evil=1'>.txt";
            let cases: [(&str, &[u8], &str); 6] = [
                (
                    "noise.bin",
                    &noise,
                    "expected text, found bytes that are not UTF-8",
                ),
                (
                    "cut.txt",
                    b"6 13\n5\nabc\nab",
                    "line 4: expected column 2 of 5",
                ),
                ("empty.txt", b"", "line 1: expected the width"),
                (
                    "huge.txt",
                    b"6 13\n99999999999999999999\n",
                    "line 2: expected the number of columns",
                ),
                (evil, b"6 13\n1\n<b>", "line 3: expected column 1 of 1"),
                ("zero.txt", b"\0\0\0\0", "line 1: expected"),
            ];
            for (name, bytes, message) in cases {
                browser.open_files(&[(name, bytes)])?;
                let text = browser.take_message()?;
                let message = format!("{name}: {message}");
                assert!(text.starts_with(&message), "{name}: {text}");
                still_works(browser)?;
            }
            // The page rejects a file of 100 MB because of its size, without reading it.
            let folder = tempfile::tempdir()?;
            let path = folder.path().join("large.txt");
            fs::File::create(&path)?.set_len(100_000_000)?;
            let began = Instant::now();
            browser.choose_files("#files", &[&path])?;
            let message = "large.txt: 95 MiB is too large (limit 16 MiB)";
            assert_eq!(browser.take_message()?, message);
            assert!(began.elapsed().as_secs() < 5);
            still_works(browser)?;
            // The page shows the hostile name of a valid case as text.
            browser.open_files(&[(evil, "6 13\n1\nabc\n")])?;
            browser.wait_for_text("#game-name", "onerror")?;
            assert_eq!(browser.text("#game-name")?, evil);
            Ok(())
        },
    );
}

#[test]
fn hostile_addresses_get_a_message() {
    test_page(
        "hostile addresses",
        "watch?seed=1",
        Screen::DESKTOP,
        |browser| {
            // If the page cannot show an address, it shows this saved game instead.
            browser.reload_after_saving(1)?;
            for hash in [
                "watch?case=%3Cimg%20src=x%20onerror=window.evil=1%3E",
                "watch?seed=%3Cscript%3Ewindow.evil=1%3C/script%3E",
                "watch?case=6x13.abc&plan=zzzzzz",
                "watch?case=6x13.abc&plan=%00%ff",
                "watch?seed=1&profile=__proto__",
                "watch?seed=1&onerror=evil",
                "%%%",
                "constructor",
                "constructor?seed=-1",
                "play?case=6x13.&at=NaN.Infinity",
            ] {
                browser.load(build_page()?, hash)?;
                let message = browser.message()?;
                let is_rejected = message.starts_with("Cannot open the link: ");
                assert_eq!(is_rejected, hash.contains('?'), "{hash}: {message}");
                still_works(browser)?;
            }
            // Moments out of range are clamped.
            browser.load(build_page()?, "watch?seed=1&at=999999999.3")?;
            assert_eq!(browser.shown_points("watch")?, 141);
            browser.load(build_page()?, "watch?seed=1&plan=none&at=-5.1e99")?;
            assert_eq!(browser.message()?, "");
            Ok(())
        },
    );
}

#[test]
fn two_plans_are_compared_in_step() {
    let address = "compare?seed=1&plan=0369&plan2=none&at=2.0";
    test_page("comparing", address, Screen::DESKTOP, |browser| {
        let case: Case = SAMPLE.parse()?;
        let placements = (0..4).map(|stack| Placement { stack, shift: 0 }).collect();
        let plans = [("a", Plan { placements }), ("b", Plan::default())];
        for (side, plan) in &plans {
            let field = field_after(&case, plan, 2);
            browser.wait_for_field(&format!("#compare-board-{side}"), &field_text(&field))?;
        }
        browser.press_keys(&[Key::End.value()])?;
        for (side, plan) in plans {
            let points = replay::score(&case, &plan).points;
            browser.wait_for_text(
                "#compare-text",
                &format!("{} {points}", side.to_uppercase()),
            )?;
        }
        Ok(())
    });
}

#[test]
fn the_bot_can_be_asked() {
    let address = "watch?seed=3&width=7&height=14&colours=4&columns=80&at=20.0";
    test_page("asking the bot", address, Screen::DESKTOP, |browser| {
        browser.click("#watch-ask h2 button")?;
        let text = browser.text("#watch-ask p.hint")?;
        assert!(
            text.contains("A chain of ") && text.contains(" worth "),
            "{text}"
        );
        let count =
            |css: &str| browser.evaluate(&format!("document.querySelectorAll('{css}').length"));
        let rows = count("#watch-ask tbody tr")?.as_u64();
        assert!(rows >= Some(7) && rows <= Some(21), "{rows:?}");
        assert_eq!(count("#watch-ask tr.chosen")?, 1);
        // The chain ends with the points that the answer has announced.
        let before = browser.field("#watch-board")?;
        let points = text
            .split(" worth ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next());
        browser.click_button("#watch-ask", "Show this chain")?;
        browser.click(".walk [aria-label='Go to the end']")?;
        let end = format!("Settled. {} points in total.", points.context("points")?);
        browser.wait_for_exact_text(".walk .say", &end)?;
        assert_ne!(browser.field("#watch-board")?, before);
        browser.click_button(".walk", "Back to the game")?;
        browser.wait_for_field("#watch-board", &before)
    });
}

#[test]
fn any_column_of_a_long_game_can_be_shown() {
    let address = "watch?seed=5&profile=constant&width=12&height=19&columns=10000&colours=4";
    test_page("a long game", address, Screen::DESKTOP, |browser| {
        let case = case_of_address(address)?;
        let plan = play_quickstart(&case);
        assert_eq!(plan.placements.len(), 10_000);
        let shows = |turn: usize| -> Result<()> {
            let mut game = Referee::new(&case);
            for &placement in &plan.placements[..turn] {
                game.play(placement).ok().context("it fits")?;
            }
            assert_eq!(browser.slider_position()?, turn as u64);
            assert_eq!(browser.field("#watch-board")?, field_text(game.field()));
            assert_eq!(browser.shown_points("watch")?, game.outcome().points);
            Ok(())
        };
        // The benchmark `speed` reads the time of this performance mark.
        let mark = "performance.getEntriesByName('first picture').length";
        assert_eq!(browser.evaluate(mark)?, 1);
        browser.press_keys(&[Key::Right.value(); 40])?;
        shows(40)?;
        browser.press_keys(&[Key::Left.value(); 15])?;
        shows(25)?;
        for turn in [7919, 9999, 3] {
            browser.seek(turn)?;
            shows(turn)?;
        }
        browser.press_keys(&[Key::End.value()])?;
        shows(10_000)
    });
}

#[test]
fn the_layout_is_stable_during_a_game() {
    let address = "watch?seed=4&profile=growing&width=8&columns=300&colours=4&at=60.0";
    for screen in [Screen::DESKTOP, Screen::PHONE] {
        test_page("the layout", address, screen, |browser| {
            let places = "JSON.stringify([...document.querySelectorAll(
                '#view-watch .boardbox, #view-watch .transport, #watch-hud canvas')]
                .map((e) => { const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; }))";
            let before = browser.evaluate(places)?;
            for _ in 0..40 {
                browser.press_keys(&[Key::Down.value()])?;
                assert_eq!(browser.evaluate(places)?, before);
            }
            Ok(())
        });
    }
}
