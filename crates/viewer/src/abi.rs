//! The functions that JavaScript calls.
//!
//! JavaScript writes a JSON request to the address that [`columns_request_buffer`] returns, calls
//! [`columns_answer`], and reads the JSON answer from the returned address.
//!
//! No `unsafe` block is needed: the module owns both buffers and returns only their addresses.

use crate::host;
use crate::page::Page;
use std::cell::RefCell;

/// The request and answer buffers, and the page that answers the requests.
#[derive(Default)]
struct Buffers {
    request: Vec<u8>,
    answer: String,
    page: Page,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = {
        host::install_panic_hook();
        RefCell::default()
    };
}

/// Returns the address of a buffer for a request of `length` bytes. The address is valid until the next call
/// to this function or to [`columns_answer`], which frees the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn columns_request_buffer(length: usize) -> *mut u8 {
    BUFFERS.with_borrow_mut(|buffers| {
        buffers.request.clear();
        buffers.request.resize(length, 0);
        buffers.request.as_mut_ptr()
    })
}

/// Answers the request in the buffer. Returns the address of the answer, which is valid until the next call
/// to this function.
#[unsafe(no_mangle)]
pub extern "C" fn columns_answer() -> *const u8 {
    BUFFERS.with_borrow_mut(|buffers| {
        buffers.answer = buffers.page.answer(&buffers.request);
        // A request with files can be large, so free its memory.
        buffers.request = Vec::new();
        buffers.answer.as_ptr()
    })
}

/// Returns the length of the last answer, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn columns_answer_length() -> usize {
    BUFFERS.with_borrow(|buffers| buffers.answer.len())
}
