//! Reads damaged data sets and records, such as those that a killed process leaves behind. No read may panic.

#![no_main]

use columns_tuner::experiment::config::RunConfig;
use columns_tuner::learn::dataset::Dataset;
use columns_tuner::record::Record;
use libfuzzer_sys::fuzz_target;
use std::io::Write;

fuzz_target!(|bytes: &[u8]| {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(bytes).expect("room");
    let _ = Dataset::read(file.path());
    if let Ok((_, record)) = Record::read::<RunConfig>(file.path()) {
        let _ = record.games().count();
    }
});
