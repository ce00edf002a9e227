//! The progress of long work: bars on a terminal, lines in a pipe.

use super::selfplay::warn_if_narrow;
use anyhow::{bail, Result};
use columns_cli::mistake::tell;
use columns_cli::progress::{self, styled};
use columns_generator::seeds::SeedRange;
use columns_tuner::experiment::event::{Challenge, Event, Generation, Stage};
use columns_tuner::experiment::run::{Listener, Run};
use columns_tuner::experiment::state::{recent, State};
use columns_tuner::search::space::Axis;
use columns_tuner::units::{LogRatio, Unit as _};
use indicatif::{FormattedDuration, MultiProgress, ProgressBar};
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
    /// They show something on a terminal only.
    all: MultiProgress,
    /// The run, its stage, and what the last generation came to.
    bars: [ProgressBar; 3],
}

/// The bars of [`Screen`].
const BARS: [&str; 3] = [
    "{bar:30} {pos} of at most {len} games, {msg}",
    "{bar:30} {pos}/{len} in {msg}",
    "{msg}",
];

impl Screen {
    /// Shows the progress of a run.
    pub(crate) fn new(run: &Run) -> Self {
        let all = MultiProgress::new();
        Self {
            axes: run.config.axes.clone(),
            begun: Instant::now(),
            played: 0,
            games: [0, run.state.limits.games],
            seconds: run.left().unwrap_or(f64::INFINITY),
            warned: false,
            bars: BARS.map(|template| styled(all.add(ProgressBar::new(1)), template)),
            all,
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
        for bar in &self.bars {
            bar.finish_and_clear();
        }
    }

    /// Tells something that stays on a terminal, above the bars.
    fn tell(&self, line: &str) {
        self.all.suspend(|| tell(line));
    }

    fn generation(&mut self, generation: &Generation, state: &State) {
        // The width of a program's beam is not known.
        if generation.width > 0 && !std::mem::replace(&mut self.warned, true) {
            warn_if_narrow(generation.width as f64);
        }
        let line = format!(
            "generation {}  {} games  {}  {}  {}",
            generation.generation,
            state.games,
            against_start(state),
            moved(&self.axes, &generation.average),
            self.pace()
        );
        if self.all.is_hidden() {
            tell(&line);
        }
        self.bars[2].set_message(line);
    }

    fn challenge(&mut self, challenge: &Challenge) {
        self.tell(&format!(
            "challenge {} after generation {}: {:.2} % against the best so far in {} pairs of \
             games, {}",
            challenge.challenge,
            challenge.generation,
            LogRatio(challenge.gain).percent(),
            challenge.pairs,
            if challenge.won { "won" } else { "lost" }
        ));
    }
}

impl Listener for Screen {
    fn begin(&mut self, stage: Stage, games: usize, played: usize) {
        if let Stage::Look(number) = stage {
            self.tell(&format!(
                "judgement {number}: at most {games} games on held-out seeds"
            ));
        }
        let [run, current, _] = &self.bars;
        run.set_length(self.games[1]);
        run.set_position(self.games[0]);
        current.set_length(games as u64);
        current.set_position(played as u64);
        current.set_message(stage.to_string());
    }

    fn game(&mut self) {
        self.played += 1;
        self.bars[1].inc(1);
        self.bars[0].set_message(self.pace());
    }

    fn event(&mut self, event: &Event, state: &State) {
        self.games = [state.games, state.limits.games];
        match event {
            Event::Generation(generation) => self.generation(generation, state),
            Event::Challenge(challenge) => self.challenge(challenge),
            _ => {}
        }
    }
}

/// The estimate of the average of the search against the start, as text.
fn against_start(state: &State) -> String {
    let percent = |log| LogRatio(log).percent();
    let Some(recent) = recent(&state.generations) else {
        return String::new();
    };
    let interval = recent.interval.map_or(String::new(), |(low, high)| {
        format!(" ({:.2} to {:.2})", percent(low), percent(high))
    });
    let mean = percent(recent.mean);
    format!("average {mean:.2} %{interval} of the start's score")
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
