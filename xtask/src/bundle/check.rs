//! Whether a submission is fit for the judge: its size, its compiler, its clock, its
//! memory; and whether it plays as the bot of the workspace does.

use crate::cases::{self, Named};
use anyhow::{Context, Result};
use columns_bot::contest;
use columns_bot::submission::{CPU, NODES};
use columns_cli::progress;
use columns_core::beam::Budget;
use columns_core::game;
use columns_core::isa;
use columns_core::plan::Plan;
use columns_judge::process::{play, End, Finished, Limits};
use columns_judge::verdict;
use serde::Serialize;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The progress bar of a series of games.
const BAR: &str = "{msg:<10}{bar:40} {pos} of {len}, {eta} left";
/// Most bytes that the judge takes (statement, section Submissions).
pub(crate) const MAX_BYTES: usize = 65_536;
/// Most bytes before it is time to think about room.
const GOAL_BYTES: usize = 60_000;
/// Most seconds for the compiler (statement, section Submissions).
const MAX_COMPILE: f64 = 60.0;
/// Most seconds of it that we want to need, since the judge's machine is unknown.
const GOAL_COMPILE: f64 = 30.0;
/// Time for a case (statement, section Limits).
const MAX_WALL: Duration = Duration::from_secs(4);
/// Memory for a case that we want to need, in bytes: a quarter of what the
/// judge gives (statement, section Limits).
const GOAL_MEMORY: u64 = 256 << 20;
/// Memory at which a run is killed: what the judge gives.
const MAX_MEMORY: u64 = 1024 << 20;
/// Time for a case with a budget of nodes, on a machine however slow.
const PATIENCE: Duration = Duration::from_mins(2);
/// How far the mean score may be from that of the workspace's bot.
const SCORE_TOLERANCE: f64 = 0.02;

/// How much slower than the workspace's bot, which is compiled with more care, it
/// may be before that is remarked on.
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

/// Why a submission is not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Fault {
    TooLarge,
    DoesNotCompile,
    CompilesTooSlowly,
    PlanDiffers,
    PlanIsInvalid,
    Fails,
    Late,
    TooMuchMemory,
    ScoreDiffers,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLarge => "too large",
            Self::DoesNotCompile => "does not compile",
            Self::CompilesTooSlowly => "compiles too slowly",
            Self::PlanDiffers => "plan differs",
            Self::PlanIsInvalid => "plan is invalid",
            Self::Fails => "fails",
            Self::Late => "late",
            Self::TooMuchMemory => "too much memory",
            Self::ScoreDiffers => "score differs",
        })
    }
}

/// A fault, and where it was seen.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Failure {
    pub(crate) fault: Fault,
    pub(crate) details: String,
}

/// What was seen.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Report {
    bytes: usize,
    bytes_left: isize,
    compilers: Vec<Compiled>,
    plans: Vec<Compared>,
    contest: Vec<Game>,
    pub(crate) failures: Vec<Failure>,
}

#[derive(Debug, Serialize)]
struct Compiled {
    version: String,
    seconds: f64,
}

/// Plans held against those of the workspace's bot.
#[derive(Debug, Serialize)]
struct Compared {
    same: usize,
    of: usize,
    /// Its time, in that of the workspace's bot.
    slower: f64,
}

/// A case played as in the contest.
#[derive(Debug, Serialize)]
struct Game {
    case: String,
    width: usize,
    height: usize,
    columns: usize,
    score: u64,
    wall_seconds: f64,
    peak_memory_mib: f64,
    /// What the workspace's bot scores, where it was asked.
    workspace_score: Option<u64>,
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
    // The judge calls the file as it likes.
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
        let remark = match bytes {
            ..=GOAL_BYTES => "",
            _ => " - WARNING: little room",
        };
        self.say(
            "size",
            &format!("{bytes} bytes of {MAX_BYTES}, {left} left{remark}"),
        );
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
        let start = Instant::now();
        let output = Command::new(compiler)
            .args(["--edition", "2021", "-O", "-o"])
            .arg(program)
            .arg(file)
            .output()
            .with_context(|| format!("the compiler {shown}"))?;
        let seconds = start.elapsed().as_secs_f64();
        let errors = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            // Lines may be long here; the first of each error says what it is.
            let first: Vec<&str> = errors.lines().filter(|l| l.starts_with("error")).collect();
            self.say("compile", &format!("{version}: {}", output.status));
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
        let mut paths = vec![("portable", isa::Path::Portable)];
        if isa::Path::detect() != isa::Path::Portable {
            paths.push(("detect", isa::Path::detect()));
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
        // An old compiler may leave hot code out of line.
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

    /// Plays as in the contest.
    fn contest(&mut self, program: &Path) -> Result<()> {
        let list = cases::of_contest(self.settings.cases);
        let bar = progress::bar(list.len() as u64, BAR).with_message("contest");
        for named in &list {
            if let Some(game) = self.game(program, named)? {
                self.report.contest.push(game);
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        self.report_contest(list.len());
        Ok(())
    }

    fn game(&mut self, program: &Path, (name, case): &Named) -> Result<Option<Game>> {
        let input = case.to_string();
        let played = run(program, &input, MAX_WALL, &[])?;
        match played.end {
            End::Exited => {}
            End::OutOfTime => {
                self.fail(
                    Fault::Late,
                    format!("{name}: killed, {}", seconds(played.wall)),
                );
                return Ok(None);
            }
            End::OutOfMemory => {
                let details = format!("{name}: killed, above {}", mib(MAX_MEMORY));
                self.fail(Fault::TooMuchMemory, details);
                return Ok(None);
            }
            _ => {
                self.fail(Fault::Fails, format!("{name}: {}", ended(&played)));
                return Ok(None);
            }
        }
        if played.wall > MAX_WALL {
            let wall = seconds(played.wall);
            let details = format!("{name}: {wall}, the judge gives {}", seconds(MAX_WALL));
            self.fail(Fault::Late, details);
        }
        if played.peak_memory > GOAL_MEMORY {
            let peak = mib(played.peak_memory);
            let details = format!("{name}: {peak}, at most {} are promised", mib(GOAL_MEMORY));
            self.fail(Fault::TooMuchMemory, details);
        }
        let score = match verdict::judge(case, &played.output) {
            Ok(outcome) => outcome.points,
            Err(error) => {
                self.fail(Fault::PlanIsInvalid, format!("{name}: {error:#}"));
                return Ok(None);
            }
        };
        let workspace_score = if self.settings.score {
            let start = Instant::now();
            let clock = || start.elapsed().as_secs_f64();
            let budget = Budget::Until(contest::SECONDS);
            let plan = contest::answer(input.as_bytes(), budget, &clock, isa::Path::detect())?;
            let plan = Plan::parse(&plan, case.width(), case.columns().len())?;
            Some(game::score(case, &plan).points)
        } else {
            None
        };
        Ok(Some(Game {
            case: name.clone(),
            width: case.width(),
            height: case.height(),
            columns: case.columns().len(),
            score,
            wall_seconds: played.wall.as_secs_f64(),
            peak_memory_mib: played.peak_memory as f64 / f64::from(1 << 20),
            workspace_score,
        }))
    }

    fn report_contest(&mut self, cases: usize) {
        let games = &self.report.contest;
        let mut lines = vec![format!(
            "{} of {cases} cases valid: case, size, columns, score, wall, peak memory",
            games.len()
        )];
        for game in games {
            lines.push(format!(
                "{:<8} {:>5} {:>6} {:>9} {:>6.2} s {:>4.0} MiB{}",
                game.case,
                format!("{}x{}", game.width, game.height),
                game.columns,
                game.score,
                game.wall_seconds,
                game.peak_memory_mib,
                match game.workspace_score {
                    Some(score) => format!("   workspace {score:>9}"),
                    None => String::new(),
                }
            ));
        }
        let most = |value: fn(&Game) -> f64| games.iter().map(value).fold(0.0, f64::max);
        lines.push(format!(
            "at most {:.2} s of {:.1}, {:.0} MiB of {}; mean score {:.0}",
            most(|game| game.wall_seconds),
            MAX_WALL.as_secs_f64(),
            most(|game| game.peak_memory_mib),
            MAX_MEMORY >> 20,
            mean(games.iter().map(|game| game.score)),
        ));
        let mut differs = None;
        if self.settings.score && !games.is_empty() {
            let own = mean(games.iter().filter_map(|game| game.workspace_score));
            let ratio = mean(games.iter().map(|game| game.score)) / own;
            let result = format!("the workspace's {own:.0}: {:+.2} %", 100.0 * (ratio - 1.0));
            // Not a number where all scores are 0.
            if (ratio - 1.0).abs() > SCORE_TOLERANCE {
                differs = Some(result.clone());
            }
            lines.push(result);
        }
        for (index, line) in lines.iter().enumerate() {
            self.say(if index == 0 { "contest" } else { "" }, line);
        }
        if let Some(details) = differs {
            self.fail(Fault::ScoreDiffers, details);
        }
    }
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
    let finished = play(&mut command, input.to_string(), limits)?;
    Ok(finished)
}

/// How a run that did not go well ended.
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

/// The line where two plans part.
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

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

fn mib(bytes: u64) -> String {
    format!("{} MiB", bytes >> 20)
}

fn mean(values: impl Iterator<Item = u64> + Clone) -> f64 {
    values.clone().sum::<u64>() as f64 / values.count().max(1) as f64
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
