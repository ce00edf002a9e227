//! `judge run`: plays a bot on many cases.

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use columns_cli::cases::CaseOptions;
use columns_cli::command::{self, Stopped};
use columns_cli::paths::{Format, Paths};
use columns_cli::{file, input, json, options, output, progress, stderr};
use columns_cli::{pins::Pins, pool::Pool, shell::quoted};
use columns_generator::Spec;
use columns_generator::seeds::{FILE_LIMIT, SeedList, SeedRange, file_name};
use columns_judge::cases::{self, Entry};
use columns_judge::process::{self, Limits};
use columns_judge::row::{FIELDS, Row};
use columns_judge::table::{self, Table};
use columns_judge::{bot::Bot, page, record::Record, report::Report, run::Run};
use columns_judge::{standing::Best, summary};
use jiff::Timestamp;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{collections::HashSet, fmt::Write as _, fs::File, num::NonZeroUsize};
use std::{process::ExitCode, time::Instant};
use tempfile::TempDir;

/// Play a bot on many cases, in parallel, under the contest's limits
///
/// Without --bot it plays the executable `bot` beside this one. A game over the time or memory
/// limit, an invalid plan or a crash scores 0 and makes the exit status 1. A `g` in the column
/// `colours` marks a palette that grows, or seems to grow in a case file.
///
/// With --json or --out, the same command resumes the run after any stop.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    judge run\n  \
    judge run --seeds 1..=100 --profile growing --json a.json\n  \
    judge run --seeds 1..=20 --open\n  \
    judge run --seeds 1..=100 --json b.json --comment 'wider beam' --best a.json\n  \
    judge run --in in --out out --bot 'target/release/bot --quickstart'")]
pub(crate) struct Options {
    /// Seeds to play: one seed, A..=B, or A..B, which excludes B [default: 1..=20]
    #[arg(short, long, value_name = "RANGE")]
    seeds: Option<SeedRange>,
    /// Read the seeds from a file: a seed or a range on each line, # for comments
    #[arg(long, value_name = "FILE", conflicts_with = "seeds")]
    seeds_file: Option<PathBuf>,
    /// Play the case files *.txt of this folder in the order of their numbers, instead of generated
    /// cases; with --seeds only the files of these seeds, such as 0001.txt for seed 1
    #[arg(long = "in", value_name = "DIR", conflicts_with = "CaseOptions")]
    folder: Option<PathBuf>,
    /// Command of the bot, which reads a case and prints a plan. No shell runs it: for pipes and
    /// variables use sh -c '...'
    #[arg(long, value_name = "CMD")]
    bot: Option<Bot>,
    /// Number of games at a time [default: the number of cores, divided by the bot's --threads]
    #[arg(short, long, value_name = "N", value_parser = options::jobs)]
    jobs: Option<NonZeroUsize>,
    /// Reserve processors for each game
    #[arg(long)]
    pin: bool,
    /// Folder for the output of the bot, in files named after the cases; without --json the results
    /// also go there, to report.json
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Folder for the standard error of the bot, the last 1 MiB of each game, in files named after
    /// the cases
    #[arg(long, value_name = "DIR")]
    err: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
    /// Write the results as JSON to a file, or to standard output; then the table goes to standard
    /// error. If the file has games of this run, the run is resumed
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    json: Option<PathBuf>,
    /// File for the games as lines of JSON, written as each game ends; - for standard output
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,
    /// Comment on this run, stored in its JSON and shown by `judge history`
    #[arg(long, value_name = "TEXT", requires = "json")]
    comment: Option<String>,
    /// Play the cases in a random order, so that the running mean soon approaches the final one
    #[arg(long)]
    shuffle: bool,
    /// Results of earlier runs; adds a column `relative`, the score as a percentage of the best known
    /// score
    #[arg(long, value_name = "FILE", num_args = 1..)]
    best: Vec<PathBuf>,
    /// Add a column for a number that the bot reports in a line `NAME = 5` on standard error; can be
    /// repeated
    #[arg(long, value_name = "NAME", value_parser = bot_number)]
    column: Vec<String>,
    /// At the end, list the games with the smallest values of this number: a field of a game in
    /// --json, such as score, or a number that the bot reports; -NAME lists the largest values
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    sort: Option<String>,
    /// Write a page with the cases, plans and results of this run, and open it
    #[arg(long)]
    open: bool,
    /// Page to fill with --open [default: columns.html beside this command, or the one that
    /// `cargo xtask viewer` has built]
    #[arg(long, value_name = "FILE", requires = "open")]
    page: Option<PathBuf>,
    #[command(flatten)]
    cases: CaseOptions,
}

/// Parses the name of a number that a bot reports.
fn bot_number(name: &str) -> Result<String, String> {
    if FIELDS.contains(&name) {
        return Err(format!(
            "the judge has its own {name}; the bot's number is called bot.{name}"
        ));
    }
    Ok(name.into())
}

impl Options {
    /// Returns the cases of the run, and the complete options that select them.
    fn cases(&self) -> Result<(Vec<Entry>, String)> {
        let spec = Spec::try_from(self.cases.0)?;
        let of_seed = |seed| match &self.folder {
            None => Entry::Generated(seed, spec),
            Some(folder) => Entry::File(folder.join(file_name(seed))),
        };
        let of_seeds = |seeds: SeedList| seeds.iter().map(of_seed).collect();
        let (cases, seeds): (Vec<_>, _) = match (&self.seeds_file, self.seeds, &self.folder) {
            (Some(path), ..) => {
                let seeds = input::parse(path, FILE_LIMIT)?;
                (of_seeds(seeds), format!("--seeds-file {}", quoted(path)))
            }
            (_, None, Some(folder)) => (cases::folder(folder)?, String::new()),
            (_, range, _) => {
                let range = range.map_or_else(|| DEFAULT_SEEDS.parse(), Ok)?;
                let seeds = range.try_into().context("--seeds")?;
                (of_seeds(seeds), format!("--seeds {range}"))
            }
        };
        // Report an invalid case now, not after an hour of play.
        for path in cases.iter().filter_map(Entry::file) {
            input::read_case(path)?;
        }
        let options = match &self.folder {
            None => format!("{seeds} {spec}"),
            Some(folder) => format!("--in {} {seeds}", quoted(folder)),
        };
        Ok((cases, options.trim_end().into()))
    }

    /// Returns the files given with --json and --jsonl.
    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.json.iter().chain(&self.jsonl)
    }

    /// Returns the file for the report: the file given with --json, or else report.json in the --out folder. `None` if no
    /// file receives the report.
    fn report(&self) -> Option<PathBuf> {
        let json = self.json.clone().filter(|path| !input::is_standard(path));
        json.or_else(|| Some(self.out.as_ref()?.join("report.json")))
    }

    /// Checks the files that the run reads and writes. A resumed run may replace its earlier output.
    fn check_paths(&self, run: &Run) -> Result<()> {
        let printed = self.files().filter(|path| input::is_standard(path));
        ensure!(
            printed.count() < 2,
            "standard output: expected either --json or --jsonl there, not both"
        );
        let report = self.report();
        let is_resumed = report.as_deref().is_some_and(Record::is_at);
        let format = |format| if is_resumed { Format::Own } else { format };
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

    /// Sets up a run of `cases` that writes its plans to the folder `out`.
    fn run(&self, cases: Vec<Entry>, out: Option<&Path>) -> Result<Run> {
        let bot = self.bot.clone().map_or_else(Bot::of_this_build, Ok)?;
        let threads = bot.threads();
        let default = (Pool::new(None).jobs() / threads).max(1);
        let pool = Pool::new(self.jobs.or(NonZeroUsize::new(default)));
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

    /// Prints a line about the run.
    ///
    /// Fails if the reader of standard output has closed it and the results go nowhere else.
    fn print(&self, text: &str) -> Result<()> {
        let line = format!("{text}\n");
        if self.files().any(|path| input::is_standard(path)) {
            stderr::log(text);
            Ok(())
        } else if self.open || self.report().is_some() || self.jsonl.is_some() {
            output::print(&line)
        } else {
            output::print_to_reader(&line)
        }
    }
}

/// The seeds of a run if the command line names no cases.
const DEFAULT_SEEDS: &str = "1..=20";
/// Template of the progress bar.
const BAR: &str = "{bar:40} {pos}/{len} games, {msg}, {eta} left";

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    let (cases, options) = args.cases()?;
    let folders = args.out.iter().chain(&args.err);
    let folders = folders.map(|path| file::make_folder(path));
    let _folders = folders.collect::<Result<Vec<_>>>()?;
    let find = || page::find(args.page.as_deref(), cases.len());
    let page = args.open.then(find).transpose()?;
    // The page contains the plans, so --open keeps them in a temporary folder.
    let plans = (args.open && args.out.is_none()).then(tempfile::tempdir);
    let plans = plans.transpose().context("a folder for the plans")?;
    let out = args.out.as_deref().or(plans.as_ref().map(TempDir::path));
    let run = args.run(cases, out)?;
    args.check_paths(&run)?;
    let mut report = run.head(options, args.comment.clone())?;
    let mut record = Record::open(args.report(), &report, &run.cases)?;
    command::on_interrupt(None, process::kill_all)?;
    report.started = Timestamp::now().to_string();
    let clock = Instant::now();
    let rows = play(args, &run, &mut record)?;
    report.elapsed_s = record.elapsed_s + clock.elapsed().as_secs_f64();
    report.end(rows, &run.cases);
    record.close(&report)?;
    print_results(args, &report)?;
    if report.interrupted {
        let (done, all) = (report.rows.len(), output::count(run.cases.len(), "game"));
        let mut place = format!("after {done} of {all}");
        if done > 0 && args.report().is_some() {
            place += "; to resume, give the same command again";
        }
        bail!(Stopped(place));
    }
    if let Some(page) = page {
        args.print(&page::open(&page, &run, &report)?)?;
    }
    Ok(ExitCode::from(u8::from(report.summary.failures() > 0)))
}

/// Prints the summary of a run and notes on its games, and the report for `--json -`. Prints nothing without games.
fn print_results(args: &Options, report: &Report) -> Result<()> {
    if report.rows.is_empty() {
        return Ok(());
    }
    if args.json.as_deref().is_some_and(input::is_standard) {
        output::print(&json::pretty(report)?)?;
    }
    let text = table::summary(&report.summary) + &notes(args, &report.rows);
    args.print(&format!("\n{}", text.trim_end()))
}

/// Formats notes on the games: the list for --sort, copies of a case, and columns without numbers.
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
        let _ = writeln!(notes, "copies   {}", names.join(" "));
    }
    for name in &args.column {
        if !rows.iter().any(|row| row.game.numbers.contains_key(name)) {
            let _ = writeln!(notes, "column   the bot reported no number {name:?}");
        }
    }
    notes
}

/// Plays the games that are not in the record, prints them, and appends each to the record and to the --jsonl file.
/// Returns all games, those of the record first.
fn play(args: &Options, run: &Run, record: &mut Record) -> Result<Vec<Row>> {
    let mut rows = std::mem::take(&mut record.kept);
    rows.retain(|row| run.has_output(&row.name));
    let mut games = args.jsonl.as_deref().map(open_games).transpose()?;
    let bar = progress::bar(run.cases.len() as u64, BAR);
    let mut sum = 0.0;
    let mut register = |row: &Row| {
        sum += row.relative.unwrap_or(row.game.score as f64);
        bar.inc(1);
        let mean = sum / bar.position() as f64;
        bar.set_message(match row.relative {
            Some(_) => format!("{mean:.2} % of the best"),
            None => format!("mean {mean:.1}"),
        });
        let Some((name, games)) = &mut games else {
            return Ok(());
        };
        let written = games.write_all(json::line(row)?.as_bytes());
        written.with_context(|| format!("{name}: cannot be written"))
    };
    for row in &mut rows {
        row.relative = run.best.as_ref().map(|best| best.relative(row));
        register(row)?;
    }
    let names: HashSet<&String> = rows.iter().map(|row| &row.name).collect();
    let is_missing = |case: &&Entry| !names.contains(&case.name());
    let mut missing: Vec<Entry> = run.cases.iter().filter(is_missing).cloned().collect();
    if args.shuffle {
        let random = RandomState::new();
        missing.sort_by_cached_key(|case| random.hash_one(case.name()));
    }
    if !rows.is_empty() {
        let all = output::count(run.cases.len(), "game");
        args.print(&format!("{} of {all} were played before", rows.len()))?;
    }
    let mut columns = args.column.clone();
    columns.extend(run.best.is_some().then(|| "relative".to_string()));
    let table = Table::new(run.cases.iter().map(Entry::name), columns);
    args.print(&table.header())?;
    let ended = |row: &Row| record.add(row).and_then(|()| register(row));
    let show = |row: &Row| args.print(&table.row(row));
    rows.extend(run.play(&missing, ended, show)?);
    Ok(rows)
}

/// Opens the --jsonl file, or standard output for `-`. Returns its name for messages, and a writer.
fn open_games(path: &Path) -> Result<(String, Box<dyn Write + Send>)> {
    if input::is_standard(path) {
        return Ok(("standard output".into(), Box::new(io::stdout())));
    }
    let name = path.display().to_string();
    let file = File::create(path).with_context(|| format!("{name}: cannot be written"))?;
    Ok((name, Box::new(file)))
}
