//! The pictures of every view: `cargo xtask viewer --screenshots docs/screenshots`.

use anyhow::{bail, Context, Result};
use clap::Parser;
use columns_browser::{missing, Browser, Look};
use columns_cli::{command, file, output};
use columns_generator::{generate, Profile, Spec};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use thirtyfour::Key;

/// Takes pictures of every view of the page
#[derive(Parser)]
#[command(after_help = "\
Examples:
  cargo xtask viewer --screenshots docs/screenshots")]
struct Options {
    /// The page
    page: PathBuf,

    /// The folder that the pictures go into
    folder: PathBuf,
}

fn main() -> ExitCode {
    command::main("screenshots", |options: Options| {
        if let Some(missing) = missing() {
            bail!("{missing}: on Debian, `apt-get install chromium chromium-driver`");
        }
        let page = options.page.canonicalize();
        let page = page.with_context(|| options.page.display().to_string())?;
        let _folder = file::make_folder(&options.folder)?;
        take_all(&page, &options.folder)?;
        Ok(ExitCode::SUCCESS)
    })
}

/// The cases of the table.
const CASES: u64 = 20;

/// Writes cases of different kinds into a folder.
fn cases(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for seed in 1..=CASES {
        let case = generate(seed, &Spec::new(Profile::Short));
        let path = folder.join(format!("{seed:04}.txt"));
        file::write(&path, case.to_string().as_bytes())?;
        paths.push(path);
    }
    Ok(paths)
}

fn take_all(page: &Path, folder: &Path) -> Result<()> {
    let browser = Browser::open(page, "", WIDE)?;
    let take = |name: &str| -> Result<()> {
        // The pointer is at nothing, and whatever falls has fallen.
        browser.drag((1.0, 1.0), (1.0, 1.0))?;
        std::thread::sleep(Duration::from_millis(500));
        let path = folder.join(format!("{name}.png"));
        file::write(&path, &browser.picture()?)?;
        output::print(&format!("{}\n", path.display()))
    };
    games(&browser, &take)?;
    puzzles(&browser, &take)?;
    tables(&browser, &take)
}

/// The screen of most pictures.
const WIDE: Look = Look::SCREENS[0];

/// Takes a picture of what is to be seen, for a file of that name.
type Take<'a> = &'a dyn Fn(&str) -> Result<()>;

/// A game: watched, compared, asked about, played.
fn games(browser: &Browser, take: Take) -> Result<()> {
    // Watch: what the page begins with, the bot's game in the middle of a chain.
    browser.wait("document.getElementById('watch-hud').textContent.includes('Quickstart')")?;
    take("watch")?;
    browser.look(Look::PHONE)?;
    take("watch-phone")?;
    browser.look(WIDE.dark())?;
    browser.js("[...document.querySelectorAll('#watch-chain button')][1].click()")?;
    take("game-dark")?;
    browser.js("[...document.querySelectorAll('#watch-chain button')][0].click()")?;

    // Compare the bot with quickstart, from there on.
    browser.click("#tab-compare")?;
    take("compare-dark")?;
    browser.click("#tab-watch")?;

    // Ask: before that chain is set off; and the line of the bot's answer.
    browser.look(Look {
        height: 1080,
        ..WIDE
    })?;
    browser.press(&[Key::Right.value(), Key::Left.value(), Key::Left.value()])?;
    browser.click("#watch-ask h2 button")?;
    browser.wait("document.querySelector('#watch-ask .say').textContent.startsWith('Bot')")?;
    browser.js("scrollTo(0, 0)")?;
    take("ask")?;
    browser.click("#watch-ask .main")?;
    browser.look(WIDE)?;
    browser.press(&[Key::End.value()])?;
    take("line")?;

    // Play, with a hint.
    browser.click("#tab-play")?;
    let hinted = "document.querySelector('#play-info .say').textContent.startsWith('Bot')";
    for _ in 0..9 {
        browser.press(&['h'])?;
        browser.wait(hinted)?;
        browser.press(&[Key::Down.value()])?;
        browser.wait(&format!("!{hinted}"))?;
    }
    browser.press(&['h'])?;
    browser.wait(hinted)?;
    take("play")
}

/// The puzzles: a hint, a move of a solution, a turn.
fn puzzles(browser: &Browser, take: Take) -> Result<()> {
    browser.click("#tab-puzzles")?;
    browser.click("#same-hint")?;
    browser.wait("document.getElementById('same-text').textContent.startsWith('Remove')")?;
    take("samegame")?;
    browser.click("#choose-maya")?;
    browser.click("#maya-solution [aria-label='To the start']")?;
    take("maya")?;
    browser.click("#choose-inc")?;
    browser.click("#inc-turns [aria-label=On]")?;
    take("inc")
}

/// The table: some cases that the bot plays for a second each.
fn tables(browser: &Browser, take: Take) -> Result<()> {
    let files = tempfile::tempdir()?;
    let paths = cases(files.path())?;
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    browser.choose("#files", &paths)?;
    browser.wait(&format!(
        "document.querySelectorAll('#table-body tr').length >= {CASES}"
    ))?;
    browser.click("#tab-watch")?;
    browser.js("document.getElementById('open-bot').open = true; document.getElementById('bot-time').value = '1'")?;
    for _ in 0..CASES {
        browser.js("document.getElementById('bot-text').textContent = ''")?;
        browser.click("#bot-play")?;
        browser.wait("document.getElementById('bot-text').textContent.includes('positions')")?;
        browser.click("#game-on")?;
    }
    browser.click("#tab-table")?;
    browser.wait("document.getElementById('table-text').textContent.endsWith('players.')")?;
    browser.js("document.querySelector('#table-head .player button').click()")?;
    take("table")?;
    browser.look(Look::PHONE)?;
    take("table-phone")?;

    // How much better than quickstart, case by case.
    browser.look(WIDE.dark())?;
    browser.js("const to = document.getElementById('table-reference');
         to.value = 'Quickstart'; to.onchange(); document.getElementById('chart').open = true")?;
    take("chart-dark")
}
