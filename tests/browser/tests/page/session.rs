//! Reloads, tabs and the browser's history: the page keeps the user's games and the current position.

use super::actions::{PageActions, case_of_address, ledger_text, player_files};
use columns_browser::{build_page, test_page};

#[test]
fn a_tab_keeps_its_set() {
    test_page("", |browser| {
        // The files total more than 30 MB, too much for session storage, which holds only 5 MB.
        let mut files = Vec::new();
        for seed in 1..=100 {
            let case = case_of_address(&format!("x?seed={seed}&width=6&columns=9000"))?;
            files.push((format!("in/{seed}.txt"), case.to_string()));
            for player in 0..10 {
                let placement = |turn| format!("{} {}\n", turn * (player + seed) % 6 + 1, turn % 3);
                let text = format!("9000\n{}", (0..9000).map(placement).collect::<String>());
                files.push((format!("p{player}/{seed}.txt"), text));
            }
        }
        browser.open_folder(&files)?;
        browser.wait_for_scores(100, 11)?;
        let before = browser.points_of("p7")?;
        browser.reload_after_saving(100)?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(100, 11)?;
        assert_eq!(browser.message()?, "");
        assert_eq!(browser.points_of("p7")?, before);
        Ok(())
    });
}

#[test]
fn every_tab_has_a_set_of_its_own() {
    test_page("", |browser| {
        browser.open_players(&[60; 2])?;
        // A duplicated tab has the same games, even in a browser without the Web Locks API. Closing the games
        // in the copy does not close the games in the first tab.
        let tab = browser.run_js("return sessionStorage.getItem('columns-set')")?;
        let no_locks = "Object.defineProperty(navigator, 'locks', { value: undefined })";
        for before in ["", no_locks] {
            let copy = format!("sessionStorage.setItem('columns-set', {tab:?}); {before}");
            browser.open_tab(build_page()?, &copy)?;
            browser.click("#tab-results")?;
            browser.wait_for_scores(2, 3)?;
            browser.click("#close-all")?;
            browser.wait_for_text("#results-empty:not([hidden])", "No results yet")?;
            std::thread::sleep(std::time::Duration::from_secs(1));
            browser.close_tab()?;
            browser.reload()?;
            browser.click("#tab-results")?;
            browser.wait_for_scores(2, 3)?;
        }
        // A week later, the set of an open tab is kept, and the set of a closed tab is deleted.
        let later = "const { now } = Date; Date.now = () => now() + 8 * 86_400_000";
        browser.open_tab(build_page()?, later)?;
        browser.close_tab()?;
        browser.reload_after_saving(2)?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(2, 3)?;
        browser.run_js("sessionStorage.clear()")?;
        browser.load(build_page()?, "")?;
        browser.open_tab(build_page()?, later)?;
        // Each of the three later tabs has saved only the game that it shows.
        assert!(browser.saved_games()? <= 3);
        Ok(())
    });
}

#[test]
fn a_second_set_keeps_the_first() {
    test_page("", |browser| {
        browser.open_folder(&player_files(&[2, 3], &["out/bot"])?)?;
        browser.wait_for_scores(2, 2)?;
        // Another folder contains a player with the same name, and different cases with the same numbers.
        let mut files = Vec::new();
        for (seed, plan) in [(2, "0\n"), (3, "1\n1 0\n")] {
            let case = case_of_address(&format!("x?seed={seed}&columns=20"))?;
            files.push((format!("y/in/{seed:04}.txt"), case.to_string()));
            files.push((format!("y/out/bot/{seed:04}.txt"), plan.into()));
        }
        browser.open_folder(&files)?;
        browser.wait_for_scores(4, 3)?;
        // The first player keeps its label, and every plan belongs only to the case in its own folder.
        for label in ["bot", "out/bot"] {
            let results = format!("#table-body [data-label=\"{label}\"] .points");
            browser.wait_until(&format!(
                "document.querySelectorAll('{results}').length === 2"
            ))?;
        }
        assert!(browser.standing("bot")?.contains("2 of 4 cases"));
        // Two runs with the same name become two players.
        let run = ledger_text(&[(2, 5), (3, 6)])?;
        for (text, players) in [(run.replace("02:51", "03:51"), 4), (run, 5)] {
            browser.open_files(&[("run.jsonl", text)])?;
            browser.click("#tab-results")?;
            browser.wait_for_scores(4, players)?;
        }
        Ok(())
    });
}

#[test]
fn reload_and_history_keep_the_users_place() {
    test_page("", |browser| {
        browser.open_players(&[60; 30])?;
        // The back button returns to the opened row. The row is marked and in its old place, even if the page
        // has grown.
        let top = |act: &str| {
            browser.run_js(&format!(
                "const row = document.querySelectorAll('#table-body tr')[20];
                 const {{ top }} = row.getBoundingClientRect(); {act}; return Math.round(top)"
            ))
        };
        browser.run_js("scrollTo(0, 600)")?;
        // Rows get their final height only when they are drawn.
        browser.wait_for_frames()?;
        let before = top("row.firstElementChild.click()")?;
        browser.wait_for_view("watch")?;
        browser.run_js("document.getElementById('verdicts').style.minHeight = '9rem'")?;
        browser.run_js("history.back()")?;
        browser.wait_for_view("results")?;
        browser.wait_for_frames()?;
        assert_eq!(top("")?, before);
        let marked = "document.querySelectorAll('[data-last]').length";
        assert_eq!(browser.evaluate(marked)?, 1);
        // The row has the keyboard focus, and Escape also leads back to it.
        let row = "document.activeElement.parentElement.hasAttribute('data-last')";
        assert_eq!(browser.evaluate(row)?, true);
        browser.keys("Enter")?;
        browser.wait_for_view("watch")?;
        browser.keys("Escape")?;
        browser.wait_for_view("results")?;
        assert_eq!(browser.evaluate(row)?, true);
        // A reload immediately after a move to another column keeps that column.
        browser.click("#tab-watch")?;
        browser.keys("Home Right Right")?;
        browser.reload()?;
        assert_eq!(browser.slider_position()?, 2);
        // A new seed adds a history entry.
        let name = browser.text("#game-name")?;
        let shown = "document.getElementById('game-name').textContent";
        browser.set_details_open("#open-seed", true)?;
        browser.click("#seed-more")?;
        browser.wait_until(&format!("{shown} !== {name:?}"))?;
        browser.run_js("history.back()")?;
        browser.wait_for_exact_text("#game-name", &name)?;
        // Back and forward lead from view to view.
        for view in ["results", "compare", "puzzles", "play"] {
            browser.click(&format!("#tab-{view}"))?;
            browser.wait_for_view(view)?;
        }
        for (step, view) in [
            ("back", "puzzles"),
            ("back", "compare"),
            ("forward", "puzzles"),
        ] {
            browser.run_js(&format!("history.{step}()"))?;
            browser.wait_for_view(view)?;
        }
        assert_eq!(browser.message()?, "");
        Ok(())
    });
}
