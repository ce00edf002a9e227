//! Runs the twins on all layouts of the field. This test takes half a minute to compile, so `cargo test`
//! skips it; `cargo test -p columns-bot --test all_layouts` runs it.

/// Calls `$on!(words, planes)` with the layout of the field.
macro_rules! on_layout {
    ($width:expr, $colours:expr, $on:ident) => {
        match ($width, $colours) {
            (..=6, ..=7) => $on!(2, 3),
            (..=6, 8..=15) => $on!(2, 4),
            (..=6, _) => $on!(2, 5),
            (_, ..=7) => $on!(4, 3),
            (_, 8..=15) => $on!(4, 4),
            (_, _) => $on!(4, 5),
        }
    };
}

#[path = "../../crates/core/tests/support/random.rs"]
mod random;
#[path = "library/twins/mod.rs"]
mod twins;
