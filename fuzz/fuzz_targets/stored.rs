//! Files that a killed process may have left: data sets and journals.

#![no_main]

use columns_tuner::learn::dataset::Dataset;
use columns_tuner::store::journal::Journal;
use columns_tuner::store::{blocks, line};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use std::io::Write;

fuzz_target!(|bytes: &[u8]| {
    let _ = line::read::<Value>(bytes);
    let (found, _) = blocks::read(bytes, 0);
    assert!(found.len() <= bytes.len());
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(bytes).expect("room");
    let _ = Dataset::read(file.path());
    let _ = Journal::<Value>::read(file.path());
});
