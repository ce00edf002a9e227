//! The layout of the page: on every supported screen, no element is cut off or covered, or scrolls inside the
//! page. axe-core finds no violations, and charts have enough contrast.

use super::actions::{PageActions, ledger_text, ledger_with_statuses, player_files, sample_game};
use anyhow::{Result, ensure};
use columns_browser::{Browser, Screen, build_page, load_axe_script, test_page_on};
use columns_test_support::{Requirement, report_untested};
use serde_json::json;

/// A script that checks the boxes of all visible elements. It returns a line for each fault.
const FAULTS: &str = r#"
const shown = (e) =>
  e.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) &&
  !e.closest('.unseen, [aria-hidden=true], .cover, dialog') &&
  e.getBoundingClientRect().width > 0;
const name = (e) => {
  const text = (e.textContent || e.value || '').trim().slice(0, 30);
  return `${e.tagName}#${e.id}.${e.className?.baseVal ?? e.className} "${text}"`;
};
const box = (e) => e.getBoundingClientRect();
const isInside = (b, o) =>
  b.left >= o.left - 1 && b.right <= o.right + 1 && b.top >= o.top - 1 && b.bottom <= o.bottom + 1;
const faults = [];
const all = [...document.body.querySelectorAll('*')].filter(shown);
// The elements that a user reads or operates: controls, canvases, and elements with their own text.
const own = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
const control = (e) => e.matches('button, input, select, textarea, canvas, summary, progress');
const seen = all.filter((e) => (control(e) || own(e)) && !e.closest('svg, option'));
for (const e of seen) {
  if (box(e).left < -0.5 || box(e).right > innerWidth + 0.5) faults.push(`outside: ${name(e)}`);
  for (let p = e.parentElement; p && p !== document.body; p = p.parentElement)
    if (getComputedStyle(p).overflow !== 'visible' && !isInside(box(e), box(p)))
      faults.push(`cut by ${name(p)}: ${name(e)}`);
  if (!e.matches('select, textarea, canvas') && e.clientWidth && e.scrollWidth > e.clientWidth + 1)
    faults.push(`wider than its box: ${name(e)} ${e.scrollWidth} > ${e.clientWidth}`);
}
// No element inside the page may scroll, except a textarea.
for (const e of all.filter((e) => e.tagName !== 'TEXTAREA'))
  if (/auto|scroll/.test(getComputedStyle(e).overflow) &&
      (e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1))
    faults.push(`scrolls: ${name(e)}`);
// Elements must not overlap, except the slider and its chart.
const apart = seen.filter((e) => !e.closest('.line-of-time') || e.tagName === 'CANVAS');
const boxes = apart.map((e) => [e, box(e)]);
boxes.forEach(([e, b], i) => {
  for (const [f, c] of boxes.slice(i + 1)) {
    if (e.contains(f) || f.contains(e)) continue;
    const w = Math.min(b.right, c.right) - Math.max(b.left, c.left),
      h = Math.min(b.bottom, c.bottom) - Math.max(b.top, c.top);
    if (w > 1.5 && h > 1.5) faults.push(`overlap of ${w} x ${h}: ${name(e)} and ${name(f)}`);
  }
});
// The board, the elements next to it, and its controls must fit into the window together.
for (const e of all.filter((e) => e.matches('.stage, .stage > *, #same-board, #view-puzzles .acts button')))
  if (box(e).bottom > innerHeight + 0.5) faults.push(`below the window: ${name(e)}`);
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
    browser.click_button("#watch-chain", "The best")?;
    check_state("watch, unfolded")?;
    browser.set_details_open("#view-watch details", false)?;
    // Go to a position that has a best chain.
    browser.keys("Home Right*59")?;
    browser.click_button("#watch-ask", "Ask the bot")?;
    browser.wait_for_text("#watch-ask .say", "Bot: ")?;
    check_state("watch, asked")?;
    browser.click_button("#watch-ask", "Show this chain")?;
    check_state("watch, a chain step by step")?;
    browser.click_button(".walk", "Back to the game")?;
    browser.click_button("#watch-ask", "Close")?;
    for dialog in ["help", "open"] {
        browser.run_js(&format!(
            "document.getElementById('{dialog}-box').showModal()"
        ))?;
        check_state(dialog)?;
        browser.run_js(&format!("document.getElementById('{dialog}-box').close()"))?;
    }
    browser.click("#tab-play")?;
    browser.keys("h")?;
    browser.wait_for_text("#play-info .say", "Bot: ")?;
    check_state("play, a hint")?;
    browser.click("#tab-puzzles")?;
    check_state("samegame")?;
    tour_results(browser, check_state)
}

/// Opens the views of a run with long names, an unpaired plan and an invalid plan.
fn tour_results(browser: &Browser, check_state: impl Fn(&str) -> Result<()>) -> Result<()> {
    browser.open_players(&[60; 4])?;
    let (case, plan, _) = sample_game(7)?;
    browser.open_folder(&[
        ("in/7-a_case_with_quite_a_long_name.txt", case.to_string()),
        ("another-bot-with-a-long-name/7.txt", plan.to_string()),
        ("in/8.txt", sample_game(8)?.0.to_string()),
        ("out-a/0099.txt", "1\n1 0\n".into()),
        ("out-a/wrong.txt", "hello\n".into()),
    ])?;
    browser.wait_until("!document.getElementById('message').hidden")?;
    check_state("results, with a message")?;
    browser.click("#message .close")?;
    browser.set_details_open("#pair-classes", true)?;
    check_state("results, two players")?;
    for chart in ["spread", "axis"] {
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
fn every_view_fits_all_screens_and_is_accessible() {
    let script = load_axe_script();
    if let Err(error) = &script {
        report_untested(Requirement::Browser, "axe-core", &format!("{error:#}"));
    }
    test_page_on(Screen::SUPPORTED[0], "", |browser| {
        if let Ok(script) = &script {
            browser.run_js(script)?;
        }
        tour(browser, |what| {
            for screen in Screen::SUPPORTED {
                check_layout(browser, what, screen)?;
            }
            for screen in [Screen::PHONE, Screen::SUPPORTED[0]] {
                if script.is_ok() {
                    check_accessibility(browser, what, screen.with_dark_colours())?;
                    check_accessibility(browser, what, screen)?;
                }
            }
            browser.set_screen(Screen::SUPPORTED[0])
        })?;
        let complaints = browser.console_messages()?;
        ensure!(complaints.is_empty(), "{complaints:?}");
        Ok(())
    });
}

/// Returns a line for each visible control that is smaller than `min_px` pixels, or whose focus ring is cut
/// off by a surrounding element.
fn control_faults(browser: &Browser, min_px: u32) -> Result<Vec<String>> {
    let faults = browser.run_js(&format!(
        "const faults = [];
         const box = (one) => one.getBoundingClientRect();
         const visible = [...document.querySelectorAll('button, select, summary, input, a[href], [tabindex]')]
           .filter((one) => one.checkVisibility({{ contentVisibilityAuto: true }}))
           .filter((one) => !one.closest('.unseen, dialog'));
         for (const one of visible) {{
           const name = one.textContent || one.ariaLabel || one.tagName;
           const {{ width, height }} = box(one.closest('label') ?? one);
           const isControl = !one.matches('.line-of-time *, [tabindex]');
           if (isControl && width && Math.min(width, height) < {min_px} - 0.1)
             faults.push(`${{name}} ${{width}} x ${{height}}`);
           one.focus({{ preventScroll: true, focusVisible: true }});
           const {{ outlineStyle, outlineWidth, outlineOffset }} = getComputedStyle(one);
           if (document.activeElement !== one || outlineStyle === 'none') continue;
           const ring = parseFloat(outlineWidth) + parseFloat(outlineOffset) - 1;
           for (let outer = one.parentElement; outer !== document.body; outer = outer.parentElement) {{
             const {{ overflow, contentVisibility }} = getComputedStyle(outer);
             if (overflow === 'visible' && contentVisibility === 'visible') continue;
             const [a, b] = [box(one), box(outer)];
             if (Math.min(a.left - b.left, b.right - a.right, a.top - b.top, b.bottom - a.bottom) < ring)
               faults.push(`the focus ring of ${{name}} is cut by ${{outer.className || outer.tagName}}`);
           }}
         }}
         document.activeElement.blur();
         return faults"
    ))?;
    Ok(serde_json::from_value(faults)?)
}

#[test]
fn controls_are_large_enough_and_their_focus_is_visible() {
    test_page_on(Screen::PHONE, "", |browser| {
        browser.open_players(&[60; 40])?;
        for (screen, min_px) in [(Screen::PHONE, 44), (Screen::SUPPORTED[0], 24)] {
            browser.set_screen(screen)?;
            // The Tab key reaches only one element of the table.
            let stops =
                browser.evaluate("document.querySelectorAll('.cases [tabindex=\"0\"]').length")?;
            assert_eq!(stops, 1);
            for view in ["results", "watch", "compare", "play", "puzzles"] {
                browser.click(&format!("#tab-{view}"))?;
                browser.set_details_open("details", true)?;
                let faults = control_faults(browser, min_px)?;
                ensure!(faults.is_empty(), "{view} at {screen:?}: {faults:#?}");
            }
        }
        Ok(())
    });
}

/// Fails if one of these elements extends above or below the window.
pub(crate) fn check_in_sight(browser: &Browser, css: &[&str]) -> Result<()> {
    browser.wait_for_frames()?;
    let hidden = browser.run_js(&format!(
        "return {}.filter((css) => {{ const b = document.querySelector(css).getBoundingClientRect();
           return b.top < 0 || b.bottom > innerHeight; }})",
        json!(css)
    ))?;
    ensure!(hidden == json!([]), "out of sight: {hidden}");
    Ok(())
}

#[test]
fn the_answer_is_in_sight() {
    test_page_on(Screen::SUPPORTED[0], "", |browser| {
        let mut files = Vec::new();
        for run in 1..=3 {
            let rows: Vec<(u64, u64)> = (2..62).map(|seed| (seed, 1000 * seed * run)).collect();
            let text = ledger_text(&rows)?.replace("02:51", &format!("0{run}:51"));
            files.push((format!("000{run}/run.jsonl"), text));
        }
        browser.open_folder(&files)?;
        browser.wait_for_scores(60, 4)?;
        let (ranking, row) = ("#ranking tr:last-child", "#table-body tr:nth-child(5)");
        check_in_sight(browser, &["#verdicts", ranking, "#chart canvas", row])?;
        // On a phone, the verdict comes first.
        browser.set_screen(Screen::PHONE)?;
        check_in_sight(browser, &["#verdicts"])?;
        // The board and the bot's answer are in sight together.
        browser.load(build_page()?, "watch?seed=3&columns=150&at=20.0")?;
        browser.click("#watch-ask h2 button")?;
        browser.wait_for_text("#watch-ask .say", "Bot: position")?;
        check_in_sight(browser, &["#watch-board canvas", "#watch-ask .say"])?;
        browser.set_screen(Screen::SUPPORTED[0])?;
        browser.wait_for_frames()?;
        let high = browser
            .evaluate("document.querySelector('#watch-board canvas').clientHeight / innerHeight")?;
        ensure!(
            high.as_f64() >= Some(0.7),
            "the field has {high} of the height"
        );
        browser.load(build_page()?, "compare?seed=1&plan=0369&plan2=none&at=2.0")?;
        check_in_sight(browser, &["#compare-board-a canvas", "#compare-chart"])
    });
}

#[test]
fn the_layout_is_stable_during_a_game() {
    let address = "watch?seed=4&profile=growing&width=8&columns=300&colours=4&at=60.0";
    for screen in [Screen::DESKTOP, Screen::PHONE] {
        test_page_on(screen, address, |browser| {
            let places = "JSON.stringify([...document.querySelectorAll(
                '#view-watch .boardbox, #view-watch .transport, #watch-hud canvas')]
                .map((e) => { const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; }))";
            let before = browser.evaluate(places)?;
            for _ in 0..40 {
                browser.keys("Down")?;
                assert_eq!(browser.evaluate(places)?, before);
            }
            Ok(())
        });
    }
}

/// A script that checks what charts draw. `chartFaults()` returns the labels that are cut off or overlap, the
/// drawings with a contrast below 4.5:1, and the number of different drawings. It compares a label with the
/// most frequent colour below it, and a shape with the card. It skips the grid, the background of bars, and
/// transparent bands, which carry no information by themselves.
const CHARTS: &str = r"
const pen = CanvasRenderingContext2D.prototype;
const sample = new OffscreenCanvas(1, 1).getContext('2d');
const rgb = (colour) => {
  sample.fillStyle = colour;
  sample.fillRect(0, 0, 1, 1);
  return [...sample.getImageData(0, 0, 1, 1).data].slice(0, 3);
};
const variable = (name) => rgb(getComputedStyle(document.documentElement).getPropertyValue(`--${name}`));
const light = (parts) => {
  const [r, g, b] = parts.map((part) => part / 255).map((c) =>
    c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
// Returns the most frequent colour in a box, as it appears on the card.
const ground = (context, box) => {
  const counts = new Map();
  for (const word of new Uint32Array(context.getImageData(...box).data.buffer))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  const [word] = [...counts].reduce((a, b) => (a[1] < b[1] ? b : a));
  const alpha = (word >>> 24) / 255;
  return variable('card').map((part, k) => ((word >>> (8 * k)) & 255) * alpha + part * (1 - alpha));
};
const [faults, drawn, texts] = [new Set(), new Set(), new Map()];
const record = (what, colour, below) => {
  const drawing = `${what} ${colour} on ${below}`;
  drawn.add(drawing);
  if (ratio(colour, below) < 4.5) faults.add(drawing);
};
// Records the box of a text with letters. The names of lines, in bold, cover the marks of points on purpose.
const place = (context, text, left, top, width, height) => {
  const { canvas, font } = context, [right, bottom] = [left + width, top + height];
  if (left < -1 || right > canvas.width + 1 || top < -1 || bottom > canvas.height + 1)
    faults.add(`${text} is cut off`);
  if (font.includes('600')) return;
  if (!texts.has(canvas)) texts.set(canvas, []);
  for (const [other, l, r, t, b] of texts.get(canvas))
    if (left < r - 1 && right > l + 1 && top < b - 1 && bottom > t + 1)
      faults.add(`${text} overlaps ${other}`);
  texts.get(canvas).push([text, left, right, top, bottom]);
};
const { clearRect } = pen;
pen.clearRect = function (...of) {
  texts.set(this.canvas, []);
  clearRect.apply(this, of);
};
for (const name of ['fillText', 'fillRect', 'fill', 'stroke']) {
  const draw = pen[name];
  pen[name] = function (...of) {
    const style = name === 'stroke' ? this.strokeStyle : this.fillStyle;
    const isPlain = () => ['line', 'wash', 'card'].some((one) => `${variable(one)}` === `${rgb(style)}`);
    if (!this.canvas.closest('.boardbox, .hud') && this.globalAlpha === 1 && /^#/.test(style) && !isPlain()) {
      let below = variable('card');
      // The marks of points are texts without letters that overlap each other.
      if (name === 'fillText' && /\w/.test(of[0])) {
        const { width, actualBoundingBoxAscent: up, actualBoundingBoxDescent: down } =
          this.measureText(of[0]);
        const left = of[1] - { left: 0, center: 0.5, right: 1 }[this.textAlign] * width;
        below = ground(this, [left, of[2] - up, width + 1, up + down + 1].map(Math.round));
        place(this, of[0], left, of[2] - up, width, up + down);
      }
      record(name === 'fillText' ? of[0] : name, rgb(style), below);
    }
    draw.apply(this, of);
  };
}
window.chartFaults = () => {
  // Icons are not drawn on a canvas but are SVG elements.
  for (const svg of document.querySelectorAll('button:enabled svg')) {
    if (!svg.checkVisibility() || svg.closest('.unseen')) continue;
    let box = svg;
    while (/, 0\)$|transparent/.test(getComputedStyle(box).backgroundColor)) box = box.parentElement;
    record('icon', rgb(getComputedStyle(svg).stroke), rgb(getComputedStyle(box).backgroundColor));
  }
  const answer = [[...faults], drawn.size];
  faults.clear();
  drawn.clear();
  return answer;
};
";

#[test]
fn charts_are_readable_in_both_themes() {
    // With two device pixels per CSS pixel, thin strokes have pixels of their full colour.
    let sharp = Screen {
        device_pixel_ratio: 2,
        ..Screen::SUPPORTED[0]
    };
    test_page_on(sharp, "", |browser| {
        browser.open_players(&[60; 12])?;
        let mut files = player_files(&[2], &["a", "b", "c", "d", "e", "f", "g", "h", "i"])?;
        // The marks of failed games are at the edges of the charts.
        let rows = [
            (2, 9000, "ok"),
            (3, 0, "tle"),
            (4, 900, "ok"),
            (5, 0, "crashed"),
        ];
        let run = "a-run-with-quite-a-long-name/run.jsonl";
        files.push((run.into(), ledger_with_statuses(&rows)?));
        browser.open_folder(&files)?;
        browser.click("#tab-results")?;
        browser.wait_for_text("#table-text", "13 players.")?;
        browser.run_js(CHARTS)?;
        let measure = |what: &str, least: usize| -> Result<()> {
            browser.wait_for_frames()?;
            let (faults, count): (Vec<String>, usize) =
                serde_json::from_value(browser.evaluate("window.chartFaults()")?)?;
            ensure!(faults.is_empty(), "{what}: {faults:#?}");
            ensure!(count >= least, "{what}: {count} drawings");
            Ok(())
        };
        for screen in [sharp, sharp.with_dark_colours()] {
            browser.set_screen(screen)?;
            browser.click("#tab-results")?;
            for chart in ["spread", "axis", "pair"] {
                browser.click(&format!("#panel-{chart}"))?;
                measure(&format!("{chart} at {screen:?}"), 8)?;
            }
            browser.click("#pair-swap")?;
            measure(&format!("swapped at {screen:?}"), 8)?;
            browser.open_game("0002.txt", "out-b")?;
            browser.click_button("#watch-chain", "This column")?;
            browser.keys("b")?;
            measure(&format!("a chain at {screen:?}"), 8)?;
            browser.click("#watch-review .main")?;
            browser.wait_for_text("#watch-review .hint", "Accuracy")?;
            measure(&format!("the timeline at {screen:?}"), 4)?;
            browser.click("#tab-compare")?;
            browser.keys("Home End")?;
            measure(&format!("the difference at {screen:?}"), 4)?;
        }
        Ok(())
    });
}
