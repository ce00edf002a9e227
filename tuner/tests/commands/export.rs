//! `tuner export`: from a bad start over a fit into the source of the bot.

use crate::{all_refused, fitted, good, put, run, says, tuner, Desk};
use columns_bot::weights_file;
use std::fs;

const SOURCE: &str = include_str!("../../../bot/src/eval/tuned.rs");
const PLACE: &str = "root/bot/src/eval/tuned.rs";

/// A run, and a workspace with nothing but the weights.
fn desk() -> (Desk, String) {
    let desk = Desk::new();
    fs::create_dir_all(desk.at("root/bot/src/eval")).unwrap();
    put(desk.at(PLACE).as_ref(), SOURCE);
    let run = fitted(&desk, "a-night");
    (desk, run)
}

#[test]
fn better_weights_go_into_the_bot() {
    let (desk, night) = desk();
    // The ledger says what the run found; the copies beside it are nobody's proof.
    let copy = desk.at("a-night/weights.json");
    let found = weights_file::parse(&fs::read_to_string(&copy).unwrap()).unwrap();
    let mut edited = found.clone();
    edited.set("potential", 0.123).unwrap();
    put(copy.as_ref(), &weights_file::format(&edited));
    fs::remove_file(desk.at("a-night/result.json")).unwrap();

    let mut command = tuner(["export", &night]);
    let told = good(
        &command
            .current_dir(desk.at("root/bot/src"))
            .output()
            .unwrap(),
    );
    says(&told, "cargo xtask bench --write");
    let text = String::from_utf8(desk.read(PLACE)).unwrap();
    let line = format!("\n    potential: {:?},\n", found.potential);
    says(&text, &line);
    let comment = text.lines().filter_map(|line| line.strip_prefix("//!"));
    let comment: String = comment.collect();
    for part in [
        " The run \"a-night\" (tuner fit): ",
        "games with --profile default --columns 60 and 2 ms of work each",
        "objective: log; fitted: potential, steps. On the held-out seeds ",
        "The result is better than the start: +",
    ] {
        says(&comment, part);
    }

    // Twice is once.
    let again = good(&run(&format!(
        "export {night} --workspace {}",
        desk.at("root")
    )));
    says(&again, "this is there already");
    assert_eq!(desk.read(PLACE), text.as_bytes());
}

#[test]
fn what_cannot_be_exported_is_refused_and_nothing_written() {
    let (desk, night) = desk();
    let refuse = |table: &str| {
        all_refused(&desk.at(""), table);
        assert_eq!(desk.read(PLACE), SOURCE.as_bytes());
    };
    let table = "
export @/a-night/weights.json --workspace @/root | weights.json: expected the folder of a run
export @/root --workspace @/root | root: expected the folder of a run, found no ledger.jsonl in it
";
    refuse(table);
    // A run that has found nothing yet, and a ledger that was changed.
    let ledger = format!("{night}/ledger.jsonl");
    let text = fs::read_to_string(&ledger).unwrap();
    let lines: Vec<&str> = text.lines().take(50).collect();
    put(ledger.as_ref(), &(lines.join("\n") + "\n"));
    refuse("export @/a-night --workspace @/root | no result yet; go on with it: tuner resume ");
    put(
        ledger.as_ref(),
        &text.replacen("\"points\":", "\"points\":1", 1),
    );
    refuse("export @/a-night --workspace @/root | ledger.jsonl: line ");
}
