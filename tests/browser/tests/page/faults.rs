//! Faults that users of the page have found. Each test covers a reported fault and a second one of its kind.

use super::actions::{PageActions, case_of_address, write_files};
use super::bench::{quickstart_game, read_points, read_standing};
use super::day::ledger_text;
use anyhow::{Context, Result};
use columns_browser::{Browser, Screen, build_page, test_page};
use columns_core::rules::quickstart::play_quickstart;
use columns_core::rules::replay::{self, replay};
use serde_json::{Value, json};
use std::path::Path;
use thirtyfour::Key;

/// Writes the cases of seeds 2 and 3 into `in`, and quickstart's plans into `out/NAME`. Returns the scores.
fn write_run(root: &Path, name: &str) -> Result<Vec<u64>> {
    let mut scores = Vec::new();
    for seed in [2, 3] {
        let (case, plan, points) = quickstart_game(seed)?;
        let file = |folder: &str| format!("{folder}/{seed:04}.txt");
        let files = [
            (file("in"), case.to_string()),
            (file(&format!("out/{name}")), plan.to_string()),
        ];
        write_files(root, &files)?;
        scores.push(points);
    }
    Ok(scores)
}

#[test]
fn only_plans_become_plans() {
    test_page("files that are no plans", "", Screen::DESKTOP, |browser| {
        let root = tempfile::tempdir()?;
        let run_folder = root.path().join("run");
        let scores = write_run(&run_folder, "bot200")?;
        let files: [(&str, &[u8]); 8] = [
            ("err/bot200/0002.txt", b"Segmentation fault\n"),
            ("err/0003.txt", b"1\n1 0\n"),
            ("out/bot200/.DS_Store", b"\0\0\0\x01Bud1"),
            ("out/bot200/report.json", b"{}"),
            ("out/bot200/0002.txt.part", b"1"),
            ("logs/0002.txt", b"played in 3 s\n"),
            ("logs/0003.txt", b"1234\n"),
            ("Cargo.toml", b"[package]\n"),
        ];
        write_files(&run_folder, &files)?;
        browser.choose_files("#folder", &[&run_folder])?;
        browser.wait_for_scores(2, 2)?;
        assert_eq!(read_points(browser, "bot200")?, scores);
        let message = browser.take_message()?;
        assert!(
            message.starts_with("Not opened: run/Cargo.toml, "),
            "{message}"
        );
        assert!(
            message.contains(" and 5 more (no cases, plans, runs or puzzles)"),
            "{message}"
        );
        browser.choose_files("#folder", &[&run_folder.join("err")])?;
        let message = browser.take_message()?;
        assert!(
            message.starts_with("Not opened: err/0003.txt, err/bot200/0002.txt (no cases"),
            "{message}"
        );
        // Opening a player's folder after the folder of its run adds no player, nor does the reverse order.
        browser.choose_files("#folder", &[&run_folder.join("out/bot200")])?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(2, 2)?;
        browser.choose_files("#folder", &[&run_folder])?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(2, 2)?;
        // Output that is not text is an invalid plan.
        write_files(&run_folder, &[("out/bot200/0002.txt", b"1\n1 \xff\xfe\n")])?;
        browser.choose_files("#folder", &[&run_folder])?;
        browser.wait_until(
            "document.querySelector('#table-body .failed')?.textContent.startsWith('Invalid')",
        )?;
        browser.take_message()?;
        browser.open_files(&[("0009.txt", b"6 13\n1\nab\xff\n")])?;
        let message = browser.take_message()?;
        let expected = "0009.txt: expected text, found bytes that are not UTF-8";
        assert_eq!(message, expected);
        Ok(())
    });
}

#[test]
fn a_tab_keeps_its_set() {
    test_page("many games", "", Screen::DESKTOP, |browser| {
        // More than 30 MB of files: session storage holds only 5 MB.
        let root = tempfile::tempdir()?;
        let text = |seed: u32| -> String {
            let mut state = seed;
            let mut next = |below: u32| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 16) % below
            };
            let lines = (0..9000).map(|_| format!("{} {}\n", next(6) + 1, next(3)));
            format!("9000\n{}", lines.collect::<String>())
        };
        let mut files = Vec::new();
        for seed in 1..=100 {
            let case = case_of_address(&format!("x?seed={seed}&width=6&columns=9000"))?;
            files.push((format!("in/{seed}.txt"), case.to_string()));
            for player in 0..10 {
                files.push((format!("p{player}/{seed}.txt"), text(100 * player + seed)));
            }
        }
        write_files(root.path(), &files)?;
        browser.choose_files("#folder", &[root.path()])?;
        browser.wait_for_scores(100, 11)?;
        let before = read_points(browser, "p7")?;
        // Ten players and Quickstart have eleven different pairs of colour and shape.
        let marks = browser.evaluate(
            "new Set([...document.querySelectorAll('#ranking .mark span')].map((one) =>
                one.style.color + one.textContent)).size",
        )?;
        assert_eq!(marks, 11);
        browser.reload_after_saving(100)?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(100, 11)?;
        assert_eq!(browser.message()?, "");
        assert_eq!(read_points(browser, "p7")?, before);
        // A copied tab has the same games. Closing games in the copy does not close those in the first tab.
        let tab = browser.run_js("return sessionStorage.getItem('columns-set')")?;
        browser.open_tab(
            build_page()?,
            &format!("sessionStorage.setItem('columns-set', {tab:?})"),
        )?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(100, 11)?;
        browser.click("#close-all")?;
        browser.wait_for_text("#results-empty", "No results yet")?;
        std::thread::sleep(std::time::Duration::from_secs(1));
        browser.close_tab()?;
        browser.reload()?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(100, 11)
    });
}

#[test]
fn a_second_set_keeps_the_first() {
    test_page("two sets", "", Screen::DESKTOP, |browser| {
        let root = tempfile::tempdir()?;
        write_run(&root.path().join("x"), "bot")?;
        browser.choose_files("#folder", &[&root.path().join("x")])?;
        browser.wait_for_scores(2, 2)?;
        browser.set_filter("bot >= 0")?;
        assert_eq!(browser.case_names()?.len(), 2);
        // Another folder has a player of the same name, and different cases with the same numbers.
        for (seed, plan) in [(2, "0\n"), (3, "1\n1 0\n")] {
            let case = case_of_address(&format!("x?seed={seed}&columns=20"))?;
            let file = |folder: &str| format!("y/{folder}/{seed:04}.txt");
            write_files(
                root.path(),
                &[
                    (file("in"), case.to_string()),
                    (file("out/bot"), plan.into()),
                ],
            )?;
        }
        browser.choose_files("#folder", &[&root.path().join("y")])?;
        browser.set_filter("")?;
        browser.wait_for_scores(4, 3)?;
        // Labels do not change, and every plan belongs to one case, namely the case in its own folder.
        let results = |label: &str| {
            browser.evaluate(&format!(
                "document.querySelectorAll('#table-body [data-label=\"{label}\"] .points').length"
            ))
        };
        assert_eq!([results("bot")?, results("out/bot")?], [2, 2]);
        assert!(read_standing(browser, "bot")?.contains("2 of 4 cases"));
        // Runs of the same name in two folders are two players.
        let other = ledger_text(&[(2, 8), (3, 9)])?.replace("02:51:07", "03:51:07");
        for (folder, text) in [("a", ledger_text(&[(2, 5), (3, 6)])?), ("b", other)] {
            write_files(root.path(), &[(format!("{folder}/run.jsonl"), text)])?;
            browser.choose_files("#files", &[&root.path().join(folder).join("run.jsonl")])?;
        }
        browser.click("#tab-results")?;
        browser.wait_for_scores(4, 5)?;
        // Two runs whose lines `judge run --json` printed into files of the same name are also two players.
        for (folder, points) in [("c", 10), ("d", 11)] {
            let text = ledger_text(&[(2, points), (3, points)])?;
            let rows = text.split_once('\n').context("a head")?.1;
            write_files(root.path(), &[(format!("{folder}/rows.jsonl"), rows)])?;
            browser.choose_files("#files", &[&root.path().join(folder).join("rows.jsonl")])?;
        }
        browser.click("#tab-results")?;
        browser.wait_for_scores(4, 7)
    });
}

#[test]
fn any_name_is_a_name() {
    test_page("odd names", "", Screen::DESKTOP, |browser| {
        let root = tempfile::tempdir()?;
        let names = ["constructor", "toString", "__proto__", "hasOwnProperty"];
        for name in names {
            write_run(root.path(), name)?;
        }
        let numbers = json!({ "constructor": 7, "__proto__": 8 });
        let text = ledger_text(&[(2, 5), (3, 6)])?.replace(r#"{"depth":7}"#, &numbers.to_string());
        write_files(root.path(), &[("valueOf.jsonl", text)])?;
        browser.choose_files("#folder", &[root.path()])?;
        browser.wait_for_scores(2, 6)?;
        for name in names {
            assert_eq!(read_points(browser, name)?.len(), 2, "{name}");
            browser.set_filter(&format!("{name} > 0"))?;
            assert!(!browser.case_names()?.is_empty(), "{name}");
        }
        for number in ["constructor", "__proto__"] {
            browser.set_filter("")?;
            browser.select_option("#table-number", number)?;
            browser.wait_for_text(
                "#table-body .number",
                if number == "constructor" { "7" } else { "8" },
            )?;
            browser.click("#panel-axis")?;
            browser.select_option("#chart-axis", number)?;
        }
        browser.click("#export-csv")?;
        let (_, csv) = browser.take_download()?;
        assert!(csv.contains("valueOf constructor"), "{csv}");
        browser.run_js(
            "const name = document.querySelector('#ranking [aria-label=\"Name of toString\"]');
            name.value = 'prototype'; name.dispatchEvent(new Event('change'))",
        )?;
        browser.sort_by_column("prototype")?;
        browser.reload_after_saving(2)?;
        browser.wait_for_scores(2, 6)?;
        assert_eq!(browser.message()?, "");
        Ok(())
    });
}

/// Returns a ledger of games with these statuses. A game has the points of quickstart's plan if it is `ok`,
/// otherwise 0 points and a reason.
pub(crate) fn ledger_with_statuses(rows: &[(u64, &str)]) -> Result<String> {
    let mut text = ledger_text(&[])?;
    for &(seed, status) in rows {
        let (.., points) = quickstart_game(seed)?;
        let line = ledger_text(&[(seed, points)])?;
        let mut row: Value = serde_json::from_str(line.lines().nth(1).context("a row")?)?;
        row["status"] = json!(status);
        if status != "ok" {
            row["score"] = json!(0);
            row["reason"] = json!(format!("the reason of {status}"));
        }
        text.push_str(&row.to_string());
        text.push('\n');
    }
    Ok(text)
}

#[test]
fn failed_games_are_counted_by_kind_and_in_no_mean() {
    test_page("failed games", "", Screen::DESKTOP, |browser| {
        let root = tempfile::tempdir()?;
        let all = [
            (2, "ok"),
            (3, "crashed"),
            (4, "tle"),
            (5, "mle"),
            (6, "invalid"),
            (7, "tle"),
            (8, "ok"),
        ];
        let mut files = vec![
            (
                "runs/0001/run.jsonl".to_string(),
                ledger_with_statuses(&(2..9).map(|seed| (seed, "ok")).collect::<Vec<_>>())?,
            ),
            (
                "runs/0002/run.jsonl".to_string(),
                ledger_with_statuses(&all)?.replace("02:51", "03:51"),
            ),
        ];
        for run in ["0001", "0002"] {
            for seed in 2..9 {
                let (_, plan, _) = quickstart_game(seed)?;
                let is_invalid = run == "0002" && seed == 6;
                let plan = if is_invalid {
                    "oh\n".into()
                } else {
                    plan.to_string()
                };
                files.push((format!("runs/{run}/out/{seed:04}.txt"), plan));
            }
        }
        write_files(root.path(), &files)?;
        browser.choose_files("#folder", &[&root.path().join("runs")])?;
        browser.wait_for_scores(7, 3)?;
        let text = read_standing(browser, "0002")?;
        assert!(
            text.contains("2 TLE · 1 MLE · 1 crashed · 1 invalid"),
            "{text}"
        );
        assert!(
            text.contains("+0.00 %") && text.contains("0 · 2 · "),
            "{text}"
        );
        for (word, count) in [
            ("tle", 2),
            ("crashed", 1),
            ("invalid", 1),
            ("failed", 5),
            ("-failed", 2),
        ] {
            browser.set_filter(word)?;
            assert_eq!(browser.case_names()?.len(), count, "{word}");
        }
        browser.set_filter("")?;
        browser.wait_for_text("#pair-text", "Failed games: A 0, B 5 of 7.")?;
        // Watch shows the crash, not an error in the plan.
        browser.open_game("0003", "0002")?;
        browser.wait_for_text("#watch-hud", "Crashed, 0 points")?;
        assert!(!browser.text("#view-watch")?.contains("Plan error"));
        browser.open_game("0004", "0002")?;
        browser.wait_for_text("#watch-hud", "TLE, 0 points")?;
        assert!(!browser.text("#view-watch")?.contains("Plan error"));
        browser.open_game("0006", "0002")?;
        browser.wait_for_text("#watch-info .say", "Plan error, line 1: ")
    });
}

#[test]
fn a_plan_beside_a_run_is_scored() {
    test_page("a plan and its run", "", Screen::DESKTOP, |browser| {
        let root = tempfile::tempdir()?;
        let (_, mut plan, _) = quickstart_game(2)?;
        plan.placements.truncate(20);
        let points = replay::score(&quickstart_game(2)?.0, &plan).points;
        let files = [
            ("runs/0001/run.jsonl", ledger_text(&[(2, 1504), (3, 6)])?),
            ("runs/0001/out/0002.txt", plan.to_string()),
        ];
        write_files(root.path(), &files)?;
        browser.choose_files("#folder", &[&root.path().join("runs")])?;
        browser.wait_for_scores(2, 2)?;
        assert_eq!(read_points(browser, "0001")?, [points, 6]);
        let title = browser
            .evaluate("document.querySelector('#table-body [data-label=\"0001\"]').title")?;
        let expected = format!("The run reports 1,504 points, this plan scores {points}.");
        assert!(
            title
                .as_str()
                .unwrap_or_default()
                .replace(',', "")
                .contains(&expected.replace(',', "")),
            "{title}"
        );
        // A plan that ends early is marked even if it belongs to a run.
        browser.set_filter("short")?;
        assert_eq!(browser.case_names()?, ["0002"]);
        browser.open_game("0002", "0001")?;
        browser.wait_for_text("#watch-hud", "Plan ends at 20")?;
        // A game that ends early is marked, too.
        let tower = format!("60\n{}", "1 0\n".repeat(60));
        write_files(root.path(), &[("runs/0001/out/0003.txt", &tower)])?;
        browser.choose_files("#folder", &[&root.path().join("runs")])?;
        browser.click("#tab-results")?;
        browser.set_filter("early -short")?;
        browser.wait_until("document.querySelectorAll('#table-body tr').length === 1")?;
        assert_eq!(browser.case_names()?, ["0003"]);
        browser.open_game("0003", "0001")?;
        browser.wait_for_text("#watch-hud", "Ended early at ")
    });
}

#[test]
fn points_so_far_are_not_the_whole_chain() {
    let address = "watch?seed=4&profile=growing&width=8&columns=300&colours=4";
    test_page("points so far", address, Screen::DESKTOP, |browser| {
        let case = case_of_address(address)?;
        let turns = replay(&case, &play_quickstart(&case));
        let turn = turns
            .iter()
            .position(|turn| turn.chain_length() > 2)
            .context("a chain")?;
        let steps: Vec<u64> = turns[turn].steps.iter().map(|step| step.points).collect();
        let all: u64 = steps.iter().sum();
        browser.seek(turn)?;
        browser.press_keys(&[Key::Down.value(); 2])?;
        let fact = |number: usize, points: u64| {
            format!("{points} of {all} · step {number} of {}", steps.len())
        };
        assert!(
            browser
                .text_without_commas("#watch-info dl")?
                .contains(&fact(1, steps[0]))
        );
        browser.press_keys(&[Key::Down.value(); 3])?;
        assert!(
            browser
                .text_without_commas("#watch-info dl")?
                .contains(&fact(2, steps[0] + steps[1]))
        );
        // At the end of the chain, the points so far are those of the whole chain.
        browser.press_keys(&[Key::Right.value(), Key::Up.value()])?;
        let end = browser.text_without_commas("#watch-info dl")?;
        assert!(end.contains(&fact(steps.len(), all)), "{end}");
        Ok(())
    });
}

/// Draws every chart. Returns each text that the charts draw, followed by two flags: true if the text is
/// centred and cut off by an edge of the canvas, and true if it is aligned to the right and cut off.
pub(crate) fn chart_texts(browser: &Browser) -> Result<Vec<String>> {
    let texts = browser.run_js(
        "const texts = [], { fillText } = CanvasRenderingContext2D.prototype;
         CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
           const half = this.measureText(text).width / 2;
           texts.push([String(text), this.textAlign === 'center' && (x - half < -1 ||
               x + half > this.canvas.width + 1),
             this.textAlign === 'right' && x - 2 * half < -1].join());
           fillText.call(this, text, x, y); };
         window.dispatchEvent(new Event('resize'));
         for (const chart of ['pair', 'spread', 'runs', 'axis']) document.getElementById('panel-' + chart)
             .click();
         CanvasRenderingContext2D.prototype.fillText = fillText;
         return texts",
    )?;
    Ok(serde_json::from_value(texts)?)
}

#[test]
fn a_shift_without_effect_is_no_turning_point() {
    // Columns 2 (`***`) and 3 (`aaa`) are the same for every shift.
    let columns = "abc-aaabcacab";
    let address = format!("compare?case=6x13.{columns}&plan=0369c&plan2=0579d&at=0.0");
    test_page(
        "shifts without effect",
        &address,
        Screen::DESKTOP,
        |browser| {
            browser.click_button("#compare-turns", "First difference")?;
            browser.wait_for_text("#compare-text", "Column 5: ")
        },
    );
}

#[test]
fn pictures_and_films_name_the_player() {
    test_page("names in pictures", "", Screen::DESKTOP, |browser| {
        browser.click(".share summary")?;
        let drawn = |button: &str| -> Result<String> {
            let texts = browser.run_js(&format!(
                "window.texts = []; const {{ fillText }} = CanvasRenderingContext2D.prototype;
                 CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {{
                   window.texts.push(text); fillText.call(this, text, ...rest); }};
                 const button = [...document.querySelectorAll('.share button')].find((one) =>
                     one.textContent === '{button}');
                 button.click();
                 return new Promise((done) => setTimeout(() => done(window.texts.join('|')), 200))"
            ))?;
            Ok(texts.as_str().unwrap_or_default().to_string())
        };
        for (button, name) in [
            ("Picture", "-column-61.png"),
            ("Video of the game", "-game.webm"),
            ("Video of this chain", "-chain-61.webm"),
        ] {
            let texts = drawn(button)?;
            assert!(texts.contains("Bot · 76,046 points"), "{texts}");
            assert!(texts.contains("Seed 13 · constant · column "), "{texts}");
            let (file, bytes) = browser.take_download_bytes()?;
            assert!(file.ends_with(name) && bytes.len() > 5_000, "{file}");
        }
        Ok(())
    });
}

#[test]
fn a_link_keeps_players_and_names() {
    test_page("links of results", "", Screen::DESKTOP, |browser| {
        let root = tempfile::tempdir()?;
        for name in ["one", "two", "three"] {
            write_run(root.path(), name)?;
        }
        browser.choose_files("#folder", &[root.path()])?;
        browser.wait_for_scores(2, 4)?;
        browser.select_option("#pair-a", "three")?;
        browser.select_option("#pair-b", "one")?;
        browser.click("#ranking [aria-label='Show two']")?;
        browser.run_js(
            "const name = document.querySelector('#ranking [aria-label=\"Name of one\"]');
            name.value = 'mine'; name.dispatchEvent(new Event('change'))",
        )?;
        browser.click("#panel-spread")?;
        browser.click("#ranking [aria-label='Only three in the charts']")?;
        browser
            .wait_until("location.hash.includes('only=') && location.hash.includes('hidden=')")?;
        let hash = browser.evaluate("location.hash")?;
        // Change everything, then return to the link.
        browser.click("#ranking [aria-label='Show two']")?;
        browser.click("#panel-pair")?;
        browser.click("#ranking [aria-label='Only three in the charts']")?;
        browser.select_option("#pair-a", "Quickstart")?;
        browser.run_js(
            "const name = document.querySelector('#ranking [aria-label=\"Name of mine\"]');
            name.value = 'yours'; name.dispatchEvent(new Event('change'))",
        )?;
        browser.wait_until(&format!("location.hash !== {hash}"))?;
        browser.run_js(&format!("location.hash = {hash}"))?;
        browser.wait_for_exact_text("#table-text", "2 cases, 3 players.")?;
        browser.wait_until("document.querySelector('#panel-spread[aria-pressed=true]')")?;
        browser.wait_until(
            "document.querySelector('[aria-label^=\"Only three\"][aria-pressed=true]')",
        )?;
        browser.click("#panel-pair")?;
        browser.wait_until(
            "[...document.querySelectorAll('#pair-a, #pair-b')].map((box) => box.selectedOptions[0]
            .textContent).join() === 'three,mine'",
        )
    });
}
