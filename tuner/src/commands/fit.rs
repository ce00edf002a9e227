//! `tuner fit`: fits the parameters of a player by playing games.

use super::compare::EARLY_STOP_REMARK;
use super::play_args::{PlayArgs, RESUMABLE_EFFECT, Workers};
use super::progress::print_limits;
use super::search_args::{LimitArgs, SearchArgs};
use super::target::{TargetArgs, complete_config};
use anyhow::Result;
use clap::Args;
use columns_cli::stderr::{log, warn};
use columns_cli::{
    output,
    shell::quote_path,
    table::{format_table, format_titled},
};
use columns_judge::program::files::join_paths;
use columns_stats::ComparisonRow;
use columns_tuner::bot_player::narrow_beam_warning;
use columns_tuner::experiment::folder::{self, COMMAND_FILE, PAGE_FILE};
use columns_tuner::experiment::state::RunState;
use columns_tuner::{experiment::run::Run, player::Player, search::space::Target};
use indicatif::FormattedDuration;
use std::path::{Path, PathBuf};
use std::{fmt::Write as _, time::Instant};

/// Fit the bot's parameters, its network, or any program by playing many games
///
/// The search stops when it finds nothing better, after --games or after --max-time. The best player
/// then plays held-out seeds against the start. If they do not show that it is better, the result
/// is the start. The folder of the run has a page, report.html. After any interruption the same command
/// resumes the run; --games, --max-time and --max-pairs may then be larger.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner fit --out night --max-time 8h
  tuner fit --resume night --max-time 10h
  tuner fit --out refined --network
  tuner fit --out mine --bot './mine --width {width}' --space space.toml --time-limit 1")]
pub(crate) struct Options {
    /// Folder of the run: new, empty, or with a run of this command
    #[arg(short, long, value_name = "DIR", required_unless_present = "resume")]
    out: Option<PathBuf>,
    /// Resume the run in this folder, with the options recorded there; only the limits may be larger
    #[arg(long, value_name = "DIR", conflicts_with_all =
        ["out", "TargetArgs", "ParameterArgs", "SearchArgs", "SelfPlayArgs", "LimitOptions", "CaseOptions"])]
    resume: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    play: PlayArgs,
}

impl Options {
    pub(crate) fn run(&self) -> Result<()> {
        let given = self.limits.given();
        if let Some(folder) = &self.resume {
            let run = Run::resume(folder, &given)?;
            print_status(&run, false);
            return play_to_end(run, &self.play.set_up_workers(RESUMABLE_EFFECT)?);
        }
        let folder = self.out.as_deref().unwrap_or(Path::new(""));
        let config = self
            .search
            .read_config(&self.target, &self.limits, self.out.as_ref())?;
        let workers = self.play.set_up_workers(RESUMABLE_EFFECT)?;
        folder::check(folder)?;
        let is_new = !folder::contains_run(folder);
        let config = if is_new {
            complete_config(config, &workers)?
        } else {
            config
        };
        let run = Run::open_or_create(folder, &config, &given)?;
        print_status(&run, is_new);
        if is_new {
            print_limits(&run.state);
        }
        if is_new && let Player::Program(program) = &run.state.config.start {
            let files = program.files.initial_files().into_iter();
            let paths: Vec<PathBuf> = files.map(|file| file.path).collect();
            log(&format!("Watched for changes: {}.", join_paths(&paths)));
        }
        play_to_end(run, &workers)
    }
}

/// Prints whether a run is new, resumed or ended, and the path of its page.
fn print_status(run: &Run, is_new: bool) {
    let folder = run.folder.display();
    let games = output::count_text(run.record.games().count(), "game");
    log(&match (is_new, run.has_ended()) {
        (true, _) => format!("New run in {folder}"),
        (false, true) => format!("The run in {folder} has ended: {games}"),
        (false, false) => format!("Resuming {folder}: {games}"),
    });
    let page = run.folder.join(PAGE_FILE);
    let from = if page.exists() {
        ""
    } else {
        " (from the first generation on)"
    };
    log(&format!("Page: {}{from}", page.display()));
}

/// Plays a run to its end, and prints the result.
fn play_to_end(mut run: Run, workers: &Workers) -> Result<()> {
    if let Some(change) = &run.player_change {
        let warning = format!("warning: {change}; this is the outcome from before the change");
        warn("tuner", &warning);
    }
    let start = Instant::now();
    workers.execute(&mut run)?;
    let mut text = summary(&run.state);
    if let Some(warning) = run.state.mean_beam_width().and_then(narrow_beam_warning) {
        let _ = writeln!(text, "\n{warning}");
    }
    if run.record.new_game_count > 0 {
        let rate = run.record.new_game_count as f64 / start.elapsed().as_secs_f64();
        let time = FormattedDuration(start.elapsed());
        let games = output::count_text(run.record.new_game_count, "game");
        let _ = writeln!(
            text,
            "\nThis process played {games} in {time}, {rate:.1} games/s."
        );
    }
    let (file, _) = folder::result_file(&run.state);
    let path = run.folder.join(file);
    let path = path.display();
    let _ = match run.state.last_passing_judgement() {
        None => write!(text, "\n{path} holds the start."),
        Some(_) if file == COMMAND_FILE => write!(text, "\nThe best is in {path}"),
        Some(_) => {
            let folder = quote_path(&run.folder);
            write!(
                text,
                "\nThe best is in {path}; to put it into the bot: tuner export {folder}"
            )
        }
    };
    if run.state.rejected_player().is_some() {
        let path = folder::rejected_path(&run.folder, &run.state);
        let _ = write!(text, "\n{} holds the last rejected player.", path.display());
    }
    output::print(&(text + "\n"))
}

/// Formats the result of a run. Leaves out the parameters of a network, which mean nothing to a reader.
fn summary(state: &RunState) -> String {
    let mut text = String::new();
    if let (Some(judgement), Some(comparison)) = (state.judgements.last(), state.comparison_table())
    {
        if state.config.target != Target::Network {
            let axes = state.space.axes().iter().zip(state.fitted_values());
            let rows = axes.map(|(axis, value)| {
                let [start, fitted] = [axis.start, value].map(|value| axis.format(value));
                let steps = format!("{:+.2}", axis.coordinate(value));
                [axis.name.clone(), start, fitted, steps]
            });
            text = format_table(["parameter", "start", "fitted", "steps"], rows) + "\n";
        }
        let against = match judgement.opponent_judgement {
            0 => "the start (A)".into(),
            number => format!("the result of judgement {number} (A)"),
        };
        let _ = writeln!(
            text,
            "On the held-out seeds {}, the best of generation {} (B) against {against}:\n\n\
             {}\n{EARLY_STOP_REMARK}",
            judgement.seeds,
            judgement.generation,
            format_titled(comparison.rows().map(ComparisonRow::titled_cells))
        );
    }
    let reason = state.stop_reason.map(|reason| reason.to_string());
    let _ = writeln!(
        text,
        "The search stopped after {} and {}: {}.\n{}",
        output::count_text(state.generations.len(), "generation"),
        output::count_text(state.search_game_count as usize, "game"),
        reason.unwrap_or_default(),
        state.verdict_text()
    );
    if !state.judgements.is_empty() {
        let (cases, start) = (&state.config.case_spec, &state.config.start);
        let _ = writeln!(text, "This holds for games with {cases} and {start} each.");
    }
    if !state.failed_games.is_empty() {
        let _ = writeln!(text, "{}.", state.failed_games);
    }
    text
}
