//! `cargo xtask bundle`: the file that it makes, and what it refuses.

use assert_cmd::Command;
use columns_untested::{untested, Lack};
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::LazyLock;

const SAMPLE: &str = "6 13\n11\naba\nbba\nbbb\naab\nbac\ncac\n***\nccb\ncda\naad\ndbc\n";

fn bundle(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("xtask").unwrap();
    command
        .arg("bundle")
        .args(arguments)
        .env_remove("RUSTC_OLD");
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The output and the errors of a command that ends with this status.
#[track_caller]
fn said(command: &mut Command, status: i32) -> (String, String) {
    let done = command.assert().code(status);
    let output = done.get_output();
    (text(&output.stdout), text(&output.stderr))
}

/// The program of `source`, compiled as fast as can be.
fn compiled(source: &Path, folder: &Path) -> PathBuf {
    let program = folder.join(format!("fast{}", std::env::consts::EXE_SUFFIX));
    let output = process::Command::new("rustc")
        .args(["--edition", "2021", "-o"])
        .args([&program, source])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "the compiler warns");
    program
}

/// A submission, its program, and what the command told when it made it.
struct Made {
    file: PathBuf,
    source: String,
    program: PathBuf,
    told: String,
}

impl Made {
    /// Makes it in a folder of this name, which stays after the tests.
    fn new(name: &str, options: &[&str]) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let file = folder.join("new/bot.rs");
        let _ = fs::remove_dir_all(&folder);
        let mut made = bundle(&["--out", file.to_str().unwrap()]);
        let (told, _) = said(made.args(options), 0);
        Self {
            source: fs::read_to_string(&file).unwrap(),
            program: compiled(&file, &folder),
            file,
            told,
        }
    }
}

/// The submission: making, checking and compiling it takes long, and several tests look at it.
static SUBMISSION: LazyLock<Made> =
    LazyLock::new(|| Made::new("submission", &["--quick", "--nodes", "300", "--cases", "2"]));

/// The compiler that the environment names as an old one, or that rustup has.
fn old_compiler() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("RUSTC_OLD") {
        return Some(named.into());
    }
    let asked = process::Command::new("rustup")
        .args(["which", "--toolchain", "1.75.0", "rustc"])
        .output()
        .ok()?;
    asked
        .status
        .success()
        .then(|| text(&asked.stdout).trim().into())
}

#[test]
fn the_submission_compiles_with_an_old_compiler() {
    let what = "that the submission compiles with Rust 1.75";
    let Some(compiler) = old_compiler() else {
        return untested(Lack::Rust175, what, "rustup toolchain install 1.75.0");
    };
    let folder = tempfile::tempdir().unwrap();
    let checked = process::Command::new(compiler)
        .args(["--edition", "2021", "--emit", "metadata", "-o"])
        .args([&folder.path().join("bot.rmeta"), &SUBMISSION.file])
        .output()
        .unwrap();
    assert!(checked.status.success(), "{}", text(&checked.stderr));
    assert_eq!(text(&checked.stderr), "", "the compiler warns");
}

#[test]
fn checks_that_cannot_be_made_leave_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("new/bot.rs");
    let mut made = bundle(&["--out", file.to_str().unwrap()]);
    let (_, told) = said(made.env("PATH", ""), 2);
    assert!(told.starts_with("xtask: the compiler rustc: "), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

// It has the first name, and those that wait for the submission as well the last ones: the others
// run beside it.
#[test]
fn a_bundle_plays_as_the_bot_and_is_nothing_but_the_bot() {
    let Made { source, told, .. } = &*SUBMISSION;
    // 14 kinds, the sample and two cases.
    let all = "plans     17 of 17 are the workspace's, at 300 nodes, portable, in ";
    assert!(told.contains(all), "{told}");

    let left = 65_536 - source.len();
    let size = format!("size      {} bytes of 65536, {left} left\n", source.len());
    assert!(told.starts_with(&size), "{told}");
    assert!(
        left >= 3500,
        "3500 bytes are promised to be left; remove code or shorten it:\n{told}"
    );
    for absent in [
        "///",
        "//!",
        "#[doc",
        "cfg(test)",
        "clap",
        "serde",
        "anyhow",
        "meaning",
        "naive",
        "puzzles",
    ] {
        assert!(!source.contains(absent), "{absent}");
    }
    // The one constant that docs/submitting.md tells to change.
    assert_eq!(source.matches("const SECONDS:").count(), 1);
}

#[test]
fn the_submission_answers_a_case_and_says_what_is_wrong() {
    let program = &SUBMISSION.program;
    let mut small = Command::new(program);
    small.env("COLUMNS_NODES", "200").write_stdin(SAMPLE);
    assert!(said(&mut small, 0).0.starts_with("11\n"));
    for (input, shown) in [
        (&b""[..], "line 1: expected the width"),
        (b"6 13\n2\nabc\n", "line 3: expected column 2 of 2"),
        (b"6 13\n1\nab\xff\n", "line 3: expected text"),
    ] {
        let (out, error) = said(Command::new(program).write_stdin(input), 2);
        assert!(
            error.starts_with("bot: standard input: ") && error.contains(shown),
            "{error}"
        );
        assert_eq!((error.lines().count(), &*out), (1, ""), "{error}");
    }
    let mut wrong = Command::new(program);
    wrong.env("COLUMNS_NODES", "many").write_stdin(SAMPLE);
    let (_, error) = said(&mut wrong, 2);
    assert!(
        error.starts_with("bot: COLUMNS_NODES: expected a number"),
        "{error}"
    );
}

#[test]
fn the_readable_form_is_the_same_program() {
    let readable = Made::new("readable", &["--pretty", "--no-check"]);
    let plans = [&readable, &SUBMISSION].map(|made| {
        let mut played = Command::new(&made.program);
        played.env("COLUMNS_NODES", "500").write_stdin(SAMPLE);
        said(&mut played, 0).0
    });
    assert_eq!(plans[0], plans[1]);
    let lines = [&readable, &SUBMISSION].map(|made| made.source.lines().count());
    assert!(lines[0] > 2 * lines[1], "{lines:?} lines");
}

/// The check of a program fails with status 1 and says why.
fn refused(program: &str, fault: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("by-hand.rs");
    fs::write(&file, program).unwrap();
    let path = file.to_str().unwrap();
    let options = ["--cases", "0", "--nodes", "100"];
    let (_, errors) = said(bundle(&["--file", path]).args(options), 1);
    assert!(errors.contains(&format!("FAILED: {fault}: ")), "{errors}");
    assert!(errors.trim_end().ends_with(path), "{errors}");
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        program,
        "the file is left alone"
    );
}

/// A program that plays like the bot as far as the comparison of plans goes: not
/// at all.
fn in_contest(body: &str) -> String {
    format!(
        "fn main() {{
            if std::env::var_os(\"COLUMNS_NODES\").is_none() {{ {body} }}
            println!(\"0\");
        }}"
    )
}

#[test]
fn what_is_not_fit_is_refused() {
    let filler = format!("// {}\n", "x".repeat(96)).repeat(700);
    let large = format!("fn main() {{ println!(\"0\") }}\n{filler}");
    refused(&large, "too large");
    refused("fn main() { let x: u8 = 1.0; }", "does not compile");
    refused("fn main( {", "does not compile");
    refused("fn main() { println!(\"0\") }", "plan differs");
}

#[test]
fn what_the_contest_does_not_take_is_refused() {
    let sleep = "std::thread::sleep(std::time::Duration::from_millis(4200))";
    for (body, fault) in [
        (sleep, "TLE"),
        ("loop { std::hint::spin_loop() }", "TLE"),
        ("std::hint::black_box(vec![1_u8; 300 << 20]);", "MLE"),
        ("panic!(\"lost\")", "crashed"),
        ("println!(\"12\")", "invalid"),
    ] {
        refused(&in_contest(body), fault);
    }
}

/// A folder with a compiler that does this in place of compiling as the judge does.
#[cfg(unix)]
fn compiler(folder: &Path, instead: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path);
    let real = folders
        .find(|folder| folder.join("rustc").is_file())
        .unwrap();
    let bin = folder.join("bin");
    fs::create_dir(&bin).unwrap();
    let script = bin.join("rustc");
    let real = real.join("rustc");
    let text = format!(
        "#!/bin/sh\ncase \" $* \" in *' -O '*) {instead};; *) exec '{}' \"$@\";; esac\n",
        real.display()
    );
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let all = [bin].into_iter().chain(std::env::split_paths(&path));
    std::env::join_paths(all).unwrap().into()
}

#[cfg(unix)]
#[test]
fn the_unfit_bundle_has_another_name_and_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bot.rs");
    fs::write(&file, "the last good one").unwrap();
    bundle(&["--out", file.to_str().unwrap(), "--quick"])
        .env("PATH", compiler(folder.path(), "exit 1"))
        .assert()
        .code(1);
    assert_eq!(fs::read_to_string(&file).unwrap(), "the last good one");
    let unfit = fs::read_to_string(folder.path().join("bot.failed.rs")).unwrap();
    assert!(unfit == SUBMISSION.source, "two bundles differ");
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let [scratch, out] = ["scratch", "out"].map(|name| folder.path().join(name));
    fs::create_dir(&scratch).unwrap();
    let mut running = process::Command::new(assert_cmd::cargo::cargo_bin("xtask"));
    // The readable form is made in less time.
    running.args(["bundle", "--pretty", "--out"]);
    running.arg(out.join("bot.rs"));
    let path = compiler(folder.path(), "echo > \"$TMPDIR/compiles\"; sleep 100");
    running.env("PATH", path).env("TMPDIR", &scratch);
    let mut running = running.spawn().unwrap();
    let marker = scratch.join("compiles");
    while !marker.exists() {
        assert!(running.try_wait().unwrap().is_none(), "it ended");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    fs::remove_file(marker).unwrap();
    let id = running.id().to_string();
    let sent = process::Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.unwrap().success());
    assert_eq!(running.wait().unwrap().code(), Some(130));
    for left in [&scratch, &out] {
        let left = fs::read_dir(left).map_or(0, Iterator::count);
        assert_eq!(left, 0);
    }
}
