//! The results table: opens folders of runs, and sorts, filters, compares and reloads them.

use super::actions::{PageActions, write_files};
use super::views::turn_points;
use anyhow::{Context, Result};
use columns_browser::{Browser, Screen, test_page};
use columns_core::rules::case::Case;
use columns_core::rules::plan::Plan;
use columns_core::rules::quickstart::play_quickstart;
use columns_core::rules::replay::{self, Turn};
use columns_core::text::group_digits;
use columns_generator::{Spec, generate};
use columns_stats::format_change;
use serde_json::json;
use std::path::Path;
use thirtyfour::Key;

/// Generates a case of 60 columns. Returns it with quickstart's plan and score.
pub(crate) fn quickstart_game(seed: u64) -> Result<(Case, Plan, u64)> {
    let case = generate(seed, &Spec::default().with_columns(60)?);
    let plan = play_quickstart(&case);
    let points = replay::score(&case, &plan).points;
    Ok((case, plan, points))
}

/// The name of a case, and the scores of the two players of [`write_run_folders`].
type CaseScores = (String, u64, u64);

/// Writes cases with these numbers of columns into `in`, quickstart's plans into `out-a`, and the first third
/// of each plan into `out-b`. The seeds are 2, 3, and so on.
pub(crate) fn write_run_folders(root: &Path, columns: &[usize]) -> Result<Vec<CaseScores>> {
    let mut scores = Vec::new();
    for (seed, &columns) in (2..).zip(columns) {
        let case = generate(seed, &Spec::default().with_columns(columns)?);
        let plan = play_quickstart(&case);
        let mut cut = plan.clone();
        cut.placements.truncate(columns / 3);
        let name = format!("{seed:04}.txt");
        let file = |folder: &str, text: String| (format!("{folder}/{name}"), text);
        let [a, b] = [&plan, &cut].map(ToString::to_string);
        write_files(
            root,
            &[
                file("in", case.to_string()),
                file("out-a", a),
                file("out-b", b),
            ],
        )?;
        let [a, b] = [plan, cut].map(|plan| replay::score(&case, &plan).points);
        scores.push((name, a, b));
    }
    Ok(scores)
}

/// Returns the points of a player, in the order of the table's rows.
pub(crate) fn read_points(browser: &Browser, label: &str) -> Result<Vec<u64>> {
    let cells = browser.run_js(&format!(
        "return [...document.querySelectorAll('#table-body tr')].map((row) => Number(
           [...row.children].find((cell) => cell.dataset.label === '{label}')
               .querySelector('.points span').firstChild.data.replaceAll(',', '')))"
    ))?;
    Ok(serde_json::from_value(cells)?)
}

/// Returns the text of a player's row in the standings, without commas: `1234` instead of `1,234`.
pub(crate) fn read_standing(browser: &Browser, player: &str) -> Result<String> {
    browser.text_without_commas(&format!("#ranking [data-player='{player}']"))
}

#[test]
fn an_opened_folder_fills_the_table() {
    test_page("the table", "", Screen::DESKTOP, |browser| {
        let root = tempfile::tempdir()?;
        let expected = write_run_folders(root.path(), &[60; 10])?;
        browser.choose_files("#folder", &[root.path()])?;
        browser.wait_for_scores(10, 3)?;
        assert_eq!(browser.message()?, "");
        let (a, b): (Vec<u64>, Vec<u64>) = expected.iter().map(|row| (row.1, row.2)).unzip();
        assert_eq!(read_points(browser, "out-a")?, a);
        assert_eq!(read_points(browser, "out-b")?, b);
        let sum = a.iter().sum::<u64>().to_string();
        let text = read_standing(browser, "out-a")?;
        assert!(text.contains(&sum), "{text}");
        // Sort by points in both directions, then filter. Sorting must not redraw the standings.
        browser.run_js("document.querySelector('#ranking tr').dataset.old = true")?;
        browser.sort_by_column("out-a")?;
        assert!(read_points(browser, "out-a")?.is_sorted_by(|a, b| a >= b));
        browser.sort_by_column("out-a")?;
        assert!(read_points(browser, "out-a")?.is_sorted());
        browser.wait_for_frames()?;
        assert_eq!(
            browser.evaluate("'old' in document.querySelector('#ranking tr').dataset")?,
            true
        );
        browser.type_into("#table-search", "cells<=126")?;
        let small = read_points(browser, "out-a")?.len();
        assert!(small > 0 && small < 10, "{small}");
        browser.wait_for_exact_text("#table-text", &format!("{small} of 10 cases, 3 players."))?;
        // The ratios are laid out inside their cells, not on top of them.
        let place = "getComputedStyle(document.querySelector('#table-body small.best')).position";
        assert_eq!(browser.evaluate(place)?, "static");
        // The filter finds a case by name.
        browser.type_into(
            "#table-search",
            &Key::Backspace.value().to_string().repeat(10),
        )?;
        browser.type_into("#table-search", "0007")?;
        browser.wait_for_exact_text("#table-text", "1 of 10 cases, 3 players.")?;
        assert_eq!(read_points(browser, "out-a")?, [a[5]]);
        browser.type_into(
            "#table-search",
            &Key::Backspace.value().to_string().repeat(4),
        )?;
        browser.wait_for_scores(10, 3)?;
        // A click opens the game of the player.
        browser.open_game("0005.txt", "out-b")?;
        browser.press_keys(&[Key::End.value()])?;
        assert_eq!(browser.shown_points("watch")?, b[3]);
        Ok(())
    });
}

#[test]
fn players_can_be_renamed_sorted_hidden_and_removed() {
    test_page("managing players", "", Screen::DESKTOP, |browser| {
        let root = tempfile::tempdir()?;
        let expected = write_run_folders(root.path(), &[60; 10])?;
        browser.choose_files("#folder", &[root.path()])?;
        browser.wait_for_scores(10, 3)?;
        // With out-a as the reference, the standings show the geometric mean ratio, wins and losses of out-b.
        browser.select_option("#table-reference", "out-a")?;
        browser.wait_for_frames()?;
        let log = |row: &CaseScores| (row.2.max(1) as f64 / row.1.max(1) as f64).ln();
        let logs: Vec<f64> = expected.iter().map(log).collect();
        let change = format_change(100.0 * (logs.iter().sum::<f64>() / 10.0).exp_m1(), 2);
        let mean = change.replace('-', "−");
        let count = |holds: fn(&f64) -> bool| logs.iter().filter(|r| holds(r)).count();
        let [won, equal, lost] = [
            count(|&r| r > 0.0),
            count(|&r| r == 0.0),
            count(|&r| r < 0.0),
        ];
        let text = read_standing(browser, "out-b")?;
        let wins = format!("{won} · {equal} · {lost}");
        assert!(text.contains(&mean) && text.contains(&wins), "{text}");
        // A reload keeps the new name and the order of the rows.
        browser.run_js(
            "const name = document.querySelector('#ranking [aria-label=\"Name of out-b\"]');
            name.value = 'mine'; name.dispatchEvent(new Event('change'))",
        )?;
        browser.wait_for_frames()?;
        browser.sort_by_column("mine")?;
        browser.wait_for_frames()?;
        let before = read_points(browser, "mine")?;
        browser.reload_after_saving(10)?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(10, 3)?;
        assert_eq!(read_points(browser, "mine")?, before);
        // The next case is the one in the next row of the table, with the same player, even after a reload.
        let first = browser.text("#table-body tr .name")?;
        browser.open_game(&first, "mine")?;
        browser.wait_for_exact_text("#game-count", "1 of 10")?;
        browser.click("#game-on")?;
        browser.wait_for_exact_text("#game-count", "2 of 10")?;
        let current = || browser.text_without_commas("#games [aria-current=true]");
        assert_eq!(current()?, format!("mine\n{}", before[1]));
        browser.reload()?;
        browser.wait_for_exact_text("#game-count", "2 of 10")?;
        assert_eq!(current()?, format!("mine\n{}", before[1]));
        browser.click("#tab-results")?;
        assert_eq!(read_points(browser, "mine")?, before);
        // Players can be hidden and closed.
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
fn compare_keeps_both_players_on_another_case() {
    test_page("comparing runs", "", Screen::DESKTOP, |browser| {
        let root = tempfile::tempdir()?;
        let expected = write_run_folders(root.path(), &[60; 4])?;
        browser.choose_files("#folder", &[root.path()])?;
        browser.wait_for_scores(4, 3)?;
        browser.open_game(&expected[0].0, "out-b")?;
        browser.click("#tab-compare")?;
        browser.select_option("#compare-b", "out-a")?;
        // Both players stay selected on another case, and after a reload.
        let stay = || -> Result<()> {
            browser.wait_for_text("#compare-name-a", "A · out-b")?;
            browser.wait_for_text("#compare-name-b", "B · out-a")
        };
        browser.run_js(
            "const s = document.getElementById('compare-case'); s.value = '2';
                s.dispatchEvent(new Event('change'))",
        )?;
        stay()?;
        browser.reload_after_saving(4)?;
        stay()?;
        // The games are the same up to the end of the truncated plan.
        browser.click_button("#compare-turns", "First difference")?;
        browser.wait_for_text("#compare-text", ": A and B are level")?;
        let text = browser.text("#compare-text")?;
        let first = text.split([' ', ':']).nth(1).context("a column")?;
        assert!(first.parse::<usize>()? > 20, "{text}");
        // Go to the column whose points differ most, even if one game has ended before it.
        let (case, whole, _) = quickstart_game(4)?;
        let mut cut = whole.clone();
        cut.placements.truncate(20);
        let [a, b] = [cut, whole].map(|plan| replay::replay(&case, &plan));
        let paid = |turns: &[Turn], turn: usize| turns.get(turn).map_or(0, turn_points);
        let apart = |turn: &usize| paid(&a, *turn).abs_diff(paid(&b, *turn));
        let most = (0..a.len().max(b.len())).rev().max_by_key(apart);
        browser.press_keys(&['b'])?;
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
fn a_folder_that_is_opened_again_replaces_its_player() {
    test_page("a folder again", "", Screen::DESKTOP, |browser| {
        let root = tempfile::tempdir()?;
        let expected = write_run_folders(root.path(), &[60; 10])?;
        browser.choose_files("#folder", &[root.path()])?;
        browser.wait_for_scores(10, 3)?;
        // Reload first: the folder must also replace plans that the page has restored together with their
        // scores.
        browser.reload_after_saving(10)?;
        let names = expected
            .iter()
            .map(|(name, ..)| (format!("out-b/{name}"), "0\n"));
        write_files(root.path(), &names.collect::<Vec<_>>())?;
        browser.choose_files("#folder", &[root.path()])?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(10, 3)?;
        let default = |seed| Ok(replay::score(&quickstart_game(seed)?.0, &Plan::default()).points);
        let default = (2..12).map(default).collect::<Result<Vec<u64>>>()?;
        browser.wait_for_text("#ranking", &group_digits(default.iter().sum()))?;
        assert_eq!(read_points(browser, "out-b")?, default);
        Ok(())
    });
}

#[test]
fn a_point_of_the_chart_opens_its_game() {
    test_page("the chart of ratios", "", Screen::DESKTOP, |browser| {
        let root = tempfile::tempdir()?;
        let expected = write_run_folders(root.path(), &[20, 40, 60, 80])?;
        browser.choose_files("#folder", &[root.path()])?;
        browser.wait_for_scores(4, 3)?;
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
        for axis in ["width", "height", "cells", "colours", "columns"] {
            browser.select_option("#chart-axis", axis)?;
            let start = format!("Ratio to out-b against {axis}, 4 points");
            browser.wait_until(&format!("{title}.startsWith({start:?})"))?;
        }
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
        browser.press_keys(&[Key::End.value()])?;
        assert_eq!(browser.shown_points("watch")?, *new);
        Ok(())
    });
}

/// Replaces the browser's dialog for choosing a folder, which no test can operate, with a folder in memory.
/// `files` holds the name, the case and the plan of each game.
pub(crate) fn replace_folder_dialog(
    browser: &Browser,
    files: &[(&str, String, String)],
) -> Result<()> {
    let files = json!(files);
    browser.run_js(&format!(
        "window.disk = {{ in: {{}}, out: {{}} }};
         for (const [name, text, plan] of {files}) Object.assign(window.disk, {{
           in: {{ ...window.disk.in, [name]: text }}, out: {{ ...window.disk.out, [name]: plan }} }});
         const folder = (name, of) => ({{ name, kind: 'directory', async *values() {{
           for (const [inner, held] of Object.entries(of())) yield typeof held === 'string'
             ? {{ name: inner, kind: 'file', getFile: async () => new File([held], inner) }}
             : folder(inner, () => held); }} }});
         window.showDirectoryPicker = async () => folder('run', () => window.disk)"
    ))?;
    Ok(())
}
