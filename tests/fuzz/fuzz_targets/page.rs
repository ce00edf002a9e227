//! Sends the first 16 lines of the input to the page, each as a request. Every answer must be JSON with `ok`
//! or `error`.

#![no_main]

use columns_viewer::page::Page;
use libfuzzer_sys::fuzz_target;

/// Words in the names of slow requests, which the fuzzer skips because they run a search or an evaluation.
const SLOW_WORDS: [&str; 5] = ["find-line", "describe-line", "hint", "solve", "evaluate"];

fuzz_target!(|bytes: &[u8]| {
    let mut page = Page::default();
    for request in bytes.split(|&byte| byte == b'\n').take(16) {
        let text = String::from_utf8_lossy(request);
        if SLOW_WORDS.iter().any(|word| text.contains(word)) {
            continue;
        }
        let answer: serde_json::Value =
            serde_json::from_str(&page.answer(request)).expect("an answer is JSON");
        let object = answer.as_object().expect("an answer is an object");
        assert!(object.len() == 1 && ["ok", "error"].iter().any(|key| object.contains_key(*key)));
    }
});
