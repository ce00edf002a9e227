//! The command `generator`: what it prints, which files it writes, and how it fails.

use assert_cmd::Command;
use columns_generator::{Profile, SAMPLE};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn generator(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_generator"));
    command.args(args);
    command
}

/// Runs the command, asserts that it succeeds without messages, and returns its standard output.
fn output(args: &[&str]) -> String {
    let output = generator(args).output().unwrap();
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success() && messages.is_empty(),
        "{args:?}: {messages}"
    );
    String::from_utf8(output.stdout).unwrap()
}

fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn path(dir: &TempDir, name: &str) -> String {
    dir.path().join(name).to_str().unwrap().to_string()
}

#[test]
fn seed_1_prints_the_sample_byte_for_byte() {
    assert_eq!(
        output(&["1"]),
        "6 13\n11\naba\nbba\nbbb\naab\nbac\ncac\n***\nccb\ncda\naad\ndbc\n"
    );
    assert_eq!(output(&["--seeds", "1"]), SAMPLE);
    assert_eq!(output(&["--seeds", "1..2", "--profile", "default"]), SAMPLE);
    assert_ne!(output(&["1", "--width", "6"]), SAMPLE);
}

#[test]
fn files_are_named_by_seed_and_contain_the_printed_case() {
    let dir = TempDir::new().unwrap();
    let out = path(&dir, "new/in");
    let args = ["--seeds", "9998..=10001", "--profile", "short", "--out"];
    assert_eq!(output(&[&args[..], &[&out]].concat()), "");
    assert_eq!(
        names(Path::new(&out)),
        ["10000.txt", "10001.txt", "9998.txt", "9999.txt"]
    );
    for seed in 9_998..=10_001 {
        let text = fs::read_to_string(format!("{out}/{seed}.txt")).unwrap();
        assert_eq!(text, output(&[&seed.to_string(), "--profile", "short"]));
    }
}

#[test]
fn seeds_can_be_read_from_a_file() {
    let dir = TempDir::new().unwrap();
    let (seeds, out) = (path(&dir, "seeds.txt"), path(&dir, "in"));
    fs::write(&seeds, "# the slow ones\n7\r\n\n3..5 # two of them\n").unwrap();
    output(&["--seeds-file", &seeds, "--out", &out]);
    assert_eq!(names(Path::new(&out)), ["0003.txt", "0004.txt", "0007.txt"]);
}

#[test]
fn no_case_of_another_source_is_replaced() {
    let dir = TempDir::new().unwrap();
    let folder = dir.path().to_str().unwrap();
    let foreign = "6 13 1 abc";
    fs::write(path(&dir, "0003.txt"), foreign).unwrap();
    // The command accepts its own files, so that it can be run again if it was interrupted.
    for (seeds, others) in [
        ("4..=8", "1 other file stays"),
        ("5..=8", "2 other files stay"),
    ] {
        let again = generator(&["--seeds", seeds, "--out", folder]).output();
        let again = again.unwrap();
        assert_eq!(again.status.code(), Some(0));
        let message = String::from_utf8(again.stderr).unwrap();
        assert_eq!(message, format!("generator: {folder}: {others} there\n"));
    }
    // Another generator wrote the file of seed 3. This generator wrote that of seed 4, with other options.
    for (seeds, name) in [("2..=3", "0003.txt"), ("4", "0004.txt")] {
        let refused = generator(&["--seeds", seeds, "--columns", "50", "--out", folder]).output();
        let refused = refused.unwrap();
        assert_eq!(refused.status.code(), Some(2));
        let message = String::from_utf8(refused.stderr).unwrap();
        let expected = format!("generator: {folder}/{name}: holds another case");
        assert!(message.starts_with(&expected), "{message}");
    }
    assert_eq!(fs::read_to_string(path(&dir, "0003.txt")).unwrap(), foreign);
    let all = [3, 4, 5, 6, 7, 8].map(|seed| format!("000{seed}.txt"));
    assert_eq!(names(dir.path()), all);
}

#[cfg(unix)]
#[test]
fn files_have_the_usual_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let dir = TempDir::new().unwrap();
    fs::write(path(&dir, "usual"), "").unwrap();
    output(&["1", "--out", &path(&dir, "in")]);
    let mode = |name| fs::metadata(path(&dir, name)).unwrap().permissions().mode();
    assert_eq!(mode("in/0001.txt"), mode("usual"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_but_a_closed_pipe_is_not() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let spawn = |stdout: Stdio| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_generator"));
        command.args(["--seeds-file", "/dev/stdin"]);
        command.stdin(Stdio::piped()).stdout(stdout);
        command.stderr(Stdio::piped()).spawn().unwrap()
    };
    let full = fs::OpenOptions::new().write(true).open("/dev/full");
    let full = spawn(full.unwrap().into());
    let mut closed = spawn(Stdio::piped());
    drop(closed.stdout.take());
    let [full, closed] = [full, closed].map(|mut child| {
        // The command waits for its seed, so it prints the case after the test has closed the pipe.
        child.stdin.take().unwrap().write_all(b"2\n").unwrap();
        let output = child.wait_with_output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    });
    assert!(
        full.1.starts_with("generator: standard output: "),
        "{full:?}"
    );
    assert_eq!((full.0, full.1.lines().count()), (Some(2), 1));
    assert_eq!(closed, (Some(0), String::new()));
}

#[test]
fn all_profiles_are_listed() {
    let list = output(&["--profiles"]);
    let lines: Vec<&str> = list.lines().collect();
    assert_eq!(lines.len(), Profile::ALL.len());
    for (line, profile) in lines.iter().zip(Profile::ALL) {
        assert!(line.starts_with(&format!("{profile} ")), "{line}");
        assert!(line.ends_with(profile.description()), "{line}");
    }
}
