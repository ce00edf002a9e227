//! What a test does that cannot run on this machine: it says so in capitals, or fails.
//!
//! `COLUMNS_REQUIRE` holds names of [`Lack`]s with commas between them. What is named must be
//! there: a test that lacks it fails.

use std::io::Write as _;

/// The variable that says what must be there.
const VARIABLE: &str = "COLUMNS_REQUIRE";

/// Something that not every machine has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lack {
    /// `avx2`: a processor with AVX2 and BMI2.
    Avx2,
    /// `browser`: chromium with its driver, npm, and the compiler's target for WebAssembly.
    Browser,
    /// `firefox`: firefox or firefox-esr, with geckodriver.
    Firefox,
    /// `nats`: a `nats-server`, and the tuner's feature of this name.
    Nats,
    /// `optuna`: python3 with venv, a pip that has Optuna, and jq.
    Optuna,
    /// `data`: the measured cases in the folder `COLUMNS_DATA`.
    Data,
    /// `rust-1.75`: a compiler of that version.
    Rust175,
}

impl Lack {
    const ALL: [(&'static str, Self); 7] = [
        ("avx2", Self::Avx2),
        ("browser", Self::Browser),
        ("firefox", Self::Firefox),
        ("nats", Self::Nats),
        ("optuna", Self::Optuna),
        ("data", Self::Data),
        ("rust-1.75", Self::Rust175),
    ];

    /// What a name stands for.
    fn named(name: &str) -> Self {
        let found = Self::ALL.into_iter().find(|(other, _)| *other == name);
        let known = Self::ALL.map(|(name, _)| name).join(",");
        let expected = || panic!("{VARIABLE}: expected names of {known}, found {name:?}");
        found.map_or_else(expected, |(_, lack)| lack)
    }

    /// Whether it is in a list of names.
    fn is_in(self, list: &str) -> bool {
        let names = list.split(',').filter(|name| !name.is_empty());
        let named: Vec<Self> = names.map(Self::named).collect();
        named.contains(&self)
    }
}

/// Says in capitals what is not tested, and why.
///
/// # Panics
/// If `COLUMNS_REQUIRE` names what lacks, or something that nothing stands for.
pub fn untested(lack: Lack, what: &str, why: &str) {
    let line = format!("NOT TESTED: {} ({why})\n", what.to_uppercase());
    let required = std::env::var(VARIABLE).unwrap_or_default();
    assert!(!lack.is_in(&required), "required by {VARIABLE}: {line}");
    // Not by a macro, whose output the test harness keeps to itself.
    let _ = std::io::stderr().write_all(line.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_is_required() {
        let list = "avx2,rust-1.75";
        assert!(Lack::Avx2.is_in(list) && Lack::Rust175.is_in(list));
        assert!(!Lack::Nats.is_in(list) && !Lack::Nats.is_in(""));
    }

    #[test]
    #[should_panic(expected = "COLUMNS_REQUIRE: expected names of avx2,browser")]
    fn a_name_that_nothing_stands_for_is_no_requirement() {
        Lack::Browser.is_in("broswer");
    }

    /// A mistyped name would be found only by a test that lacks something.
    #[test]
    fn the_names_of_this_run_stand_for_something() {
        Lack::Data.is_in(&std::env::var(VARIABLE).unwrap_or_default());
    }
}
