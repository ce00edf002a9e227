//! Guards in the last statement of a block: without its semicolon, they would live longer.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Mutex;
struct Node {
    value: u32,
    next: Option<Rc<RefCell<Node>>>,
}
fn bump(node: &Rc<RefCell<Node>>) {
    let next = node.borrow().next.clone();
    if let Some(next) = next {
        let copy = Rc::clone(&next);
        let value = copy.borrow().value;
        next.borrow_mut().value = value.max(1);
    }
    let local = RefCell::new(1_u32);
    node.borrow_mut().value += *local.borrow();
}
fn count(total: &Mutex<u32>, limit: u32) -> u32 {
    for step in 0..10 {
        if step > limit {
            return *total.lock().unwrap();
        }
        *total.lock().unwrap() += step;
    }
    let mut k = 0;
    while k < 5 {
        k += 1;
    }
    k
}
fn main() {
    let last = Rc::new(RefCell::new(Node {
        value: 0,
        next: None,
    }));
    let first = Rc::new(RefCell::new(Node {
        value: 5,
        next: Some(last.clone()),
    }));
    bump(&first);
    bump(&last);
    println!(
        "{} {} {}",
        first.borrow().value,
        last.borrow().value,
        count(&Mutex::new(0), 4)
    );
}
