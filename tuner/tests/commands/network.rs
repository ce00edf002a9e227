//! `tuner fit --network`: a search over the parameters of a network instead of the table of weights.

use crate::{assert_all_refused, assert_contains, run, stderr, success, tuner};
use columns_tuner::experiment::folder;
use std::path::Path;
use std::process::Command;

/// A run of about two seconds.
const SMALL_FIT: &str =
    "fit --network --pairs 6 --columns 30 --work 1.8 --games 400 --max-pairs 20";

fn fit(options: &str, out: &Path) -> Command {
    let mut command = tuner(SMALL_FIT.split_whitespace());
    command
        .args(options.split_whitespace())
        .arg("--out")
        .arg(out);
    command
}

#[test]
#[ignore = "plays for seconds; .ci/run plays it"]
fn a_network_is_fitted_by_playing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a");
    let output = fit("--jobs 1", &out).output().unwrap();
    let stdout = success(&output);
    let log = stderr(&output);
    let generations = log.lines().filter(|line| line.starts_with("generation "));
    assert!(generations.count() > 10, "{log}");
    let expected = format!("{}/network.txt", out.display());
    assert_contains(&stdout, expected);
    assert!(
        !stdout.contains("linear 0"),
        "hundreds of numbers: {stdout}"
    );
    // The result is a valid network.
    let compare = "compare --all --seeds 2..=3 --columns 60 --work 15 --a-network none --b-network";
    success(&run(&format!("{compare} {}/network.txt", out.display())));
    let state = folder::read(&out).unwrap();
    let last = state.generations.last().unwrap();
    assert!(last.number == 15 && last.average.len() > 100);
}

#[test]
fn a_network_without_effect_is_refused_before_the_fit() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a");
    // Only every 16th layer of a game is measured, so a game of 10 columns shows no effect of the network.
    let games = "--pairs 6 --columns 10 --work 1.8";
    let table =
        format!("fit --network --out @ {games} | the network changes nothing in these cases");
    assert_all_refused(&out.display().to_string(), &table);
    assert!(!out.exists());
}
