//! Makes tests independent of the machine and the shell. [`report_untested`] reports tests that cannot run on
//! this machine. [`with_default_signals`] returns a command that runs with the default action for every
//! signal, and [`kill`] sends one.
//!
//! A test that cannot run prints a line `NOT TESTED: …` and passes. It fails instead if the environment
//! variable `COLUMNS_REQUIRE` lists the missing tool or feature. The variable holds names of
//! [`Requirement`]s, separated by commas.

mod signals;

pub use signals::{kill, with_default_signals};

use std::io::Write as _;

/// The environment variable that lists the tools and features that must be available.
const REQUIRE_VARIABLE: &str = "COLUMNS_REQUIRE";

/// A tool or feature that some tests need and not every machine has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    /// `avx2`: a processor with AVX2 and BMI2.
    Avx2,
    /// `browser`: Chromium and its driver, npm, and the compiler's WebAssembly target.
    Browser,
    /// `firefox`: `firefox` or `firefox-esr`, and `geckodriver`.
    Firefox,
    /// `nats`: the program `nats-server`, and a tuner that is built with the feature `nats`.
    Nats,
    /// `optuna`: `python3` with `venv`, access to a package index from which `pip` installs Optuna, and `jq`.
    Optuna,
    /// `data`: the folder of test data: `COLUMNS_DATA`, or `shared/data` beside the workspace.
    Data,
    /// `rust-1.75`: version 1.75 of the Rust compiler.
    Rust175,
}

impl Requirement {
    const ALL: [(&'static str, Self); 7] = [
        ("avx2", Self::Avx2),
        ("browser", Self::Browser),
        ("firefox", Self::Firefox),
        ("nats", Self::Nats),
        ("optuna", Self::Optuna),
        ("data", Self::Data),
        ("rust-1.75", Self::Rust175),
    ];

    /// Returns the requirement with this name.
    ///
    /// # Panics
    /// Panics if the name is unknown.
    fn from_name(name: &str) -> Self {
        let entry = Self::ALL.into_iter().find(|(other, _)| *other == name);
        let names = Self::ALL.map(|(name, _)| name).join(",");
        let fail = || panic!("{REQUIRE_VARIABLE}: expected names of {names}, found {name:?}");
        entry.map_or_else(fail, |(_, requirement)| requirement)
    }

    /// True if `list` contains the name of this requirement.
    fn is_in(self, list: &str) -> bool {
        let names = list.split(',').filter(|name| !name.is_empty());
        let requirements: Vec<Self> = names.map(Self::from_name).collect();
        requirements.contains(&self)
    }
}

/// Prints `NOT TESTED`, `what` in capitals, and the reason `why`.
///
/// # Panics
/// Panics if `COLUMNS_REQUIRE` contains the name of `requirement`, or an unknown name.
pub fn report_untested(requirement: Requirement, what: &str, why: &str) {
    let line = format!("NOT TESTED: {} ({why})\n", what.to_uppercase());
    let required = std::env::var(REQUIRE_VARIABLE).unwrap_or_default();
    assert!(
        !requirement.is_in(&required),
        "required by {REQUIRE_VARIABLE}: {line}"
    );
    // The test harness would capture a line that `eprintln!` prints.
    let _ = std::io::stderr().write_all(line.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_names_are_required() {
        let list = "avx2,rust-1.75";
        assert!(Requirement::Avx2.is_in(list) && Requirement::Rust175.is_in(list));
        assert!(!Requirement::Nats.is_in(list) && !Requirement::Nats.is_in(""));
    }

    #[test]
    #[should_panic(expected = "COLUMNS_REQUIRE: expected names of avx2,browser")]
    fn unknown_names_panic() {
        Requirement::Browser.is_in("broswer");
    }

    /// Finds a mistyped name even on a machine that has all tools, where no other test reads the variable.
    #[test]
    fn the_variable_contains_only_known_names() {
        Requirement::Data.is_in(&std::env::var(REQUIRE_VARIABLE).unwrap_or_default());
    }
}
