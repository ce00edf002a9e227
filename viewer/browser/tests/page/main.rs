//! The page in a real browser, used as a visitor uses it.
//!
//! Where the browser or the compiler's target is missing, every test says so in capitals and
//! checks nothing; with `COLUMNS_REQUIRE=browser` that is a failure.

mod chart;
mod files;
mod layout;
mod line;
mod views;

use anyhow::{ensure, Context, Result};
use columns_browser::{page, visit, Browser, Look};
use columns_core::rules::case::{Case, Colour};
use columns_core::rules::plan::{Placement, Plan};
use columns_core::rules::quickstart::quickstart;
use columns_core::rules::replay::{self, Referee};
use columns_generator::{generate, Profile, Spec, SAMPLE};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use thirtyfour::Key;

/// The rows of a field as the page shows them.
fn rows(field: &columns_core::rules::naive::NaiveField) -> String {
    let row = |y| {
        (0..field.width())
            .map(|x| field.cell(x, y).map_or('.', Colour::letter))
            .collect::<String>()
    };
    (0..field.height())
        .rev()
        .map(row)
        .collect::<Vec<_>>()
        .join("/")
}

fn points(browser: &Browser, view: &str) -> Result<u64> {
    let text = browser.text(&format!("#{view}-hud .points"))?;
    Ok(text.replace(',', "").parse()?)
}

/// Opens a player's game from the table, by the texts of both.
fn pick(browser: &Browser, game: &str, player: &str) -> Result<()> {
    browser.click("#tab-table")?;
    // Scored and drawn.
    browser.wait("document.getElementById('table-text').textContent.endsWith('players.')")?;
    let picked = browser.js(&format!(
        "const row = [...document.querySelectorAll('#table-body tr')]
           .find((row) => row.firstElementChild.textContent === {game:?});
         const cell = [...(row?.children ?? [])].find((cell) => cell.dataset.label === {player:?});
         cell?.querySelector('button')?.click();
         return Boolean(cell?.querySelector('button'));"
    ))?;
    ensure!(picked == true, "no game of {player:?} on {game:?}");
    Ok(())
}

/// What the page complains about; nothing where it does not.
fn message(browser: &Browser) -> Result<String> {
    let text = browser.js("const box = document.getElementById('message');
         return box.hidden ? '' : box.querySelector('p').textContent")?;
    Ok(text.as_str().unwrap_or_default().to_string())
}

/// Writes a file into a folder and gives its path.
fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf> {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().context("a file lies in a folder")?)?;
    fs::write(&path, bytes)?;
    Ok(path)
}

/// `Score = N` of `judge score`.
fn judged(case: &Path, plan: &Path) -> Result<u64> {
    let out = Command::new(columns_browser::program("judge")?)
        .arg("score")
        .args([case, plan])
        .output()?;
    let told = String::from_utf8(out.stderr)?;
    ensure!(out.status.success(), "{told}");
    let number = told.lines().find_map(|line| line.strip_prefix("Score = "));
    Ok(number.context("a score")?.trim().parse()?)
}

#[test]
fn the_sample_by_quickstart_ends_at_141_points() {
    visit("the sample", "watch?seed=1", Look::WIDE, |browser| {
        assert_eq!(points(browser, "watch")?, 0);
        assert_eq!(message(browser)?, "");
        browser.press(&[Key::End.value()])?;
        assert_eq!(points(browser, "watch")?, 141);
        browser.wait("document.getElementById('games').textContent.includes('141')")?;
        let case: Case = SAMPLE.parse()?;
        let end = replay::replay(&case, &quickstart(&case)).field_before(11);
        assert_eq!(browser.field("#watch-board")?, rows(&end));
        assert!(browser
            .text("#watch-info")?
            .contains("all 11 columns have landed"));
        Ok(())
    });
}

#[test]
fn scores_are_those_of_the_judge() {
    visit(
        "scores equal to the judge's on 20 cases",
        "",
        Look::WIDE,
        |browser| {
            let folder = tempfile::tempdir()?;
            let mut files = Vec::new();
            let mut expected = Vec::new();
            for (index, profile) in (1..=20).zip(Profile::ALL.into_iter().cycle()) {
                let spec = Spec::new(profile).with_columns(40 * index)?;
                let case = generate(100 + index as u64, &spec);
                let name = format!("{index:04}.txt");
                let input = write(
                    folder.path(),
                    &format!("in/{name}"),
                    case.to_string().as_bytes(),
                )?;
                let plan = if index % 2 == 0 {
                    quickstart(&case).to_string()
                } else {
                    let bot = Command::new(columns_browser::program("bot")?)
                        .args(["--nodes", "3000"])
                        .stdin(fs::File::open(&input)?)
                        .output()?;
                    String::from_utf8(bot.stdout)?
                };
                let output = write(folder.path(), &format!("out/{name}"), plan.as_bytes())?;
                expected.push((name, judged(&input, &output)?, case, plan));
                files.extend([input, output]);
            }
            let paths: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
            browser.choose("#files", &paths)?;
            browser.wait("document.querySelectorAll('#table-body tr').length === 20")?;
            assert_eq!(message(browser)?, "");
            for (name, score, case, plan) in &expected {
                pick(browser, name, "Plans")?;
                browser.press(&[Key::End.value()])?;
                assert_eq!(points(browser, "watch")?, *score, "{name}");
                let plan = Plan::parse(plan, case.width(), case.columns().len())?;
                let replay = replay::replay(case, &plan);
                let end = replay.field_before(replay.turns.len());
                assert_eq!(browser.field("#watch-board")?, rows(&end), "{name}");
            }
            assert!(expected.iter().filter(|(_, score, ..)| *score > 0).count() >= 15);
            Ok(())
        },
    );
}

#[test]
fn a_game_by_hand_is_what_its_keys_say() {
    let address = "play?seed=7&profile=constant&width=6&height=13&colours=3&columns=11";
    visit("playing by hand", address, Look::WIDE, |browser| {
        let spec = Spec::new(Profile::Constant)
            .with_width(6)?
            .with_height(13)?;
        let case = generate(7, &spec.with_colours(3)?.with_columns(11)?);
        // Every column starts above the middle; R, L move it, S shifts, D drops.
        let keys = "RRRDLLLLSDRRSSDLDRRRRRRDLLLLLLLLDSDRDLLSDRSSD";
        let mut game = Referee::new(&case);
        let (mut stack, mut shift) = (2_usize, 0);
        let mut placements = Vec::new();
        for key in keys.chars() {
            match key {
                'R' => stack = (stack + 1).min(5),
                'L' => stack = stack.saturating_sub(1),
                'S' => shift = (shift + 1) % 3,
                _ => {
                    let placement = Placement { stack, shift };
                    game.play(placement).ok().context("it fits")?;
                    placements.push(placement);
                    shift = 0;
                }
            }
            browser.press(&[match key {
                'R' => Key::Right,
                'L' => Key::Left,
                'S' => Key::Up,
                _ => Key::Down,
            }
            .value()])?;
        }
        let expected = rows(game.field());
        browser.wait(&format!(
            "document.querySelector('#play-board canvas').dataset.field === '{expected}'"
        ))?;
        assert_eq!(points(browser, "play")?, game.points());
        assert!(game.points() > 0 && placements.len() == 10);
        // Back to the start and on again.
        browser.press(&['u'; 10])?;
        assert_eq!(points(browser, "play")?, 0);
        assert!(!browser.field("#play-board")?.contains(['a', 'b', 'c']));
        browser.press(&['r'; 10])?;
        browser.wait(&format!(
            "document.querySelector('#play-board canvas').dataset.field === '{expected}'"
        ))?;
        // A hint names a placement, and the last column ends the game beside its rivals.
        browser.press(&['h'])?;
        browser.wait(
            "document.querySelector('#play-info .say').textContent.startsWith('Bot: position')",
        )?;
        browser.press(&[Key::Down.value()])?;
        browser.wait("/Bot[^a-z]*4 s[^a-z]*[0-9,]+$/.test(document.querySelector('#play-end table')?.innerText ?? '')")?;
        let table = browser.text("#play-end")?.replace(',', "");
        let rival = replay::score(&case, &quickstart(&case)).points;
        assert!(table.contains(&format!("Quickstart {rival}")), "{table}");
        Ok(())
    });
}

#[test]
fn the_bot_plays_and_its_plan_is_valid() {
    let address = "watch?seed=3&width=7&height=14&colours=5&columns=150";
    visit("the bot in the page", address, Look::WIDE, |browser| {
        browser.js("document.getElementById('open-bot').open = true; document.getElementById('bot-time').value = '1'")?;
        browser.click("#bot-play")?;
        browser.wait("!document.getElementById('bot-progress').hidden")?;
        browser.wait("document.getElementById('bot-text').textContent.includes('positions')")?;
        browser.press(&[Key::End.value()])?;
        let shown = points(browser, "watch")?;
        let told = browser.text("#bot-text")?.replace(',', "");
        assert!(told.starts_with(&format!("{shown} points")), "{told}");
        browser.js("[...document.querySelectorAll('#watch-info button')].find((b) => b.textContent === 'Download plan').click()")?;
        let (name, plan) = browser.downloaded()?;
        assert!(name.ends_with(".out.txt"), "{name}");
        let spec = Spec::default().with_width(7)?.with_height(14)?;
        let case = generate(3, &spec.with_colours(5)?.with_columns(150)?);
        let folder = tempfile::tempdir()?;
        let input = write(folder.path(), "case", case.to_string().as_bytes())?;
        let output = write(folder.path(), "plan", plan.as_bytes())?;
        let score = judged(&input, &output)?;
        assert_eq!(score, shown);
        let rival = replay::score(&case, &quickstart(&case)).points;
        assert!(score > 2 * rival, "{score} against {rival}");
        // Stopped, it says so, and plays again when asked again.
        browser.js("document.getElementById('bot-time').value = '60'")?;
        browser.click("#bot-play")?;
        browser.wait("!document.getElementById('bot-cancel').hidden")?;
        browser.click("#bot-cancel")?;
        browser.wait("document.getElementById('bot-text').textContent === 'Stopped.'")?;
        browser.js("document.getElementById('bot-time').value = '1'")?;
        browser.click("#bot-play")?;
        browser.wait("document.getElementById('bot-text').textContent.includes('positions')")?;
        Ok(())
    });
}

/// What of a moment is to be seen.
fn seen(browser: &Browser) -> Result<(String, String, String)> {
    Ok((
        browser.field("#watch-board")?,
        browser.text("#watch-info")?,
        browser
            .js("return document.querySelector('#watch-transport input').value")?
            .to_string(),
    ))
}

#[test]
fn a_link_and_a_saved_file_bring_back_the_moment() {
    let address = "watch?seed=4&profile=growing&width=8&columns=300&colours=4";
    visit("links and saved moments", address, Look::WIDE, |browser| {
        // Into the middle of a chain, somewhere.
        let spec = Spec::new(Profile::Growing)
            .with_width(8)?
            .with_columns(300)?;
        let case = generate(4, &spec.with_colours(4)?);
        let replay = replay::replay(&case, &quickstart(&case));
        let turn = replay
            .turns
            .iter()
            .position(|turn| turn.steps.len() >= 2)
            .context("a chain")?;
        browser.js(&format!(
            "const input = document.querySelector('#watch-transport input');
             input.value = {turn}; input.dispatchEvent(new Event('input')); input.blur();"
        ))?;
        browser.press(&[Key::Down.value(); 5])?;
        let before = seen(browser)?;
        assert!(before.1.contains("Step 2 of"), "{}", before.1);
        browser.wait(&format!("location.hash.endsWith('at={turn}.5')"))?;
        let hash = browser.js("return location.hash.slice(1)")?;
        let hash = hash.as_str().context("an address")?;
        assert!(hash.contains("seed=4"), "{hash}");
        browser.js("[...document.querySelectorAll('#watch-info button')].find((b) => b.textContent === 'Save moment').click()")?;
        let (name, saved) = browser.downloaded()?;
        browser.go(page()?, hash)?;
        assert_eq!(seen(browser)?, before);
        // The file, dropped into a page that shows something else.
        browser.go(page()?, "watch?seed=1")?;
        assert_ne!(seen(browser)?, before);
        let folder = tempfile::tempdir()?;
        let file = write(folder.path(), &name, saved.as_bytes())?;
        browser.choose("#files", &[&file])?;
        browser.wait(&format!("location.hash.endsWith('at={turn}.5')"))?;
        assert_eq!(seen(browser)?, before);
        // A case from a file is in the link itself.
        let own = write(folder.path(), "own.txt", b"6 13\n3\nabc\n***\nbca\n")?;
        browser.choose("#files", &[&own])?;
        browser.wait("location.hash.includes('case=6x13.abc-bca')")?;
        browser.press(&[Key::Right.value(), Key::Down.value()])?;
        browser.wait("location.hash.endsWith('at=1.1')")?;
        let before = browser.field("#watch-board")?;
        let hash = browser.js("return location.hash.slice(1)")?;
        browser.go(page()?, hash.as_str().context("an address")?)?;
        assert_eq!(browser.field("#watch-board")?, before);
        Ok(())
    });
}

#[test]
fn a_page_whose_engine_fails_starts_anew_at_its_moment() {
    let address = "watch?seed=96&at=3.0";
    visit("a failing engine", address, Look::WIDE, |browser| {
        let before = seen(browser)?;
        // The next answer of the WebAssembly is a trap, as after a panic.
        browser.js("const { decode } = TextDecoder.prototype;
            TextDecoder.prototype.decode = function () {
                TextDecoder.prototype.decode = decode;
                throw new WebAssembly.RuntimeError('unreachable');
            };
            document.documentElement.dataset.ready = 'not yet'")?;
        browser.press(&[Key::Right.into()])?;
        browser.wait("document.documentElement.dataset.ready === 'yes'")?;
        let said = message(browser)?;
        assert!(
            said.starts_with("This page was started anew: the engine failed"),
            "{said}"
        );
        assert_eq!(seen(browser)?, before);
        // It goes on.
        browser.press(&[Key::Right.into()])?;
        browser.settle()?;
        assert_ne!(seen(browser)?, before);
        Ok(())
    });
}

#[test]
fn hostile_files_and_addresses_get_a_message_and_the_page_goes_on() {
    visit("hostile inputs", "watch?seed=1", Look::WIDE, |browser| {
        let folder = tempfile::tempdir()?;
        let goes_on = |expected| -> Result<()> {
            browser.press(&[Key::Home.value(), Key::End.value()])?;
            assert_eq!(points(browser, "watch")?, expected);
            let elements = "document.querySelectorAll('img, iframe, b.evil').length";
            assert_eq!(
                browser.js(&format!("return {elements} + (window.evil ?? 0)"))?,
                0
            );
            Ok(())
        };
        let noise: Vec<u8> = (0..5000_u32)
            .map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8)
            .collect();
        let evil = "<img src=x onerror='window.evil=1'>.txt";
        let cases: [(&str, &[u8], &str); 6] = [
            (
                "noise.bin",
                &noise,
                "noise.bin: expected text, found bytes that are not UTF-8",
            ),
            (
                "cut.txt",
                b"6 13\n5\nabc\nab",
                "cut.txt: line 4: expected column 2 of 5, three letters a-z or ***, found \"ab\"",
            ),
            ("empty.txt", b"", "empty.txt: line 1: expected the width"),
            (
                "huge.txt",
                b"6 13\n99999999999999999999\n",
                "huge.txt: line 2: expected the number of columns, from 1 to 10000",
            ),
            (
                evil,
                b"6 13\n1\n<b>",
                "<img src=x onerror='window.evil=1'>.txt: line 3: expected column 1 of 1",
            ),
            ("zero.txt", b"\0\0\0\0", "zero.txt: line 1: expected"),
        ];
        for (name, bytes, told) in cases {
            let path = write(folder.path(), &name.replace('/', "_"), bytes)?;
            browser.choose("#files", &[&path])?;
            browser.wait("!document.getElementById('message').hidden")?;
            let shown = message(browser)?;
            assert!(shown.starts_with(told), "{name}: {shown}");
            goes_on(141)?;
            browser.click("#message button")?;
        }
        // 100 MB: refused by its size, before a byte of it is read.
        let path = folder.path().join("large.txt");
        fs::File::create(&path)?.set_len(100_000_000)?;
        let began = Instant::now();
        browser.choose("#files", &[&path])?;
        browser.wait("!document.getElementById('message').hidden")?;
        assert_eq!(
            message(browser)?,
            "large.txt: 95 MiB are too much, expected at most 16 MiB"
        );
        assert!(began.elapsed().as_secs() < 5);
        goes_on(141)?;
        // A good case with an evil name is shown, as text.
        let path = write(folder.path(), evil, b"6 13\n1\nabc\n")?;
        browser.choose("#files", &[&path])?;
        browser.wait("document.getElementById('game-name').textContent.includes('onerror')")?;
        assert_eq!(browser.text("#game-name")?, evil);
        // Both games are kept for the addresses to come.
        browser.wait("Object.keys(sessionStorage).filter((key) => key.startsWith('columns-game-')).length === 2")?;
        for hash in [
            "watch?case=%3Cimg%20src=x%20onerror=window.evil=1%3E",
            "watch?seed=%3Cscript%3Ewindow.evil=1%3C/script%3E",
            "watch?case=6x13.abc&plan=zzzzzz",
            "watch?case=6x13.abc&plan=%00%ff",
            "watch?seed=1&profile=__proto__",
            "%%%",
            "constructor?seed=-1",
            "play?case=6x13.&at=NaN.Infinity",
        ] {
            browser.go(page()?, hash)?;
            if hash != "%%%" {
                let shown = message(browser)?;
                assert!(
                    shown.starts_with("The link cannot be followed: "),
                    "{hash}: {shown}"
                );
            }
            // What it cannot show, a game of this session stands for.
            goes_on(141)?;
        }
        // Odd moments are the nearest there are.
        browser.go(page()?, "watch?seed=1&at=999999999.3")?;
        assert_eq!(points(browser, "watch")?, 141);
        browser.go(page()?, "watch?seed=1&plan=none&at=-5.1e99")?;
        assert_eq!(message(browser)?, "");
        Ok(())
    });
}

#[test]
fn two_plans_are_compared_in_step() {
    let address = "compare?seed=1&plan=0369&plan2=none&at=2.0";
    visit("comparing", address, Look::WIDE, |browser| {
        let case: Case = SAMPLE.parse()?;
        let plans = [
            Plan {
                placements: (0..4).map(|stack| Placement { stack, shift: 0 }).collect(),
            },
            Plan::default(),
        ];
        for (side, plan) in ["a", "b"].into_iter().zip(&plans) {
            let replay = replay::replay(&case, plan);
            let board = format!("#compare-board-{side}");
            assert_eq!(
                browser.field(&board)?,
                rows(&replay.field_before(2)),
                "{side}"
            );
        }
        browser.press(&[Key::End.value()])?;
        let text = browser.text("#compare-text")?;
        for (side, plan) in ["A", "B"].into_iter().zip(&plans) {
            let points = replay::score(&case, plan).points;
            assert!(text.contains(&format!("{side} {points}")), "{text}");
        }
        Ok(())
    });
}

#[test]
fn the_bot_can_be_asked() {
    let address = "watch?seed=3&width=7&height=14&colours=4&columns=80&at=20.0";
    visit("asking the bot", address, Look::WIDE, |browser| {
        browser.click("#watch-ask h2 button")?;
        let text = browser.text("#watch-ask p.hint")?;
        assert!(text.starts_with("The field promises"), "{text}");
        let rows = browser.js("return document.querySelectorAll('#watch-ask tbody tr').length")?;
        assert!(
            rows.as_u64().is_some_and(|rows| (7..=21).contains(&rows)),
            "{rows}"
        );
        assert_eq!(
            browser.js("return document.querySelectorAll('#watch-ask tr.chosen').length")?,
            1
        );
        // Its chain, step by step, ends with the points that were promised.
        let before = browser.field("#watch-board")?;
        let promised = text
            .split(" worth ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next())
            .context("points")?;
        browser.js("[...document.querySelectorAll('#watch-ask button')].find((b) => b.textContent.startsWith('Show this chain')).click()")?;
        browser.js("for (let i = 0; i < 99; i++) [...document.querySelectorAll('.walk button')].find((b) => b.textContent.startsWith('On ')).click()")?;
        let end = browser.js("return document.querySelector('.walk .say').textContent")?;
        assert_eq!(end, format!("{promised} points so far."));
        assert_ne!(browser.field("#watch-board")?, before);
        browser.js("[...document.querySelectorAll('.walk button')].find((b) => b.textContent === 'Back to the game').click()")?;
        assert_eq!(browser.field("#watch-board")?, before);
        Ok(())
    });
}

#[test]
fn puzzles_are_played_and_solved() {
    visit("puzzles", "puzzles", Look::WIDE, |browser| {
        let first = browser.field("#same-board")?;
        browser.click("#same-hint")?;
        browser
            .wait("document.getElementById('same-text').textContent.startsWith('Remove the')")?;
        // The hint puts the cursor onto the group; enter removes it.
        browser.js("document.querySelector('#same-board canvas').focus()")?;
        browser.press(&[Key::Enter.value()])?;
        let after = browser.field("#same-board")?;
        let tiles = |field: &str| field.chars().filter(char::is_ascii_uppercase).count();
        assert!(tiles(&after) + 2 <= tiles(&first));
        browser.click("#same-undo")?;
        assert_eq!(browser.field("#same-board")?, first);
        browser.click("#choose-maya")?;
        browser.click("#maya-last")?;
        let text = browser.text("#maya-text")?;
        assert!(text.ends_with("The answer: 2 1 1, 3 1 1, 3 0 1."), "{text}");
        assert!(!browser.field("#maya-board")?.contains(['a', 'b', 'c', 'd']));
        browser.js("document.querySelector('#maya details').open = true; document.getElementById('maya-input').value = '1\\n1 x'")?;
        browser.click("#maya-solve")?;
        browser.wait("!document.getElementById('message').hidden")?;
        let told = message(browser)?;
        assert!(told.starts_with("Line 2: expected stack 1 of 5"), "{told}");
        Ok(())
    });
}

#[test]
fn a_game_of_ten_thousand_columns_is_at_hand_everywhere() {
    let address = "watch?seed=5&profile=constant&width=12&height=19&columns=10000&colours=4";
    visit("a long game", address, Look::WIDE, |browser| {
        let spec = Spec::new(Profile::Constant)
            .with_width(12)?
            .with_height(19)?;
        let case = generate(5, &spec.with_columns(10_000)?.with_colours(4)?);
        let plan = quickstart(&case);
        assert_eq!(plan.placements.len(), 10_000);
        let shows = |turn: usize| -> Result<()> {
            let mut game = Referee::new(&case);
            for &placement in &plan.placements[..turn] {
                game.play(placement).ok().context("it fits")?;
            }
            let value = "document.querySelector('#watch-transport input').value";
            assert_eq!(browser.js(&format!("return Number({value})"))?, turn);
            assert_eq!(browser.field("#watch-board")?, rows(game.field()));
            assert_eq!(points(browser, "watch")?, game.points());
            Ok(())
        };
        // The times of these are those of the bench: the first picture's mark is what it reads.
        let mark = "return performance.getEntriesByName('first picture').length";
        assert_eq!(browser.js(mark)?, 1);
        browser.press(&[Key::Right.value(); 40])?;
        shows(40)?;
        browser.press(&[Key::Left.value(); 15])?;
        shows(25)?;
        for turn in [7919, 9999, 3] {
            browser.js(&format!(
                "const input = document.querySelector('#watch-transport input');
                 input.value = {turn};
                 input.dispatchEvent(new Event('input'))"
            ))?;
            shows(turn)?;
        }
        browser.press(&[Key::End.value()])?;
        shows(10_000)
    });
}

#[test]
fn nothing_jumps_while_a_game_goes_on() {
    let address = "watch?seed=4&profile=growing&width=8&columns=300&colours=4&at=60.0";
    for look in [Look::WIDE, Look::PHONE] {
        visit("the layout", address, look, |browser| {
            let places = "JSON.stringify([...document.querySelectorAll('#view-watch .boardbox, #view-watch .transport, #watch-info .acts, #watch-hud canvas, #watch-chain, #watch-ask')]
                .map((e) => { const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; }))";
            let before = browser.js(&format!("return {places}"))?;
            for _ in 0..40 {
                browser.press(&[Key::Down.value()])?;
                assert_eq!(browser.js(&format!("return {places}"))?, before);
            }
            Ok(())
        });
    }
}
