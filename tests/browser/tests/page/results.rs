//! Results: the table, the standings and the charts of opened runs.

use super::actions::{
    CaseScores, PageActions, ledger_text, ledger_with_statuses, player_files, sample_game,
};
use anyhow::{Context, ensure};
use columns_browser::test_page;
use columns_core::rules::quickstart::play_quickstart;
use columns_core::rules::replay;
use columns_core::text::group_digits;

/// Counts the cases on which out-b scores less than out-a. In these tests, out-b never scores more.
fn losses(rows: &[CaseScores]) -> usize {
    rows.iter().filter(|(_, a, b)| b < a).count()
}

#[test]
fn an_opened_folder_fills_the_table_and_the_standings() {
    test_page("", |browser| {
        let expected = browser.open_players(&[60; 10])?;
        assert_eq!(browser.message()?, "");
        let (a, b): (Vec<u64>, Vec<u64>) = expected.iter().map(|row| (row.1, row.2)).unzip();
        assert_eq!(browser.points_of("out-a")?, a);
        assert_eq!(browser.points_of("out-b")?, b);
        // The standings end with the worst player.
        let last = "[...document.querySelectorAll('#ranking [data-player]')].at(-1).dataset.player";
        assert_eq!(browser.evaluate(last)?, "out-b");
        // Cells are shaded by the ratio to the reference.
        let shades = "new Set([...document.querySelectorAll('#table-body [data-label=out-b]')]
            .map((cell) => getComputedStyle(cell).backgroundColor)).size";
        ensure!(browser.evaluate(shades)?.as_u64() > Some(3));
        // Sort by points in both directions.
        browser.sort_by_column("out-a")?;
        assert!(browser.points_of("out-a")?.is_sorted_by(|a, b| a >= b));
        browser.sort_by_column("out-a")?;
        assert!(browser.points_of("out-a")?.is_sorted());
        // A click on a score opens the game that has this score.
        browser.open_game("0005.txt", "out-b")?;
        browser.keys("End")?;
        assert_eq!(browser.shown_points("watch")?, b[3]);
        // A reload keeps a new name and the order of the rows. The button for the next case follows this
        // order.
        browser.click("#tab-results")?;
        browser.rename_player("out-b", "mine")?;
        browser.sort_by_column("mine")?;
        browser.wait_for_frames()?;
        let before = browser.points_of("mine")?;
        browser.reload_after_saving(10)?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(10, 3)?;
        assert_eq!(browser.points_of("mine")?, before);
        let first = browser.text("#table-body tr .name")?;
        browser.open_game(&first, "mine")?;
        browser.click("#game-on")?;
        browser.reload()?;
        browser.wait_for_exact_text("#game-count", "2 of 10")?;
        let current = browser.text_without_commas("#games [aria-current=true]")?;
        assert_eq!(current, format!("mine\n{}", before[1]));
        // The user can close all files together, and reopen them with Undo.
        browser.click("#tab-results")?;
        browser.click("#close-all")?;
        browser.wait_for_text("#results-empty:not([hidden])", "No results yet")?;
        browser.click("#message .undo")?;
        browser.wait_for_scores(10, 3)
    });
}

#[test]
fn quickstart_is_hidden_if_a_run_plays_its_plans() {
    test_page("", |browser| {
        let mut files = player_files(&[2, 3], &["mine"])?;
        for seed in [2, 3] {
            let plan = play_quickstart(&sample_game(seed)?.0);
            files.push((format!("sample/{seed:04}.txt"), plan.to_string()));
        }
        let root = browser.open_folder(&files)?;
        browser.wait_for_scores(2, 2)?;
        // If one plan of the run differs from quickstart's, the page also shows the built-in player.
        browser.update_folder(&root, &[("sample/0003.txt", "0\n")])?;
        browser.wait_for_scores(2, 3)
    });
}

#[test]
fn words_filter_the_results() {
    test_page("", |browser| {
        let expected = browser.open_players(&[60; 12])?;
        let worse = losses(&expected);
        let (case, ..) = sample_game(4)?;
        let size = format!("{}x{}", case.width(), case.height());
        browser.set_filter(&size)?;
        assert!(browser.case_names()?.contains(&"0004.txt".to_string()));
        browser.wait_until(&format!("location.hash.includes('filter={size}')"))?;
        browser.set_filter(&format!("-{size} -failed"))?;
        assert!(!browser.case_names()?.contains(&"0004.txt".to_string()));
        for (word, count) in [
            ("0007", 1),
            ("out-b", 12),
            ("out-b<out-a", worse),
            ("B < A", worse),
            ("ratio < 1 short", worse),
        ] {
            browser.set_filter(word)?;
            assert_eq!(browser.case_names()?.len(), count, "{word}");
        }
        // The page ignores unknown words, and names them.
        browser.set_filter("ratio < 1 growin")?;
        browser.wait_for_text("#table-text", "“growin” is unknown.")?;
        assert_eq!(browser.case_names()?.len(), worse);
        // If no case matches, the page shows no losses and no verdicts. They return once a case matches.
        browser.set_filter("columns > 60")?;
        browser.wait_for_text("#verdicts", "No case passes the filter.")?;
        browser.wait_until("document.getElementById('pair-losses').hidden")?;
        browser.set_filter("0003")?;
        browser.wait_until("!document.getElementById('pair-losses').hidden")?;
        let sum = expected[1].1.to_string();
        ensure!(browser.standing("out-a")?.contains(&sum), "{sum}");
        // The page copies the seeds of the filtered cases as an option for the judge.
        browser.click("#copy-seeds")?;
        browser.wait_for_text("#message", "--seeds 3")?;
        // The largest losses come first, and the address restores this order. The CSV file has a row for
        // each case.
        browser.set_filter("")?;
        browser.select_option("#table-sort", "Loss of B")?;
        let ratio = |row: &CaseScores| row.2.max(1) as f64 / row.1.max(1) as f64;
        let most = expected.iter().min_by(|a, b| ratio(a).total_cmp(&ratio(b)));
        let order = browser.case_names()?;
        assert_eq!(order[0], most.context("cases")?.0);
        browser.wait_until("location.hash.includes('sort=-loss')")?;
        browser.reload_after_saving(12)?;
        browser.wait_for_scores(12, 3)?;
        assert_eq!(browser.case_names()?, order);
        browser.click("#export-csv")?;
        let (name, csv) = browser.take_download()?;
        assert_eq!((name.as_str(), csv.lines().count()), ("results.csv", 13));
        ensure!(csv.starts_with("name,seed,width,height,columns,"), "{csv}");
        Ok(())
    });
}

#[test]
fn two_players_are_compared_in_depth() {
    test_page("", |browser| {
        let expected = browser.open_players(&[60; 8])?;
        let worse = losses(&expected);
        browser.set_details_open("#pair-classes", true)?;
        let counts = format!("0 · {} · {worse}", 8 - worse);
        browser.wait_for_text("#pair-rows tr", &counts)?;
        // A click on a loss opens the column from which A stays in the lead.
        browser.click("#pair-worst li button")?;
        browser.wait_for_view("compare")?;
        browser.wait_for_text("#compare-turns", "A leads for good")?;
        let turn = browser.text("#compare-turns li")?;
        let column = turn.rsplit(' ').next().context("a column")?;
        browser.wait_for_text("#compare-text", &format!("Column {column}: "))?;
        // Both players stay selected on another case, and after a reload.
        browser.select_option("#compare-a", "out-b")?;
        browser.select_option("#compare-b", "out-a")?;
        // The case may change during the playback.
        browser.keys("Space")?;
        browser.select_option("#compare-case", "0004.txt")?;
        assert_eq!(browser.message()?, "");
        browser.reload_after_saving(8)?;
        browser.wait_for_text("#compare-name-a", "A · out-b")?;
        browser.wait_for_text("#compare-name-b", "B · out-a")?;
        // The games are the same up to the end of the truncated plan.
        browser.click_button("#compare-turns", "First difference")?;
        browser.wait_for_text("#compare-text", "Column 21: A and B are level")?;
        // A click on the chart goes to the column under the pointer.
        browser.run_js(
            "const c = document.getElementById('compare-chart'), b = c.getBoundingClientRect();
             c.dispatchEvent(new MouseEvent('click', { clientX: b.left + b.width * 30.5 / 60,
                 clientY: b.top + 5 }))",
        )?;
        browser.wait_for_text("#compare-text", "Column 31: ")?;
        // A hidden player stays in the menus and on the boards until the user selects another.
        browser.click("#tab-results")?;
        browser.click("#ranking [aria-label='Show out-b']")?;
        browser.click("#tab-compare")?;
        browser.wait_for_text("#compare-name-a", "A · out-b")?;
        browser.select_option("#compare-a", "out-a")?;
        browser.select_option("#compare-b", "Quickstart")?;
        browser.wait_for_text("#compare-name-a", "A · out-a")?;
        browser.wait_for_text("#compare-name-b", "B · Quickstart")
    });
}

#[test]
fn a_point_of_the_chart_opens_its_game() {
    test_page("", |browser| {
        let expected = browser.open_players(&[20, 40, 60, 80])?;
        browser.click("#panel-axis")?;
        browser.select_option("#table-reference", "out-b")?;
        // The chart has a point for each of the four games of out-a.
        let title = "document.querySelector('#chart canvas').getAttribute('aria-label')";
        browser.select_option("#chart-axis", "columns")?;
        let start = "Ratio to out-b against columns, 4 points";
        browser.wait_until(&format!("{title}.startsWith({start:?})"))?;
        browser.wait_for_frames()?;
        // Search the chart from right to left and from top to bottom for a point of out-a.
        let tip = browser.run_js(
            "const canvas = document.querySelector('#chart canvas'), box = canvas.getBoundingClientRect();
             for (let x = box.width - 1; x > 0; x -= 3) for (let y = 1; y < box.height; y += 3) {
               const at = { clientX: box.left + x, clientY: box.top + y, bubbles: true };
               canvas.dispatchEvent(new PointerEvent('pointermove', at));
               const tip = document.querySelector('#chart .tip');
               if (tip.hidden || !tip.textContent.includes('out-a')) continue;
               canvas.dispatchEvent(new MouseEvent('click', at));
               return tip.textContent; }",
        )?;
        let (name, new, old) = &expected[3];
        let ratio = *new as f64 / *old as f64;
        assert_eq!(tip, format!("{name} · out-a: {ratio:.3}, columns 80"));
        browser.keys("End")?;
        assert_eq!(browser.shown_points("watch")?, *new);
        Ok(())
    });
}

#[test]
fn games_played_on_the_page_do_not_change_the_results() {
    test_page("", |browser| {
        browser.open_players(&[60; 3])?;
        let before = browser.standing("out-b")?;
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
        browser.keys("Down")?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(3, 3)?;
        assert_eq!(browser.standing("out-b")?, before);
        // The user can remove plans that were made on the page, and undo the removal.
        browser.open_game("0002.txt", "out-a")?;
        browser.click_button("#games", "×")?;
        browser.wait_until("!document.getElementById('games').textContent.includes('Bot, 1 s')")?;
        browser.click("#message .undo")?;
        browser.wait_for_text("#games", "Bot, 1 s")
    });
}

#[test]
fn a_run_of_the_store_is_one_player() {
    test_page("", |browser| {
        let (case, mut plan, _) = sample_game(2)?;
        plan.placements.truncate(20);
        let score = replay::score(&case, &plan).points;
        let text = ledger_text(&[(2, score + 1), (3, 600)])?;
        let root = browser.open_folder(&[
            ("0003/run.jsonl", text.clone()),
            ("0003/out/0002.txt", plan.to_string()),
        ])?;
        browser.wait_for_scores(2, 2)?;
        // The page generates the cases and scores the plans. A game without a plan keeps its reported points.
        assert_eq!(browser.points_of("0003")?, [score, 600]);
        browser.wait_for_text("#table-body [data-label='0003']", "≠")?;
        // The standings show the data of the run, and the table shows the bot's own numbers.
        let head = "bot 0.3.0 · 1a2b3c4d5 · 2026-11-28 02:51 · 4 s · 1.50 s a game, at most 1.50 s";
        browser.wait_for_text("#ranking [data-player='0003'] .hint", head)?;
        browser.select_option("#table-number", "depth")?;
        browser.wait_for_text("#table-body .number", "7")?;
        browser.open_game("0002", "0003")?;
        let report = format!("The run reports {}", group_digits(score + 1));
        browser.wait_for_text("#watch-hud", &report)?;
        browser.open_game("0003", "0003")?;
        browser.wait_for_text("#message", "Only the points of 0003 are known")?;
        // Opening a copy of the run adds no player.
        browser.open_folder(&[("copy/run.jsonl", text)])?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(2, 2)?;
        // The page marks games whose plan ends before the game, and games that end early.
        let tower = format!("60\n{}", "1 0\n".repeat(60));
        browser.update_folder(&root, &[("0003/out/0003.txt", &tower)])?;
        for (filter, name, hud) in [
            ("short", "0002", "Plan ends at 20"),
            ("early -short", "0003", "Ended early at "),
        ] {
            browser.set_filter(filter)?;
            browser.wait_for_text("#table-text", "1 of 2 cases")?;
            browser.open_game(name, "0003")?;
            browser.wait_for_text("#watch-hud", hud)?;
            browser.click("#tab-results")?;
        }
        // A reload keeps the run.
        browser.set_filter("")?;
        browser.reload_after_saving(2)?;
        browser.wait_for_scores(2, 2)?;
        browser.wait_for_text("#ranking [data-player='0003'] .hint", "bot 0.3.0")?;
        // Two players never share a name.
        browser.rename_player("0003", "Quickstart")?;
        browser.wait_for_text("#table-head", "Quickstart (2)")?;
        // Closing the run closes its cases.
        browser.click("#ranking [aria-label='Close Quickstart (2)']")?;
        browser.wait_for_text("#results-empty:not([hidden])", "No results yet")
    });
}

#[test]
fn failed_games_are_counted_and_explained_and_in_no_mean() {
    test_page("", |browser| {
        let statuses = ["ok", "crashed", "tle", "mle", "invalid", "tle", "ok"];
        let row = |(seed, status)| (seed, u64::from(status == "ok"), status);
        let rows: Vec<(u64, u64, &str)> = (2..).zip(statuses).map(row).collect();
        let other = ledger_text(&(2..9).map(|seed| (seed, 1)).collect::<Vec<_>>())?;
        let mut files = vec![
            ("0001/run.jsonl".into(), other.replace("02:51", "01:51")),
            ("0002/run.jsonl".into(), ledger_with_statuses(&rows)?),
            ("0002/err/0003.txt".into(), "no jewels\n".into()),
        ];
        for seed in 2..9 {
            let plan = sample_game(seed)?.1.to_string();
            files.push((format!("0001/out/{seed:04}.txt"), plan.clone()));
            files.push((format!("0002/out/{seed:04}.txt"), plan));
        }
        files.push(("0002/out/0006.txt".into(), "1\n99 0\n".into()));
        browser.open_folder(&files)?;
        browser.wait_for_scores(7, 3)?;
        assert_eq!(browser.message()?, "");
        let text = browser.standing("0002")?;
        ensure!(
            text.contains("2 TLE · 1 MLE · 1 crashed · 1 invalid"),
            "{text}"
        );
        ensure!(
            text.contains("+0.00 %") && text.contains("0 · 2 · "),
            "{text}"
        );
        for (word, count) in [("tle", 2), ("failed", 5), ("-failed", 2), ("", 7)] {
            browser.set_filter(word)?;
            assert_eq!(browser.case_names()?.len(), count, "{word}");
        }
        browser.wait_for_text("#verdicts", "5 games of 0002 failed.")?;
        // Watch and Compare show the reason for a failure and the standard error. Only an invalid plan has a
        // plan error.
        for (name, status) in [("0003", "Crashed"), ("0004", "TLE"), ("0006", "Invalid")] {
            browser.open_game(name, "0002")?;
            browser.wait_for_text("#watch-hud", &format!("{status}, 0 points"))?;
            browser.wait_for_text("#watch-failures p", &format!("{status}: "))?;
            let is_plan = browser
                .text("#watch-info .say")?
                .starts_with("Plan error, line 2: ");
            assert_eq!(is_plan, name == "0006", "{name}");
            browser.click("#tab-results")?;
            browser.click_button("#pair-worst", name)?;
            browser.wait_for_view("compare")?;
            browser.wait_for_text("#compare-failures p", &format!("B · {status}: "))?;
            if name == "0003" {
                browser.wait_for_text("#compare-failures pre", "no jewels")?;
            }
        }
        // The address has only the valid part of an invalid plan. A reload shows the same player.
        browser.open_game("0006", "0002")?;
        browser.reload_after_saving(7)?;
        browser.wait_for_exact_text("#games [aria-current=true]", "0002Invalid")
    });
}

#[test]
fn any_name_is_a_name() {
    test_page("", |browser| {
        let names = ["constructor", "__proto__"];
        let text = ledger_text(&[(2, 5), (3, 6)])?.replace("depth", "__proto__");
        let mut files = player_files(&[2, 3], &names)?;
        files.push(("valueOf.jsonl".into(), text));
        browser.open_folder(&files)?;
        browser.wait_for_scores(2, 4)?;
        let root = browser.new_folder().join("Quickstart");
        browser.update_folder(&root, &[("0002.txt", "0\n")])?;
        browser.wait_for_scores(2, 5)?;
        for name in names {
            assert_eq!(browser.points_of(name)?.len(), 2, "{name}");
            browser.set_filter(&format!("{name} > 0"))?;
            assert!(!browser.case_names()?.is_empty(), "{name}");
        }
        browser.set_filter("")?;
        browser.select_option("#table-number", "__proto__")?;
        browser.wait_for_text("#table-body .number", "7")?;
        browser.rename_player("constructor", "prototype")?;
        browser.sort_by_column("prototype")?;
        browser.reload_after_saving(2)?;
        browser.wait_for_scores(2, 5)?;
        assert_eq!(browser.message()?, "");
        Ok(())
    });
}

#[test]
fn a_link_keeps_players_and_names() {
    test_page("", |browser| {
        browser.open_folder(&player_files(&[2, 3], &["one", "two", "three"])?)?;
        browser.wait_for_scores(2, 4)?;
        browser.click("#ranking [aria-label='Show two']")?;
        browser.select_option("#pair-a", "three")?;
        browser.select_option("#pair-b", "one")?;
        browser.rename_player("one", "mine")?;
        browser.click("#panel-spread")?;
        // When the last change is in the address, all earlier changes are too.
        browser.wait_until("location.hash.includes('panel=spread')")?;
        let hash = browser.evaluate("location.hash")?;
        // Change everything, then return to the link.
        browser.click("#ranking [aria-label='Show two']")?;
        browser.click("#panel-pair")?;
        browser.select_option("#pair-a", "Quickstart")?;
        browser.rename_player("mine", "yours")?;
        browser.wait_until(&format!("location.hash !== {hash}"))?;
        browser.run_js(&format!("location.hash = {hash}"))?;
        browser.wait_for_exact_text("#table-text", "2 cases, 3 players.")?;
        browser.wait_until("document.querySelector('#panel-spread[aria-pressed=true]')")?;
        browser.click("#panel-pair")?;
        browser.wait_until(
            "[...document.querySelectorAll('#pair-a, #pair-b')].map((box) => box.selectedOptions[0]
            .textContent).join() === 'three,mine'",
        )
    });
}

#[test]
fn undo_after_close_all_restores_the_player_of_a_single_case() {
    test_page("", |browser| {
        let games = [sample_game(2)?, sample_game(3)?];
        let [case_2, case_3] = games.each_ref().map(|(case, ..)| case.to_string());
        let plan = games[0].1.to_string();
        browser.open_folder(&[
            ("in/2.txt", case_2),
            ("in/3.txt", case_3),
            ("out/2.txt", plan),
        ])?;
        browser.wait_for_scores(2, 2)?;
        browser.open_game("2.txt", "out")?;
        browser.wait_for_view("watch")?;
        browser.click("#tab-results")?;
        browser.click("#close-all")?;
        browser.wait_for_text("#results-empty:not([hidden])", "No results yet")?;
        browser.click_button("#message", "Undo")?;
        browser.wait_for_scores(2, 2)
    });
}
