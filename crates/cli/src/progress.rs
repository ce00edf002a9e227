//! Progress bars, which are shown only on a terminal.
//!
//! A command draws one bar at a time. Text that is written while the bar is on the screen would be erased by the next
//! redraw, so [`stderr`](crate::stderr) and [`output`](crate::output) write through [`suspend`].

use console::Term;
use indicatif::{
    ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle, TermLike, WeakProgressBar,
};
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The bar on the screen, if it still exists.
static DRAWN: Mutex<Option<WeakProgressBar>> = Mutex::new(None);

/// Creates a bar of this length from a template of `indicatif`. It is hidden unless standard error is a terminal that
/// can move its cursor, and cleared on drop.
///
/// # Panics
/// If the template is not valid.
pub fn bar(length: u64, template: &str) -> ProgressBar {
    let terminal = Term::buffered_stderr();
    // A dumb terminal cannot clear a line.
    if !terminal.is_term() || std::env::var("TERM").is_ok_and(|name| name == "dumb") {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template).expect("templates are valid");
    let target = ProgressDrawTarget::term_like(Box::new(Unfilled::new(terminal)));
    let bar = ProgressBar::with_draw_target(Some(length), target)
        .with_style(style)
        .with_finish(ProgressFinish::AndClear);
    bar.enable_steady_tick(Duration::from_millis(500));
    register(&bar);
    bar
}

/// Makes [`suspend`] clear this bar.
fn register(bar: &ProgressBar) {
    *DRAWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.downgrade());
}

/// Clears the bar on the screen, calls `write`, and draws the bar again. `write` must not use the bar.
pub fn suspend<T>(write: impl FnOnce() -> T) -> T {
    let drawn = DRAWN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match drawn.and_then(|bar| bar.upgrade()) {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// Removes the bar from the screen.
pub(crate) fn clear() {
    let drawn = DRAWN.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(bar) = drawn.and_then(|bar| bar.upgrade()) {
        bar.finish_and_clear();
    }
}

/// Returns the number of characters that fit into a line of standard error; `None` unless it is a terminal.
pub fn width() -> Option<usize> {
    let terminal = Term::stderr();
    let (_, width) = terminal.is_term().then(|| terminal.size_checked())??;
    // Leave two columns for the `^C` that the terminal writes, and one since some terminals begin a new line
    // after a character in the last column.
    Some(usize::from(width).saturating_sub(3))
}

/// A terminal that leaves the cursor at the end of the text.
///
/// `indicatif` fills each line of a bar with spaces up to the last column. The `^C` of an interrupt would then move the
/// cursor to the next line, and one line of the bar would stay on the screen. So this terminal drops every
/// second text, which is the spaces, and separates the lines with a line feed.
#[derive(Debug)]
struct Unfilled<T> {
    terminal: T,
    /// The number of texts since the last flush.
    texts: AtomicUsize,
}

impl<T> Unfilled<T> {
    fn new(terminal: T) -> Self {
        let texts = AtomicUsize::new(0);
        Self { terminal, texts }
    }
}

impl<T: TermLike> TermLike for Unfilled<T> {
    fn width(&self) -> u16 {
        self.terminal.width()
    }
    fn height(&self) -> u16 {
        self.terminal.height()
    }
    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.terminal.move_cursor_up(lines)
    }
    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.terminal.move_cursor_down(lines)
    }
    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.terminal.move_cursor_right(columns)
    }
    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.terminal.move_cursor_left(columns)
    }
    fn write_line(&self, text: &str) -> io::Result<()> {
        self.terminal.write_line(text)
    }
    fn write_str(&self, text: &str) -> io::Result<()> {
        match self.texts.fetch_add(1, Ordering::Relaxed) {
            0 => self.terminal.write_str(text),
            index if index.is_multiple_of(2) => self.terminal.write_str(&format!("\n{text}")),
            _ => Ok(()),
        }
    }
    fn clear_line(&self) -> io::Result<()> {
        self.terminal.clear_line()
    }
    fn flush(&self) -> io::Result<()> {
        self.texts.store(0, Ordering::Relaxed);
        self.terminal.flush()
    }
}

/// Joins as many of the parts as fit into `width` characters, from the first on. Leaves out empty parts.
pub fn fitted(parts: &[String], separator: &str, width: Option<usize>) -> String {
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
    use std::sync::Arc;

    /// A terminal that records what is drawn; `<` stands for a cleared line.
    #[derive(Debug, Clone, Default)]
    struct Screen(Arc<Mutex<String>>);

    impl Screen {
        fn push(&self, text: &str) {
            self.0.lock().unwrap().push_str(text);
        }

        fn take(&self) -> String {
            std::mem::take(&mut self.0.lock().unwrap())
        }
    }

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            80
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.push(text);
            Ok(())
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.push(text);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            self.push("<");
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn messages_and_output_do_not_disturb_a_bar() {
        let screen = Screen::default();
        let target = ProgressDrawTarget::term_like(Box::new(Unfilled::new(screen.clone())));
        let bar = ProgressBar::with_draw_target(Some(9), target);
        let bar = bar.with_style(ProgressStyle::with_template("one\ntwo{msg}\nthe bar").unwrap());
        register(&bar);
        let writers: [fn(); 3] = [
            || crate::stderr::log("a line"),
            || crate::stderr::warn("judge", "a warning"),
            || crate::output::print("").unwrap(),
        ];
        for write in writers {
            bar.tick();
            screen.take();
            write();
            let drawn = screen.take();
            let place = |text| drawn.find(text);
            assert!(
                place("<").is_some() && place("<") < place("the bar"),
                "{drawn:?}"
            );
            assert!(drawn.ends_with("one\ntwo\nthe bar"), "{drawn:?}");
        }
        clear();
        assert!(!screen.take().contains("the bar"));
        crate::stderr::log("a line");
        assert_eq!(screen.take(), "");
    }

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
            assert_eq!(fitted(&parts, ", ", width), line, "{width:?}");
        }
    }
}
