//! `judge run`: a bot on many cases.

use anyhow::{bail, ensure, Context, Result};
use clap::Args;
use columns_cli::command::{self, Stopped};
use columns_cli::paths::{Format, Paths};
use columns_cli::pins::Pins;
use columns_cli::pool::Pool;
use columns_cli::{file, input, json, mistake, options, output, progress};
use columns_generator::args::SpecArgs;
use columns_generator::seeds::{file_name, SeedList, SeedRange, FILE_LIMIT};
use columns_generator::Spec;
use columns_judge::bot::Bot;
use columns_judge::cases::{self, Entry};
use columns_judge::page;
use columns_judge::process::{self, Limits};
use columns_judge::record::{self, Record};
use columns_judge::row::{Row, FIELDS};
use columns_judge::run::Run;
use columns_judge::standing::Best;
use columns_judge::summary;
use columns_judge::table::{self, Table};
use indicatif::ProgressBar;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use tempfile::TempDir;

/// Play a bot on many cases, in parallel, under the contest's limits
///
/// Without --bot it is the executable `bot` beside this one. A game over the time
/// or memory limit, an invalid plan or a crash scores 0 and makes the exit status
/// 1. The column `colours` has a `g` where the palette seems to grow.
///
/// With --json or --out the same command continues after any stop.
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
    /// Games at a time [default: the number of cores, divided by N for a bot with --threads N]
    #[arg(short, long, value_name = "N", value_parser = options::jobs)]
    jobs: Option<NonZeroUsize>,
    /// Give each game processors of its own
    #[arg(long)]
    pin: bool,
    /// Folder for what the bot prints, under the names of the case files; without --json it has
    /// the results too, in report.json
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Folder for what the bot writes to standard error, at most 1 MiB of each game, under the
    /// names of the case files
    #[arg(long, value_name = "DIR")]
    err: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
    /// Give the results as JSON, in a file or on standard output, the table then going to standard
    /// error. A file with games of this run is continued
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
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
    /// Results of earlier runs: a column `relative` has the score in percent of the best one known
    #[arg(long, value_name = "FILE", num_args = 1..)]
    best: Vec<PathBuf>,
    /// A column for this number that the bot reports, by a line `NAME = 5` on its standard error;
    /// may stand several times
    #[arg(long, value_name = "NAME", value_parser = bot_number)]
    column: Vec<String>,
    /// At the end list the games with the least of this number: a field of a game in --json, such
    /// as score, or a number that the bot reports; with - before the name those with the most
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

/// Reads the name of a number that a bot reports.
fn bot_number(name: &str) -> Result<String, String> {
    if FIELDS.contains(&name) {
        return Err(format!(
            "the judge has its own {name}; that of the bot is bot.{name}"
        ));
    }
    Ok(name.into())
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

    /// The file for the report, if it is kept: of --json, or else in the folder of --out.
    fn report(&self) -> Option<PathBuf> {
        let json = self.json.clone().filter(|path| !input::is_standard(path));
        json.or_else(|| Some(self.out.as_ref()?.join("report.json")))
    }

    /// Checks the files that are read and written. A run that continues replaces what it has printed before.
    fn check_paths(&self, run: &Run) -> Result<()> {
        let printed = self.files().filter(|path| input::is_standard(path));
        ensure!(
            printed.count() < 2,
            "standard output: expected either --json or --jsonl there, not both"
        );
        let report = self.report();
        let continues = report.as_deref().is_some_and(Record::is_at);
        let format = |format| if continues { Format::Own } else { format };
        let plans = |folder: &PathBuf| -> Vec<_> {
            run.cases.iter().map(|case| case.plan(folder)).collect()
        };
        let games = self.jsonl.iter().filter(|path| !input::is_standard(path));
        Paths::default()
            .read(run.cases.iter().filter_map(Entry::file))
            .read(self.seeds_file.iter().chain(&self.page).chain(&self.best))
            .read(run.bot.files())
            .written(Format::Own, &report)
            .written(Format::Json(&["points_per_column"]), games)
            .written(format(Format::Plan), self.out.iter().flat_map(plans))
            .written(format(Format::Any), self.err.iter().flat_map(plans))
            .check()
    }

    /// What to play, and how; the plans go to `out`.
    fn run(&self, cases: Vec<Entry>, out: Option<&Path>) -> Result<Run> {
        let bot = self.bot.clone().map_or_else(Bot::of_this_build, Ok)?;
        let threads = bot.threads();
        let usual = (Pool::new(None).jobs() / threads).max(1);
        let pool = Pool::new(self.jobs.or(NonZeroUsize::new(usual)));
        let pins = self.pin.then(|| Pins::new(pool.jobs(), threads));
        Ok(Run {
            bot,
            cases,
            limits: self.limits,
            pins: pins.transpose()?,
            pool,
            out: out.map(Path::to_path_buf),
            err: self.err.clone(),
            best: Best::read(&self.best)?,
        })
    }

    /// Prints a line about the run. Fails if the reader of standard output has gone and the run has no other result.
    fn print(&self, text: &str) -> Result<()> {
        let line = format!("{text}\n");
        if self.files().any(|path| input::is_standard(path)) {
            mistake::tell(text);
            Ok(())
        } else if self.open || self.report().is_some() || self.jsonl.is_some() {
            output::print(&line)
        } else {
            output::print_to_reader(&line)
        }
    }
}

/// What `judge run` plays without options.
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
    let folders = args.out.iter().chain(&args.err);
    let _folders: Vec<_> = folders
        .map(|path| file::make_folder(path))
        .collect::<Result<_>>()?;
    let find = || page::find(args.page.as_deref(), cases.len());
    let page = args.open.then(find).transpose()?;
    // The page has the plans inside.
    let plans = (args.open && args.out.is_none()).then(tempfile::tempdir);
    let plans = plans.transpose().context("a folder for the plans")?;
    let out = args.out.as_deref().or(plans.as_ref().map(TempDir::path));
    let run = args.run(cases, out)?;
    args.check_paths(&run)?;
    let mut report = run.head(options, args.comment.clone())?;
    let mut record = Record::open(args.report(), &report, &run.cases)?;
    let bar = progress::bar(run.cases.len() as u64, BAR);
    let show = |text: &str| bar.suspend(|| args.print(text));
    command::on_interrupt(process::kill_all)?;
    let clock = Instant::now();
    let rows = play(args, &run, &mut record, &bar, show);
    bar.finish_and_clear();
    let mut rows = rows?;
    rows.sort_by_key(|row| order[&row.name]);
    report.elapsed_s = record.elapsed_s + clock.elapsed().as_secs_f64();
    report.end(rows, run.cases.len());
    record.close(&report)?;
    let done = report.rows.len();
    if done > 0 {
        if args.json.as_deref().is_some_and(input::is_standard) {
            output::print(&json::pretty(&report)?)?;
        }
        let text = table::summary(&report.summary) + &notes(args, &report.rows);
        show(&format!("\n{}", text.trim_end()))?;
    }
    if report.interrupted {
        let all = output::count(run.cases.len(), "game");
        let mut place = format!("after {done} of {all}");
        if done > 0 && args.report().is_some() {
            place += "; to continue, give the same command again";
        }
        bail!(Stopped(place));
    }
    if let Some(page) = page {
        show(&page::open(&page, &run, &report)?)?;
    }
    Ok(ExitCode::from(u8::from(report.summary.failures() > 0)))
}

/// Lines about the games: those with the least of a number, copies of a case, columns without a number.
fn notes(args: &Options, rows: &[Row]) -> String {
    let mut notes = String::new();
    if let Some(sort) = &args.sort {
        let most = sort.strip_prefix('-').map(|name| ("most", name, -1.0));
        let (what, name, sign) = most.unwrap_or(("least", sort, 1.0));
        let games = summary::least(rows, |row| Some(sign * row.number(name)?));
        let _ = match &games[..] {
            [] => writeln!(notes, "{what:<8} no game has a number {name:?}"),
            games => writeln!(notes, "{what:<8} {name}: {}", games.join(" ")),
        };
    }
    for names in summary::copies(rows) {
        let _ = writeln!(notes, "one case {}", names.join(" "));
    }
    for name in &args.column {
        if !rows.iter().any(|row| row.game.numbers.contains_key(name)) {
            let _ = writeln!(notes, "column   the bot reported no number {name:?}");
        }
    }
    notes
}

/// Plays the games that are not in the record, shows them, and adds each to the files. Returns all.
fn play(
    args: &Options,
    run: &Run,
    record: &mut Record,
    bar: &ProgressBar,
    show: impl Fn(&str) -> Result<()>,
) -> Result<Vec<Row>> {
    let mut rows = std::mem::take(&mut record.kept);
    rows.retain(|row| run.has_output(&row.name));
    let mut games = args.jsonl.as_deref().map(open_games).transpose()?;
    let mut sum = 0.0;
    let mut count = |row: &Row| {
        sum += row.relative.unwrap_or(row.game.score as f64);
        bar.inc(1);
        let mean = sum / bar.position() as f64;
        bar.set_message(match row.relative {
            Some(_) => format!("{mean:.2} % of the best"),
            None => format!("mean {mean:.1}"),
        });
        let file = games.as_mut();
        file.map_or(Ok(()), |(name, games)| record::append(games, name, row))
    };
    for row in &mut rows {
        row.relative = run.best.as_ref().map(|best| best.relative(row));
        count(row)?;
    }
    let names: HashSet<&String> = rows.iter().map(|row| &row.name).collect();
    let is_missing = |case: &&Entry| !names.contains(&case.name());
    let missing: Vec<Entry> = run.cases.iter().filter(is_missing).cloned().collect();
    if !rows.is_empty() {
        let all = output::count(run.cases.len(), "game");
        show(&format!("{} of {all} are there already", rows.len()))?;
    }
    let mut columns = args.column.clone();
    columns.extend(run.best.is_some().then(|| "relative".to_string()));
    let table = Table::new(run.cases.iter().map(Entry::name), columns);
    show(&table.header())?;
    let ended = |row: &Row| record.add(row).and_then(|()| count(row));
    let played = run.play(&missing, ended, |row| show(&table.row(row)))?;
    rows.extend(played);
    Ok(rows)
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
