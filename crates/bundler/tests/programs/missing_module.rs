//! A module for another system has no file here.

#[cfg(windows)]
mod windows_only;
#[cfg(windows)]
use windows_only::clear;

#[cfg(not(windows))]
fn clear() -> &'static str {
    helper()
}

fn helper() -> &'static str {
    "clear"
}

#[cfg(target_os = "macos")]
fn only_mac() -> u8 {
    for_mac()
}

fn for_mac() -> u8 {
    1
}

fn main() {
    println!("{}", clear());
    #[cfg(target_os = "macos")]
    println!("{}", only_mac());
}
