//! `tuner fit --rehearse`: the share of a known loss that a fit recovers.

use crate::fit::kill_ten_times;
use crate::report::records;
use crate::{assert_contains, refusal, run, success, tuner, write};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A rehearsal that takes about a second and has enough games to recover most of the loss.
const REHEARSAL: &str = "--rehearse 1 --games 2000 --pairs 20 --learning-rate 1 --work 1 --columns 40 \
    --max-pairs 500 --parameters spot,potential,steps,built_per_place";

fn rehearse(options: &str, folder: &Path) -> Command {
    let mut command = tuner(["fit", "--out"]);
    command.arg(folder).args(options.split_whitespace());
    command
}

#[test]
#[ignore = "rehearses for half a minute; .ci/run plays it"]
fn a_rehearsal_recovers_and_prints_its_share() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("rehearsal");
    let stdout = success(&rehearse(REHEARSAL, &out).output().unwrap());
    let row = stdout.lines().find(|line| line.starts_with("1 ")).unwrap();
    // The row begins with the number of the rehearsal, the change in the score from the original to the
    // start, a percent sign, and the change from the original to the result.
    let words: Vec<&str> = row.split_whitespace().collect();
    let [loses, gains] = [1, 3].map(|at| words[at].parse::<f64>().unwrap());
    assert!(loses < -5.0, "{stdout}");
    assert!(gains > loses / 2.0, "{stdout}");

    let share = &words[words.iter().position(|&word| word == "to").unwrap() + 3];
    let expected = format!("A fit with these settings recovered {share} % (one rehearsal).\n");
    assert_contains(&stdout, expected);

    // The page describes the start, and what the fit recovered.
    let page = fs::read_to_string(out.join("1/report.html")).unwrap();
    for part in [
        "/1”</h1>",
        "<h1>Rehearsal “",
        "A rehearsal: its start was made worse on purpose, which changed the score by −",
        &format!("The fit recovered {share} % of this loss: "),
        "Against the spoiled start: The best ",
        "in a rehearsal the spoiled start",
        "in a rehearsal the dashed line is the original value",
    ] {
        assert_contains(&page, part);
    }
    let spoiled = &records(out.join("1").to_str().unwrap(), "draw")
        .pop()
        .unwrap()["values"];
    let begin = "<b>spot</b> <span class=\"key run0\">";
    let (_, value) = page.split_once(begin).unwrap();
    let value: f64 = value.split(' ').next().unwrap().parse().unwrap();
    assert!(
        (value - spoiled[2].as_f64().unwrap()).abs() < 0.2,
        "{value} {spoiled}"
    );

    // The same command plays no further games, and prints the same result.
    assert_eq!(
        success(&rehearse(REHEARSAL, &out).output().unwrap()),
        stdout
    );
    let other = REHEARSAL.replace("--pairs 20", "--pairs 21");
    let message = refusal(&rehearse(&other, &out).output().unwrap());
    let expected =
        "pairs: expected 20 as when it was begun, found 21; give the same options as then";
    assert_contains(&message, expected);
    // A rehearsal does not resume with other weights.
    let file = folder.path().join("other.json");
    write(&file, "{\"steps\": 4.25}");
    let other = format!("{REHEARSAL} --weights {}", file.display());
    let message = refusal(&rehearse(&other, &out).output().unwrap());
    assert_contains(&message, " as when it was begun, found ");

    // A rehearsal that is killed and resumed results in the same bytes.
    let killed = folder.path().join("killed");
    let ledger = |out: &Path| out.join("1/ledger.jsonl");
    let again = || rehearse(REHEARSAL, &killed);
    kill_ten_times(again, &ledger(&killed), &ledger(&out));
    assert_eq!(success(&again().output().unwrap()), stdout);
    assert_eq!(
        fs::read(ledger(&killed)).unwrap(),
        fs::read(ledger(&out)).unwrap()
    );

    // The result of a rehearsal cannot be exported.
    let message = refusal(&run(&format!("export {}", out.join("1").display())));
    assert_contains(
        &message,
        "expected a fit, found a rehearsal: its start was made worse on purpose",
    );
    let message = refusal(&run(&format!("export {}", out.display())));
    assert_contains(&message, "expected a fit, found a rehearsal: its start");
    let both = format!("report {0}/1 {0} --out {0}/x", out.display());
    let expected = format!(
        "found rehearsals; each is a run, such as {}/1",
        out.display()
    );
    assert_contains(refusal(&run(&both)), expected);
    let line = REHEARSAL.replace("--rehearse 1", "");
    let message = refusal(&rehearse(&line, &out).output().unwrap());
    assert_contains(
        &message,
        "rehearsal: holds rehearsals: add --rehearse N to continue them",
    );
    let message = refusal(&rehearse(&line, &out.join("1")).output().unwrap());
    assert_contains(
        &message,
        "rehearsal: expected 1 as when it was begun, found null",
    );
    assert!(!stdout.contains("tuner export"), "{stdout}");
}
