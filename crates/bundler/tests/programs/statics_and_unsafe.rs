use std::cell::{Cell, RefCell};
use std::rc::Rc;
thread_local! { static DEPTH: Cell<u32> = Cell::new(1); }
static mut COUNTER: u32 = 0;
union Bits {
    float: f32,
    whole: u32,
}
unsafe fn bump() -> u32 {
    COUNTER += 1;
    COUNTER
}
fn main() {
    DEPTH.with(|d| d.set(d.get() + 1));
    println!("{}", DEPTH.with(Cell::get));
    let b = Bits { float: 1.0 };
    println!("{:x} {}", unsafe { b.whole }, unsafe { bump() });
    let shared = Rc::new(RefCell::new(vec![1]));
    shared.borrow_mut().push(2);
    println!("{:?} {}", shared.borrow(), Rc::strong_count(&shared));
}
