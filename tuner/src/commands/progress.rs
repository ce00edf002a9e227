//! The progress of long work: bars on a terminal, lines in a pipe.

use super::selfplay::warn_if_narrow;
use anyhow::{bail, Result};
use columns_cli::{mistake::tell, progress};
use columns_core::text::grouped;
use columns_generator::seeds::SeedRange;
use columns_tuner::experiment::config::Config;
use columns_tuner::experiment::event::Stage;
use columns_tuner::experiment::run::{Listener, Run};
use columns_tuner::experiment::state::{told, State};
use columns_tuner::report;
use columns_tuner::search::{axis::Axis, space::Target};
use indicatif::{FormattedDuration, ProgressBar};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Most games of a command.
const MOST: u128 = 10_000_000;

/// The number of seeds, which is the number of games.
///
/// # Errors
/// If there are more than ten million, which is likely to be a mistyped number.
pub(crate) fn count(seeds: SeedRange) -> Result<usize> {
    let count = seeds.count();
    if count > MOST {
        bail!("expected at most {MOST} seeds, found {count} in {seeds}");
    }
    Ok(count as usize)
}

/// A bar for this number of games.
pub(crate) fn games(count: usize) -> ProgressBar {
    progress::bar(
        count as u64,
        "{bar:40} {pos}/{len} games, {per_sec}, {eta} left {msg}",
    )
}

/// The number of parameters that are shown: those that have moved furthest.
const SHOWN: usize = 6;

/// Says before a run begins what it may play.
pub(crate) fn tell_limits(config: &Config) {
    let limits = &config.limits;
    tell(&format!(
        "The search plays at most {} games. At most {} games on held-out seeds then judge its result.",
        grouped(limits.games),
        grouped(2 * limits.pairs)
    ));
}

/// Shows the progress of a run, and keeps its page.
pub(crate) struct Screen {
    folder: PathBuf,
    begun: Instant,
    /// Games of this process so far.
    played: u64,
    /// Games of the search, and the most.
    games: [u64; 2],
    /// Seconds that were left for the search at the beginning.
    seconds: f64,
    warned: bool,
    stage: String,
    /// Whether the games of the stage are the search's, which its limits hold for.
    searches: bool,
    /// The results of the last generation, and the games of the stage.
    bar: ProgressBar,
}

impl Screen {
    /// Shows the progress of a run.
    pub(crate) fn new(run: &Run) -> Self {
        Self {
            folder: run.folder.clone(),
            begun: Instant::now(),
            played: 0,
            games: [run.state.games, run.state.limits.games],
            seconds: run.left().unwrap_or(f64::INFINITY),
            warned: false,
            stage: String::new(),
            searches: false,
            bar: progress::bar(0, "{prefix}\n{bar:30} {pos}/{len} in {msg}"),
        }
    }

    /// The games per second of this process, and the longest time that the search takes from here.
    fn pace(&self) -> String {
        let elapsed = self.begun.elapsed().as_secs_f64();
        let rate = self.played as f64 / elapsed;
        let [games, most] = self.games;
        let games = most.saturating_sub(games) as f64 / rate.max(1e-9);
        let left = games.min((self.seconds - elapsed).max(0.0));
        if self.played == 0 || !self.searches || left > 1e8 {
            return format!("{rate:.1} games/s");
        }
        let left = FormattedDuration(Duration::from_secs_f64(left));
        format!("{rate:.1} games/s, at most {left} of the search left")
    }

    /// Removes the bar.
    pub(crate) fn close(&self) {
        self.bar.finish_and_clear();
    }

    /// Writes a line that stays on a terminal, above the bar.
    fn tell(&self, line: &str) {
        self.bar.suspend(|| tell(line));
    }

    fn generation(&mut self, state: &State) {
        let Some(generation) = state.generations.last() else {
            return;
        };
        // The width of a program's beam is not known.
        if generation.width > 0 && !std::mem::replace(&mut self.warned, true) {
            warn_if_narrow(generation.width as f64);
        }
        let recent = state.recent(state.generations.len());
        let lost = if state.losses.is_empty() {
            String::new()
        } else {
            format!("  {}", state.losses)
        };
        let line = format!(
            "generation {}  {} games{lost}  average {} of the start's score  {}  {}",
            generation.generation,
            state.games,
            recent.as_ref().map_or(String::new(), told),
            moved(state, &generation.average),
            self.pace()
        );
        if self.bar.is_hidden() {
            tell(&line);
        }
        self.bar.set_prefix(line);
    }
}

impl Listener for Screen {
    fn begin(&mut self, stage: Stage, games: usize, played: usize) {
        if let Stage::Look(number) = stage {
            self.tell(&format!(
                "judgement {number}: at most {games} games on held-out seeds"
            ));
        }
        self.stage = stage.to_string();
        self.searches = matches!(stage, Stage::Generation(_) | Stage::Challenge(_));
        self.bar.set_length(games as u64);
        self.bar.set_position(played as u64);
    }

    fn game(&mut self) {
        self.played += 1;
        self.bar.inc(1);
        let [games, most] = self.games.map(grouped);
        let (stage, pace) = (&self.stage, self.pace());
        let of_search = format!("; the search has {games} of at most {most} games");
        let of_search = if self.searches {
            of_search
        } else {
            String::new()
        };
        self.bar.set_message(format!("{stage}{of_search}, {pace}"));
    }

    fn event(&mut self, stage: Option<Stage>, state: &State) {
        self.games = [state.games, state.limits.games];
        match (stage, state.challenges.last()) {
            (Some(Stage::Generation(_)), _) => self.generation(state),
            (Some(Stage::Challenge(_)), Some((challenge, _))) => {
                self.tell(&challenge.to_string());
            }
            _ => {}
        }
        // The run is not lost with its page.
        if let Err(error) = report::write(&self.folder, state, true) {
            self.tell(&format!("tuner: warning: {error:#}"));
        }
    }
}

/// The parameters that have moved furthest. The numbers of a network mean nothing to a reader.
fn moved(state: &State, values: &[f64]) -> String {
    if state.config.target == Target::Network {
        return String::new();
    }
    let steps = |(axis, &value): &(&Axis, &f64)| -((value - axis.start) / axis.step).abs();
    let mut moved: Vec<(&Axis, &f64)> = state.space.axes().iter().zip(values).collect();
    moved.sort_by(|a, b| steps(a).total_cmp(&steps(b)));
    let shown = moved.iter().take(SHOWN);
    let shown = shown.map(|(axis, &value)| {
        let text = axis.text(axis.rounded(value));
        format!("{} {text}", axis.name)
    });
    shown.collect::<Vec<_>>().join(" ")
}
