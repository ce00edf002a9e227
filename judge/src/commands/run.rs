//! `judge run`: a bot on many cases.

use super::history::FILE;
use super::page::Page;
use super::screen::Screen;
use anyhow::{Context, Error, Result};
use clap::Args;
use columns_cli::output::print;
use columns_cli::{file, input};
use columns_generator::args::SpecArgs;
use columns_generator::seeds::{SeedList, SeedRange};
use columns_generator::Spec;
use columns_judge::cases::{self, Entry};
use columns_judge::history::{History, Past};
use columns_judge::process::{seconds, Limits};
use columns_judge::report::{Host, Report, FORMAT};
use columns_judge::run::{Bot, Run};
use columns_judge::summary::Summary;
use columns_judge::table;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
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
    judge run --seeds 1..=100 --shuffle --comment 'wider beam'\n  \
    judge run --in in --out out --bot 'target/release/bot --strategy quickstart'")]
pub(crate) struct Options {
    /// Seeds to play: one seed, A..=B, or A..B which leaves out B [default: 1..=20]
    #[arg(short, long, value_name = "RANGE")]
    seeds: Option<SeedRange>,
    /// Read the seeds from a file: a seed or a range on each line, # for comments
    #[arg(long, value_name = "FILE", conflicts_with = "seeds")]
    seeds_file: Option<PathBuf>,
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
    #[arg(long, value_name = "SECONDS", default_value = "4", value_parser = seconds)]
    time_limit: Duration,
    /// Memory for a game, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024,
        value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory_limit: u64,
    /// File for the results as JSON; - for standard output, the table then
    /// going to standard error
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Play the cases in a random order, so that the running mean is soon that of all
    #[arg(long)]
    shuffle: bool,
    /// Keep this run, with a comment: `judge history` lists all, against the best scores
    #[arg(long, value_name = "TEXT")]
    comment: Option<String>,
    /// Where runs are kept
    #[arg(long, value_name = "FILE", default_value = FILE, requires = "comment")]
    history: PathBuf,
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
    /// The seeds, if they are given, and the option that gives them.
    fn seeds(&self) -> Result<Option<(SeedList, String)>> {
        Ok(match (self.seeds, &self.seeds_file) {
            (Some(seeds), _) => Some((seeds.into(), format!("--seeds {seeds}"))),
            (_, Some(path)) => {
                let seeds = input::read(path, SEEDS_LIMIT)?.parse();
                let seeds = seeds.with_context(|| input::name(path))?;
                Some((seeds, format!("--seeds-file {}", path.display())))
            }
            (None, None) => None,
        })
    }

    /// The cases, and the options that ask for them in full.
    fn cases(&self) -> Result<(Vec<Entry>, String)> {
        let seeds = self.seeds()?;
        let Some(folder) = &self.folder else {
            let default = || Ok((DEFAULT_SEEDS.parse()?, format!("--seeds {DEFAULT_SEEDS}")));
            let (seeds, given) = seeds.map_or_else(default, Ok::<_, Error>)?;
            let spec = Spec::try_from(self.spec)?;
            return Ok((cases::generated(&seeds, &spec)?, format!("{given} {spec}")));
        };
        let shown = folder.display();
        let (cases, options) = match seeds {
            Some((seeds, given)) => (
                cases::files_of_seeds(folder, &seeds)?,
                format!("--in {shown} {given}"),
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
/// Most bytes of a file of seeds.
const SEEDS_LIMIT: u64 = 64 << 20;

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    let (mut cases, options) = args.cases()?;
    let order: HashMap<String, usize> = cases
        .iter()
        .map(|case| case.name.clone())
        .zip(0..)
        .collect();
    if args.shuffle {
        let random = RandomState::new();
        cases.sort_by_cached_key(|case| random.hash_one(&case.name));
    }
    let mut history = match &args.comment {
        Some(_) => {
            file::check_writable(&args.history)?;
            History::read(&args.history)?
        }
        None => History::default(),
    };
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
    let played = run.play(
        |row| show.advance(row.score),
        |row| show.line(&show.table.row(row)),
    );
    show.bar.finish_and_clear();
    let mut rows = played?;
    rows.sort_by_key(|row| order[&row.name]);
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
    if let Some(comment) = &args.comment {
        history.add(&args.history, Past::of(&report, comment))?;
    }
    show.line(&format!("\n{}", table::summary(&report.summary).trim_end()))?;
    if args.comment.is_some() {
        show.line(&history.last())?;
    }
    if let Some(page) = page {
        show.line(&page.open(&run.cases, &report)?)?;
    }
    Ok(ExitCode::from(u8::from(report.summary.failures() > 0)))
}
