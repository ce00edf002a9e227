//! `judge run`: plays a bot on many cases, and keeps the run.

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use columns_cases::digest::Digest;
use columns_cases::seeds::{MAX_FILE_BYTES, SeedList, SeedRange};
use columns_cli::command::{self, Interrupted};
use columns_cli::output::{self, count_text};
use columns_cli::pool::{Pool, PoolOptions};
use columns_cli::shell::quote_path;
use columns_cli::stderr::{self, to_one_line};
use columns_cli::{input, json, options, progress};
use columns_generator::Spec;
use columns_generator_command::CaseOptions;
use columns_judge::arena::process::{FinishedProcess, Limits};
use columns_judge::best::{BestScores, BestTracker};
use columns_judge::bot::Bot;
use columns_judge::cases::{self, CaseEntry, Cases};
use columns_judge::config::Config;
use columns_judge::games::GameRunner;
use columns_judge::head::Head;
use columns_judge::program::{Program, files::join_paths};
use columns_judge::row::Row;
use columns_judge::store::{self, Run, RunWriter, Store};
use columns_judge::table::{self, Table};
use serde_json::json;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Play a bot on many cases, in parallel, under the contest's limits, and keep the run
///
/// Without --bot, the judge plays the bot of columns.toml, or else the executable `bot` beside this one. A
/// game fails if the bot exceeds a limit, crashes, or prints an invalid plan; it scores 0, and the exit
/// status is 1. A `g` in the column `colours` marks a palette that grows.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    judge run\n  \
    judge run --seeds 1..=100 --profile growing --name wider --comment 'twice the width'\n  \
    judge run --in in --bot 'python3 bot.py'\n  \
    judge run --resume")]
pub(crate) struct Options {
    /// Command of the bot, which reads a case and prints a plan. No shell runs it: for pipes and variables
    /// use sh -c '...'
    #[arg(long, value_name = "CMD")]
    bot: Option<Bot>,
    /// Name of the run, by which other commands find it
    #[arg(long, value_parser = store::parse_name)]
    name: Option<String>,
    /// Comment on the run, which `judge list` shows
    #[arg(long, value_name = "TEXT")]
    comment: Option<String>,
    /// Continue an interrupted run [default: the last one]
    #[arg(long, value_name = "RUN", num_args = 0..=1, default_missing_value = "",
        conflicts_with_all = ["bot", "name", "comment", "jobs", "time_limit", "memory_limit",
            "seeds", "seeds_file", "folder", "CaseOptions"])]
    resume: Option<String>,
    /// Resume the run even if its program has changed; the games from then on record the changed files
    #[arg(long, requires = "resume")]
    changed: bool,
    #[command(flatten)]
    pool: PoolOptions,
    /// Wall-time limit of a game; it is not passed to the bot [default: 4]
    #[arg(long, value_name = "SECONDS", value_parser = options::parse_seconds)]
    time_limit: Option<f64>,
    /// Memory limit of a game, in MiB [default: 1024]
    #[arg(long, value_name = "MIB", value_parser = options::parse_memory_mib)]
    memory_limit: Option<u64>,
    /// Play in a shuffled order, the same every time, so that the first games are a sample of all
    #[arg(long)]
    shuffle: bool,
    /// Show a number that the bot reports in a line `NAME = 5` on standard error, or a field of a game, such
    /// as `longest_chain`; can be repeated
    #[arg(long, value_name = "NAME")]
    number: Vec<String>,
    /// Print JSON: a line for each game, in the order of play, then the summary
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    store: Store,
    /// Seeds to play: one seed, A..=B, or A..B, which excludes B; or several: 1..=9,25 [default: 2..=21]
    #[arg(short, long, value_name = "RANGE", value_delimiter = ',', help_heading = CASES_HEADING)]
    seeds: Vec<SeedRange>,
    /// Read the seeds from a file: a seed or a range on each line, # for comments
    #[arg(long, value_name = "FILE", conflicts_with = "seeds", help_heading = CASES_HEADING)]
    seeds_file: Option<PathBuf>,
    /// Play the case files *.txt of this folder; with --seeds only those of these seeds, such as 0001.txt for
    /// seed 1
    #[arg(long = "in", value_name = "DIR", conflicts_with = "CaseOptions",
        help_heading = CASES_HEADING)]
    folder: Option<PathBuf>,
    #[command(flatten)]
    cases: CaseOptions,
}

const CASES_HEADING: &str = "Cases";

/// The seeds of a run if neither the command line nor columns.toml names any. Seed 1 is not among them: it is
/// the sample of the statement, which has only eleven columns.
const DEFAULT_SEEDS: (u64, u64) = (2, 21);

/// The maximum number of failed games whose reasons follow the table.
const MAX_FAILURES_SHOWN: usize = 10;

const BAR_TEMPLATE: &str = "{bar:40} {pos}/{len} games{msg}, {eta} left";

/// Set by a signal, or if a game cannot be played, kept or shown. The running games are then killed.
static STOP: AtomicBool = AtomicBool::new(false);

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    let (games, writer) = match &args.resume {
        Some(run) => resume(args, run)?,
        None => begin(args)?,
    };
    command::on_interrupt(None, || STOP.store(true, Ordering::Relaxed))?;
    let mut best = BestTracker::new(BestScores::new(&args.store.other_runs(&writer.run.folder)?));
    let played = play(args, &games, &writer, &mut best);
    writer.sync()?;
    let folder = quote_path(&writer.run.folder);
    let advice = format!("to continue: judge run --resume {folder}");
    // If the reader of --json has closed the pipe, no further games are needed.
    if let Err(error) = played {
        ensure!(output::is_closed_pipe(&error), "{error:#}; {advice}");
        return Err(error);
    }
    let run = Run::read(&writer.run.folder)?;
    print_summary(args, &run, &best)?;
    if command::is_interrupted() {
        let all = count_text(run.cases().len(), "game");
        let played = run.rows.len();
        bail!(Interrupted(format!("after {played} of {all}; {advice}")));
    }
    Ok(ExitCode::from(u8::from(run.summary().failed_games() > 0)))
}

/// Begins a run. First builds the bot if it is that of columns.toml and has a build command.
fn begin(args: &Options) -> Result<(GameRunner, RunWriter)> {
    args.store.expect_new_name(args.name.as_deref())?;
    let config = Config::read()?;
    let cases = args.cases(&config)?;
    let store = &args.store.folder;
    let program = config.build_program(args.bot.clone(), args.limits(&config), store)?;
    let pool = Pool::new(args.pool.jobs.or(config.jobs));
    let games = GameRunner { program, pool };
    let mut head = Head::new(&games, cases)?;
    (head.name, head.comment) = (args.name.clone(), args.comment.clone());
    let case_folder = args.folder.as_deref().unwrap_or(Path::new(""));
    let writer = RunWriter::begin(&args.store, &head, case_folder)?;
    if let Some(advice) = games.program.advice() {
        stderr::log(&advice);
    }
    Ok((games, writer))
}

/// Opens the interrupted run `run`, or the last interrupted run if `run` is empty.
fn resume(args: &Options, run: &str) -> Result<(GameRunner, RunWriter)> {
    let folder = match run {
        "" => args.store.last_interrupted()?,
        run => args.store.find(run)?,
    };
    let writer = RunWriter::resume(&folder)?;
    let (head, name) = (&writer.run.head, folder.display());
    let start = Path::new(&head.folder);
    ensure!(
        start.is_dir(),
        "{name}: expected the folder of the bot, {}, which does not exist here: begin a new run",
        head.folder
    );
    let (bot, output_files) = (head.bot.parse()?, writer.run.output_files());
    let program = Program::resume(bot, head.limits, start, &head.files, &output_files)?;
    let changed = program.changes().changed;
    ensure!(
        args.changed || changed.is_empty(),
        "{name}: {}: changed since the run began: restore it, begin a new run, or continue all the same with \
         --changed",
        join_paths(&changed)
    );
    for note in head.machine_changes() {
        stderr::log(&format!("note: {note}"));
    }
    let pool = head.pool();
    Ok((GameRunner { program, pool }, writer))
}

/// Plays the missing games. Prints the games that the run already has, then the other games in the order
/// of play, each with its share of the best known score.
fn play(
    args: &Options,
    games: &GameRunner,
    writer: &RunWriter,
    best: &mut BestTracker,
) -> Result<()> {
    let kept = &writer.run.rows;
    let names: HashSet<&String> = kept.iter().map(|row| &row.name).collect();
    let cases = writer.run.cases();
    let mut missing = cases.clone();
    missing.retain(|case| !names.contains(&case.name()));
    if args.shuffle {
        shuffle(&mut missing);
    }
    let table = Table::new(cases.iter().map(CaseEntry::name), args.number.clone());
    if !args.json {
        let (kept, all) = (kept.len(), count_text(cases.len(), "game"));
        if kept > 0 {
            output::print(&format!("{kept} of {all} were played before\n"))?;
        }
        output::print(&(table.header_line() + "\n"))?;
    }
    let bar = progress::new_bar(cases.len() as u64, BAR_TEMPLATE);
    let mut sum = 0.0;
    let mut show = |row: &Row| {
        sum += row.game.score as f64;
        let share = best.add(row);
        bar.inc(1);
        bar.set_message(format!(", mean {:.1}", sum / bar.position() as f64));
        if args.json {
            return output::print_to_reader(&json::to_line(row)?);
        }
        output::print(&(table.row_line_with_best(row, share) + "\n"))
    };
    kept.iter().try_for_each(&mut show)?;
    let keep = |row: &Row, process: &FinishedProcess| writer.keep_game(row, process);
    games.play(&missing, &STOP, keep, show)
}

/// Shuffles cases. The order depends only on their names, so it is always the same.
pub(crate) fn shuffle(cases: &mut [CaseEntry]) {
    // Hash the digest again: names that differ only in their last character have similar digests.
    let key = |case: &CaseEntry| Digest::new(case.name().as_bytes()).to_u64().to_le_bytes();
    cases.sort_by_cached_key(|case| Digest::new(&key(case)));
}

/// Prints why games have failed, and the summary of a run. Prints nothing if the run has no games.
fn print_summary(args: &Options, run: &Run, best: &BestTracker) -> Result<()> {
    if run.rows.is_empty() {
        return Ok(());
    }
    let (folder, summary) = (run.folder.display().to_string(), run.summary());
    let shares = best.best.mean_percent(run);
    if args.json {
        let (best_percent, shared_cases) = shares.unzip();
        let summary = json!({
            "run": folder,
            "summary": summary,
            "best_percent": best_percent,
            "shared_cases": shared_cases,
            "new_best_games": best.new_best_games,
        });
        return output::print(&json::to_line(&summary)?);
    }
    let (text, label) = (table::format_summary(&summary), run.label());
    let best = shares.map_or(String::new(), |(percent, cases)| {
        let (new, cases) = (
            count_text(best.new_best_games, "new best score"),
            count_text(cases, "case"),
        );
        format!("best     {percent:.2} % of the best known scores on {cases}; {new}\n")
    });
    let failed = format_failures(run);
    output::print(&format!(
        "{failed}\n{text}{best}run      {label} is kept in {folder}\n"
    ))
}

/// Formats a line for each failed game: the case, the reason, and the command that shows the game.
fn format_failures(run: &Run) -> String {
    let folder = quote_path(&run.folder);
    let failed: Vec<&Row> = run
        .rows
        .iter()
        .filter(|row| row.game.status.is_failed())
        .collect();
    let line = |row: &&Row| {
        let (name, case) = (to_one_line(&row.name), quote_path(Path::new(&row.name)));
        let reason = row.game.reason.as_deref().unwrap_or_default();
        format!(
            "{name}: {}: {reason}; judge show {folder} {case}\n",
            row.game.status.name()
        )
    };
    let mut lines: Vec<String> = failed.iter().take(MAX_FAILURES_SHOWN).map(line).collect();
    if let Some(more) = failed.len().checked_sub(MAX_FAILURES_SHOWN + 1) {
        let more = count_text(more + 1, "more failed game");
        lines.push(format!("{more}; judge show {folder} lists all\n"));
    }
    if lines.is_empty() {
        return String::new();
    }
    "\n".to_string() + &lines.concat()
}

impl Options {
    /// Returns the cases of the command line, or else those of columns.toml.
    fn cases(&self, config: &Config) -> Result<Cases> {
        let profile = config.profile.unwrap_or_default();
        let spec = Spec::try_from(self.cases.with_profile(profile))?;
        let list = |ranges: &[SeedRange]| SeedList::try_from(ranges).context("--seeds");
        let seeds = match (&self.seeds_file, &self.seeds[..]) {
            (Some(path), _) => Some(input::parse(path, MAX_FILE_BYTES)?),
            (None, []) => None,
            (None, ranges) => Some(list(ranges)?),
        };
        let Some(folder) = &self.folder else {
            let default = config
                .seeds
                .or(SeedRange::new(DEFAULT_SEEDS.0, DEFAULT_SEEDS.1));
            let seeds = seeds.map_or_else(|| list(default.as_slice()), Ok)?;
            return Ok(Cases::Generated { seeds, spec });
        };
        let name = |seed| CaseEntry::Generated(seed, spec).name();
        let names = match seeds {
            Some(seeds) => seeds.iter().map(name).collect(),
            None => cases::list_folder(folder)?,
        };
        let source = folder.display().to_string();
        let cases = Cases::Files { source, names };
        // Report an invalid case now instead of after an hour of play.
        for entry in cases.entries(folder) {
            entry.load()?;
        }
        Ok(cases)
    }

    /// Returns the limits of the command line, or else of columns.toml, or else of the contest.
    fn limits(&self, config: &Config) -> Limits {
        let time = self.time_limit.or(config.time_limit_s);
        let memory = self.memory_limit.or(config.memory_limit_mib);
        Limits {
            time_limit_s: time.unwrap_or(Limits::CONTEST.time_limit_s),
            memory_limit_mib: memory.unwrap_or(Limits::CONTEST.memory_limit_mib),
        }
    }
}
