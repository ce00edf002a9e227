//! A walk through the page in Firefox: sorting, filter, game, best chain, Ask, line, review and video.

use super::actions::{PageActions, player_files};
use super::files::page_with_files;
use anyhow::{Context, Result};
use columns_browser::{Browser, missing_firefox, missing_wasm_target};
use columns_test_support::{Requirement, report_untested};
use std::fs;

fn walk(browser: &Browser) -> Result<()> {
    browser.wait_for_scores(6, 3)?;
    browser.sort_by_column("one")?;
    browser.set_filter("0003")?;
    browser.wait_for_text("#table-text", "1 of 6 cases, 3 players.")?;
    browser.set_filter("")?;
    browser.open_game("0004.txt", "one")?;
    browser.keys("b")?;
    assert!(browser.slider_position()? > 0);
    browser.click_button("#watch-ask", "Ask the bot")?;
    browser.wait_for_text("#watch-ask .say", "Bot: position")?;
    browser.click_button("#watch-ask", "Compare its line")?;
    browser.wait_for_view("compare")?;
    browser.wait_for_text("#compare-name-a", "The bot's line")?;
    browser.click("#tab-watch")?;
    browser.click_button("#watch-review", "Review this game")?;
    browser.wait_for_text("#watch-review .hint", "Accuracy")?;
    browser.set_details_open(".share", true)?;
    browser.click_button(".share", "Video")?;
    browser.wait_for_text("#watch-info .say", "The video was saved to your downloads.")?;
    assert_eq!(browser.message()?, "");
    // A reload restores the games.
    browser.click("#tab-results")?;
    browser.click("#ranking [aria-label='Close two']")?;
    browser.wait_for_scores(6, 2)?;
    browser.reload_after_saving(6)?;
    browser.click("#tab-results")?;
    browser.wait_for_scores(6, 2)
}

#[test]
fn the_page_works_in_firefox() {
    if let Some(lacking) = missing_firefox().or_else(missing_wasm_target) {
        return report_untested(Requirement::Firefox, "the page in Firefox", &lacking);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.html");
    // The page contains a run, since geckodriver cannot choose folders.
    let files = player_files(&[2, 3, 4, 5, 6, 7], &["one", "two"]).unwrap();
    fs::write(&path, page_with_files(&files).unwrap()).unwrap();
    let browser = Browser::open_in_firefox(&path).context("Firefox").unwrap();
    walk(&browser).unwrap();
}
