//! The functions that JavaScript calls.
//!
//! JavaScript writes a JSON request to the address that [`columns_question`] returns, calls
//! [`columns_ask`], and reads the JSON answer from the returned address.
//!
//! No `unsafe` block is needed: the module owns both buffers and returns only their addresses.

use crate::host;
use crate::page::Page;
use std::cell::RefCell;

/// The request and answer buffers, and the page that answers.
#[derive(Default)]
struct Buffers {
    question: Vec<u8>,
    answer: String,
    page: Page,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = {
        host::report_panics();
        RefCell::default()
    };
}

/// Returns the address of a buffer for a request of `length` bytes. The address is valid until the next call
/// of this function or of [`columns_ask`], which frees the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn columns_question(length: usize) -> *mut u8 {
    BUFFERS.with_borrow_mut(|buffers| {
        buffers.question.clear();
        buffers.question.resize(length, 0);
        buffers.question.as_mut_ptr()
    })
}

/// Answers the request in the buffer. Returns the address of the answer, which is valid until the next call
/// of this function.
#[unsafe(no_mangle)]
pub extern "C" fn columns_ask() -> *const u8 {
    BUFFERS.with_borrow_mut(|buffers| {
        buffers.answer = buffers.page.answer(&buffers.question);
        // A request with files can be large, so free its memory.
        buffers.question = Vec::new();
        buffers.answer.as_ptr()
    })
}

/// Returns the length of the last answer, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn columns_answer_length() -> usize {
    BUFFERS.with_borrow(|buffers| buffers.answer.len())
}
