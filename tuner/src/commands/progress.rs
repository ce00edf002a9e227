//! The progress of long-running commands: bars on a terminal, lines in a pipe.

use super::selfplay::warn_if_narrow;
use anyhow::{Result, ensure};
use columns_cases::seeds::SeedRange;
use columns_cli::options::duration_text;
use columns_cli::progress::{join_fitting_parts, line_width};
use columns_cli::{output, progress, stderr::log, stderr::warn};
use columns_core::text::group_digits;
use columns_tuner::experiment::fit::ProgressListener;
use columns_tuner::experiment::stage::Stage;
use columns_tuner::experiment::state::RunState;
use columns_tuner::record::Record;
use columns_tuner::report;
use columns_tuner::search::{axis::Axis, space::Target};
use indicatif::{FormattedDuration, ProgressBar};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The maximum number of seeds that a command accepts.
const MAX_SEEDS: u128 = 10_000_000;

/// Returns an error if a range has more than [`MAX_SEEDS`]: the user has probably mistyped a number.
pub(crate) fn check_seed_count(seeds: SeedRange) -> Result<()> {
    let count = seeds.count();
    ensure!(
        count <= MAX_SEEDS,
        "expected at most {MAX_SEEDS} seeds, found {count} in {seeds}"
    );
    Ok(())
}

/// Creates a bar that shows the games played so far, their rate and the time left.
pub(crate) fn new_game_bar(count: usize) -> ProgressBar {
    let style = "{bar:30} {human_pos}/{human_len} games, {per_sec}, {eta} left";
    progress::new_bar(count as u64, style)
}

/// Creates a bar that shows the seeds played so far. The caller sets the message on the line below it.
pub(crate) fn new_seed_bar(count: usize) -> ProgressBar {
    let style = "{bar:30} {human_pos}/{human_len} seeds, {per_sec}, {eta} left\n{msg}";
    progress::new_bar(count as u64, style)
}

/// The maximum number of parameters in a progress line. The line shows the parameters that have moved the
/// most.
const MAX_PARAMETERS_SHOWN: usize = 6;

/// Prints the limits of a run before it begins.
pub(crate) fn print_limits(state: &RunState) {
    let limits = &state.limits;
    let games = limits.max_games.map(group_digits);
    let games = games.map(|games| format!("plays at most {games} games"));
    let seconds = limits.max_time_s.map(duration_text);
    let seconds = seconds.map(|seconds| format!("takes at most {seconds}"));
    let limit_texts: Vec<String> = games.into_iter().chain(seconds).collect();
    log(&format!(
        "The search {}. At most {} games on held-out seeds then judge its result.",
        limit_texts.join(", and "),
        group_digits(2 * state.max_pairs())
    ));
}

/// Shows the progress of a run, and updates its page. In a pipe, prints a line of results after each
/// generation. On a terminal, the latest line is above the bar, which shows the current stage.
pub(crate) struct ProgressDisplay {
    /// The folder of the run, where its page is written.
    folder: PathBuf,
    start: Instant,
    has_warned: bool,
    /// True after the warning about changes that are too small.
    has_advised: bool,
    bar: ProgressBar,
}

impl ProgressDisplay {
    /// Creates the display. Call this before the first game: the speed is measured from then on.
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.into(),
            start: Instant::now(),
            has_warned: false,
            has_advised: false,
            bar: progress::new_bar(
                0,
                "{msg}{bar:16} {human_pos}/{human_len} in {prefix}, {per_sec}",
            ),
        }
    }

    /// Returns the number of games that this process has played per second.
    pub(crate) fn speed(&self, record: &Record) -> f64 {
        record.new_game_count as f64 / self.start.elapsed().as_secs_f64()
    }

    /// Formats the speed of this process, and the maximum remaining time of the search if it is known.
    fn speed_text(&self, state: &RunState, record: &Record) -> String {
        let rate = self.speed(record);
        let (max_games, games) = (state.limits.max_games, state.search_game_count);
        let games = max_games.map(|max| max.saturating_sub(games) as f64);
        let left = games.map_or(f64::INFINITY, |games| games / rate.max(1e-9));
        let left = left.min(record.seconds_left().unwrap_or(f64::INFINITY));
        let mut speed = format!("{rate:.1} games/s");
        if left < 1e8 {
            let left = FormattedDuration(Duration::from_secs_f64(left));
            let _ = write!(speed, ", at most {left} left");
        }
        speed
    }

    fn show_generation(&mut self, state: &RunState, record: &Record) {
        let Some(generation) = state.generations.last() else {
            return;
        };
        let pairs = state.config.settings.pairs_per_generation;
        let effective = generation.effective_pair_count;
        // The width is 0 for a program, which does not report the width of its beams.
        if generation.mean_beam_width > 0 && !std::mem::replace(&mut self.has_warned, true) {
            warn_if_narrow(generation.mean_beam_width as f64);
        }
        if effective < pairs.div_ceil(10) && !std::mem::replace(&mut self.has_advised, true) {
            // Only the steps of a program's parameters are options of the user.
            let remedy = match state.config.target {
                Target::Program => "--noise, or the steps in --space",
                Target::Weights | Target::Network => "--noise",
            };
            let number = generation.number;
            warn(
                "tuner",
                &format!(
                    "warning: in generation {number}, {effective} of {pairs} changes made any difference \
                     to the games: raise {remedy}"
                ),
            );
        }
        let recent = state.estimate_recent_change(state.generations.len());
        let change = recent.map_or(String::new(), |recent| recent.percent_text());
        let mut line = vec![
            format!("generation {}", generation.number),
            output::count_text(state.search_game_count as usize, "game"),
            self.speed_text(state, record),
            format!("average {change} of the start's score"),
            format!("{effective} of {pairs} changes had an effect"),
        ];
        if !state.failed_games.is_empty() {
            line.insert(3, state.failed_games.to_string());
        }
        line.extend(furthest_parameters(state, &generation.average));
        if self.bar.is_hidden() {
            log(&line.join("  "));
        } else {
            let line = join_fitting_parts(&line, "  ", line_width());
            self.bar.set_message(line + "\n");
        }
    }
}

impl ProgressListener for ProgressDisplay {
    fn on_stage_begin(&mut self, stage: Stage, game_count: usize, recorded_count: usize) {
        if let Stage::Judgement(number) = stage {
            let games = output::count_text(game_count, "game");
            log(&format!(
                "judgement {number}: at most {games} on held-out seeds"
            ));
        }
        self.bar.set_prefix(stage.to_string());
        self.bar.set_length(game_count as u64);
        self.bar.set_position(recorded_count as u64);
        self.bar.reset_eta();
    }

    fn on_game(&mut self) {
        self.bar.inc(1);
    }

    fn on_stage_end(&mut self, state: &RunState, record: &Record, stage: Option<Stage>) {
        match (stage, state.challenges.last()) {
            (Some(Stage::Generation(_)), _) => self.show_generation(state, record),
            (Some(Stage::Challenge(_)), Some((challenge, _))) => {
                log(&challenge.to_string());
            }
            _ => {}
        }
        // A failure to write the page causes only a warning: the run is valid without it.
        if let Err(error) = report::write_page(&self.folder, state, self.speed(record), true) {
            warn("tuner", &format!("warning: {error:#}"));
        }
    }
}

/// Formats the names and values of the parameters that have moved the most. Returns nothing for a network,
/// whose parameters mean nothing to a reader.
fn furthest_parameters(state: &RunState, values: &[f64]) -> Vec<String> {
    if state.config.target == Target::Network {
        return Vec::new();
    }
    let steps = |(axis, value): &(&Axis, &f64)| -axis.coordinate(**value).abs();
    let mut parameters: Vec<(&Axis, &f64)> = state.space.axes().iter().zip(values).collect();
    parameters.sort_by(|a, b| steps(a).total_cmp(&steps(b)));
    let furthest = parameters.iter().take(MAX_PARAMETERS_SHOWN);
    let texts = furthest.map(|(axis, value)| {
        let text = axis.format(axis.round(**value));
        format!("{} {text}", axis.name)
    });
    texts.collect()
}
