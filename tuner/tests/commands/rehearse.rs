//! `tuner fit --rehearse`: how much of a known loss a fit recovers.

use crate::fit::kill_ten_times;
use crate::{good, put, refused, run, says, tuner};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A rehearsal of a second or so, whose games are enough to find the way back.
const REHEARSAL: &str = "--rehearse 1 --games 2000 --pairs 20 --rate 1 --work 1 --columns 40 \
    --most-pairs 500 --parameters spot,potential,steps,built";

fn rehearse(options: &str, folder: &Path) -> Command {
    let mut command = tuner(["fit", "--out"]);
    command.arg(folder).args(options.split_whitespace());
    command
}

#[test]
fn the_way_back_is_found_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("rehearsal");
    let told = good(&rehearse(REHEARSAL, &out).output().unwrap());
    let row = told.lines().find(|line| line.starts_with("1 ")).unwrap();
    // The number, what the start loses, a percent sign, what the result gains.
    let words: Vec<&str> = row.split_whitespace().collect();
    let [loses, gains] = [1, 3].map(|at| words[at].parse::<f64>().unwrap());
    assert!(loses < -5.0, "{told}");
    assert!(gains > loses / 2.0, "{told}");

    // What has ended is not played again, and comes to the same.
    assert_eq!(good(&rehearse(REHEARSAL, &out).output().unwrap()), told);
    let other = REHEARSAL.replace("--pairs 20", "--pairs 21");
    let refusal = refused(&rehearse(&other, &out).output().unwrap());
    let expected = "pairs: expected 20 as it was begun with, found 21; give what it was made with";
    says(&refusal, expected);
    // Other weights to find back to are another rehearsal.
    let file = folder.path().join("other.json");
    put(&file, "{\"steps\": 4.25}");
    let other = format!("{REHEARSAL} --weights {}", file.display());
    let refusal = refused(&rehearse(&other, &out).output().unwrap());
    says(&refusal, " as it was begun with, found ");

    // Killed on its way, it comes to the same bytes.
    let killed = folder.path().join("killed");
    let ledger = |out: &Path| out.join("1/ledger.jsonl");
    let again = || rehearse(REHEARSAL, &killed);
    kill_ten_times(again, &ledger(&killed), &ledger(&out));
    assert_eq!(good(&again().output().unwrap()), told);
    assert_eq!(
        fs::read(ledger(&killed)).unwrap(),
        fs::read(ledger(&out)).unwrap()
    );

    // What was found from a start that was made worse goes nowhere.
    let refusal = refused(&run(&format!("export {}", out.join("1").display())));
    says(
        &refusal,
        "expected a fit, found a rehearsal: its start was made worse on purpose",
    );
    let line = REHEARSAL.replace("--rehearse 1", "");
    let refusal = refused(&rehearse(&line, &out.join("1")).output().unwrap());
    says(
        &refusal,
        "rehearsal: expected 1 as it was begun with, found null",
    );
    assert!(!told.contains("tuner export"), "{told}");
}
