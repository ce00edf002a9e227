//! A folder in which a test runs the judge, and the output of a command.

use assert_cmd::cargo::{cargo_bin, cargo_bin_cmd};
pub(crate) use columns_generator::SAMPLE;
use columns_test_support::with_default_signals;
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};
use tempfile::TempDir;

/// The statement's sample plan: 141 points.
pub(crate) const SAMPLE_PLAN: &str = "11\n1 0\n2 0\n3 0\n3 0\n4 0\n5 0\n6 0\n6 0\n1 0\n2 0\n3 0\n";

/// The output of a `judge` command, and its exit status: -1 if a signal ended the judge.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) status: i32,
    pub(crate) out: String,
    /// Standard error, without the line in `advice`.
    pub(crate) err: String,
    /// The line of standard error that asks the user to name the bot's files; empty if there is none. The
    /// judge prints it if only the executable is known, as for `sh -c CODE`.
    pub(crate) advice: String,
}

/// Splits standard error into the advice and the other lines: see [`Output::advice`].
pub(crate) fn split_advice(err: &str) -> [String; 2] {
    let lines = err.split_inclusive('\n');
    let (advice, other): (Vec<&str>, Vec<&str>) =
        lines.partition(|line| line.contains(" is the only known file of this bot; "));
    [advice, other].map(|lines| lines.concat())
}

impl Output {
    pub(crate) fn new(process: &std::process::Output) -> Self {
        let [out, err] =
            [&process.stdout, &process.stderr].map(|text| String::from_utf8_lossy(text));
        let [advice, err] = split_advice(&err);
        Self {
            status: process.status.code().unwrap_or(-1),
            out: out.into(),
            err,
            advice,
        }
    }

    /// Asserts that the command rejected its input: status 2, nothing on standard output, and one line on
    /// standard error that contains all of `parts`.
    #[track_caller]
    pub(crate) fn assert_refused(&self, parts: &[&str]) {
        assert_eq!(self.status, 2, "{self:?}");
        assert_eq!(self.out, "", "{self:?}");
        self.assert_error(parts);
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap()
    }

    /// Asserts that standard output contains all of `parts`.
    #[track_caller]
    pub(crate) fn assert_shows(&self, parts: &[&str]) {
        for part in parts {
            assert!(self.out.contains(part), "{part:?} is not in {self:?}");
        }
    }

    /// Asserts that standard error is one line that begins with `judge: ` and contains all of `parts`.
    #[track_caller]
    pub(crate) fn assert_error(&self, parts: &[&str]) {
        assert_eq!(self.err.lines().count(), 1, "{self:?}");
        assert!(self.err.starts_with("judge: "), "{self:?}");
        for part in parts {
            assert!(self.err.contains(part), "{part:?} is not in {self:?}");
        }
    }
}

/// A temporary folder, removed on drop.
pub(crate) struct TempFolder {
    folder: TempDir,
}

impl TempFolder {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file, and creates its parent folders if necessary.
    pub(crate) fn put(&self, name: &str, contents: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Writes an executable shell script; `text` has no `#!` line.
    pub(crate) fn put_script(&self, name: &str, text: &str) {
        self.put(name, format!("#!/bin/sh\n{text}\n"));
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(self.path(name), executable).unwrap();
    }

    /// Returns the last run: its head, summary and rows.
    #[track_caller]
    pub(crate) fn last_run(&self) -> Value {
        let output = self.judge(&["show", "--json"]);
        assert_eq!(output.status, 0, "{output:?}");
        output.json()
    }

    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let listing = fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<String> = listing
            .map(|item| item.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Runs `judge` in this folder with empty standard input.
    pub(crate) fn judge(&self, args: &[&str]) -> Output {
        self.judge_with(args, "")
    }

    /// Starts `judge` in this folder, and discards its output.
    pub(crate) fn start(&self, args: &[&str]) -> Child {
        let mut judge = with_default_signals(cargo_bin!("judge"));
        judge.args(args).current_dir(self.folder.path());
        judge.stdout(Stdio::null()).stderr(Stdio::null());
        judge.spawn().unwrap()
    }

    /// Runs `judge` in this folder with `input` on standard input.
    pub(crate) fn judge_with(&self, args: &[&str], input: impl Into<Vec<u8>>) -> Output {
        let process = cargo_bin_cmd!("judge")
            .current_dir(self.folder.path())
            .args(args)
            .write_stdin(input)
            .output()
            .unwrap();
        Output::new(&process)
    }
}

/// Polls `condition` until it holds, for at most 60 seconds.
#[track_caller]
pub(crate) fn wait_until(condition: impl Fn() -> bool) {
    let clock = Instant::now();
    while !condition() {
        assert!(clock.elapsed() < Duration::from_secs(60), "waited too long");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Returns bytes that are not valid UTF-8.
pub(crate) fn noise() -> Vec<u8> {
    (0..=255)
        .chain((0..=255).rev())
        .cycle()
        .take(4096)
        .collect()
}
