//! `tuner parameters`.

use crate::{assert_contains, run, success};
use columns_bot::eval::weights::PARAMETERS;

#[test]
fn the_parameters_are_a_table() {
    let table = success(&run("parameters"));
    assert_eq!(table.lines().count(), 1 + PARAMETERS.len(), "{table}");
    let row = table.lines().find(|line| line.starts_with("steps "));
    assert_contains(row.unwrap(), "Worth of each step of the best chain.");
    assert!(
        table.lines().skip(1).all(|line| line.ends_with('.')),
        "{table}"
    );
}
