//! Faults of the page that users reported. Each test covers a fault and a second one of its kind.

use super::actions::{PageActions, write_files};
use super::bench::{quickstart_game, write_run_folders};
use super::day::ledger_text;
use super::faults::{chart_texts, ledger_with_statuses};
use anyhow::{Result, ensure};
use columns_browser::{Browser, Screen, build_page, test_page};
use columns_generator::{Spec, generate};
use serde_json::json;
use thirtyfour::Key;

/// Opens cases of 60 columns with the players `out-a`, `out-b` and Quickstart.
fn open_results(browser: &Browser, cases: usize) -> Result<()> {
    let root = tempfile::tempdir()?;
    write_run_folders(root.path(), &vec![60; cases])?;
    browser.choose_files("#folder", &[root.path()])?;
    browser.wait_for_scores(cases, 3)
}

#[test]
fn a_filter_keeps_what_is_valid_and_empties_what_has_no_hit() {
    test_page("incomplete filters", "", Screen::DESKTOP, |browser| {
        open_results(browser, 6)?;
        browser.set_filter("ratio < 1")?;
        let names = browser.case_names()?;
        assert!(!names.is_empty());
        browser.wait_until("!document.getElementById('pair-losses').hidden")?;
        // An unknown word and an incomplete condition change nothing.
        for incomplete in ["ratio < 1 grow", "ratio < 1 columns >"] {
            browser.set_filter(incomplete)?;
            assert_eq!(browser.case_names()?, names, "{incomplete}");
        }
        browser.set_filter("ratio < 1 out-x")?;
        browser.wait_for_text("#table-text", "Did you mean “out-")?;
        // The name of a player is a word of the filter, and is suggested.
        browser.set_filter("out-b")?;
        assert_eq!(browser.case_names()?.len(), 6);
        browser.wait_until("document.querySelector('#filter-words [value=out-b]')")?;
        // Without a hit, neither losses nor axes nor verdicts remain.
        browser.set_filter("columns > 60")?;
        browser.wait_for_text("#verdicts", "No case passes the filter.")?;
        browser.wait_until("document.getElementById('pair-losses').hidden")?;
        let texts = chart_texts(browser)?;
        let is_number = |text: &String| text.starts_with(|c: char| c.is_ascii_digit());
        ensure!(!texts.iter().any(is_number), "{texts:?}");
        // The seeds of the filtered cases are an option of the judge.
        browser.set_filter("0003")?;
        browser.click("#copy-seeds")?;
        browser.wait_for_text("#message", "--seeds 3")
    });
}

#[test]
fn results_of_pahcer_are_a_table() {
    test_page("pahcer", "", Screen::DESKTOP, |browser| {
        let (case, plan, points) = quickstart_game(3)?;
        let result = |start: &str, score: u64| {
            json!({ "start_time": start, "comment": "", "cases": [
                { "seed": 3, "score": score, "execution_time": 0.5, "error_message": "" },
                { "seed": 4, "score": 7, "execution_time": 0.5, "error_message": "" } ] })
            .to_string()
        };
        browser.open_files(&[
            ("result_1.json", result("2026-11-28T02:51:07+09:00", points)),
            (
                "result_2.json",
                result("2026-11-28T03:51:07+09:00", points + 9),
            ),
        ])?;
        browser.wait_for_scores(2, 3)?;
        assert_eq!(browser.message()?, "");
        assert_eq!(browser.case_names()?, ["0003", "0004"]);
        browser.wait_for_text("#table-body tr:nth-child(2)", "7")?;
        ensure!(!browser.text("#ranking")?.contains("early"));
        // The case, opened later, takes the results.
        browser.open_files(&[
            ("0003.txt", case.to_string()),
            ("me-0003.txt", plan.to_string()),
        ])?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(2, 4)?;
        let row = browser.text_without_commas("#table-body tr")?;
        ensure!(row.matches(&points.to_string()).count() >= 2, "{row}");
        ensure!(
            row.contains(&format!("{} × {}", case.width(), case.height())),
            "{row}"
        );
        // Other JSON is called what it is.
        browser.open_files(&[("package.json", "{\n  \"name\": \"x\"\n}\n")])?;
        let message = "package.json: JSON, but no run of the judge or of pahcer";
        assert_eq!(browser.take_message()?, message);
        Ok(())
    });
}

#[test]
fn shades_and_distributions_tell_ratios_apart() {
    test_page("shades", "", Screen::DESKTOP, |browser| {
        let root = tempfile::tempdir()?;
        let scores = |factor: &[u64]| -> Vec<(u64, u64)> {
            (2..).zip(factor.iter().map(|f| 100 * f)).collect()
        };
        write_files(
            root.path(),
            &[
                ("runs/0001/run.jsonl", ledger_text(&scores(&[10, 10, 10]))?),
                (
                    "runs/0002/run.jsonl",
                    ledger_text(&scores(&[570, 20, 1]))?.replace("02:51", "03:51"),
                ),
            ],
        )?;
        browser.choose_files("#folder", &[&root.path().join("runs")])?;
        browser.wait_for_scores(3, 3)?;
        let shades = browser.evaluate(
            "[...document.querySelectorAll('#table-body [data-label=\"0002\"]')].map((cell) =>
                getComputedStyle(cell).backgroundColor)",
        )?;
        let shades: Vec<String> = serde_json::from_value(shades)?;
        assert!(
            shades[0] != shades[1] && shades[1] != shades[2] && shades[0] != shades[2],
            "{shades:?}"
        );
        // The bars of ×57, ×2 and ÷10 are three bars.
        let bars = browser.run_js(
            "const { data } = document.querySelector('#ranking [data-player=\"0002\"] canvas')
               .getContext('2d').getImageData(0, 20, 120, 1);
             return [...Array(15)].filter((_, i) => data[(8 * i + 4) * 4 + 3]).length",
        )?;
        assert_eq!(bars, 3);
        // All minus signs are the same.
        let text = browser.text("#results-full")?;
        let is_hyphen = |pair: &[char]| pair[0] == '-' && pair[1].is_ascii_digit();
        let letters: Vec<char> = text.chars().collect();
        ensure!(!letters.windows(2).any(is_hyphen), "{text}");
        Ok(())
    });
}

#[test]
fn texts_and_fields_are_checked_where_they_are_entered() {
    test_page(
        "wrong entries",
        "watch?seed=1",
        Screen::DESKTOP,
        |browser| {
            browser.click(".tools [data-open]")?;
            for (plan, message) in [
                (
                    "hello",
                    "Pasted plan: line 1: expected the number of placements",
                ),
                ("1\n9 0\n", "Pasted plan: line 2: expected the position"),
            ] {
                browser.run_js(&format!(
                    "document.getElementById('paste-plan').value = {plan:?}"
                ))?;
                browser.click("#paste-open")?;
                browser.wait_for_text("#paste-wrong", message)?;
            }
            browser.click("#open-box .acts .close")?;
            ensure!(!browser.text("#games")?.contains("Plans"));
            // A message about a field moves no field.
            browser.click("#tab-play")?;
            let places =
                "JSON.stringify([...document.querySelectorAll('#play-form input')].map((field) =>
            [field.offsetLeft, field.offsetTop]))";
            let before = browser.evaluate(places)?;
            for (name, valid) in [("width", "6"), ("height", "13")] {
                let set = |value: &str| {
                    let field = format!("document.querySelector('#play-form [name={name}]')");
                    browser.run_js(&format!("{field}.value = '{value}'"))
                };
                set("99")?;
                browser.click("#play-form .main")?;
                browser.wait_for_text("#play-form .wrong", &format!("he {name} must be"))?;
                assert_eq!(browser.evaluate(places)?, before, "{name}");
                set(valid)?;
            }
            Ok(())
        },
    );
}

#[test]
fn a_stopped_review_keeps_its_columns() {
    test_page("a stopped review", "", Screen::DESKTOP, |browser| {
        let root = tempfile::tempdir()?;
        write_run_folders(root.path(), &[300, 60])?;
        browser.choose_files("#folder", &[root.path()])?;
        browser.wait_for_scores(2, 3)?;
        browser.open_game("0002.txt", "out-a")?;
        browser.click("#watch-review .main")?;
        browser.wait_for_text("#watch-review .hint", " columns, about ")?;
        browser.click("#watch-review .main")?;
        browser.wait_for_text("#watch-review .main", "Continue")?;
        let text = browser.text("#watch-review .hint")?;
        ensure!(
            text.starts_with("Accuracy ") && text.contains(" columns"),
            "{text}"
        );
        // Another case and back keeps the review.
        browser.press_keys(&[']'])?;
        browser.wait_for_exact_text("#game-name", "0003.txt")?;
        browser.press_keys(&['['])?;
        browser.wait_for_exact_text("#watch-review .hint", &text)
    });
}

#[test]
fn failures_are_explained_in_watch_and_compare() {
    test_page("failures", "", Screen::DESKTOP, |browser| {
        let root = tempfile::tempdir()?;
        let ok = ledger_with_statuses(&[(2, "ok"), (3, "ok")])?;
        let failed =
            ledger_with_statuses(&[(2, "crashed"), (3, "invalid")])?.replace("02:51", "03:51");
        let plan = |seed| anyhow::Ok(quickstart_game(seed)?.1.to_string());
        write_files(
            root.path(),
            &[
                ("runs/0001/run.jsonl", ok),
                ("runs/0002/run.jsonl", failed),
                ("runs/0001/out/0002.txt", plan(2)?),
                ("runs/0001/out/0003.txt", plan(3)?),
                ("runs/0002/out/0002.txt", plan(2)?),
                ("runs/0002/out/0003.txt", "1\n99 0\n".into()),
                (
                    "runs/0002/err/0002.txt",
                    "thread main panicked: no jewels\n".into(),
                ),
            ],
        )?;
        browser.choose_files("#folder", &[&root.path().join("runs")])?;
        browser.wait_for_scores(2, 3)?;
        assert_eq!(browser.message()?, "");
        browser.open_game("0002", "0002")?;
        browser.wait_for_text("#watch-failures p", "Crashed: the reason of crashed")?;
        browser.wait_for_text("#watch-failures pre", "panicked: no jewels")?;
        browser.click("#tab-results")?;
        for name in ["0002", "0003"] {
            browser.click_button("#pair-worst", name)?;
            browser.wait_for_view("compare")?;
            let reason = ["B · Crashed: the reason of crashed", "B · Invalid: "]
                [usize::from(name == "0003")];
            browser.wait_for_text("#compare-failures p", reason)?;
            browser.press_keys(&[Key::Escape.value()])?;
        }
        Ok(())
    });
}

#[test]
fn keys_work_on_every_keyboard() {
    let address = "watch?seed=4&profile=growing&width=8&columns=300&colours=4";
    test_page("keyboards", address, Screen::DESKTOP, |browser| {
        browser.press_keys(&['n'])?;
        let chain = browser.slider_position()?;
        // Caps Lock, a Cyrillic layout, and the key that AltGr makes.
        for event in ["key: 'N', code: 'KeyN'", "key: 'т', code: 'KeyN'"] {
            browser.press_keys(&[Key::Home.value()])?;
            browser.run_js(&format!(
                "document.body.dispatchEvent(new KeyboardEvent('keydown', {{ {event}, bubbles: true }}))"
            ))?;
            assert_eq!(browser.slider_position()?, chain, "{event}");
        }
        open_results(browser, 2)?;
        browser.open_game("0002.txt", "out-a")?;
        for key in ["]", "["] {
            let name = browser.text("#game-name")?;
            browser.run_js(&format!(
                "document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', ctrlKey: true,
                     altKey: true, modifierAltGraph: true, bubbles: true }}))"
            ))?;
            browser.wait_until(&format!(
                "document.getElementById('game-name').textContent !== {name:?}"
            ))?;
        }
        // A repeated message is announced again.
        browser.run_js(
            "window.count = 0;
             new MutationObserver(() => window.count++).observe(document.getElementById('live'),
                 { childList: true, characterData: true, subtree: true })",
        )?;
        browser.set_details_open(".share", true)?;
        for count in [1, 2] {
            browser.run_js("window.count = 0")?;
            browser.click_button(".share", "Copy link")?;
            browser.wait_until("window.count > 0 || !document.getElementById('message').hidden")?;
            ensure!(
                browser.evaluate("window.count > 0")? == true,
                "copy {count}"
            );
        }
        Ok(())
    });
}

#[test]
fn plans_pair_by_their_exact_names() {
    test_page("exact names", "", Screen::DESKTOP, |browser| {
        let root = tempfile::tempdir()?;
        let names = ["easy-1", "hard-1", "1", "01", "0001"];
        for (seed, name) in (2..).zip(names) {
            let case = generate(seed, &Spec::default().with_columns(20 + seed as usize)?);
            let plan = columns_core::rules::quickstart::play_quickstart(&case);
            let file = |folder: &str| format!("{folder}/{name}.txt");
            write_files(
                root.path(),
                &[
                    (file("in"), case.to_string()),
                    (file("out"), plan.to_string()),
                ],
            )?;
        }
        browser.choose_files("#folder", &[root.path()])?;
        browser.wait_for_scores(5, 2)?;
        // Each plan is quickstart's of its own case, so the two players are equal everywhere.
        let differ = browser.evaluate(
            "[...document.querySelectorAll('#table-body tr')].filter((row) =>
                row.querySelector('[data-label=out] .points span').textContent !==
                row.querySelector('[data-label=Quickstart] .points span').textContent).length",
        )?;
        assert_eq!(differ, 0);
        assert_eq!(browser.message()?, "");
        // Everything closed and opened again has the same names.
        browser.click("#close-all")?;
        browser.wait_for_text("#results-empty", "No results yet")?;
        browser.choose_files("#folder", &[root.path()])?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(5, 2)?;
        browser.wait_until("document.querySelector('#ranking [data-player=Quickstart]')")?;
        browser.wait_until("document.querySelector('#ranking [data-player=out]')")
    });
}

#[test]
fn a_tab_that_stays_open_keeps_its_set() {
    test_page("an old tab", "", Screen::DESKTOP, |browser| {
        open_results(browser, 2)?;
        let make_old = |browser: &Browser| {
            browser.run_js(
                "return new Promise((done) => { const request = indexedDB.open('columns');
                   request.onsuccess = () => {
                     const store = request.result.transaction('sets', 'readwrite').objectStore('sets');
                     store.openCursor().onsuccess = ({ target: { result } }) => {
                       if (!result) return request.result.close(), done(true);
                       result.update({ ...result.value, used: 0 }); result.continue(); }; }; })",
            )
        };
        std::thread::sleep(std::time::Duration::from_secs(1));
        make_old(browser)?;
        browser.open_tab(build_page()?, "")?;
        browser.close_tab()?;
        browser.reload_after_saving(2)?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(2, 3)?;
        // The set of a closed tab is deleted a week later.
        std::thread::sleep(std::time::Duration::from_secs(1));
        browser.run_js("sessionStorage.clear()")?;
        browser.load(build_page()?, "")?;
        make_old(browser)?;
        browser.load(build_page()?, "")?;
        let left = browser.run_js(
            "return new Promise((done) => { const request = indexedDB.open('columns');
               request.onsuccess = () => {
                 const all = request.result.transaction('games').objectStore('games').getAll();
                 all.onsuccess = () => { request.result.close();
                   done(all.result.filter(({ opened }) => opened).length); }; }; })",
        )?;
        assert_eq!(left, 0);
        Ok(())
    });
}

#[test]
fn labels_of_charts_do_not_touch() {
    test_page("labels of charts", "", Screen::DESKTOP, |browser| {
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
        assert!(labels > 5 && touching == 0, "{touching} of {labels}");
        // The heads of the bot's table are apart.
        browser.click("#watch-ask h2 button")?;
        browser.wait_for_text("#watch-ask .say", "Bot: ")?;
        let gaps = browser.evaluate(
            "[...document.querySelectorAll('#watch-ask th')].slice(1).map((cell) => {
               const range = document.createRange(); range.selectNodeContents(cell);
               const before = document.createRange(); before.selectNodeContents(cell.previousSibling);
               return range.getBoundingClientRect().left - before.getBoundingClientRect().right; })",
        )?;
        let gaps: Vec<f64> = serde_json::from_value(gaps)?;
        assert!(gaps.iter().all(|&gap| gap > 4.0), "{gaps:?}");
        Ok(())
    });
}
