//! `tuner rehearse`: what a fit recovers, told as it is, and gone on with after a stop.

use crate::{good, refused, tuner};
use std::path::Path;
use std::process::Output;

/// A rehearsal of three seconds or so, whose games are enough to find the way back.
const REHEARSAL: &str = "--starts 1 --games 2000 --pairs 40 --work 1 --columns 40 \
    --held-out 60 --most-pairs 500 --parameters spot,potential,steps,built";

fn rehearse(options: &str, folder: &Path) -> Output {
    let mut command = tuner(["rehearse", "--out"]);
    command.arg(folder).args(options.split_whitespace());
    command.output().unwrap()
}

#[test]
fn the_way_back_is_found_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("rehearsal");
    let told = good(&rehearse(REHEARSAL, &out));
    let row = told.lines().find(|line| line.starts_with("1 ")).unwrap();
    // The number, what the start loses, a percent sign, what the result gains.
    let words: Vec<&str> = row.split_whitespace().collect();
    let [loses, gains] = [1, 3].map(|at| words[at].parse::<f64>().unwrap());
    assert!(loses < -5.0, "{told}");
    assert!(gains > loses / 2.0, "{told}");

    // What has ended is not played again, and comes to the same.
    assert_eq!(good(&rehearse(REHEARSAL, &out)), told);
    let other = REHEARSAL.replace("--pairs 40", "--pairs 41");
    let refusal = refused(&rehearse(&other, &out));
    assert!(refusal.contains("was made with other options"), "{refusal}");
}
