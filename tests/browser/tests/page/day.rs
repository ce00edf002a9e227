//! A contest day: opens, filters, compares and reviews the results of several bots.

use super::actions::{PageActions, write_files};
use super::bench::{
    quickstart_game, read_points, read_standing, replace_folder_dialog, write_run_folders,
};
use anyhow::{Context, Result};
use columns_browser::{Screen, build_page, test_page};
use columns_core::rules::plan::Plan;
use columns_core::text::group_digits;
use serde_json::{Value, json};
use std::fs;
use thirtyfour::Key;

/// Returns the ledger of a run with the given (seed, score) pairs.
pub(crate) fn ledger_text(rows: &[(u64, u64)]) -> Result<String> {
    let row = |&(seed, score): &(u64, u64)| -> Result<Value> {
        let (case, ..) = quickstart_game(seed)?;
        let digest = columns_cases::digest::case_digest(&case);
        Ok(json!({
            "name": format!("{seed:04}"), "seed": seed, "case_digest": digest, "score": score,
            "width": case.width(), "height": case.height(), "columns": 60, "magic_columns": 0, "colours": 4,
            "palette": "fixed", "status": "ok", "placed_columns": 60, "wall_s": 1.5,
            "numbers": { "depth": 7 },
        }))
    };
    let rows = rows.iter().map(row).collect::<Result<Vec<_>>>()?;
    let head = json!({
        "ledger": "judge run", "format": 2, "bot": "bot", "bot_version": "bot 0.3.0", "commit": "1a2b3c4d5",
        "cases": { "generated": { "seeds": ["2..=4"], "spec": { "profile": "default", "columns": 60 } } },
        "time_limit_s": 4.0, "start_time": "2026-11-28T02:51:07Z",
    });
    let lines = [head]
        .into_iter()
        .chain(rows)
        .map(|line| format!("{line}\n"));
    Ok(lines.collect())
}

#[test]
fn games_played_on_the_page_do_not_change_the_results() {
    test_page("only opened cases count", "", Screen::DESKTOP, |browser| {
        let root = tempfile::tempdir()?;
        write_run_folders(root.path(), &[60; 3])?;
        browser.choose_files("#folder", &[root.path()])?;
        browser.wait_for_scores(3, 3)?;
        let before = read_standing(browser, "out-b")?;
        // Watch the bot play, watch another seed, and play a column by hand.
        browser.click("#tab-watch")?;
        browser.select_option("#bot-time", "1 second")?;
        browser.set_details_open("#open-bot", true)?;
        browser.click("#bot-play")?;
        browser.wait_for_text("#bot-text", "states")?;
        browser.wait_for_text("#games", "Bot, 1 s")?;
        browser.set_details_open("#open-seed", true)?;
        browser.click("#seed-more")?;
        browser.click("#tab-play")?;
        browser.press_keys(&[Key::Down.value()])?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(3, 3)?;
        assert_eq!(read_standing(browser, "out-b")?, before);
        assert_eq!(
            browser.evaluate("document.querySelectorAll('#ranking tr').length")?,
            3
        );
        // The user can remove plans that were made on the page, and undo the removal.
        browser.open_game("0002.txt", "out-a")?;
        browser.click_button("#games", "×")?;
        browser.wait_until("!document.getElementById('games').textContent.includes('Bot, 1 s')")?;
        browser.click("#message .undo")?;
        browser.wait_for_text("#games", "Bot, 1 s")?;
        // A reload keeps the cases.
        browser.click("#tab-results")?;
        browser.wait_for_scores(3, 3)?;
        let waiting = browser.evaluate("document.getElementById('waiting').textContent")?;
        assert!(
            waiting.as_str().unwrap_or_default().starts_with("0 "),
            "{waiting}"
        );
        browser.reload_after_saving(3)?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(3, 3)?;
        assert_eq!(browser.message()?, "");
        Ok(())
    });
}

#[test]
fn a_run_of_the_store_is_one_player() {
    test_page("one player", "", Screen::DESKTOP, |browser| {
        let root = tempfile::tempdir()?;
        let (_, plan, score) = quickstart_game(2)?;
        let run = |file: &str| format!("runs/0003/{file}");
        let text = ledger_text(&[(2, score + 1), (3, 600)])?;
        let files = [
            (run("run.jsonl"), text.clone()),
            (run("out/0002.txt"), plan.to_string()),
        ];
        write_files(root.path(), &files)?;
        browser.choose_files("#folder", &[&root.path().join("runs")])?;
        browser.wait_for_scores(2, 2)?;
        // The page generates the cases and scores the plans. A game without a plan keeps its reported points.
        assert_eq!(read_points(browser, "0003")?, [score, 600]);
        let cell = "document.querySelector('#table-body [data-label=\"0003\"]')";
        let expected = format!("The run reports {} points", group_digits(score + 1));
        browser.wait_until(&format!(
            "{cell}.title.includes({expected:?}) && {cell}.textContent.includes('≠')"
        ))?;
        // The standings show the data of the run, and the table shows the bot's own numbers.
        browser.wait_for_text(
            "#ranking [data-player='0003'] .hint",
            "bot 0.3.0 · 1a2b3c4d5 · 2026-11-28 02:51 · 4 s",
        )?;
        browser.wait_for_text("#ranking .run", "1.50 s a game, at most 1.50 s")?;
        browser.select_option("#table-number", "depth")?;
        browser.wait_for_text("#table-body .number", "7")?;
        browser.open_game("0002", "0003")?;
        browser.wait_until("location.hash.includes('plan=')")?;
        browser.wait_for_text(
            "#watch-hud",
            &format!("The run reports {}", group_digits(score + 1)),
        )?;
        browser.open_game("0003", "0003")?;
        browser.wait_for_text("#message", "Only the points of 0003 are known")?;
        // A copy of the run is not a new run. A reload keeps the run.
        write_files(root.path(), &[("copy/run.jsonl", text)])?;
        browser.choose_files("#folder", &[&root.path().join("copy")])?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(2, 2)?;
        browser.reload_after_saving(2)?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(2, 2)?;
        browser.wait_for_text("#ranking [data-player='0003'] .hint", "bot 0.3.0")?;
        // Two players never share a name.
        browser.run_js(
            "const name = document.querySelector('#ranking [aria-label=\"Name of 0003\"]');
             name.value = 'Quickstart'; name.dispatchEvent(new Event('change'))",
        )?;
        browser.wait_for_text("#table-head", "Quickstart (2)")?;
        // Closing the run closes its cases.
        browser.click("#ranking [aria-label='Close Quickstart (2)']")?;
        browser.wait_for_text("#results-empty", "No results yet")
    });
}

#[test]
fn a_truncated_link_is_rejected() {
    let address = "watch?seed=3&width=7&height=14&colours=4&columns=80&at=20.0";
    test_page("truncated links", address, Screen::DESKTOP, |browser| {
        let hash = browser.reopen_link("sum=")?;
        assert_eq!(browser.message()?, "");
        let cut = hash.split("&at=").next().context("an address")?;
        let cut = &cut[..cut.len() - 5];
        browser.load(build_page()?, cut)?;
        browser.wait_for_text(
            "#message",
            "Cannot open the link: it is incomplete or was changed",
        )
    });
}

#[test]
fn reload_history_and_forms_keep_the_users_place() {
    test_page(
        "reload, history and forms",
        "",
        Screen::DESKTOP,
        |browser| {
            let root = tempfile::tempdir()?;
            write_run_folders(root.path(), &[60; 30])?;
            browser.choose_files("#folder", &[root.path()])?;
            // A reload right after the files are opened loses no game.
            browser.wait_until("document.querySelectorAll('#table-body tr').length === 30")?;
            browser.reload()?;
            browser.click("#tab-results")?;
            browser.wait_for_scores(30, 3)?;
            assert_eq!(browser.message()?, "");
            // The back button restores the scroll position and marks the row.
            browser.run_js("scrollTo(0, 900)")?;
            let at = browser.evaluate("scrollY")?;
            browser.run_js(
                "document.querySelectorAll('#table-body tr')[20].firstElementChild.click()",
            )?;
            browser.wait_for_view("watch")?;
            browser.run_js("history.back()")?;
            browser.wait_for_view("results")?;
            assert_eq!(browser.evaluate("scrollY")?, at);
            assert_eq!(
                browser.evaluate("document.querySelectorAll('[data-last]').length")?,
                1
            );
            // The row has the keyboard focus, and Escape also leads back to it.
            let row = "document.activeElement.parentElement.hasAttribute('data-last')";
            assert_eq!(browser.evaluate(row)?, true);
            browser.press_keys(&[Key::Enter.value()])?;
            browser.wait_for_view("watch")?;
            browser.press_keys(&[Key::Escape.value()])?;
            browser.wait_for_view("results")?;
            assert_eq!(browser.evaluate(row)?, true);
            // The user can hide all players, and show them again.
            for player in ["out-a", "out-b", "Quickstart"] {
                browser.run_js(&format!(
                    "document.querySelector('#ranking [aria-label=\"Show {player}\"]').click()"
                ))?;
                browser.wait_for_frames()?;
            }
            browser.wait_for_text("#table-text", "30 cases, 0 players.")?;
            assert_eq!(browser.case_names()?.len(), 30);
            browser
                .run_js("document.querySelector('#ranking [aria-label=\"Show out-a\"]').click()")?;
            browser.wait_for_text("#table-text", "30 cases, 1 player.")?;
            // A new seed adds a history entry.
            browser.click("#tab-watch")?;
            let name = browser.text("#game-name")?;
            browser.set_details_open("#open-seed", true)?;
            browser.click("#seed-more")?;
            browser.wait_until(&format!(
                "document.getElementById('game-name').textContent !== {name:?}"
            ))?;
            browser.run_js("history.back()")?;
            browser.wait_for_exact_text("#game-name", &name)?;
            // The message about an empty input appears next to the input.
            browser.click("#tab-play")?;
            browser.run_js("document.querySelector('#play-form [name=height]').value = ''")?;
            browser.click("#play-form .main")?;
            browser.wait_for_exact_text(
                "#play-form .pair + .wrong",
                "The height is empty: enter a number.",
            )
        },
    );
}

#[test]
fn words_filter_the_results() {
    test_page("filters", "", Screen::DESKTOP, |browser| {
        let root = tempfile::tempdir()?;
        let expected = write_run_folders(root.path(), &[60; 12])?;
        browser.choose_files("#folder", &[root.path()])?;
        browser.wait_for_scores(12, 3)?;
        let (case, ..) = quickstart_game(4)?;
        let size = format!("{}x{}", case.width(), case.height());
        browser.set_filter(&size)?;
        assert!(browser.case_names()?.contains(&"0004.txt".to_string()));
        browser.wait_until(&format!("location.hash.includes('filter={size}')"))?;
        let worse = expected.iter().filter(|row| row.2 < row.1).count();
        for word in ["out-b<out-a", "B < A", "ratio < 1 short"] {
            browser.set_filter(word)?;
            assert_eq!(browser.case_names()?.len(), worse, "{word}");
        }
        browser.set_filter(&format!("-{size} -failed"))?;
        assert!(browser.case_names()?.len() < 12);
        assert!(!browser.case_names()?.contains(&"0004.txt".to_string()));
        // An unfinished condition does not filter yet.
        browser.set_filter("columns >")?;
        assert_eq!(browser.case_names()?.len(), 12);
        // An unknown word changes nothing, and the page suggests a similar known word if there is one.
        for (word, text) in [
            ("mine < 5", "“mine” is unknown."),
            ("growin", "“growin” is unknown. Did you mean “growing”?"),
            ("constructor < 5", "“constructor” is unknown."),
        ] {
            browser.set_filter(word)?;
            browser.wait_for_text("#table-text", text)?;
            assert_eq!(browser.case_names()?.len(), 12, "{word}");
        }
        // The largest losses come first; the address restores this order.
        browser.set_filter("")?;
        browser.select_option("#table-sort", "Loss of B")?;
        let log = |row: &(String, u64, u64)| (row.1.max(1) as f64 / row.2.max(1) as f64).ln();
        let most = expected
            .iter()
            .max_by(|a, b| log(a).total_cmp(&log(b)))
            .context("cases")?;
        assert_eq!(browser.case_names()?[0], most.0);
        browser.wait_until("location.hash.includes('sort=-loss')")?;
        let order = browser.case_names()?;
        browser.reload_after_saving(12)?;
        browser.wait_for_scores(12, 3)?;
        assert_eq!(browser.case_names()?, order);
        // The CSV file has exactly the visible rows.
        browser.click("#export-csv")?;
        let (name, csv) = browser.take_download()?;
        assert_eq!((name.as_str(), csv.lines().count()), ("results.csv", 13));
        assert!(
            csv.starts_with("name,seed,width,height,columns,colours,palette,out-a points,"),
            "{csv}"
        );
        Ok(())
    });
}

#[test]
fn two_players_are_compared_in_depth() {
    test_page("two players", "", Screen::DESKTOP, |browser| {
        let root = tempfile::tempdir()?;
        let expected = write_run_folders(root.path(), &[60; 8])?;
        browser.choose_files("#folder", &[root.path()])?;
        browser.wait_for_scores(8, 3)?;
        let count = |holds: fn(&(String, u64, u64)) -> bool| {
            expected.iter().filter(|row| holds(row)).count()
        };
        let (better, equal, worse) = (
            count(|r| r.2 > r.1),
            count(|r| r.2 == r.1),
            count(|r| r.2 < r.1),
        );
        let text = format!("B is better on {better}, equal on {equal}, worse on {worse}.");
        browser.wait_for_exact_text("#pair-text", &text)?;
        // The page shows the relative change in the sum, as `judge compare` does.
        let sum = |of: fn(&(String, u64, u64)) -> u64| expected.iter().map(of).sum::<u64>() as f64;
        let change = 100.0 * (sum(|r| r.2) / sum(|r| r.1) - 1.0);
        browser.set_details_open("#pair-classes", true)?;
        let text = browser.text("#pair-rows tr td:nth-of-type(4)")?;
        let change = columns_stats::format_change(change, 2).replace('-', "−");
        assert!(text.contains(&change), "{text} {change}");
        // A click on a loss goes to the column where A takes the lead for good.
        browser.click("#pair-worst li button")?;
        browser.wait_for_view("compare")?;
        browser.wait_for_text("#compare-turns", "A leads for good")?;
        let turn = browser.text("#compare-turns li")?;
        let column = turn.rsplit(' ').next().context("a column")?;
        browser.wait_for_text("#compare-text", &format!("Column {column}: "))
    });
}

#[test]
fn watch_goes_to_a_column_and_zooms() {
    let address = "watch?seed=5&profile=constant&width=12&height=19&columns=5000&colours=4";
    test_page("go to a column", address, Screen::DESKTOP, |browser| {
        browser.run_js(
            "const box = document.querySelector('#watch-transport .jump input');
             box.value = '2,500'; box.dispatchEvent(new Event('change'))",
        )?;
        assert_eq!(browser.slider_position()?, 2499);
        // After two clicks on the zoom, 80 % of the timeline spans fewer than 200 columns.
        let tip = |at: f64| -> Result<u64> {
            browser.run_js(&format!(
                "const box = document.querySelector('.line-of-time'), {{ left, width,
                top }} = box.getBoundingClientRect();
                 box.dispatchEvent(new PointerEvent('pointermove', {{ clientX: left + width * {at},
                     clientY: top + 9 }}))"
            ))?;
            let text = browser.text_without_commas("#watch-transport .tip")?;
            Ok(text.split([' ', ':']).nth(1).context("a column")?.parse()?)
        };
        browser.run_js(
            "const zoom = document.querySelector('#watch-transport .zoom'); zoom.click();
            zoom.click()",
        )?;
        let (from, to) = (tip(0.1)?, tip(0.9)?);
        assert!(from < 2500 && 2500 < to && to - from < 200, "{from} {to}");
        // The facts beside the board include the final score and quickstart's score.
        browser.wait_for_text("#watch-hud", "Quickstart")?;
        browser.wait_for_text("#watch-hud", "Final ")
    });
}

#[test]
fn a_changed_folder_is_reloaded_automatically() {
    test_page("a watched folder", "", Screen::DESKTOP, |browser| {
        let games = [quickstart_game(2)?, quickstart_game(3)?];
        let mut half = games[1].1.clone();
        half.placements.truncate(30);
        let files: Vec<(&str, String, String)> = vec![
            ("2.txt", games[0].0.to_string(), games[0].1.to_string()),
            ("3.txt", games[1].0.to_string(), half.to_string()),
        ];
        replace_folder_dialog(browser, &files)?;
        browser.run_js("document.getElementById('folder').click()")?;
        browser.wait_for_scores(2, 2)?;
        let text = games[1].1.to_string();
        browser.run_js(&format!("window.disk.out['3.txt'] = {text:?}"))?;
        let points = games[1].2;
        let text = "document.querySelector('#table-body tr:nth-child(2) [data-label=out]')
            .textContent.replaceAll(',', '')";
        browser.wait_until(&format!("{text}.startsWith('{points}')"))?;
        browser.wait_for_view("results")
    });
}

#[test]
fn a_folder_with_two_plans_for_a_case_keeps_its_players_when_it_is_opened_again() {
    test_page("opened again", "", Screen::DESKTOP, |browser| {
        let games = [(2, "2.txt"), (3, "3.txt")].map(|(seed, name)| {
            let (case, plan, _) = quickstart_game(seed)?;
            anyhow::Ok((name, case.to_string(), plan.to_string()))
        });
        replace_folder_dialog(browser, &games.into_iter().collect::<Result<Vec<_>>>()?)?;
        let open = "document.getElementById('folder').click()";
        browser.run_js(&format!(
            "window.disk.out['b-2.txt'] = '1\\n1 0\\n'; {open}"
        ))?;
        browser.wait_for_scores(2, 3)?;
        // Another case shows that the page has read the folder again.
        let case = quickstart_game(4)?.0.to_string();
        browser.run_js(&format!("window.disk.in['4.txt'] = {case:?}; {open}"))?;
        browser.wait_for_scores(3, 3)
    });
}

#[test]
fn a_page_without_workers_scores_plans_and_asks_the_bot() {
    let text = fs::read_to_string(build_page().unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let strict = folder.path().join("strict.html");
    fs::write(
        &strict,
        text.replace("worker-src blob:", "worker-src 'none'"),
    )
    .unwrap();
    test_page("no workers", "", Screen::DESKTOP, |browser| {
        browser.load(&strict, "watch?seed=1")?;
        let (case, plan, points) = quickstart_game(2)?;
        browser.open_files(&[
            ("2.txt", case.to_string()),
            ("out-2.txt", Plan::to_string(&plan)),
        ])?;
        browser.wait_for_exact_text("#game-name", "2.txt")?;
        let text = "document.getElementById('games').textContent.replaceAll(',', '')";
        browser.wait_until(&format!("{text}.includes('{points}')"))?;
        browser.click("#watch-ask h2 button")?;
        browser.wait_for_text("#watch-ask .say", "Bot: position")
    });
}
