//! Whether a submission is fit for the judge: its size, its compiler, its clock, its
//! memory; and whether it plays as the bot of the workspace does.

mod games;
mod report;

use crate::cases;
use anyhow::{Context, Result};
use columns_bot::contest;
use columns_bot::submission::{CPU, NODES};
use columns_cli::progress;
use columns_core::beam::Budget;
use columns_core::simd;
use columns_judge::process::{self, End, Finished, Limits};
pub(crate) use report::Report;
use report::{Compared, Compiled, Failure, Fault};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// The progress bar of a series of games.
const BAR: &str = "{msg:<10}{bar:40} {pos} of {len}, {eta} left";

/// Most bytes that the judge takes (statement, section Submissions). There is no other limit; every
/// check says how many bytes are left.
const MAX_BYTES: usize = 65_536;
/// Most seconds for the compiler (statement, section Submissions).
const MAX_COMPILE: f64 = 60.0;
/// Above this many seconds there is a warning, since the judge's machine may be slower.
const GOAL_COMPILE: f64 = 30.0;
/// Memory at which a run is killed: what the judge gives.
const MAX_MEMORY: u64 = 1024 << 20;
/// Time for a case with a budget of nodes, even on a slow machine.
const PATIENCE: Duration = Duration::from_mins(2);

/// Above this many times the time of the workspace's bot there is a warning. That bot is compiled
/// with more optimisation.
const GOAL_SLOWDOWN: f64 = 1.5;

/// The environment variable that names an old compiler to try as well.
const OLD_COMPILER: &str = "RUSTC_OLD";

/// What to check.
pub(crate) struct Settings {
    /// States to build for a plan that is compared.
    pub(crate) nodes: u64,
    /// Generated cases to play, besides the sample.
    pub(crate) cases: usize,
    /// Whether to play as in the contest.
    pub(crate) contest: bool,
    /// Whether to play the contest with the workspace's bot too.
    pub(crate) score: bool,
}

/// The checks of one file.
struct Check<'a> {
    settings: &'a Settings,
    say: &'a dyn Fn(&str),
    report: Report,
}

/// Checks the submission in `file`; `say` is told the results as they come.
///
/// # Errors
/// If a check cannot be made: the file cannot be read, or there is no compiler.
pub(crate) fn check(file: &Path, settings: &Settings, say: &dyn Fn(&str)) -> Result<Report> {
    let mut check = Check {
        settings,
        say,
        report: Report::default(),
    };
    check.size(file)?;
    let folder = tempfile::tempdir().context("a folder for the compiled submission")?;
    // The file's name must not matter.
    let source = folder.path().join("bot.rs");
    fs::copy(file, &source).with_context(|| file.display().to_string())?;
    let name = |stem| {
        folder
            .path()
            .join(format!("{stem}{}", std::env::consts::EXE_SUFFIX))
    };
    let program = name("bot");
    let compiled = check.compile(OsStr::new("rustc"), &source, &program)?;
    if compiled {
        check.plans(&program)?;
    }
    if let Some(old) = std::env::var_os(OLD_COMPILER) {
        let program = name("bot-old");
        if check.compile(&old, &source, &program)? {
            check.plans(&program)?;
        }
    }
    if compiled && settings.contest {
        check.contest(&program)?;
    }
    Ok(check.report)
}

impl Check<'_> {
    fn say(&self, what: &str, result: &str) {
        (self.say)(&format!("{what:<10}{result}"));
    }

    fn fail(&mut self, fault: Fault, details: String) {
        self.report.failures.push(Failure { fault, details });
    }

    fn size(&mut self, file: &Path) -> Result<()> {
        let bytes = fs::read(file)
            .with_context(|| file.display().to_string())?
            .len();
        let left = MAX_BYTES as isize - bytes as isize;
        (self.report.bytes, self.report.bytes_left) = (bytes, left);
        let result = format!("{bytes} bytes of {MAX_BYTES}, {left} left");
        self.say("size", &result);
        if bytes > MAX_BYTES {
            let details = format!("{bytes} bytes, the judge takes {MAX_BYTES}");
            self.fail(Fault::TooLarge, details);
        }
        Ok(())
    }

    /// Compiles as the judge does, and returns whether that went well.
    fn compile(&mut self, compiler: &OsStr, file: &Path, program: &Path) -> Result<bool> {
        let shown = compiler.to_string_lossy();
        let version = Command::new(compiler)
            .arg("--version")
            .output()
            .with_context(|| format!("the compiler {shown}"))?;
        let version = String::from_utf8_lossy(&version.stdout).trim().to_string();
        let Compilation {
            status,
            errors,
            seconds,
        } = compile(compiler, file, program)?;
        if !status.success() {
            // The program's lines are long; the first line of each error is enough.
            let first: Vec<&str> = errors.lines().filter(|l| l.starts_with("error")).collect();
            self.say("compile", &format!("{version}: {status}"));
            let details = format!("{version}: {}", first.join("\n  "));
            self.fail(Fault::DoesNotCompile, details);
            return Ok(false);
        }
        let remark = if seconds > GOAL_COMPILE {
            " - WARNING: slow"
        } else {
            ""
        };
        let result = format!("{seconds:.1} s of {MAX_COMPILE:.0} with {version}{remark}");
        self.say("compile", &result);
        if !errors.trim().is_empty() {
            self.say(
                "",
                &format!("it warns: {}", errors.lines().next().unwrap_or("")),
            );
        }
        if seconds > MAX_COMPILE {
            let details = format!("{seconds:.0} s, the judge gives {MAX_COMPILE:.0}");
            self.fail(Fault::CompilesTooSlowly, details);
        }
        self.report.compilers.push(Compiled { version, seconds });
        Ok(true)
    }

    /// Compares plans of the submission with those of the workspace's bot, byte for
    /// byte.
    fn plans(&mut self, program: &Path) -> Result<()> {
        let mut list = cases::all_kinds();
        list.extend(cases::of_contest(self.settings.cases));
        let mut paths = vec![("portable", simd::Cpu::Portable)];
        if simd::Cpu::detect() != simd::Cpu::Portable {
            paths.push(("detect", simd::Cpu::detect()));
        }
        let nodes = self.settings.nodes;
        let variables = |cpu: &str| [(NODES, nodes.to_string().into()), (CPU, cpu.into())];
        let bar = progress::bar((list.len() * paths.len()) as u64, BAR).with_message("plans");
        let (mut own_time, mut time) = (Duration::ZERO, Duration::ZERO);
        let mut same = 0;
        for (name, case) in &list {
            let input = case.to_string();
            for &(cpu, path) in &paths {
                let start = Instant::now();
                let clock = || start.elapsed().as_secs_f64();
                let expected =
                    contest::answer(input.as_bytes(), Budget::Nodes(nodes), &clock, path)?;
                own_time += start.elapsed();
                let played = run(program, &input, PATIENCE, &variables(cpu))?;
                time += played.wall;
                let case = format!("{name}, {nodes} nodes, {cpu} path");
                if played.end != End::Exited {
                    self.fail(Fault::Fails, format!("{case}: {}", ended(&played)));
                } else if played.output != expected.as_bytes() {
                    let at = first_difference(&played.output, expected.as_bytes());
                    self.fail(Fault::PlanDiffers, format!("{case}: {at}"));
                } else {
                    same += 1;
                }
                bar.inc(1);
            }
        }
        bar.finish_and_clear();
        let of = list.len() * paths.len();
        let only = match paths.len() {
            1 => " (this processor has only the portable path)",
            _ => "",
        };
        // An old compiler may not inline everything.
        let slower = time.as_secs_f64() / own_time.as_secs_f64().max(1e-9);
        let remark = if slower > GOAL_SLOWDOWN {
            " - WARNING: slow"
        } else {
            ""
        };
        let result = format!(
            "{same} of {of} are the workspace's, at {nodes} nodes, {} paths{only}, in {slower:.2} of its time{remark}",
            paths.len(),
        );
        self.report.plans.push(Compared { same, of, slower });
        self.say("plans", &result);
        Ok(())
    }
}

/// What came of the compiler.
pub(super) struct Compilation {
    pub(super) status: ExitStatus,
    pub(super) errors: String,
    /// How long it took; where it had to wait for others, its processor time.
    pub(super) seconds: f64,
}

/// Compiles as the judge does.
pub(super) fn compile(compiler: &OsStr, file: &Path, program: &Path) -> Result<Compilation> {
    let start = Instant::now();
    let mut command = Command::new(compiler);
    command.args(["--edition", "2021", "-O", "-o"]);
    command.arg(program).arg(file).stderr(Stdio::piped());
    let mut compiled = || -> std::io::Result<Compilation> {
        let mut child = command.spawn()?;
        let mut errors = Vec::new();
        if let Some(mut stderr) = child.stderr.take() {
            stderr.read_to_end(&mut errors)?;
        }
        let used = child.wait4()?;
        let busy = used.rusage.utime + used.rusage.stime;
        Ok(Compilation {
            status: used.status,
            errors: String::from_utf8_lossy(&errors).into_owned(),
            seconds: start.elapsed().min(busy).as_secs_f64(),
        })
    };
    compiled().with_context(|| format!("the compiler {}", compiler.to_string_lossy()))
}

/// Runs the submission; the variables that the caller's environment may hold
/// are not passed on.
fn run(
    program: &Path,
    input: &str,
    time: Duration,
    variables: &[(&str, OsString)],
) -> Result<Finished> {
    let mut command = Command::new(program);
    command
        .env_remove(NODES)
        .env_remove(CPU)
        .envs(variables.iter().cloned());
    let limits = Limits {
        time,
        memory: MAX_MEMORY,
    };
    let finished = process::run(&mut command, input.as_bytes(), limits)?;
    Ok(finished)
}

/// How a failed run ended.
fn ended(played: &Finished) -> String {
    let how = match &played.end {
        End::Failed(status) => status.clone(),
        other => format!("{other:?}"),
    };
    match played.errors.lines().next_back() {
        Some(line) => format!("{how}: {line}"),
        None => how,
    }
}

/// The first line in which two plans differ.
fn first_difference(found: &[u8], expected: &[u8]) -> String {
    let same = found
        .iter()
        .zip(expected)
        .take_while(|(a, b)| a == b)
        .count();
    let line = 1 + expected[..same]
        .iter()
        .filter(|&&byte| byte == b'\n')
        .count();
    format!("from line {line} on")
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
