//! A `const` block in the arguments of a macro of the standard library.
use std::cell::Cell;
thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}
fn count(n: u32) -> u32 {
    DEPTH.set(DEPTH.get() + 1);
    if n == 0 { DEPTH.get() } else { count(n - 1) }
}
fn main() {
    println!("{}", count(5));
}
