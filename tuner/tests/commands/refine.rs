//! `tuner refine`.

use super::{good, put, refused, run, stderr, tuner};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Generations of a moment.
const SMALL: &str = "refine --pairs 6 --columns 30 --work 1.8";

/// A refinement in a file of its own.
struct Refinement {
    folder: tempfile::TempDir,
}

impl Refinement {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn line(&self, name: &str, options: &str) -> String {
        let pairs = if options.contains("--most-pairs") {
            ""
        } else {
            "--most-pairs 20"
        };
        format!("{SMALL} {options} {pairs} --out {}", self.path(name))
    }

    /// What it tells, and how many generations it has played.
    fn told(&self, name: &str, options: &str) -> (String, usize) {
        let done = run(&self.line(name, options));
        (good(&done), stderr(&done).lines().count())
    }

    fn refused(&self, name: &str, options: &str) -> String {
        refused(&run(&self.line(name, options)))
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The first line, the network.
    fn network(&self, name: &str) -> String {
        self.text(name).lines().next().unwrap().into()
    }

    /// The second line.
    fn state(&self, name: &str) -> Value {
        serde_json::from_str(self.text(name).lines().nth(1).unwrap()).unwrap()
    }
}

#[test]
fn a_network_is_refined_by_playing() {
    let all = Refinement::new();
    let (told, lines) = all.told("a", "--generations 3 --jobs 1");
    assert_eq!(lines, 3);
    let [seeds, verdict] = told.lines().collect::<Vec<_>>()[..] else {
        panic!("{told}");
    };
    assert!(seeds.starts_with("Held-out seeds ") && seeds.ends_with(", 1.8 ms of work a game."));
    assert!(verdict.starts_with("The result "), "{told}");
    assert!(
        verdict.ends_with("; judgement 1, 20 pairs of games)."),
        "{told}"
    );
    let eval = "eval --seeds 2..=9 --columns 60 --work 15 --json";
    let with = good(&run(&format!("{eval} --network {}", all.path("a"))));
    assert_ne!(with, good(&run(eval)));

    // The same once more is told again, and nothing is played.
    let before = all.text("a");
    assert_eq!(all.told("a", "--generations 2"), (told.clone(), 0));
    assert_eq!(all.text("a"), before);
    // More pairs go on with the same look.
    let (more, _) = all.told("a", "--generations 3 --most-pairs 25 --jobs 2");
    assert!(more.contains("judgement 1, 25 pairs of games"), "{more}");
    assert_eq!(all.told("a", "--generations 3").0, more);

    // It goes on where it stopped, and judges the new result on other seeds.
    assert_eq!(all.told("b", "--generations 1 --jobs 2").1, 1);
    let (resumed, lines) = all.told("b", "--generations 3 --jobs 2");
    assert_eq!(lines, 2);
    assert_eq!(all.network("b"), all.network("a"));
    assert!(resumed.contains("(98.33 % sure: "), "{resumed}");
    assert!(resumed.contains("judgement 2, 20 pairs"), "{resumed}");
    assert_ne!(resumed.lines().next(), Some(seeds));
    assert_eq!(all.told("b", "--generations 3"), (resumed, 0));

    // Another seed is another search.
    all.told("c", "--generations 3 --seed 2");
    assert_ne!(all.network("c"), all.network("a"));
}

#[test]
fn mistakes_in_a_refinement_are_told_before_it_begins() {
    let all = Refinement::new();
    all.told("a", "--generations 1");
    let whole = all.text("a");
    for (options, expected) in [
        (
            "--rate 10",
            "a: --rate: expected 80 as the file was made with, found 10",
        ),
        (
            "--seed 7",
            "a: --seed: expected 1 as the file was made with, found 7",
        ),
        ("--columns 31", "--columns: expected 30"),
        ("--network none", "expected a network to refine"),
        ("--noise 0", "expected a number above 0"),
        (
            "--generations 4000000000",
            "expected at most 1000000000 pairs",
        ),
    ] {
        // An option that is given twice is a mistake of its own.
        let line = all.line("a", options);
        let line = match options.split_once(' ') {
            Some(("--columns", _)) => line.replacen("--columns 30 ", "", 1),
            _ => line,
        };
        let told = refused(&run(&line));
        assert!(told.contains(expected), "{told}");
        assert_eq!(all.text("a"), whole);
    }
    // The file is not the start of its own search.
    let told = all.refused("a", &format!("--network {}", all.path("a")));
    assert!(told.contains("does not use otherwise"), "{told}");
    // Games so short that no layer is looked at.
    let out = all.path("short");
    let told = refused(&run(&format!(
        "refine --pairs 6 --columns 10 --work 1.8 --out {out}"
    )));
    assert!(
        told.contains("the network changes nothing in these cases"),
        "{told}"
    );
    assert!(!Path::new(&out).exists());
    // Any changed byte.
    put(Path::new(&all.path("noise")), "noise");
    let told = all.refused("noise", "");
    assert!(
        told.contains("expected the network of a `tuner refine`"),
        "{told}"
    );
    for at in [0, 1, 500, whole.len() - 300, whole.len() - 2] {
        let mut bytes = whole.clone().into_bytes();
        bytes[at] = if bytes[at] == b'1' { b'2' } else { b'1' };
        fs::write(all.path("damaged"), &bytes).unwrap();
        let told = all.refused("damaged", "--generations 1");
        let line = if at > 500 { "line 2" } else { "line 1" };
        assert!(told.contains(line), "{told}");
        assert_eq!(fs::read(all.path("damaged")).unwrap(), bytes);
    }
}

#[test]
fn a_killed_refinement_comes_to_the_same_bytes_and_only_one_process_works_on_it() {
    let all = Refinement::new();
    let line = all.line("a", "--generations 100000");
    let mut child = tuner(line.split_whitespace())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while !Path::new(&all.path("a")).exists() {
        assert!(
            begun.elapsed() < Duration::from_mins(1),
            "a generation ends"
        );
        sleep(Duration::from_millis(5));
    }
    let told = all.refused("a", "");
    assert!(
        told.contains("another process is working on this refinement"),
        "{told}"
    );
    child.kill().unwrap();
    child.wait().unwrap();
    let (told, lines) = all.told("a", "--generations 1");
    assert_eq!(lines, 0);
    let generations = &all.state("a")["search"]["generation"];
    let whole = all.told("b", &format!("--generations {generations} --jobs 1"));
    assert_eq!(told, whole.0);
    assert_eq!(all.text("a"), all.text("b"));
}

#[test]
fn what_was_not_shown_to_be_better_is_not_exported() {
    let all = Refinement::new();
    let workspace = all.path("workspace");
    let source = Path::new(&workspace).join("bot/src/learned/trained.rs");
    fs::create_dir_all(source.parent().unwrap()).unwrap();
    put(&source, "//! before\n");
    let options = format!("--generations 1 --export --workspace {workspace}");
    let done = run(&all.line("a", &options));
    assert_eq!(done.status.code(), Some(2), "{done:?}");
    assert!(stderr(&done).contains("only a network that was shown to be better"));
    assert!(String::from_utf8_lossy(&done.stdout).contains("was not shown to be better"));
    assert_eq!(fs::read_to_string(&source).unwrap(), "//! before\n");
    // No source at all is noticed before anything is played.
    let told = all.refused("b", "--export --workspace /none");
    assert!(told.contains("trained.rs"), "{told}");
}

/// A full disk behind standard error, and nobody who reads standard output.
#[cfg(target_os = "linux")]
#[test]
fn nobody_has_to_listen() {
    let all = Refinement::new();
    let line = all.line("a", "--generations 2");
    let program = env!("CARGO_BIN_EXE_tuner");
    let shell = format!("set -o pipefail; {program} {line} 2>/dev/full | true");
    let done = Command::new("bash").args(["-c", &shell]).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    let (told, lines) = all.told("a", "--generations 2");
    assert!(
        told.contains("judgement 1, 20 pairs") && lines == 0,
        "{told}"
    );
}
