//! `tuner export`: from a bad start over a fit into the source of the bot.

use crate::{good, put, refused, tuner};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;
use tempfile::TempDir;

const SOURCE: &str = include_str!("../../../bot/src/eval/weights.rs");

/// A workspace with nothing but the table.
fn workspace(folder: &Path) {
    fs::create_dir_all(folder.join("bot/src/eval")).unwrap();
    put(&folder.join("bot/src/eval/weights.rs"), SOURCE);
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
    let source = root.join("bot/src/eval/weights.rs");

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
    assert_eq!(
        text.matches("// Values of the run `a-night` (tuner fit): ")
            .count(),
        1
    );
    let comment: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("// "))
        .collect();
    let comment = comment.join(" ").replace(" // ", " ");
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
    assert!(again.contains("these weights are there already"), "{again}");
    assert_eq!(fs::read_to_string(&source).unwrap(), text);
}

#[test]
fn what_cannot_be_exported_is_refused_and_nothing_written() {
    let folder = tempfile::tempdir().unwrap();
    let (run, root) = (folder.path().join("run"), folder.path().join("root"));
    workspace(&root);
    fitted(&run);
    let source = root.join("bot/src/eval/weights.rs");
    let refuse = |expected: &str, configure: &dyn Fn(&mut Command)| {
        let before = fs::read(&source).unwrap_or_default();
        let told = refused(&export(&run, |command| {
            command.arg("--workspace").arg(&root);
            configure(command);
        }));
        assert!(told.contains(expected), "{told}");
        assert_eq!(fs::read(&source).unwrap_or_default(), before);
        assert!(!root.join("bot/weights").join("run.json").exists());
    };

    refuse("expected a name of letters, digits, - and _", &|command| {
        command.args(["--name", "../x"]);
    });
    put(&source, &SOURCE.replace("    spot: 1", "    sport: 1"));
    refuse("bot/src/eval/weights.rs: line ", &|_| {});
    put(&source, "");
    refuse(
        "expected a line \"const START: Weights = Weights {\", found none",
        &|_| {},
    );
    fs::remove_file(&source).unwrap();
    refuse("bot/src/eval/weights.rs: cannot be read", &|_| {});
    put(&source, SOURCE);

    // What is in the copies of the result does not matter.
    let weights = run.join("weights.json");
    let text = fs::read_to_string(&weights).unwrap();
    let known = text.split("\"potential\": ").nth(1).unwrap();
    let known = known.split([',', '\n', '}']).next().unwrap();
    put(&weights, &text.replace(known, "0.123"));
    fs::remove_file(run.join("result.json")).unwrap();
    let told = good(&export(&run, |command| {
        command.arg("--workspace").arg(&root);
    }));
    assert!(told.contains("cargo xtask bench --write"), "{told}");
    let text = fs::read_to_string(&source).unwrap();
    assert!(
        text.contains(&format!("    potential: {known},")),
        "{known}"
    );

    // A run without its verdict.
    let ledger = run.join("ledger.jsonl");
    let text = fs::read_to_string(&ledger).unwrap();
    let stop = text.find("\"stop\"").unwrap();
    put(&ledger, &text[..stop]);
    let told = refused(&export(&run, |_| {}));
    assert!(
        told.contains("the run has no result yet; go on with it: tuner resume "),
        "{told}"
    );
    fs::remove_file(&ledger).unwrap();
    let told = refused(&export(&run, |_| {}));
    assert!(told.contains("found no ledger.jsonl in it"), "{told}");
}
