//! Opens files: the page uses each file, or rejects it with a message, and assigns each plan to its case.

use super::actions::{
    PageActions, count_jewels, ledger_text, player_files, sample_game, write_files,
};
use super::review::review;
use super::watch::check_still_works;
use anyhow::{Result, ensure};
use columns_browser::{build_page, test_page};
use columns_core::rules::plan::Plan;
use columns_core::rules::quickstart::play_quickstart;
use columns_core::rules::replay;
use columns_core::text::group_digits;
use columns_generator::{Spec, generate};
use serde_json::{Value, json};
use std::fs;

#[test]
fn a_plan_waits_for_its_case() {
    test_page("watch?seed=1", |browser| {
        let (case, plan, score) = sample_game(96)?;
        // A plan that is opened before its case waits for that case, and is not assigned to another one.
        browser.open_files(&[("0096.txt", plan.to_string())])?;
        browser.wait_for_exact_text("#waiting", "1 plan waits for its case: 0096.txt")?;
        browser.open_files(&[("0002.txt", sample_game(2)?.0.to_string())])?;
        browser.wait_for_exact_text("#game-name", "0002.txt")?;
        assert!(!browser.text("#games")?.contains("Plans"));
        // The page assigns the plan as soon as its case is opened.
        browser.open_files(&[("0096.txt", case.to_string())])?;
        browser.wait_for_exact_text("#game-name", "0096.txt")?;
        browser.wait_until("document.getElementById('waiting').hidden")?;
        let first = format!("Plans{}", group_digits(score));
        browser.wait_for_text("#games", &first)?;
        // A second plan with the same name becomes a new player; the first plan stays.
        browser.open_files(&[("0096.txt", "1\n1 0\n")])?;
        browser.wait_for_text("#games", "Plans (2)")?;
        browser.wait_for_text("#games", &first)?;
        // The page uses a plan without a number in its name for the current case, and says so in a message.
        browser.open_files(&[("mine.txt", "1\n2 0\n")])?;
        let message = "mine.txt has no number: it is used as a plan for 0096.txt.";
        browser.wait_for_text("#message", message)?;
        // A reload keeps all cases and plans.
        let before = browser.text_without_commas("#games")?;
        browser.wait_until("location.hash.includes('plan=3')")?;
        browser.reload_after_saving(2)?;
        browser.wait_until("document.getElementById('games').children.length > 3")?;
        assert_eq!(browser.text_without_commas("#games")?, before);
        Ok(())
    });
}

#[test]
fn messages_about_invalid_files_say_what_was_expected() {
    test_page("watch?seed=1", |browser| {
        let evil = "<img src=x onerror='window.evil=1'>.txt";
        let cases: [(&str, &[u8], &str); 2] = [
            (
                "noise.bin",
                b"\xff\xfe\0",
                ": expected text, found bytes that are not UTF-8",
            ),
            (evil, b"6 13\n1\n<b>", ": line 3: expected column 1 of 1"),
        ];
        for (name, bytes, message) in cases {
            browser.open_files(&[(name, bytes)])?;
            browser.wait_until("!document.getElementById('message').hidden")?;
            // The message is part of the header and covers no other element.
            let bottom = "document.querySelector('.top').getBoundingClientRect().bottom";
            let top = "document.getElementById('watch-board').getBoundingClientRect().top";
            assert_eq!(browser.evaluate(&format!("{top} >= {bottom}"))?, true);
            let text = browser.take_message()?;
            ensure!(text.starts_with(&format!("{name}{message}")), "{text}");
            check_still_works(browser)?;
        }
        // The page rejects a file of 100 MB because of its size, without reading it.
        let path = &write_files(&browser.new_folder(), &[("large.txt", "")])?[0];
        fs::File::create(path)?.set_len(100_000_000)?;
        browser.choose("#files", &[path])?;
        assert_eq!(
            browser.take_message()?,
            "large.txt: 95 MiB is too large (limit 16 MiB)"
        );
        check_still_works(browser)?;
        // An invalid plan is played up to its mistake, where the page shows the reason.
        browser.open_files(&[("mine.txt", "3\n1 0\n2 0\n9 0\n")])?;
        browser.wait_for_text("#games", "Invalid")?;
        browser.wait_for_text(
            "#watch-info .say",
            "Plan error, line 4: expected the position",
        )?;
        assert_eq!(count_jewels(&browser.field("#watch-board")?), 6);
        // The page shows the hostile name of a valid case as text, not as HTML.
        browser.open_files(&[(evil, "6 13\n1\nabc\n")])?;
        browser.wait_for_text("#game-name", "onerror")?;
        assert_eq!(browser.text("#game-name")?, evil);
        Ok(())
    });
}

#[test]
fn pasted_texts_are_checked_in_their_dialog() {
    test_page("watch?seed=1", |browser| {
        browser.click(".tools [data-open]")?;
        for (field, text, message) in [
            ("case", "", "Both fields are empty: paste"),
            ("plan", "1\n9 0\n", "Pasted plan: line 2: expected"),
            ("case", "hello", "Pasted case: line 1: expected the width"),
        ] {
            let field = format!("document.getElementById('paste-{field}')");
            browser.run_js(&format!("{field}.value = {text:?}"))?;
            browser.click("#paste-open")?;
            browser.wait_for_text("#paste-wrong", message)?;
            // The input keeps the text so that the user can correct it.
            assert_eq!(browser.evaluate(&format!("{field}.value"))?, text);
        }
        browser.click("#open-box .acts .close")?;
        assert!(!browser.text("#games")?.contains("Plans"));
        // A plan pasted into the page belongs to the current case, not to the case pasted before.
        let name = browser.text("#game-name")?;
        for (text, game) in [
            ("6 13\n1\nabc\n", "Pasted text"),
            ("1\n2 0\n", name.as_str()),
        ] {
            browser.run_js(&format!(
                "const clipboardData = new DataTransfer(); clipboardData.setData('text/plain', {text:?});
                 document.body.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData, bubbles: true }}))"
            ))?;
            browser.wait_for_text("#games", if game == name { "Plans" } else { "Quickstart" })?;
            browser.wait_for_exact_text("#game-name", game)?;
            browser.run_js("location.hash = 'watch?seed=1'")?;
            browser.wait_for_exact_text("#game-name", &name)?;
        }
        Ok(())
    });
}

#[test]
fn only_plans_become_plans() {
    test_page("", |browser| {
        let mut files = player_files(&[2, 3], &["out/bot200"])?;
        let others = [
            ("err/bot200/0002.txt", "Segmentation fault\n"),
            ("err/0003.txt", "1\n1 0\n"),
            ("out/bot200/.DS_Store", "\0\0\0\x01Bud1"),
            ("out/bot200/report.json", "{}"),
            ("logs/0003.txt", "1234\n"),
        ];
        files.extend(others.map(|(name, text)| (name.into(), text.into())));
        let root = browser.open_folder(&files)?;
        browser.wait_for_scores(2, 2)?;
        let points = [sample_game(2)?.2, sample_game(3)?.2];
        assert_eq!(browser.points_of("bot200")?, points);
        let message = browser.take_message()?;
        let reason = " (no cases, plans, runs or boards)";
        ensure!(message.starts_with("Not opened: "), "{message}");
        ensure!(message.contains(reason), "{message}");
        // Opening a player's folder after the whole run adds no player, nor does opening the run again.
        for folder in [root.join("out/bot200"), root.clone()] {
            browser.choose("#folder", &[&folder])?;
            browser.click("#tab-results")?;
            browser.wait_for_scores(2, 2)?;
        }
        // Output that is not text is an invalid plan. Opening a folder again replaces its player, even after
        // a reload.
        browser.reload_after_saving(2)?;
        let plans: [(&str, &[u8]); 2] = [
            ("out/bot200/0002.txt", b"1\n1 \xff\xfe\n"),
            ("out/bot200/0003.txt", b"0\n"),
        ];
        browser.update_folder(&root, &plans)?;
        browser.wait_until(
            "document.querySelector('#table-body .failed')?.textContent.startsWith('Invalid')",
        )?;
        browser.wait_for_scores(2, 2)
    });
}

#[test]
fn plans_pair_by_their_exact_names() {
    test_page("", |browser| {
        let mut files = Vec::new();
        for (seed, name) in (2..).zip(["easy-1", "hard-1", "1", "01", "0001"]) {
            let case = generate(seed, &Spec::default().with_columns(20 + seed as usize)?);
            files.push((format!("in/{name}.txt"), case.to_string()));
            files.push((
                format!("out/{name}.txt"),
                play_quickstart(&case).to_string(),
            ));
        }
        browser.open_folder(&files)?;
        browser.wait_for_scores(5, 2)?;
        // Every plan is quickstart's plan for its case, so both players have equal scores everywhere.
        assert_eq!(browser.points_of("out")?, browser.points_of("Quickstart")?);
        assert_eq!(browser.message()?, "");
        Ok(())
    });
}

#[test]
fn results_of_pahcer_are_a_table() {
    test_page("", |browser| {
        let (case, plan, points) = sample_game(3)?;
        let game = |seed: u64, score: u64| {
            let (time, error) = (0.5, "");
            json!({ "seed": seed, "score": score, "execution_time": time, "error_message": error })
        };
        let (start, cases) = ("2026-11-28T02:51:07+09:00", [game(3, points), game(4, 7)]);
        let result = json!({ "start_time": start, "comment": "", "cases": cases }).to_string();
        browser.open_files(&[("result_1.json", result)])?;
        browser.wait_for_scores(2, 2)?;
        assert_eq!(browser.message()?, "");
        assert_eq!(browser.case_names()?, ["0003", "0004"]);
        // Closing the only player whose case can be watched keeps pahcer's results.
        browser.open_files(&[("run.jsonl", ledger_text(&[(2, 5)])?)])?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(3, 3)?;
        browser.click("#ranking [aria-label='Close run']")?;
        browser.wait_for_exact_text("#message p", "run was closed.")?;
        browser.wait_for_scores(2, 2)?;
        browser.wait_for_text("#table-body tr:nth-child(2)", "7")?;
        // The page assigns a result to its case even if the case is opened later.
        browser.open_files(&[
            ("0003.txt", case.to_string()),
            ("me-0003.txt", plan.to_string()),
        ])?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(2, 3)?;
        let row = browser.text_without_commas("#table-body tr")?;
        ensure!(row.matches(&points.to_string()).count() >= 2, "{row}");
        // It does the same with a run of the judge, which counts once although it is opened from two places.
        // Closing the run keeps the other result.
        let run = ledger_text(&[(4, 5)])?;
        browser.open_files(&[("run.jsonl", run.clone())])?;
        browser.open_folder(&[("copy/run.jsonl", run)])?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(2, 4)?;
        browser.click("#ranking [aria-label='Close Plans']")?;
        browser.wait_for_scores(2, 3)?;
        browser.click("#ranking [aria-label='Close run']")?;
        browser.wait_for_scores(2, 2)?;
        browser.click("#ranking [aria-label='Close result_1']")?;
        browser.wait_for_exact_text("#table-text", "1 case, 1 player.")?;
        browser.click("#message .undo")?;
        browser.wait_for_scores(2, 2)
    });
}

/// Returns the page with embedded files, as `judge open` writes it. `files` holds the name and the text of
/// each file.
pub(crate) fn page_with_files(files: &[(String, String)]) -> Result<String> {
    let file = |(name, text): &(String, String)| json!({ "name": name, "text": text });
    let files: Vec<Value> = files.iter().map(file).collect();
    let inside = json!({ "base": "https://example.org/columns.html", "files": files });
    let empty = "<script type=\"application/json\" id=\"inside\">";
    let text = fs::read_to_string(build_page()?)?;
    Ok(text.replacen(empty, &format!("{empty}{inside}"), 1))
}

#[test]
fn a_page_with_a_run_inside_opens_it() {
    test_page("", |browser| {
        let (_, plan, points) = sample_game(3)?;
        // The store may be in a hidden folder. The run knows the palette of its cases.
        let name = |file: &str| format!("../.runs/0001/{file}");
        let ledger = ledger_text(&[(2, 5), (3, points)])?;
        let files = [
            (name("in/0003.txt"), sample_game(3)?.0.to_string()),
            (name("run.jsonl"), ledger.replace("fixed", "growing")),
            (name("out/0003.txt"), plan.to_string()),
        ];
        let page = [("run.html", page_with_files(&files)?)];
        let paths = write_files(&browser.new_folder(), &page)?;
        browser.load(&paths[0], "")?;
        browser.wait_for_scores(2, 2)?;
        assert_eq!(browser.message()?, "");
        assert_eq!(browser.points_of("0001")?, [5, points]);
        browser.wait_for_text("#table-body tr:nth-child(2) .palette", "growing")?;
        browser.open_game("0003.txt", "0001")?;
        browser.reload_after_saving(2)?;
        // Shared links begin with the base address.
        browser
            .run_js("navigator.clipboard.writeText = async (text) => { window.link = text; }")?;
        browser.click(".share summary")?;
        browser.click_button(".share", "Copy link")?;
        browser.wait_until("window.link?.startsWith('https://example.org/columns.html#watch?')")?;
        browser.wait_for_exact_text("#watch-info .say", "Link copied.")
    });
}

#[test]
fn a_changed_folder_is_reloaded_automatically() {
    test_page("", |browser| {
        let [(case, plan, _), (other_case, other, points)] = [sample_game(2)?, sample_game(3)?];
        browser.replace_folder_dialog(&[
            ("2.txt", case.to_string(), plan.to_string()),
            ("3.txt", other_case.to_string(), "0\n".into()),
        ])?;
        let open = "document.getElementById('folder').click()";
        // If a folder has two plans for one case, the second is a second player. Hidden files do not count.
        browser.run_js(&format!(
            "const hidden = Object.fromEntries(Array.from({{ length: 10001 }}, (_, i) => [i, '']));
             window.disk = {{ '.git': hidden, mine: {{ '3.txt': '0\\n' }}, ...window.disk }};
             window.disk.out['b-2.txt'] = '1\\n1 0\\n'; {open}"
        ))?;
        browser.wait_for_scores(2, 4)?;
        let new_case = json!(sample_game(4)?.0.to_string());
        let new_plan = json!(other.to_string());
        browser.run_js(&format!(
            "window.disk.in['4.txt'] = {new_case}; window.disk.out['3.txt'] = {new_plan}"
        ))?;
        browser.wait_for_scores(3, 4)?;
        let text = "document.querySelector('#table-body tr:nth-child(2) [data-label=out]')
            .textContent.replaceAll(',', '')";
        browser.wait_until(&format!("{text}.startsWith('{points}')"))?;
        browser.wait_for_view("results")?;
        // A file that is no plan replaces the player's plan, although it is opened alone.
        browser.run_js("window.disk.mine['3.txt'] = 'Traceback\\n'")?;
        browser.wait_for_text("#table-body .failed", "Invalid")?;
        // Watch shows the new text of a plan, without the review of the old text. The dialog stays open.
        browser.open_game("3.txt", "out")?;
        review(browser, 1, 2)?;
        browser.click(".tools [data-open]")?;
        let plan = "1\n2 0\n";
        browser.run_js(&format!("window.disk.out['3.txt'] = {plan:?}"))?;
        let points = replay::score(&other_case, &Plan::parse(plan, other_case.width(), 60)?).points;
        browser.wait_for_text("#watch-hud", &format!("Final {}", group_digits(points)))?;
        browser.wait_for_text("#watch-review .hint", "What should have been played")?;
        assert_eq!(
            browser.evaluate("document.getElementById('open-box').open")?,
            true
        );
        browser.click("#open-box .acts .close")?;
        // The page watches the folder until the user closes all files, and again after Undo.
        browser.click("#tab-results")?;
        browser.wait_for_exact_text("#table-number option:last-child", "none")?;
        browser.click("#close-all")?;
        browser.run_js("window.disk.out['4.txt'] = '0\\n'")?;
        std::thread::sleep(std::time::Duration::from_secs(5));
        browser.wait_for_text("#results-empty:not([hidden])", "No results yet")?;
        browser.click("#message .undo")?;
        browser.wait_until(
            "document.querySelector('#table-body tr:nth-child(3) [data-label=out] .points')",
        )
    });
}

#[test]
fn a_page_without_workers_scores_plans_and_asks_the_bot() {
    test_page("", |browser| {
        let text = fs::read_to_string(build_page()?)?;
        let strict = text.replace("worker-src blob:", "worker-src 'none'");
        let paths = write_files(&browser.new_folder(), &[("strict.html", strict)])?;
        browser.load(&paths[0], "watch?seed=1")?;
        let (case, plan, points) = sample_game(2)?;
        browser.open_files(&[("2.txt", case.to_string()), ("out-2.txt", plan.to_string())])?;
        browser.wait_for_exact_text("#game-name", "2.txt")?;
        browser.wait_for_text("#games", &group_digits(points))?;
        browser.click("#watch-ask h2 button")?;
        browser.wait_for_text("#watch-ask .say", "Bot: position")
    });
}
