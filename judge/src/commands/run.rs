//! `judge run`: a bot on many cases.

use super::page::Page;
use super::screen::Screen;
use anyhow::{Context, Result};
use clap::Args;
use columns_cli::output::print;
use columns_cli::{file, input};
use columns_generator::args::SpecArgs;
use columns_generator::seeds::SeedRange;
use columns_generator::Spec;
use columns_judge::cases::{self, Entry};
use columns_judge::process::{seconds, Limits};
use columns_judge::report::{Host, Report, FORMAT};
use columns_judge::run::{Bot, Run};
use columns_judge::summary::Summary;
use columns_judge::table;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Play a bot on many cases, in parallel, under the contest's limits
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
pub(crate) struct Options {
    /// Seeds to play: one seed, A..=B, or A..B which leaves out B [default: 1..=20]
    #[arg(short, long, value_name = "RANGE")]
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
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Folder for what the bot prints, under the names of the case files
    #[arg(short, long, value_name = "DIR")]
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

impl Options {
    /// The cases, and the options that ask for them in full.
    fn cases(&self) -> Result<(Vec<Entry>, String)> {
        let Some(folder) = &self.folder else {
            let seeds = self.seeds.unwrap_or(DEFAULT_SEEDS.parse()?);
            let spec = Spec::try_from(self.spec)?;
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

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
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
        .then(|| Page::new(args.page.as_deref(), args.out.as_deref(), cases.len()))
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
        bot_version: run.bot.version(),
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
