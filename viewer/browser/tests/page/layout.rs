//! How the page is laid out: at six sizes nothing is cut, covered or scrolled within, and axe-core
//! finds no fault.

use super::write;
use anyhow::{ensure, Result};
use columns_browser::{axe, visit, Browser, Look};
use columns_untested::{untested, Lack};
use serde_json::Value;
use thirtyfour::Key;

/// What is wrong with the boxes of what is to be seen: a line each.
const FAULTS: &str = r#"
const shown = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest('.unseen, [aria-hidden=true], .cover, dialog')
  && e.getBoundingClientRect().width > 0;
const name = (e) => `${e.tagName.toLowerCase()}${e.id ? '#' + e.id : ''}.${e.className?.baseVal ?? e.className} "${(e.textContent || e.value || '').trim().slice(0, 30)}"`;
const faults = [];
const all = [...document.body.querySelectorAll('*')].filter(shown);
// What a visitor reads or uses: controls, canvases, and elements with text of their own.
const own = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
const control = (e) => /^(BUTTON|INPUT|SELECT|TEXTAREA|CANVAS|SUMMARY|PROGRESS)$/.test(e.tagName);
const seen = all.filter((e) => (control(e) || own(e)) && !e.closest('svg') && !/^(OPTION)$/.test(e.tagName));
for (const e of seen) {
  const b = e.getBoundingClientRect();
  if (b.left < -0.5 || b.right > innerWidth + 0.5) faults.push(`outside: ${name(e)} ${b.left.toFixed(0)}..${b.right.toFixed(0)} of ${innerWidth}`);
  for (let p = e.parentElement; p && p !== document.body; p = p.parentElement) {
    if (getComputedStyle(p).overflow === 'visible') continue;
    const o = p.getBoundingClientRect();
    if (b.left < o.left - 1 || b.right > o.right + 1 || b.top < o.top - 1 || b.bottom > o.bottom + 1) faults.push(`cut by ${name(p)}: ${name(e)}`);
  }
  if (e.tagName !== 'SELECT' && !/^(INPUT|TEXTAREA|CANVAS)$/.test(e.tagName) && e.scrollWidth > e.clientWidth + 1 && e.clientWidth) faults.push(`wider than its box: ${name(e)} ${e.scrollWidth} > ${e.clientWidth}`);
}
// The longest choice of a select fits beside its arrow.
const pen = document.createElement('canvas').getContext('2d');
for (const e of all.filter((e) => e.tagName === 'SELECT')) {
  const style = getComputedStyle(e);
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const text = [...e.options].map((o) => o.textContent).sort((a, b) => pen.measureText(b).width - pen.measureText(a).width)[0] ?? '';
  const room = e.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 16;
  if (pen.measureText(text).width > room + 1) faults.push(`select cut: ${name(e)} "${text}" ${pen.measureText(text).width.toFixed(0)} > ${room.toFixed(0)}`);
}
// Nothing scrolls within the page.
for (const e of all) {
  if (e === document.documentElement || e === document.body || e.tagName === 'TEXTAREA') continue;
  if (/auto|scroll/.test(getComputedStyle(e).overflow) && (e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1)) faults.push(`scrolls: ${name(e)}`);
}
// Nothing lies over another. The slider lies over its own chart, on purpose.
const boxes = seen.filter((e) => !e.closest('.line-of-time') || e.tagName === 'CANVAS').map((e) => [e, e.getBoundingClientRect()]);
boxes.forEach(([e, b], i) => {
  for (const [f, c] of boxes.slice(i + 1)) {
    if (e.contains(f) || f.contains(e)) continue;
    const w = Math.min(b.right, c.right) - Math.max(b.left, c.left), h = Math.min(b.bottom, c.bottom) - Math.max(b.top, c.top);
    if (w > 1.5 && h > 1.5) faults.push(`overlap: ${name(e)} and ${name(f)} ${w.toFixed(0)} x ${h.toFixed(0)}`);
  }
});
// The transport is one row.
for (const row of all.filter((e) => e.matches('.buttons'))) {
  const tops = [...row.children].filter(shown).map((e) => { const b = e.getBoundingClientRect(); return b.top + b.height / 2; });
  if (Math.max(...tops) - Math.min(...tops) > 2) faults.push('the transport has more than one row');
}
// The board, what is beside it and what drives it are in sight together.
for (const e of all.filter((e) => e.matches('.stage, .stage > *, #same-board, #samegame .acts button'))) {
  if (e.getBoundingClientRect().bottom > innerHeight + 0.5) faults.push(`below the window: ${name(e)}`);
}
if (document.documentElement.scrollWidth > innerWidth) faults.push(`the page is ${document.documentElement.scrollWidth} wide`);
return faults;
"#;

/// Checks what is to be seen now, at all six sizes, light and dark.
fn check(browser: &Browser, what: &str) -> Result<()> {
    let looks = Look::SCREENS.into_iter();
    check_at(browser, what, looks.flat_map(|look| [look, look.dark()]))
}

fn check_at(browser: &Browser, what: &str, looks: impl Iterator<Item = Look>) -> Result<()> {
    for look in looks {
        browser.look(look)?;
        browser.js("scrollTo(0, 0)")?;
        // Canvases follow their boxes in the next frame.
        browser.settle()?;
        let faults = browser.js(FAULTS)?;
        ensure!(
            faults == Value::Array(Vec::new()),
            "{what} at {look:?}: {faults:#}"
        );
    }
    Ok(())
}

/// Opens every view and all that can be unfolded in it, and calls `look` for each.
fn tour(browser: &Browser, look: impl Fn(&str) -> Result<()>) -> Result<()> {
    look("watch")?;
    browser.js(
        "document.querySelectorAll('#view-watch details').forEach((d) => { d.open = true; })",
    )?;
    browser.js("[...document.querySelectorAll('#watch-chain button')][1].click()")?;
    look("watch, unfolded")?;
    browser.js("[...document.querySelectorAll('#watch-chain button')][2].click()")?;
    look("watch, the best chains")?;
    browser.js(
        "document.querySelectorAll('#view-watch details').forEach((d) => { d.open = false; })",
    )?;
    // A field that promises a chain.
    browser.press(&[Key::Home.value()])?;
    browser.press(&[Key::Right.value(); 40])?;
    browser.js("document.querySelector('#watch-ask h2 button').click()")?;
    look("watch, asked")?;
    browser.js("[...document.querySelectorAll('#watch-ask button')].find((b) => b.textContent.startsWith('Show this chain'))?.click()")?;
    look("watch, a chain step by step")?;
    browser.js("document.querySelector('#watch-ask h2 button').click()")?;
    browser.click("#tab-compare")?;
    browser.press(&[Key::End.value()])?;
    look("compare")?;
    browser.click("#tab-play")?;
    look("play")?;
    browser.press(&['h'])?;
    browser.wait("document.querySelector('#play-info .say').textContent.startsWith('Bot: ')")?;
    look("play, a hint")?;
    for puzzle in ["samegame", "maya", "inc"] {
        browser.click("#tab-puzzles")?;
        browser.click(&format!("#choose-{puzzle}"))?;
        browser.js(
            "document.querySelectorAll('#view-puzzles details').forEach((d) => { d.open = true; })",
        )?;
        look(puzzle)?;
    }
    // A table with three players, a long name among the cases, a plan that waits, and a message.
    let folder = tempfile::tempdir()?;
    let mut files = Vec::new();
    for seed in 1..=4 {
        let case = columns_generator::generate(seed, &columns_generator::Spec::default());
        let name = format!("in/{seed:04}-a_case_with_quite_a_long_name.txt");
        files.push(write(folder.path(), &name, case.to_string().as_bytes())?);
        for out in ["out", "another-bot-with-a-long-name"] {
            files.push(write(
                folder.path(),
                &format!("{out}/{seed:04}.txt"),
                b"3\n1 0\n2 0\n3 1\n",
            )?);
        }
    }
    files.push(write(folder.path(), "out/0099.txt", b"1\n1 0\n")?);
    files.push(write(folder.path(), "out/wrong.txt", b"hello\n")?);
    let paths: Vec<_> = files.iter().map(std::path::PathBuf::as_path).collect();
    browser.choose("#files", &paths)?;
    browser.wait("document.getElementById('table-text').textContent.endsWith('players.') && !document.getElementById('message').hidden")?;
    look("table, with a message")?;
    browser.click("#message button")?;
    browser.click("#players summary")?;
    look("table, its players")?;
    browser.click("#players summary")?;
    look("table")?;
    browser.click("#table-body tr:nth-child(2) button")?;
    browser.wait("!document.getElementById('view-watch').hidden")?;
    look("watch, one of several cases")
}

#[test]
fn nothing_is_cut_or_covered_at_any_size() {
    visit("boxes at six sizes", "", Look::SCREENS[0], |browser| {
        // Fonts and the first picture are there.
        browser.js("return document.fonts.ready.then(() => true)")?;
        tour(browser, |what| check(browser, what))?;
        ensure!(
            browser.complaints()?.is_empty(),
            "{:?}",
            browser.complaints()?
        );
        Ok(())
    });
}

#[test]
fn watch_fits_odd_sizes_as_well() {
    visit("boxes at odd sizes", "", Look::SCREENS[0], |browser| {
        // At 200 % zoom, between the layouts, on the narrowest phones, and on a phone on its side.
        let sizes = [(720, 450), (740, 800), (300, 640), (340, 640), (844, 390)];
        let looks = sizes.map(|(width, height)| Look {
            width,
            height,
            ..Look::WIDE
        });
        check_at(browser, "watch", looks.into_iter())?;
        let high =
            browser.js("return document.querySelector('#watch-board canvas').clientHeight")?;
        assert!(
            high.as_u64().is_some_and(|high| high > 290),
            "{high} of 390"
        );
        Ok(())
    });
}

#[test]
fn the_open_tab_is_marked_in_forced_colours() {
    visit("forced colours", "", Look::WIDE, |browser| {
        browser.force_colours()?;
        let ground = |id: &str| {
            browser.js(&format!(
                "return getComputedStyle(document.getElementById('{id}')).backgroundColor"
            ))
        };
        assert_ne!(ground("tab-watch")?, ground("tab-table")?);
        Ok(())
    });
}

#[test]
fn axe_finds_no_fault() {
    let script = match axe() {
        Ok(script) => script,
        Err(error) => return untested(Lack::Browser, "axe-core", &format!("{error:#}")),
    };
    visit("axe-core", "", Look::SCREENS[0], |browser| {
        browser.js(&script)?;
        tour(browser, |what| {
            let [wide, phone] = [Look::SCREENS[0], Look::SCREENS[4]];
            for look in [wide, wide.dark(), phone, phone.dark()] {
                browser.look(look)?;
                browser.settle()?;
                let found = browser.js(
                    "return axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
                       .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((n) => n.html.slice(0, 140) + ' ' + n.any.map((a) => a.message).join(' ')).join(' | ')}`))",
                )?;
                ensure!(
                    found == Value::Array(Vec::new()),
                    "{what} at {look:?}: {found:#}"
                );
            }
            browser.look(Look::SCREENS[0])
        })
    });
}
