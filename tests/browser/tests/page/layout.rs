//! The layout of the page: at every size nothing is cut off, covered or scrollable inside the page,
//! and axe-core finds no fault.

use super::actions::{PageActions, write_files};
use super::bench::{quickstart_game, write_run_folders};
use anyhow::{Result, ensure};
use columns_browser::{Browser, Screen, build_page, load_axe_script, test_page};
use columns_test_support::{Requirement, report_untested};
use serde_json::json;
use thirtyfour::Key;

/// A script that checks the boxes of all visible elements. It returns a line for each fault.
const FAULTS: &str = r#"
const shown = (e) =>
  e.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) &&
  !e.closest('.unseen, [aria-hidden=true], .cover, dialog') &&
  e.getBoundingClientRect().width > 0;
const name = (e) => {
  const [id, text] = [e.id ? '#' + e.id : '', (e.textContent || e.value || '').trim().slice(0, 30)];
  return `${e.tagName.toLowerCase()}${id}.${e.className?.baseVal ?? e.className} "${text}"`;
};
const round = (number) => number.toFixed(0);
const faults = [];
const all = [...document.body.querySelectorAll('*')].filter(shown);
// The elements that a user reads or operates: controls, canvases, and elements with their own text.
const own = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
const control = (e) => /^(BUTTON|INPUT|SELECT|TEXTAREA|CANVAS|SUMMARY|PROGRESS)$/.test(e.tagName);
const seen = all.filter(
  (e) => (control(e) || own(e)) && !e.closest('svg') && !/^(OPTION)$/.test(e.tagName),
);
for (const e of seen) {
  const b = e.getBoundingClientRect();
  if (b.left < -0.5 || b.right > innerWidth + 0.5)
    faults.push(`outside: ${name(e)} ${round(b.left)}..${round(b.right)} of ${innerWidth}`);
  for (let p = e.parentElement; p && p !== document.body; p = p.parentElement) {
    if (getComputedStyle(p).overflow === 'visible') continue;
    const o = p.getBoundingClientRect();
    if (b.left < o.left - 1 || b.right > o.right + 1 || b.top < o.top - 1 || b.bottom > o.bottom + 1)
      faults.push(`cut by ${name(p)}: ${name(e)}`);
  }
  if (
    e.tagName !== 'SELECT' &&
    !/^(TEXTAREA|CANVAS)$/.test(e.tagName) &&
    e.scrollWidth > e.clientWidth + 1 &&
    e.clientWidth
  )
    faults.push(`wider than its box: ${name(e)} ${e.scrollWidth} > ${e.clientWidth}`);
}
// The longest option of a select must fit next to its arrow. Names of players are also elsewhere.
const pen = document.createElement('canvas').getContext('2d');
for (const e of all.filter((e) => e.tagName === 'SELECT' && !e.closest('.choose, #pair-tools'))) {
  const style = getComputedStyle(e);
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const text =
    [...e.options]
      .map((o) => o.textContent)
      .sort((a, b) => pen.measureText(b).width - pen.measureText(a).width)[0] ?? '';
  const room = e.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 16;
  if (pen.measureText(text).width > room + 1)
    faults.push(
      `select cut: ${name(e)} "${text}" ${round(pen.measureText(text).width)} > ${round(room)}`,
    );
}
// No element inside the page may scroll.
for (const e of all) {
  if (e === document.documentElement || e === document.body || e.tagName === 'TEXTAREA') continue;
  if (
    /auto|scroll/.test(getComputedStyle(e).overflow) &&
    (e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1)
  )
    faults.push(`scrolls: ${name(e)}`);
}
// Elements must not overlap, except the slider and its chart.
const boxes = seen
  .filter((e) => !e.closest('.line-of-time') || e.tagName === 'CANVAS')
  .map((e) => [e, e.getBoundingClientRect()]);
boxes.forEach(([e, b], i) => {
  for (const [f, c] of boxes.slice(i + 1)) {
    if (e.contains(f) || f.contains(e)) continue;
    const w = Math.min(b.right, c.right) - Math.max(b.left, c.left),
      h = Math.min(b.bottom, c.bottom) - Math.max(b.top, c.top);
    if (w > 1.5 && h > 1.5) faults.push(`overlap: ${name(e)} and ${name(f)} ${round(w)} x ${round(h)}`);
  }
});
// The playback buttons must form one row.
for (const row of all.filter((e) => e.matches('.buttons'))) {
  const tops = [...row.children].filter(shown).map((e) => {
    const b = e.getBoundingClientRect();
    return b.top + b.height / 2;
  });
  if (Math.max(...tops) - Math.min(...tops) > 2) faults.push('the transport has more than one row');
}
// The board, the elements next to it, and its controls must fit into the window together.
for (const e of all.filter((e) =>
  e.matches('.stage, .stage > *, #same-board, #samegame .acts button'),
)) {
  if (e.getBoundingClientRect().bottom > innerHeight + 0.5) faults.push(`below the window: ${name(e)}`);
}
const wide = document.documentElement.scrollWidth;
if (wide > innerWidth) faults.push(`the page is ${wide} wide`);
return faults;
"#;

/// Fails if a visible element has a fault on this screen. `what` names the state of the page.
fn check_layout(browser: &Browser, what: &str, screen: Screen) -> Result<()> {
    browser.set_screen(screen)?;
    browser.run_js("scrollTo(0, 0)")?;
    // Canvases are resized in the next frame.
    browser.wait_for_frames()?;
    let faults = browser.run_js(FAULTS)?;
    ensure!(faults == json!([]), "{what} at {screen:?}: {faults:#}");
    Ok(())
}

/// Fails if axe-core finds any violation on this screen. `what` names the state of the page.
fn check_accessibility(browser: &Browser, what: &str, screen: Screen) -> Result<()> {
    browser.set_screen(screen)?;
    browser.wait_for_frames()?;
    let violations = browser.run_js(
        "return axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
           .map(({ id, help, nodes }) =>
             [id, help, ...nodes.flatMap(({ html, any }) =>
               [html.slice(0, 140), ...any.map(({ message }) => message)])].join(': ')))",
    )?;
    ensure!(
        violations == json!([]),
        "{what} at {screen:?}: {violations:#}"
    );
    Ok(())
}

/// Opens every view with all of its panels, and calls `check_state` in each state.
fn tour(browser: &Browser, check_state: impl Fn(&str) -> Result<()>) -> Result<()> {
    // Wait for the fonts.
    browser.run_js("return document.fonts.ready.then(() => true)")?;
    check_state("watch")?;
    browser.set_details_open("#view-watch details", true)?;
    check_state("watch, unfolded")?;
    browser.click_button("#watch-chain", "The best")?;
    check_state("watch, the best chains")?;
    browser.set_details_open("#view-watch details", false)?;
    // Go to a position that has a best chain.
    browser.press_keys(&[Key::Home.value()])?;
    browser.press_keys(&[Key::Right.value(); 59])?;
    browser.click_button("#watch-ask", "Ask the bot")?;
    browser.wait_for_text("#watch-ask .say", "Bot: ")?;
    check_state("watch, asked")?;
    browser.click_button("#watch-ask", "Show this chain")?;
    check_state("watch, a chain step by step")?;
    browser.click_button(".walk", "Back to the game")?;
    browser.click_button("#watch-ask", "Compare its line")?;
    browser.press_keys(&[Key::End.value()])?;
    check_state("the bot's line")?;
    browser.click("#tab-watch")?;
    browser.click_button("#watch-ask", "Close")?;
    for dialog in ["help", "open"] {
        browser.run_js(&format!(
            "document.getElementById('{dialog}-box').showModal()"
        ))?;
        check_state(dialog)?;
        browser.run_js(&format!("document.getElementById('{dialog}-box').close()"))?;
    }
    browser.click("#tab-compare")?;
    browser.press_keys(&[Key::End.value()])?;
    check_state("compare")?;
    browser.click("#tab-play")?;
    check_state("play")?;
    browser.press_keys(&['h'])?;
    browser.wait_for_text("#play-info .say", "Bot: ")?;
    check_state("play, a hint")?;
    browser.click("#tab-puzzles")?;
    browser.set_details_open("#view-puzzles details", true)?;
    for puzzle in ["samegame", "maya", "inc"] {
        browser.click(&format!("#choose-{puzzle}"))?;
        check_state(puzzle)?;
    }
    tour_results(browser, check_state)
}

/// Opens the views of a run with long names, an unpaired plan and an invalid plan.
fn tour_results(browser: &Browser, check_state: impl Fn(&str) -> Result<()>) -> Result<()> {
    let root = tempfile::tempdir()?;
    write_run_folders(root.path(), &[60; 4])?;
    let (case, plan, _) = quickstart_game(7)?;
    let files = [
        ("in/7-a_case_with_quite_a_long_name.txt", case.to_string()),
        ("another-bot-with-a-long-name/7.txt", plan.to_string()),
        ("out-a/0099.txt", "1\n1 0\n".into()),
        ("out-a/wrong.txt", "hello\n".into()),
    ];
    write_files(root.path(), &files)?;
    browser.choose_files("#folder", &[root.path()])?;
    browser.wait_for_text("#table-text", "players.")?;
    browser.wait_until("!document.getElementById('message').hidden")?;
    check_state("results, with a message")?;
    browser.click("#message .close")?;
    browser.set_details_open("#pair-classes", true)?;
    check_state("results, two players")?;
    for chart in ["spread", "axis", "runs"] {
        browser.click(&format!("#panel-{chart}"))?;
        check_state(chart)?;
    }
    browser.click("#table-body tr:nth-child(2) td")?;
    browser.wait_for_view("watch")?;
    check_state("watch, one of several cases")?;
    browser.click_button("#watch-review", "Review this game")?;
    browser.wait_for_text("#watch-review .hint", "Accuracy")?;
    check_state("watch, reviewed")?;
    browser.click("#tab-compare")?;
    check_state("two players")?;
    browser.click("#tab-watch")?;
    browser.click_button("#watch-review", "Retry")?;
    browser.wait_for_view("play")?;
    check_state("play, a column again")
}

#[test]
fn nothing_is_cut_or_covered_at_any_size() {
    test_page("boxes at all sizes", "", Screen::SUPPORTED[0], |browser| {
        tour(browser, |what| {
            let screens = Screen::SUPPORTED.into_iter();
            let mut screens = screens.flat_map(|screen| [screen, screen.with_dark_colours()]);
            screens.try_for_each(|screen| check_layout(browser, what, screen))
        })?;
        let complaints = browser.console_messages()?;
        ensure!(complaints.is_empty(), "{complaints:?}");
        Ok(())
    });
}

#[test]
fn the_open_tab_is_marked_in_forced_colours() {
    test_page("forced colours", "", Screen::DESKTOP, |browser| {
        browser.emulate_forced_colours()?;
        let ground = |id: &str| {
            let style = format!("getComputedStyle(document.getElementById('tab-{id}'))");
            browser.evaluate(&format!("{style}.backgroundColor"))
        };
        assert_ne!(ground("watch")?, ground("results")?);
        Ok(())
    });
}

#[test]
fn axe_finds_no_fault() {
    let script = match load_axe_script() {
        Ok(script) => script,
        Err(error) => {
            return report_untested(Requirement::Browser, "axe-core", &format!("{error:#}"));
        }
    };
    test_page("axe-core", "", Screen::SUPPORTED[0], |browser| {
        browser.run_js(&script)?;
        tour(browser, |what| {
            for screen in [Screen::SUPPORTED[0], Screen::PHONE] {
                check_accessibility(browser, what, screen)?;
                check_accessibility(browser, what, screen.with_dark_colours())?;
            }
            browser.set_screen(Screen::SUPPORTED[0])
        })
    });
}

#[test]
fn controls_are_large_enough_to_touch() {
    test_page("touch targets", "", Screen::PHONE, |browser| {
        let root = tempfile::tempdir()?;
        write_run_folders(root.path(), &[60; 40])?;
        browser.choose_files("#folder", &[root.path()])?;
        browser.wait_for_scores(40, 3)?;
        for (screen, least) in [(Screen::PHONE, 44), (Screen::SUPPORTED[0], 24)] {
            browser.set_screen(screen)?;
            // Tab stops at the table once.
            let stops =
                browser.evaluate("document.querySelectorAll('.cases [tabindex=\"0\"]').length")?;
            assert_eq!(stops, 1);
            for view in ["results", "watch", "compare", "play", "puzzles"] {
                browser.click(&format!("#tab-{view}"))?;
                browser.set_details_open("details", true)?;
                let small = browser.run_js(&format!(
                    "const css = 'button, select, summary, input, a[href]';
                     return [...document.querySelectorAll(css)]
                       .filter((one) => one.checkVisibility({{ contentVisibilityAuto: true }}))
                       .filter((one) => !one.closest('.unseen, dialog, .line-of-time'))
                       .map((one) => [one.textContent || one.ariaLabel, one.getBoundingClientRect()])
                       .filter(([, {{ width, height }}]) => width && Math.min(width, height) < {least} - 0.1)
                       .map(([name, {{ width, height }}]) => `${{name}} ${{width}} x ${{height}}`)"
                ))?;
                ensure!(small == json!([]), "{view} at {screen:?}: {small:#}");
            }
        }
        Ok(())
    });
}

/// Returns the lowest edge of the first element that matches `css`.
fn bottom(browser: &Browser, css: &str) -> Result<f64> {
    let edge = format!("document.querySelector({css:?}).getBoundingClientRect().bottom");
    let edge = browser.evaluate(&edge)?;
    Ok(edge.as_f64().unwrap_or(f64::INFINITY))
}

#[test]
fn the_answer_is_in_sight() {
    test_page("answers in sight", "", Screen::SUPPORTED[0], |browser| {
        let root = tempfile::tempdir()?;
        for (folder, time) in [("0001", "02:51"), ("0002", "03:51"), ("0003", "04:51")] {
            let score = |seed| (seed, 1000 * seed * u64::from(time.as_bytes()[1]));
            let rows: Vec<(u64, u64)> = (2..62).map(score).collect();
            let text = super::day::ledger_text(&rows)?.replace("02:51", time);
            write_files(root.path(), &[(format!("runs/{folder}/run.jsonl"), text)])?;
        }
        browser.choose_files("#folder", &[&root.path().join("runs")])?;
        browser.wait_for_scores(60, 4)?;
        browser.wait_for_frames()?;
        for css in [
            "#verdicts",
            "#ranking tr:last-child",
            "#chart canvas",
            "#table-body tr:nth-child(5)",
        ] {
            let edge = bottom(browser, css)?;
            ensure!(edge <= 768.0, "{css} ends at {edge}");
        }
        // On a phone, the verdict comes first.
        browser.set_screen(Screen::PHONE)?;
        browser.wait_for_frames()?;
        let first = browser
            .evaluate("[...document.querySelectorAll('#results-full .card')][0].id + scrollY")?;
        assert_eq!(first, "verdicts0");
        browser.set_screen(Screen::SUPPORTED[0])?;
        browser.click("#tab-watch")?;
        browser.wait_for_frames()?;
        let high = browser
            .evaluate("document.querySelector('#watch-board canvas').clientHeight / innerHeight")?;
        ensure!(
            high.as_f64() >= Some(0.7),
            "the field has {high} of the height"
        );
        browser.load(build_page()?, "compare?seed=1&plan=0369&plan2=none&at=2.0")?;
        browser.wait_for_frames()?;
        let edge = bottom(browser, "#compare-chart")?;
        ensure!(edge <= 768.0, "the chart ends at {edge}");
        Ok(())
    });
}

#[test]
fn colours_of_charts_have_contrast() {
    test_page("contrast in charts", "", Screen::DESKTOP, |browser| {
        for screen in [Screen::DESKTOP, Screen::DESKTOP.with_dark_colours()] {
            browser.set_screen(screen)?;
            browser.wait_for_frames()?;
            let weak = browser.run_js(
                "const style = getComputedStyle(document.documentElement);
                 const light = (name) => {
                   const parts = style.getPropertyValue(`--${name}`).match(/[0-9.]+/g).slice(0, 3);
                   const [r, g, b] = parts.map((part) => part / 255).map((c) =>
                       c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
                   return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
                 const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
                 const names = [...Array(12)].map((_, i) => `player-${i}`);
                 return [...names, 'up', 'down', 'soft', 'ink', 'accent', 'bad']
                   .map((name) => `${name} ${ratio(light(name), light('card')).toFixed(2)}`)
                   .filter((text) => Number(text.split(' ')[1]) < 4.5)",
            )?;
            ensure!(weak == json!([]), "{weak:#} at {screen:?}");
        }
        Ok(())
    });
}
