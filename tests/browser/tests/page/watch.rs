//! Watch: the field, the timeline, chains, the bot, links and pictures.

use super::actions::{PageActions, case_of_address, field_after, field_text, turn_points};
use super::layout::check_in_sight;
use anyhow::{Context, Result, ensure};
use columns_browser::{Browser, Screen, build_page, test_page, test_page_on};
use columns_core::rules::plan::Plan;
use columns_core::rules::quickstart::play_quickstart;
use columns_core::rules::replay;

/// The address of a game with several chains.
const CHAINS: &str = "watch?seed=4&profile=growing&width=8&columns=300&colours=4";

#[test]
fn the_first_picture_is_a_chain_of_the_bot() {
    test_page("", |browser| {
        // The chart shows the chain on the board, then the next chain, then the list of the best chains.
        let chain = "21 steps, 18,377 points, from 88 jewels to 12.";
        browser.wait_for_text("#watch-chain .hint", chain)?;
        let board = browser.pixel_hash("#watch-board")?;
        browser.keys("m")?;
        assert_ne!(browser.pixel_hash("#watch-board")?, board);
        browser.click("#marks")?;
        assert_eq!(browser.pixel_hash("#watch-board")?, board);
        let chart = browser.pixel_hash("#watch-chain")?;
        browser.keys("n")?;
        assert_ne!(browser.pixel_hash("#watch-chain")?, chart);
        browser.click_button("#watch-chain", "The best")?;
        browser.wait_for_text("#watch-chain .hint", "76,046 points in 13 chains")?;
        // A picture and a video name the player and the case.
        browser.run_js(
            "window.texts = []; const { fillText } = CanvasRenderingContext2D.prototype;
             CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
               window.texts.push(text); fillText.call(this, text, ...rest); }",
        )?;
        browser.click(".share summary")?;
        for (button, end) in [("Picture", ".png"), ("Video of this chain", ".webm")] {
            browser.run_js("window.texts = []")?;
            browser.click_button(".share", button)?;
            if end == ".webm" {
                // The user may open another game during the recording.
                browser.click_button("#games", "Quickstart")?;
            }
            let (file, bytes) = browser.take_download_bytes()?;
            ensure!(file.ends_with(end) && bytes.len() > 5_000, "{file}");
            let texts = browser.evaluate("window.texts.join('|')")?.to_string();
            for text in ["Bot · 76,046 points", "Seed 13 · constant · column "] {
                ensure!(texts.contains(text), "{texts}");
            }
        }
        // The user can play the game back, and compare it with quickstart's game.
        browser.keys("Space")?;
        browser.wait_until("document.querySelector('#watch-transport [aria-label=Pause]')")?;
        // Another game replaces it during the playback.
        browser.click_button("#games", "Bot")?;
        browser.wait_for_exact_text("#watch-hud .who", "Bot")?;
        assert_eq!(browser.message()?, "");
        browser.click("#tab-compare")?;
        browser.wait_for_text("#compare-name-a", "A · Bot")?;
        browser.wait_for_text("#compare-name-b", "B · Quickstart")
    });
}

#[test]
fn the_first_screen_introduces_the_page() {
    test_page_on(Screen::PHONE, "", |browser| {
        check_in_sight(browser, &["#intro p", "#intro [data-open]", "#intro-bot"])?;
        browser.click("#intro [data-open]")?;
        browser.wait_until("document.getElementById('folder').checkVisibility()")?;
        browser.click("#open-box .acts .close")?;
        // After the user stops the bot, the page says so, and the bot can play again.
        browser.set_details_open("#open-bot", true)?;
        browser.click("#bot-play")?;
        browser.click("#bot-cancel")?;
        browser.wait_for_exact_text("#bot-text", "Stopped.")?;
        browser.select_option("#bot-time", "1 second")?;
        browser.run_js("scrollTo(0, 0)")?;
        browser.click("#intro-bot")?;
        browser.wait_for_text("#games", "Bot, 1 s")?;
        browser.wait_until("document.getElementById('intro').hidden")
    });
}

#[test]
fn the_bot_plays_and_its_plan_is_valid() {
    let address = "watch?seed=3&width=7&height=14&colours=5&columns=150";
    test_page(address, |browser| {
        browser.set_details_open("#open-bot", true)?;
        browser.select_option("#bot-time", "1 second")?;
        browser.click("#bot-play")?;
        browser.wait_until("!document.getElementById('bot-progress').hidden")?;
        browser.wait_for_text("#bot-text", "states")?;
        browser.keys("End")?;
        let points = browser.shown_points("watch")?;
        let text = browser.text_without_commas("#bot-text")?;
        ensure!(text.starts_with(&format!("{points} points")), "{text}");
        browser.click_button("#watch-info", "Download plan")?;
        let (name, plan) = browser.take_download()?;
        ensure!(name.ends_with(".out.txt"), "{name}");
        let case = case_of_address(address)?;
        let plan = Plan::parse(&plan, case.width(), case.columns().len())?;
        assert_eq!(replay::score(&case, &plan).points, points);
        let rival = replay::score(&case, &play_quickstart(&case)).points;
        ensure!(points > 2 * rival, "{points} against {rival}");
        Ok(())
    });
}

/// Returns the column that the timeline's tip names at a position from 0 to 1, and the text of the tip.
fn tip_at(browser: &Browser, place: f64) -> Result<(usize, String)> {
    browser.run_js(&format!(
        "const box = document.querySelector('.line-of-time'), {{ left, width, top }} =
           box.getBoundingClientRect();
         box.dispatchEvent(new PointerEvent('pointermove', {{ clientX: left + width * {place},
             clientY: top + 9 }}))"
    ))?;
    let text = browser.text_without_commas("#watch-transport .tip")?;
    let column = text.split([' ', ':']).nth(1).context("a column")?;
    Ok((column.parse()?, text))
}

#[test]
fn any_column_of_a_long_game_can_be_shown() {
    let address = "watch?seed=5&profile=constant&width=12&height=19&columns=10000&colours=4";
    test_page(address, |browser| {
        let case = case_of_address(address)?;
        let plan = play_quickstart(&case);
        let turns = replay::replay(&case, &plan);
        let shows = |turn: usize| -> Result<()> {
            let field = field_text(&field_after(&case, &plan, turn));
            assert_eq!(browser.slider_position()?, turn as u64);
            assert_eq!(browser.field("#watch-board")?, field);
            assert_eq!(browser.shown_points("watch")?, turns[turn - 1].total_points);
            Ok(())
        };
        browser.keys("Right*40")?;
        shows(40)?;
        browser.keys("Left*15")?;
        shows(25)?;
        for turn in [7919, 3] {
            browser.seek(turn)?;
            shows(turn)?;
        }
        browser.keys("End")?;
        shows(10_000)?;
        // If several columns are under the pointer, the tip names the one with the most points.
        let (column, text) = tip_at(browser, 1.0 / 3.0)?;
        let around = turns[column - 8..column + 8].iter().map(turn_points).max();
        let most = around.context("columns")?;
        ensure!(text.contains(&format!("+{most}")), "{text} {most}");
        // After three clicks on the zoom, the middle 80 % of the timeline shows fewer than 200 columns.
        browser.run_js(
            "const box = document.querySelector('#watch-transport .jump input');
             box.value = '2,500'; box.dispatchEvent(new Event('change'));
             const zoom = document.querySelector('#watch-transport .zoom'); zoom.click();
             zoom.click(); zoom.click()",
        )?;
        assert_eq!(browser.slider_position()?, 2499);
        let (from, to) = (tip_at(browser, 0.1)?.0, tip_at(browser, 0.9)?.0);
        assert!(from < 2500 && 2500 < to && to - from < 200, "{from} {to}");
        Ok(())
    });
}

#[test]
fn watch_goes_from_chain_to_chain() {
    test_page(CHAINS, |browser| {
        let case = case_of_address(CHAINS)?;
        let turns = replay::replay(&case, &play_quickstart(&case));
        let points: Vec<u64> = turns.iter().map(turn_points).collect();
        let magic = |turn: &replay::Turn| turn.steps.iter().any(|step| step.matches.is_empty());
        let chains = (0_u64..).zip(&turns);
        let chains = chains.filter(|(_, turn)| turn.chain_length() > 1 || magic(turn));
        let chains: Vec<u64> = chains.map(|(index, _)| index).collect();
        assert!(chains.len() > 3, "{chains:?}");
        for &chain in &chains[..3] {
            browser.keys("n")?;
            assert_eq!(browser.slider_position()?, chain);
        }
        browser.keys("p")?;
        assert_eq!(browser.slider_position()?, chains[1]);
        browser.click("[aria-label='Next chain']")?;
        assert_eq!(browser.slider_position()?, chains[2]);
        browser.keys("b")?;
        let best = browser.slider_position()? as usize;
        assert_eq!(Some(&points[best]), points.iter().max());
        // Keys also work on a Cyrillic layout.
        browser.keys("Home")?;
        browser.run_js(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'т', code: 'KeyN',
                 bubbles: true }))",
        )?;
        assert_eq!(browser.slider_position()?, chains[0]);
        // For a column that clears nothing, the page lists the ten best chains.
        browser.keys("Home")?;
        assert_eq!(turns[0].steps.len(), 0);
        let mut sorted = points.clone();
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        browser.click(".best-chains li:nth-child(2) button")?;
        assert_eq!(points[browser.slider_position()? as usize], sorted[1]);
        Ok(())
    });
}

/// Returns the visible state: the field, the text beside it, and the index of the column.
fn snapshot(browser: &Browser) -> Result<(String, String, u64)> {
    let texts = browser.text("#watch-info")?;
    Ok((
        browser.field("#watch-board")?,
        texts,
        browser.slider_position()?,
    ))
}

#[test]
fn a_link_restores_the_moment() {
    test_page(CHAINS, |browser| {
        // Go into the middle of a chain.
        let case = case_of_address(CHAINS)?;
        let turns = replay::replay(&case, &play_quickstart(&case));
        let turn = turns
            .iter()
            .position(|turn| turn.steps.len() >= 2)
            .context("a chain")?;
        browser.seek(turn)?;
        browser.keys("Down*5")?;
        let before = snapshot(browser)?;
        let chain = format!("Step 2 of {}", turns[turn].chain_length());
        ensure!(before.1.contains(&chain), "{}", before.1);
        let hash = browser.reopen_link(&format!("at={turn}.5"))?;
        ensure!(hash.contains("seed=4"), "{hash}");
        assert_eq!(snapshot(browser)?, before);
        // If the engine fails, the page reloads, shows the same moment of the game, and continues to work.
        browser.run_js(
            "const { decode } = TextDecoder.prototype;
             TextDecoder.prototype.decode = function () {
               TextDecoder.prototype.decode = decode;
               throw new WebAssembly.RuntimeError('unreachable'); };
             document.documentElement.dataset.ready = 'not yet'",
        )?;
        browser.keys("Right")?;
        browser.wait_until("document.documentElement?.dataset.ready === 'yes'")?;
        browser.wait_for_text("#message", "The page was reloaded: the engine failed")?;
        assert_eq!(snapshot(browser)?, before);
        browser.keys("Right")?;
        browser.wait_for_frames()?;
        assert_ne!(snapshot(browser)?, before);
        // The link to a case from a file contains the case.
        browser.open_files(&[("own.txt", "6 13\n3\nabc\n***\nbca\n")])?;
        browser.wait_until("location.hash.includes('case=6x13.abc-bca')")?;
        browser.keys("Right Down")?;
        let before = browser.field("#watch-board")?;
        browser.reopen_link("at=1.1")?;
        assert_eq!(browser.field("#watch-board")?, before);
        Ok(())
    });
}

/// Checks that the page still shows the sample's game, and that no input was executed as code.
pub(crate) fn check_still_works(browser: &Browser) -> Result<()> {
    browser.keys("Home End")?;
    assert_eq!(browser.shown_points("watch")?, 141);
    let injected = "document.querySelectorAll('img, iframe, b.evil').length + (window.evil ?? 0)";
    assert_eq!(browser.evaluate(injected)?, 0);
    Ok(())
}

#[test]
fn hostile_addresses_get_a_message() {
    test_page(
        "watch?seed=3&width=7&height=14&colours=4&columns=80&at=20.0",
        |browser| {
            let hash = browser.reopen_link("sum=")?;
            assert_eq!(browser.message()?, "");
            // A truncated link is rejected.
            let cut = hash.split("&at=").next().context("an address")?;
            browser.load(build_page()?, &cut[..cut.len() - 5])?;
            let message = "Cannot open the link: it is incomplete or was changed";
            browser.wait_for_text("#message", message)?;
            // Save a game, which the page shows when it rejects one of the addresses below.
            browser.run_js("sessionStorage.clear()")?;
            browser.load(build_page()?, "watch?seed=1")?;
            browser.reload_after_saving(1)?;
            for hash in [
                "watch?case=%3Cimg%20src=x%20onerror=window.evil=1%3E",
                "watch?case=6x13.abc&plan=%00%ff",
                "watch?seed=1&profile=__proto__",
                "%%%",
                "constructor",
            ] {
                browser.load(build_page()?, hash)?;
                let message = browser.message()?;
                let is_rejected = message.starts_with("Cannot open the link: ");
                assert_eq!(is_rejected, hash.contains('?'), "{hash}: {message}");
                check_still_works(browser)?;
            }
            // Moments out of range are clamped.
            browser.load(build_page()?, "watch?seed=1&at=999999999.3")?;
            assert_eq!(browser.shown_points("watch")?, 141);
            browser.load(build_page()?, "watch?seed=1&plan=none&at=-5.1e99")?;
            assert_eq!(browser.message()?, "");
            // A working link clears the message about a broken one.
            browser.run_js("location.hash = 'watch?seed=x'")?;
            browser.wait_until("!document.getElementById('message').hidden")?;
            browser.run_js("location.hash = 'watch?seed=6'")?;
            browser.wait_until("document.getElementById('message').hidden")
        },
    );
}
