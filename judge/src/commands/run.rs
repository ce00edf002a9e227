//! `judge run`: a bot on many cases.

use anyhow::{ensure, Context, Result};
use clap::Args;
use columns_cli::command::{self, Stopped};
use columns_cli::paths::Paths;
use columns_cli::pool::Pool;
use columns_cli::{file, input, json, mistake, options, output, progress};
use columns_generator::args::SpecArgs;
use columns_generator::seeds::{file_name, SeedList, SeedRange, FILE_LIMIT};
use columns_generator::Spec;
use columns_judge::bot::Bot;
use columns_judge::cases::{self, Entry};
use columns_judge::page;
use columns_judge::process::{self, Limits};
use columns_judge::report::Report;
use columns_judge::row::Row;
use columns_judge::run::Run;
use columns_judge::standing::Best;
use columns_judge::summary::Summary;
use columns_judge::table::{self, Table};
use indicatif::ProgressBar;
use std::collections::HashMap;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;
use tempfile::TempDir;

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
    judge run --in in --out out --bot 'target/release/bot --quickstart'")]
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
    bot: Option<Bot>,
    /// Games at a time [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = options::jobs)]
    jobs: Option<NonZeroUsize>,
    /// Folder for what the bot prints, under the names of the case files
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
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
        let spec = Spec::try_from(self.spec)?;
        let of_seed = |seed| match &self.folder {
            None => Entry::Generated(seed, spec),
            Some(folder) => Entry::File(folder.join(file_name(seed))),
        };
        let of_seeds = |seeds: SeedList| seeds.iter().map(of_seed).collect();
        let (cases, seeds): (Vec<_>, _) = match (&self.seeds_file, self.seeds, &self.folder) {
            (Some(path), ..) => {
                let seeds = input::parse(path, FILE_LIMIT)?;
                (of_seeds(seeds), format!("--seeds-file {}", path.display()))
            }
            (_, None, Some(folder)) => (cases::folder(folder)?, String::new()),
            (_, range, _) => {
                let range = range.map_or_else(|| DEFAULT_SEEDS.parse(), Ok)?;
                let seeds = range.try_into().context("--seeds")?;
                (of_seeds(seeds), format!("--seeds {range}"))
            }
        };
        // Better now than after an hour of play.
        for path in cases.iter().filter_map(Entry::file) {
            input::read_case(path)?;
        }
        let options = match &self.folder {
            None => format!("{seeds} {spec}"),
            Some(folder) => format!("--in {} {seeds}", folder.display()),
        };
        Ok((cases, options.trim_end().into()))
    }

    /// The files of results.
    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.json.iter().chain(&self.jsonl)
    }

    /// Checks the files that are read and written.
    fn check_paths(&self, cases: &[Entry]) -> Result<()> {
        let is_printed = |path: &&PathBuf| input::is_standard(path);
        ensure!(
            self.files().filter(is_printed).count() < 2,
            "standard output: expected either --json or --jsonl there, not both"
        );
        let out = self.out.iter();
        let plans = out.flat_map(|out| cases.iter().map(|case| case.plan(out)));
        Paths::default()
            .read(cases.iter().filter_map(Entry::file))
            .read(self.seeds_file.iter().chain(&self.page).chain(&self.best))
            .written(self.files().filter(|path| !is_printed(path)))
            .written(plans)
            .check()
    }

    /// What to play, and how; the plans go to `out`.
    fn run(&self, cases: Vec<Entry>, out: Option<&Path>) -> Result<Run> {
        Ok(Run {
            bot: self.bot.clone().map_or_else(Bot::of_this_build, Ok)?,
            cases,
            limits: self.limits,
            pool: Pool::new(self.jobs),
            out: out.map(Path::to_path_buf),
            best: Best::read(&self.best)?,
        })
    }

    /// What shows text as the run goes on. It fails for a reader that has gone if the games are
    /// played for nobody else.
    fn printer(&self) -> fn(&str) -> Result<()> {
        if self.files().any(|path| input::is_standard(path)) {
            |text| {
                mistake::tell(text.trim_end());
                Ok(())
            }
        } else if self.open || self.out.is_some() || self.files().next().is_some() {
            output::print
        } else {
            output::print_to_reader
        }
    }
}

/// What `judge run` plays when it is not told.
const DEFAULT_SEEDS: &str = "1..=20";
/// The progress bar of a run.
const BAR: &str = "{bar:40} {pos}/{len} games, {msg}, {eta} left";

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    let (mut cases, options) = args.cases()?;
    let order: HashMap<String, usize> = cases.iter().map(Entry::name).zip(0..).collect();
    if args.shuffle {
        let random = RandomState::new();
        cases.sort_by_cached_key(|case| random.hash_one(case.name()));
    }
    let _folder = args.out.as_deref().map(file::make_folder).transpose()?;
    args.check_paths(&cases)?;
    let find = || page::find(args.page.as_deref(), cases.len());
    let page = args.open.then(find).transpose()?;
    // The page has the plans inside.
    let plans = (args.open && args.out.is_none()).then(tempfile::tempdir);
    let plans = plans.transpose().context("a folder for the plans")?;
    let out = args.out.as_deref().or(plans.as_ref().map(TempDir::path));
    let run = args.run(cases, out)?;
    let mut report = Report::new(&run, options, args.comment.clone())?;
    let (bar, print) = (progress::bar(run.cases.len() as u64, BAR), args.printer());
    let show = |text: &str| bar.suspend(|| print(&format!("{text}\n")));
    command::on_interrupt(process::kill_all)?;
    let clock = Instant::now();
    let rows = play(args, &run, &bar, show);
    bar.finish_and_clear();
    let mut rows = rows?;
    rows.sort_by_key(|row| order[&row.name]);
    let of = output::count(run.cases.len(), "game");
    let stopped = Stopped(format!("after {} of {of}", rows.len()));
    let interrupted = process::STOPPED.load(Ordering::Relaxed);
    if interrupted && rows.is_empty() {
        return Err(stopped.into());
    }
    report.summary = Summary::of(&rows, args.sort.as_deref());
    report.seeds = rows.iter().filter_map(|row| row.seed).collect();
    (report.rows, report.interrupted) = (rows, interrupted);
    report.elapsed_s = clock.elapsed().as_secs_f64();
    if let Some(path) = &args.json {
        output::give(path, &json::pretty(&report)?)?;
    }
    show(&format!("\n{}", table::summary(&report.summary).trim_end()))?;
    if let (Some(name), []) = (&args.sort, &report.summary.worst[..]) {
        show(&format!("worst    no game has a number {name:?}"))?;
    }
    if interrupted {
        return Err(stopped.into());
    }
    if let Some(page) = page {
        show(&page::open(&page, &run, &report)?)?;
    }
    Ok(ExitCode::from(u8::from(report.summary.failures() > 0)))
}

/// Plays the games, shows them, and adds each to the file of games.
fn play(
    args: &Options,
    run: &Run,
    bar: &ProgressBar,
    show: impl Fn(&str) -> Result<()>,
) -> Result<Vec<Row>> {
    let mut games = args.jsonl.as_deref().map(open_games).transpose()?;
    let mut sum = 0.0;
    let ended = |row: &Row| {
        sum += row.relative.unwrap_or(row.game.score as f64);
        bar.inc(1);
        let mean = sum / bar.position() as f64;
        bar.set_message(match row.relative {
            Some(_) => format!("{mean:.2} % of the best"),
            None => format!("mean {mean:.1}"),
        });
        let line = serde_json::to_string(row)? + "\n";
        games.as_mut().map_or(Ok(()), |(name, games)| {
            let added = games.write_all(line.as_bytes());
            added.with_context(|| format!("{name}: cannot be written"))
        })
    };
    let table = Table::new(run.cases.iter().map(Entry::name), args.column.clone());
    show(&table.header())?;
    run.play(ended, |row| show(&table.row(row)))
}

/// The file of games, or standard output, and its name.
fn open_games(path: &Path) -> Result<(String, Box<dyn Write + Send>)> {
    if input::is_standard(path) {
        return Ok(("standard output".into(), Box::new(io::stdout())));
    }
    let name = path.display().to_string();
    let file = File::create(path).with_context(|| format!("{name}: cannot be written"))?;
    Ok((name, Box::new(file)))
}
