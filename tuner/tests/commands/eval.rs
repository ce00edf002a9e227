//! `tuner eval`.

use crate::{good, put, refused, run};
use serde_json::Value;

const SMALL: &str = "eval --seeds 1..=12 --work 1.5 --columns 50";

#[test]
fn results_are_the_same_for_any_number_of_jobs() {
    let seen = ["1", "2", "3"].map(|jobs| good(&run(&format!("{SMALL} --json --jobs {jobs}"))));
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0], seen[2]);
    let lines: Vec<Value> = seen[0]
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let seeds: Vec<u64> = lines.iter().map(|l| l["seed"].as_u64().unwrap()).collect();
    assert_eq!(seeds, (1..=12).collect::<Vec<_>>());
    for line in &lines {
        let points = line["points"].as_u64().unwrap();
        assert_eq!(points % 47, 0);
        let log = (points as f64 / 50.0).ln();
        assert!((line["log_score"].as_f64().unwrap() - log).abs() < 1e-9);
        assert!(line["placed"].as_u64().unwrap() <= 50);
    }
}

#[test]
fn a_table_sums_up() {
    let json = good(&run(&format!("{SMALL} --json")));
    let points = json.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["points"].as_u64().unwrap()
    });
    let sum: u64 = points.sum();
    let table = good(&run(SMALL));
    assert!(table.contains(&format!("\nsum    {sum}\n")), "{table}");
    assert!(table.lines().nth(1).unwrap().starts_with("all "), "{table}");
    assert!(table.contains("games/s"), "{table}");
}

#[test]
fn weights_matter_and_bad_ones_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.json");
    let shown = path.display();
    let with = format!("{SMALL} --json --weights {shown}");
    let start = columns_bot::eval::weights::Weights::default();
    let text = columns_bot::weights_file::format(&start);
    put(&path, &text);
    assert_eq!(good(&run(&with)), good(&run(&format!("{SMALL} --json"))));
    let potential = format!("\"potential\": {}", start.potential);
    // What is not named is as it is in the bot.
    put(&path, "{}");
    assert_eq!(good(&run(&with)), good(&run(&format!("{SMALL} --json"))));
    put(&path, "{\"potential\": 0.05}");
    let named = good(&run(&with));
    put(&path, &text.replace(&potential, "\"potential\": 0.05"));
    assert_eq!(good(&run(&with)), named);
    assert_ne!(good(&run(&with)), good(&run(&format!("{SMALL} --json"))));
    for (bad, expected) in [
        (String::new(), "line 1: expected an object of weights"),
        (
            text.replace("\"spot\"", "\"sport\""),
            "no weight is called \"sport\"",
        ),
        (
            text.replace(&potential, "\"potential\": NaN"),
            "line 2: expected an object of weights",
        ),
        (
            text.replace(&potential, "\"potential\": 85"),
            "potential must be from 0 to 1.5, not 85",
        ),
        ("\u{0}\u{1}".into(), "line 1: expected an object of weights"),
    ] {
        put(&path, &bad);
        let told = refused(&run(&with));
        assert!(
            told.starts_with(&format!("tuner: {shown}: {expected}")),
            "{told}"
        );
    }
    std::fs::write(&path, b"{\n\xff").unwrap();
    assert!(refused(&run(&with)).contains("line 2: expected text"));
    let missing = format!("{SMALL} --weights {}", folder.path().join("none").display());
    assert!(refused(&run(&missing)).contains("none: cannot be read"));
}

#[test]
fn a_shuffled_range_holds_the_same_games_in_another_order() {
    let lines = |options: &str| -> Vec<String> {
        let told = good(&run(&format!("{SMALL} --json {options}")));
        told.lines().map(String::from).collect()
    };
    let (plain, mut shuffled) = (lines(""), lines("--shuffle"));
    assert_ne!(plain, shuffled);
    assert_eq!(shuffled, lines("--shuffle --jobs 1"));
    let seed = |line: &String| -> u64 {
        let line: Value = serde_json::from_str(line).unwrap();
        line["seed"].as_u64().unwrap()
    };
    shuffled.sort_by_key(seed);
    assert_eq!(plain, shuffled);
}

#[test]
fn the_space_is_a_table_and_a_search_space_of_optuna() {
    let table = good(&run("space"));
    let count = columns_bot::eval::weights::PARAMETERS.len();
    assert_eq!(table.lines().count(), 1 + count, "{table}");
    let told = good(&run("space --optuna --parameters steps,potential"));
    let space: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(space.as_object().unwrap().len(), 2);
    assert_eq!(
        space["potential"],
        serde_json::json!({
            "name": "FloatDistribution",
            "attributes": { "low": 0.0, "high": 1.5, "log": false, "step": null },
        })
    );
    assert!(refused(&run("space --parameters sport")).contains("no parameter is called"));
}
