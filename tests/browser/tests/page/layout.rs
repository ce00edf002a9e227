//! The layout of the page: at every size nothing is cut off, covered or scrollable inside the page,
//! and axe-core finds no fault.

use super::actions::{PageActions, write_files};
use super::bench::{quickstart_game, write_run_folders};
use anyhow::{Result, ensure};
use columns_browser::{Browser, Screen, load_axe_script, test_page};
use columns_core::rules::quickstart::play_quickstart;
use columns_generator::{Spec, generate};
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
// The longest option of a select must fit next to its arrow.
const pen = document.createElement('canvas').getContext('2d');
for (const e of all.filter((e) => e.tagName === 'SELECT')) {
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
    browser.set_details_open("#pair details", true)?;
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
    browser.click_button("#watch-review .worst", "Retry")?;
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
fn watch_fits_odd_sizes_as_well() {
    test_page("boxes at odd sizes", "", Screen::SUPPORTED[0], |browser| {
        // 200 % zoom, a width between two layouts, narrow phones, a phone in landscape.
        for (width, height) in [(720, 450), (740, 800), (300, 640), (340, 640), (844, 390)] {
            let size = Screen {
                width,
                height,
                ..Screen::DESKTOP
            };
            check_layout(browser, "watch", size)?;
        }
        let high =
            browser.evaluate("document.querySelector('#watch-board canvas').clientHeight")?;
        assert!(high.as_u64() > Some(290), "{high} of 390");
        Ok(())
    });
}

#[test]
fn eight_players_with_long_names_are_readable() {
    test_page("eight players", "", Screen::SUPPORTED[3], |browser| {
        let root = tempfile::tempdir()?;
        // The case is so long that its points have six digits.
        let case = generate(8, &Spec::default().with_columns(5000)?);
        let plan = play_quickstart(&case);
        let out = |n| format!("2026-11-27_beam-width-{n}00/0008.txt");
        let plans = (1..=8).map(|n| (out(n), plan.to_string()));
        let files = [("in/0008.txt".into(), case.to_string())];
        let files: Vec<_> = files.into_iter().chain(plans).collect();
        write_files(root.path(), &files)?;
        browser.choose_files("#folder", &[root.path()])?;
        browser.wait_for_text("#games", "width-800")?;
        browser.click("#tab-results")?;
        browser.wait_for_exact_text("#table-text", "1 case, 9 players.")?;
        // The header of the sorted column has an arrow.
        browser.sort_by_column("Quickstart")?;
        for screen in [
            Screen::SUPPORTED[1],
            Screen::SUPPORTED[3],
            Screen::SUPPORTED[4],
        ] {
            check_layout(browser, "eight players", screen)?;
            // Lines break only between words: no part of a name has two boxes.
            let broken = browser.run_js(
                "const pieces = [...document.querySelectorAll('#table-head th > span')]
                .flatMap((span) => [...span.childNodes]);
                return pieces.filter((piece) => { const range = document.createRange();
                    range.selectNode(piece); return piece.nodeType === 3 &&
                        range.getClientRects().length > 1; })
                  .map((piece) => piece.textContent)",
            )?;
            ensure!(broken == json!([]), "{broken} at {screen:?}");
            let style = "getComputedStyle(document.querySelector('#table-head .player'))";
            let size = browser.evaluate(&format!("parseFloat({style}.fontSize)"))?;
            assert!(size.as_f64() >= Some(10.0), "{size} at {screen:?}");
        }
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
            for screen in [
                Screen::SUPPORTED[0],
                Screen::SUPPORTED[2],
                Screen::ZOOMED,
                Screen::PHONE,
            ] {
                check_accessibility(browser, what, screen)?;
                check_accessibility(browser, what, screen.with_dark_colours())?;
            }
            browser.set_screen(Screen::SUPPORTED[0])
        })
    });
}
