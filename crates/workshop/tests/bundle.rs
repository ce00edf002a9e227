//! `cargo xtask bundle` makes a correct file, and rejects files that would fail in the contest. `.ci/run`
//! also runs the ignored tests.

use assert_cmd::Command;
use columns_core::rules::case::Case;
use columns_core::rules::plan::Plan;
use columns_core::rules::replay;
use columns_generator::SAMPLE;
use columns_test_support::{Requirement, kill, report_untested, with_default_signals};
use regex::Regex;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::LazyLock;

fn bundle(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("workshop").unwrap();
    command
        .arg("bundle")
        .args(arguments)
        .env_remove("RUSTC_OLD");
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Runs a command and asserts its exit status. Returns its standard output and standard error.
#[track_caller]
fn outputs(command: &mut Command, status: i32) -> (String, String) {
    let assert = command.assert().code(status);
    let output = assert.get_output();
    (text(&output.stdout), text(&output.stderr))
}

/// Compiles `source` without optimisation and asserts that the compiler prints no warning. Returns the path
/// of the program.
fn compile(source: &Path, folder: &Path) -> PathBuf {
    let program = folder.join("fast");
    let output = process::Command::new("rustc")
        .args(["--edition", "2021", "-o"])
        .args([&program, source])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "the compiler warns");
    program
}

/// A submission and its compiled program.
struct Submission {
    file: PathBuf,
    source: String,
    program: PathBuf,
    /// The standard output of the command that made the submission.
    report: String,
}

impl Submission {
    /// Makes a submission with these options of `bundle`. The folder `name` is kept after the tests.
    fn new(name: &str, options: &[&str]) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let file = folder.join("new/bot.rs");
        let _ = fs::remove_dir_all(&folder);
        let mut command = bundle(&["--out", file.to_str().unwrap()]);
        let (report, _) = outputs(command.args(options), 0);
        Self {
            source: fs::read_to_string(&file).unwrap(),
            program: compile(&file, &folder),
            file,
            report,
        }
    }
}

/// The submission that several tests share, because making, checking and compiling it takes a minute.
static SUBMISSION: LazyLock<Submission> =
    LazyLock::new(|| Submission::new("submission", &["--quick", "--nodes", "300", "--cases", "2"]));

/// The submission with up to eight threads. It is not checked, since [`SUBMISSION`] is.
static THREADS: LazyLock<Submission> =
    LazyLock::new(|| Submission::new("threads", &["--threads", "8", "--no-check"]));

/// The readable form of the submission with threads.
static READABLE: LazyLock<Submission> =
    LazyLock::new(|| Submission::new("readable", &["--pretty", "--threads", "8", "--no-check"]));

/// Returns the old compiler that `RUSTC_OLD` names, or else rustup's Rust 1.75; `None` if there is neither.
fn old_compiler() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("RUSTC_OLD") {
        return Some(named.into());
    }
    let output = process::Command::new("rustup")
        .args(["which", "--toolchain", "1.75.0", "rustc"])
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| text(&output.stdout).trim().into())
}

/// Checks that `file` compiles in this edition, without producing a program. Returns the compiler's messages.
#[track_caller]
fn check_source(compiler: &Path, edition: &str, file: &Path) -> String {
    let folder = tempfile::tempdir().unwrap();
    let output = process::Command::new(compiler)
        .args(["--edition", edition, "--emit", "metadata", "-o"])
        .args([&folder.path().join("bot.rmeta"), file])
        .output()
        .unwrap();
    let printed = text(&output.stderr);
    assert!(output.status.success(), "edition {edition}: {printed}");
    printed
}

/// Returns the path of the submission in the repository. `.ci/run` asserts that it is up to date.
fn tracked_submission() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../submission/bot.rs")
}

#[test]
fn the_submission_compiles_with_an_old_compiler() {
    let what = "that the submission compiles with Rust 1.75";
    let Some(compiler) = old_compiler() else {
        return report_untested(
            Requirement::Rust175,
            what,
            "rustup toolchain install 1.75.0",
        );
    };
    let warnings = check_source(&compiler, "2021", &tracked_submission());
    assert_eq!(warnings, "", "the compiler warns");
}

// The contest does not publish which edition its server uses, so the submission must compile in every
// edition.
const EDITIONS: [&str; 4] = ["2015", "2018", "2021", "2024"];

#[test]
fn the_submission_compiles_in_every_edition() {
    for edition in EDITIONS {
        check_source(Path::new("rustc"), edition, &tracked_submission());
    }
}

#[test]
#[ignore = "makes the submission, which takes a minute"]
fn the_submission_with_threads_compiles_in_every_edition() {
    for edition in EDITIONS {
        check_source(Path::new("rustc"), edition, &THREADS.file);
    }
}

#[test]
fn a_missing_compiler_leaves_no_files_behind() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("new/bot.rs");
    let mut command = bundle(&["--out", file.to_str().unwrap()]);
    let (_, message) = outputs(command.env("PATH", ""), 2);
    assert!(
        message.contains("could not execute process `rustc"),
        "{message}"
    );
    assert_eq!(message.lines().count(), 1, "{message}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

// Tests start in the order of their names. This test comes first, since it makes the submission. Most other
// tests that need the submission come late, so that the tests that do not need it run in the meantime.
#[test]
#[ignore = "makes the submission, which takes a minute"]
fn a_bundle_plays_as_the_bot_and_contains_only_the_bot() {
    let Submission { source, report, .. } = &*SUBMISSION;
    // 17 cases: one of each of the 14 kinds, the sample, and two generated ones.
    let all = "plans     17 of 17 are the workspace's, at 300 nodes, portable, in ";
    assert!(report.contains(all), "{report}");

    let left = 65_536 - source.len();
    let size = format!("size      {} bytes of 65536, {left} left\n", source.len());
    assert!(report.starts_with(&size), "{report}");
    let remedy = "at most 60,500 bytes: remove or shorten code; --pretty shows the code";
    assert!(source.len() <= 60_500, "{remedy}\n{report}");
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
        "thread",
    ] {
        assert!(!source.contains(absent), "{absent}");
    }
    // docs/submitting.md tells readers to change this constant.
    assert_eq!(source.matches("const TIME_LIMIT_S:").count(), 1);
}

#[test]
#[ignore = "makes the submission, which takes a minute"]
fn the_submission_answers_a_case_and_reports_errors() {
    let program = &SUBMISSION.program;
    let mut small = Command::new(program);
    small.env("COLUMNS_NODES", "200").write_stdin(SAMPLE);
    assert!(outputs(&mut small, 0).0.starts_with("11\n"));
    for (input, detail) in [
        (&b""[..], "line 1: expected the width"),
        (b"6 13\n2\nabc\n", "line 3: expected column 2 of 2"),
        (
            b"6 13\n1\nab\xff\n",
            "standard input: stream did not contain valid UTF-8",
        ),
    ] {
        let (out, error) = outputs(Command::new(program).write_stdin(input), 2);
        assert!(
            error.starts_with("bot: standard input: ") && error.contains(detail),
            "{error}"
        );
        assert_eq!((error.lines().count(), &*out), (1, ""), "{error}");
    }
    let mut wrong = Command::new(program);
    wrong.env("COLUMNS_NODES", "many").write_stdin(SAMPLE);
    let (_, error) = outputs(&mut wrong, 2);
    assert!(
        error.starts_with("bot: COLUMNS_NODES: expected a number"),
        "{error}"
    );
}

#[test]
#[ignore = "makes the submission, which takes a minute"]
fn the_readable_form_is_the_same_program() {
    let plans = [&READABLE, &THREADS].map(|submission| {
        let mut player = Command::new(&submission.program);
        player.env("COLUMNS_NODES", "500").write_stdin(SAMPLE);
        outputs(&mut player, 0).0
    });
    assert_eq!(plans[0], plans[1]);
    let lines = [&READABLE, &THREADS].map(|submission| submission.source.lines().count());
    assert!(lines[0] > 2 * lines[1], "{lines:?} lines");
}

#[test]
#[ignore = "makes the submission, which takes a minute"]
fn the_submission_with_threads_plays_the_same_plans() {
    let threads = &*THREADS;
    let plans = [threads, &SUBMISSION].map(|submission| {
        let mut player = Command::new(&submission.program);
        player.env("COLUMNS_NODES", "500").write_stdin(SAMPLE);
        outputs(&mut player, 0).0
    });
    assert_eq!(plans[0], plans[1]);
    assert!(threads.source.contains("thread::scope"));
    assert!(threads.source.contains("\"8\""), "the maximum number");
    assert!(!SUBMISSION.source.contains("\"8\""));
    let size = threads.source.len();
    assert!(
        size <= 65_400,
        "{size} bytes: shorten crates/core/src/beam/threads.rs"
    );
}

/// Changes the readable submission to use two threads, and to panic in one call. The environment variable
/// `FAULT` names the phase of the search, the thread, and the number of the call, for example
/// `expand worker 1`.
fn with_faults(submission: &str) -> String {
    let start = submission.find("for ColumnsGame<").unwrap();
    let end = start + submission[start..].find("struct EvaluateKernel<").unwrap();
    let method = Regex::new(r"fn (\w+)\([^{]*\{").unwrap();
    let phases = method.replace_all(&submission[start..end], "$0 crate::fault(\"$1\");");
    let machine = "Machine::new(cpu, max_threads())";
    assert_eq!(submission.matches(machine).count(), 1);
    let fault = "
        fn fault(phase: &str) {
            use std::sync::atomic::{AtomicUsize, Ordering};
            static CALLS: AtomicUsize = AtomicUsize::new(0);
            let is_main = std::thread::current().name() == Some(\"main\");
            let thread = [\"worker\", \"main\"][usize::from(is_main)];
            let Ok(fault) = std::env::var(\"FAULT\") else { return };
            if let Some(call) = fault.strip_prefix(&format!(\"{phase} {thread} \")) {
                let calls = CALLS.fetch_add(1, Ordering::Relaxed) + 1;
                assert!(calls.to_string() != call, \"a fault of the test\");
            }
        }";
    let program = [&submission[..start], &phases, &submission[end..], fault].concat();
    program.replace(machine, "Machine { cpu, threads: 2 }")
}

#[test]
#[ignore = "makes the submission, which takes a minute"]
fn a_panic_in_any_phase_of_the_bundled_search_leaves_a_plan() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("faulty.rs");
    fs::write(&source, with_faults(&READABLE.source)).unwrap();
    let program = compile(&source, folder.path());
    let text = format!("12 19\n30\n{}", "abc\ndea\nbcd\n".repeat(10));
    let case: Case = text.parse().unwrap();
    let play = |fault: &str| {
        let mut player = Command::new(&program);
        player.env("COLUMNS_NODES", "10000").env("FAULT", fault);
        outputs(player.write_stdin(text.clone()), 0)
    };
    let (whole, _) = play("");
    let phases = [
        "expand",
        "build",
        "hash",
        "evaluate",
        "quota_shares",
        "score",
    ];
    for phase in phases {
        for call in [1, 10] {
            let (plan, errors) = play(&format!("{phase} main {call}"));
            assert!(errors.contains("a fault of the test"), "{phase} {call}");
            let score = replay::score(&case, &Plan::parse(&plan, 12, 30).unwrap());
            assert_eq!(score.placed_columns, 30, "{phase} {call} {plan}");
        }
    }
    for phase in ["expand", "build", "hash", "evaluate"] {
        let (plan, errors) = play(&format!("{phase} worker 1"));
        assert!(errors.contains("a fault of the test"), "{phase}");
        assert_eq!(plan, whole, "{phase}");
    }
}

/// Asserts that the check of this program exits with status 1 and reports `fault`.
fn assert_refused(program: &str, fault: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("by-hand.rs");
    fs::write(&file, program).unwrap();
    let path = file.to_str().unwrap();
    let options = ["--cases", "0", "--nodes", "100"];
    let (_, errors) = outputs(bundle(&["--file", path]).args(options), 1);
    assert!(errors.contains(&format!("FAILED: {fault}: ")), "{errors}");
    assert!(errors.trim_end().ends_with(path), "{errors}");
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        program,
        "the file has changed"
    );
}

/// Returns a program that runs `body` only in a contest game, where `COLUMNS_NODES` is not set.
///
/// The program always prints an empty plan. So the comparison of plans fails as well, but the check then
/// continues with the contest games.
fn in_contest(body: &str) -> String {
    format!(
        "fn main() {{
            if std::env::var_os(\"COLUMNS_NODES\").is_none() {{ {body} }}
            println!(\"0\");
        }}"
    )
}

#[test]
fn unfit_programs_are_refused() {
    let filler = format!("// {}\n", "x".repeat(96)).repeat(700);
    let large = format!("fn main() {{ println!(\"0\") }}\n{filler}");
    assert_refused(&large, "too large");
    assert_refused("fn main() { let x: u8 = 1.0; }", "does not compile");
    assert_refused("fn main( {", "does not compile");
    assert_refused(&in_contest(""), "plan differs");
}

#[test]
fn the_plans_of_another_program_are_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.rs");
    fs::write(&file, "fn main() { println!(\"0\") }").unwrap();
    let file = file.to_str().unwrap();
    let (report, _) = outputs(&mut bundle(&["--file", file, "--quick"]), 0);
    assert!(report.contains("plans     not compared: "), "{report}");
    assert!(report.ends_with(&format!("ready     {file}\n")), "{report}");
}

#[test]
fn a_limit_that_is_not_reached_is_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.rs");
    let good = "// The last good one, made by `cargo xtask bundle`.";
    fs::write(&file, good).unwrap();
    let options = ["--no-check", "--limit", "20", "--out"];
    let source = write_small_program(folder.path());
    let mut command = bundle(&options);
    let (_, errors) = outputs(command.arg(&file).arg("--source").arg(source), 1);
    let unfit = folder.path().join("one.failed.rs");
    let bytes = fs::metadata(&unfit).unwrap().len();
    let excess = format!("{bytes} bytes, {} more than --limit 20\n", bytes - 20);
    assert!(errors.contains(&excess), "{errors}");
    let last = format!("NOT ready: {}\n", unfit.display());
    assert!(errors.ends_with(&last), "{errors}");
    assert_eq!(fs::read_to_string(&file).unwrap(), good);
}

#[test]
#[ignore = "plays games of four seconds; .ci/run plays it"]
fn programs_that_lose_in_the_contest_are_refused() {
    let sleep = "std::thread::sleep(std::time::Duration::from_millis(4200))";
    for (body, fault) in [
        (sleep, "TLE"),
        ("loop { std::hint::spin_loop() }", "TLE"),
        ("std::hint::black_box(vec![1_u8; 600 << 20]);", "MLE"),
        ("panic!(\"lost\")", "crashed"),
        ("println!(\"12\")", "invalid"),
    ] {
        assert_refused(&in_contest(body), fault);
    }
}

/// Writes a small program without a package. It is faster to bundle than the bot.
fn write_small_program(folder: &Path) -> PathBuf {
    let file = folder.join("small.rs");
    fs::write(&file, include_str!("../../bundler/tests/programs/hash.rs")).unwrap();
    file
}

/// Returns a `PATH` whose compiler creates the file `compiles` in `TMPDIR` and hangs when its options match
/// `pattern`. The pattern `*' -O '*` selects the check of the submission, the only compilation with `-O`.
fn path_with_hanging_compiler(folder: &Path, pattern: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let real = std::env::split_paths(&path)
        .find(|folder| folder.join("rustc").is_file())
        .unwrap();
    let bin = folder.join("bin");
    fs::create_dir(&bin).unwrap();
    let script = bin.join("rustc");
    let real = real.join("rustc");
    let text = format!(
        "#!/bin/sh\ncase \" $* \" in {pattern}) echo > \"$TMPDIR/compiles\"; sleep 100;; \
         *) exec '{}' \"$@\";; esac\n",
        real.display()
    );
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let folders = [bin].into_iter().chain(std::env::split_paths(&path));
    std::env::join_paths(folders).unwrap().into()
}

#[test]
fn the_variables_of_the_submission_are_refused() {
    for chore in ["bundle", "soak"] {
        let mut command = Command::cargo_bin("workshop").unwrap();
        command.args([chore, "--file", "gone"]);
        let (_, message) = outputs(command.env("COLUMNS_NODES", "1"), 2);
        let expected = "xtask: expected no environment variable COLUMNS_NODES\n";
        assert_eq!(message, expected);
    }
}

#[test]
fn an_error_in_a_program_ends_with_status_2() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("main.rs");
    fs::write(&source, "use rand::random;\nfn main() {}").unwrap();
    let source = source.to_str().unwrap();
    let (_, message) = outputs(&mut bundle(&["--no-check", "--source", source]), 2);
    let expected = format!("xtask: {source}:1: unresolved import `rand`");
    assert!(message.starts_with(&expected), "{message}");
}

#[test]
fn neither_name_of_the_bundle_replaces_another_file() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["bot.rs", "bot.failed.rs"] {
        let mine = folder.path().join(name);
        fs::write(&mine, "fn main() {}").unwrap();
        bundle(&["--out", folder.path().join("bot.rs").to_str().unwrap()])
            .assert()
            .code(2);
        assert_eq!(fs::read_to_string(&mine).unwrap(), "fn main() {}");
        fs::remove_file(mine).unwrap();
    }
}

#[test]
fn a_signal_ends_the_compilers_of_the_bundler() {
    assert_stops("*' --error-format '*", "TERM", 143);
}

#[test]
fn ctrl_c_leaves_nothing_behind() {
    assert_stops("*' -O '*", "INT", 130);
}

/// Asserts that a signal ends the command with this status while it runs a compiler whose options match
/// `pattern`, and that the command leaves no files.
fn assert_stops(pattern: &str, signal: &str, status: i32) {
    let folder = tempfile::tempdir().unwrap();
    let [scratch, out] = ["scratch", "out"].map(|name| folder.path().join(name));
    fs::create_dir(&scratch).unwrap();
    let mut running = with_default_signals(assert_cmd::cargo::cargo_bin("workshop"));
    // With a small program, the command reaches the compiler sooner.
    running.args(["bundle", "--source"]);
    running.arg(write_small_program(folder.path())).arg("--out");
    running.arg(out.join("bot.rs"));
    let path = path_with_hanging_compiler(folder.path(), pattern);
    running.env("PATH", path).env("TMPDIR", &scratch);
    let mut running = running.spawn().unwrap();
    let marker = scratch.join("compiles");
    while !marker.exists() {
        assert!(
            running.try_wait().unwrap().is_none(),
            "the command has ended"
        );
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    fs::remove_file(marker).unwrap();
    kill(signal, running.id());
    assert_eq!(running.wait().unwrap().code(), Some(status));
    for folder in [&scratch, &out] {
        let entries = fs::read_dir(folder).map_or(0, Iterator::count);
        assert_eq!(entries, 0, "{}", folder.display());
    }
}
