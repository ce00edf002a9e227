//! The functions that JavaScript provides to the WebAssembly module: a clock and a panic reporter.

#[cfg(target_arch = "wasm32")]
mod page {
    // Both functions are safe to call: `now_s` only returns a number, and `log_panic` only reads memory.
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        pub(super) safe fn now_s() -> f64;
        pub(super) safe fn log_panic(text: *const u8, length: usize);
    }
}

/// Returns the time in seconds since a fixed moment in the past.
#[cfg(target_arch = "wasm32")]
pub(crate) fn now_s() -> f64 {
    page::now_s()
}

/// Returns the time in seconds since a fixed moment in the past.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn now_s() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Installs a panic hook that sends the message to the page before the WebAssembly module traps. Does nothing
/// on other targets.
pub(crate) fn install_panic_hook() {
    #[cfg(target_arch = "wasm32")]
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        page::log_panic(text.as_ptr(), text.len());
    }));
}
