//! `judge run`: a bot on many cases.

use super::screen::{Progress, Screen};
use anyhow::{ensure, Context, Result};
use clap::Args;
use columns_cli::command::{self, Stopped};
use columns_cli::options::{jobs, seconds};
use columns_cli::output::{self, print, print_to_reader};
use columns_cli::paths::Paths;
use columns_cli::pool::Pool;
use columns_cli::{file, input};
use columns_generator::args::SpecArgs;
use columns_generator::seeds::SeedRange;
use columns_generator::Spec;
use columns_judge::bot::Bot;
use columns_judge::cases::{self, Entry};
use columns_judge::page::Page;
use columns_judge::process::{self, Limits};
use columns_judge::report::Report;
use columns_judge::row::Row;
use columns_judge::run::Run;
use columns_judge::standing::Best;
use columns_judge::summary::Summary;
use columns_judge::table;
use std::collections::HashMap;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
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
    judge run --seeds 1..=100 --json b.json --comment 'wider beam' --best a.json\n  \
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
    #[arg(long = "in", value_name = "DIR", conflicts_with = "SpecArgs")]
    folder: Option<PathBuf>,
    /// The bot, a command and its options: reads a case, prints a plan. No shell runs it: for
    /// pipes and variables write sh -c '...'
    #[arg(long, value_name = "CMD")]
    bot: Option<String>,
    /// Games at a time [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = jobs)]
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
    /// going to standard error. An interrupted run has the games that have ended
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// File for the games as lines of JSON, each written when its game ends; - for standard output
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,
    /// What to remember of this run, kept in its JSON: `judge history` shows it
    #[arg(long, value_name = "TEXT", requires = "json")]
    comment: Option<String>,
    /// Play the cases in a random order, so that the running mean is soon that of all
    #[arg(long)]
    shuffle: bool,
    /// Results of earlier runs: tells the score of each game in percent of the best one known
    #[arg(long, value_name = "FILE", num_args = 1..)]
    best: Vec<PathBuf>,
    /// A column for this number that the bot tells, by a line `NAME = 5` on its standard error;
    /// may stand several times
    #[arg(long, value_name = "NAME")]
    column: Vec<String>,
    /// List the games with the least of this number last, as `worst`: of a field of a game in
    /// --json, such as score, or what the bot tells; with - before the name those with the most
    /// [default: games lost, then those that died, then the lowest relative scores]
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    sort: Option<String>,
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
        let (seeds, given) = match (self.seeds, &self.seeds_file) {
            (Some(range), _) => {
                let seeds = range.try_into().context("--seeds")?;
                (Some(seeds), format!("--seeds {range}"))
            }
            (_, Some(path)) => {
                let seeds = input::parse(path, SEEDS_LIMIT)?;
                (Some(seeds), format!("--seeds-file {}", path.display()))
            }
            _ => (None, String::new()),
        };
        let Some(folder) = &self.folder else {
            let spec = Spec::try_from(self.spec)?;
            let (seeds, given) = match seeds {
                Some(seeds) => (seeds, given),
                None => (DEFAULT_SEEDS.parse()?, format!("--seeds {DEFAULT_SEEDS}")),
            };
            return Ok((cases::generated(&seeds, &spec), format!("{given} {spec}")));
        };
        let cases = match seeds {
            Some(seeds) => cases::files_of_seeds(folder, &seeds),
            None => cases::folder(folder)?,
        };
        // Better now than after an hour of play.
        for entry in &cases {
            entry.load()?;
        }
        let options = format!("--in {} {given}", folder.display());
        Ok((cases, options.trim_end().into()))
    }

    /// The files of results.
    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.json.iter().chain(&self.jsonl)
    }

    /// Whether results go to standard output.
    fn to_stdout(&self) -> bool {
        self.files().any(|file| file.as_os_str() == "-")
    }

    /// Checks the files that are read and written.
    fn check_paths(&self, cases: &[Entry]) -> Result<()> {
        ensure!(
            !self.to_stdout() || self.json != self.jsonl,
            "standard output: expected either --json or --jsonl there, not both"
        );
        let out = self.out.iter();
        let plans = out.flat_map(|out| cases.iter().map(|case| case.plan(out)));
        Paths::default()
            .read(cases.iter().filter_map(Entry::file))
            .read(self.seeds_file.iter().chain(&self.page).chain(&self.best))
            .written(self.files())
            .written(plans)
            .check()
    }

    /// What to play, and how.
    fn run(&self, cases: Vec<Entry>, page: Option<&Page>) -> Result<Run> {
        Ok(Run {
            bot: match &self.bot {
                Some(line) => Bot::parse("--bot", line)?,
                None => Bot::of_this_build()?,
            },
            cases,
            limits: Limits {
                time: self.time_limit,
                memory: self.memory_limit << 20,
            },
            pool: Pool::new(self.jobs),
            out: page.map(|page| &page.out).or(self.out.as_ref()).cloned(),
            best: Best::read(&self.best)?,
        })
    }

    /// Writes the report to where it is wanted.
    fn keep(&self, report: &Report) -> Result<()> {
        match &self.json {
            None => Ok(()),
            Some(path) if path.as_os_str() == "-" => print(&report.to_json()?),
            Some(path) => file::write(path, report.to_json()?.as_bytes()),
        }
    }
}

/// What `judge run` plays when it is not told.
const DEFAULT_SEEDS: &str = "1..=20";
/// Most bytes of a file of seeds.
const SEEDS_LIMIT: u64 = 64 << 20;

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    let (mut cases, options) = args.cases()?;
    let names = cases.iter().map(|case| case.name.clone());
    let order: HashMap<String, usize> = names.zip(0..).collect();
    if args.shuffle {
        let random = RandomState::new();
        cases.sort_by_cached_key(|case| random.hash_one(&case.name));
    }
    let _folder = args.out.as_deref().map(file::make_folder).transpose()?;
    args.check_paths(&cases)?;
    let page = || Page::new(args.page.as_deref(), args.out.as_deref(), cases.len());
    let page = args.open.then(page).transpose()?;
    let run = args.run(cases, page.as_ref())?;
    let mut report = Report::new(&run, options, args.comment.clone());
    let kept = args.open || args.out.is_some() || args.files().next().is_some();
    let screen = Screen::new(&run.cases, &args.column, args.to_stdout(), kept);
    command::on_interrupt(process::kill_all)?;
    let clock = Instant::now();
    let mut rows = play(args, &run, &screen)?;
    rows.sort_by_key(|row| order[&row.name]);
    let of = output::count(run.cases.len(), "game");
    let stopped = Stopped(format!("after {} of {of}", rows.len()));
    let interrupted = process::stopped().load(Ordering::Relaxed);
    if interrupted && rows.is_empty() {
        return Err(stopped.into());
    }
    report.summary = Summary::of(&rows);
    if let Some(name) = &args.sort {
        report.summary.sort(&rows, name);
    }
    report.seeds = rows.iter().filter_map(|row| row.seed).collect();
    (report.rows, report.interrupted) = (rows, interrupted);
    report.elapsed_s = clock.elapsed().as_secs_f64();
    args.keep(&report)?;
    screen.line(&format!("\n{}", table::summary(&report.summary).trim_end()))?;
    if let (Some(name), []) = (&args.sort, &report.summary.worst[..]) {
        screen.line(&format!("worst    no game has a number {name:?}"))?;
    }
    if interrupted {
        return Err(stopped.into());
    }
    if let Some(page) = page {
        screen.line(&page.open(&run.cases, &report)?)?;
    }
    Ok(ExitCode::from(u8::from(report.summary.failures() > 0)))
}

/// Plays the games, shows them, and adds each to the file of games.
fn play(args: &Options, run: &Run, screen: &Screen) -> Result<Vec<Row>> {
    let bar = screen.bar.clone();
    let mut progress = Progress { bar, sum: 0.0 };
    let mut lines = None;
    let ended = |row: &Row| {
        progress.advance(row);
        let path = args.jsonl.as_deref();
        path.map_or(Ok(()), |path| add_line(path, &mut lines, row))
    };
    let played = run.play(ended, |row| screen.row(row));
    screen.bar.finish_and_clear();
    played
}

/// Adds a game to a file of games, which is opened for the first one: what cannot be played leaves
/// the file as it was.
fn add_line(path: &Path, file: &mut Option<File>, row: &Row) -> Result<()> {
    let line = serde_json::to_string(row)? + "\n";
    if path.as_os_str() == "-" {
        return print_to_reader(&line);
    }
    let mut add = || -> io::Result<()> {
        let file = match file {
            Some(file) => file,
            None => file.insert(File::create(path)?),
        };
        file.write_all(line.as_bytes())
    };
    add().with_context(|| format!("{}: cannot be written", path.display()))
}
