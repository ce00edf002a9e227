//! `tuner learn`, with data sets of `tuner sample`.

use crate::{good, put, refused, run, stderr, tuner};
use columns_tuner::learn::dataset::{Group, Header, Writer};
use columns_tuner::learn::identity::Identity;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

const SMALL: &str = "sample --columns 40 --beam-width 30 --ahead 3 --every 2";

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
    let eval = "eval --seeds 2..=4 --columns 40 --work 6 --json --network";
    let with = good(&run(&format!("{eval} {}", network.display())));
    assert_ne!(with, good(&run(&format!("{eval} none"))));
}

#[test]
fn two_colours_are_learned_by_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let small = "sample --beam-width 30 --network none";
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
    let eval = "eval --seeds 2..=4 --columns 40 --work 6 --json --network";
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
    let small = "sample --columns 40 --beam-width 30 --network none";
    let sample = |name: &str, options: &str| {
        let out = path(name);
        good(&run(&format!("{small} {options} --out {out}")));
        fs::read(out).unwrap()
    };
    let rollouts = "--rollouts 8,5 --every 3";
    let whole = sample("a", &format!("--seeds 1..=20 {rollouts} --jobs 1"));
    sample("b", &format!("--seeds 1..=10 {rollouts}"));
    let resumed = sample("b", &format!("--seeds 1..=20 {rollouts} --jobs 2"));
    assert!(resumed == whole, "goes on where it stopped");
    sample("a", &format!("--seeds 1..=100 {rollouts}"));
    sample("c", "--seeds 151..=175 --ahead 3");
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
fn samegame_is_learned_by_the_same_commands() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let sample = |name: &str, seeds: &str, more: &str| {
        let out = path(name);
        good(&run(&format!(
            "sample --game samegame --beam-width 10 --seeds {seeds} {more} --out {out}"
        )));
        fs::read(out).unwrap()
    };
    let whole = sample("a", "1..=20", "--jobs 1");
    let header = String::from_utf8_lossy(whole.split(|&byte| byte == b'\n').next().unwrap());
    let expected = r#""ledger":"data","format":4,"game":"samegame","features":98,"made_with":{"#;
    assert!(header.contains(expected), "{header}");
    let part = sample("b", "1..=5", "--jobs 2");
    fs::write(path("b"), &part[..part.len() - 1000]).unwrap();
    assert!(
        sample("b", "1..=20", "--jobs 2") == whole,
        "goes on where it stopped"
    );
    sample("a", "1..=120", "");
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
    let expected = "--game: expected columns as the file was made with, found samegame";
    assert!(told.contains(expected), "{told}");
}

#[test]
fn what_is_no_data_or_no_network_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    let shown = path.display();
    let features = columns_bot::learned::features::FEATURES;
    for (game, features, expected) in [
        ("samegame", 88, "describes states of samegame by 88 numbers"),
        ("columns", 3, "sample anew"),
        (
            "tetris",
            3,
            "expected states of columns or samegame, found those of tetris",
        ),
        ("columns", features, "too few groups: 0 to learn from"),
    ] {
        put(&path, "");
        data_set(&path, game, features, &[]);
        let told = refused(&run(&format!("learn {shown}")));
        assert!(told.contains(expected), "{told}");
    }
    // Games that teach nothing.
    put(&path, "");
    data_set(&path, "columns", features, &[Group::default()]);
    let told = refused(&run(&format!("learn {shown}")));
    let expected = "game 1: expected groups of at least 2 states, found one of 0";
    assert!(told.contains(expected), "{told}");
    for (text, expected) in [
        ("noise", "line 1: expected the head of a data set"),
        (
            "{\"crc\":\"9c227402\",\"format\":3,\"game\":\"columns\",\"features\":88}\n",
            "expected a data set of `tuner sample` in format 4, found format 3: make it anew",
        ),
    ] {
        put(&path, text);
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

/// Appends a game to a data set.
fn data_set(path: &Path, game: &str, features: usize, groups: &[Group]) {
    let header = Header {
        game: game.into(),
        features,
        made_with: Identity::default(),
    };
    let mut writer = Writer::resume(path, &header).unwrap();
    writer.append(1, groups.to_vec()).unwrap();
}

/// A small data set, and the options that learn from it at once.
fn small(folder: &Path) -> (PathBuf, String) {
    let data = folder.join("data");
    let shown = data.display().to_string();
    let sample = format!("{SMALL} --seeds 1..=8 --network none --out {shown}");
    good(&run(&sample));
    let learn = format!("learn {shown} --epochs 2 --batch 16 --hold-out 4");
    (data, learn)
}

#[test]
fn nothing_is_written_onto_data_or_into_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let (data, learn) = small(folder.path());
    let before = fs::read(&data).unwrap();
    let [hard, soft] = ["hard", "soft"].map(|name| folder.path().join(name));
    fs::hard_link(&data, &hard).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&data, &soft).unwrap();
    let outs = [&data, &hard, &soft, &folder.path().join("./data")];
    for out in outs.into_iter().filter(|out| out.exists()) {
        let told = refused(&run(&format!("{learn} --out {}", out.display())));
        assert!(told.contains("does not use otherwise"), "{told}");
        assert!(fs::read(&data).unwrap() == before);
    }
    for options in ["--out /none/n.txt", "--export --workspace /none/at/all"] {
        let told = refused(&run(&format!("{learn} {options}")));
        assert!(told.contains("cannot be written"), "{told}");
    }
    // Without a place for the result one is told before it trains.
    let done = run(&learn);
    let told = stderr(&done);
    assert!(good(&done).contains("in whole numbers"));
    let first = told.lines().next().unwrap();
    assert!(
        first.starts_with("tuner: nothing will be written"),
        "{told}"
    );
    assert_eq!(told.lines().count(), 3, "{told}");
}

#[test]
fn damaged_data_are_refused_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let (data, learn) = small(folder.path());
    let shown = data.display();
    let whole = fs::read(&data).unwrap();
    let mut bytes = whole.clone();
    bytes[whole.len() / 2] ^= 1;
    fs::write(&data, bytes).unwrap();
    let told = refused(&run(&learn));
    let line = 1 + whole[..whole.len() / 2]
        .iter()
        .filter(|&&byte| byte == b'\n')
        .count();
    let start = format!("tuner: {shown}: line {line}: expected the line of a data set");
    assert!(told.starts_with(&start), "{told}");
    // A last game that was cut off does not count.
    fs::write(&data, &whole[..whole.len() - 7]).unwrap();
    good(&run(&learn));
}

#[test]
fn too_few_games_are_told_with_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let (data, _) = small(folder.path());
    let told = refused(&run(&format!("learn {}", data.display())));
    let expected = "0 held out: one game in 10 is held out, by its seed (--hold-out); sample more";
    assert!(told.contains(expected), "{told}");
}

#[test]
fn readers_that_have_gone_away_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (_, learn) = small(folder.path());
    let path = |name: &str| folder.path().join(name);
    good(&run(&format!("{learn} --out {}", path("whole").display())));
    let root = path("root");
    let source = root.join("bot/src/learned/trained.rs");
    fs::create_dir_all(source.parent().unwrap()).unwrap();
    let line = format!(
        "{learn} --worth --export --workspace {} --out {}",
        root.display(),
        path("n").display()
    );
    let mut child = tuner(line.split_whitespace())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop((child.stdout.take(), child.stderr.take()));
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let network = fs::read_to_string(path("n")).unwrap();
    assert_eq!(network, fs::read_to_string(path("whole")).unwrap());
    let source = fs::read_to_string(source).unwrap();
    assert!(source.contains(network.trim()));
    assert!(source.contains("--beam-width"), "{source}");
}
