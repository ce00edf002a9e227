//! `tuner export`: writes the result of a fit, or the winner of a comparison, into the sources of the bot.

use crate::{
    TempFolder, assert_all_refused, assert_contains, engine, fitted_run, refusal, run, stderr,
    success, tuner, write,
};
use columns_bot::learned::networks::{Network, built_in_networks};
use columns_bot_command::weights_file;
use columns_cases::PaletteKind;
use columns_tuner::player::Player;
use std::collections::BTreeMap;
use std::fs;

/// The source files that `tuner export` may change, each with its path in the workspace and its contents.
const SOURCES: [(&str, &str); 3] = [
    (
        "bot/src/eval/tuned.rs",
        include_str!("../../../bot/src/eval/tuned.rs"),
    ),
    (
        "bot/src/learned/any.txt",
        include_str!("../../../bot/src/learned/any.txt"),
    ),
    (
        "bot/src/learned/two.txt",
        include_str!("../../../bot/src/learned/two.txt"),
    ),
];

/// Creates a workspace `root` with the sources of the bot.
fn workspace() -> TempFolder {
    let temp = TempFolder::new();
    for (path, text) in SOURCES {
        let path = temp.path(&format!("root/{path}"));
        fs::create_dir_all(path.rsplit_once('/').unwrap().0).unwrap();
        write(path.as_ref(), text);
    }
    temp
}

/// Returns the lines of the exported sources that differ from the bot's own, by the path of the source file.
fn changed_lines(temp: &TempFolder) -> BTreeMap<&'static str, Vec<String>> {
    let changed = SOURCES.into_iter().filter_map(|(path, before)| {
        let after = String::from_utf8(temp.read(&format!("root/{path}"))).unwrap();
        assert!(after.is_empty() || after.ends_with('\n'));
        let before: Vec<&str> = before.lines().collect();
        let after = after.lines().enumerate();
        let lines = after.filter(|(index, line)| before.get(*index) != Some(line));
        let lines: Vec<String> = lines.map(|(_, line)| line.trim_start().into()).collect();
        (!lines.is_empty()).then_some((path, lines))
    });
    changed.collect()
}

#[test]
fn the_result_of_a_fit_goes_into_the_bot() {
    let temp = workspace();
    let night = fitted_run(&temp, "a-night");
    // The export reads only the ledger: change one other file of the run, and remove another.
    let copy = temp.path("a-night/weights.json");
    let weights = weights_file::parse(&fs::read_to_string(&copy).unwrap()).unwrap();
    let mut edited = weights.clone();
    edited.set("potential", 0.123).unwrap();
    write(copy.as_ref(), &weights_file::format(&edited));
    fs::remove_file(temp.path("a-night/result.json")).unwrap();

    let mut command = tuner(["export", &night]);
    let output = command.current_dir(temp.path("root/bot/src")).output();
    let output = output.unwrap();
    let stdout = success(&output);
    assert!(
        stdout.starts_with("The best is better than the start: +"),
        "{stdout}"
    );
    let path = temp.path("root/bot/src/eval/tuned.rs");
    let next = "`git diff` shows the change. Build the bot again, record its new fingerprint, and make the \
         submission:\ncargo build --release\ncargo xtask bench --write\ncargo xtask bundle --write\n";
    assert_contains(&stdout, format!("\n{path}: written\n\n{next}"));
    let warning = "wide on average, in the contest 30 and more; what is better here may be worse there: \
         compare with --work 100 before you submit\n";
    assert_contains(stderr(&output), warning);
    // Only the rows of the fitted weights have changed.
    let [potential, steps] = [weights.potential, weights.steps];
    let rows = vec![
        format!("potential: {potential:?};"),
        format!("steps: {steps:?};"),
    ];
    assert_eq!(changed_lines(&temp), [(SOURCES[0].0, rows)].into());

    let root = temp.path("root");
    let again = success(&run(&format!("export {night} --workspace {root}")));
    assert_eq!(again, format!("{root}: the bot is this player already\n"));
}

/// Compares the hand-made weights `x.json` and `y.json` with very bad weights, so that both win. Returns the
/// path of the comparison.
fn compare_hand_made(temp: &TempFolder, options: &str) -> String {
    for (name, text) in [
        ("zero", "{\"potential\": 0}"),
        ("x.json", "{\"steps\": 3.25}"),
        ("y.json", "{\"spot\": 3, \"potential\": 0}"),
    ] {
        write(temp.path(name).as_ref(), text);
    }
    let [zero, x, y, out] = ["zero", "x.json", "y.json", "won"].map(|name| temp.path(name));
    let games = "--seeds 1..=30 --columns 60 --work 3 --all";
    success(&run(&format!(
        "compare --a {zero} --b {y} --b {x} --out {out} {games} {options}"
    )));
    out
}

#[test]
fn the_winner_of_a_comparison_goes_into_the_bot() {
    let temp = workspace();
    let won = compare_hand_made(&temp, "");
    let other = format!("export {won} --workspace {}", temp.path("none"));
    assert_contains(
        refusal(&run(&other)),
        "none/bot/src/eval/tuned.rs: cannot be read",
    );
    let output = run(&format!("export {won} --workspace {}", temp.path("root")));
    let stdout = success(&output);
    assert!(
        stdout.starts_with(&format!("{} is better: +", temp.path("x.json"))),
        "{stdout}"
    );
    let rows = vec!["steps: 3.25;".to_string()];
    assert_eq!(changed_lines(&temp), [(SOURCES[0].0, rows)].into());
}

#[test]
fn a_record_without_a_passed_judgement_is_refused() {
    let temp = workspace();
    let refuse = |table: &str| {
        assert_all_refused(&temp.path(""), table);
        assert!(changed_lines(&temp).is_empty());
    };
    compare_hand_made(&temp, "--no-worse");
    refuse(
        "export @/won --workspace @/root | cannot be exported: the comparison asked whether a candidate",
    );
    let lost = temp.path("lost");
    success(&run(&format!(
        "compare --b {} --out {lost} --seeds 1..=12 --columns 60 --work 3",
        temp.path("zero")
    )));
    let message = refusal(&run(&format!(
        "export {lost} --workspace {}",
        temp.path("root")
    )));
    let expected = format!(
        "no candidate was shown to be better: {} -",
        temp.path("zero")
    );
    assert_contains(&message, expected);
    // Truncate the ledger of a fit before its result, then damage a line.
    let night = fitted_run(&temp, "a-night");
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
    refuse(
        "
export @/a-night/weights.json --workspace @/root | weights.json: line 1: expected the header of a comparison
export @/root --workspace @/root | root: expected the folder of a run, found no ledger.jsonl in it
",
    );
}

/// A fit of one network on cases with two colours replaces only the network for two colours.
#[test]
fn a_fit_on_two_colours_replaces_only_their_network() {
    let temp = workspace();
    let mut config = engine::config(1500);
    config.case_spec = config.case_spec.with_colours(2).unwrap();
    config.case_spec = config.case_spec.with_palette(PaletteKind::Fixed).unwrap();
    let Player::Bot { player, .. } = &mut config.start else {
        unreachable!()
    };
    (player.network, player.two_colour_network) = (Some(Network::ZERO.into()), None);
    let run_folder = temp.path("run");
    engine::play_to_end(run_folder.as_ref(), &config);
    success(&run(&format!(
        "export {run_folder} --workspace {}",
        temp.path("root")
    )));
    let changed: Vec<&str> = changed_lines(&temp).into_keys().collect();
    assert_eq!(changed, [SOURCES[0].0, SOURCES[2].0]);
}

#[test]
#[ignore = "compares networks for seconds; .ci/run plays it"]
fn a_network_that_won_goes_into_the_bot() {
    let temp = workspace();
    let own = built_in_networks().unwrap().any_colours.to_text();
    let zero = Network::ZERO.to_text();
    write(
        temp.path("own").as_ref(),
        &(own.clone() + "\nlearned from games\n"),
    );
    write(temp.path("zero").as_ref(), &zero);
    let compare = |a: &str, b: &str, options: &str, out: &str| {
        let [a, b, out] = [a, b, out].map(|name| temp.path(name));
        let line = format!("compare --a-network {a} --b-network {b} --out {out}");
        let games = "--seeds 1..=60 --columns 60 --work 6 --all";
        success(&run(&format!("{line} {games} {options}")));
        format!("export {out} --workspace {}", temp.path("root"))
    };
    let lost = compare("own", "zero", "", "lost");
    assert_contains(refusal(&run(&lost)), "no candidate was shown to be better");
    assert!(changed_lines(&temp).is_empty());

    // The bot's own network beats a network whose output is always 0. The export replaces the zero network in
    // the sources. It also empties the file for two colours, so that the winner evaluates all states.
    let [any, two] = [1, 2].map(|index| temp.path(&format!("root/{}", SOURCES[index].0)));
    write(any.as_ref(), &(zero + "\n"));
    let won = compare("zero", "own", "", "won");
    let stdout = success(&run(&won));
    assert_contains(&stdout, format!("{any}: written\n{two}: written\n"));
    assert_eq!(fs::read_to_string(&any).unwrap(), SOURCES[1].1);
    assert_eq!(fs::read_to_string(&two).unwrap(), "");

    // A network that won on cases with two colours replaces only the network for two colours.
    let won = compare("zero", "own", "--colours 2 --palette fixed", "won-two");
    let stdout = success(&run(&won));
    assert!(!stdout.contains("any.txt"), "{stdout}");
    assert_eq!(fs::read_to_string(&any).unwrap(), SOURCES[1].1);
    assert_eq!(fs::read_to_string(&two).unwrap(), own + "\n");

    // The bot's own pair of networks replaces both files, even if it won on cases with two colours.
    let weights = temp.path("w.json");
    write(weights.as_ref(), "{}");
    let [zero, out, root] = ["zero", "won-pair", "root"].map(|name| temp.path(name));
    let games = "--seeds 1..=60 --columns 60 --work 6 --all --colours 2 --palette fixed";
    success(&run(&format!(
        "compare --a-network {zero} --b {weights} --out {out} {games}"
    )));
    success(&run(&format!("export {out} --workspace {root}")));
    assert!(changed_lines(&temp).is_empty());
}
