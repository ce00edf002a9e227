//! Measures how fast the page starts, steps and sorts, and the speed of the page's bot relative to the native
//! bot. Prints every figure with its limit.
//!
//! Times depend on the machine's load. The figures for the start and for the bot are the best of several
//! runs; the figures for steps are the median, the 99th percentile and the maximum. Runs of the two bots
//! alternate, so that load affects both and their ratio is reliable.

// A failed print does not matter: no program reads the figures.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use anyhow::{Context, Result, bail};
use columns_browser::{Browser, Screen, build_page, build_program, missing_browser};
use columns_core::rules::quickstart::play_quickstart;
use columns_generator::{Profile, Spec, generate};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

fn main() -> Result<()> {
    if let Some(missing) = missing_browser() {
        bail!("{missing}: on Debian, `apt-get install chromium chromium-driver`");
    }
    measure_start()?;
    let address = "watch?seed=5&profile=constant&width=12&height=19&columns=10000&colours=4";
    print_steps(&Browser::open(build_page()?, address, Screen::DESKTOP)?)?;
    measure_review()?;
    measure_run(&RunSize {
        cases: 300,
        spec: Spec::default(),
        players: 8,
        max_open_s: 5,
        max_sort_ms: 50,
    })?;
    let spec = Spec::new(Profile::Constant)
        .with_width(12)?
        .with_height(19)?;
    measure_run(&RunSize {
        cases: 200,
        spec: spec.with_columns(10_000)?.with_colours(3)?,
        players: 1,
        max_open_s: 20,
        max_sort_ms: 100,
    })?;
    measure_bot(6, 13, 4, 0.45)?;
    measure_bot(12, 19, 6, 0.65)
}

/// Measures the time until the page has drawn its first game.
fn measure_start() -> Result<()> {
    let bytes = fs::metadata(build_page()?)?.len();
    let browser = Browser::open(build_page()?, "", Screen::DESKTOP)?;
    let mut best = f64::MAX;
    for _ in 0..5 {
        browser.load(build_page()?, "")?;
        // The page sets this mark when the first game is on the canvas.
        let time =
            browser.run_js("return performance.getEntriesByName('first picture')[0].startTime")?;
        best = best.min(time.as_f64().context("a time")?);
    }
    println!("page: {bytes} bytes, first picture after {best:.0} ms (limit: 500)");
    Ok(())
}

/// Measures single steps by key (one column or moment forward, one column back) and jumps with the slider.
/// Each time covers the whole event: the request, drawing, and writing the address.
fn print_steps(browser: &Browser) -> Result<()> {
    let times = browser.run_js(
        "const press = (key) => { const start = performance.now();
           document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true,
               cancelable: true }));
           return performance.now() - start; };
         const input = document.querySelector('#watch-transport input');
         const jump = (turn) => { const start = performance.now(); input.value = turn;
           input.dispatchEvent(new Event('input')); return performance.now() - start; };
         const steps = { on: () => press('ArrowRight'), moment: () => press('ArrowDown'),
           back: () => press('ArrowLeft'), jump: (i) => jump(Math.floor((i * 7919) % input.max)) };
         return Object.entries(steps).map(([kind, step]) =>
           [kind, Array.from({ length: 400 }, (_, i) => step(i)).sort((a, b) => a - b)])",
    )?;
    let times: Vec<(String, Vec<f64>)> = serde_json::from_value(times)?;
    for (kind, list) in times {
        let (median, late, worst) = (list[200], list[395], list[399]);
        println!(
            "step, {kind}: median {median:.1} ms, 99 of 100 within {late:.1} ms (limit: 16), \
             worst {worst:.1} ms"
        );
    }
    Ok(())
}

/// Measures the review of a game of 1,000 columns, and the gaps between frames during the review.
fn measure_review() -> Result<()> {
    let address = "watch?seed=3&profile=constant&width=9&height=16&columns=1000&colours=4";
    let browser = Browser::open(build_page()?, address, Screen::DESKTOP)?;
    browser.run_js(
        "window.gaps = []; let last = performance.now();
         const tick = (now) => { gaps.push(now - last); last = now; requestAnimationFrame(tick); };
         requestAnimationFrame(tick)",
    )?;
    let start = Instant::now();
    browser.click("#watch-review button")?;
    browser.wait_until(
        "document.querySelector('#watch-review .hint').textContent.includes('Accuracy')",
    )?;
    let seconds = start.elapsed().as_secs_f64();
    let longest = browser.run_js("return Math.max(...gaps.slice(1))")?;
    let longest = longest.as_f64().context("a time")?;
    println!(
        "review of 1,000 columns: {seconds:.1} s (limit: 60), longest frame {longest:.0} ms (limit: 50)"
    );
    Ok(())
}

/// The size of a run, and the time limits for the page.
struct RunSize {
    cases: u64,
    spec: Spec,
    players: usize,
    /// Time limit for opening and scoring, in seconds.
    max_open_s: u32,
    /// Time limit for sorting, in milliseconds.
    max_sort_ms: u32,
}

/// Writes a run: cases in `in`, and a folder for each player with quickstart's plans. The plans of each
/// player are one placement shorter than those of the previous player.
fn write_run_folders(root: &Path, size: &RunSize) -> Result<()> {
    let folder = |number: usize| root.join(format!("2026-11-27_beam-width-{number}00"));
    fs::create_dir(root.join("in"))?;
    (1..=size.players).try_for_each(|number| fs::create_dir(folder(number)))?;
    for seed in 1..=size.cases {
        let case = generate(seed, &size.spec);
        let name = format!("{seed:04}.txt");
        fs::write(root.join("in").join(&name), case.to_string())?;
        let mut plan = play_quickstart(&case);
        for number in 1..=size.players {
            fs::write(folder(number).join(&name), plan.to_string())?;
            plan.placements.pop();
        }
    }
    Ok(())
}

/// Opens a run, sorts its table and steps through a game.
fn measure_run(size: &RunSize) -> Result<()> {
    let root = tempfile::tempdir()?;
    write_run_folders(root.path(), size)?;
    let browser = Browser::open(build_page()?, "", Screen::DESKTOP)?;
    let before = browser.memory_mib();
    let start = Instant::now();
    browser.choose_files("#folder", &[root.path()])?;
    // Each row has four cells about the case, then a score for each player.
    let RunSize { cases, players, .. } = size;
    let is_complete = format!(
        "(() => {{ const rows = [...document.querySelectorAll('#table-body tr')];
           return rows.length === {cases} && rows.every((row) => [...row.children].slice(4, 4 + {players})
             .every((cell) => cell.textContent !== '–' && !cell.textContent.includes('…'))); }})()"
    );
    browser.wait_until(&is_complete)?;
    let opened = start.elapsed().as_secs_f64();
    // Measure the time from the click until the browser has painted the sorted rows.
    let sorted = browser.run_js(
        "return new Promise((done) => {
           const times = [], heads = () => document.querySelectorAll('#table-head th');
           const { port1, port2 } = new MessageChannel();
           let start = 0;
           const next = () => requestAnimationFrame(() => { start = performance.now();
             heads()[times.length % heads().length].click(); port2.postMessage(0); });
           port1.onmessage = () => { times.push(performance.now() - start);
             if (times.length < 3 * heads().length) next(); else done(times.sort((a, b) => a - b)); };
           next(); })",
    )?;
    let sorted: Vec<f64> = serde_json::from_value(sorted)?;
    println!(
        "{cases} cases, {players} players: opened in {opened:.1} s (limit: {}), table sorted in \
         {:.0} ms (median), {:.0} ms (maximum, limit: {})",
        size.max_open_s,
        sorted[sorted.len() / 2],
        sorted[sorted.len() - 1],
        size.max_sort_ms
    );
    // Right after sorting, the browser does not lay out rows that are out of sight. Wait until it does.
    browser.wait_until(
        "document.querySelector('#table-body tr:nth-child(3)').style.contentVisibility === ''",
    )?;
    browser.click("#table-body tr:nth-child(3) td")?;
    browser.wait_until("!document.getElementById('view-watch').hidden")?;
    print_steps(&browser)?;
    // Wait until the page has saved the run. Then measure how long a reload takes to restore it.
    browser.run_js("return new Promise((done) => setTimeout(done, 3000))")?;
    let start = Instant::now();
    browser.reload()?;
    browser.click("#tab-results")?;
    browser.wait_until(&is_complete)?;
    let seconds = start.elapsed().as_secs_f64();
    println!("reload with these games: complete table after {seconds:.1} s (limit: 4)");
    if let (Some(before), Some(after)) = (before, browser.memory_mib()) {
        println!("memory: {before:.0} MiB, with these games {after:.0} MiB (limit: 559)");
    }
    Ok(())
}

/// Returns the speed that the page reports for its bot, in states per second.
fn speed_in_page(browser: &Browser) -> Result<f64> {
    browser.run_js("document.getElementById('bot-text').textContent = ''")?;
    browser.click("#bot-play")?;
    browser.wait_until("document.getElementById('bot-text').textContent.includes('states')")?;
    let speed = browser.run_js(
        "const text = document.getElementById('bot-text').textContent.replaceAll(',', '');
         const [, count, time] = text.match(/([0-9]+) states in ([0-9.]+) s/);
         return count / time",
    )?;
    speed.as_f64().context("a speed")
}

/// Returns the speed of the native bot in a release build, in states per second.
fn native_speed(case: &str) -> Result<f64> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("case");
    fs::write(&path, case)?;
    let out = Command::new(build_program("bot")?)
        .args(["--time-limit", "4", "--stats"])
        .stdin(fs::File::open(&path)?)
        .stdout(Stdio::null())
        .output()?;
    let stats: Value = serde_json::from_slice(&out.stderr)?;
    let number = |name: &str| stats[name].as_f64().with_context(|| format!("no {name}"));
    Ok(number("nodes")? / number("wall_s")?)
}

/// Measures the speed of the bot in the page relative to the native bot. Prints the ratio beside `min_ratio`,
/// the lowest acceptable ratio, but does not fail below it.
fn measure_bot(width: usize, height: usize, colours: usize, min_ratio: f64) -> Result<()> {
    let spec = Spec::new(Profile::Constant)
        .with_width(width)?
        .with_height(height)?
        .with_columns(1000)?
        .with_colours(colours)?;
    let case = generate(2, &spec).to_string();
    let address = format!(
        "watch?seed=2&profile=constant&width={width}&height={height}&columns=1000&colours={colours}"
    );
    let browser = Browser::open(build_page()?, &address, Screen::DESKTOP)?;
    browser.run_js(
        "document.getElementById('open-bot').open = true;
         document.getElementById('bot-time').value = '4'",
    )?;
    let (mut here, mut there) = (0.0_f64, 0.0_f64);
    for _ in 0..3 {
        here = here.max(speed_in_page(&browser)?);
        there = there.max(native_speed(&case)?);
    }
    println!(
        "bot, {width} x {height}: {here:.0} states/s in the page, {there:.0} natively, ratio \
         {:.2} (at least {min_ratio})",
        here / there
    );
    Ok(())
}
