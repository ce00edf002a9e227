//! The pictures of every view: `cargo xtask viewer --screenshots docs/screenshots`.

use anyhow::{bail, Context, Result};
use clap::Parser;
use columns_browser::{missing, Browser, Look};
use columns_cli::{command, file};
use columns_core::case::Case;
use columns_core::game;
use columns_generator::{generate, Profile, Spec};
use columns_viewer::link;
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
        file::make_folder(&options.folder)?;
        take_all(&page, &options.folder)?;
        Ok(ExitCode::SUCCESS)
    })
}

/// The address of the game that the bot plays before its picture is taken.
const GAME: &str = "watch?seed=12&profile=constant&width=8&height=15&colours=5&columns=120";

/// The same game.
fn case() -> Result<Case> {
    let spec = Spec::new(Profile::Constant)
        .with_width(8)?
        .with_height(15)?;
    Ok(generate(12, &spec.with_colours(5)?.with_columns(120)?))
}

/// The longest chain of the game that the page shows: its turn, and the moment in which its
/// middle step is marked.
fn longest_chain(browser: &Browser) -> Result<(usize, usize)> {
    let address = browser.js("return location.hash")?;
    let plan = address
        .as_str()
        .and_then(|hash| hash.split("plan=").nth(1))
        .and_then(|rest| rest.split('&').next())
        .context("the address holds no plan")?;
    let case = case()?;
    let plan = link::unpack_plan(plan, &case).map_err(anyhow::Error::msg)?;
    let replay = game::replay(&case, &plan);
    let turns = replay.turns.iter().enumerate();
    let (turn, longest) = turns
        .max_by_key(|(_, turn)| turn.steps.len())
        .context("nothing was played")?;
    Ok((turn, 2 + 3 * (longest.steps.len() / 2)))
}

fn take_all(page: &Path, folder: &Path) -> Result<()> {
    let browser = Browser::open(page, GAME, Look::WIDE)?;
    let take = |name: &str| -> Result<()> {
        // Whatever falls has fallen by then.
        std::thread::sleep(Duration::from_millis(400));
        let path = folder.join(format!("{name}.png"));
        file::write(&path, &browser.picture()?)?;
        println!("{}", path.display());
        Ok(())
    };

    // Watch: the longest chain of the bot's game, in its middle.
    browser.js("document.getElementById('open-bot').open = true; document.getElementById('bot-time').value = '1'")?;
    browser.click("#bot-play")?;
    browser.wait("document.getElementById('bot-text').textContent.includes('positions')")?;
    browser.js("document.getElementById('open-bot').open = false; scrollTo(0, 0)")?;
    browser.press(&[Key::End.value()])?;
    browser.wait("Number(location.hash.split('at=')[1]) > 0")?;
    let (turn, moment) = longest_chain(&browser)?;
    go_to(&browser, turn, moment)?;
    take("watch")?;
    browser.look(Look::PHONE)?;
    browser.js("document.getElementById('open').open = false; scrollTo(0, 0)")?;
    take("watch-phone")?;
    browser.look(Look::WIDE)?;

    // Ask: before that chain is set off.
    go_to(&browser, turn, 0)?;
    browser.js("document.getElementById('open').open = true")?;
    browser.click("#watch-ask h2 button")?;
    browser.js("document.getElementById('watch-ask').scrollIntoView({ block: 'end' })")?;
    take("ask")?;

    // Compare the bot with the quickstart.
    browser.click("#tab-compare")?;
    browser.press(&[Key::Home.value()])?;
    for _ in 0..60 {
        browser.press(&[Key::Right.value()])?;
    }
    browser.look(Look::WIDE.dark())?;
    take("compare-dark")?;
    browser.look(Look::WIDE)?;

    // Play, with a hint.
    browser.click("#tab-play")?;
    for _ in 0..9 {
        browser.press(&['h'])?;
        browser.wait("document.querySelector('#play-info .say').textContent.startsWith('Bot')")?;
        browser.press(&[Key::Down.value()])?;
        browser.wait("!document.querySelector('#play-info .say').textContent.startsWith('Bot')")?;
    }
    browser.press(&['h'])?;
    browser.wait("document.querySelector('#play-info .say').textContent.startsWith('Bot')")?;
    take("play")?;
    browser.look(Look::PHONE.dark())?;
    browser.js("scrollTo(0, 0)")?;
    take("play-phone-dark")?;
    browser.look(Look::WIDE)?;

    browser.click("#tab-puzzles")?;
    browser.click("#same-hint")?;
    browser.wait("document.getElementById('same-text').textContent.startsWith('Remove')")?;
    take("puzzles")?;
    Ok(())
}

/// Shows a moment, as its link would.
fn go_to(browser: &Browser, turn: usize, moment: usize) -> Result<()> {
    browser.js(&format!(
        "location.hash = location.hash.replace(/at=.*/, 'at={turn}.{moment}')"
    ))?;
    browser.wait(&format!(
        "document.querySelector('#watch-transport input').value === '{turn}'"
    ))
}
