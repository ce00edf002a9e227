//! `tuner fit`: the same bytes whatever happens on the way.

use crate::report::records;
use crate::{
    copy, good, interrupted, json, kill, lasting, put, refused, run, says, start, stderr, tuner,
    wait_for,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tempfile::TempDir;

/// A run of a second or so.
const RUN: &str = "fit --games 500 --pairs 20 --work 3 --columns 60 --most-pairs 30";

/// A run that is over at once.
const SHORT: &str = "fit --games 150 --pairs 5 --work 0.3 --columns 20 --most-pairs 10";

fn fit(line: &str, folder: &Path) -> Command {
    let mut command = tuner(line.split_whitespace());
    command.arg("--out").arg(folder);
    command
}

/// The files of a run that must not depend on what happened on the way: all but the page, which names
/// the folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_name() != "report.html")
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

/// A finished short run.
fn finished() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    good(&fit(SHORT, &path).output().unwrap());
    (folder, path)
}

/// [`RUN`], which nobody has disturbed. It is made once for all tests.
fn whole() -> PathBuf {
    static WHOLE: LazyLock<PathBuf> = LazyLock::new(|| {
        let path = lasting("whole").join("run");
        good(&fit(RUN, &path).output().unwrap());
        path
    });
    WHOLE.clone()
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
        says(&told, "tuner: warning: the beams are ");
        says(&told, "challenge 1 after generation 2: ");
        path
    });
    assert_same(&one, &two);
    assert_same(&one, &three);
    let names: Vec<String> = files(&one).into_keys().collect();
    assert_eq!(names, ["ledger.jsonl", "result.json", "weights.json"]);
}

/// Runs a command, killed at ten places on the way to a ledger as long as `whole`; the same command
/// continues each time.
pub(crate) fn kill_ten_times(call: impl Fn() -> Command, ledger: &Path, whole: &Path) {
    let length_of = |path: &Path| fs::metadata(path).map_or(0, |file| file.len());
    let length = length_of(whole) as f64;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(now.as_nanos() as u64);
    let mut lengths = Vec::new();
    for kill in 0..10 {
        let mut command = call();
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.args(["--jobs", "2"]).spawn().unwrap();
        // At once, then somewhere in each tenth but the last, however fast the machine is.
        let place = match kill {
            0 => 0.0,
            _ => (f64::from(kill - 1) + random.random::<f64>()) / 10.0 * length,
        };
        loop {
            let running = child.try_wait().unwrap().is_none();
            if length_of(ledger) as f64 >= place {
                break;
            }
            assert!(running, "it runs at kill {kill}");
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        lengths.push(length_of(ledger));
    }
    assert!(lengths[9] > lengths[0], "played in between: {lengths:?}");
}

#[test]
fn a_run_that_is_killed_ten_times_ends_with_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, killed) = (whole(), folder.path().join("killed"));
    let ledger = |run: &Path| run.join("ledger.jsonl");
    kill_ten_times(|| fit(RUN, &killed), &ledger(&killed), &ledger(&whole));
    assert!(!killed.join("result.json").exists());
    good(&fit(RUN, &killed).output().unwrap());
    assert_same(&whole, &killed);
}

#[test]
fn a_ledger_that_ends_anywhere_is_gone_on_with() {
    let (folder, whole) = finished();
    let ledger = fs::read(whole.join("ledger.jsonl")).unwrap();
    let head = ledger.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for tenth in 0..10 {
        let path = folder.path().join(format!("cut{tenth}"));
        fs::create_dir(&path).unwrap();
        // The ledger is all that a run needs.
        let cut = head + (ledger.len() - head) * tenth / 10;
        fs::write(path.join("ledger.jsonl"), &ledger[..cut]).unwrap();
        good(&fit(SHORT, &path).output().unwrap());
        assert_same(&whole, &path);
    }
}

#[test]
fn ctrl_c_finishes_the_games_in_hand_and_a_second_process_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, stopped) = (whole(), folder.path().join("stopped"));
    let child = start(fit(RUN, &stopped));
    let ledger = stopped.join("ledger.jsonl");
    wait_for(&ledger, 5000);
    let told = refused(&fit(RUN, &stopped).output().unwrap());
    says(&told, "another process is working on a run of the tuner");
    let (_, last) = interrupted(child);
    says(&last, "tuner: interrupted in generation ");
    assert!(
        last.ends_with("to continue: the same command again"),
        "{last}"
    );
    assert!(fs::read(&ledger).unwrap().ends_with(b"\n"));
    good(&fit(RUN, &stopped).output().unwrap());
    assert_same(&whole, &stopped);
}

/// A finished run is told again. The files of the outcome are copies: they are made again, and never
/// read.
#[test]
fn the_ledger_alone_is_read() {
    let (folder, whole) = finished();
    let path = folder.path().join("copy");
    copy(&whole, &path);
    fs::remove_file(path.join("weights.json")).unwrap();
    fs::write(path.join("result.json"), "mine").unwrap();
    let told = good(&fit(SHORT, &path).output().unwrap());
    says(&told, "The search stopped after 2 generations");
    assert!(!told.contains("games/s"), "nothing was played: {told}");
    assert_same(&whole, &path);
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
    let remedy = "; nothing is lost, to continue: the same command again";
    let is_begun = || {
        let ledger = fs::read(full.join("ledger.jsonl"));
        ledger.is_ok_and(|bytes| bytes.contains(&b'\n'))
    };
    for blocks in [4, 20, 40] {
        let script = format!(
            "trap '' XFSZ; ulimit -f {blocks}; exec {tuner} {line} --out {}",
            full.display()
        );
        let was_begun = is_begun();
        let output = Command::new("sh").args(["-c", &script]).output().unwrap();
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{told}");
        let last = told.lines().last().unwrap();
        let file = full.join("ledger.jsonl");
        let expected = format!("tuner: {}: cannot be written: ", file.display());
        assert!(last.starts_with(&expected), "{told}");
        assert!(last.ends_with(remedy) || !was_begun, "{told}");
    }
    good(&fit(&line, &full).output().unwrap());
    assert_same(&whole, &full);
}

#[test]
fn a_run_says_where_it_is_and_what_it_made() {
    let (_folder, path) = finished();
    let outcome = json(path.join("result.json"));
    assert_eq!(outcome["generations"], 2);
    assert_eq!(outcome["stopped"], "games");
    // The weights are what the bot reads: the result.
    let text = fs::read_to_string(path.join("weights.json")).unwrap();
    let weights = columns_bot::weights_file::parse(&text).unwrap();
    let values = weights.values();
    for (index, parameter) in columns_bot::eval::weights::PARAMETERS.iter().enumerate() {
        assert_eq!(outcome["parameters"][index]["name"], parameter.name);
        let better = outcome["looks"][0]["better"] == true;
        let value = if better { "value" } else { "start" };
        assert_eq!(outcome["parameters"][index][value], values[index]);
    }
    let again = good(&fit(SHORT, &path).output().unwrap());
    let expected = format!("\nThe result is in {}/weights.json", path.display());
    says(&again, expected);
}

#[test]
fn a_run_is_extended_and_looked_at_again() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    let line = format!("{SHORT} --weights {}", bad(folder.path()).display());
    let more = |path: &Path| fit(&line.replace("--games 150", "--games 400"), path);
    good(&fit(&line, &whole).output().unwrap());
    copy(&whole, &killed);
    let told = good(&more(&whole).output().unwrap());
    says(&told, "no generation was left within its games");
    let outcome = json(whole.join("result.json"));
    assert!(outcome["generations"].as_u64().unwrap() > 10, "{outcome}");
    // Cut anywhere behind its first end, the extension comes to the same bytes.
    let journal = fs::read(whole.join("ledger.jsonl")).unwrap();
    let first = fs::metadata(killed.join("ledger.jsonl")).unwrap().len() as usize;
    for cut in [first + 1, first + 500, journal.len() - 700] {
        let path = folder.path().join(format!("cut{cut}"));
        copy(&killed, &path);
        fs::write(path.join("ledger.jsonl"), &journal[..cut]).unwrap();
        good(&more(&path).output().unwrap());
        assert_same(&whole, &path);
    }
}

/// Weights that are easily beaten.
fn bad(folder: &Path) -> PathBuf {
    let path = folder.join("bad.json");
    put(&path, "{\"potential\": 0}");
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
    says(&told, "the result is the start");
    let weights = fs::read_to_string(path.join("weights.json")).unwrap();
    let start = columns_bot::eval::weights::Weights::default();
    assert_eq!(weights, columns_bot::weights_file::format(&start));
    let refused = refused(&run(&format!("export {}", path.display())));
    says(&refused, "expected a result that was shown to be better");
}

#[test]
fn a_search_stops_by_time_and_when_nothing_is_better() {
    let folder = tempfile::tempdir().unwrap();
    let line =
        "fit --parameters reserve_cell_crowded --pairs 5 --work 0.3 --columns 20 --colours 3";
    let timed = format!("{line} --for 0.001s");
    let told = good(&fit(&timed, &folder.path().join("a")).output().unwrap());
    says(&told, "after 0 generations and 0 games: its time was over");
    let told = good(&fit(line, &folder.path().join("b")).output().unwrap());
    says(&told, "nothing better was found for long");
}

/// The example of the README finds what its bot likes best, and comes to the same bytes whatever
/// happens on the way.
#[cfg(unix)]
#[test]
fn a_program_is_fitted() {
    let folder = tempfile::tempdir().unwrap();
    let readme = include_str!("../../README.md");
    let mut blocks = readme
        .split("```sh\n")
        .filter_map(|block| block.split("```").next());
    let example = blocks.find(|block| block.starts_with("cat > mine.py"));
    let (files, line) = example.unwrap().split_once("tuner fit --out mine").unwrap();
    let shell = |script: &str| {
        let mut command = Command::new("sh");
        command
            .args(["-e", "-c", script, env!("CARGO_BIN_EXE_tuner")])
            .current_dir(folder.path());
        // A version manager's shim in its place is slow.
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!("/usr/bin:{path}"));
        command
    };
    let mut whole = shell(&format!("{files} $0 fit --out mine {line}"));
    let told = good(&whole.output().unwrap());
    let (_, found) = told.trim_end().rsplit_once("\npython3 mine.py ").unwrap();
    let (a, b) = found.split_once(' ').unwrap();
    let off = |text: &str, best: f64| (text.parse::<f64>().unwrap() - best).abs();
    assert!(off(a, 7.0) < 2.5 && off(b, -0.3) < 0.3, "{told}");
    says(&told, "The result is better than the start: +");
    let told = refused(&shell("$0 export mine").output().unwrap());
    says(&told, "expected a run that fits the bot");

    let options = line.lines().take(2).collect::<String>().replace('\\', "");
    let fit = |out: &str, jobs: &str| {
        let options = options.replace("--games 240", "--games 150");
        let options = options.replace("--most-pairs 100", "--most-pairs 10");
        shell(&format!("exec $0 fit --out {out} {options} {jobs} \"$@\""))
    };
    let [whole, killed] = ["whole", "killed"].map(|out| folder.path().join(out));
    good(&fit("whole", "--jobs 1").output().unwrap());
    let ledger = |run: &Path| run.join("ledger.jsonl");
    let again = || fit("killed", "");
    kill_ten_times(again, &ledger(&killed), &ledger(&whole));
    good(&again().output().unwrap());
    assert_same(&whole, &killed);
    // A file that has changed is named, and the outcome is still there.
    let script = folder.path().join("mine.py");
    let text = fs::read_to_string(&script).unwrap();
    fs::write(&script, text + "# a comment\n").unwrap();
    let done = again().output().unwrap();
    says(good(&done), "\nThe result is in killed/command.txt");
    says(
        stderr(&done),
        "warning: mine.py has changed since the run began; this is the outcome of",
    );
    let short = options
        .replace("--games 240", "")
        .replace("--most-pairs 100", "--most-pairs 10");
    let told = refused(
        &shell(&format!("exec $0 fit --out killed {short} --games 400"))
            .output()
            .unwrap(),
    );
    says(
        &told,
        "killed: mine.py has changed since the run began: continue with what it was, or",
    );
    fs::remove_file(&script).unwrap();
    let told = stderr(&again().output().unwrap());
    says(&told, "mine.py is not here, or not watched");

    fs::write(&script, "print('x')").unwrap();
    let told = refused(&fit("other", "").output().unwrap());
    says(&told, "expected a plan for the sample case (generator 1), ");
    assert!(!folder.path().join("other").exists());
}

/// The verdict shows the unit of the objective, near to the table of the same games.
#[test]
fn the_verdict_of_a_sum_agrees_with_its_table() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!(
        "fit --objective sum --parameters potential --games 500 --pairs 10 --rate 2 --work 2 \
         --columns 60 --most-pairs 100 --weights {}",
        bad(folder.path()).display()
    );
    let told = good(&fit(&line, &folder.path().join("run")).output().unwrap());
    let number = |text: &str| text.trim_start().split(' ').next().unwrap().parse::<f64>();
    let (_, verdict) = told
        .split_once("The result is better than the start: ")
        .unwrap();
    let result = json(folder.path().join("run/result.json"));
    let table = &result["comparison"]["all"]["percent"]["mean"];
    let table = table.as_f64().unwrap();
    let verdict = number(verdict).unwrap();
    assert!((verdict - table).abs() < 0.06, "{verdict} {table}");
    // A challenge that was won shows a gain, in the same unit.
    let challenges = records(
        &folder.path().join("run").display().to_string(),
        "challenge",
    );
    for one in challenges {
        assert_eq!(
            one["won"] == true,
            one["percent"].as_f64().unwrap() > 0.0,
            "{one}"
        );
    }
}

/// The time of a run is remembered, and ends a search in the middle of a stage.
#[test]
fn the_time_that_is_left_is_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    // A generation takes far longer than that.
    let line = "fit --for 1s --pairs 2000 --games 100000 --work 20 --columns 200 --most-pairs 2";
    let child = start(fit(line, &path));
    // Behind the head, which has a network in it.
    let ledger = path.join("ledger.jsonl");
    wait_for(&ledger, 1);
    wait_for(&ledger, fs::read_to_string(&ledger).unwrap().len() + 1);
    kill(child);
    let begun = Instant::now();
    let told = good(&fit(line, &path).output().unwrap());
    assert!(begun.elapsed() < Duration::from_secs(30));
    says(&told, "after 0 generations and 0 games: its time was over");
    // A run is its ledger: a copy of that alone has no time left either.
    let copy = folder.path().join("copy");
    fs::create_dir(&copy).unwrap();
    fs::copy(&ledger, copy.join("ledger.jsonl")).unwrap();
    let again = good(&fit(line, &copy).output().unwrap());
    says(&again, "after 0 generations and 0 games: its time was over");
    assert!(!again.contains("games/s"), "{again}");
}

/// The lost games of a program are counted by kind: while it works, in the summary, in the page and
/// for other programs.
#[cfg(unix)]
#[test]
fn lost_games_of_a_program_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    put(
        at("space").as_ref(),
        "a = { start = 3, lowest = 0, highest = 9, step = 1 }",
    );
    // Crashes on a case whose number of columns is odd, but not on the sample case.
    let script = "read size; read k; [ $k = 11 ] || [ $((k % 2)) = 0 ] || exit 3; echo 0";
    put(at("bot").as_ref(), script);
    let bot = format!("sh {} {{a}}", at("bot"));
    let mut fit = tuner([
        "fit",
        "--bot",
        &bot,
        "--space",
        &at("space"),
        "--out",
        &at("run"),
    ]);
    let fit = fit.args("--games 120 --pairs 2 --jobs 2".split(' '));
    let done = fit.output().unwrap();
    let told = good(&done);
    let line = told.lines().find(|line| line.contains(" games lost: "));
    let (_, kinds) = line.expect(&told).split_once(" crashed (seed ").unwrap();
    let lost = &json(at("run/result.json").as_str())["losses"]["crashed"];
    assert!(lost["games"].as_u64().unwrap() > 10, "{lost}");
    assert!(
        kinds.starts_with(&lost["seed"].to_string()),
        "{lost} {kinds}"
    );
    says(stderr(&done), " crashed (seed ");
    says(
        fs::read_to_string(at("run/report.html")).unwrap(),
        " crashed (seed ",
    );
}

/// A file that a program calls is watched where the user says so.
#[cfg(unix)]
#[test]
fn a_file_to_watch_may_not_change() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    put(
        at("space").as_ref(),
        "a = { start = 3, lowest = 0, highest = 9, step = 1 }",
    );
    put(at("bot").as_ref(), "echo 0");
    put(at("lib.py").as_ref(), "1");
    let bot = format!("sh {} {{a}}", at("bot"));
    let fit = |more: &str| {
        let mut fit = tuner([
            "fit",
            "--bot",
            &bot,
            "--space",
            &at("space"),
            "--out",
            &at("run"),
        ]);
        let fit = fit.args(["--watch", &at("lib.py")]);
        fit.args("--pairs 2 --jobs 2 --games".split(' '))
            .arg(more)
            .output()
            .unwrap()
    };
    let told = stderr(&fit("120"));
    says(
        &told,
        format!("Watched for changes: {}, {}.", at("bot"), at("lib.py")),
    );
    put(at("lib.py").as_ref(), "2");
    says(
        refused(&fit("150")),
        format!("{} has changed since the run began", at("lib.py")),
    );
}

/// A fit that cannot play says so, and one that can says what it may play before it begins.
#[test]
fn too_few_games_are_refused_and_all_games_are_announced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let told = refused(&fit("fit --games 200 --columns 40", &path).output().unwrap());
    says(
        &told,
        "--games: expected at least 268, a generation of --pairs 80 and a challenge, found 200",
    );
    assert!(!path.exists());
    let told = stderr(&fit(SHORT, &path).output().unwrap());
    let first =
        "The search plays at most 150 games. At most 20 games on held-out seeds then judge ";
    assert!(told.starts_with(first), "{told}");
}

/// A page of a run that works refreshes itself; that of a run that has ended does not.
#[test]
fn the_page_of_a_run_follows_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let child = start(fit(RUN, &path));
    let page = path.join("report.html");
    wait_for(&page, 1);
    kill(child);
    let text = fs::read_to_string(&page).unwrap();
    says(&text, "<meta http-equiv=refresh content=10>");
    says(&text, "The run has not ended");
    good(&fit(RUN, &path).output().unwrap());
    let text = fs::read_to_string(&page).unwrap();
    assert!(!text.contains("http-equiv") && !text.contains("not ended"));
}
