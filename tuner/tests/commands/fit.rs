//! `tuner fit` and `tuner resume`: the same bytes whatever happens on the way.

use crate::{good, refused, run, stderr, tuner};
use columns_tuner::fit::record::Record;
use columns_tuner::store::journal::{Journal, Mark};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A run of two seconds or so.
const RUN: &str = "fit --games 500 --pairs 20 --work 5 --columns 100 --most-pairs 30";

/// A run that is over at once.
const SHORT: &str = "fit --games 150 --pairs 5 --work 0.3 --columns 20 --most-pairs 10";

fn fit(line: &str, folder: &Path) -> Command {
    let mut command = tuner(line.split_whitespace());
    command.arg("--out").arg(folder);
    command
}

fn resume(folder: &Path) -> Command {
    let mut command = tuner(["resume"]);
    command.arg(folder);
    command
}

/// The files of a run that must not depend on what happened on the way: all but the timings.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_name() != "timings.jsonl")
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect()
}

#[track_caller]
fn assert_same(folder: &Path, other: &Path) {
    let (a, b) = (files(folder), files(other));
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&a), names(&b));
    for (name, bytes) in &a {
        let same = *bytes == b[name];
        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(same, "{name}:\n{}\n{}", shown(bytes), shown(&b[name]));
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

/// A finished short run.
fn finished() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    good(&fit(SHORT, &path).output().unwrap());
    (folder, path)
}

#[test]
fn the_bytes_are_the_same_for_any_number_of_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, three] = ["1", "2", "3"].map(|jobs| {
        let path = folder.path().join(jobs);
        let output = fit(SHORT, &path).args(["--jobs", jobs]).output().unwrap();
        good(&output);
        // In a pipe: a line a generation.
        let told = stderr(&output);
        let generations = told.lines().filter(|line| line.starts_with("generation "));
        assert_eq!(generations.count(), 2, "{told}");
        assert!(told.contains("tuner: warning: the beams are "), "{told}");
        assert!(told.contains("challenge 1 after generation 2: "), "{told}");
        path
    });
    assert_same(&one, &two);
    assert_same(&one, &three);
    let names: Vec<String> = files(&one).into_keys().collect();
    assert_eq!(
        names,
        [
            "config.json",
            "journal.jsonl",
            "lock",
            "result.json",
            "start.json",
            "state.json",
            "weights.json"
        ]
    );
}

#[test]
fn a_run_that_is_killed_ten_times_ends_with_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    good(&fit(RUN, &whole).args(["--jobs", "2"]).output().unwrap());
    let written =
        |run: &Path| fs::metadata(run.join("journal.jsonl")).map_or(0, |journal| journal.len());
    let length = written(&whole) as f64;

    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let mut state = now.as_nanos() as u64;
    let mut random = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as f64 / f64::from(1_u32 << 31)
    };
    let quiet = |mut command: Command| {
        command.args(["--jobs", "2"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    };
    let mut lengths = Vec::new();
    for kill in 0..10 {
        let mut child = if killed.join("config.json").exists() {
            quiet(resume(&killed))
        } else {
            quiet(fit(RUN, &killed))
        };
        // At once, then somewhere in each tenth but the last, however fast the machine is.
        let place = match kill {
            0 => 0.0,
            _ => (f64::from(kill - 1) + random()) / 10.0 * length,
        };
        loop {
            let running = child.try_wait().unwrap().is_none();
            assert!(running, "it runs at kill {kill}");
            if written(&killed) as f64 >= place {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        lengths.push(written(&killed));
    }
    println!("killed with a journal of {lengths:?} bytes");
    assert!(lengths[9] > lengths[0], "games were played in between");
    assert!(!killed.join("result.json").exists());
    good(&resume(&killed).output().unwrap());
    assert_same(&whole, &killed);
}

#[test]
fn a_journal_that_ends_anywhere_is_gone_on_with() {
    let (folder, whole) = finished();
    let journal = fs::read(whole.join("journal.jsonl")).unwrap();
    for tenth in 0..10 {
        let path = folder.path().join(format!("cut{tenth}"));
        copy(&whole, &path);
        // Without its state a run is made anew from the journal, whatever is left of it.
        for name in ["state.json", "result.json", "weights.json"] {
            fs::remove_file(path.join(name)).unwrap();
        }
        fs::write(
            path.join("journal.jsonl"),
            &journal[..journal.len() * tenth / 10],
        )
        .unwrap();
        good(&resume(&path).output().unwrap());
        assert_same(&whole, &path);
    }
}

#[test]
fn a_finished_run_is_told_again() {
    let (folder, whole) = finished();
    let before = folder.path().join("before");
    copy(&whole, &before);
    let told = good(&resume(&whole).output().unwrap());
    assert!(
        told.contains("The search stopped after 2 generations"),
        "{told}"
    );
    assert!(!told.contains("games/s"), "nothing was played: {told}");
    assert_same(&whole, &before);
}

#[test]
fn ctrl_c_finishes_the_games_in_hand() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, stopped) = (folder.path().join("whole"), folder.path().join("stopped"));
    good(&fit(RUN, &whole).output().unwrap());
    let child = fit(RUN, &stopped)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let journal = stopped.join("journal.jsonl");
    let clock = Instant::now();
    while fs::metadata(&journal).map_or(0, |data| data.len()) < 5_000 {
        assert!(clock.elapsed() < Duration::from_mins(1), "games are played");
        std::thread::sleep(Duration::from_millis(5));
    }
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let told = stderr(&output);
    let last = told.lines().last().unwrap();
    assert!(
        last.starts_with("tuner: interrupted in generation "),
        "{last}"
    );
    let how = format!("to go on: tuner resume {}", stopped.display());
    assert!(last.ends_with(&how), "{last}");
    assert!(fs::read(&journal).unwrap().ends_with(b"\n"));
    good(&resume(&stopped).output().unwrap());
    assert_same(&whole, &stopped);
}

#[test]
fn damage_is_named_or_repaired() {
    let (folder, whole) = finished();
    let path = folder.path().join("damaged");
    copy(&whole, &path);
    let shown = path.display();
    let journal = fs::read_to_string(whole.join("journal.jsonl")).unwrap();
    let state = fs::read_to_string(whole.join("state.json")).unwrap();
    let config = fs::read_to_string(whole.join("config.json")).unwrap();
    let start = fs::read_to_string(whole.join("start.json")).unwrap();
    let check = |name: &str, text: &str, expected: &str| {
        let file = path.join(name);
        let before = fs::read(&file).unwrap();
        fs::write(&file, text).unwrap();
        let told = refused(&resume(&path).output().unwrap());
        let expected = expected.replace("DIR", &shown.to_string());
        assert!(told.starts_with(&format!("tuner: {expected}")), "{told}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text, "left as it was");
        fs::write(&file, before).unwrap();
    };

    // A line behind the last one, cut off.
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    let (last, others) = lines.split_last().unwrap();
    fs::write(path.join("journal.jsonl"), format!("{journal}{{\"ga")).unwrap();
    good(&resume(&path).output().unwrap());
    assert_same(&whole, &path);
    // The last line, cut off or with another digit, where the state says that it was there.
    let digit = last.rfind(|c: char| c.is_ascii_digit()).unwrap();
    let other = if &last[digit..=digit] == "1" {
        "2"
    } else {
        "1"
    };
    for text in [
        journal[..journal.len() - 20].to_string(),
        others.concat() + &last[..digit] + other + &last[digit + 1..],
    ] {
        let expected = format!("DIR/journal.jsonl: expected at least {} lines", lines.len());
        check("journal.jsonl", &text, &expected);
    }
    let (head, rest) = journal.split_once('\n').unwrap();
    check(
        "journal.jsonl",
        &format!("{head}\n{}", &rest[1..]),
        "DIR/journal.jsonl: line 2: expected a record of the run",
    );
    check(
        "journal.jsonl",
        &journal.replacen("\"points\":", "\"points\":1", 1),
        "DIR/journal.jsonl: line 2: expected a record of the run",
    );
    // Lines as they were written, in other places.
    let swapped = [lines[0], lines[2], lines[1]].concat() + &lines[3..].concat();
    check("journal.jsonl", &swapped, "DIR/journal.jsonl: lines 1 to ");
    check(
        "journal.jsonl",
        &(others.concat() + others[others.len() - 1]),
        "DIR/journal.jsonl: lines 1 to ",
    );
    check("journal.jsonl", "", "DIR/journal.jsonl: expected at least ");
    let remedy =
        "DIR/state.json (when it is removed, `tuner resume` makes it anew from the journal)";
    for (text, expected) in [
        (
            state[..state.len() / 2].to_string(),
            "line 1: expected the state of a run: EOF",
        ),
        (String::new(), "line 1: expected the state of a run: EOF"),
        (
            state.replacen("0.", "1.", 1),
            "line 1: expected the state of a run as it was written",
        ),
        ("[1]".into(), "line 1: expected the state of a run: "),
    ] {
        check("state.json", &text, &format!("{remedy}: {expected}"));
    }
    check(
        "config.json",
        &config.replace("\"work\": 300", "\"work\": 301"),
        "DIR: config.json or start.json is not as it was when the run began",
    );
    check(
        "config.json",
        &config.replace("\"work\": 300", "\"work\": x"),
        "DIR/config.json: line ",
    );
    check(
        "config.json",
        &config.replace("\"format\": 2", "\"format\": 3"),
        "DIR/config.json: line 1: expected the configuration of a run in format 2, found 3",
    );
    let spot = columns_bot::eval::weights::Weights::default().spot;
    let spot = format!("\"spot\": {spot}");
    check(
        "start.json",
        &start.replace(&spot, "\"spot\": -4.75"),
        "DIR/config.json: expected the parameter spot",
    );
    good(&resume(&path).output().unwrap());
    assert_same(&whole, &path);

    let digest = config.split("\"behaviour\": \"").nth(1).unwrap();
    check(
        "config.json",
        &config.replace(&digest[..16], "0123456789abcdef"),
        "DIR: this build of the bot does not play as the one that began the run",
    );
}

/// All of the journal is behind the saved state, where there is none.
#[test]
fn a_hundred_changed_bytes_in_a_journal_are_told_or_come_to_the_same_bytes() {
    let (_folder, run) = finished();
    fs::remove_file(run.join("state.json")).unwrap();
    let path = run.join("journal.jsonl");
    let whole = fs::read(&path).unwrap();
    let records: Vec<Record> = Journal::read(&path).unwrap();
    let go_on = || {
        let (mut journal, _) = Journal::open(&path, Mark::START)?;
        records.iter().try_for_each(|record| journal.record(record))
    };
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut told = 0;
    for change in 0..100 {
        let mut bytes = whole.clone();
        let at = random.random_range(0..whole.len());
        bytes[at] ^= random.random_range(1..=255_u8);
        fs::write(&path, &bytes).unwrap();
        let line = 1 + whole[..at].iter().filter(|&&byte| byte == b'\n').count();
        let place = format!("{}: line {line}: ", path.display());
        match go_on() {
            Err(error) => {
                assert!(error.to_string().starts_with(&place), "{error}");
                assert_eq!(fs::read(&path).unwrap(), bytes, "left as it was");
                // As a user sees it.
                if told % 30 == 0 {
                    let seen = refused(&resume(&run).output().unwrap());
                    assert!(seen.starts_with(&format!("tuner: {place}")), "{seen}");
                }
                told += 1;
            }
            Ok(()) => assert_eq!(fs::read(&path).unwrap(), whole, "change {change}"),
        }
    }
    assert!(told > 90, "{told}");
}

#[test]
fn two_processes_do_not_work_on_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let mut child = fit(RUN, &path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !path.join("config.json").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let told = refused(&resume(&path).output().unwrap());
    assert!(
        told.contains("another process is working on this run"),
        "{told}"
    );
    child.kill().unwrap();
    child.wait().unwrap();
    good(&resume(&path).output().unwrap());
}

/// A file may not grow beyond a limit, which is how a full disk looks to a process.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let line = SHORT.replace("--pairs 5", "--pairs 12");
    let whole = folder.path().join("whole");
    good(&fit(&line, &whole).output().unwrap());
    let full = folder.path().join("full");
    let tuner = env!("CARGO_BIN_EXE_tuner");
    // In blocks of 512 bytes; what does not fit, one after the other, as it grows.
    let remedy = format!(
        "; nothing is lost, to go on: tuner resume {}",
        full.display()
    );
    for (blocks, name) in [
        (4, "config.json"),
        (8, "journal.jsonl"),
        (20, "journal.jsonl"),
    ] {
        let action = if full.join("config.json").exists() {
            format!("resume {}", full.display())
        } else {
            format!("{line} --out {}", full.display())
        };
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec {tuner} {action}");
        let output = Command::new("sh").args(["-c", &script]).output().unwrap();
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{told}");
        let last = told.lines().last().unwrap();
        let file = full.join(name);
        let expected = format!("tuner: {}: cannot be written: ", file.display());
        assert!(last.starts_with(&expected), "{told}");
        assert_eq!(last.ends_with(&remedy), full.join("config.json").exists());
    }
    good(&resume(&full).output().unwrap());
    assert_same(&whole, &full);
}

#[test]
fn a_run_says_where_it_is_and_what_it_made() {
    let (_folder, path) = finished();
    let result = fs::read_to_string(path.join("result.json")).unwrap();
    let outcome: serde_json::Value = serde_json::from_str(&result).unwrap();
    assert_eq!(outcome["generations"], 2);
    assert_eq!(outcome["stopped"], "games");
    // The weights are what the bot reads: the result.
    let text = fs::read_to_string(path.join("weights.json")).unwrap();
    let weights = columns_bot::weights_file::parse(&text).unwrap();
    let values = weights.values();
    for (index, parameter) in columns_bot::eval::weights::PARAMETERS.iter().enumerate() {
        assert_eq!(outcome["parameters"][index]["name"], parameter.name);
        let better = outcome["judged"]["better"] == true;
        let value = if better { "value" } else { "start" };
        assert_eq!(outcome["parameters"][index][value], values[index]);
    }
    let again = good(&run(&format!("resume {}", path.display())));
    assert!(
        again.contains(&format!(
            "\nThe weights are in {}/weights.json",
            path.display()
        )),
        "{again}"
    );
}

#[test]
fn a_run_is_extended_and_looked_at_again() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    let line = format!("{SHORT} --weights {}", bad(folder.path()).display());
    let more = |path: &Path| {
        let mut command = resume(path);
        command.args(["--games", "400"]);
        command
    };
    good(&fit(&line, &whole).output().unwrap());
    copy(&whole, &killed);
    let told = good(&more(&whole).output().unwrap());
    assert!(told.contains("all its games were played"), "{told}");
    let outcome = fs::read_to_string(whole.join("result.json")).unwrap();
    let outcome: serde_json::Value = serde_json::from_str(&outcome).unwrap();
    assert!(outcome["generations"].as_u64().unwrap() > 10, "{outcome}");
    // Cut anywhere behind its first end, the extension comes to the same bytes.
    let journal = fs::read(whole.join("journal.jsonl")).unwrap();
    let first = fs::metadata(killed.join("journal.jsonl")).unwrap().len() as usize;
    for cut in [first + 1, first + 500, journal.len() - 700] {
        let path = folder.path().join(format!("cut{cut}"));
        copy(&killed, &path);
        fs::write(path.join("journal.jsonl"), &journal[..cut]).unwrap();
        good(&more(&path).output().unwrap());
        assert_same(&whole, &path);
    }
}

/// Weights that are easily beaten.
fn bad(folder: &Path) -> std::path::PathBuf {
    let mut weights = columns_bot::eval::weights::Weights::default();
    weights.set("potential", 0.0).unwrap();
    let path = folder.join("bad.json");
    fs::write(&path, columns_bot::weights_file::format(&weights)).unwrap();
    path
}

#[test]
fn where_nothing_is_better_the_start_is_the_result() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    // Changes of no effect are never better.
    let line = "fit --parameters reserve_cell_crowded --games 220 --pairs 5 --work 0.3 \
        --columns 20 --colours 3";
    let told = good(&fit(line, &path).output().unwrap());
    assert!(told.contains("the result is the start"), "{told}");
    let weights = fs::read_to_string(path.join("weights.json")).unwrap();
    assert_eq!(
        weights,
        fs::read_to_string(path.join("start.json")).unwrap()
    );
    let refused = refused(&run(&format!("export {}", path.display())));
    assert!(
        refused.contains("expected a result that was shown to be better"),
        "{refused}"
    );
}

#[test]
fn a_search_stops_by_time_and_when_nothing_is_better() {
    let folder = tempfile::tempdir().unwrap();
    let line =
        "fit --parameters reserve_cell_crowded --pairs 5 --work 0.3 --columns 20 --colours 3";
    let timed = format!("{line} --for 0.001s");
    let told = good(&fit(&timed, &folder.path().join("a")).output().unwrap());
    assert!(
        told.contains("after 0 generations and 0 games: its time was over"),
        "{told}"
    );
    let told = good(&fit(line, &folder.path().join("b")).output().unwrap());
    assert!(told.contains("nothing better was found for long"), "{told}");
}

/// The verdict shows the unit of the objective, near to the table of the same games.
#[test]
fn the_verdict_of_a_sum_agrees_with_its_table() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!(
        "fit --objective sum --parameters potential --games 1000 --pairs 20 --work 2 --columns 60 \
         --most-pairs 100 --weights {}",
        bad(folder.path()).display()
    );
    let told = good(&fit(&line, &folder.path().join("run")).output().unwrap());
    let number = |text: &str| text.trim_start().split(' ').next().unwrap().parse::<f64>();
    let (_, verdict) = told
        .split_once("The result is better than the start: ")
        .unwrap();
    let result = fs::read_to_string(folder.path().join("run/result.json")).unwrap();
    let result: serde_json::Value = serde_json::from_str(&result).unwrap();
    let table = result["judged"]["comparison"]["all"]["sum_percent"]["mean"]
        .as_f64()
        .unwrap();
    let verdict = number(verdict).unwrap();
    assert!((verdict - table).abs() < 0.15 * table, "{verdict} {table}");
}
