//! Progress bars: on a terminal, and nowhere else.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{stderr, IsTerminal};
use std::time::Duration;

/// A bar of this length in a template of `indicatif`. Where standard error is no terminal, it shows
/// nothing.
pub fn bar(length: u64, template: &str) -> ProgressBar {
    if stderr().is_terminal() {
        styled(ProgressBar::new(length), template)
    } else {
        ProgressBar::hidden()
    }
}

/// A bar in a template of `indicatif`, drawn anew twice a second.
///
/// # Panics
/// If the template is wrong.
pub fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the templates are right");
    bar.enable_steady_tick(Duration::from_millis(500));
    bar.with_style(style)
}
