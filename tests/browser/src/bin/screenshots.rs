//! Takes the screenshots that the documents show.

use anyhow::{Context, Result, bail};
use clap::Parser;
use columns_browser::{Browser, Screen, build_program, missing_browser};
use columns_cli::{command, file, output};
use columns_generator::{Profile, Spec, generate};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;
use thirtyfour::Key;

/// Takes the screenshots that the documents show
#[derive(Parser)]
#[command(after_help = "\
Examples:
  cargo run -p columns-browser --bin screenshots -- target/viewer/columns.html docs/screenshots")]
struct Options {
    /// The HTML file of the page
    page: PathBuf,

    /// The output folder
    folder: PathBuf,
}

fn main() -> ExitCode {
    command::main("screenshots", |options: Options| {
        if let Some(missing) = missing_browser() {
            bail!("{missing}: on Debian, `apt-get install chromium chromium-driver`");
        }
        let page = options.page.canonicalize();
        let page = page.with_context(|| options.page.display().to_string())?;
        let _folder = file::create_folder(&options.folder)?;
        take_all(&page, &options.folder)?;
        Ok(ExitCode::SUCCESS)
    })
}

/// The number of cases in the run that the screenshots show.
const CASES: u64 = 20;

/// Writes a run of three builds of the bot: cases in `in`, and a folder of plans for each build. One plan is
/// truncated, and another ends its game early.
fn write_run(root: &Path) -> Result<()> {
    let write = |name: String, text: &[u8]| -> Result<()> {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().context("a folder")?)?;
        Ok(std::fs::write(path, text)?)
    };
    for seed in 1..=CASES {
        let case = generate(seed, &Spec::new(Profile::Short));
        write(format!("in/{seed:04}.txt"), case.to_string().as_bytes())?;
        for (build, nodes) in [
            ("beam-small", "400"),
            ("beam-wide", "6000"),
            ("new-eval", "4000"),
        ] {
            let input = std::fs::File::open(root.join(format!("in/{seed:04}.txt")))?;
            let mut bot = Command::new(build_program("bot")?);
            let mut plan = bot.args(["--nodes", nodes]).stdin(input).output()?.stdout;
            if (seed, build) == (7, "new-eval") {
                plan.truncate(plan.len() / 2);
            } else if (seed, build) == (12, "new-eval") {
                plan = b"9\n1 0\n1 0\n1 0\n1 0\n1 0\n1 0\n1 0\n1 0\n1 0\n".to_vec();
            }
            write(format!("{build}/{seed:04}.txt"), &plan)?;
        }
    }
    Ok(())
}

fn take_all(page: &Path, folder: &Path) -> Result<()> {
    let browser = Browser::open(page, "", DESKTOP)?;
    let take = |name: &str| -> Result<()> {
        // Move the pointer away, and wait until animations end.
        browser.drag((1.0, 1.0), (1.0, 1.0))?;
        std::thread::sleep(Duration::from_millis(500));
        let path = folder.join(format!("{name}.png"));
        file::write(&path, &browser.screenshot()?)?;
        output::print(&format!("{}\n", path.display()))
    };
    take_games(&browser, &take)?;
    take_results(&browser, &take)
}

/// The screen on which all screenshots are taken.
const DESKTOP: Screen = Screen::SUPPORTED[0];

/// A function that takes a screenshot. The argument is the file name without its extension.
type Take<'a> = &'a dyn Fn(&str) -> Result<()>;

/// Takes screenshots of the Watch view with the game that a new page shows, and of the Play view with a hint.
fn take_games(browser: &Browser, take: Take) -> Result<()> {
    browser
        .wait_until("document.getElementById('watch-hud').textContent.includes('Quickstart')")?;
    take("watch")?;
    browser.click("#tab-play")?;
    let hinted = "document.querySelector('#play-info .say').textContent.startsWith('Bot')";
    for _ in 0..9 {
        browser.press_keys(&['h'])?;
        browser.wait_until(hinted)?;
        browser.press_keys(&[Key::Down.value()])?;
        browser.wait_until(&format!("!{hinted}"))?;
    }
    browser.press_keys(&['h'])?;
    browser.wait_until(hinted)?;
    take("play")
}

/// Takes screenshots of the results of a run, and of the review of one of its games.
fn take_results(browser: &Browser, take: Take) -> Result<()> {
    let root = tempfile::tempdir()?;
    write_run(root.path())?;
    browser.choose_files("#folder", &[root.path()])?;
    browser.wait_until(&format!(
        "document.getElementById('table-text').textContent === '{CASES} cases, 4 players.'"
    ))?;
    browser.run_js("scrollTo(0, 0)")?;
    take("results")?;
    browser.run_js(
        "[...document.querySelectorAll('#table-body tr:nth-child(5) [data-label]')].at(-2).click()",
    )?;
    browser.press_keys(&['b'])?;
    browser.run_js("document.querySelector('#watch-review .main').click()")?;
    browser.wait_until(
        "document.querySelector('#watch-review .hint').textContent.includes('Accuracy')",
    )?;
    browser.run_js("document.querySelector('#watch-review li button')?.click(); scrollTo(0, 0)")?;
    take("review")
}
