//! Statics that change, thread-local values, and an unused static.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

static COUNT: AtomicUsize = AtomicUsize::new(0);
static mut RAW: [u8; 2] = [1, 2];
static mut UNUSED: u8 = 3;
thread_local! {
    static OWN: Cell<u32> = const { Cell::new(1) };
}

struct Guard(&'static str);
impl Drop for Guard {
    fn drop(&mut self) {
        println!("drop {} {}", self.0, COUNT.fetch_add(1, Ordering::Relaxed));
    }
}

fn main() {
    let _first = Guard("first");
    let _ = Guard("second");
    OWN.with(|own| own.set(own.get() + 4));
    let raw = unsafe {
        RAW[1] = 9;
        RAW[1]
    };
    println!("{raw} {}", OWN.with(Cell::get));
}
