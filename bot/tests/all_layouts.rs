//! Runs the module `reference` on all layouts of the field. This test takes half a minute to compile, so
//! `cargo test` skips it; `cargo test -p columns-bot --test all_layouts` runs it.

/// Evaluates `$code!(name, words, planes)` with the given layout. The macro of this name in
/// `tests/library/main.rs` skips most layouts.
macro_rules! on_layout {
    ($layout:expr, $code:ident) => {
        columns_core::for_layout!($layout, $code)
    };
}

#[path = "../../crates/core/tests/support/random.rs"]
mod random;
#[path = "library/reference/mod.rs"]
mod reference;
