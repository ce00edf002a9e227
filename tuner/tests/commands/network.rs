//! `tuner fit --network`: the same engine over the numbers of a network.

use crate::fit::kill_ten_times;
use crate::report::records;
use crate::{all_refused, good, run, says, stderr, tuner};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A run of two seconds or so.
const SMALL: &str = "fit --network --pairs 6 --columns 30 --work 1.8 --games 400 --most-pairs 20";

fn fit(options: &str, out: &Path) -> Command {
    let mut command = tuner(SMALL.split_whitespace());
    command
        .args(options.split_whitespace())
        .arg("--out")
        .arg(out);
    command
}

#[test]
fn a_network_is_refined_by_playing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a");
    let done = fit("--jobs 1", &out).output().unwrap();
    let told = good(&done);
    let said = stderr(&done);
    let generations = said.lines().filter(|line| line.starts_with("generation "));
    assert!(generations.count() > 10, "{said}");
    let expected = format!("The result is in {}/network.txt", out.display());
    says(&told, expected);
    assert!(!told.contains("linear 0"), "hundreds of numbers: {told}");
    // What challenged and won is another network than that of the start.
    let eval = "eval --seeds 2..=3 --columns 60 --work 15 --network";
    good(&run(&format!("{eval} {}/network.txt", out.display())));
    let generations = records(&out.display().to_string(), "generation");
    let moved = generations.last().unwrap();
    assert_eq!(moved["generation"], 15);
    assert!(moved["average"].as_array().unwrap().len() > 100);

    // Any number of jobs, and any stop, come to the same bytes.
    let killed = folder.path().join("b");
    let bytes = |out: &Path, name: &str| fs::read(out.join(name)).unwrap();
    let ledgers = [&killed, &out].map(|out| out.join("ledger.jsonl"));
    kill_ten_times(|| fit("", &killed), &ledgers[0], &ledgers[1]);
    good(&fit("", &killed).output().unwrap());
    for name in ["ledger.jsonl", "network.txt", "result.json"] {
        assert!(bytes(&killed, name) == bytes(&out, name), "{name}");
    }
}

#[test]
fn mistakes_in_a_refinement_are_told_before_it_begins() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a");
    // Games so short that no layer is looked at.
    let games = "--pairs 6 --columns 10 --work 1.8";
    let table =
        format!("fit --network --out @ {games} | the network changes nothing in these cases");
    all_refused(&out.display().to_string(), &table);
    assert!(!out.exists());
}
