//! `tuner learn`, on data sets from `tuner sample`.

use crate::{
    TempFolder, assert_all_refused, assert_contains, refusal, run, stderr, success, tuner, write,
};
use columns_bot::learned::features::FEATURE_COUNT;
use columns_generator::Spec;
use columns_tuner::bot_player::BotPlayer;
use columns_tuner::learn::dataset::{DatasetHeader, DatasetWriter, Group};
use columns_tuner::learn::sampling::{GroupKind, SamplingSettings};
use columns_tuner::record::RunLimits;
use std::fs;
use std::path::Path;
use std::process::Stdio;

const SMALL_SAMPLE: &str = "sample --columns 40 --beam-width 30 --network none";

/// Returns the number after `word` in two lines of the output: the line about the hand-set values alone, and
/// the line about the quantised network.
fn base_and_network(text: &str, word: &str) -> [f64; 2] {
    ["base alone: ", "quantised: "].map(|start| {
        let line = text.lines().find_map(|line| line.strip_prefix(start));
        let number = line.and_then(|line| line.split(word).nth(1)).unwrap();
        let end = number.find([',', ';']).unwrap_or(number.len());
        number[..end].parse().unwrap()
    })
}

#[test]
#[ignore = "learns for a minute; .ci/run plays it"]
fn networks_learn_to_rank_and_play() {
    let temp = TempFolder::new();
    let learn = |data: &str, options: &str, out: &str| {
        let line = format!(
            "learn {data} --hold-out 4 {options} --out {}",
            temp.path(out)
        );
        success(&run(&line))
    };
    let [columns, few, values] = ["columns", "few", "values"].map(|n| temp.path(n));
    let ranked = format!("{SMALL_SAMPLE} --ahead 3 --every 2");
    for (out, line) in [
        (&columns, format!("{ranked} --seeds 1..=120")),
        (&few, format!("{ranked} --seeds 1..=40 --profile few")),
        (
            &values,
            format!("{SMALL_SAMPLE} --rollouts 8,3 --every 3 --seeds 1..=90"),
        ),
    ] {
        success(&run(&format!("{line} --out {out}")));
    }
    for (data, options, word, least) in [
        (&columns, "--epochs 5 --batch 8 --decay 1", "loss ", -0.05),
        (&values, "--epochs 8 --batch 16", "with values ", 0.015),
    ] {
        let stdout = learn(data, options, "network");
        let [base, network] = base_and_network(&stdout, word);
        assert!((network - base) / least > 1.0, "{data}: {stdout}");
        assert_eq!(stdout.contains("loss "), word == "loss ", "{stdout}");
        // The network changes the games.
        let out = temp.path("played");
        let play = "sample --beam-width 10 --columns 40 --seeds 2..=3 --ahead 3";
        let games = [temp.path("network"), "none".into()].map(|network| {
            success(&run(&format!("{play} --network {network} --out {out}")));
            let text = fs::read_to_string(&out).unwrap();
            fs::remove_file(&out).unwrap();
            text.split_once('\n').unwrap().1.to_string()
        });
        assert_ne!(games[0], games[1], "{data}");
    }
    // The same command produces the same network.
    learn(&few, "--epochs 1 --batch 16", "once");
    learn(&few, "--epochs 1 --batch 16", "again");
    assert!(temp.read("once") == temp.read("again"));
    // Learn from groups without rollout values together with groups that have them.
    let both = format!("{columns} {values}");
    let stdout = learn(&both, "--epochs 6 --batch 16", "both");
    let [base, network] = base_and_network(&stdout, "with values ");
    assert!(network > base && stdout.contains("loss "), "{stdout}");
    // Some of these groups have at most two upcoming colours. The network for such groups is smaller.
    let groups = |stdout: &str| -> usize { stdout.split(' ').next().unwrap().parse().unwrap() };
    let all = learn(&few, "--epochs 4 --batch 16", "all");
    let two = learn(&few, "--epochs 4 --batch 16 --two-colours", "two");
    assert!((1..groups(&all)).contains(&groups(&two)), "{all}{two}");
    let length = |name: &str| {
        temp.read(name)
            .split(|&byte| byte == b'\n')
            .next()
            .unwrap()
            .len()
    };
    assert!(length("two") * 2 < length("all"));
}

/// Writes a data set of seed 1 with these groups. Each state has `feature_count` features.
fn write_dataset(path: &str, feature_count: usize, groups: &[Group]) {
    write(Path::new(path), "");
    let settings = SamplingSettings {
        beam_width: 10,
        layer_interval: 1,
        group_kind: GroupKind::BestAncestor {
            min_layers_ahead: 1,
        },
    };
    let seeds = "1".parse().unwrap();
    let header = DatasetHeader {
        feature_count,
        ..DatasetHeader::new(BotPlayer::default(), Spec::default(), seeds, settings)
    };
    let mut writer = DatasetWriter::open(Path::new(path), &header, &RunLimits::default()).unwrap();
    writer.append(groups.to_vec()).unwrap();
}

#[test]
fn invalid_data_and_networks_are_refused() {
    let temp = TempFolder::new();
    let data = temp.path("data");
    let empty = [Group::default()];
    for (features, groups, expected) in [
        (3, &[][..], "numbers, found states of 3"),
        (FEATURE_COUNT + 2, &[], "numbers, found states of"),
        (FEATURE_COUNT, &[], "too few groups: 0 to learn from"),
        (FEATURE_COUNT, &empty, "found one of 0 states"),
    ] {
        write_dataset(&data, features, groups);
        assert_all_refused(&data, &format!("learn @ | {expected}"));
    }
    write(temp.path("noise").as_ref(), "noise");
    let before = "{\"crc\":\"9c227402\",\"format\":3,\"game\":\"columns\",\"features\":88}\n";
    write(temp.path("before").as_ref(), before);
    let table = "
learn @/noise | line 1: expected the header of a data set
learn @/before | before: expected a data set of `tuner sample`, found a ledger of nothing
compare --b-network @/before | expected a network of `tuner learn`
learn @/missing | missing: cannot be read
learn @/data --decay nan | expected a number from 0 to 1
";
    assert_all_refused(&temp.path(""), table);
}

/// A sample of short games, for tests that do not depend on the quality of the network.
const TINY_SAMPLE: &str = "sample --columns 20 --beam-width 30 --network none";

/// Samples a small data set. Returns its path, and a command that learns from it quickly.
fn small(temp: &TempFolder) -> (String, String) {
    let data = temp.path("data");
    let sample = format!("{TINY_SAMPLE} --ahead 3 --every 2 --seeds 1..=8 --out {data}");
    success(&run(&sample));
    let learn = format!("learn {data} --epochs 2 --batch 16 --hold-out 4");
    (data, learn)
}

#[test]
fn an_output_file_must_not_be_an_input_and_must_be_writable() {
    let temp = TempFolder::new();
    let (data, learn) = small(&temp);
    let before = temp.read("data");
    fs::hard_link(&data, temp.path("hard")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&data, temp.path("soft")).unwrap();
    for out in ["data", "hard", "soft", "./data"].map(|name| temp.path(name)) {
        if Path::new(&out).exists() {
            let message = refusal(&run(&format!("{learn} --out {out}")));
            assert_contains(&message, "does not use otherwise");
            assert!(temp.read("data") == before);
        }
    }
    let table = "
@ --out /none/n.txt | cannot be written
";
    assert_all_refused(&learn, table);
    // Without --out, the command warns before the training.
    let output = run(&learn);
    assert!(success(&output).contains("quantised"));
    let log = stderr(&output);
    assert!(log.starts_with("tuner: nothing will be written"), "{log}");
    assert_eq!(log.lines().count(), 3, "{log}");
    // The message names a damaged line, but a truncated last line is ignored.
    let half = before.len() / 2;
    let mut changed = before.clone();
    changed[half] ^= 1;
    fs::write(&data, changed).unwrap();
    let line = 1 + before[..half].iter().filter(|&&byte| byte == b'\n').count();
    let start = format!("tuner: {data}: line {line}: expected the line of a data set");
    assert!(refusal(&run(&learn)).starts_with(&start));
    fs::write(&data, &before[..before.len() - 7]).unwrap();
    let output = run(&learn);
    success(&output);
    let expected = format!("{data}: line 9: incomplete, so this last line is ignored\n");
    assert_contains(stderr(&output), &expected);
    fs::write(&data, before).unwrap();
    // If there are too few games, the message explains how to get more.
    let message = refusal(&run(&format!("learn {data}")));
    let expected = "0 held out: one game in 10 is held out, by its seed (--hold-out); sample more";
    assert_contains(&message, expected);
}

#[test]
#[ignore = "learns two networks; .ci/run plays it"]
fn closed_pipes_do_not_lose_the_network() {
    let temp = TempFolder::new();
    let (data, learn) = small(&temp);
    success(&run(&format!("sample --resume {data} --seeds 1..=9")));
    success(&run(&format!("{learn} --out {}", temp.path("whole"))));
    let line = format!("{learn} --out {}", temp.path("n"));
    let mut child = tuner(line.split_whitespace())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop((child.stdout.take(), child.stderr.take()));
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(temp.read("n") == temp.read("whole"));
    // In the file, a description of the training follows the network.
    let text = String::from_utf8(temp.read("n")).unwrap();
    let (_, origin) = text.split_once('\n').unwrap();
    assert!(
        origin.starts_with("TrainingSettings {") && origin.contains("\"last_seed\":9,"),
        "{origin}"
    );
}

#[test]
fn games_that_occur_twice_are_left_out_with_their_number() {
    let temp = TempFolder::new();
    let (data, learn) = small(&temp);
    let sample = |name: &str, options: &str| {
        let out = temp.path(name);
        success(&run(&format!("{TINY_SAMPLE} {options} --out {out}")));
        out
    };
    fs::copy(&data, temp.path("copy")).unwrap();
    let overlapping = sample("overlapping", "--ahead 3 --every 2 --seeds 7..=9");
    let other_options = sample("other", "--ahead 2 --every 2 --seeds 7..=9");
    let first_line = |output: &std::process::Output| {
        let stdout = success(output);
        stdout.lines().next().unwrap().to_string()
    };
    let alone = run(&learn);
    let twice = run(&learn.replace(&data, &format!("{data} {}", temp.path("copy"))));
    let expected = format!("copy: left out 8 of 8 games, which {data} has too\n");
    assert_contains(stderr(&twice), &expected);
    assert_eq!(first_line(&twice), first_line(&alone));
    // Only the game of seed 9 is new.
    let more = run(&learn.replace(&data, &format!("{data} {overlapping}")));
    let expected = format!("{overlapping}: left out 2 of 3 games, which {data} has too\n");
    assert_contains(stderr(&more), &expected);
    // With other options, the same seeds give other groups, so no game is left out.
    let other = run(&learn.replace(&data, &format!("{data} {other_options}")));
    assert!(!stderr(&other).contains("left out"), "{other:?}");
    assert_ne!(first_line(&other), first_line(&alone));
}
