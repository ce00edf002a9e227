//! End-to-end tests of the bot: legal cases of all kinds, and every budget.

use crate::commands;
use columns_cases::PaletteKind;
use columns_core::rules::case::{Case, Colour, Column};
use columns_core::rules::plan::Plan;
use columns_core::rules::replay;
use columns_generator::{Profile, Spec, generate};
use std::process::Output;

fn bot(args: &[&str], input: &str) -> Output {
    let mut bot = commands::command("bot");
    bot.args(args).write_stdin(input).output().unwrap()
}

/// Returns the plan that the bot prints for a case. Asserts that the plan is valid, and that the bot reports
/// the points that the referee computes.
fn plan(args: &[&str], case: &Case) -> Plan {
    let output = bot(&[&["--stats"], args].concat(), &case.to_string());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{message}");
    let text = String::from_utf8(output.stdout).unwrap();
    let plan = Plan::parse(&text, case.width(), case.columns().len()).unwrap();
    let stats: serde_json::Value = serde_json::from_str(&message).unwrap();
    let turns = replay::replay(case, &plan);
    let last_planned = turns.iter().take(plan.placements.len()).next_back();
    let points = last_planned.map_or(0, |turn| turn.total_points);
    assert_eq!(stats["points"], points, "{args:?}");
    plan
}

/// Creates a case, and asserts that it is legal.
fn case(width: usize, height: usize, columns: Vec<Column>) -> Case {
    Case::new(width, height, columns).unwrap()
}

#[test]
fn every_legal_size_is_played() {
    for width in 6..=12 {
        for height in 13..=19 {
            let spec = Spec::new(Profile::Short)
                .with_width(width)
                .and_then(|spec| spec.with_height(height))
                .and_then(|spec| spec.with_columns(40))
                .unwrap();
            plan(&["--beam-width", "5"], &generate(3, &spec));
        }
    }
}

#[test]
fn extreme_legal_cases_are_played() {
    let magic = vec![Column::Magic; 50];
    let empty = plan(&["--nodes", "3000"], &case(6, 13, magic));
    assert!(empty.placements.len() <= 50);
    let one_colour = Column::Jewels([Colour::from_index(3); 3]);
    let flat = case(12, 13, vec![one_colour; 60]);
    assert_eq!(
        plan(&["--nodes", "3000"], &flat),
        plan(&["--nodes", "3000", "--cpu", "portable"], &flat)
    );
    // A single column of one colour is a match.
    let single = case(6, 19, vec![one_colour]);
    let best = plan(&[], &single);
    assert_eq!(replay::score(&single, &best).points, 47);
    // With 26 colours, matches are rare: the field fills up, so the game and the plan end early.
    let rainbow = (0..200)
        .map(|i| Column::Jewels([0, 1, 2].map(|j| Colour::from_index((5 * i + 9 * j) % 26))));
    plan(&["--beam-width", "2"], &case(6, 13, rainbow.collect()));
    let longest = Spec::default().with_columns(10_000).unwrap();
    let longest = longest.with_palette(PaletteKind::Growing).unwrap();
    plan(&["--beam-width", "1"], &generate(5, &longest));
}

#[test]
fn the_bot_prints_a_plan_even_if_no_time_is_left() {
    let spec = Spec::default().with_columns(10_000).unwrap();
    let long = generate(11, &spec);
    let plan = plan(&["--time-limit", "1.5"], &long);
    assert!(replay::score(&long, &plan).points > 0);
    // With no time at all, the bot places every column on the lowest stack.
    let lowest = self::plan(&["--time-limit", "0"], &long);
    assert_eq!(
        lowest,
        columns_core::rules::quickstart::play_quickstart(&long)
    );
}

#[test]
#[ignore = "plays 720,000 states; .ci/run plays it"]
fn a_larger_budget_scores_more() {
    let spec = Spec::default()
        .with_width(8)
        .and_then(|spec| spec.with_height(15))
        .and_then(|spec| spec.with_colours(5))
        .and_then(|spec| spec.with_columns(200))
        .unwrap();
    let total = |args: &[&str]| -> f64 {
        let cases = (2..8).map(|seed| generate(seed, &spec));
        let points = cases.map(|case| replay::score(&case, &plan(args, &case)).points);
        points.map(|points| (points.max(1) as f64).ln()).sum()
    };
    let (small, large) = (total(&["--nodes", "4000"]), total(&["--nodes", "120000"]));
    assert!(large > small + 6.0 * 0.2, "{small} {large}");
}

/// Runs the bot with standard error closed or on a full disk, with a closed pipe as standard output, or both.
#[test]
fn the_bot_succeeds_even_if_nothing_can_be_printed() {
    let program = commands::program_path("bot");
    let program = program.display();
    for redirection in ["2>/dev/full", "2>&-", "2>/dev/full | true", "| true"] {
        let call = format!("set -o pipefail; '{program}' --nodes 500 --stats {redirection}");
        let mut bash = assert_cmd::Command::new("bash");
        let bash = bash.args(["-c", &call]).write_stdin("6 13\n1\nabc\n");
        let output = bash.output().unwrap();
        assert!(output.status.success(), "{redirection}: {output:?}");
        assert!(redirection.ends_with("true") || output.stdout.starts_with(b"1\n"));
    }
}

#[test]
fn printed_weights_can_be_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("weights.json");
    std::fs::write(&file, bot(&["--print-weights"], "").stdout).unwrap();
    let case = generate(4, &Spec::default().with_columns(60).unwrap());
    let with_file = plan(
        &["--nodes", "5000", "--weights", file.to_str().unwrap()],
        &case,
    );
    assert_eq!(with_file, plan(&["--nodes", "5000"], &case));
}

#[test]
fn a_network_can_be_read_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("network.txt");
    let path = file.to_str().unwrap();
    let spec = Spec::default().with_columns(60).unwrap();
    let case = generate(4, &spec.with_colours(5).unwrap());
    let network = columns_bot::learned::networks::built_in_networks()
        .unwrap()
        .any_colours;
    std::fs::write(&file, network.to_text() + "\nwhere it comes from\n").unwrap();
    for budget in [["--nodes", "5000"], ["--work", "20"]] {
        let with = |network: &str| plan(&[&budget[..], &["--network", network]].concat(), &case);
        let built_in = plan(&budget, &case);
        assert_eq!(with(path), built_in);
        assert_ne!(with("none"), built_in);
    }
}
