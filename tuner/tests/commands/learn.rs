//! `tuner sample` and `tuner learn`.

use crate::{good, put, refused, run, stderr};
use std::fs;

const SMALL: &str = "sample --columns 40 --width-of-beam 30 --ahead 3 --every 2";

#[test]
fn a_data_set_is_the_same_for_any_jobs_and_after_any_stop() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let sample = |name: &str, seeds: &str, more: &str| {
        let out = path(name);
        good(&run(&format!(
            "{SMALL} --seeds {seeds} {more} --out {}",
            out.display()
        )));
        fs::read(out).unwrap()
    };
    let whole = sample("a", "1..=6", "--jobs 1");
    assert!(whole.len() > 100_000, "{}", whole.len());
    assert!(sample("b", "1..=6", "--jobs 3") == whole);
    // Stopped in the middle of a game.
    sample("c", "1..=3", "");
    let part = fs::read(path("c")).unwrap();
    fs::write(path("c"), &part[..part.len() - 1000]).unwrap();
    assert!(sample("c", "1..=6", "") == whole);
    // With other options it is another data set.
    let other = format!(
        "{SMALL} --seeds 1..=6 --cut 5 --out {}",
        path("a").display()
    );
    let told = refused(&run(&other));
    assert!(told.contains("holds other data"), "{told}");
    assert!(fs::read(path("a")).unwrap() == whole);
}

#[test]
fn a_network_learns_to_rank_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let shown = data.display();
    good(&run(&format!(
        "{SMALL} --seeds 1..=200 --network none --out {shown}"
    )));
    let network = folder.path().join("n.txt");
    let learn = format!(
        "learn {shown} --epochs 4 --batch 16 --hold-out 4 --out {}",
        network.display()
    );
    let done = run(&learn);
    let told = good(&done);
    let loss = |line: &str| -> f64 {
        let text = told.lines().find_map(|found| found.strip_prefix(line));
        let number = text.unwrap().split(',').next().unwrap();
        number.trim_start_matches(": loss ").parse().unwrap()
    };
    assert!(
        loss("in whole numbers") < loss("base alone") - 0.05,
        "{told}"
    );
    assert_eq!(stderr(&done).lines().count(), 4);
    let text = fs::read(&network).unwrap();
    good(&run(&learn));
    assert!(
        fs::read(&network).unwrap() == text,
        "learning is the same every time"
    );
    let eval = "eval --seeds 2..=4 --columns 40 --nodes 2000 --json --network";
    let with = good(&run(&format!("{eval} {}", network.display())));
    assert_ne!(with, good(&run(&format!("{eval} none"))));
}

#[test]
fn two_colours_are_learned_by_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let small = "sample --width-of-beam 30 --network none";
    let few = format!("{small} --columns 40 --every 2 --ahead 3 --seeds 1..=120 --profile few");
    good(&run(&format!("{few} --out {}", path("few"))));
    let options = "--epochs 4 --batch 16 --hold-out 4";
    let learn = format!("learn {} {options}", path("few"));
    let groups = |told: &str| -> usize { told.split(' ').next().unwrap().parse().unwrap() };
    let all = good(&run(&format!("{learn} --out {}", path("all"))));
    let two = good(&run(&format!(
        "{learn} --two-colours --out {}",
        path("two")
    )));
    assert!((1..groups(&all)).contains(&groups(&two)), "{all}{two}");
    let length = |name: &str| fs::read(path(name)).unwrap().len();
    assert!(length("two") * 2 < length("all"));
    let eval = "eval --seeds 2..=4 --columns 40 --nodes 2000 --json --network";
    let with = good(&run(&format!("{eval} {}", path("two"))));
    assert_ne!(with, good(&run(&format!("{eval} none"))));
    // There is nothing to choose from in other games.
    let same = format!(
        "{small} --game samegame --seeds 1..=2 --out {}",
        path("same")
    );
    good(&run(&same));
    let told = refused(&run(&format!("learn {} --two-colours", path("same"))));
    assert!(
        told.contains("--two-colours is for the Columns Game"),
        "{told}"
    );
}

#[test]
fn rollouts_are_learned_alone_and_beside_other_groups() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let small = "sample --columns 40 --width-of-beam 30 --network none";
    let sample = |name: &str, options: &str| {
        let out = path(name);
        good(&run(&format!("{small} {options} --out {out}")));
        fs::read(out).unwrap()
    };
    let rollouts = "--rollouts 8,5 --every 3";
    let whole = sample("a", &format!("--seeds 1..=150 {rollouts} --jobs 1"));
    sample("b", &format!("--seeds 1..=10 {rollouts}"));
    let resumed = sample("b", &format!("--seeds 1..=150 {rollouts} --jobs 2"));
    assert!(resumed == whole, "goes on where it stopped");
    sample("c", "--seeds 151..=180 --ahead 3");
    let learn = |data: &str| -> (String, Vec<f64>) {
        let options = "--epochs 8 --batch 16 --hold-out 4";
        let told = good(&run(&format!("learn {data} {options}")));
        let agreement = |line: &str| {
            let found = told.lines().find(|found| found.starts_with(line));
            let number = found.and_then(|line| line.split("with values ").nth(1));
            number.unwrap().parse().unwrap()
        };
        let both = ["base alone", "in whole numbers"].map(agreement).to_vec();
        (told, both)
    };
    let (told, agreement) = learn(&path("a"));
    assert!(agreement[1] > agreement[0] + 0.015, "{told}");
    assert!(!told.contains("loss"), "none is to be found: {told}");
    let (told, agreement) = learn(&format!("{} {}", path("c"), path("a")));
    assert!(agreement[1] > agreement[0], "{told}");
    assert!(told.contains("loss"), "{told}");
    for (options, expected) in [
        ("--rollouts 12", "expected two numbers from 1 to 1000"),
        ("--rollouts 12,0", "expected two numbers from 1 to 1000"),
        ("--rollouts 12,30 --ahead 3", "cannot be used with"),
        ("--rollouts 12,30 --game samegame", "are for --game columns"),
    ] {
        let told = refused(&run(&format!("{small} {options} --out {}", path("d"))));
        assert!(told.contains(expected), "{told}");
    }
}

#[test]
fn a_network_is_refined_by_playing() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let small = "refine --pairs 6 --columns 30 --nodes 600";
    let refine = |name: &str, options: &str| {
        let done = run(&format!(
            "{small} --held-out 1..=4 {options} --out {}",
            path(name)
        ));
        let told = good(&done);
        assert!(told.starts_with("On the seeds 1..=4, 600 nodes"), "{told}");
        assert!(told.lines().any(|line| line.starts_with("all ")), "{told}");
        (fs::read(path(name)).unwrap(), stderr(&done).lines().count())
    };
    let (whole, lines) = refine("a", "--generations 3 --jobs 1");
    assert_eq!(lines, 3);
    refine("b", "--generations 1 --jobs 2");
    let (resumed, lines) = refine("b", "--generations 3 --jobs 2");
    assert!(resumed == whole, "goes on where it stopped");
    assert_eq!(lines, 2);
    // Nothing is left to do but the validation.
    let (again, lines) = refine("b", "--generations 2");
    assert!(again == whole && lines == 0);
    let eval = "eval --seeds 2..=9 --columns 60 --nodes 5000 --json";
    let with = good(&run(&format!("{eval} --network {}", path("a"))));
    assert_ne!(with, good(&run(eval)));
    let a = path("a");
    for (options, expected) in [
        ("--rate 10", "holds another refinement"),
        ("--network none", "expected a network to refine"),
        ("--noise 0", "expected a number above 0"),
        (
            "--held-out 1000017..=1000020",
            "expected held-out seeds that are not used for fitting, found 1000017..=1000020",
        ),
        (
            "--held-out 7..=7",
            "expected from 2 to 1000000 held-out seeds, found 7",
        ),
    ] {
        let told = refused(&run(&format!(
            "{small} --generations 3 {options} --out {a}"
        )));
        assert!(told.contains(expected), "{told}");
        assert!(fs::read(&a).unwrap() == whole);
    }
    // Games so short that no layer is looked at.
    let told = refused(&run(&format!(
        "refine --pairs 6 --columns 10 --nodes 600 --out {}",
        path("short")
    )));
    assert!(
        told.contains("the network changes nothing in these cases"),
        "{told}"
    );
    assert!(!folder.path().join("short").exists());
    put(&folder.path().join("c"), "noise");
    let told = refused(&run(&format!("{small} --out {}", path("c"))));
    assert!(
        told.contains("expected the network of a `tuner refine`"),
        "{told}"
    );
}

#[test]
fn samegame_is_learned_by_the_same_commands() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let sample = |name: &str, seeds: &str, more: &str| {
        let out = path(name);
        good(&run(&format!(
            "sample --game samegame --width-of-beam 10 --seeds {seeds} {more} --out {out}"
        )));
        fs::read(out).unwrap()
    };
    let whole = sample("a", "1..=120", "--jobs 1");
    let header = r#"{"format":2,"game":"samegame","features":98,"#;
    assert!(whole.starts_with(header.as_bytes()));
    let part = sample("b", "1..=5", "--jobs 2");
    fs::write(path("b"), &part[..part.len() - 1000]).unwrap();
    assert!(
        sample("b", "1..=120", "--jobs 2") == whole,
        "goes on where it stopped"
    );
    let learn = |data: &str| {
        format!(
            "learn {data} --epochs 8 --decay 1 --hold-out 4 --out {}",
            path("n.txt")
        )
    };
    let told = good(&run(&learn(&path("a"))));
    let loss = |line: &str| -> f64 {
        let text = told.lines().find_map(|found| found.strip_prefix(line));
        let number = text.unwrap().split(',').next().unwrap();
        number.trim_start_matches(": loss ").parse().unwrap()
    };
    assert!(
        loss("in whole numbers") < loss("base alone") - 0.02,
        "{told}"
    );
    let network = path("n.txt");
    let with = sample("c", "1..=2", &format!("--network {network}"));
    assert_ne!(with, sample("d", "1..=2", ""), "it plays");
    let told = refused(&run(&format!("{} --export", learn(&path("a")))));
    assert!(told.contains("--export is for the Columns Game"), "{told}");
    // What the one game has learned is nothing to the other.
    let told = refused(&run(&format!("eval --network {network}")));
    assert!(told.contains("for this game"), "{told}");
    let columns = path("e");
    good(&run(&format!("{SMALL} --seeds 1..=2 --out {columns}")));
    let told = refused(&run(&learn(&format!("{columns} {}", path("a")))));
    assert!(told.contains("than the first data set"), "{told}");
    let resumed = format!("sample --game samegame --seeds 1..=3 --out {columns}");
    let told = refused(&run(&resumed));
    assert!(told.contains("holds other data"), "{told}");
}

#[test]
fn what_is_no_data_or_no_network_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    let shown = path.display();
    let header = |game: &str, features: usize| {
        format!("{{\"format\":2,\"game\":\"{game}\",\"features\":{features},\"source\":\"\"}}\n")
    };
    for (text, expected) in [
        (
            "noise".to_string(),
            "line 1: expected the header of a data set",
        ),
        (
            header("samegame", 88),
            "describes states of samegame by 88 numbers",
        ),
        (header("columns", 3), "sample anew"),
        (
            header("tetris", 3),
            "expected states of columns or samegame, found those of tetris",
        ),
        (
            header("columns", columns_bot::features::FEATURES),
            "too few groups: 0 to learn from",
        ),
    ] {
        put(&path, &text);
        let told = refused(&run(&format!("learn {shown}")));
        assert!(told.contains(expected), "{told}");
    }
    let told = refused(&run(&format!("eval --network {shown}")));
    assert!(
        told.contains("expected a network of `tuner learn`"),
        "{told}"
    );
    let told = refused(&run("learn missing"));
    assert!(told.contains("missing: cannot be read"), "{told}");
    let told = refused(&run(&format!("learn {shown} --decay nan")));
    assert!(told.contains("expected a number from 0 to 1"), "{told}");
    let told = refused(&run("sample --seeds 1..=2 --out /nowhere/x"));
    assert!(told.contains("cannot be written"), "{told}");
    for line in ["--columns 40", "--profile few", "--weights w.json"] {
        let told = refused(&run(&format!(
            "sample --game samegame {line} --out {shown}"
        )));
        assert!(told.contains("are for --game columns"), "{told}");
    }
}
