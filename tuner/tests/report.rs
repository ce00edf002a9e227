//! `tuner report`, run as a user runs it.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tempfile::TempDir;

fn tuner(arguments: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("tuner").unwrap();
    command.args(arguments).assert()
}

/// A small run that has ended; all tests work on copies of it.
static RUN: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("a<b");
    fit(&folder, "");
    (parent, folder)
});

/// Plays a small run into a folder.
fn fit(folder: &Path, options: &str) {
    let line = format!(
        "fit --games 400 --pairs 8 --columns 40 --work 1 {options} --out {}",
        folder.display()
    );
    tuner(&line.split_whitespace().collect::<Vec<_>>()).success();
}

/// A copy of the run.
fn run() -> (TempDir, PathBuf) {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("a<b");
    fs::create_dir(&folder).unwrap();
    for entry in fs::read_dir(&RUN.1).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
    }
    (parent, folder)
}

fn page(folder: &Path) -> String {
    tuner(&["report", folder.to_str().unwrap()]).success();
    fs::read_to_string(folder.join("report.html")).unwrap()
}

/// The line in which a command is refused.
fn refused(arguments: &[&str]) -> String {
    let failed = tuner(arguments).code(2);
    let text = String::from_utf8(failed.get_output().stderr.clone()).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

fn told(folder: &Path) -> String {
    refused(&["report", folder.to_str().unwrap()])
}

fn read(folder: &Path, name: &str) -> Value {
    let bytes = fs::read(folder.join(name)).unwrap();
    let mut values = serde_json::Deserializer::from_slice(&bytes).into_iter();
    values.next().unwrap().unwrap()
}

/// The records of one kind in the ledger of a run.
fn records(folder: &Path, kind: &str) -> Vec<Value> {
    let ledger = fs::read_to_string(folder.join("ledger.jsonl")).unwrap();
    let lines = ledger.lines();
    lines
        .map(|line| serde_json::from_str::<Value>(line).unwrap()[kind].clone())
        .filter(Value::is_object)
        .collect()
}

/// A difference of log score as the page shows it.
fn shown(log: &Value) -> String {
    let gain = 100.0 * log.as_f64().unwrap().exp_m1();
    format!("{gain:+.2}").replace('-', "−")
}

#[test]
fn a_page_has_plots_and_the_numbers_behind_them() {
    let (_parent, folder) = run();
    let page = page(&folder);
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("<h1>Fit “a&lt;b”</h1>"));
    for without in [
        "http:",
        "https:",
        "src=",
        "NaN",
        "inf",
        "url(",
        "http-equiv",
    ] {
        assert!(!page.contains(without), "{without}");
    }
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());

    // What came of it.
    let result = read(&folder, "result.json");
    let verdict = result["verdict"].as_str().unwrap();
    assert!(page.contains(&format!("<strong>{verdict}</strong>")));
    let generations = records(&folder, "generation");
    let played = format!(
        "The search stopped after {} generations and {} games of at most 400: no generation \
         was left within its games.",
        generations.len(),
        result["games"]
    );
    assert!(page.contains(&played), "{played}");

    // A plot for each parameter, with its start and the value that the average came to.
    let parameters = read(&folder, "ledger.jsonl")["axes"].clone();
    let last = &generations.last().unwrap()["average"];
    for (index, parameter) in parameters.as_array().unwrap().iter().enumerate() {
        let name = parameter["name"].as_str().unwrap();
        let start = parameter["start"].as_f64().unwrap();
        let begin = format!("<b>{name}</b> <span class=\"key run0\">{start} → ");
        let at = page.find(&begin).unwrap_or_else(|| panic!("{begin}"));
        let value = page[at + begin.len()..].split('<').next().unwrap();
        let step = parameter["step"].as_f64().unwrap();
        let off = value.parse::<f64>().unwrap() - last[index].as_f64().unwrap();
        assert!(off.abs() <= step / 20.0, "{name} {value}");
    }

    // Challenges and judgements, with their numbers.
    let challenges = records(&folder, "challenge");
    assert!(!challenges.is_empty());
    for challenge in &challenges {
        let won = ["lost", "won"][usize::from(challenge["won"].as_bool().unwrap())];
        let gain = shown(&challenge["gain"]);
        let told = format!(": {won}, {gain} % in {} pairs", challenge["pairs"]);
        assert!(page.contains(&told), "{told}");
    }
    let looks = result["looks"].as_array().unwrap();
    assert_eq!(page.contains("Judgements</h2>"), !looks.is_empty());
    let drawn = page.matches("class=\"interval run0\"").count();
    assert_eq!(drawn, looks.len());
    for look in looks {
        let verdict = look["verdict"].as_str().unwrap();
        assert!(page.contains(verdict), "{verdict}");
    }
}

/// The coordinates of a drawn path, in pixels.
fn points(page: &str, class: &str) -> Vec<(f64, f64)> {
    let begin = format!("<path class=\"{class}\" d=\"M");
    let at = page.find(&begin).unwrap_or_else(|| panic!("{begin}"));
    let path = page[at + begin.len()..].split(['Z', '"']).next().unwrap();
    let point = |point: &str| {
        let (x, y) = point.split_once(' ').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    path.split('L').map(point).collect()
}

#[test]
fn the_band_of_a_short_run_has_a_width() {
    let (_parent, folder) = run();
    cut(&folder, "\"generation\":{\"generation\":4");
    let page = page(&folder);
    let band = points(&page, "band run0");
    // From the second generation on, which has an interval.
    assert_eq!(band.len(), 4, "{band:?}");
    let (lower, upper) = band.split_at(2);
    for (low, high) in lower.iter().zip(upper.iter().rev()) {
        assert!(
            (low.0 - high.0).abs() < 1e-9 && low.1 > high.1 + 5.0,
            "{band:?}"
        );
    }
}

/// Cuts the ledger in the middle of the line that holds this text, as a process at work may leave
/// it for a moment, and takes the outcome away.
fn cut(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("ledger.jsonl");
    let ledger = fs::read_to_string(&path).unwrap();
    let place = ledger.find(text).unwrap() + 20;
    fs::write(&path, &ledger[..place]).unwrap();
    let _ = fs::remove_file(folder.join("result.json"));
    path
}

#[test]
fn a_run_that_has_not_ended_is_shown_as_far_as_it_is() {
    for (count, generations) in [(1, "1 generation"), (3, "3 generations")] {
        let (_parent, folder) = run();
        let next = format!("\"generation\":{{\"generation\":{}", count + 1);
        let ledger = cut(&folder, &next);
        let before = fs::read(&ledger).unwrap();
        let page = page(&folder);
        assert!(page.contains("<strong>The run has not ended"));
        assert!(page.contains(&format!("So far there were {generations} and ")));
        assert!(!page.contains("Judgements</h2>") && !page.contains("NaN"));
        // Reading repairs nothing: that is the business of whoever works on the run.
        assert_eq!(fs::read(&ledger).unwrap(), before);
        // Elsewhere, on demand.
        let out = folder.with_file_name("page.html");
        let (folder, path) = (folder.to_str().unwrap(), out.to_str().unwrap());
        tuner(&["report", folder, "--out", path]).success();
        assert_eq!(fs::read_to_string(out).unwrap(), page);
    }
}

#[test]
fn what_is_no_run_is_told_in_one_line() {
    let (parent, folder) = run();
    assert!(told(parent.path()).contains("expected the folder of a run, found no ledger.jsonl"));
    assert!(told(&parent.path().join("none")).contains("expected the folder of a run"));
    let ledger = folder.join("ledger.jsonl");
    let text = fs::read_to_string(&ledger).unwrap();
    fs::write(&ledger, text.replacen("\"points\":", "\"points\":1", 1)).unwrap();
    let seen = told(&folder);
    assert!(seen.contains("ledger.jsonl: line "), "{seen}");
    fs::write(&ledger, text.lines().next().unwrap().to_string() + "\n").unwrap();
    assert!(told(&folder).contains("no generation is done yet"));
    fs::write(&ledger, b"\xff").unwrap();
    assert!(told(&folder).contains("ledger.jsonl: line 1: expected the head of a run"));
}

#[test]
fn several_runs_are_drawn_over_each_other() {
    let (parent, first) = run();
    let second = parent.path().join("second");
    fit(&second, "--seed 2 --parameters steps,spot");
    let out = parent.path().join("both.html");
    let (a, b) = (first.to_str().unwrap(), second.to_str().unwrap());
    let line = ["report", a, b, "--out", out.to_str().unwrap()];
    tuner(&line).success();
    let page = fs::read_to_string(&out).unwrap();
    assert!(page.contains("<h1>2 fits</h1>"));
    // In the score, and in the plots of the two parameters that both have.
    for (run, plots) in [("run0", 3), ("run1", 3)] {
        let lines = page.matches(&format!("class=\"line {run}\"")).count();
        assert!(lines >= plots, "{run} {lines}");
    }
    let rows = page.lines().filter(|line| line.contains("<th>seed"));
    assert_eq!(rows.collect::<Vec<_>>(), ["<tr><th>seed<td>1<td>2"]);
    assert!(!page.contains("<th>noise<td>"), "it is the same in both");
    assert!(page.contains("<b>steps</b>") && page.contains("<b>potential</b>"));
    for without in ["http:", "https:", "src=", "NaN", "inf", "url("] {
        assert!(!page.contains(without), "{without}");
    }
    // Runs of the same name are told apart, and the same options are told to be so.
    tuner(&["report", a, a, "--out", out.to_str().unwrap()]).success();
    let page = fs::read_to_string(&out).unwrap();
    assert!(page.contains("a&lt;b (1)") && page.contains("a&lt;b (2)"));
    assert!(page.contains("The runs have the same options."));
    assert!(refused(&["report", a, b]).contains("expected --out FILE"));
}

#[test]
fn a_page_is_never_written_onto_the_run() {
    let (parent, folder) = run();
    let shown = folder.to_str().unwrap();
    let names = ["ledger.jsonl", "result.json", "weights.json"];
    let before = names.map(|name| fs::read(folder.join(name)).unwrap());
    for name in names {
        let out = folder.join(name);
        let text = refused(&["report", shown, "--out", out.to_str().unwrap()]);
        assert!(
            text.contains("expected another file for the page"),
            "{text}"
        );
    }
    // By another name, and where a file of the run is not yet.
    #[cfg(unix)]
    {
        let [hard, soft] = ["hard.html", "soft.html"].map(|name| parent.path().join(name));
        fs::hard_link(folder.join("ledger.jsonl"), &hard).unwrap();
        std::os::unix::fs::symlink(folder.join("ledger.jsonl"), &soft).unwrap();
        for out in [hard, soft] {
            let text = refused(&["report", shown, "--out", out.to_str().unwrap()]);
            assert!(
                text.contains("expected another file for the page"),
                "{text}"
            );
        }
    }
    fs::rename(folder.join("result.json"), parent.path().join("kept")).unwrap();
    for name in ["result.json", "weights.json.part"] {
        let out = folder.join(name);
        refused(&["report", shown, "--out", out.to_str().unwrap()]);
        assert!(!out.exists());
    }
    fs::rename(parent.path().join("kept"), folder.join("result.json")).unwrap();
    // Nor onto another of the runs on the page.
    let other = parent.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::copy(folder.join("ledger.jsonl"), other.join("ledger.jsonl")).unwrap();
    let out = folder.join("ledger.jsonl");
    let (other, out) = (other.to_str().unwrap(), out.to_str().unwrap());
    refused(&["report", other, shown, "--out", out]);
    let after = names.map(|name| fs::read(folder.join(name)).unwrap());
    assert_eq!(before, after);
}

#[test]
fn following_ends_with_the_run() {
    let (_parent, folder) = run();
    let shown = folder.to_str().unwrap();
    let once = page(&folder);
    fs::remove_file(folder.join("report.html")).unwrap();
    tuner(&["report", shown, "--follow"]).success();
    let followed = fs::read_to_string(folder.join("report.html")).unwrap();
    assert_eq!(followed, once, "a run that has ended is not loaded anew");
}

/// A run that goes on: the page appears with it, loads itself anew, and is at last that of the end.
#[test]
fn a_run_is_followed_from_before_its_first_generation() {
    use std::process::{Command, Stdio};
    use std::thread::sleep;
    use std::time::Duration;
    let (parent, folder) = run();
    let whole = fs::read_to_string(folder.join("ledger.jsonl")).unwrap();
    let ledger = cut(&folder, "\"game\"");
    let page = parent.path().join("page.html");
    let mut follower = Command::new(env!("CARGO_BIN_EXE_tuner"))
        .args(["report", folder.to_str().unwrap(), "--follow", "--out"])
        .arg(&page)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let fourth = whole.find("\"generation\":{\"generation\":4").unwrap();
    let mut behind = fs::read_to_string(&ledger).unwrap().len();
    // As a run does: a reader never sees less than before.
    let mut go_on = |to: usize| {
        let mut file = fs::File::options().append(true).open(&ledger).unwrap();
        file.write_all(&whole.as_bytes()[behind..to]).unwrap();
        behind = to;
    };
    go_on(fourth);
    while !page.exists() {
        assert!(follower.try_wait().unwrap().is_none(), "it waits");
        sleep(Duration::from_millis(20));
    }
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("<strong>The run has not ended"));
    assert!(text.contains("<meta http-equiv=refresh content=5>"));
    go_on(whole.len());
    assert!(follower.wait().unwrap().success());
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("The search stopped after "));
    assert!(!text.contains("http-equiv"));
}
