//! Progress bars, which are shown only on a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{stderr, IsTerminal};
use std::time::Duration;

/// Creates a bar of this length from a template of `indicatif`. It is hidden unless standard error is a terminal.
pub fn bar(length: u64, template: &str) -> ProgressBar {
    if stderr().is_terminal() {
        styled(ProgressBar::new(length), template)
    } else {
        ProgressBar::hidden()
    }
}

/// Applies a template of `indicatif` to a bar, and redraws the bar twice a second.
///
/// # Panics
/// If the template is not valid.
pub fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("templates are valid");
    bar.enable_steady_tick(Duration::from_millis(500));
    bar.with_style(style)
}
