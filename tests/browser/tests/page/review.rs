//! Reviews, Retry, Ask and hints: all of them give the same verdict on a placement, and reviews list
//! mistakes.

use super::actions::{PageActions, case_of_address, field_after, field_text, write_files};
use anyhow::{Context, Result, ensure};
use columns_browser::{Browser, build_program, test_page};
use columns_core::rules::case::Case;
use columns_core::rules::plan::{Placement, Plan};
use columns_core::rules::quickstart::play_quickstart;
use columns_core::rules::replay;
use columns_generator::{Spec, generate};
use columns_viewer::page::Page;
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

/// Returns the bot's plan for a case, with a budget of `nodes` states.
pub(crate) fn bot_plan(case: &Case, nodes: u32) -> Result<Plan> {
    let folder = tempfile::tempdir()?;
    let input = &write_files(folder.path(), &[("case", case.to_string())])?[0];
    let mut bot = Command::new(build_program("bot")?);
    bot.args(["--nodes", &nodes.to_string()])
        .stdin(fs::File::open(input)?);
    let text = String::from_utf8(bot.output()?.stdout)?;
    Ok(Plan::parse(&text, case.width(), case.columns().len())?)
}

/// Reviews the columns `from..=to` of the watched game. Returns the verdict.
pub(crate) fn review(browser: &Browser, from: usize, to: usize) -> Result<String> {
    browser.run_js(&format!(
        "const [from, to] = document.querySelectorAll('#watch-review input');
         [from.value, to.value] = [{from}, {to}]"
    ))?;
    browser.click("#watch-review .main")?;
    browser.wait_for_text("#watch-review .hint", "Accuracy")?;
    browser.text_without_commas("#watch-review .hint")
}

/// Returns the listed mistakes: the column, the played placement and the better one, which must differ. A
/// placement is written as the jewels of the shifted column and its position, such as `cfa7`.
fn listed_mistakes(browser: &Browser) -> Result<Vec<(usize, String, String)>> {
    let rows = browser.run_js(
        "document.querySelector('#watch-review > .acts:last-child > button:not([hidden])')?.click();
         return [...document.querySelectorAll('#watch-review .worst li')].map((row) => {
           const [played, better] = [...row.querySelectorAll('canvas')].map((icon) =>
             icon.getAttribute('aria-label') + icon.nextSibling.textContent);
           const [, column] = /column ([0-9,]+)/.exec(row.firstChild.title);
           return [Number(column.replaceAll(',', '')), played, better] })",
    )?;
    let rows: Vec<(usize, String, String)> = serde_json::from_value(rows)?;
    ensure!(rows.iter().all(|row| row.1 != row.2), "{rows:?}");
    Ok(rows)
}

/// In Play, asks for a hint at each of the columns `from..to`, counted from 1, and follows it. The game has
/// `columns` columns.
fn follow_hints(browser: &Browser, from: usize, to: usize, columns: usize) -> Result<()> {
    for column in from..to {
        browser.keys("h")?;
        browser.wait_for_text("#play-info .say", "Bot: ")?;
        browser.keys("Down")?;
        let next = (column + 1).min(columns);
        browser.wait_for_text("#play-info dd", &format!("{next} of {columns}"))?;
    }
    Ok(())
}

#[test]
fn the_recommended_placements_are_no_mistakes() {
    // The second game is longer: its searches end at two different columns, and several workers review it.
    for (address, columns) in [
        ("play?seed=5&width=6&height=13&colours=3&columns=25", 25),
        (
            "play?seed=4&profile=growing&width=8&height=13&colours=4&columns=70",
            70,
        ),
    ] {
        test_page(address, |browser| {
            follow_hints(browser, 1, columns + 1, columns)?;
            browser.click_button("#play-info", "Watch this game")?;
            browser.wait_for_view("watch")?;
            // When the game ends, the bot plays the case as well. Remove its plan, which may be better.
            let remove = "#games [aria-label='Remove Bot, 4 s']";
            browser.wait_until(&format!("document.querySelector(\"{remove}\")"))?;
            browser.click(remove)?;
            let text = review(browser, 1, columns)?;
            ensure!(
                text.starts_with("Accuracy 100.0 %: no mistake found."),
                "{text}"
            );
            assert_eq!(listed_mistakes(browser)?, []);
            // Retry finds nothing better than the recommended placement either.
            browser.seek(columns / 2)?;
            browser.click_button("#watch-review", "Retry")?;
            browser.wait_for_view("play")?;
            browser.keys("h")?;
            browser.wait_for_text("#play-info .say", "Bot: ")?;
            browser.keys("Down")?;
            browser.wait_for_text("#play-task p", "Nothing better found")
        });
    }
}

/// Returns the placement that the bot rates lowest in a turn, ignoring those near the top of the field.
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
    test_page("", |browser| {
        let mut missed = Vec::new();
        for seed in 1..=30 {
            let case = generate(seed, &Spec::default().with_columns(90)?);
            let mut plan = bot_plan(&case, 20_000)?;
            // A column of one colour clears itself anywhere, so placing it is not a blunder.
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
            if !listed_mistakes(browser)?
                .iter()
                .any(|(column, ..)| *column == turn + 1)
            {
                browser.seek(turn)?;
                missed.push((seed, turn, browser.text("#watch-review .now")?));
            }
        }
        ensure!(missed.len() <= 2, "{missed:?}");
        Ok(())
    });
}

#[test]
fn a_review_knows_the_other_plans_and_survives() {
    test_page("watch?seed=1", |browser| {
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
        // Review a part of the game, then the rest.
        let text = review(browser, 2, 4)?;
        ensure!(text.contains(" in 3 of 11 columns"), "{text}");
        browser.wait_for_text("#watch-review .main", "Continue")?;
        let text = review(browser, 1, 11)?;
        ensure!(text.contains("??"), "{text}");
        ensure!(
            text.contains(&format!("Plans (2) scores {} more.", high - low)),
            "{text}"
        );
        let mistakes = listed_mistakes(browser)?;
        // Keys move from one mistake to the next, and the page shows the better placement.
        let (first, _, better) = mistakes.iter().min().context("a mistake")?;
        browser.keys(if *first > 1 { "Home ." } else { "Home" })?;
        assert_eq!(browser.slider_position()? + 1, *first as u64);
        browser.wait_for_text("#watch-review .now", &better[3..])?;
        // The results have a column for the accuracy. A reload and a switch to another plan keep the review.
        browser.click("#tab-results")?;
        browser.wait_for_text("#ranking [data-player=Plans] .accuracy", " %")?;
        browser.reload_after_saving(1)?;
        browser.wait_for_text("#ranking [data-player=Plans] .accuracy", " %")?;
        browser.click("#tab-watch")?;
        browser.click_button("#games", "Plans (2)")?;
        browser.click_button("#games", "Plans")?;
        assert_eq!(browser.text_without_commas("#watch-review .hint")?, text);
        assert_eq!(listed_mistakes(browser)?, mistakes);
        // Retry hides the answer, shows it on demand, and leads back to the review.
        browser.keys(if *first > 1 { "Home ." } else { "Home" })?;
        browser.click_button("#watch-review", "Retry")?;
        browser.wait_for_text("#play-task h2", "Retry · 1.txt")?;
        assert!(!browser.text("#play-task p")?.contains("position"));
        let hidden = browser.pixel_hash("#play-board")?;
        // Watch may show another plan in the meantime.
        browser.click("#tab-watch")?;
        browser.click_button("#games", "Plans (2)")?;
        browser.click("#tab-play")?;
        browser.click_button("#play-task", "Show the answer")?;
        browser.wait_for_text("#play-task", "Better: ")?;
        assert_ne!(browser.pixel_hash("#play-board")?, hidden);
        browser.click_button("#play-task", "Next mistake")?;
        browser.wait_for_text("#play-task p", "the game loses")?;
        browser.click_button("#play-task", "Back to the review")?;
        browser.wait_for_view("watch")
    });
}

#[test]
fn a_stopped_review_keeps_its_columns() {
    test_page("", |browser| {
        browser.open_players(&[300, 60])?;
        browser.open_game("0002.txt", "out-a")?;
        browser.click("#watch-review .main")?;
        browser.wait_for_text("#watch-review .hint", " columns, about ")?;
        browser.click("#watch-review .main")?;
        browser.wait_for_text("#watch-review .main", "Continue")?;
        let text = browser.text("#watch-review .hint")?;
        ensure!(text.starts_with("Accuracy "), "{text}");
        // Switching to another case and back keeps the review.
        browser.keys("]")?;
        browser.wait_for_exact_text("#game-name", "0003.txt")?;
        browser.keys("[")?;
        browser.wait_for_exact_text("#watch-review .hint", &text)?;
        // So does a switch while the review runs.
        browser.click("#watch-review .main")?;
        browser.wait_for_text("#watch-review .hint", " columns, about ")?;
        browser.keys("]")?;
        browser.wait_for_exact_text("#watch-review .main", "Review this game")?;
        assert_eq!(browser.message()?, "");
        browser.keys("[")?;
        browser.wait_for_text("#watch-review .hint", "Accuracy ")?;
        // After a reload, reviewing an empty range does nothing.
        browser.reload_after_saving(2)?;
        review(browser, 30, 10)?;
        browser.wait_for_exact_text("#watch-review .main", "Continue")
    });
}

/// Returns the loss of the current column as the review shows it; 0 if the review shows none.
fn shown_loss(browser: &Browser) -> Result<u64> {
    let text = browser.text_without_commas("#watch-review .now")?;
    let loss = text.split("loses ").nth(1).unwrap_or("0");
    Ok(loss.split([' ', '.']).next().context("a loss")?.parse()?)
}

#[test]
fn lines_that_retry_and_ask_find_are_in_the_review() {
    let mut has_changed = [false; 2];
    test_page("", |browser| {
        let turn = 10;
        for seed in 2..6 {
            let case = generate(seed, &Spec::default().with_columns(60)?);
            let name = format!("{seed}.txt");
            browser.open_files(&[(&name, case.to_string())])?;
            browser.wait_for_exact_text("#game-name", &name)?;
            // Only one column is reviewed, so that the searches at later columns find new lines.
            review(browser, turn + 1, turn + 1)?;
            browser.seek(turn)?;
            let reviewed = shown_loss(browser)?;
            browser.click_button("#watch-review", "Retry")?;
            browser.wait_for_view("play")?;
            follow_hints(browser, turn + 1, turn + 7, 60)?;
            browser.click("#tab-watch")?;
            browser.seek(turn)?;
            let retried = shown_loss(browser)?;
            browser.click_button("#watch-ask", "Ask the bot")?;
            for _ in 0..4 {
                browser.keys("Right")?;
                browser.wait_for_text("#watch-ask .say", "Bot: ")?;
            }
            browser.click_button("#watch-ask", "Close")?;
            browser.seek(turn)?;
            let asked = shown_loss(browser)?;
            has_changed[0] |= retried != reviewed;
            has_changed[1] |= asked != retried;
            // Retry shows the same loss as the review, and a reload keeps this loss.
            browser.click_button("#watch-review", "Retry")?;
            browser.wait_for_view("play")?;
            let task = browser.text_without_commas("#play-task p")?;
            ensure!(
                task.contains(&format!("loses {asked} here")) || asked == 0,
                "{task} {asked}"
            );
            browser.click_button("#play-task", "Back to the review")?;
            browser.reload_after_saving(1)?;
            browser.wait_until("document.querySelector('#watch-review .now')?.textContent")?;
            assert_eq!(shown_loss(browser)?, asked);
        }
        assert_eq!(has_changed, [true; 2]);
        Ok(())
    });
}

const ADDRESS: &str = "watch?seed=3&width=7&height=14&colours=4&columns=150&at=20.0";

/// Returns the number directly before the text `before`.
fn number(text: &str, before: &str) -> Result<u64> {
    let words = text.split(before).next().context("text")?;
    let word = words.split_whitespace().last().context("a number")?;
    Ok(word.parse()?)
}

/// Returns the current points of one side in Compare.
pub(crate) fn side_points(browser: &Browser, name: &str) -> Result<u64> {
    let text = browser.text_without_commas(&format!("#compare-name-{name}"))?;
    number(&format!("{text} points"), " points")
}

#[test]
fn the_bots_line_is_compared_with_the_game() {
    test_page(ADDRESS, |browser| {
        let case = case_of_address(ADDRESS)?;
        browser.click("#watch-ask h2 button")?;
        // The answer is above the other elements of the panel.
        browser.wait_for_text("#watch-ask .say", "Bot: position")?;
        let first = "document.querySelector('#watch-ask h2 + div').firstElementChild.className";
        assert_eq!(browser.evaluate(first)?, "say");
        browser.wait_for_text("#watch-ask .say", "Looking 40 columns ahead, it found ")?;
        let gain = number(
            &browser.text_without_commas("#watch-ask .say")?,
            " points this way",
        )?;
        browser.click("#watch-ask .main")?;
        browser.wait_for_view("compare")?;
        let plan = play_quickstart(&case);
        let turns = replay::replay(&case, &plan);
        let field = |columns| field_text(&field_after(&case, &plan, columns));
        let before = field(20);
        browser.wait_for_field("#compare-board-a", &before)?;
        browser.wait_for_field("#compare-board-b", &before)?;
        let start_points = side_points(browser, "a")?;
        assert_eq!(start_points, turns[19].total_points);
        // Go to the next column, then to the end.
        browser.keys("Right")?;
        browser.wait_for_field("#compare-board-b", &field(21))?;
        assert_ne!(browser.field("#compare-board-a")?, before);
        browser.keys("End")?;
        assert_eq!(side_points(browser, "a")? - start_points, gain);
        assert_eq!(side_points(browser, "b")?, turns[59].total_points);
        browser.wait_for_field("#compare-board-b", &field(60))?;
        browser.wait_for_text("#compare-text", "Where the line ends")?;
        // The address restores both games.
        let line = browser.field("#compare-board-a")?;
        browser.reopen_link("until=60")?;
        browser.wait_for_field("#compare-board-a", &line)?;
        browser.wait_for_text("#compare-name-a", "A · The bot's line")?;
        assert_eq!(browser.message()?, "");
        // The line may be on the other side. The address puts it first.
        browser.select_option("#compare-b", "The bot's line")?;
        browser.select_option("#compare-a", "Quickstart")?;
        browser.wait_for_text("#compare-name-a", "A · Quickstart")?;
        browser.wait_for_text("#compare-text", "Where the line ends")?;
        browser.keys("Home")?;
        browser.reopen_link("at=0.0&until=60")?;
        browser.wait_for_text("#compare-name-a", "A · The bot's line")
    });
}

#[test]
fn the_bot_is_asked_again_after_the_end_of_a_game() {
    test_page("", |browser| {
        // The first 24 columns fill the field without a match, so the last column does not fit.
        let letter = |jewel: usize| char::from(b'a' + (jewel % 26) as u8);
        let column = |i: usize| -> String { (3 * i..3 * i + 3).map(letter).collect() };
        let columns: Vec<String> = (0..25).map(column).collect();
        let placements: Vec<String> = (0..25).map(|i| format!("{} 0", i % 6 + 1)).collect();
        let case = format!("6 13\n25\n{}\n", columns.join("\n"));
        let plan = format!("25\n{}\n", placements.join("\n"));
        browser.open_files(&[("1.txt", case), ("out-1.txt", plan)])?;
        browser.keys("End")?;
        browser.click_button("#watch-ask", "Ask the bot")?;
        browser.wait_for_text("#watch-ask .say", "The game is over.")?;
        browser.click_button("#watch-info", "Play from here")?;
        browser.keys("h")?;
        browser.wait_for_exact_text("#play-info .say", "No placement fits.")?;
        browser.click("#tab-watch")?;
        browser.keys("Left")?;
        browser.wait_for_text("#watch-ask .say", "Bot: position")
    });
}
