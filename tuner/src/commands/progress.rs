//! The progress of long work: bars on a terminal, lines in a pipe.

use super::selfplay::warn_if_narrow;
use anyhow::{bail, Result};
use columns_cli::mistake::tell;
use columns_cli::progress::{self, styled};
use columns_generator::seeds::SeedRange;
use columns_judge::stats::Estimate;
use columns_tuner::experiment::event::{Challenge, Event, Generation, Stage};
use columns_tuner::experiment::run::{Listener, Run};
use columns_tuner::experiment::state::State;
use columns_tuner::search::space::Axis;
use columns_tuner::units::{LogRatio, Unit as _};
use indicatif::{FormattedDuration, MultiProgress, ProgressBar};
use std::io::{stderr, IsTerminal};
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
    bars: Option<Bars>,
}

/// The bars of a terminal.
struct Bars {
    /// Draws the bars below each other.
    _all: MultiProgress,
    run: ProgressBar,
    stage: ProgressBar,
    average: ProgressBar,
    values: ProgressBar,
    challenge: ProgressBar,
}

impl Screen {
    /// Shows the progress of a run.
    pub(crate) fn new(run: &Run) -> Self {
        let bars = stderr().is_terminal().then(|| {
            let all = MultiProgress::new();
            let line = |length, template| styled(all.add(ProgressBar::new(length)), template);
            let bars = Bars {
                run: line(
                    run.state.limits.games,
                    "run         {bar:30} {pos} of at most {len} games, {msg}",
                ),
                stage: line(1, "{prefix:11} {bar:30} {pos}/{len} games"),
                average: line(0, "average     {msg}"),
                values: line(0, "            {msg}"),
                challenge: line(0, "challenge   {msg}"),
                _all: all,
            };
            bars.average.set_message("as at the start");
            bars.challenge.set_message("none yet");
            bars
        });
        let weights = columns_bot::eval::weights::Weights::default();
        // The numbers of a network mean nothing to a reader.
        let named = |axis: &&Axis| weights.clone().get_mut(&axis.name).is_some();
        Self {
            axes: run.config.axes.iter().filter(named).cloned().collect(),
            begun: Instant::now(),
            played: 0,
            games: [0, run.state.limits.games],
            seconds: run.left().unwrap_or(f64::INFINITY),
            warned: false,
            bars,
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

    /// Removes the bars.
    pub(crate) fn close(&self) {
        if let Some(bars) = &self.bars {
            for bar in [
                &bars.run,
                &bars.stage,
                &bars.average,
                &bars.values,
                &bars.challenge,
            ] {
                bar.finish_and_clear();
            }
        }
    }

    fn generation(&mut self, generation: &Generation, state: &State) {
        if !std::mem::replace(&mut self.warned, true) {
            warn_if_narrow(generation.width as f64);
        }
        let now = state
            .recent()
            .map_or(String::new(), |recent| against_start(&recent));
        let moved = moved(&self.axes, &generation.average);
        if let Some(bars) = &self.bars {
            bars.run.set_position(state.games);
            bars.average.set_message(now);
            bars.values.set_message(moved);
            return;
        }
        tell(&format!(
            "generation {}  {} games  {now}  {moved}  {}",
            generation.generation,
            state.games,
            self.pace()
        ));
    }

    fn challenge(&mut self, challenge: &Challenge) {
        let line = format!(
            "{} after generation {}: {:.2} % against the best so far in {} pairs of games, {}",
            challenge.challenge,
            challenge.generation,
            LogRatio(challenge.gain).percent(),
            challenge.pairs,
            if challenge.won { "won" } else { "lost" }
        );
        match &self.bars {
            Some(bars) => bars.challenge.set_message(line),
            None => tell(&format!("challenge {line}")),
        }
    }
}

impl Listener for Screen {
    fn begin(&mut self, stage: Stage, games: usize, played: usize) {
        let Some(bars) = &self.bars else {
            if let Stage::Look(number) = stage {
                tell(&format!(
                    "judgement {number}: at most {games} games on held-out seeds"
                ));
            }
            return;
        };
        bars.run.set_position(self.games[0]);
        bars.stage.set_length(games as u64);
        bars.stage.set_position(played as u64);
        bars.stage.set_prefix(match stage {
            Stage::Draw(number) => format!("start {number}"),
            Stage::Generation(number) => format!("gen. {number}"),
            Stage::Challenge(number) => format!("chall. {number}"),
            Stage::Look(_) | Stage::Recovery => "held out".into(),
        });
    }

    fn game(&mut self) {
        self.played += 1;
        if let Some(bars) = &self.bars {
            bars.stage.inc(1);
            bars.run.set_message(self.pace());
        }
    }

    fn event(&mut self, event: &Event, state: &State) {
        self.games = [state.games, state.limits.games];
        if let Some(bars) = &self.bars {
            bars.run.set_length(state.limits.games);
        }
        match event {
            Event::Generation(generation) => self.generation(generation, state),
            Event::Challenge(challenge) => self.challenge(challenge),
            _ => {}
        }
    }
}

/// The estimate of the average of the search against the start, as text.
fn against_start(recent: &Estimate) -> String {
    let percent = |log| LogRatio(log).percent();
    let mean = percent(recent.mean);
    match recent.interval {
        Some((low, high)) => format!(
            "average {mean:.2} % ({:.2} to {:.2}) of the start's score",
            percent(low),
            percent(high)
        ),
        None => format!("average {mean:.2} % of the start's score"),
    }
}

/// The parameters that have moved furthest, in steps.
fn moved(axes: &[Axis], values: &[f64]) -> String {
    let mut moved: Vec<(f64, &Axis, f64)> = axes
        .iter()
        .zip(values)
        .map(|(axis, &value)| ((value - axis.start) / axis.step, axis, value))
        .collect();
    moved.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    let shown: Vec<String> = moved
        .iter()
        .take(SHOWN)
        .map(|(_, axis, value)| format!("{} {}", axis.name, axis.rounded(*value)))
        .collect();
    shown.join(" ")
}
