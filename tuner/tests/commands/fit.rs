//! `tuner fit`: its output is the same, byte for byte, however often and wherever a run is interrupted.
//! Other tests check the limits, verdicts and errors.

use crate::{
    TempFolder, assert_contains, copy, interrupt, json, refusal, run, shared_folder, start, stderr,
    success, tuner, wait_for, write,
};
use columns_tuner::experiment::folder;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tempfile::TempDir;

/// A run of about a second.
const RUN: &str = "fit --games 500 --pairs 20 --work 2 --columns 40 --max-pairs 30";

/// A shorter run, of two generations.
const SHORT_FIT: &str = "fit --games 150 --pairs 5 --work 0.3 --columns 20 --max-pairs 10 --seed 3";

fn fit(line: &str, folder: &Path) -> Command {
    let mut command = tuner(line.split_whitespace());
    command.arg("--out").arg(folder);
    command
}

/// Reads the files of a run, except the page, which contains the name of the folder. The other files must be
/// the same after an interruption.
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
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(same, "{name}:\n{}\n{}", text(bytes), text(&b[name]));
    }
}

/// Plays a short run in a new temporary folder. Returns that folder, and the path of the run in it.
fn short_run() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    success(&fit(SHORT_FIT, &path).output().unwrap());
    (folder, path)
}

/// Returns the folder of an uninterrupted [`RUN`] that all tests share.
fn whole_run() -> PathBuf {
    static WHOLE_RUN: LazyLock<PathBuf> = LazyLock::new(|| {
        let path = shared_folder("whole").join("run");
        success(&fit(RUN, &path).output().unwrap());
        path
    });
    WHOLE_RUN.clone()
}

#[test]
fn the_bytes_are_the_same_for_any_number_of_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, three] = ["1", "2", "3"].map(|jobs| {
        let path = folder.path().join(jobs);
        let output = fit(SHORT_FIT, &path)
            .args(["--jobs", jobs])
            .output()
            .unwrap();
        success(&output);
        // Since standard error is a pipe, the command prints a line for each generation.
        let log = stderr(&output);
        let generations = log.lines().filter(|line| line.starts_with("generation "));
        assert_eq!(generations.count(), 2, "{log}");
        assert_contains(&log, "tuner: warning: the beams are ");
        assert_contains(&log, "challenge 1 after generation 2: ");
        path
    });
    assert_same(&one, &two);
    assert_same(&one, &three);
    let names: Vec<String> = files(&one).into_keys().collect();
    let expected = "ledger.jsonl rejected-weights.json result.json weights.json";
    assert_eq!(names.join(" "), expected);
}

/// Starts a command ten times, and kills each process as soon as `ledger` has reached a certain length, which
/// is below the length of the complete ledger `whole`. Each process resumes the work of the previous one.
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
        // Kill the first process at the beginning, and one of the other nine in each of the ledger's first
        // nine tenths. Unlike times, lengths do not depend on the speed of the machine.
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
fn ctrl_c_finishes_the_games_in_progress_and_a_second_process_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, stopped) = (whole_run(), folder.path().join("stopped"));
    let child = start(fit(RUN, &stopped));
    let ledger = stopped.join("ledger.jsonl");
    // The page of a running fit refreshes itself.
    let page = || fs::read_to_string(stopped.join("report.html")).unwrap();
    wait_for(stopped.join("report.html"), 1);
    let live = page();
    assert!(live.contains("The run has not ended") && live.contains("\"is_live\":true"));
    wait_for(&ledger, 5000);
    let message = refusal(&fit(RUN, &stopped).output().unwrap());
    assert_contains(
        &message,
        "ledger.jsonl: another process is working on this run",
    );
    let (output, last) = interrupt(child);
    assert_contains(
        stderr(&output),
        "\nfinishing the games in progress; press Ctrl-C again to end immediately (the run can still be \
         resumed)\n",
    );
    assert_contains(&last, "tuner: interrupted in generation ");
    assert!(
        last.ends_with("to continue, give the same command again"),
        "{last}"
    );
    assert!(fs::read(&ledger).unwrap().ends_with(b"\n"));
    // No process is working on the run, so its page does not refresh itself.
    let interrupted = page();
    assert!(interrupted.contains("not ended") && interrupted.contains("\"is_live\":false"));
    let output = fit(RUN, &stopped).output().unwrap();
    success(&output);
    assert_contains(stderr(&output), format!("Resuming {}: ", stopped.display()));
    assert_same(&whole, &stopped);
    let ended = page();
    assert!(!ended.contains("not ended") && ended.contains("\"is_live\":false"));
}

/// The command derives the outcome from the ledger, and never reads the files of the outcome. If the run has
/// ended, the command prints the same result and writes these files again.
#[test]
fn the_command_reads_the_ledger_only() {
    let (folder, whole) = short_run();
    let path = folder.path().join("copy");
    copy(&whole, &path);
    fs::remove_file(path.join("weights.json")).unwrap();
    fs::write(path.join("result.json"), "mine").unwrap();
    let stdout = success(&fit(SHORT_FIT, &path).output().unwrap());
    assert_contains(&stdout, "The search stopped after 2 generations");
    assert!(!stdout.contains("games/s"), "nothing was played: {stdout}");
    assert_same(&whole, &path);
}

/// A limit on the size of files acts like a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let line = SHORT_FIT.replace("--pairs 5", "--pairs 12");
    let whole = folder.path().join("whole");
    success(&fit(&line, &whole).output().unwrap());
    let full = folder.path().join("full");
    let tuner = env!("CARGO_BIN_EXE_tuner");
    let remedy = "; nothing is lost: to continue, give the same command again";
    let is_begun = || {
        let ledger = fs::read(full.join("ledger.jsonl"));
        ledger.is_ok_and(|bytes| bytes.contains(&b'\n'))
    };
    // `ulimit` counts blocks of 512 bytes.
    for blocks in [4, 20, 40] {
        let script = format!(
            "trap '' XFSZ; ulimit -f {blocks}; exec {tuner} {line} --out {}",
            full.display()
        );
        let was_begun = is_begun();
        let output = Command::new("sh").args(["-c", &script]).output().unwrap();
        let log = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{log}");
        let last = log.lines().last().unwrap();
        let file = full.join("ledger.jsonl");
        let expected = format!("tuner: {}: cannot be written: ", file.display());
        assert!(last.starts_with(&expected), "{log}");
        assert!(last.ends_with(remedy) || !was_begun, "{log}");
    }
    success(&fit(&line, &full).output().unwrap());
    assert_same(&whole, &full);
}

#[test]
fn a_run_writes_its_outcome_and_prints_the_path() {
    let (_folder, path) = short_run();
    let outcome = json(path.join("result.json"));
    assert_eq!(outcome["generation_count"], 2);
    assert_eq!(outcome["stop_reason"], "game_limit");
    // The file holds the resulting weights, in the format of the bot.
    let text = fs::read_to_string(path.join("weights.json")).unwrap();
    let weights = columns_bot_command::weights_file::parse(&text).unwrap();
    let values = weights.values();
    for (index, parameter) in columns_bot::eval::weights::PARAMETERS.iter().enumerate() {
        assert_eq!(outcome["parameters"][index]["name"], parameter.name);
        let better = outcome["judgements"][0]["is_better"] == true;
        let value = if better { "value" } else { "start" };
        assert_eq!(outcome["parameters"][index][value], values[index]);
    }
    let again = success(&fit(SHORT_FIT, &path).output().unwrap());
    let weights = path.join("weights.json");
    let holds = format!("\n{} holds the start.\n", weights.display());
    let best = format!(
        "\nThe best is in {}; to put it into the bot:",
        weights.display()
    );
    let is_better = again.contains("The best is better than");
    assert_contains(&again, if is_better { best } else { holds });
}

#[test]
fn a_run_prints_its_folder_and_repeats_the_warning_about_narrow_beams() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let place = path.display();
    let line = format!(
        "{SHORT_FIT} --weights {}",
        bad_weights(folder.path()).display()
    );
    let output = fit(&line, &path).output().unwrap();
    let log = stderr(&output);
    let first =
        format!("New run in {place}\nPage: {place}/report.html (from the first generation on)\n");
    assert!(log.starts_with(&first), "{log}");
    let stdout = success(&output);
    let (_, verdict) = stdout.split_once("The search stopped after ").unwrap();
    assert_contains(
        verdict,
        "\nwarning: the beams are 1 state wide on average, ",
    );
    assert_contains(verdict, "\nThis process played 1");
    let log = stderr(&fit(&line, &path).output().unwrap());
    assert_contains(&log, format!("The run in {place} has ended: 1"));
    assert_contains(&log, format!("Page: {place}/report.html\n"));
}

/// Interrupts a fit of a network while it measures the steps of the parameters, before the first generation.
#[cfg(target_os = "linux")]
#[test]
fn an_interruption_before_the_first_generation_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let line = "fit --network --work 20 --jobs 1";
    let child = start(fit(line, &folder.path().join("run")));
    let status = format!("/proc/{}/status", child.id());
    let watches = || {
        let text = fs::read_to_string(&status).unwrap();
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        // Bit 1 of the mask is SIGINT.
        u64::from_str_radix(caught.unwrap().trim(), 16).unwrap() & 2 != 0
    };
    while !watches() {
        std::thread::sleep(Duration::from_millis(2));
    }
    let (_, last) = interrupt(child);
    assert_eq!(
        last,
        "tuner: interrupted before a generation was played; to continue, give the same command again"
    );
}

#[test]
fn an_extended_run_is_judged_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let line = format!(
        "{SHORT_FIT} --weights {}",
        bad_weights(folder.path()).display()
    );
    success(&fit(&line, &path).output().unwrap());
    let more = line.replace("--games 150", "--games 400");
    let stdout = success(&fit(&more, &path).output().unwrap());
    assert_contains(&stdout, "no further generation fitted into its games");
    let outcome = json(path.join("result.json"));
    assert!(
        outcome["generation_count"].as_u64().unwrap() > 10,
        "{outcome}"
    );
}

/// Writes weights that most other players beat.
fn bad_weights(folder: &Path) -> PathBuf {
    let path = folder.join("bad.json");
    write(&path, "{\"potential\": 0}");
    path
}

#[test]
fn without_a_better_player_the_start_is_the_result() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    // This parameter has no effect on these cases, so no player beats the start.
    let line = "fit --parameters room_cell_crowded --games 220 --pairs 5 --work 0.3 \
        --columns 20 --colours 3";
    let output = fit(line, &path).output().unwrap();
    let warning = ", 0 of 5 changes made any difference to the games: raise --noise\n";
    assert_contains(stderr(&output), warning);
    let stdout = success(&output);
    assert_contains(&stdout, "the result is the start");
    let weights = fs::read_to_string(path.join("weights.json")).unwrap();
    let start = columns_bot::eval::weights::Weights::default();
    assert_eq!(weights, columns_bot_command::weights_file::format(&start));
    let message = refusal(&run(&format!("export {}", path.display())));
    assert_contains(&message, "run: cannot be exported. ");
    assert_eq!(message.matches("the start").count(), 2, "{message}");
    let expected = format!(
        "\n{} holds the start.\n",
        path.join("weights.json").display()
    );
    assert_contains(&stdout, expected);
}

#[test]
fn a_search_stops_by_time_and_by_lack_of_progress() {
    let folder = tempfile::tempdir().unwrap();
    let line = "fit --parameters room_cell_crowded --pairs 5 --work 0.3 --columns 10 --colours 3";
    let timed = format!("{line} --max-time 0.001s");
    let stdout = success(&fit(&timed, &folder.path().join("a")).output().unwrap());
    assert_contains(
        &stdout,
        "after 0 generations and 0 games: its time limit was reached",
    );
    let stdout = success(&fit(line, &folder.path().join("b")).output().unwrap());
    assert_contains(&stdout, "nothing better was found for a long time");
}

/// The fit in the README finds approximately the best values for its program, and writes the same bytes after
/// every interruption.
#[cfg(unix)]
#[test]
#[ignore = "fits a program in a minute, as the README does; .ci/run plays it"]
fn a_program_is_fitted() {
    let folder = tempfile::tempdir().unwrap();
    let readme = include_str!("../../README.md");
    let mut blocks = readme
        .split("```sh slow\n")
        .filter_map(|block| block.split("```").next());
    let example = blocks.find(|block| block.starts_with("cat > mine.py"));
    let (files, line) = example.unwrap().split_once("tuner fit --out mine").unwrap();
    let shell = |script: &str| {
        let mut command = Command::new("sh");
        command
            .args(["-e", "-c", script, env!("CARGO_BIN_EXE_tuner")])
            .current_dir(folder.path());
        // Use the system's Python: the shim of a version manager is slow.
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!("/usr/bin:{path}"));
        command
    };
    let mut whole = shell(&format!("{files} $0 fit --out mine {line}"));
    let stdout = success(&whole.output().unwrap());
    let (_, numbers) = stdout.trim_end().rsplit_once("\npython3 mine.py ").unwrap();
    let (a, b) = numbers.split_once(' ').unwrap();
    let distance = |text: &str, best: f64| (text.parse::<f64>().unwrap() - best).abs();
    assert!(
        distance(a, 7.0) < 2.5 && distance(b, -0.3) < 0.3,
        "{stdout}"
    );
    assert_contains(&stdout, "The best is better than the start: +");
    let message = refusal(&shell("$0 export mine").output().unwrap());
    assert_contains(&message, "expected a run that fits the bot");

    let options = line.lines().take(2).collect::<String>().replace('\\', "");
    let fit = |out: &str, jobs: &str| {
        let options = options.replace("--games 1000", "--games 150");
        let options = options.replace("--max-pairs 100", "--max-pairs 10");
        shell(&format!("exec $0 fit --out {out} {options} {jobs} \"$@\""))
    };
    let [whole, killed] = ["whole", "killed"].map(|out| folder.path().join(out));
    success(&fit("whole", "--jobs 1").output().unwrap());
    let ledger = |run: &Path| run.join("ledger.jsonl");
    let again = || fit("killed", "");
    kill_ten_times(again, &ledger(&killed), &ledger(&whole));
    success(&again().output().unwrap());
    assert_same(&whole, &killed);
    // If a file changes after the end of a run, a warning names the file, and the outcome is still printed.
    let script = folder.path().join("mine.py");
    let text = fs::read_to_string(&script).unwrap();
    fs::write(&script, text + "# a comment\n").unwrap();
    let output = again().output().unwrap();
    assert_contains(success(&output), "killed/command.txt");
    assert_contains(
        stderr(&output),
        "warning: mine.py: changed since the run began; this is the outcome from before",
    );
    let short = options
        .replace("--games 1000", "")
        .replace("--max-pairs 100", "--max-pairs 10");
    let message = refusal(
        &shell(&format!("exec $0 fit --out killed {short} --games 400"))
            .output()
            .unwrap(),
    );
    assert_contains(
        &message,
        "killed/ledger.jsonl: mine.py: changed since the run began: continue with the player as it was",
    );
    fs::remove_file(&script).unwrap();
    let log = stderr(&again().output().unwrap());
    assert_contains(&log, "warning: mine.py: changed since the run began; ");

    fs::write(&script, "print('x')").unwrap();
    let message = refusal(&fit("other", "").output().unwrap());
    assert_contains(
        &message,
        "expected a plan for the sample case (generator 1), ",
    );
    assert!(!folder.path().join("other").exists());
}

/// A fit of a shell script in its own folder.
#[cfg(unix)]
struct ScriptFit {
    folder: TempFolder,
}

#[cfg(unix)]
impl ScriptFit {
    fn new(script: &str) -> Self {
        let folder = TempFolder::new();
        let fit = Self { folder };
        let space = "a = { start = 3, min = 0, max = 9, step = 1 }";
        write(fit.path("space").as_ref(), space);
        write(fit.path("bot").as_ref(), script);
        fit
    }

    fn path(&self, name: &str) -> String {
        self.folder.path(name)
    }

    fn run(&self, options: &str) -> Output {
        let bot = format!("sh {} {{a}}", self.path("bot"));
        let mut command = tuner(["fit", "--bot", &bot, "--space", &self.path("space")]);
        command.args(["--out", &self.path("run"), "--pairs", "2", "--jobs", "2"]);
        command.args(options.split_whitespace()).output().unwrap()
    }
}

/// The command line need not name all parameters of the space. `--parameters` chooses among those that the
/// command line names.
#[cfg(unix)]
#[test]
fn parameters_that_are_not_named_are_fixed() {
    let fit = ScriptFit::new("echo 0");
    let space = "a = { start = 3, min = 0, max = 9, step = 1 }\n\
                 b = { start = 5, min = 0, max = 9, step = 1 }\n\
                 c = { start = 7, min = 0, max = 9, step = 1 }\n";
    write(fit.path("space").as_ref(), space);
    let line = |out: &str, parameters: &str| {
        let bot = format!("sh {} {{a}} {{b}}", fit.path("bot"));
        let mut command = tuner(["fit", "--bot", &bot, "--space", &fit.path("space")]);
        command.args([
            "--out",
            &fit.path(out),
            "--pairs",
            "2",
            "--jobs",
            "2",
            "--games",
            "110",
        ]);
        command
            .args(["--max-pairs", "2"])
            .args(parameters.split_whitespace());
        command.output().unwrap()
    };
    let names = |out: &str| -> Vec<String> {
        let state = folder::read(fit.path(out).as_ref()).unwrap();
        state
            .space
            .axes()
            .iter()
            .map(|axis| axis.name.clone())
            .collect()
    };
    success(&line("both", ""));
    assert_eq!(names("both"), ["a", "b"]);
    success(&line("one", "--parameters b"));
    assert_eq!(names("one"), ["b"]);
    let command = fs::read_to_string(fit.path("one/command.txt")).unwrap();
    assert!(command.ends_with(" 3 5\n"), "{command}");
    let message = refusal(&line("other", "--parameters c"));
    assert_contains(message, "and the command line names, found \"c\"");
}

/// The counts of failed games by kind appear in the progress, in the summary, on the page and in
/// `result.json`.
#[cfg(unix)]
#[test]
fn failed_games_of_a_program_are_counted() {
    // The script crashes on a case whose number of columns is odd, except on the sample case, which has 11
    // columns.
    let script = "read size; read k; [ $k = 11 ] || [ $((k % 2)) = 0 ] || exit 3; echo 0";
    let fit = ScriptFit::new(script);
    // The random name of the temporary folder determines the seeds. With this many games, some cases almost
    // certainly have an odd number of columns.
    let output = fit.run("--games 220");
    let stdout = success(&output);
    let line = stdout.lines().find(|line| line.contains(" games failed: "));
    let (_, kinds) = line.expect(&stdout).split_once(" crashed (seed ").unwrap();
    let lost = &json(fit.path("run/result.json"))["failed_games"]["crashed"];
    assert!(lost["games"].as_u64().unwrap() > 10, "{lost}");
    let seed = lost["seed"].to_string();
    assert!(kinds.starts_with(&seed), "{lost} {kinds}");
    assert_contains(stderr(&output), " crashed (seed ");
    let page = fs::read_to_string(fit.path("run/report.html")).unwrap();
    assert_contains(page, " crashed (seed ");
}

/// After a change to a file of the program, a fit or a comparison stops and records no more games. The run
/// resumes only with the file as it was.
#[cfg(unix)]
#[test]
fn a_changed_file_of_a_program_stops_the_run() {
    // The script changes its library in its twentieth game.
    let script = "[ \"$1\" = --version ] && exit; echo x >> count\n\
                  [ $(wc -l < count) = 20 ] && echo 2 > lib.txt; echo 0";
    let config = "bot = 'sh bot {a}'\nfiles = ['*.txt']\n";
    let fit = "fit --bot --space space --out fit --pairs 2 --games 120 --max-pairs 2";
    let compare = "compare --a-bot --b-bot --out run --seeds 1..=20 --columns 20";
    // The record has neither the game in which the library changes, nor the game of each program on the
    // sample case.
    for (line, record, games) in [(fit, "fit/ledger.jsonl", 18), (compare, "run", 17)] {
        let fit = ScriptFit::new(script);
        let library = fit.path("lib.txt");
        write(library.as_ref(), "1");
        let bot = if line == compare {
            config.replace(" {a}", "")
        } else {
            config.into()
        };
        write(fit.path("columns.toml").as_ref(), &bot);
        let run = || {
            let mut command = tuner(line.split_whitespace());
            let command = command.args(["--jobs", "1"]);
            command.current_dir(fit.path("")).output().unwrap()
        };
        let output = run();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let message = "lib.txt: changed since the run began, so the next games would be another";
        assert_contains(stderr(&output), message);
        let recorded = || fs::read_to_string(fit.path(record)).unwrap();
        assert_eq!(recorded().matches("\"game\":").count(), games, "{line}");
        let before = recorded();
        let message = format!("{record}: lib.txt: changed since the run began: continue with");
        assert_contains(refusal(&run()), message);
        assert_eq!(recorded(), before);
        write(library.as_ref(), "1");
        success(&run());
    }
}

/// A log that a program writes is no file of the program, so its growth does not stop a resumed run.
#[cfg(unix)]
#[test]
fn a_run_of_a_program_that_writes_a_log_resumes() {
    let fit = "fit --bot --space space --out fit --pairs 2 --games 120 --max-pairs 2";
    let compare = "compare --out run --seeds 1..=3 --columns 20 --a-bot --b-bot";
    // In the last comparison, B writes a file of A.
    for (line, b, bot) in [
        (fit, None, "sh bot {a}"),
        (compare, Some("false"), "sh bot"),
        (compare, Some("sh bot"), "echo 0"),
    ] {
        let fit = ScriptFit::new("[ \"$1\" = --version ] && exit; echo x >> log.txt; echo 0");
        write(fit.path("log.txt").as_ref(), "");
        let config = format!("bot = '{bot}'\nfiles = ['*.txt']\n");
        write(fit.path("columns.toml").as_ref(), &config);
        let run = || {
            let mut command = tuner(line.split_whitespace());
            let output = command.args(b).current_dir(fit.path("")).output().unwrap();
            success(&output);
            stderr(&output)
        };
        assert_contains(run(), "note: log.txt: changed during the first game");
        let log = run();
        assert!(!log.contains("log.txt"), "{log}");
    }
}

/// A fit whose limit on games is too low fails. Any other fit prints its limits before it begins.
#[test]
fn too_few_games_are_refused_and_all_games_are_announced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let message = refusal(&fit("fit --games 200 --columns 40", &path).output().unwrap());
    assert_contains(
        &message,
        "--games: expected at least 268, a generation of --pairs 80 and a challenge, found 200",
    );
    assert!(!path.exists());
    let log = stderr(&fit(SHORT_FIT, &path).output().unwrap());
    // The first two lines name the folder and the page.
    let third_line = |log: &str| log.lines().nth(2).unwrap().to_string();
    let limits =
        "The search plays at most 150 games. At most 20 games on held-out seeds then judge ";
    assert!(third_line(&log).starts_with(limits), "{log}");
    // With only a time limit, the number of games is not limited.
    let timed = SHORT_FIT.replace("--games 150", "--max-time 0.5s");
    let path = folder.path().join("timed run");
    let output = fit(&timed, &path).output().unwrap();
    let log = stderr(&output);
    let limits = "The search takes at most 0.5s. At most 20 games on held-out seeds then judge ";
    assert!(third_line(&log).starts_with(limits), "{log}");
    assert!(!log.contains("of at most"), "{log}");
    let both = SHORT_FIT.replace("--games 150", "--games 150 --max-time 2m");
    let log = stderr(&fit(&both, &folder.path().join("both")).output().unwrap());
    let limits = "The search plays at most 150 games, and takes at most 2m. At most 20 ";
    assert!(third_line(&log).starts_with(limits), "{log}");
}

/// Follows the recipe in the README: weights that are bad on purpose, a fit that starts from them, and a
/// comparison of both with the bot.
#[test]
#[ignore = "fits for half a minute; .ci/run plays it"]
fn a_fit_recovers_a_known_loss() {
    let folder = tempfile::tempdir().unwrap();
    let [worse, trial] = ["worse.json", "trial"].map(|name| folder.path().join(name));
    write(&worse, "{\"potential\": 0.1, \"steps\": 12, \"spot\": -3}");
    let line = "fit --games 2000 --pairs 20 --learning-rate 1 --work 1 --columns 40 --max-pairs 500 \
                --parameters spot,potential,steps";
    let mut fit = fit(line, &trial);
    success(&fit.arg("--weights").arg(&worse).output().unwrap());
    let line = format!(
        "compare --b {} --b {}/weights.json --seeds 1..=300 --all --work 1 --columns 40 --json",
        worse.display(),
        trial.display()
    );
    let stdout = success(&run(&line));
    let result: serde_json::Value = serde_json::from_str(stdout.lines().last().unwrap()).unwrap();
    let [loss, left] = [0, 1].map(|index| {
        let percent = &result["candidates"][index]["percent"];
        percent.as_f64().unwrap()
    });
    assert!(loss < -5.0 && left > loss / 2.0, "{loss} {left}");
}
