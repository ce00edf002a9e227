//! Runs the command `tuner` as a user does. The modules `engine` and `golden` run its library: `engine` with
//! invented games, `golden` with one fit whose games must never change.

// On Windows, which has no signals, some helpers are unused.
#![cfg_attr(not(unix), allow(unused))]

mod check;
mod compare;
mod engine;
mod export;
mod fit;
mod golden;
mod learn;
mod mistakes;
#[cfg(feature = "nats")]
mod nats;
mod network;
mod optuna;
mod parameters;
mod report;
mod sample;

use check::{assert_contains, refusal, stderr, stdout};
use columns_test_support::with_default_signals;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn tuner<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let mut command = with_default_signals(env!("CARGO_BIN_EXE_tuner"));
    command.args(args);
    command
}

/// Runs `tuner` with the arguments in `line`, separated by spaces.
fn run(line: &str) -> Output {
    tuner(line.split_whitespace()).output().unwrap()
}

/// Asserts that a command succeeded, and returns its standard output.
fn success(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    stdout(output)
}

/// Starts a command with pipes for its output.
fn start(mut command: Command) -> Child {
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    piped.spawn().unwrap()
}

/// Waits until a file has at least this length, in bytes.
fn wait_for(path: impl AsRef<Path>, length: usize) {
    let start = Instant::now();
    while fs::metadata(&path).map_or(0, |file| file.len()) < length as u64 {
        assert!(start.elapsed() < Duration::from_secs(60), "the file grows");
        sleep(Duration::from_millis(2));
    }
}

/// Interrupts a process as Ctrl-C does, and asserts that it exits with status 130. Returns its output and the
/// last line of standard error.
fn interrupt(child: Child) -> (Output, String) {
    columns_test_support::kill("INT", child.id());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let last = stderr(&output).lines().last().unwrap().to_string();
    (output, last)
}

fn json(path: impl AsRef<Path>) -> serde_json::Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Runs the commands of a table, whose lines are `arguments | text`. Asserts that each command fails with a
/// message that contains the text. In the arguments, `@` stands for `path`.
fn assert_all_refused(path: &str, table: &str) {
    for row in table.trim().lines() {
        let (line, expected) = row.trim().split_once(" | ").expect(row);
        let message = refusal(&run(&line.replace('@', path)));
        assert!(message.contains(expected), "{line}: {message}");
    }
}

struct TempFolder(TempDir);

impl TempFolder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Returns the path of a file in the folder. The file need not exist.
    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.path().join(name)).unwrap()
    }
}

/// The arguments of the fit that [`fitted_run`] copies.
const FIT_ARGS: &str = "fit --parameters potential,steps --games 500 --pairs 10 --learning-rate 2 \
    --work 2 --columns 60";

/// Copies a finished fit of two parameters into the folder `name`, and returns the path of the copy. The
/// weights at the start are so bad that the fit always finds a better player. All tests share the original
/// fit.
fn fitted_run(temp: &TempFolder, name: &str) -> String {
    static RUN: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = shared_folder("fitted");
        let (start, out) = (folder.join("start"), folder.join("a run"));
        write(&start, "{\"potential\": 0}");
        let mut fit = tuner(FIT_ARGS.split_whitespace());
        let fit = fit.arg("--weights").arg(start).arg("--out").arg(&out);
        let stdout = success(&fit.output().unwrap());
        let quoted = format!("tuner export '{}'\n", out.display());
        assert_contains(&stdout, quoted);
        assert_contains(&stdout, "The best is better than the start: +");
        out
    });
    let folder = temp.path(name);
    copy(&RUN, folder.as_ref());
    folder
}

/// Creates an empty folder that several tests share, and that remains after the tests.
fn shared_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder).unwrap();
    folder
}

/// Copies the files of a folder into a new folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
}

#[cfg(not(feature = "nats"))]
#[test]
fn runs_over_nats_need_the_feature() {
    use columns_test_support::{Requirement, report_untested};
    let why = "the feature `nats` is off: cargo test --all-features";
    report_untested(
        Requirement::Nats,
        "runs over NATS, tuner/tests/commands/nats.rs",
        why,
    );
}
