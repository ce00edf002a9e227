//! What is seen of long work: bars on a terminal, lines in a pipe.

use anyhow::{bail, Result};
use columns_cli::mistake::tell;
use columns_generator::seeds::SeedRange;
use columns_judge::stats::Estimate;
use columns_tuner::fit::record::Generation;
use columns_tuner::fit::run::Config;
use columns_tuner::fit::runner::{Stage, Watch, RECENT};
use columns_tuner::fit::space::Axis;
use indicatif::{FormattedDuration, MultiProgress, ProgressBar, ProgressStyle};
use std::io::{stderr, IsTerminal};
use std::time::{Duration, Instant};

/// Most games of a command.
const MOST: u128 = 10_000_000;

/// How many games the seeds make.
///
/// # Errors
/// More than ten million, which must be a slip.
pub(crate) fn count(seeds: SeedRange) -> Result<usize> {
    let count = seeds.count();
    if count > MOST {
        bail!("expected at most {MOST} seeds, found {count} in {seeds}");
    }
    Ok(count as usize)
}

/// A bar for so many games; none in a pipe.
pub(crate) fn games(count: usize) -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(count as u64);
    styled(bar, "{bar:40} {pos}/{len} games, {per_sec}, {eta} left")
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// How many of the parameters that have moved furthest are shown.
const SHOWN: usize = 6;

/// Watches a fit.
pub(crate) struct Screen {
    config: Config,
    begun: Instant,
    /// Games of this process so far.
    games: u64,
    /// Games of the whole run that are not played yet.
    left: u64,
    /// The best of what recent generations said of the mean, and the last of these.
    best: Option<(f64, u32)>,
    bars: Option<Bars>,
}

/// The bars of a terminal.
struct Bars {
    /// Keeps the bars below each other.
    _all: MultiProgress,
    run: ProgressBar,
    generations: ProgressBar,
    games: ProgressBar,
    mean: ProgressBar,
    found: ProgressBar,
}

impl Screen {
    /// Watches a run of which so many generations are done.
    pub(crate) fn new(config: &Config, generation: u32) -> Self {
        let block = (config.population as u64 + 2) * config.games;
        let generations = u64::from(config.generations);
        let validation = 2 * config.held_out.count() as u64;
        let left = block * (generations - u64::from(generation)) + validation;
        let bars = stderr().is_terminal().then(|| {
            let all = MultiProgress::new();
            let line = |bar: ProgressBar, template| styled(all.add(bar), template);
            let new = ProgressBar::new;
            let bars = Bars {
                run: line(
                    new(block * generations + validation),
                    "run         {bar:30} {pos}/{len} games, {msg}",
                ),
                generations: line(
                    new(generations),
                    "generations {bar:30} {pos}/{len}, step size {msg}",
                ),
                games: line(new(block), "games       {bar:30} {pos}/{len} {msg}"),
                mean: line(new(0), "mean        {msg}"),
                found: line(new(0), "validated   {msg}"),
                _all: all,
            };
            bars.run
                .set_position(block * generations + validation - left);
            bars.generations.set_position(u64::from(generation));
            bars.generations.set_message(config.step_size.to_string());
            bars.mean.set_message("as at the start");
            bars.found.set_message("nothing yet");
            bars
        });
        Self {
            config: config.clone(),
            begun: Instant::now(),
            games: 0,
            left,
            best: None,
            bars,
        }
    }

    /// Games a second of this process, and how long the rest takes.
    fn pace(&self) -> (f64, String) {
        let rate = self.games as f64 / self.begun.elapsed().as_secs_f64();
        let left = if self.games == 0 {
            "some time".into()
        } else {
            let seconds = self.left as f64 / rate;
            FormattedDuration(Duration::from_secs_f64(seconds)).to_string()
        };
        (rate, left)
    }

    /// Takes the bars away.
    pub(crate) fn close(&self) {
        if let Some(bars) = &self.bars {
            for bar in [
                &bars.run,
                &bars.generations,
                &bars.games,
                &bars.mean,
                &bars.found,
            ] {
                bar.finish_and_clear();
            }
        }
    }
}

impl Watch for Screen {
    fn begin(&mut self, stage: Stage, games: usize, played: usize) {
        self.left -= played as u64;
        if let Some(bars) = &self.bars {
            bars.run.inc(played as u64);
            bars.games.set_length(games as u64);
            bars.games.set_position(played as u64);
            bars.games.set_message(match stage {
                Stage::Generation(number) => format!("of generation {number}"),
                Stage::Validation => "of the validation".into(),
            });
        }
    }

    fn game(&mut self) {
        self.games += 1;
        self.left -= 1;
        if let Some(bars) = &self.bars {
            let (rate, left) = self.pace();
            bars.games.inc(1);
            bars.run.inc(1);
            bars.run
                .set_message(format!("{rate:.1} games/s, {left} left"));
        }
    }

    fn generation(&mut self, generation: &Generation, recent: &Estimate) {
        let number = generation.generation;
        // A mean over fewer generations than that is mostly luck.
        let settled = number as usize >= RECENT;
        if settled && self.best.is_none_or(|(best, _)| recent.mean > best) {
            self.best = Some((recent.mean, number));
        }
        let now = against_start(recent);
        if let Some(bars) = &self.bars {
            bars.generations.set_position(u64::from(number));
            bars.generations
                .set_message(format!("{:.3}", generation.sigma));
            bars.mean
                .set_message(moved(&self.config.parameters, &generation.values));
            let best = self.best.map_or(String::new(), |(best, number)| {
                format!("; best {:+.2} % at generation {number}", percent(best))
            });
            bars.found.set_message(format!("{now}{best}"));
            return;
        }
        let (rate, left) = self.pace();
        let line = format!(
            "generation {number}/{}  {now}  step size {:.3}  {}  {rate:.1} games/s  {left} left",
            self.config.generations,
            generation.sigma,
            moved(&self.config.parameters, &generation.values)
        );
        tell(&line);
    }
}

fn percent(log: f64) -> f64 {
    100.0 * log.exp_m1()
}

/// The mean of the distribution against the start.
fn against_start(recent: &Estimate) -> String {
    let mean = percent(recent.mean);
    match recent.interval {
        Some((low, high)) => format!(
            "mean {mean:+.2} % ({:+.2} to {:+.2}) of the start's score",
            percent(low),
            percent(high)
        ),
        None => format!("mean {mean:+.2} % of the start's score"),
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
