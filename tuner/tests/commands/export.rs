//! `tuner export`: from a bad start over a fit into the source of the bot.

use crate::{good, put, refused, tuner};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;
use tempfile::TempDir;

const SOURCE: &str = include_str!("../../../bot/src/eval/tuned.rs");

/// A workspace with nothing but the weights.
fn workspace(folder: &Path) {
    fs::create_dir_all(folder.join("bot/src/eval")).unwrap();
    put(&folder.join("bot/src/eval/tuned.rs"), SOURCE);
}

/// A run to export, made once for all tests.
fn fitted(run: &Path) {
    static FITTED: OnceLock<TempDir> = OnceLock::new();
    let made = FITTED.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        fit(&folder.path().join("run"));
        folder
    });
    fs::create_dir(run).unwrap();
    for file in fs::read_dir(made.path().join("run")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), run.join(file.file_name())).unwrap();
    }
}

/// A fit of one parameter from a bad start, which is certain to find something better.
fn fit(run: &Path) {
    let mut weights = columns_bot::eval::weights::Weights::default();
    weights.set("potential", 0.0).unwrap();
    let start = run.with_extension("json");
    put(&start, &columns_bot::weights_file::format(&weights));
    let line = "fit --parameters potential --games 1500 --pairs 20 --work 7 --columns 80";
    let output = tuner(line.split_whitespace())
        .arg("--weights")
        .arg(&start)
        .arg("--out")
        .arg(run)
        .output()
        .unwrap();
    let told = good(&output);
    assert!(
        told.contains("The result is better than the start: +"),
        "{told}"
    );
}

fn export(run: &Path, configure: impl FnOnce(&mut Command)) -> Output {
    let mut command = tuner(["export"]);
    command.arg(run);
    configure(&mut command);
    command.output().unwrap()
}

#[test]
fn better_weights_go_into_the_bot() {
    let folder = tempfile::tempdir().unwrap();
    let (run, root) = (folder.path().join("a-night"), folder.path().join("root"));
    workspace(&root);
    fitted(&run);
    let source = root.join("bot/src/eval/tuned.rs");

    let told = good(&export(&run, |command| {
        command.current_dir(root.join("bot/src"));
    }));
    assert!(told.contains("cargo xtask bench --write"), "{told}");
    let copy = fs::read_to_string(root.join("bot/weights/a-night.json")).unwrap();
    assert_eq!(copy, fs::read_to_string(run.join("weights.json")).unwrap());
    let text = fs::read_to_string(&source).unwrap();
    let weights = columns_bot::weights_file::parse(&copy).unwrap();
    let line = format!("    potential: {:?},", weights.potential);
    assert!(text.lines().any(|other| other == line), "{text}");
    let comment: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .collect();
    let comment = comment.concat();
    assert!(comment.contains(" `a-night` (tuner fit): "), "{comment}");
    for part in [
        "games with --profile default --columns 80 and 7 ms of work each",
        "objective: log; fitted: potential.",
        "On the held-out seeds ",
        "The result is better than the start: +",
    ] {
        assert!(comment.contains(part), "{comment}");
    }

    // Twice is once.
    let again = good(&export(&run, |command| {
        command.arg("--workspace").arg(&root);
    }));
    assert!(again.contains("this is there already"), "{again}");
    assert_eq!(fs::read_to_string(&source).unwrap(), text);
}

/// The ledger says what the run found; the copies beside it are nobody's proof.
#[test]
fn edited_copies_are_not_believed() {
    let folder = tempfile::tempdir().unwrap();
    let (run, root) = (folder.path().join("run"), folder.path().join("root"));
    workspace(&root);
    fitted(&run);
    let found = fs::read_to_string(run.join("weights.json")).unwrap();
    let found = columns_bot::weights_file::parse(&found).unwrap();
    let mut edited = found.clone();
    edited.set("potential", 0.123).unwrap();
    put(
        &run.join("weights.json"),
        &columns_bot::weights_file::format(&edited),
    );
    fs::remove_file(run.join("result.json")).unwrap();
    good(&export(&run, |command| {
        command.arg("--workspace").arg(&root);
    }));
    let text = fs::read_to_string(root.join("bot/src/eval/tuned.rs")).unwrap();
    assert!(!text.contains("0.123"), "{text}");
    let line = format!("    potential: {:?},\n", found.potential);
    assert!(text.contains(&line), "{text}");
}

#[test]
fn what_cannot_be_exported_is_refused_and_nothing_written() {
    let folder = tempfile::tempdir().unwrap();
    let (run, root) = (folder.path().join("run"), folder.path().join("root"));
    workspace(&root);
    fitted(&run);
    let source = root.join("bot/src/eval/tuned.rs");
    let refuse = |run: &Path, expected: &str, more: &[&str]| {
        let told = refused(&export(run, |command| {
            command.arg("--workspace").arg(&root).args(more);
        }));
        assert!(told.contains(expected), "{told}");
        assert_eq!(fs::read_to_string(&source).unwrap(), SOURCE);
        assert!(!root.join("bot/weights/run.json").exists());
    };
    refuse(
        &run,
        "expected a name of letters, digits, - and _",
        &["--name", "../x"],
    );
    refuse(
        &run.join("weights.json"),
        "weights.json: expected the folder of a run",
        &[],
    );
    refuse(
        &root,
        "root: expected the folder of a run, found no ledger.jsonl in it",
        &[],
    );

    // A run that has found nothing yet, and a ledger that was changed.
    let ledger = run.join("ledger.jsonl");
    let text = fs::read_to_string(&ledger).unwrap();
    let lines: Vec<&str> = text.lines().take(50).collect();
    put(&ledger, &(lines.join("\n") + "\n"));
    let expected = "the run has no result yet; go on with it: tuner resume ";
    refuse(&run, expected, &[]);
    put(&ledger, &text.replacen("\"points\":", "\"points\":1", 1));
    refuse(&run, "ledger.jsonl: line ", &[]);
}
