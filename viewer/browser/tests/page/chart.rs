//! A folder of runs that is looked at again and again: read anew, and drawn case by case.

use super::{points, write};
use anyhow::{Context, Result};
use columns_browser::{visit, Browser, Look};
use columns_core::rules::plan::Plan;
use columns_core::rules::quickstart::quickstart;
use columns_core::rules::replay;
use columns_generator::{generate, Spec};
use thirtyfour::Key;

/// Waits until the table has these numbers of cases and players, all scored.
fn scored(browser: &Browser, cases: usize, players: usize) -> Result<()> {
    browser.wait(&format!(
        "document.getElementById('table-text').textContent === '{cases} cases, {players} players.'"
    ))
}

#[test]
fn a_point_of_the_chart_opens_its_game() {
    visit("the chart of ratios", "", Look::WIDE, |browser| {
        let folder = tempfile::tempdir()?;
        // What each of the two makes of the cases, the second one by the first half of its plan.
        let mut expected = Vec::new();
        for columns in [20, 40, 60, 80] {
            let case = generate(columns as u64, &Spec::default().with_columns(columns)?);
            let whole = quickstart(&case);
            let half = Plan {
                placements: whole.placements[..columns / 2].to_vec(),
            };
            let name = format!("{columns:04}.txt");
            for (place, text) in [
                ("in", case.to_string()),
                ("old", half.to_string()),
                ("new", whole.to_string()),
            ] {
                write(folder.path(), &format!("{place}/{name}"), text.as_bytes())?;
            }
            let score = |plan: &Plan| replay::score(&case, plan).points;
            expected.push((score(&half), score(&whole)));
        }
        browser.choose("#folder", &[folder.path()])?;
        scored(browser, 4, 3)?;
        // New against old: a point for every case, the rightmost that of the longest.
        let choose = |id: &str, text: &str| {
            browser.js(&format!(
                "const select = document.getElementById('{id}');
                 select.value = [...select.options].find((o) => o.textContent === '{text}').value;
                 select.dispatchEvent(new Event('change'))"
            ))
        };
        choose("table-reference", "old")?;
        browser.click("#chart summary")?;
        browser.settle()?;
        choose("chart-player", "new")?;
        choose("chart-axis", "columns")?;
        browser.settle()?;
        browser.settle()?;
        let told = browser.text("#chart-box p")?;
        assert!(
            told.starts_with("Ratio of new to old against columns, 4 cases."),
            "{told}"
        );
        // From right to left and from top to bottom until there is a point.
        let found = browser.js(
            "const canvas = document.querySelector('#chart-box canvas'), box = canvas.getBoundingClientRect();
             for (let x = box.width - 1; x > 0; x -= 3) for (let y = 1; y < box.height; y += 3) {
               const at = { clientX: box.left + x, clientY: box.top + y, bubbles: true };
               canvas.dispatchEvent(new PointerEvent('pointermove', at));
               if (!canvas.style.cursor) continue;
               const told = document.querySelector('#chart-box p').textContent;
               canvas.dispatchEvent(new MouseEvent('click', at));
               return told; }",
        )?;
        let (old, new) = expected[3];
        let ratio = new.max(1) as f64 / old.max(1) as f64;
        assert_eq!(found, format!("0080.txt: {ratio:.3}, columns 80"));
        browser.press(&[Key::End.value()])?;
        assert_eq!(points(browser, "watch")?, new);
        Ok(())
    });
}

#[test]
fn one_click_reads_a_folder_again() {
    visit("a folder read again", "", Look::WIDE, |browser| {
        let case = generate(2, &Spec::default().with_columns(60)?);
        let whole = quickstart(&case);
        let half = Plan {
            placements: whole.placements[..30].to_vec(),
        };
        // The browser's own window for choosing a folder stands still without a person; here it
        // answers with a folder in memory.
        browser.js(&format!(
            "window.disk = {{ in: {{ '0002.txt': {:?} }}, out: {{ '0002.txt': {:?} }} }};
             const folder = (name, of) => ({{ name, kind: 'directory', async *values() {{
               for (const [inner, held] of Object.entries(of())) yield typeof held === 'string'
                 ? {{ name: inner, kind: 'file', getFile: async () => new File([held], inner) }}
                 : folder(inner, () => held); }} }});
             window.showDirectoryPicker = async () => folder('run', () => window.disk);
             document.getElementById('folder').click()",
            case.to_string(),
            half.to_string()
        ))?;
        browser.wait("document.getElementById('games').textContent.includes('out')")?;
        browser.press(&[Key::End.value()])?;
        assert_eq!(
            points(browser, "watch")?,
            replay::score(&case, &half).points
        );
        // The next build has played.
        browser.js(&format!(
            "window.disk.out['0002.txt'] = {:?}",
            whole.to_string()
        ))?;
        browser.click("#tab-table")?;
        browser.click("#again")?;
        let better = replay::score(&case, &whole).points;
        browser.wait(&format!(
            "document.getElementById('games').textContent.replaceAll(',', '').includes('out{better}')"
        ))?;
        let players = browser.text("#games")?;
        assert!(!players.contains("(2)"), "{players}");
        browser.text("#table-text").context("the table")?;
        Ok(())
    });
}
