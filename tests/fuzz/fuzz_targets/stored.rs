//! Reads damaged data sets and ledgers, such as those that a killed process leaves behind.

#![no_main]

use columns_cli::ledger;
use columns_tuner::experiment::config::RunConfig;
use columns_tuner::experiment::event::Event;
use columns_tuner::learn::dataset::Dataset;
use libfuzzer_sys::fuzz_target;
use std::io::Write;

fuzz_target!(|bytes: &[u8]| {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(bytes).expect("room");
    let _ = Dataset::read(file.path());
    if let Ok((_, events)) = ledger::read::<RunConfig, Event>(file.path()) {
        let _ = events.take_while(Result::is_ok).count();
    }
});
