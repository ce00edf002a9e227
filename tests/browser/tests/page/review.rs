//! Reviews, Retry and Ask: they judge the same placement alike, and list what was played badly.

use super::actions::{PageActions, case_of_address, write_files};
use anyhow::{Context, Result, ensure};
use columns_browser::{Browser, Screen, build_program, test_page};
use columns_core::rules::case::Case;
use columns_core::rules::plan::{Placement, Plan};
use columns_core::rules::quickstart::play_quickstart;
use columns_core::rules::replay;
use columns_generator::{Spec, generate};
use columns_viewer::page::Page;
use serde_json::{Value, json};
use std::fs;
use std::process::Command;
use thirtyfour::Key;

/// Returns the plan of the bot with a budget of `nodes` states.
fn bot_plan(case: &Case, nodes: u32) -> Result<Plan> {
    let folder = tempfile::tempdir()?;
    let input = &write_files(folder.path(), &[("case", case.to_string())])?[0];
    let mut bot = Command::new(build_program("bot")?);
    bot.args(["--nodes", &nodes.to_string()])
        .stdin(fs::File::open(input)?);
    let text = String::from_utf8(bot.output()?.stdout)?;
    Ok(Plan::parse(&text, case.width(), case.columns().len())?)
}

/// Reviews the columns `from..=to` of the watched game. Returns the verdict.
fn review(browser: &Browser, from: usize, to: usize) -> Result<String> {
    browser.run_js(&format!(
        "const [from, to] = document.querySelectorAll('#watch-review input');
         [from.value, to.value] = [{from}, {to}]"
    ))?;
    browser.click("#watch-review .main")?;
    browser.wait_for_text("#watch-review .hint", "Accuracy")?;
    browser.text_without_commas("#watch-review .hint")
}

/// Returns the listed mistakes: the column, and the played and the better placement as `cfa7`.
fn listed(browser: &Browser) -> Result<Vec<(usize, String, String)>> {
    let rows = browser.run_js(
        "document.querySelector('#watch-review > .acts:last-child > button:not([hidden])')?.click();
         return [...document.querySelectorAll('#watch-review .worst li')].map((row) => {
           const [played, better] = [...row.querySelectorAll('canvas')].map((icon) =>
             icon.getAttribute('aria-label') + icon.nextSibling.textContent);
           const [, column] = /column ([0-9,]+)/.exec(row.firstChild.title);
           return [Number(column.replaceAll(',', '')), played, better] })",
    )?;
    Ok(serde_json::from_value(rows)?)
}

/// Plays the recommended placement at every column of the game in Play.
fn follow_hints(browser: &Browser, columns: usize) -> Result<()> {
    for column in 1..=columns {
        browser.press_keys(&['h'])?;
        browser.wait_for_text("#play-info .say", "Bot: ")?;
        browser.press_keys(&[Key::Down.value()])?;
        let next = (column + 1).min(columns);
        browser.wait_for_text("#play-info dd", &format!("{next} of {columns}"))?;
    }
    Ok(())
}

#[test]
fn the_recommended_placements_are_no_mistakes() {
    // The second game has two horizons, so that two workers review it.
    for (address, columns) in [
        (
            "play?seed=3&profile=constant&width=7&height=14&colours=4&columns=25",
            25,
        ),
        (
            "play?seed=4&profile=growing&width=8&height=13&colours=4&columns=70",
            70,
        ),
        (
            "play?seed=5&profile=constant&width=6&height=13&colours=3&columns=25",
            25,
        ),
    ] {
        test_page(
            "recommended placements",
            address,
            Screen::DESKTOP,
            |browser| {
                follow_hints(browser, columns)?;
                browser.click_button("#play-info", "Watch this game")?;
                browser.wait_for_view("watch")?;
                let text = review(browser, 1, columns)?;
                ensure!(
                    text.starts_with("Accuracy 100.0 %: no mistake found."),
                    "{text}"
                );
                assert_eq!(listed(browser)?, []);
                // The same placement, played again, is as good.
                browser.seek(columns / 2)?;
                browser.click_button("#watch-review", "Retry")?;
                browser.wait_for_view("play")?;
                browser.press_keys(&['h'])?;
                browser.wait_for_text("#play-info .say", "Bot: ")?;
                browser.press_keys(&[Key::Down.value()])?;
                browser.wait_for_text("#play-task", "Nothing better found")
            },
        );
    }
}

/// Returns the worst placement of a turn that does not end the game soon, by the bot's value.
fn worst_placement(case: &Case, plan: &Plan, turn: usize) -> Result<Placement> {
    let mut page = Page::default();
    let mut ask = |request: Value| -> Result<Value> {
        let answer: Value = serde_json::from_str(&page.answer(request.to_string().as_bytes()))?;
        Ok(answer["ok"].clone())
    };
    let game = ask(json!({ "ask": "watch", "case": case.to_string(), "plan": plan.to_string() }))?;
    let evaluation = ask(json!({ "ask": "evaluate", "game": game["game"], "turn": turn }))?;
    let placements = evaluation["placements"].as_array().context("placements")?;
    let survives = |placement: &&Value| placement["row"].as_u64() < Some(case.height() as u64 - 5);
    let worst = placements.iter().rfind(survives).context("a placement")?;
    let [stack, shift] = ["stack", "shift"].map(|name| worst[name].as_u64().unwrap_or(0) as usize);
    Ok(Placement { stack, shift })
}

#[test]
fn planted_blunders_are_listed() {
    test_page("planted blunders", "", Screen::DESKTOP, |browser| {
        let mut missed = Vec::new();
        for seed in 1..=30 {
            let case = generate(seed, &Spec::default().with_columns(90)?);
            let mut plan = bot_plan(&case, 20_000)?;
            // A column of one colour clears itself anywhere, so it is not a blunder.
            let is_plain =
                |turn: &usize| case.columns()[*turn].shifted(0) != case.columns()[*turn].shifted(1);
            let mut turns = 20 + seed as usize..case.columns().len();
            let turn = turns.find(is_plain).context("a column")?;
            plan.placements[turn] = worst_placement(&case, &plan, turn)?;
            let name = |folder: &str| format!("{folder}-{seed}.txt");
            browser.open_files(&[
                (name("case"), case.to_string()),
                (name("mine"), plan.to_string()),
            ])?;
            browser.wait_for_exact_text("#game-name", &name("case"))?;
            review(browser, turn + 1, turn + 1)?;
            let mistakes = listed(browser)?;
            if !mistakes.iter().any(|(column, ..)| *column == turn + 1) {
                browser.seek(turn)?;
                missed.push((seed, turn, browser.text("#watch-review .now")?));
            }
            for (_, played, better) in mistakes {
                assert_ne!(played, better, "{seed}");
            }
        }
        ensure!(missed.len() <= 2, "{missed:?}");
        Ok(())
    });
}

#[test]
fn a_review_knows_the_other_plans_and_survives() {
    test_page("a review", "watch?seed=1", Screen::DESKTOP, |browser| {
        let case = case_of_address("x?seed=1")?;
        let (quick, better) = (play_quickstart(&case), bot_plan(&case, 20_000)?);
        let [low, high] = [&quick, &better].map(|plan| replay::score(&case, plan).points);
        assert!(high > low);
        browser.open_files(&[
            ("1.txt", case.to_string()),
            ("a-1.txt", quick.to_string()),
            ("b-1.txt", better.to_string()),
        ])?;
        browser.wait_for_text("#games", "Plans (2)")?;
        browser.click_button("#games", "Plans")?;
        // A part of the game, then the rest.
        let text = review(browser, 2, 4)?;
        ensure!(text.contains(" in 3 of 11 columns"), "{text}");
        browser.wait_for_text("#watch-review .main", "Continue")?;
        let text = review(browser, 1, 11)?;
        ensure!(text.contains("??"), "{text}");
        ensure!(
            text.contains(&format!("Plans (2) scores {} more.", high - low)),
            "{text}"
        );
        let mistakes = listed(browser)?;
        assert!(
            mistakes.iter().all(|(_, played, better)| played != better),
            "{mistakes:?}"
        );
        // Keys go from mistake to mistake, and the page names the better placement.
        let (first, _, better) = mistakes.iter().min().context("a mistake")?;
        browser.press_keys(&[Key::Home.value()])?;
        if *first > 1 {
            browser.press_keys(&['.'])?;
        }
        assert_eq!(browser.slider_position()? + 1, *first as u64);
        browser.wait_for_text("#watch-review .now", &better[3..])?;
        let shown = browser.pixel_hash("#watch-board")?;
        browser.press_keys(&[Key::Down.value()])?;
        browser.press_keys(&[Key::Up.value()])?;
        assert_eq!(browser.pixel_hash("#watch-board")?, shown);
        // The accuracy is a column of the results. Another game and a reload keep the review.
        browser.click("#tab-results")?;
        browser.wait_for_text("#ranking [data-player=Plans] .accuracy", " %")?;
        browser.reload_after_saving(1)?;
        browser.wait_for_text("#ranking [data-player=Plans] .accuracy", " %")?;
        browser.click("#tab-watch")?;
        browser.click_button("#games", "Plans (2)")?;
        browser.click_button("#games", "Plans")?;
        assert_eq!(browser.text_without_commas("#watch-review .hint")?, text);
        assert_eq!(listed(browser)?, mistakes);
        // Retry hides the answer, shows it on demand, and leads on and back.
        browser.press_keys(&[Key::Home.value(), '.'])?;
        browser.click_button("#watch-review", "Retry")?;
        browser.wait_for_text("#play-task h2", "Retry · 1.txt")?;
        assert!(!browser.text("#play-task p")?.contains("position"));
        browser.press_keys(&[Key::Down.value()])?;
        browser.wait_until(
            "/Nothing|loses/.test(document.querySelector('#play-task p').textContent)",
        )?;
        let hidden = browser.pixel_hash("#play-board")?;
        browser.click_button("#play-task", "Show the answer")?;
        browser.wait_for_text("#play-task", "Better: ")?;
        assert_ne!(browser.pixel_hash("#play-board")?, hidden);
        browser.click_button("#play-task", "Back to the review")?;
        browser.wait_for_view("watch")
    });
}
