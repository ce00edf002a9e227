//! The layout of the page: at every size, no element is cut off or covered, or scrolls inside the page.
//! axe-core finds no violations, and charts have enough contrast.

use super::actions::{PageActions, ledger_text, sample_game};
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
// The longest option of a select must fit next to its arrow. Selects of players are exempt, since the page
// also shows these names elsewhere.
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
// No element inside the page may scroll, except a textarea.
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
    browser.keys("Home Right*59")?;
    browser.click_button("#watch-ask", "Ask the bot")?;
    browser.wait_for_text("#watch-ask .say", "Bot: ")?;
    check_state("watch, asked")?;
    browser.click_button("#watch-ask", "Show this chain")?;
    check_state("watch, a chain step by step")?;
    browser.click_button(".walk", "Back to the game")?;
    browser.click_button("#watch-ask", "Compare its line")?;
    browser.keys("End")?;
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
    browser.keys("End")?;
    check_state("compare")?;
    browser.click("#tab-play")?;
    check_state("play")?;
    browser.keys("h")?;
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
fn nothing_is_cut_or_covered_at_any_size() {
    test_page_on(Screen::SUPPORTED[0], "", |browser| {
        tour(browser, |what| {
            let mut screens = Screen::SUPPORTED.into_iter();
            screens.try_for_each(|screen| check_layout(browser, what, screen))
        })?;
        let complaints = browser.console_messages()?;
        ensure!(complaints.is_empty(), "{complaints:?}");
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
    test_page_on(Screen::SUPPORTED[0], "", |browser| {
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

/// Returns a line for each control of the visible view that is smaller than `least` pixels, or whose focus
/// ring is cut off by a surrounding element.
fn control_faults(browser: &Browser, least: u32) -> Result<Vec<String>> {
    let faults = browser.run_js(&format!(
        "const faults = [];
         const visible = [...document.querySelectorAll('button, select, summary, input, a[href], [tabindex]')]
           .filter((one) => one.checkVisibility({{ contentVisibilityAuto: true }}))
           .filter((one) => !one.closest('.unseen, dialog'));
         for (const one of visible) {{
           const name = one.textContent || one.ariaLabel || one.tagName;
           const box = (one.closest('label') ?? one).getBoundingClientRect();
           const isControl = !one.matches('.line-of-time *, [tabindex]');
           if (isControl && box.width && Math.min(box.width, box.height) < {least} - 0.1)
             faults.push(`${{name}} ${{box.width}} x ${{box.height}}`);
           one.focus({{ preventScroll: true, focusVisible: true }});
           const {{ outlineStyle, outlineWidth, outlineOffset }} = getComputedStyle(one);
           if (document.activeElement !== one || outlineStyle === 'none') continue;
           const ring = parseFloat(outlineWidth) + parseFloat(outlineOffset);
           for (let box = one.parentElement; box && box !== document.body; box = box.parentElement) {{
             const {{ overflow, contentVisibility }} = getComputedStyle(box);
             if (overflow === 'visible' && contentVisibility === 'visible') continue;
             const [inner, outer] = [one, box].map((each) => each.getBoundingClientRect());
             if (inner.left - ring < outer.left - 1 || inner.right + ring > outer.right + 1 ||
                 inner.top - ring < outer.top - 1 || inner.bottom + ring > outer.bottom + 1)
               faults.push(`the focus ring of ${{name}} is cut by ${{box.className || box.tagName}}`);
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
        for (screen, least) in [(Screen::PHONE, 44), (Screen::SUPPORTED[0], 24)] {
            browser.set_screen(screen)?;
            // The Tab key reaches only one element of the table.
            let stops =
                browser.evaluate("document.querySelectorAll('.cases [tabindex=\"0\"]').length")?;
            assert_eq!(stops, 1);
            for view in ["results", "watch", "compare", "play", "puzzles"] {
                browser.click(&format!("#tab-{view}"))?;
                browser.set_details_open("details", true)?;
                let faults = control_faults(browser, least)?;
                ensure!(faults.is_empty(), "{view} at {screen:?}: {faults:#?}");
            }
        }
        Ok(())
    });
}

/// Returns the bottom edge of the first element that matches `css`, in CSS pixels from the top of the window.
fn bottom(browser: &Browser, css: &str) -> Result<f64> {
    let edge = format!("document.querySelector({css:?}).getBoundingClientRect().bottom");
    let edge = browser.evaluate(&edge)?;
    Ok(edge.as_f64().unwrap_or(f64::INFINITY))
}

#[test]
fn the_answer_is_in_sight() {
    test_page_on(Screen::SUPPORTED[0], "", |browser| {
        let mut files = Vec::new();
        for (folder, time) in [("0001", "02:51"), ("0002", "03:51"), ("0003", "04:51")] {
            let score = |seed| (seed, 1000 * seed * u64::from(time.as_bytes()[1]));
            let rows: Vec<(u64, u64)> = (2..62).map(score).collect();
            let text = ledger_text(&rows)?.replace("02:51", time);
            files.push((format!("{folder}/run.jsonl"), text));
        }
        browser.open_folder(&files)?;
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

/// A script that records what charts draw. `measureContrast()` returns the drawings with a contrast below
/// 4.5:1, and the total number of drawings checked. For text, it reads the pixels in the text's bounding box;
/// for a shape, it finds the pixels by their colour. It skips the grid, the background of bars, and
/// transparent bands, which carry no information by themselves.
const CONTRAST: &str = r"
const pen = CanvasRenderingContext2D.prototype;
const variable = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);
const rgb = (colour) => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d');
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
};
const light = (parts) => {
  const [r, g, b] = parts.map((part) => part / 255).map((c) =>
    c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
let drawn = [];
for (const name of ['fillText', 'fillRect', 'fill', 'stroke']) {
  const draw = pen[name];
  pen[name] = function (...of) {
    draw.apply(this, of);
    if (this.canvas.closest('.boardbox, .hud') || this.globalAlpha < 1) return;
    const style = name === 'stroke' ? this.strokeStyle : this.fillStyle;
    if (typeof style !== 'string') return;
    let box = null;
    if (name === 'fillText') {
      const { width, actualBoundingBoxAscent: up, actualBoundingBoxDescent: down } =
        this.measureText(of[0]);
      const left = of[1] - { left: 0, center: 0.5, right: 1 }[this.textAlign] * width;
      box = [left, of[2] - up, width, up + down].map(Math.round);
      if (box[2] < 1 || box[3] < 1) return;
      // The marks of points overlap each other, so they are found by their colour.
      if (!/\w/.test(of[0])) box = null;
    }
    drawn.push({ context: this, text: box ? String(of[0]) : name, style, box });
  };
}
// Returns the colours of the pixels as they appear on a card, the most frequent colour first.
const colours = (context, box, card) => {
  const counts = new Map();
  for (const word of new Uint32Array(context.getImageData(...box).data.buffer))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([word]) => {
    const alpha = (word >>> 24) / 255;
    return card.map((part, k) => Math.round(((word >>> (8 * k)) & 255) * alpha + part * (1 - alpha)));
  });
};
window.measureContrast = () => {
  const weak = [];
  let count = 0;
  const card = rgb(variable('card'));
  const plain = ['line', 'wash', 'card'].map((name) => String(rgb(variable(name))));
  const [seen, whole] = [new Set(), new Map()];
  for (const { context, text, style, box } of drawn) {
    const { width, height } = context.canvas;
    const colour = rgb(style);
    const key = `${context.canvas.id}${box ? text : ''}${colour}${box}`;
    if (seen.has(key) || plain.includes(String(colour))) continue;
    seen.add(key);
    if (!whole.has(context)) whole.set(context, colours(context, [0, 0, width, height], card));
    const area = box ? colours(context, box, card) : whole.get(context);
    const isOwn = (pixel) => Math.hypot(...pixel.map((part, k) => part - colour[k])) < 20;
    const own = area.find(isOwn);
    // Skip a drawing that another one has covered.
    if (!own) continue;
    const ground = (box && area.find((pixel) => !isOwn(pixel))) || card;
    count += 1;
    if (ratio(own, ground) < 4.5)
      weak.push(`${text} ${style} ${own} on ${ground}: ${ratio(own, ground).toFixed(2)}`);
  }
  // Icons are not drawn on a canvas but are SVG elements, so check them here.
  for (const svg of document.querySelectorAll('button:enabled svg')) {
    if (!svg.checkVisibility() || svg.closest('.unseen')) continue;
    let ground = svg;
    while (/, 0\)$|transparent/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
    const [own, below] = [getComputedStyle(svg).stroke, getComputedStyle(ground).backgroundColor].map(rgb);
    count += 1;
    if (ratio(own, below) < 4.5) weak.push(`icon ${own} on ${below}`);
  }
  drawn = [];
  return [[...new Set(weak)], count];
};
";

#[test]
fn charts_have_contrast_in_both_themes() {
    // With two device pixels per CSS pixel, thin strokes have pixels of their full colour.
    let sharp = Screen {
        device_pixel_ratio: 2,
        ..Screen::SUPPORTED[0]
    };
    test_page_on(sharp, "", |browser| {
        browser.open_players(&[60; 12])?;
        let (case, plan, _) = sample_game(2)?;
        let mut files = vec![("in/0002.txt".to_string(), case.to_string())];
        for player in 1..=9 {
            let mut plan = plan.clone();
            plan.placements.truncate(6 * player);
            files.push((format!("p{player}/0002.txt"), plan.to_string()));
        }
        browser.open_folder(&files)?;
        browser.click("#tab-results")?;
        browser.wait_for_scores(12, 12)?;
        browser.run_js(CONTRAST)?;
        let measure = |what: &str, least: usize| -> Result<()> {
            browser.wait_for_frames()?;
            let (weak, count): (Vec<String>, usize) =
                serde_json::from_value(browser.evaluate("window.measureContrast()")?)?;
            ensure!(
                weak.is_empty() && count >= least,
                "{what}: {weak:#?} of {count}"
            );
            Ok(())
        };
        for screen in [sharp, sharp.with_dark_colours()] {
            browser.set_screen(screen)?;
            browser.click("#tab-results")?;
            for chart in ["spread", "axis", "pair"] {
                browser.click(&format!("#panel-{chart}"))?;
                measure(&format!("{chart} at {screen:?}"), 8)?;
            }
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
