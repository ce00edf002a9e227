//! Progress bars, which are shown only on a terminal.
//!
//! A command draws one bar at a time. The next redraw of the bar would erase text that was written in the
//! meantime, so [`stderr`](crate::stderr) and [`output`](crate::output) write through [`suspend`].

use console::Term;
use indicatif::{MultiProgress, ProgressBar, ProgressFinish, ProgressStyle};
use std::env;
use std::sync::LazyLock;
use std::time::Duration;

/// Holds the bar on the screen, if there is one.
static BARS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// Creates a bar of this length from an `indicatif` template. The bar is cleared on drop. It is hidden unless
/// standard error is a terminal that accepts escape sequences.
///
/// # Panics
/// Panics if the template is not valid.
pub fn new_bar(length: u64, template: &str) -> ProgressBar {
    // A dumb terminal cannot clear a line, and NO_COLOR requests output without escape sequences.
    let is_dumb = env::var_os("TERM").is_some_and(|name| name == "dumb");
    let is_plain = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if !Term::stderr().is_term() || is_dumb || is_plain {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template).expect("templates are valid");
    let bar = ProgressBar::new(length).with_style(style);
    let bar = BARS.add(bar.with_finish(ProgressFinish::AndClear));
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// Clears the bar on the screen, calls `write`, and draws the bar again. `write` must not use the bar.
pub fn suspend<T>(write: impl FnOnce() -> T) -> T {
    BARS.suspend(write)
}

/// Removes the bar from the screen before the process exits.
pub(crate) fn clear() {
    // Ignore an error: if the terminal is gone, there is nothing to clear.
    let _ = BARS.clear();
}

/// Returns the number of characters that fit into a line of standard error; `None` if standard error is not a
/// terminal.
pub fn line_width() -> Option<usize> {
    let terminal = Term::stderr();
    let (_, width) = terminal.is_term().then(|| terminal.size_checked())??;
    // Leave two columns for the `^C` that the terminal writes. Leave a third, since some terminals begin a
    // new line after a character in the last column.
    Some(usize::from(width).saturating_sub(3))
}

/// Joins the parts that fit into `width` characters, beginning with the first; all parts if `width` is
/// `None`. Leaves out empty parts.
pub fn join_fitting_parts(parts: &[String], separator: &str, width: Option<usize>) -> String {
    let mut line = String::new();
    for part in parts.iter().filter(|part| !part.is_empty()) {
        let next = match line.as_str() {
            "" => part.clone(),
            _ => format!("{line}{separator}{part}"),
        };
        if width.is_some_and(|width| next.chars().count() > width) {
            break;
        }
        line = next;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_shortened_by_whole_parts() {
        let parts = ["generation 1", "", "164 games", "pair 2"].map(String::from);
        for (width, line) in [
            (None, "generation 1, 164 games, pair 2"),
            (Some(31), "generation 1, 164 games, pair 2"),
            (Some(30), "generation 1, 164 games"),
            (Some(12), "generation 1"),
            (Some(11), ""),
        ] {
            assert_eq!(join_fitting_parts(&parts, ", ", width), line, "{width:?}");
        }
    }
}
