//! Results: the table, the standings and the charts of opened runs.

use super::actions::{
    CaseScores, PageActions, ledger_text, ledger_with_statuses, player_files, sample_game,
    turn_points, write_files,
};
use anyhow::{Context, Result, ensure};
use columns_browser::{Browser, test_page};
use columns_core::rules::quickstart::play_quickstart;
use columns_core::rules::replay;
use columns_core::text::group_digits;
use columns_stats::format_change;
use serde_json::json;

/// Returns the logarithm of B / A, where A and B are the scores of out-a and out-b. A score of 0 counts as 1.
fn log_ratio(row: &CaseScores) -> f64 {
    (row.2.max(1) as f64 / row.1.max(1) as f64).ln()
}

/// Counts the cases by the result of out-b: better, equal, worse.
fn wins(rows: &[CaseScores]) -> [usize; 3] {
    let count = |holds: fn(f64) -> bool| rows.iter().filter(|row| holds(log_ratio(row))).count();
    [
        count(|log| log > 0.0),
        count(|log| log == 0.0),
        count(|log| log < 0.0),
    ]
}

#[test]
fn an_opened_folder_fills_the_table_and_the_standings() {
    test_page("", |browser| {
        let expected = browser.open_players(&[60; 10])?;
        assert_eq!(browser.message()?, "");
        let (a, b): (Vec<u64>, Vec<u64>) = expected.iter().map(|row| (row.1, row.2)).unzip();
        assert_eq!(browser.points_of("out-a")?, a);
        assert_eq!(browser.points_of("out-b")?, b);
        // Sort by points in both directions. Sorting must not redraw the standings.
        browser.run_js("document.querySelector('#ranking tr').dataset.old = true")?;
        browser.sort_by_column("out-a")?;
        assert!(browser.points_of("out-a")?.is_sorted_by(|a, b| a >= b));
        browser.sort_by_column("out-a")?;
        assert!(browser.points_of("out-a")?.is_sorted());
        browser.wait_for_frames()?;
        let is_old = "'old' in document.querySelector('#ranking tr').dataset";
        assert_eq!(browser.evaluate(is_old)?, true);
        // A click on a player's score opens that game.
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
        for _ in 0..2 {
            browser.wait_for_exact_text("#game-count", "2 of 10")?;
            let current = browser.text_without_commas("#games [aria-current=true]")?;
            assert_eq!(current, format!("mine\n{}", before[1]));
            browser.reload()?;
        }
        // The user can hide and close players, and close all files together.
        browser.click("#tab-results")?;
        browser.click("#ranking [aria-label='Show Quickstart']")?;
        browser.wait_for_scores(10, 2)?;
        browser.click("#ranking [aria-label='Close mine']")?;
        browser.wait_for_scores(10, 1)?;
        browser.click("#close-all")?;
        browser.wait_for_text("#results-empty", "No results yet")?;
        browser.click("#message .undo")?;
        browser.wait_for_scores(10, 1)
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
        let built_in = "document.querySelector('#ranking [data-player=Quickstart]')";
        assert_eq!(browser.evaluate(built_in)?, json!(null));
        browser.wait_for_text("#verdicts", "sample")?;
        // If one plan of the run differs from quickstart's, the page also shows the built-in player.
        browser.update_folder(&root, &[("sample/0003.txt", "0\n")])?;
        browser.wait_for_scores(2, 3)?;
        // If there is only one run, the page compares it with the built-in player, even if both play the same
        // plans.
        browser.click("#ranking [aria-label='Close mine']")?;
        browser.update_folder(&root, &[("sample/0003.txt", &files[5].1)])?;
        browser.click("#ranking [aria-label='Close mine']")?;
        browser.wait_for_scores(2, 2)
    });
}

#[test]
fn words_filter_the_results() {
    test_page("", |browser| {
        let expected = browser.open_players(&[60; 12])?;
        let [.., worse] = wins(&expected);
        let (case, ..) = sample_game(4)?;
        let size = format!("{}x{}", case.width(), case.height());
        browser.set_filter("0004")?;
        let sum = format!("{} ", expected[2].1);
        browser.wait_for_frames()?;
        ensure!(
            format!("{} ", browser.standing("out-a")?).contains(&sum),
            "{sum}"
        );
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
        // The page ignores unknown words and incomplete conditions.
        for (words, text) in [
            ("ratio < 1 columns >", ""),
            ("ratio < 1 mine < 5", "“mine” is unknown."),
            ("ratio < 1 constructor < 5", "“constructor” is unknown."),
        ] {
            browser.set_filter(words)?;
            browser.wait_for_text("#table-text", text)?;
            assert_eq!(browser.case_names()?.len(), worse, "{words}");
        }
        browser.wait_until("document.querySelector('#filter-words [value=out-b]')")?;
        // If no case matches, the page shows no losses and no verdicts, and the axes have no numbers. They
        // return once a case matches.
        browser.set_filter("columns > 60")?;
        browser.wait_for_text("#verdicts", "No case passes the filter.")?;
        browser.wait_until("document.getElementById('pair-losses').hidden")?;
        let is_number = |text: &String| text.starts_with(|c: char| c.is_ascii_digit());
        let texts = browser.chart_texts()?;
        ensure!(!texts.iter().any(is_number), "{texts:?}");
        browser.set_filter("0003")?;
        browser.wait_until("!document.getElementById('pair-losses').hidden")?;
        ensure!(browser.chart_texts()?.iter().any(is_number));
        // The page copies the seeds of the filtered cases as an option for the judge.
        browser.click("#copy-seeds")?;
        browser.wait_for_text("#message", "--seeds 3")?;
        // The largest losses come first, and the address restores this order. The CSV file has a row for
        // each case.
        browser.set_filter("")?;
        browser.select_option("#table-sort", "Loss of B")?;
        let most = expected
            .iter()
            .min_by(|a, b| log_ratio(a).total_cmp(&log_ratio(b)));
        let order = browser.case_names()?;
        assert_eq!(order[0], most.context("cases")?.0);
        browser.wait_until("location.hash.includes('sort=-loss')")?;
        browser.reload_after_saving(12)?;
        browser.wait_for_scores(12, 3)?;
        assert_eq!(browser.case_names()?, order);
        browser.click("#export-csv")?;
        let (name, csv) = browser.take_download()?;
        assert_eq!((name.as_str(), csv.lines().count()), ("results.csv", 13));
        let head = "name,seed,width,height,columns,colours,palette,out-a points,";
        ensure!(csv.starts_with(head), "{csv}");
        Ok(())
    });
}

#[test]
fn two_players_are_compared_in_depth() {
    test_page("", |browser| {
        let expected = browser.open_players(&[60; 8])?;
        let [better, equal, worse] = wins(&expected);
        browser.set_details_open("#pair-classes", true)?;
        let counts = format!("{better} · {equal} · {worse}");
        browser.wait_for_text("#pair-rows tr", &counts)?;
        // The page shows the relative change in the sum, as `judge compare` does.
        let sum = |of: fn(&CaseScores) -> u64| expected.iter().map(of).sum::<u64>() as f64;
        let change = 100.0 * (sum(|row| row.2) / sum(|row| row.1) - 1.0);
        let change = format_change(change, 2).replace('-', "−");
        browser.wait_for_text("#pair-rows tr td:nth-of-type(4)", &change)?;
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
        browser.select_option("#compare-case", "0004.txt")?;
        browser.reload_after_saving(8)?;
        browser.wait_for_text("#compare-name-a", "A · out-b")?;
        browser.wait_for_text("#compare-name-b", "B · out-a")?;
        // The games are the same up to the end of the truncated plan.
        browser.click_button("#compare-turns", "First difference")?;
        browser.wait_for_text("#compare-text", ": A and B are level")?;
        let text = browser.text("#compare-text")?;
        let first = text.split([' ', ':']).nth(1).context("a column")?;
        ensure!(first.parse::<usize>()? > 20, "{text}");
        // Go to the column whose points differ most, even if one game has ended before it.
        let (case, whole, _) = sample_game(4)?;
        let mut cut = whole.clone();
        cut.placements.truncate(20);
        let [a, b] = [cut, whole].map(|plan| replay::replay(&case, &plan));
        let paid = |turns: &[replay::Turn], turn: usize| turns.get(turn).map_or(0, turn_points);
        let apart = |turn: &usize| paid(&a, *turn).abs_diff(paid(&b, *turn));
        let most = (0..a.len().max(b.len())).rev().max_by_key(apart);
        browser.keys("b")?;
        let most = most.context("columns")? + 1;
        browser.wait_for_text("#compare-text", &format!("Column {most}: "))?;
        // A click on the chart goes to the column under the pointer.
        browser.run_js(
            "const c = document.getElementById('compare-chart'), b = c.getBoundingClientRect();
             c.dispatchEvent(new MouseEvent('click', { clientX: b.left + b.width * 30.5 / 60,
                 clientY: b.top + 5 }))",
        )?;
        browser.wait_for_text("#compare-text", "Column 31: ")
    });
}

#[test]
fn a_point_of_the_chart_opens_its_game() {
    test_page("", |browser| {
        let expected = browser.open_players(&[20, 40, 60, 80])?;
        browser.click("#panel-axis")?;
        browser.select_option("#table-reference", "out-b")?;
        browser.wait_for_frames()?;
        let shares = browser.evaluate(
            "[...document.querySelectorAll('#table-body [data-label=out-a] small')].map((share) =>
                share.textContent)",
        )?;
        let ratio = |row: &CaseScores| format!("{:.3}", row.1.max(1) as f64 / row.2.max(1) as f64);
        let ratios: Vec<String> = expected.iter().map(ratio).collect();
        assert_eq!(shares, json!(ratios));
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
        let (name, new, _) = &expected[3];
        assert_eq!(tip, format!("{name} · out-a: {}, columns 80", ratios[3]));
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
        let (_, plan, score) = sample_game(2)?;
        let text = ledger_text(&[(2, score + 1), (3, 600)])?;
        let root = browser.open_folder(&[
            ("0003/run.jsonl", text.clone()),
            ("0003/out/0002.txt", plan.to_string()),
        ])?;
        browser.wait_for_scores(2, 2)?;
        // The page generates the cases and scores the plans. A game without a plan keeps its reported points.
        assert_eq!(browser.points_of("0003")?, [score, 600]);
        let cell = "document.querySelector('#table-body [data-label=\"0003\"]')";
        let report = format!("The run reports {} points", group_digits(score + 1));
        browser.wait_until(&format!(
            "{cell}.title.includes({report:?}) && {cell}.textContent.includes('≠')"
        ))?;
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
        // Opening a copy of the run adds no player. A reload keeps the run.
        write_files(&root, &[("copy/run.jsonl", text)])?;
        browser.choose("#folder", &[&root.join("copy")])?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(2, 2)?;
        browser.reload_after_saving(2)?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(2, 2)?;
        browser.wait_for_text("#ranking [data-player='0003'] .hint", "bot 0.3.0")?;
        // Two players never share a name.
        browser.rename_player("0003", "Quickstart")?;
        browser.wait_for_text("#table-head", "Quickstart (2)")?;
        // Closing the run closes its cases.
        browser.click("#ranking [aria-label='Close Quickstart (2)']")?;
        browser.wait_for_text("#results-empty", "No results yet")
    });
}

#[test]
fn failed_games_are_counted_and_explained_and_in_no_mean() {
    test_page("", |browser| {
        let statuses = ["ok", "crashed", "tle", "mle", "invalid", "tle", "ok"];
        let rows: Vec<(u64, &str)> = (2..).zip(statuses).collect();
        let all_ok: Vec<(u64, &str)> = rows.iter().map(|(seed, _)| (*seed, "ok")).collect();
        let failed = ledger_with_statuses(&rows)?;
        let mut files = vec![
            (
                "0001/run.jsonl".into(),
                ledger_with_statuses(&all_ok)?.replace("03:51", "02:51"),
            ),
            ("0002/run.jsonl".into(), failed),
            (
                "0002/err/0003.txt".into(),
                "thread main panicked: no jewels\n".into(),
            ),
        ];
        for (seed, status) in rows {
            let plan = sample_game(seed)?.1.to_string();
            let other = if status == "invalid" {
                "1\n99 0\n".into()
            } else {
                plan.clone()
            };
            files.push((format!("0001/out/{seed:04}.txt"), plan));
            files.push((format!("0002/out/{seed:04}.txt"), other));
        }
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
        let filters = [
            ("tle", 2),
            ("crashed", 1),
            ("invalid", 1),
            ("failed", 5),
            ("-failed", 2),
            ("", 7),
        ];
        for (word, count) in filters {
            browser.set_filter(word)?;
            assert_eq!(browser.case_names()?.len(), count, "{word}");
        }
        browser.wait_for_text("#verdicts", "5 games of 0002 failed.")?;
        // Watch and Compare show the reason for a failure and the standard error. Only an invalid plan has a
        // plan error.
        for (name, hud, reason) in [
            (
                "0003",
                "Crashed, 0 points",
                "Crashed: the reason of crashed",
            ),
            ("0004", "TLE, 0 points", "TLE: the reason of tle"),
            ("0006", "Invalid, 0 points", "Invalid: "),
        ] {
            browser.open_game(name, "0002")?;
            browser.wait_for_text("#watch-hud", hud)?;
            browser.wait_for_text("#watch-failures p", reason)?;
            let is_plan = browser
                .text("#watch-info .say")?
                .starts_with("Plan error, line 2: ");
            assert_eq!(is_plan, name == "0006", "{name}");
            browser.click("#tab-results")?;
            browser.click_button("#pair-worst", name)?;
            browser.wait_for_view("compare")?;
            browser.wait_for_text("#compare-failures p", &format!("B · {reason}"))?;
            if name == "0003" {
                browser.wait_for_text("#compare-failures pre", "panicked: no jewels")?;
            }
        }
        Ok(())
    });
}

#[test]
fn a_plan_beside_a_run_is_scored() {
    test_page("", |browser| {
        let (case, mut plan, _) = sample_game(2)?;
        plan.placements.truncate(20);
        let points = replay::score(&case, &plan).points;
        let root = browser.open_folder(&[
            ("0001/run.jsonl", ledger_text(&[(2, 1504), (3, 6)])?),
            ("0001/out/0002.txt", plan.to_string()),
        ])?;
        browser.wait_for_scores(2, 2)?;
        assert_eq!(browser.points_of("0001")?, [points, 6]);
        // A plan that ends early is marked even if it belongs to a run.
        browser.set_filter("short")?;
        assert_eq!(browser.case_names()?, ["0002"]);
        browser.open_game("0002", "0001")?;
        browser.wait_for_text("#watch-hud", "Plan ends at 20")?;
        // A game that ends early because its field is full is also marked.
        let tower = format!("60\n{}", "1 0\n".repeat(60));
        browser.update_folder(&root, &[("0001/out/0003.txt", &tower)])?;
        browser.set_filter("early -short")?;
        browser.wait_until("document.querySelectorAll('#table-body tr').length === 1")?;
        assert_eq!(browser.case_names()?, ["0003"]);
        browser.open_game("0003", "0001")?;
        browser.wait_for_text("#watch-hud", "Ended early at ")
    });
}

#[test]
fn any_name_is_a_name() {
    test_page("", |browser| {
        let names = ["constructor", "toString", "__proto__", "hasOwnProperty"];
        let numbers = json!({ "constructor": 7, "__proto__": 8 });
        let text = ledger_text(&[(2, 5), (3, 6)])?.replace(r#"{"depth":7}"#, &numbers.to_string());
        let mut files = player_files(&[2, 3], &names)?;
        files.push(("valueOf.jsonl".into(), text));
        browser.open_folder(&files)?;
        browser.wait_for_scores(2, 6)?;
        for name in names {
            assert_eq!(browser.points_of(name)?.len(), 2, "{name}");
            browser.set_filter(&format!("{name} > 0"))?;
            assert!(!browser.case_names()?.is_empty(), "{name}");
        }
        browser.set_filter("")?;
        browser.click("#panel-axis")?;
        for (number, text) in [("constructor", "7"), ("__proto__", "8")] {
            browser.select_option("#table-number", number)?;
            browser.wait_for_text("#table-body .number", text)?;
            browser.select_option("#chart-axis", number)?;
        }
        browser.click("#export-csv")?;
        let (_, csv) = browser.take_download()?;
        ensure!(csv.contains("valueOf constructor"), "{csv}");
        browser.rename_player("toString", "prototype")?;
        browser.sort_by_column("prototype")?;
        browser.reload_after_saving(2)?;
        browser.wait_for_scores(2, 6)?;
        assert_eq!(browser.message()?, "");
        Ok(())
    });
}

#[test]
fn shades_and_texts_tell_ratios_apart() {
    test_page("", |browser| {
        let mut files = Vec::new();
        for (run, points) in (1..).zip([
            [1000, 1000, 1000],
            [57_000, 2000, 100],
            [11_000, 11_000, 10_900],
            [900, 900, 900],
        ]) {
            // Use each list twice: three games are too few for an interval.
            let rows: Vec<(u64, u64)> = (2..).zip([points, points].concat()).collect();
            let text = ledger_text(&rows)?.replace("02:51", &format!("0{run}:51"));
            files.push((format!("000{run}/run.jsonl"), text));
        }
        browser.open_folder(&files)?;
        browser.wait_for_scores(6, 5)?;
        let shades = browser.evaluate(
            "[...document.querySelectorAll('#table-body [data-label=\"0002\"]')].map((cell) =>
                getComputedStyle(cell).backgroundColor)",
        )?;
        let shades: Vec<String> = serde_json::from_value(shades)?;
        let [a, b, c, ..] = &shades[..] else {
            anyhow::bail!("{shades:?}")
        };
        ensure!(a != b && b != c && a != c, "{shades:?}");
        // The ends of an interval have the same form: both are factors, or both are percentages.
        for (player, interval) in [("0003", " to ×1"), ("0004", "−10.00 to −10.00 %")] {
            let text = browser.text(&format!("#ranking [data-player='{player}'] .delta"))?;
            ensure!(text.contains(interval), "{text}");
        }
        // All minus signs are the same character, in the standings and in the charts.
        let minus =
            "[document.getElementById('results-full').innerText, ...window.texts].join(' ')";
        let texts = json!(browser.chart_texts()?);
        let text = browser.run_js(&format!("window.texts = {texts}; return {minus}"))?;
        let letters: Vec<char> = text.as_str().unwrap_or_default().chars().collect();
        let is_hyphen = |pair: &[char]| pair[0] == '-' && pair[1].is_ascii_digit();
        ensure!(!letters.windows(2).any(is_hyphen), "{text}");
        ensure!(letters.contains(&'−'), "{text}");
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

/// Draws every chart of the results, and returns a list of faults: texts that are cut off or that overlap.
fn chart_faults(browser: &Browser) -> Result<Vec<String>> {
    let faults = browser.run_js(
        "const faults = [], { fillText } = CanvasRenderingContext2D.prototype;
         let boxes = [];
         CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
           const { width: wide, actualBoundingBoxAscent: up, actualBoundingBoxDescent: down } =
             this.measureText(text);
           const left = x - { left: 0, center: 0.5, right: 1 }[this.textAlign] * wide;
           const { width, height } = this.canvas;
           if (left < -1 || left + wide > width + 1 || y - up < -1 || y + down > height + 1)
             faults.push(`${text} is cut off`);
           // The names of lines cover the marks of points on purpose.
           const isName = this.font.includes('600');
           for (const [other, l, r, t, b] of isName ? [] : boxes)
             if (left < r - 1 && left + wide > l + 1 && y - up < b - 1 && y + down > t + 1)
               faults.push(`${text} overlaps ${other}`);
           // The marks of points may overlap each other, so only texts are remembered for the comparison.
           if (/\\w/.test(text) && !isName) boxes.push([text, left, left + wide, y - up, y + down]);
           fillText.call(this, text, x, y); };
         for (const chart of ['spread', 'axis', 'pair']) {
           boxes = [];
           document.getElementById(`panel-${chart}`).click(); }
         CanvasRenderingContext2D.prototype.fillText = fillText;
         return faults",
    )?;
    Ok(serde_json::from_value(faults)?)
}

#[test]
fn labels_of_charts_do_not_touch() {
    test_page("", |browser| {
        // A chain of 21 steps: no two labels below the bars overlap.
        let touching = browser.run_js(
            "const places = [], { fillText } = CanvasRenderingContext2D.prototype;
             CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
               if (/^×/.test(text)) places.push([x, this.measureText(text).width]);
               fillText.call(this, text, x, y); };
             document.getElementById('watch-chain').querySelector('button').click();
             CanvasRenderingContext2D.prototype.fillText = fillText;
             return [places.length, places.filter(([x, width], i) =>
                 i && x - width / 2 < places[i - 1][0] + places[i - 1][1] / 2 + 2).length]",
        )?;
        let [labels, touching]: [usize; 2] = serde_json::from_value(touching)?;
        ensure!(labels > 5 && touching == 0, "{touching} of {labels}");
        // The headings of the bot's table do not touch.
        browser.click("#watch-ask h2 button")?;
        browser.wait_for_text("#watch-ask .say", "Bot: ")?;
        let gaps = browser.evaluate(
            "[...document.querySelectorAll('#watch-ask th')].slice(1).map((cell) => {
               const range = document.createRange(); range.selectNodeContents(cell);
               const before = document.createRange(); before.selectNodeContents(cell.previousSibling);
               return range.getBoundingClientRect().left - before.getBoundingClientRect().right; })",
        )?;
        let gaps: Vec<f64> = serde_json::from_value(gaps)?;
        ensure!(gaps.iter().all(|&gap| gap > 4.0), "{gaps:?}");
        // Open failed games, whose marks are at the edges of the charts.
        let statuses = ["ok", "tle", "ok", "crashed", "ok", "ok"];
        let rows: Vec<(u64, &str)> = (2..).zip(statuses).collect();
        let others: Vec<(u64, u64)> = (2..8).map(|seed| (seed, 1000 * seed)).collect();
        browser.open_folder(&[
            (
                "a-run-with-quite-a-long-name/run.jsonl",
                ledger_text(&others)?,
            ),
            (
                "another-run-with-a-long-name/run.jsonl",
                ledger_with_statuses(&rows)?,
            ),
        ])?;
        browser.wait_for_scores(6, 3)?;
        // If A and B swap places, the failures move to the left edge.
        for _ in 0..2 {
            assert_eq!(chart_faults(browser)?, Vec::<String>::new());
            browser.click("#pair-swap")?;
        }
        Ok(())
    });
}
