//! How JavaScript calls in: it writes a request of JSON to where [`columns_question`]
//! points, calls [`columns_ask`] and reads the answer from where that points.
//!
//! There is no `unsafe` in this: the two buffers belong to this module, and only
//! their addresses are handed out.

use crate::host;
use crate::page::Page;
use std::cell::RefCell;

#[derive(Default)]
struct Desk {
    question: Vec<u8>,
    answer: String,
    page: Page,
}

thread_local! {
    static DESK: RefCell<Desk> = {
        host::report_panics();
        RefCell::default()
    };
}

/// The address of room for a request of `length` bytes, until the next call.
#[no_mangle]
pub extern "C" fn columns_question(length: usize) -> *mut u8 {
    DESK.with_borrow_mut(|desk| {
        desk.question.clear();
        desk.question.resize(length, 0);
        desk.question.as_mut_ptr()
    })
}

/// Answers the request: the address of JSON, valid until the next call.
#[no_mangle]
pub extern "C" fn columns_ask() -> *const u8 {
    DESK.with_borrow_mut(|desk| {
        desk.answer = desk.page.answer(&desk.question);
        // A large file is not kept.
        desk.question = Vec::new();
        desk.answer.as_ptr()
    })
}

/// The length of that answer in bytes.
#[no_mangle]
pub extern "C" fn columns_answer_length() -> usize {
    DESK.with_borrow(|desk| desk.answer.len())
}
