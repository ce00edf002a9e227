//! Numbers, tables and other text of a page.

use std::fmt::Write as _;

/// Text with the characters escaped that HTML gives a meaning.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// A table in a box that scrolls; its head and its first column stay.
pub(super) fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut text = String::from("<div class=scroll tabindex=0><table>\n<thead><tr>");
    for name in head {
        let _ = write!(text, "<th>{}", escaped(name));
    }
    text += "\n<tbody>\n";
    for row in rows {
        text += "<tr>";
        for (index, cell) in row.iter().enumerate() {
            let kind = if index == 0 { "th" } else { "td" };
            let _ = write!(text, "<{kind}>{}", escaped(cell));
        }
        text.push('\n');
    }
    text + "</table></div>\n"
}

/// A difference of logarithms as a change in percent.
pub(super) fn percent(log: f64) -> f64 {
    100.0 * log.exp_m1()
}

/// A number with its sign and two decimals.
pub(super) fn signed(value: f64) -> String {
    format!("{value:+.2}").replace('-', "−")
}

/// Both ends of an interval, or a dash.
pub(super) fn interval(interval: Option<(f64, f64)>) -> String {
    interval.map_or("–".into(), |(low, high)| {
        format!("{} to {}", signed(low), signed(high))
    })
}
