//! The progress of long work: bars on a terminal, lines in a pipe.

use super::selfplay::warn_if_narrow;
use anyhow::{bail, Result};
use columns_cli::{mistake::tell, progress};
use columns_generator::seeds::SeedRange;
use columns_tuner::experiment::event::{Event, Generation, Stage};
use columns_tuner::experiment::run::{Listener, Run};
use columns_tuner::experiment::state::{recent, told, State};
use columns_tuner::search::space::Axis;
use indicatif::{FormattedDuration, ProgressBar};
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

/// Shows the progress of a run.
pub(crate) struct Screen {
    axes: Vec<Axis>,
    begun: Instant,
    /// Games of this process so far.
    played: u64,
    /// Games of the run, held-out ones apart, and the most.
    games: [u64; 2],
    /// Seconds that are left since the beginning.
    seconds: f64,
    warned: bool,
    stage: String,
    /// What the last generation came to, and the games of the stage.
    bar: ProgressBar,
}

impl Screen {
    /// Shows the progress of a run.
    pub(crate) fn new(run: &Run) -> Self {
        Self {
            axes: run.config.axes.clone(),
            begun: Instant::now(),
            played: 0,
            games: [0, run.state.limits.games],
            seconds: run.left().unwrap_or(f64::INFINITY),
            warned: false,
            stage: String::new(),
            bar: progress::bar(0, "{prefix}\n{bar:30} {pos}/{len} in {msg}"),
        }
    }

    /// The games per second of this process, and the longest time that the rest takes.
    fn pace(&self) -> String {
        let elapsed = self.begun.elapsed().as_secs_f64();
        let rate = self.played as f64 / elapsed;
        let [games, most] = self.games;
        let games = most.saturating_sub(games) as f64 / rate.max(1e-9);
        let left = games.min((self.seconds - elapsed).max(0.0));
        if self.played == 0 || left > 1e8 {
            return "some time left".into();
        }
        let left = FormattedDuration(Duration::from_secs_f64(left));
        format!("{rate:.1} games/s, at most {left} left")
    }

    /// Removes the bar.
    pub(crate) fn close(&self) {
        self.bar.finish_and_clear();
    }

    /// Tells something that stays on a terminal, above the bar.
    fn tell(&self, line: &str) {
        self.bar.suspend(|| tell(line));
    }

    fn generation(&mut self, generation: &Generation, state: &State) {
        // The width of a program's beam is not known.
        if generation.width > 0 && !std::mem::replace(&mut self.warned, true) {
            warn_if_narrow(generation.width as f64);
        }
        let recent = recent(&state.generations);
        let line = format!(
            "generation {}  {} games  average {} of the start's score  {}  {}",
            generation.generation,
            state.games,
            recent.as_ref().map_or(String::new(), told),
            moved(&self.axes, &generation.average),
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
        self.bar.set_length(games as u64);
        self.bar.set_position(played as u64);
    }

    fn game(&mut self) {
        self.played += 1;
        self.bar.inc(1);
        let ([games, most], stage, pace) = (self.games, &self.stage, self.pace());
        let told = format!("{stage}; {games} of at most {most} games, {pace}");
        self.bar.set_message(told);
    }

    fn event(&mut self, event: &Event, state: &State) {
        self.games = [state.games, state.limits.games];
        match event {
            Event::Generation(generation) => self.generation(generation, state),
            Event::Challenge(challenge) => self.tell(&challenge.to_string()),
            _ => {}
        }
    }
}

/// The parameters that have moved furthest. The numbers of a network mean nothing to a reader.
fn moved(axes: &[Axis], values: &[f64]) -> String {
    let named = axes
        .iter()
        .zip(values)
        .filter(|(axis, _)| !axis.is_of_network());
    let steps = |(axis, &value): &(&Axis, &f64)| -((value - axis.start) / axis.step).abs();
    let mut moved: Vec<(&Axis, &f64)> = named.collect();
    moved.sort_by(|a, b| steps(a).total_cmp(&steps(b)));
    let shown = moved.iter().take(SHOWN);
    let shown = shown.map(|(axis, &value)| format!("{} {}", axis.name, axis.rounded(value)));
    shown.collect::<Vec<_>>().join(" ")
}
