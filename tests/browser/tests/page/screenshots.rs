//! The screenshots in the documentation. `UPDATE_DOCS=1 cargo test -p columns-browser screenshots` takes
//! them.

use super::actions::PageActions;
use super::review::bot_plan;
use anyhow::Result;
use columns_browser::{Browser, Screen, test_page_on};
use columns_generator::{Profile, Spec, generate};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The number of cases in the run that the screenshots show.
const CASES: usize = 20;

/// Returns the files of a run of three builds of the bot: cases in `in`, and a folder of plans for each
/// build. One plan is truncated, and another ends its game early.
fn run_files() -> Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for seed in 1..=CASES as u64 {
        let case = generate(seed, &Spec::new(Profile::Short));
        for (build, nodes) in [("beam-small", 400), ("beam-wide", 6000), ("new-eval", 4000)] {
            let mut plan = bot_plan(&case, nodes)?.to_string();
            match (seed, build) {
                (7, "new-eval") => plan.truncate(plan.len() / 2),
                (12, "new-eval") => plan = format!("9\n{}", "1 0\n".repeat(9)),
                _ => {}
            }
            files.push((format!("{build}/{seed:04}.txt"), plan));
        }
        files.push((format!("in/{seed:04}.txt"), case.to_string()));
    }
    Ok(files)
}

/// Takes a screenshot of the window, and saves it in `docs/screenshots`.
fn take(browser: &Browser, name: &str) -> Result<()> {
    // Move the pointer away, and wait until animations end.
    browser.move_pointer(1, 1)?;
    std::thread::sleep(Duration::from_millis(500));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/screenshots");
    Ok(fs::write(
        folder.join(format!("{name}.png")),
        browser.screenshot()?,
    )?)
}

#[test]
fn screenshots_are_updated() {
    if std::env::var_os("UPDATE_DOCS").is_none_or(|value| value != "1") {
        return;
    }
    test_page_on(Screen::SUPPORTED[0], "", |browser| {
        browser.wait_for_text("#watch-hud", "Quickstart")?;
        take(browser, "watch")?;
        browser.click("#tab-play")?;
        for column in 1..=10 {
            browser.wait_for_text("#play-info dd", &format!("{column} of "))?;
            browser.keys("h")?;
            browser.wait_for_text("#play-info .say", "Bot: ")?;
            if column < 10 {
                browser.keys("Down")?;
            }
        }
        take(browser, "play")?;
        browser.open_folder(&run_files()?)?;
        browser.wait_for_scores(CASES, 4)?;
        browser.run_js("scrollTo(0, 0)")?;
        take(browser, "results")?;
        browser.run_js(
            "const cells = document.querySelectorAll('#table-body tr:nth-child(5) [data-label]');
             [...cells].at(-2).click()",
        )?;
        browser.click("#watch-review .main")?;
        browser.wait_for_text("#watch-review .hint", "Accuracy")?;
        browser
            .run_js("document.querySelector('#watch-review li button')?.click(); scrollTo(0, 0)")?;
        take(browser, "review")
    });
}
