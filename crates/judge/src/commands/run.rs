//! `judge run`: plays a bot on many cases, and keeps the run.

use super::against::{self, BaseComparison};
use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use clap::Args;
use columns_cases::digest::Digest;
use columns_cli::command::{self, Interrupted};
use columns_cli::output::{self, count_text};
use columns_cli::pool::Pool;
use columns_cli::shell::quote_path;
use columns_cli::stderr::{self, to_one_line};
use columns_cli::{json, progress};
use columns_judge::arena::process::FinishedProcess;
use columns_judge::best::{BestScores, BestTracker};
use columns_judge::bot::Bot;
use columns_judge::cases::CaseEntry;
use columns_judge::config::Config;
use columns_judge::games::GameRunner;
use columns_judge::head::Head;
use columns_judge::options::PlayOptions;
use columns_judge::program::Program;
use columns_judge::program::files::{ProgramFiles, describe_change};
use columns_judge::row::{self, Row};
use columns_judge::store::{self, Run, RunWriter, Store};
use columns_judge::table::{self, Table};
use serde_json::json;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Play a bot on many cases, in parallel, under the contest's limits, and keep the run
///
/// Without --bot, the judge plays the bot of columns.toml, or else the executable `bot` beside `judge`. A
/// game fails if the bot exceeds a limit, crashes, or prints an invalid plan; it scores 0, and the exit
/// status is 1. With --against, the status is the answer: 0 better, 1 not better, 3 undecided.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    judge run\n  \
    judge run --seeds 2..=101 --profile growing --name wider --comment 'twice the width'\n  \
    judge run --in in --bot 'python3 bot.py'\n  \
    judge run --against wider --max-time 5m\n  \
    judge run --resume")]
pub(crate) struct Options {
    /// Command of the bot, without a shell: for pipes use sh -c '...'
    #[arg(long, value_name = "CMD")]
    bot: Option<Bot>,
    /// Do not run the `build` of columns.toml first
    #[arg(long)]
    no_build: bool,
    /// Name of the run, by which other commands find it
    #[arg(long, value_parser = store::parse_name)]
    name: Option<String>,
    /// Comment on the run, which `judge list` shows
    #[arg(long, value_name = "TEXT")]
    comment: Option<String>,
    /// Play the cases of this run, shuffled, until it is clear which of the two bots is better
    #[arg(long, value_name = "RUN", conflicts_with_all = ["resume", "time_limit", "memory_limit", "shuffle",
        "number", "seeds", "seeds_file", "folder", "CaseOptions"])]
    against: Option<String>,
    /// Continue an interrupted run [default: the last one]
    #[arg(long, value_name = "RUN", num_args = 0..=1, default_missing_value = "",
        conflicts_with_all = ["bot", "no_build", "name", "comment", "jobs", "time_limit", "memory_limit",
            "seeds", "seeds_file", "folder", "CaseOptions"])]
    resume: Option<String>,
    /// Resume even if a file of the bot has changed
    #[arg(long, requires = "resume")]
    changed: bool,
    #[command(flatten)]
    play: PlayOptions,
    /// Print a line of JSON for each game, then the summary
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    store: Store,
}

/// The maximum number of failed games whose reasons are listed below the table.
const MAX_FAILURES_SHOWN: usize = 10;

const BAR_TEMPLATE: &str = "{bar:40} {pos}/{len} games{msg}, {eta} left";

/// Set when a signal arrives, when a game cannot be played, kept or shown, or when a comparison is decided or
/// out of time. The running games are then killed.
static STOP: AtomicBool = AtomicBool::new(false);

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    ensure!(
        args.play.max_time.is_none() || args.against.is_some() || args.resume.is_some(),
        "--max-time: expected --against RUN, too"
    );
    command::on_interrupt(|| STOP.store(true, Ordering::Relaxed))?;
    let mut config = Config::read()?;
    let file_options = std::mem::take(&mut config.play);
    let options = args.play.clone().or(file_options, &config.folder);
    let (games, writer) = match &args.resume {
        Some(run) => resume(args, run)?,
        None => begin(args, &config, &options)?,
    };
    match &writer.run.head.base_run {
        Some(base) => {
            let base = writer.run.store().read(base)?;
            let comparison = BaseComparison::new(base, games, writer)?;
            compare(args, &options, comparison)
        }
        None => play(args, &options, &games, &writer),
    }
}

/// Returns a note with the command that resumes the run in `folder`.
pub(crate) fn resume_advice(folder: &Path) -> String {
    format!("to continue: judge run --resume {}", quote_path(folder))
}

/// Appends advice on how to resume the run to an error message. If the reader of `--json` has closed the
/// pipe, the user needs no more games, so the error stays as it is.
fn add_advice(error: Error, advice: &str) -> Error {
    if output::is_closed_pipe(&error) {
        error
    } else {
        anyhow!("{error:#}{advice}")
    }
}

/// Begins a run, or a comparison with a base. First builds the bot if columns.toml has a build command,
/// unless `--no-build` is given.
fn begin(
    args: &Options,
    config: &Config,
    options: &PlayOptions,
) -> Result<(GameRunner, RunWriter)> {
    args.store.check_new_name(args.name.as_deref())?;
    let base = args.against.as_ref().map(|base| args.store.read(base));
    let base = base.transpose()?;
    let (cases, case_folder, limits) = match &base {
        Some(base) => {
            against::check_has_games(base)?;
            let head = &base.head;
            (head.cases.clone(), base.folder.join("in"), head.limits)
        }
        None => (
            options.cases()?,
            options.folder.clone().unwrap_or_default(),
            options.limits.into(),
        ),
    };
    let store = &args.store.folder;
    let program = config.build_program(args.bot.clone(), !args.no_build, limits, store)?;
    let pool = match (&base, options.pool.jobs) {
        (Some(base), None) => base.head.pool(),
        (_, jobs) => Pool::new(jobs),
    };
    let games = GameRunner { program, pool };
    let mut head = Head::new(&games, cases)?;
    (head.name, head.comment) = (args.name.clone(), args.comment.clone());
    head.base_run = base.map(|base| base.number);
    let writer = RunWriter::begin(&args.store, &head, &case_folder)?;
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
    ensure!(
        args.play.max_time.is_none() || head.base_run.is_some(),
        "--max-time: expected a run of --against to resume, found {name}"
    );
    let start = Path::new(&head.folder);
    ensure!(
        start.is_dir(),
        "{name}: expected the folder of the bot, {}, which does not exist here: begin a new run",
        head.folder
    );
    let (bot, output_files) = (head.bot.parse()?, row::output_files(&writer.run.rows));
    let files = ProgramFiles::resume(start, head.files.clone(), &output_files);
    let program = Program::resume(bot, head.limits, start, files)?;
    let change = describe_change(&program.files.check().changed).filter(|_| !args.changed);
    if let Some(change) = change {
        bail!(
            "{name}: {change}: restore it, begin a new run, or continue all the same with --changed"
        );
    }
    for note in head.machine_changes() {
        stderr::log(&format!("note: {note}"));
    }
    let pool = head.pool();
    Ok((GameRunner { program, pool }, writer))
}

/// Plays the remaining games of a run. Prints the earlier games, then the new ones, each with its share of
/// the best known score, and finally the summary.
fn play(
    args: &Options,
    options: &PlayOptions,
    games: &GameRunner,
    writer: &RunWriter,
) -> Result<ExitCode> {
    let folder = &writer.run.folder;
    let mut best = BestTracker::new(BestScores::new(&writer.run.store().other_runs(folder)?));
    let played = play_missing(args, options, games, writer, &mut best);
    writer.sync()?;
    let advice = format!("; {}", resume_advice(folder));
    played.map_err(|error| add_advice(error, &advice))?;
    let mut run = Run::read(folder)?;
    // If a resumed run is interrupted, it still has the rows of lost plans that are not played again yet.
    run.rows = run.rows_with_plans().cloned().collect();
    print_summary(args, &run, &best)?;
    if command::is_interrupted() {
        let all = count_text(run.cases().len(), "game");
        let played = run.rows.len();
        bail!(Interrupted(format!("after {played} of {all}{advice}")));
    }
    Ok(ExitCode::from(u8::from(run.summary().failed_games() > 0)))
}

fn play_missing(
    args: &Options,
    options: &PlayOptions,
    games: &GameRunner,
    writer: &RunWriter,
    best: &mut BestTracker,
) -> Result<()> {
    let (played_rows, cases) = (&writer.run.rows, writer.run.cases());
    let mut missing = writer.run.unplayed_cases();
    if options.shuffle {
        shuffle(&mut missing);
    }
    let table = Table::new(cases.iter().map(CaseEntry::name), options.number.clone());
    if !args.json {
        let (played, all) = (played_rows.len(), count_text(cases.len(), "game"));
        if played > 0 {
            output::print(&format!("{played} of {all} were played before\n"))?;
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
        output::print(&(table.row_line(row, share) + "\n"))
    };
    played_rows.iter().try_for_each(&mut show)?;
    let keep = |row: &Row, process: &FinishedProcess| writer.keep_game(row, process);
    games.play(&missing, &STOP, keep, show)
}

/// Shuffles cases. The order depends only on their names, so it is always the same.
pub(crate) fn shuffle(cases: &mut [CaseEntry]) {
    // Hash the digest again: names that differ only in their last character have similar digests.
    let name_digest = |case: &CaseEntry| Digest::new(case.name().as_bytes()).to_u64().to_le_bytes();
    cases.sort_by_cached_key(|case| Digest::new(&name_digest(case)));
}

/// Prints why games failed, then the summary of the run; with `--json`, only the summary. Prints nothing if
/// the run has no games.
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
        let new = count_text(best.new_best_games, "new best score");
        let cases = count_text(cases, "case");
        format!("best     {percent:.2} % of the best known scores on {cases}; {new}\n")
    });
    let failed = format_failures(run);
    output::print(&format!(
        "{failed}\n{text}{best}run      {label} is kept in {folder}\n"
    ))
}

/// Formats a line for each failed game: the case, the reason, and the command that shows the game. A last
/// line counts the games beyond `MAX_FAILURES_SHOWN`.
pub(crate) fn format_failures(run: &Run) -> String {
    let folder = quote_path(&run.folder);
    let is_failed = |row: &&Row| row.game.status.is_failed();
    let failed: Vec<&Row> = run.rows.iter().filter(is_failed).collect();
    let line = |row: &&Row| {
        let (name, case) = (to_one_line(&row.name), quote_path(Path::new(&row.name)));
        let ending = table::ending(row);
        format!("{name}: {ending}; judge show {folder} {case}\n")
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

/// Plays a comparison until it is decided, no cases are left, or the time is up. Returns the exit status of
/// its verdict.
fn compare(
    args: &Options,
    options: &PlayOptions,
    mut comparison: BaseComparison,
) -> Result<ExitCode> {
    let bar = progress::new_bar(0, "{msg}");
    let played = comparison.play(&STOP, options.max_time, |row, candidate| {
        let text = against::result_text(candidate);
        if args.json {
            return output::print_to_reader(&json::to_line(row)?);
        }
        bar.set_message(text.clone());
        if candidate.verdict().is_none() && is_reported(candidate.pairs().len()) {
            return output::print(&(text + "\n"));
        }
        Ok(())
    });
    bar.finish_and_clear();
    let (report, candidate) = (comparison.report(), comparison.candidate().clone());
    let cases = count_text(comparison.case_count(), "game");
    let run = comparison.finish()?;
    let advice = run.as_ref().map_or(String::new(), |run| {
        format!("; {}", resume_advice(&run.folder))
    });
    played.map_err(|error| add_advice(error, &advice))?;
    if command::is_interrupted() {
        let pairs = candidate.pairs().len();
        bail!(Interrupted(format!("after {pairs} of {cases}{advice}")));
    }
    let run = run.context("no game has ended in --max-time")?;
    if args.json {
        output::print(&json::to_line(&against::to_json(&run, &candidate))?)?;
    } else {
        let (failed, label) = (format_failures(&run), run.label());
        let folder = run.folder.display();
        output::print(&format!(
            "{report}{failed}run      {label} is kept in {folder}\n"
        ))?;
    }
    Ok(against::exit_status(&candidate))
}

/// True if the result is printed after this number of pairs: 10, 20, 40 and so on.
fn is_reported(pairs: usize) -> bool {
    pairs.is_multiple_of(10) && (pairs / 10).is_power_of_two()
}
