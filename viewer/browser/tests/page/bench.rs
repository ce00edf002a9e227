//! The table as a workbench: folders of runs that are compared, looked at case by case, and read
//! again and again.

use super::views::pays;
use super::visitor::{write, Visitor};
use anyhow::{Context, Result};
use columns_browser::{visit, Browser, Look};
use columns_core::rules::case::Case;
use columns_core::rules::plan::Plan;
use columns_core::rules::quickstart::quickstart;
use columns_core::rules::replay::{self, Turn};
use columns_core::text::grouped;
use columns_generator::{generate, Spec};
use serde_json::json;
use std::path::Path;
use thirtyfour::Key;

/// A case by seed, the plan of the quickstart for it and what that scores.
pub(crate) fn made(seed: u64) -> Result<(Case, Plan, u64)> {
    let case = generate(seed, &Spec::default().with_columns(60)?);
    let plan = quickstart(&case);
    let points = replay::score(&case, &plan).points;
    Ok((case, plan, points))
}

/// The name of a case, and what the two players of [`folders`] score on it.
type Scores = (String, u64, u64);

/// Cases in `in`, quickstart's plans in `out-a`, the first third of each in `out-b`.
pub(crate) fn folders(root: &Path, columns: &[usize]) -> Result<Vec<Scores>> {
    let mut scores = Vec::new();
    for (seed, &columns) in (2..).zip(columns) {
        let case = generate(seed, &Spec::default().with_columns(columns)?);
        let plan = quickstart(&case);
        let mut cut = plan.clone();
        cut.placements.truncate(columns / 3);
        let name = format!("{seed:04}.txt");
        let file = |folder: &str, text: String| (format!("{folder}/{name}"), text);
        let [a, b] = [&plan, &cut].map(ToString::to_string);
        write(
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

/// The numbers of a column of the table.
pub(crate) fn column(browser: &Browser, label: &str) -> Result<Vec<u64>> {
    let cells = browser.js(&format!(
        "return [...document.querySelectorAll('#table-body tr')].map((row) => Number(
           [...row.children].find((cell) => cell.dataset.label === '{label}').querySelector('.points').firstChild.data.replaceAll(',', '')))"
    ))?;
    Ok(serde_json::from_value(cells)?)
}

/// What the card of a player says, its numbers without commas.
pub(crate) fn card(browser: &Browser, player: &str) -> Result<String> {
    browser.plain(&format!("#cards [data-player='{player}']"))
}

#[test]
fn a_folder_becomes_a_table() {
    visit("the table", "", Look::WIDE, |browser| {
        let root = tempfile::tempdir()?;
        let expected = folders(root.path(), &[60; 10])?;
        browser.choose("#folder", &[root.path()])?;
        browser.scored(10, 3)?;
        assert_eq!(browser.message()?, "");
        let (a, b): (Vec<u64>, Vec<u64>) = expected.iter().map(|row| (row.1, row.2)).unzip();
        assert_eq!(column(browser, "out-a")?, a);
        assert_eq!(column(browser, "out-b")?, b);
        let sum = format!("Sum\n{}", a.iter().sum::<u64>());
        let shown = card(browser, "out-a")?;
        assert!(shown.contains(&sum), "{shown}");
        // By points, the most first; again, the least first; then only some kinds.
        browser.push("#table-head .player", "out-a")?;
        assert!(column(browser, "out-a")?.is_sorted_by(|a, b| a >= b));
        browser.push("#table-head .player", "out-a")?;
        assert!(column(browser, "out-a")?.is_sorted());
        browser.type_into("#table-search", "cells<=126")?;
        let small = column(browser, "out-a")?.len();
        assert!(small > 0 && small < 10, "{small}");
        browser.says_only("#table-text", &format!("{small} of 10 cases, 3 players."))?;
        // The ratios stay in their cells.
        let place = "getComputedStyle(document.querySelector('#table-body small.best')).position";
        assert_eq!(browser.value(place)?, "static");
        // A case is found by its name.
        browser.type_into(
            "#table-search",
            &Key::Backspace.value().to_string().repeat(10),
        )?;
        browser.type_into("#table-search", "0007")?;
        browser.says_only("#table-text", "1 of 10 cases, 3 players.")?;
        assert_eq!(column(browser, "out-a")?, [a[5]]);
        browser.type_into(
            "#table-search",
            &Key::Backspace.value().to_string().repeat(4),
        )?;
        browser.scored(10, 3)?;
        // A click opens the game of that player.
        browser.pick("0005.txt", "out-b")?;
        browser.press(&[Key::End.value()])?;
        assert_eq!(browser.points("watch")?, b[3]);
        Ok(())
    });
}

#[test]
fn the_table_is_a_workbench_for_players() {
    visit("the workbench", "", Look::WIDE, |browser| {
        let root = tempfile::tempdir()?;
        let expected = folders(root.path(), &[60; 10])?;
        browser.choose("#folder", &[root.path()])?;
        browser.scored(10, 3)?;
        // Against out-a: the mean of the ratios, wins and losses.
        browser.select("#table-reference", "out-a")?;
        browser.settle()?;
        let ratio = |row: &Scores| row.2.max(1) as f64 / row.1.max(1) as f64;
        let ratios: Vec<f64> = expected.iter().map(ratio).collect();
        let mean = format!("{:.4}", ratios.iter().sum::<f64>() / 10.0);
        let count = |holds: fn(&f64) -> bool| ratios.iter().filter(|r| holds(r)).count();
        let wins = format!("{} – {}", count(|&r| r > 1.0), count(|&r| r < 1.0));
        let shown = card(browser, "out-b")?;
        assert!(shown.contains(&mean) && shown.contains(&wins), "{shown}");
        // Renamed, and sorted by its points; a reload keeps that.
        browser.unfold("#players", true)?;
        browser.js(
            "const name = document.querySelector('#players [aria-label=\"Name of out-b\"]');
            name.value = 'mine'; name.dispatchEvent(new Event('change'))",
        )?;
        browser.settle()?;
        browser.push("#table-head .player", "mine")?;
        browser.settle()?;
        let before = column(browser, "mine")?;
        browser.reload_with(10)?;
        browser.click("#tab-results")?;
        browser.scored(10, 3)?;
        assert_eq!(column(browser, "mine")?, before);
        // The next case is the table's next, of the same player, after a reload as well.
        let first = browser.text("#table-body tr .name")?;
        browser.pick(&first, "mine")?;
        browser.says_only("#game-count", "1 of 10")?;
        browser.click("#game-on")?;
        browser.says_only("#game-count", "2 of 10")?;
        let shown = || browser.plain("#games [aria-current=true]");
        assert_eq!(shown()?, format!("mine\n{}", before[1]));
        browser.reload()?;
        browser.says_only("#game-count", "2 of 10")?;
        assert_eq!(shown()?, format!("mine\n{}", before[1]));
        browser.click("#tab-results")?;
        assert_eq!(column(browser, "mine")?, before);
        // Hidden and removed.
        browser.unfold("#players", true)?;
        browser.click("#players [aria-label='Show Quickstart']")?;
        browser.scored(10, 2)?;
        browser.click("#players [aria-label='Remove mine']")?;
        browser.scored(10, 1)
    });
}

#[test]
fn two_players_are_compared_from_case_to_case() {
    visit("comparing runs", "", Look::WIDE, |browser| {
        let root = tempfile::tempdir()?;
        let expected = folders(root.path(), &[60; 4])?;
        browser.choose("#folder", &[root.path()])?;
        browser.scored(4, 3)?;
        browser.pick(&expected[0].0, "out-b")?;
        browser.click("#tab-compare")?;
        browser.select("#compare-b", "out-a")?;
        // Both stay for another case, and after a reload.
        let stay = || -> Result<()> {
            browser.says("#compare-name-a", "A · out-b")?;
            browser.says("#compare-name-b", "B · out-a")
        };
        browser
            .js("const s = document.getElementById('compare-case'); s.value = '2'; s.onchange()")?;
        stay()?;
        browser.reload_with(4)?;
        stay()?;
        // Both begin alike, and differ from where one plan was cut.
        browser.click("#compare-first")?;
        browser.says("#compare-text", "Column 21: they are level")?;
        // The column whose points differ most, be it after the end of one game.
        let (case, whole, _) = made(4)?;
        let mut cut = whole.clone();
        cut.placements.truncate(20);
        let [a, b] = [cut, whole].map(|plan| replay::replay(&case, &plan).turns);
        let paid = |turns: &[Turn], turn: usize| turns.get(turn).map_or(0, pays);
        let apart = |turn: &usize| paid(&a, *turn).abs_diff(paid(&b, *turn));
        let most = (0..a.len().max(b.len())).rev().max_by_key(apart);
        browser.click("#compare-most")?;
        let most = most.context("columns")? + 1;
        browser.says("#compare-text", &format!("Column {most}: "))?;
        // A click on the chart goes there.
        browser.js("const c = document.getElementById('compare-chart'), b = c.getBoundingClientRect();
            c.dispatchEvent(new MouseEvent('click', { clientX: b.left + b.width * 30.5 / 60, clientY: b.top + 5 }))")?;
        browser.says("#compare-text", "Column 31: ")
    });
}

#[test]
fn a_folder_that_is_opened_again_takes_its_place() {
    visit("a folder again", "", Look::WIDE, |browser| {
        let root = tempfile::tempdir()?;
        let expected = folders(root.path(), &[60; 10])?;
        browser.choose("#folder", &[root.path()])?;
        browser.scored(10, 3)?;
        // After a reload as well, when everything has been scored.
        browser.reload_with(10)?;
        let names = expected
            .iter()
            .map(|(name, ..)| (format!("out-b/{name}"), "0\n"));
        write(root.path(), &names.collect::<Vec<_>>())?;
        browser.choose("#folder", &[root.path()])?;
        browser.click("#tab-results")?;
        browser.scored(10, 3)?;
        let default = |seed| Ok(replay::score(&made(seed)?.0, &Plan::default()).points);
        let default = (2..12).map(default).collect::<Result<Vec<u64>>>()?;
        browser.says("#cards", &grouped(default.iter().sum()))?;
        assert_eq!(column(browser, "out-b")?, default);
        Ok(())
    });
}

#[test]
fn a_point_of_the_chart_opens_its_game() {
    visit("the chart of ratios", "", Look::WIDE, |browser| {
        let root = tempfile::tempdir()?;
        let expected = folders(root.path(), &[20, 40, 60, 80])?;
        browser.choose("#folder", &[root.path()])?;
        browser.scored(4, 3)?;
        browser.select("#table-reference", "out-b")?;
        browser.settle()?;
        let shares = browser.value(
            "[...document.querySelectorAll('#table-body [data-label=out-a] small')].map((share) => share.textContent)",
        )?;
        let ratio = |row: &Scores| format!("{:.3}", row.1.max(1) as f64 / row.2.max(1) as f64);
        let ratios: Vec<String> = expected.iter().map(ratio).collect();
        assert_eq!(shares, json!(ratios));
        // A point for every case and player, the rightmost those of the longest.
        let title = "document.querySelector('#chart canvas').getAttribute('aria-label')";
        for axis in ["width", "height", "colours", "columns"] {
            browser.select("#chart-axis", axis)?;
            let start = format!("Ratio to out-b against {axis}: 8 points");
            browser.wait(&format!("{title}.startsWith({start:?})"))?;
        }
        browser.settle()?;
        // From right to left and from top to bottom until there is a point of that player.
        let found = browser.js(
            "const canvas = document.querySelector('#chart-box canvas'), box = canvas.getBoundingClientRect();
             for (let x = box.width - 1; x > 0; x -= 3) for (let y = 1; y < box.height; y += 3) {
               const at = { clientX: box.left + x, clientY: box.top + y, bubbles: true };
               canvas.dispatchEvent(new PointerEvent('pointermove', at));
               const tip = document.querySelector('#chart-box .tip');
               if (tip.hidden || !tip.textContent.includes('out-a')) continue;
               canvas.dispatchEvent(new MouseEvent('click', at));
               return tip.textContent; }",
        )?;
        let (name, new, _) = &expected[3];
        assert_eq!(found, format!("{name} · out-a: {}, columns 80", ratios[3]));
        browser.press(&[Key::End.value()])?;
        assert_eq!(browser.points("watch")?, *new);
        Ok(())
    });
}

/// The browser's own window for choosing a folder stands still without a person; from now on it
/// answers with one in memory, of cases and plans by their names.
pub(crate) fn disk(browser: &Browser, files: &[(&str, String, String)]) -> Result<()> {
    let files = json!(files);
    browser.js(&format!(
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

#[test]
fn one_click_reads_a_folder_again() {
    visit("a folder read again", "", Look::WIDE, |browser| {
        let (case, whole, better) = made(2)?;
        let mut half = whole.clone();
        half.placements.truncate(30);
        disk(browser, &[("0002.txt", case.to_string(), half.to_string())])?;
        browser.js("document.getElementById('folder').click()")?;
        browser.says("#games", "out")?;
        browser.press(&[Key::End.value()])?;
        let worse = replay::score(&case, &half).points;
        assert_eq!(browser.points("watch")?, worse);
        // The next build has played.
        browser.js(&format!(
            "window.disk.out['0002.txt'] = {:?}",
            whole.to_string()
        ))?;
        browser.click("#tab-results")?;
        browser.click("#again")?;
        let shown = "document.getElementById('games').textContent.replaceAll(',', '')";
        browser.wait(&format!("{shown}.includes('out{better}')"))?;
        assert!(!browser.text("#games")?.contains("(2)"));
        Ok(())
    });
}
