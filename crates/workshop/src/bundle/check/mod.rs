//! Checks that a submission is fit for the contest, and that it plays like the workspace's bot.
//!
//! The contest limits the size of the file, the time of the compiler, and the time and memory of each game.

mod games;

use super::options::Options;
use crate::cases::{self, NamedCase};
use crate::chore::{self, STOP_REQUESTED};
use anyhow::{Context, Result, ensure};
use columns_bot::learned::networks;
use columns_bot::search::Machine;
use columns_bot::submission::{self, NODES_VARIABLE, PORTABLE_VARIABLE};
use columns_bundler::CONTEST_MAX_BYTES;
use columns_cli::output::print;
use columns_cli::progress;
use columns_core::beam::Budget;
use columns_core::simd;
use columns_judge::arena::process::{self, FinishedProcess, Limits};
use columns_judge::{arena::supervisor, verdict};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The template of the progress bar for a series of games.
const PROGRESS_TEMPLATE: &str = "{msg:<10}{bar:40} {pos} of {len}, {eta} left";

/// The edition that the contest server probably uses.
const CONTEST_EDITION: &str = "2021";
const TOO_LARGE_ADVICE: &str = "remove code, or shorten the texts and networks, which stay as they are; \
    --pretty shows what takes the room";
/// The maximum compile time, in seconds (statement, section Submissions).
const MAX_COMPILE_SECONDS: f64 = 60.0;
/// The maximum compile time without a warning, in seconds. It is lower than [`MAX_COMPILE_SECONDS`], since
/// the contest server may be slower.
const WARN_COMPILE_SECONDS: f64 = 30.0;
/// The limits of a compiler run, and of a game with a budget of nodes: enough even on a slow machine.
const AMPLE_LIMITS: Limits = Limits {
    time_limit_s: 600.0,
    memory_limit_mib: u64::MAX,
};

/// The maximum slowdown without a warning: the time of the submission divided by the time of the workspace's
/// bot, which is compiled with more optimisation.
const WARN_SLOWDOWN: f64 = 1.5;

/// The environment variable that may name an old compiler. If set, that compiler also compiles the
/// submission.
const OLD_COMPILER_VARIABLE: &str = "RUSTC_OLD";

/// A reason why a submission is not fit for the contest.
pub(crate) struct Failure {
    /// The fault in at most three words, such as `too large`.
    pub(crate) fault: &'static str,
    /// The details, such as the case and the measured number.
    pub(crate) details: String,
}

/// The checks of one submission, and the failures so far.
struct Check<'a> {
    options: &'a Options,
    failures: Vec<Failure>,
}

/// Checks a submission, and prints the result of each check. Returns the reasons why it is not fit.
///
/// # Errors
/// Returns an error if a check cannot be run, for example without a compiler, or after Ctrl-C.
pub(crate) fn check(submission: &[u8], options: &Options) -> Result<Vec<Failure>> {
    let failures = Vec::new();
    let mut check = Check { options, failures };
    check.check_size(submission.len());
    let needed = edition(std::str::from_utf8(submission).unwrap_or_default());
    let is_usual = needed == CONTEST_EDITION;
    let remark = if is_usual {
        ""
    } else {
        " - WARNING: the contest's compiler may use another"
    };
    print_result("edition", &format!("{needed}{remark}"));
    let folder = chore::temporary_folder()?;
    let source = folder.path().join("bot.rs");
    fs::write(&source, submission).with_context(|| source.display().to_string())?;
    let program = folder.path().join("bot");
    let compiled = check.check_compilation(OsStr::new("rustc"), &source, &program)?;
    // A program that does not read `NODES_VARIABLE` plays until its own time limit, so its plans vary.
    let text = String::from_utf8_lossy(submission);
    let is_comparable = options.source.is_none() && text.contains(NODES_VARIABLE);
    if compiled && is_comparable {
        check.check_networks();
        check.compare_plans(&program)?;
    } else if compiled {
        print_result(
            "plans",
            &format!("not compared: the program does not read {NODES_VARIABLE}"),
        );
    }
    if let Some(old) = std::env::var_os(OLD_COMPILER_VARIABLE) {
        let program = folder.path().join("bot-old");
        if check.check_compilation(&old, &source, &program)? && is_comparable {
            check.compare_plans(&program)?;
        }
    }
    if compiled && !options.quick {
        check.play_contest_games(&program)?;
    }
    // After Ctrl-C, some games have not been played: the submission has neither passed nor failed.
    let is_interrupted = STOP_REQUESTED.load(Ordering::Relaxed);
    ensure!(!is_interrupted, "interrupted");
    Ok(check.failures)
}

impl Check<'_> {
    fn fail(&mut self, fault: &'static str, details: String) {
        self.failures.push(Failure { fault, details });
    }

    fn check_size(&mut self, bytes: usize) {
        let left = CONTEST_MAX_BYTES as isize - bytes as isize;
        print_result(
            "size",
            &format!("{bytes} bytes of {CONTEST_MAX_BYTES}, {left} left"),
        );
        if left < 0 {
            let details =
                format!("{bytes} bytes, the contest takes {CONTEST_MAX_BYTES}; {TOO_LARGE_ADVICE}");
            self.fail("too large", details);
        }
    }

    /// Checks that the networks fit the bot's features. The bot ignores a network that does not fit.
    fn check_networks(&mut self) {
        let names = ["bot/src/learned/any.txt", "bot/src/learned/two.txt"];
        for (name, fits) in names.into_iter().zip(networks::built_in_networks_fit()) {
            if !fits {
                let details = format!("{name} is of other features; learn again, or restore it");
                self.fail("no network", details);
            }
        }
    }

    /// Compiles `file` as the contest server does. Adds a failure if the compiler fails or takes too long.
    /// Returns true if the compiler succeeds, however long it takes.
    fn check_compilation(&mut self, compiler: &OsStr, file: &Path, program: &Path) -> Result<bool> {
        let compiler_name = compiler.to_string_lossy();
        let version = Command::new(compiler).arg("--version").output();
        let version = version.with_context(|| format!("the compiler {compiler_name}"))?;
        let version = String::from_utf8_lossy(&version.stdout).trim().to_string();
        let compiled = compile(compiler, file, program)?;
        if let Some((_, reason)) = verdict::process_failure(&compiled, AMPLE_LIMITS) {
            // Report only the first line of each error. The lines after it quote the submission, whose lines
            // are very long.
            let text = String::from_utf8_lossy(&compiled.stderr);
            let errors = text.lines();
            let mut details: Vec<&str> = errors.filter(|line| line.starts_with("error")).collect();
            if details.is_empty() {
                details.push(&reason);
            }
            print_result("compile", &format!("{version}: fails"));
            let details = format!("{version}: {}", details.join("\n  "));
            self.fail("does not compile", details);
            return Ok(false);
        }
        // If the compiler had to wait for other processes, only its processor time is a fair measure.
        let seconds = compiled.wall_time.min(compiled.cpu_time).as_secs_f64();
        let remark = warning(seconds, WARN_COMPILE_SECONDS);
        print_result(
            "compile",
            &format!("{seconds:.1} s of {MAX_COMPILE_SECONDS:.0} with {version}{remark}"),
        );
        if seconds > MAX_COMPILE_SECONDS {
            let details = format!("{seconds:.0} s, the contest gives {MAX_COMPILE_SECONDS:.0}");
            self.fail("compiles too slowly", details);
        }
        Ok(true)
    }

    /// Compares plans of the submission with those of the workspace's bot, byte for byte, on each code
    /// path that this processor supports.
    fn compare_plans(&mut self, program: &Path) -> Result<()> {
        let mut list = cases::cases_of_all_kinds();
        for entry in cases::contest_cases(self.options.cases) {
            list.push((entry.name(), entry.load()?));
        }
        let mut paths = vec![("portable", simd::InstructionSet::Portable)];
        if simd::InstructionSet::detect() != simd::InstructionSet::Portable {
            paths.push(("detect", simd::InstructionSet::detect()));
        }
        for (cpu, path) in paths {
            self.compare_plans_on(cpu, Machine::new(path, 1), program, &list)?;
        }
        Ok(())
    }

    fn compare_plans_on(
        &mut self,
        cpu: &str,
        machine: Machine,
        program: &Path,
        list: &[NamedCase],
    ) -> Result<()> {
        let nodes = self.options.nodes;
        let bar = progress::new_bar(list.len() as u64, PROGRESS_TEMPLATE).with_message("plans");
        let (mut own_time, mut time) = (Duration::ZERO, Duration::ZERO);
        let mut same = 0;
        for (name, case) in list {
            let input = case.to_string();
            let start = Instant::now();
            let clock = || start.elapsed().as_secs_f64();
            let expected = submission::solve_text(&input, Budget::Nodes(nodes), &clock, machine)?;
            own_time += start.elapsed();
            let mut command = supervisor::command(program);
            command.env(NODES_VARIABLE, nodes.to_string());
            if machine.cpu == simd::InstructionSet::Portable {
                command.env(PORTABLE_VARIABLE, "1");
            }
            let played = process::run(command, input.as_bytes(), AMPLE_LIMITS, &STOP_REQUESTED)?;
            time += played.wall_time;
            let case = format!("{name}, {nodes} nodes, {cpu} path");
            if let Some((_, reason)) = verdict::process_failure(&played, AMPLE_LIMITS) {
                self.fail("fails", format!("{case}: {reason}"));
            } else if played.stdout != expected.as_bytes() {
                let at = first_difference(&played.stdout, expected.as_bytes());
                self.fail("plan differs", format!("{case}: {at}"));
            } else {
                same += 1;
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        // An old compiler may inline less, so check how much slower the submission is than the workspace's
        // bot.
        let slowdown = time.as_secs_f64() / own_time.as_secs_f64().max(1e-9);
        let remark = warning(slowdown, WARN_SLOWDOWN);
        let total = list.len();
        let result = format!(
            "{same} of {total} are the workspace's, at {nodes} nodes, {cpu}, in {slowdown:.2} of its \
             time{remark}"
        );
        print_result("plans", &result);
        Ok(())
    }
}

/// Prints the result of a check. A closed standard output is not an error: the file and the exit status
/// matter more.
fn print_result(what: &str, result: &str) {
    let _ = print(&format!("{what:<10}{result}\n"));
}

/// Returns the warning to print after a number that exceeds the goal; otherwise an empty string.
fn warning(number: f64, goal: f64) -> &'static str {
    if number > goal {
        " - WARNING: slow"
    } else {
        ""
    }
}

/// Returns the edition in the first line of a bundle, or else the contest's edition.
fn edition(text: &str) -> &str {
    let named = text.strip_prefix("// Rust edition ");
    named
        .and_then(|rest| rest.get(..4))
        .unwrap_or(CONTEST_EDITION)
}

/// Runs the compiler with the contest's options.
pub(super) fn compile(compiler: &OsStr, file: &Path, program: &Path) -> Result<FinishedProcess> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let mut command = supervisor::command(compiler);
    command
        .args(["--edition", edition(&text), "-O", "-o"])
        .arg(program)
        .arg(file);
    let compiled = process::run(command, b"", AMPLE_LIMITS, &STOP_REQUESTED);
    compiled.with_context(|| format!("the compiler {}", compiler.to_string_lossy()))
}

/// Describes where two plans begin to differ, such as `from line 3 on`.
fn first_difference(actual: &[u8], expected: &[u8]) -> String {
    let lines = |text| <[u8]>::split(text, |&byte| byte == b'\n');
    let both = lines(actual).zip(lines(expected));
    format!(
        "from line {} on",
        1 + both.take_while(|(a, b)| a == b).count()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_difference_is_a_line() {
        assert_eq!(
            first_difference(b"2\n1 0\n1 0\n", b"2\n1 0\n2 0\n"),
            "from line 3 on"
        );
        assert_eq!(first_difference(b"", b"2\n"), "from line 1 on");
        assert_eq!(
            first_difference(b"2\n1 0\n", b"2\n1 0\n2 0\n"),
            "from line 3 on"
        );
    }
}
