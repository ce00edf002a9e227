//! The command as a user runs it.

#![cfg(feature = "cli")]

use assert_cmd::Command;
use columns_core::rules::case::Case;
use columns_generator::{generate, Profile, Spec, SAMPLE};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn generator(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_generator"));
    command.args(args);
    command
}

/// What it prints; it must end well and silently.
fn printed(args: &[&str]) -> String {
    let output = generator(args).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success() && told.is_empty(),
        "{args:?}: {told}"
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The one line on standard error with which it refuses; it must print nothing
/// and end with status 2.
fn refused(mut command: Command) -> String {
    let output = command.output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{command:?}: {told}");
    assert!(output.stdout.is_empty(), "{command:?}");
    assert_eq!(told.matches('\n').count(), 1, "{command:?}: {told:?}");
    let line = told.strip_suffix('\n').unwrap();
    line.strip_prefix("generator: ").unwrap().to_string()
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
        printed(&["1"]),
        "6 13\n11\naba\nbba\nbbb\naab\nbac\ncac\n***\nccb\ncda\naad\ndbc\n"
    );
    assert_eq!(printed(&["--seeds", "1"]), SAMPLE);
    assert_eq!(
        printed(&["--seeds", "1..2", "--profile", "default"]),
        SAMPLE
    );
    assert_ne!(printed(&["1", "--width", "6"]), SAMPLE);
}

#[test]
fn one_seed_is_printed_as_the_library_gives_it() {
    for seed in [0, 2, u64::MAX] {
        let expected = generate(seed, &Spec::default()).to_string();
        assert_eq!(printed(&[&seed.to_string()]), expected);
    }
    for profile in Profile::ALL {
        let expected = generate(77, &Spec::new(profile)).to_string();
        assert_eq!(printed(&["77", "--profile", profile.name()]), expected);
    }
}

#[test]
fn options_override_the_profile() {
    let options =
        "5 --width 9 --height 16 --columns 1000 --colours 5 --palette fixed --magic-rate 0";
    let text = printed(&options.split(' ').collect::<Vec<_>>());
    let case: Case = text.parse().unwrap();
    assert!(text.starts_with("9 16\n1000\n"));
    assert_eq!(case.palette().len(), 5);
    assert!(!text.contains('*'));
    let all_magic = printed(&["5", "--magic-rate", "1", "--columns", "3"]);
    assert!(all_magic.ends_with("\n3\n***\n***\n***\n"), "{all_magic}");
}

#[test]
fn files_are_named_by_seed_and_hold_what_is_printed() {
    let dir = TempDir::new().unwrap();
    let out = path(&dir, "new/in");
    let args = ["--seeds", "9998..=10001", "--profile", "short", "--out"];
    assert_eq!(printed(&[&args[..], &[&out]].concat()), "");
    assert_eq!(
        names(Path::new(&out)),
        ["10000.txt", "10001.txt", "9998.txt", "9999.txt"]
    );
    for seed in 9_998..=10_001 {
        let written = fs::read_to_string(format!("{out}/{seed}.txt")).unwrap();
        assert_eq!(written, printed(&[&seed.to_string(), "--profile", "short"]));
    }
}

#[test]
fn seeds_come_from_a_file() {
    let dir = TempDir::new().unwrap();
    let (seeds, out) = (path(&dir, "seeds.txt"), path(&dir, "in"));
    fs::write(&seeds, "# the slow ones\n7\r\n\n3..5 # two of them\n").unwrap();
    printed(&["--seeds-file", &seeds, "--out", &out]);
    assert_eq!(names(Path::new(&out)), ["0003.txt", "0004.txt", "0007.txt"]);
}

#[test]
fn existing_files_are_replaced_in_one_step() {
    let dir = TempDir::new().unwrap();
    let (file, link) = (path(&dir, "0001.txt"), path(&dir, "link"));
    fs::write(&file, "old").unwrap();
    // Written in place, the old file would change under its other name too.
    fs::hard_link(&file, &link).unwrap();
    printed(&["1", "--out", dir.path().to_str().unwrap()]);
    assert_eq!(fs::read_to_string(&file).unwrap(), SAMPLE);
    assert_eq!(fs::read_to_string(&link).unwrap(), "old");
    assert_eq!(names(dir.path()), ["0001.txt", "link"]);
}

#[cfg(unix)]
#[test]
fn files_have_the_usual_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let dir = TempDir::new().unwrap();
    fs::write(path(&dir, "usual"), "").unwrap();
    printed(&["1", "--out", dir.path().to_str().unwrap()]);
    let mode = |name| fs::metadata(path(&dir, name)).unwrap().permissions().mode();
    assert_eq!(mode("0001.txt"), mode("usual"));
}

/// Calls, and what they are told.
const WRONG: &str = "
x | N
 | N
-1 | N
1.5 | N
18446744073709551616 | N
1 2 | unexpected argument '2' found
1 --seeds 2 | cannot be used with
1 --frobnicate | unexpected argument '--frobnicate' found
--seeds 5..5 | expected a range that is not empty
--seeds 9..=2 | expected a range that goes up
--seeds a..b | expected a seed before ..
--seeds 1..=99999999999999999999 | expected a seed after ..
--seeds 2..=4 | expected --out DIR for 3 seeds
--seeds 0..=18446744073709551615 | at most 1000000 seeds, found 18446744073709551616
--profiles --seeds 1 | '--profiles' cannot be used
1 --width 5 | '--width <STACKS>': the width must be a whole number from 6 to 12
1 --width -6 | must be a whole number from 6 to 12
1 --width 99999999999999999999999 | must be a whole number from 6 to 12
1 --height 20 | must be a whole number from 13 to 19
1 --columns 0 | must be a whole number from 1 to 10000
1 --columns 10001 | must be a whole number from 1 to 10000
1 --colours 27 | must be a whole number from 1 to 26
1 --colours many | must be a whole number from 1 to 26
1 --magic-rate 1.01 | must be a number from 0 to 1
1 --magic-rate NaN | must be a number from 0 to 1
1 --magic-rate -0.5 | must be a number from 0 to 1
1 --palette round | [possible values: fixed, growing]
1 --profile Long | [possible values: default, constant, growing,
1 --width | a value is required for '--width <STACKS>'
1\t2\u{7}\u{1b}[31m | N
";

#[test]
fn wrong_options_are_refused_in_one_line() {
    let number = "expected a whole number from 0 to 18446744073709551615";
    for (call, told) in WRONG.lines().filter_map(|line| line.split_once(" | ")) {
        let args: Vec<&str> = call.split(' ').collect();
        let line = refused(generator(&args));
        let told = if told == "N" { number } else { told };
        assert!(line.contains(told), "{call}: {line}");
        assert!(!line.contains(char::is_control), "{call}: {line:?}");
    }
    let line = refused(generator(&[]));
    let told = "expected a seed, as in `generator 1`, or --seeds";
    assert!(line.contains(told), "{line}");
}

#[test]
fn wrong_seeds_files_are_named_with_their_line() {
    let dir = TempDir::new().unwrap();
    let (seeds, out) = (path(&dir, "seeds.txt"), path(&dir, "in"));
    for (bytes, shown) in [
        (&b""[..], "line 1: expected at least one seed"),
        (b"# nothing\n\n", "line 2: expected at least one seed"),
        (b"1\ntwo\n", "line 2: expected a seed or a range A..=B"),
        (b"1\n2..2\n", "line 2: expected a range that is not empty"),
        (b"1..=5\n9\n4\n", "line 3: expected each seed once"),
        (b"1\n99999999999999999999\n", "line 2: expected a seed or"),
        (b"1\n\x00\x01\x02\n", "line 2: expected a seed or"),
        (b"1\n\xff\xfe\xfd\n", "line 2: expected text, found bytes"),
    ] {
        fs::write(&seeds, bytes).unwrap();
        let line = refused(generator(&["--seeds-file", &seeds, "--out", &out]));
        assert!(line.starts_with(&format!("{seeds}: {shown}")), "{line}");
        assert!(!Path::new(&out).exists(), "{line}");
    }
    for name in ["missing.txt", "."] {
        let file = path(&dir, name);
        let line = refused(generator(&["--seeds-file", &file, "--out", &out]));
        let shown = format!("{file}: cannot be read: ");
        assert!(line.starts_with(&shown), "{line}");
    }
}

#[test]
fn a_file_in_the_way_of_the_folder_is_named() {
    let dir = TempDir::new().unwrap();
    let file = path(&dir, "in");
    fs::write(&file, "mine").unwrap();
    let line = refused(generator(&["--seeds", "1..4", "--out", &file]));
    assert_eq!(line, format!("{file}: expected a folder, found a file"));
    let below = path(&dir, "in/deeper");
    let line = refused(generator(&["--seeds", "1..4", "--out", &below]));
    assert!(
        line.starts_with(&format!("{below}: expected a folder: ")),
        "{line}"
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    assert_eq!(names(dir.path()), ["in"]);
}

#[test]
fn a_folder_in_the_way_of_a_file_is_told_before_the_first_file() {
    let dir = TempDir::new().unwrap();
    fs::create_dir(dir.path().join("0002.txt")).unwrap();
    let folder = dir.path().to_str().unwrap();
    let line = refused(generator(&["--seeds", "1..4", "--out", folder]));
    let file = path(&dir, "0002.txt");
    assert_eq!(line, format!("{file}: cannot be written: is a directory"));
    assert_eq!(names(dir.path()), ["0002.txt"]);
}

/// `/proc` takes no files from anybody, not even from root, whom permissions
/// would not stop.
#[cfg(target_os = "linux")]
#[test]
fn an_unwritable_folder_is_named() {
    let line = refused(generator(&["1", "--out", "/proc"]));
    assert!(
        line.starts_with("/proc/0001.txt: cannot be written: "),
        "{line}"
    );
}

/// A full disk is an error; a reader that went away is none.
#[cfg(target_os = "linux")]
#[test]
fn a_case_that_cannot_be_printed_is_an_error() {
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
        // Only now does it learn what to print.
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
fn what_fails_leaves_no_folder_and_no_file_of_seeds_is_replaced() {
    let dir = TempDir::new().unwrap();
    let seeds = path(&dir, "0001.txt");
    fs::write(&seeds, "1..=3").unwrap();
    let folder = dir.path().to_str().unwrap();
    let line = refused(generator(&["--seeds-file", &seeds, "--out-dir", folder]));
    assert!(
        line.contains("expected a file that this command does not use otherwise"),
        "{line}"
    );
    assert_eq!(fs::read_to_string(&seeds).unwrap(), "1..=3");
    assert_eq!(names(dir.path()), ["0001.txt"]);
    // A name that is too long stops it behind the first folder.
    let long = path(&dir, &format!("new/{}", "x".repeat(300)));
    refused(generator(&["1", "--out-dir", &long]));
    assert_eq!(names(dir.path()), ["0001.txt"]);
}

#[test]
fn every_profile_is_listed() {
    let listed = printed(&["--profiles"]);
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(lines.len(), Profile::ALL.len());
    for (line, profile) in lines.iter().zip(Profile::ALL) {
        assert!(line.starts_with(&format!("{profile} ")), "{line}");
        assert!(line.ends_with(profile.description()), "{line}");
    }
}
