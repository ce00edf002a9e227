//! `tuner export`: writes the result of a fit from a bad start, or the winner of a comparison, into the
//! sources of the bot.

use crate::{
    FITTED, TempFolder, assert_all_refused, assert_contains, fitted_run, refusal, run, stderr,
    success, tuner, write,
};
use columns_bot_command::weights_file;
use std::fs;

const SOURCE: &str = include_str!("../../../bot/src/eval/tuned.rs");
const NETWORK: &str = include_str!("../../../bot/src/learned/trained.rs");
const TWO: &str = include_str!("../../../bot/src/learned/trained_two.rs");
const PLACE: &str = "root/bot/src/eval/tuned.rs";

/// Copies a run, and makes a workspace whose weights are the start of that run. Returns the folder that
/// contains both, the path of the run, and the text of the source file with the weights.
fn prepare() -> (TempFolder, String, String) {
    let temp = TempFolder::new();
    for (name, text) in [("trained", NETWORK), ("trained_two", TWO)] {
        let path = temp.at(&format!("root/bot/src/learned/{name}.rs"));
        fs::create_dir_all(temp.at("root/bot/src/learned")).unwrap();
        write(path.as_ref(), text);
    }
    fs::create_dir_all(temp.at("root/bot/src/eval")).unwrap();
    let source = SOURCE.replace("potential: 0.85", "potential: 0.0");
    assert_ne!(source, SOURCE);
    write(temp.at(PLACE).as_ref(), &source);
    let run = fitted_run(&temp, "a-night");
    (temp, run, source)
}

#[test]
fn better_weights_go_into_the_bot() {
    let (temp, night, before) = prepare();
    // Only the ledger counts: change or remove the other files of the run.
    let copy = temp.at("a-night/weights.json");
    let weights = weights_file::parse(&fs::read_to_string(&copy).unwrap()).unwrap();
    let mut edited = weights.clone();
    edited.set("potential", 0.123).unwrap();
    write(copy.as_ref(), &weights_file::format(&edited));
    fs::remove_file(temp.at("a-night/result.json")).unwrap();

    let mut command = tuner(["export", &night]);
    let inside = temp.at("root/bot/src");
    let output = command.current_dir(inside).output().unwrap();
    let stdout = success(&output);
    // The printed commands contain absolute paths, so that they work in any folder.
    let root = temp.at("root");
    for part in [
        format!("cd {root}\ncargo build --release\ncargo xtask bench --write\n"),
        format!("git -C {root} restore bot/src/eval/tuned.rs crates/workshop/bench.fingerprint\n"),
    ] {
        assert_contains(&stdout, part);
    }
    let warning = format!(
        "wide on average, in the contest 30 and more; what is better here may be worse there; before \
         you submit, compare with --work 100: tuner compare --b {night}/weights.json --work 100"
    );
    assert_contains(stderr(&output), warning);
    let text = String::from_utf8(temp.read(PLACE)).unwrap();
    let comment = text.lines().filter_map(|line| line.strip_prefix("//!"));
    let comment: String = comment.collect();
    for part in [
        " The run \"a-night\" (tuner fit): ",
        "games with --profile default --columns 60 and 2 ms of work each",
        "objective: log; fitted: potential, steps. On the held-out seeds ",
        "The best is better than the start: +",
    ] {
        assert_contains(&comment, part);
    }
    // Only the fitted values have changed.
    let code = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with("//!"));
        lines.map(String::from).collect()
    };
    let (before, after) = (code(&before), code(&text));
    let changed = before.iter().zip(&after).filter(|(a, b)| a != b);
    let changed: Vec<&String> = changed.map(|(_, after)| after).collect();
    let [potential, steps] = [weights.potential, weights.steps];
    let expected = [
        format!("            potential: {potential:?};"),
        format!("            steps: {steps:?};"),
    ];
    assert_eq!(changed, expected.iter().collect::<Vec<_>>());

    // A second export changes nothing.
    let again = success(&run(&format!("export {night} --workspace {root}")));
    assert_contains(&again, "holds this player already");
    assert_eq!(temp.read(PLACE), text.as_bytes());
}

/// A result has beaten the start of its run, but perhaps not the weights or networks that the sources hold.
#[test]
fn sources_that_do_not_hold_the_start_of_the_run_stay_unchanged() {
    let (temp, night, start) = prepare();
    let (root, line) = (temp.at("root"), format!("export {night} --workspace "));
    let refuse = |expected: &str| {
        let before = temp.read(PLACE);
        assert_contains(refusal(&run(&(line.clone() + &root))), expected);
        assert_eq!(temp.read(PLACE), before);
    };
    // The sources hold the bot's own weights, but the run began with worse ones.
    write(temp.at(PLACE).as_ref(), SOURCE);
    refuse("tuned.rs: expected potential = 0, which it was compared with, found 0.85");
    // A weight outside the fit has changed since the run.
    write(
        temp.at(PLACE).as_ref(),
        &start.replace("open_stacks: 3.0", "open_stacks: 3.5"),
    );
    refuse("tuned.rs: expected open_stacks = 3, which it was compared with, found 3.5");
    // The network has changed since the run.
    write(temp.at(PLACE).as_ref(), &start);
    let network = temp.at("root/bot/src/learned/trained.rs");
    write(
        network.as_ref(),
        &NETWORK.replace(": &str = \"", ": &str = \"x"),
    );
    refuse("trained.rs: expected the network that it was compared with, found another");
    // The same command with different weights to start from does not resume the run.
    let other = format!("{FITTED} --out {night}");
    let expected = "ledger.jsonl: the run began with potential 0, not 0.85: the bot has changed since, \
        as by tuner export, or the option --weights or --network is missing: build the bot as it was";
    assert_contains(refusal(&run(&other)), expected);
}

/// Exports from the folder of the sources, and into a workspace whose path contains a space.
#[test]
fn the_commands_after_an_export_name_the_folder_if_it_is_another() {
    let (temp, night, _) = prepare();
    let (root, elsewhere) = (temp.at("root"), temp.at("my bot"));
    fs::create_dir_all(temp.at("my bot/bot/src/eval")).unwrap();
    fs::create_dir_all(temp.at("my bot/bot/src/learned")).unwrap();
    for file in ["eval/tuned", "learned/trained", "learned/trained_two"] {
        let [from, to] = ["root", "my bot"].map(|at| temp.at(&format!("{at}/bot/src/{file}.rs")));
        fs::copy(from, to).unwrap();
    }
    let mut here = tuner(["export", &night]);
    let stdout = success(&here.current_dir(&root).output().unwrap());
    let sources = "bot/src/eval/tuned.rs crates/workshop/bench.fingerprint";
    assert_contains(&stdout, format!("\ngit restore {sources}\n"));
    assert!(!stdout.contains("\ncd "), "{stdout}");
    let mut there = tuner(["export", &night, "--workspace", "my bot"]);
    let there = there.current_dir(temp.at(""));
    let stdout = success(&there.output().unwrap());
    assert_contains(
        &stdout,
        format!("\ngit -C '{elsewhere}' restore {sources}\n"),
    );
    assert_contains(&stdout, format!("\ncd '{elsewhere}'\ncargo build"));
}

#[test]
fn weights_that_won_a_comparison_go_into_the_bot() {
    let (temp, _, _) = prepare();
    for (name, text) in [
        ("zero", "{\"potential\": 0}"),
        ("x.json", "{\"steps\": 3.25}"),
        ("y.json", "{\"spot\": 3}"),
    ] {
        write(temp.at(name).as_ref(), text);
    }
    let [zero, x, y, won] = ["zero", "x.json", "y.json", "won"].map(|name| temp.at(name));
    let options = "--seeds 1..=60 --columns 60 --work 6 --all";
    success(&run(&format!(
        "compare --a {zero} --b {x} --out {won} {options}"
    )));
    let export = |file: &str| {
        run(&format!(
            "export {file} --won {won} --workspace {}",
            temp.at("root")
        ))
    };
    assert_contains(refusal(&export(&y)), "y.json with the bot, found another");
    let output = export(&x);
    assert_contains(success(&output), "tuned.rs: written");
    assert_contains(stderr(&output), format!("tuner compare --b {x} --work 100"));
    let text = String::from_utf8(temp.read(PLACE)).unwrap();
    assert_contains(&text, "\n            potential: 0.85;");
    assert_contains(&text, "\n            steps: 3.25;");
    let comment = text.lines().filter_map(|line| line.strip_prefix("//!"));
    let comment: String = comment.collect();
    assert_contains(
        &comment,
        "x.json\" won a comparison with the previous ones (tuner compare",
    );
    assert_contains(success(&export(&x)), "holds this player already");
}

/// Exports a network with `--won`, the ledger of the comparison that it won.
#[test]
#[ignore = "compares networks for seconds; .ci/run plays it"]
fn a_network_that_won_goes_into_the_bot() {
    let (temp, _, _) = prepare();
    let (root, source) = (temp.at("root"), "root/bot/src/learned/trained.rs");
    write(temp.at(PLACE).as_ref(), SOURCE);
    // The bot's own network beats a network whose output is always 0.
    let own = columns_bot::learned::networks::built_in_networks()
        .unwrap()
        .any_colours
        .to_text();
    write(temp.at("own").as_ref(), &(own + "\nlearned from games\n"));
    let line = format!("export {} --workspace {root}", temp.at("own"));
    let compare = |a: &str, b: &str, out: &str| {
        let [a, b, out] = [a, b, out].map(|name| temp.at(name));
        let line = format!("compare --a-network {a} --b-network {b} --out {out}");
        success(&run(&format!(
            "{line} --seeds 1..=60 --columns 60 --work 6 --all"
        )));
    };
    let zero = columns_bot::learned::networks::Network::ZERO.to_text();
    write(temp.at("zero").as_ref(), &zero);
    compare("zero", "own", "won");
    compare("own", "zero", "lost");
    let won = format!("{line} --won {}", temp.at("won"));
    assert_contains(
        refusal(&run(&won)),
        "trained.rs: expected the network that it was compared with",
    );
    assert_contains(
        refusal(&run(&format!("{line} --won {}", temp.at("lost")))),
        "found another",
    );
    let lost = format!("export {} --won {}", temp.at("zero"), temp.at("lost"));
    let message = refusal(&run(&format!("{lost} --workspace {root}")));
    assert_contains(message, "zero to be better, found -");
    assert_contains(refusal(&run(&line)), "own: expected the folder of a run");
    assert_eq!(temp.read(source), NETWORK.as_bytes());

    // Put the network that lost into the sources. The export replaces it with the network that won.
    let holding = |name: &str, network: &str| {
        let text = format!("pub const {name}: &str = \"{network}\";\n");
        write(
            temp.at(&format!("root/bot/src/learned/{}.rs", name.to_lowercase()))
                .as_ref(),
            &text,
        );
    };
    holding("TRAINED", &zero);
    holding("TRAINED_TWO", "");
    assert_contains(success(&run(&won)), "trained.rs, ");
    let text = String::from_utf8(temp.read(source)).unwrap();
    let own = fs::read_to_string(temp.at("own")).unwrap();
    assert_contains(&text, own.lines().next().unwrap());
    let comment = text.lines().filter_map(|line| line.strip_prefix("//!"));
    assert_contains(
        comment.collect::<String>(),
        "ms of work each. learned from games",
    );
    assert_contains(success(&run(&won)), "holds this player already");
}

#[test]
fn other_files_are_refused_and_no_source_is_written() {
    let (temp, night, source) = prepare();
    let refuse = |table: &str| {
        assert_all_refused(&temp.at(""), table);
        assert_eq!(temp.read(PLACE), source.as_bytes());
    };
    let table = "
export @/a-night/weights.json --workspace @/root | weights.json: expected the folder of a run
export @/root --workspace @/root | root: expected the folder of a run, found no ledger.jsonl in it
";
    refuse(table);
    // First truncate the ledger before the result of the run, then damage a line.
    let ledger = format!("{night}/ledger.jsonl");
    let text = fs::read_to_string(&ledger).unwrap();
    let lines: Vec<&str> = text.lines().take(50).collect();
    write(ledger.as_ref(), &(lines.join("\n") + "\n"));
    refuse(
        "export @/a-night --workspace @/root | no result yet; continue it with the command that began it",
    );
    write(
        ledger.as_ref(),
        &text.replacen("\"points\":", "\"points\":1", 1),
    );
    refuse("export @/a-night --workspace @/root | ledger.jsonl: line ");
}
