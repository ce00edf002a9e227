//! The command `judge`.

use anyhow::{bail, Context, Result};
use clap::{Args, Parser, Subcommand};
use columns_cli::mistake::complain;
use columns_cli::output::print;
use columns_cli::{command, file, input};
use columns_generator::args::SpecArgs;
use columns_generator::seeds::SeedRange;
use columns_judge::cases::{self, Entry};
use columns_judge::compare::Comparison;
use columns_judge::page;
use columns_judge::process::{kill_all, seconds, Limits};
use columns_judge::report::{Host, Report, FORMAT};
use columns_judge::run::{Bot, Run};
use columns_judge::summary::Summary;
use columns_judge::table::{self, Table};
use columns_judge::verdict;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How this command calls itself.
const NAME: &str = "judge";

/// Scores plans and plays bots over many cases of the Columns Game.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Example: judge run --seeds 1..=20\n\n\
        Exit status: 0 if all is well, 1 for an invalid plan or a lost game, 2 for bad input."
)]
struct Cli {
    #[command(subcommand)]
    command: Cmd,
}

#[derive(Debug, Subcommand)]
enum Cmd {
    Score(ScoreArgs),
    Run(Box<RunArgs>),
    Compare(CompareArgs),
}

/// Score one plan: `Score = N` on standard error.
///
/// An invalid plan scores 0; the reason is on standard error and the exit
/// status is 1.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    judge score in/0001.txt out/0001.txt\n  \
    bot < in/0001.txt | judge score --json in/0001.txt -")]
struct ScoreArgs {
    /// The case, a file; - for standard input
    case: PathBuf,
    /// The plan that a bot printed, a file; - for standard input
    plan: PathBuf,
    /// Print the outcome as a JSON object on standard output
    #[arg(long)]
    json: bool,
}

/// Play a bot on many cases, in parallel, under the contest's limits.
///
/// Without --bot it is the executable `bot` beside this one. A game over the time
/// or memory limit, an invalid plan or a crash scores 0 and makes the exit status
/// 1. The column `colours` has a `g` where the palette seems to grow.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    judge run\n  \
    judge run --seeds 1..=100 --profile growing --json a.json\n  \
    judge run --seeds 1..=20 --open\n  \
    judge run --in in --out out --bot 'target/release/bot --strategy quickstart'")]
struct RunArgs {
    /// Seeds to play: one seed, A..=B, or A..B which leaves out B [default: 1..=20]
    #[arg(long, value_name = "RANGE")]
    seeds: Option<SeedRange>,
    /// Play case files instead of generated cases: all *.txt of this folder in the
    /// order of their numbers, or with --seeds only 0001.txt for seed 1 and so on
    #[arg(long = "in", value_name = "DIR", conflicts_with_all = [
        "profile", "width", "height", "columns", "colours", "palette", "magic_rate"])]
    folder: Option<PathBuf>,
    /// The bot, a command line: reads a case, prints a plan
    #[arg(long, value_name = "CMD")]
    bot: Option<String>,
    /// Games at a time [default: the number of cores]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Folder for what the bot prints, under the names of the case files
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Wall time for a game, in seconds; the bot is not told
    #[arg(long, value_name = "S", default_value = "4", value_parser = seconds)]
    time_limit: Duration,
    /// Memory for a game, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024,
        value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory_limit: u64,
    /// File for the results as JSON; - for standard output, the table then
    /// going to standard error
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Make a page with the cases, plans and results inside, and open it
    #[arg(long)]
    open: bool,
    /// The page to put them into [default: columns.html beside this command, or the one
    /// that `cargo xtask viewer` has made]
    #[arg(long, value_name = "FILE", requires = "open")]
    page: Option<PathBuf>,
    #[command(flatten)]
    spec: SpecArgs,
}

impl RunArgs {
    /// The cases, and the options that ask for them in full.
    fn cases(&self) -> Result<(Vec<Entry>, String)> {
        let Some(folder) = &self.folder else {
            let seeds = self.seeds.unwrap_or(DEFAULT_SEEDS.parse()?);
            let spec = self.spec.spec()?;
            let options = format!("--seeds {seeds} {spec}");
            return Ok((cases::generated(seeds, &spec)?, options));
        };
        let shown = folder.display();
        let (cases, options) = match self.seeds {
            Some(seeds) => (
                cases::files_of_seeds(folder, seeds)?,
                format!("--in {shown} --seeds {seeds}"),
            ),
            None => (cases::folder(folder)?, format!("--in {shown}")),
        };
        // Better now than after an hour of play.
        for entry in &cases {
            entry.load()?;
        }
        Ok((cases, options))
    }
}

/// What `judge run` plays when it is not told.
const DEFAULT_SEEDS: &str = "1..=20";

/// Compare two runs case by case: how B does against A.
///
/// `log score` is the change of the mean logarithm of the score, every case
/// counting alike; `score` is that of the sum of scores, which the contest ranks
/// by. Both have 95 % intervals by Student's t; p is that of Wilcoxon's
/// signed-rank test, two-sided.
#[derive(Debug, Args)]
#[command(after_help = "Example: judge compare a.json b.json")]
struct CompareArgs {
    /// Results of a run, from `judge run --json`
    a: PathBuf,
    /// Results of another run over the same cases
    b: PathBuf,
    /// Print the comparison as a JSON object
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    command::main(NAME, |cli: Cli| match cli.command {
        Cmd::Score(args) => score(&args),
        Cmd::Run(args) => run(&args),
        Cmd::Compare(args) => compare(&args),
    })
}

fn to_json(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// What `judge score --json` prints.
#[derive(Debug, Serialize)]
struct ScoreJson {
    score: u64,
    columns: usize,
    placed: Option<usize>,
    ended_early: Option<bool>,
    longest_chain: Option<usize>,
    invalid: Option<String>,
}

fn score(args: &ScoreArgs) -> Result<ExitCode> {
    if args.case.as_os_str() == "-" && args.plan.as_os_str() == "-" {
        bail!("standard input: expected either the case or the plan there, not both");
    }
    let case = input::read_case(&args.case)?;
    let output = input::read_start(&args.plan, verdict::OUTPUT_LIMIT)?;
    let judged = verdict::judge(&case, &output);
    let outcome = judged.as_ref().ok();
    let points = outcome.map_or(0, |outcome| outcome.points);
    let _ = writeln!(io::stderr(), "Score = {points}");
    let invalid = judged
        .as_ref()
        .err()
        .map(|reason| format!("{}: {reason:#}", input::name(&args.plan)));
    if let Some(reason) = &invalid {
        complain(NAME, reason);
    }
    if args.json {
        print(&to_json(&ScoreJson {
            score: points,
            columns: case.columns().len(),
            placed: outcome.map(|outcome| outcome.placed),
            ended_early: outcome.map(|outcome| outcome.ended_early),
            longest_chain: outcome.map(|outcome| outcome.longest_chain),
            invalid: invalid.clone(),
        })?)?;
    }
    Ok(ExitCode::from(u8::from(invalid.is_some())))
}

fn run(args: &RunArgs) -> Result<ExitCode> {
    let (cases, options) = args.cases()?;
    let bot = match &args.bot {
        Some(line) => Bot::parse("--bot", line)?,
        None => Bot::of_this_build()?,
    };
    if let Some(out) = &args.out {
        std::fs::create_dir_all(out).with_context(|| input::name(out))?;
    }
    let json_to_stdout = args
        .json
        .as_ref()
        .is_some_and(|path| path.as_os_str() == "-");
    if let (Some(path), false) = (&args.json, json_to_stdout) {
        file::check_writable(path)?;
    }
    let page = args
        .open
        .then(|| Page::new(args, cases.len()))
        .transpose()?;
    let host = Host::here();
    let jobs = args.jobs.map_or(host.threads, usize::from);
    let run = Run {
        bot,
        cases,
        limits: Limits {
            time: args.time_limit,
            memory: args.memory_limit << 20,
        },
        jobs,
        out: match &page {
            Some(page) => Some(page.out.clone()),
            None => args.out.clone(),
        },
    };
    let started = jiff::Timestamp::now();
    let clock = Instant::now();
    let show = Screen::new(&run.cases, json_to_stdout);
    show.stop_on_interrupt()?;
    show.line(&show.table.header())?;
    let played = run.play(|| show.advance(), |row| show.line(&show.table.row(row)));
    show.bar.finish_and_clear();
    let rows = played?;
    let elapsed = clock.elapsed();
    let report = Report {
        format: FORMAT,
        judge: env!("CARGO_PKG_VERSION").into(),
        bot_version: args.bot.is_none().then(|| run.bot.version()).flatten(),
        bot: run.bot.to_string(),
        seeds: rows.iter().filter_map(|row| row.seed).collect(),
        cases: options,
        time_limit_s: args.time_limit.as_secs_f64(),
        memory_limit_mib: args.memory_limit,
        jobs,
        host,
        started: started.to_string(),
        elapsed_s: elapsed.as_secs_f64(),
        summary: Summary::of(&rows),
        rows,
    };
    if let Some(path) = &args.json {
        let json = report.to_json()?;
        if json_to_stdout {
            print(&json)?;
        } else {
            file::write(path, json.as_bytes())?;
        }
    }
    show.line(&format!("\n{}", table::summary(&report.summary).trim_end()))?;
    if let Some(page) = page {
        show.line(&page.open(&run.cases, &report)?)?;
    }
    Ok(ExitCode::from(u8::from(report.summary.failures() > 0)))
}

/// The page that a run ends with.
struct Page {
    text: String,
    /// Where the bot's plans are kept, for as long as the run lasts if nobody wants them.
    out: PathBuf,
    _folder: Option<tempfile::TempDir>,
}

impl Page {
    fn new(args: &RunArgs, cases: usize) -> Result<Self> {
        if cases > page::MOST {
            bail!(
                "--open: expected at most {} cases, found {cases}",
                page::MOST
            );
        }
        let text = page::find(args.page.as_deref())?;
        let folder = match args.out {
            Some(_) => None,
            None => Some(tempfile::tempdir().context("a folder for the plans")?),
        };
        let own = folder.as_ref().map(|folder| folder.path().to_path_buf());
        Ok(Self {
            text,
            out: args.out.clone().or(own).unwrap_or_default(),
            _folder: folder,
        })
    }

    /// Writes the page and opens it; a line that says where it is.
    fn open(&self, cases: &[Entry], report: &Report) -> Result<String> {
        let filled = page::fill(&self.text, cases, &self.out, report)?;
        let started: String = report
            .started
            .chars()
            .filter(char::is_ascii_digit)
            .take(14)
            .collect();
        let path = std::env::temp_dir().join(format!("columns-run-{started}.html"));
        file::write(&path, filled.as_bytes())?;
        let shown = path.display();
        Ok(match open::that(&path) {
            Ok(()) => format!("page     {shown}"),
            Err(error) => {
                format!("page     {shown}: open it in a browser (nothing here does: {error})")
            }
        })
    }
}

/// Where the rows of a run appear: above a progress bar on a terminal.
struct Screen {
    table: Table,
    bar: ProgressBar,
    games: usize,
    finished: Arc<AtomicUsize>,
    to_stderr: bool,
}

impl Screen {
    fn new(cases: &[Entry], to_stderr: bool) -> Self {
        let bar = if io::stderr().is_terminal() {
            let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} left")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(cases.len() as u64).with_style(style);
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        } else {
            ProgressBar::hidden()
        };
        Self {
            table: Table::new(cases.iter().map(|entry| entry.name.as_str())),
            bar,
            games: cases.len(),
            finished: Arc::default(),
            to_stderr,
        }
    }

    /// On Ctrl-C or a request to end: no bot stays behind and no file is
    /// half-written.
    fn stop_on_interrupt(&self) -> Result<()> {
        let finished = Arc::clone(&self.finished);
        let games = self.games;
        ctrlc::set_handler(move || {
            let _no_process = kill_all();
            let _no_file = file::pause_writing();
            if io::stderr().is_terminal() {
                // The progress bar is still on the line.
                let _ = write!(io::stderr(), "\r\x1b[K");
            }
            let finished = finished.load(Ordering::Relaxed);
            complain(
                NAME,
                &format!("interrupted after {finished} of {games} games"),
            );
            std::process::exit(130);
        })
        .context("cannot watch for Ctrl-C")
    }

    fn advance(&self) {
        self.finished.fetch_add(1, Ordering::Relaxed);
        self.bar.inc(1);
    }

    fn line(&self, line: &str) -> Result<()> {
        self.bar.suspend(|| {
            if self.to_stderr {
                writeln!(io::stderr(), "{line}").context("standard error")
            } else {
                print(&format!("{line}\n"))
            }
        })
    }
}

fn compare(args: &CompareArgs) -> Result<ExitCode> {
    let (a, b) = (Report::read(&args.a)?, Report::read(&args.b)?);
    let comparison = Comparison::of(&a, &b)
        .with_context(|| format!("{} and {}", input::name(&args.a), input::name(&args.b)))?;
    if args.json {
        print(&to_json(&comparison)?)?;
    } else {
        print(&comparison.to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}
