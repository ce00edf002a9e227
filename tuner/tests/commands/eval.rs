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
    put(&path, &text.replace(&potential, "\"potential\": 0.05"));
    assert_ne!(good(&run(&with)), good(&run(&format!("{SMALL} --json"))));
    for (bad, expected) in [
        (String::new(), "line 1: expected an object of weights"),
        ("{}".into(), "weight \"potential\" is missing"),
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
