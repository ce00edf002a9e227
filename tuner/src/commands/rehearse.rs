//! `tuner rehearse`: a rehearsal of a fit.

use super::fit::{watched, where_it_was};
use super::interrupt;
use super::playing::Playing;
use super::searching::Searching;
use anyhow::{bail, ensure, Context, Result};
use clap::Args;
use columns_bot::eval::weights::Weights;
use columns_cli::command::Stopped;
use columns_cli::table::aligned;
use columns_cli::{file, output};
use columns_generator::seeds::SeedRange;
use columns_judge::stats::Estimate;
use columns_tuner::fit::rehearsal::{start, Measure};
use columns_tuner::fit::run::{is_own, weights_of, Run, CONFIG, WEIGHTS};
use columns_tuner::fit::runner::{Ended, Limits};
use columns_tuner::games::play::Played;
use columns_tuner::stats::gate;
use columns_tuner::store::digest::Digest;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;

/// Rehearse a fit: whether its budget can find anything
///
/// The weights are made worse on purpose: each parameter moves by 3 to 8 of its steps, one way or
/// the other, until that costs 12 % or more. A fit with the settings given goes on from there, and
/// its result plays held-out seeds against the weights as they were. What it recovers of the loss
/// says what a night with these settings can do. Each start is a run in the folder, and the same
/// command goes on after any stop.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner rehearse --out rehearsal --games 20000
  tuner rehearse --out narrow --games 20000 --columns 200 --work 24 --starts 5")]
pub(crate) struct Options {
    /// Folder for the runs
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Weights to find back to [default: those in the bot]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// How many starts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    starts: u32,
    /// Held-out seeds to measure on
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(2..=100_000))]
    held_out: u64,
    #[command(flatten)]
    searching: Searching,
    #[command(flatten)]
    playing: Playing,
}

/// The result from one start.
struct Recovered {
    /// The change of the score from the weights as they were to the start, in percent.
    start: Estimate,
    result: Estimate,
    games: u64,
    why: String,
}

impl Recovered {
    /// The share of the loss that is recovered.
    fn share(&self) -> f64 {
        1.0 - self.result.mean / self.start.mean
    }
}

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let origin = super::weights(self.weights.as_ref())?;
        let (config, _) = self.searching.config(&origin)?;
        let is_start = |weights: &PathBuf| {
            let mut folders = (1..=self.starts).map(|number| self.out.join(number.to_string()));
            folders.any(|folder| is_own(&folder, weights))
        };
        if let Some(weights) = self.weights.as_ref().filter(|weights| is_start(weights)) {
            bail!(
                "{}: expected weights that no start replaces, found those of one",
                weights.display()
            );
        }
        let _folder = file::make_folder(&self.out)?;
        let stop = interrupt::watch()?;
        let measure = Measure {
            spec: &config.cases,
            work: config.work,
            objective: config.objective,
        };
        let digest = Digest::of(b"rehearsal");
        let seeds = gate::held_out(digest, 1, self.held_out);
        let mut before = None;
        let mut all = Vec::new();
        for number in 1..=self.starts {
            let went = self.one(number, &origin, &measure, seeds, &mut before, &stop)?;
            match went {
                Ok(recovered) => all.push(recovered),
                Err(place) => {
                    return Err(Stopped(format!(
                        "at start {number}, {place}; to go on, give the same command again"
                    ))
                    .into())
                }
            }
        }
        output::print(&told(&all, seeds))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Rehearses from one start; the error is the place of an interruption.
    fn one(
        &self,
        number: u32,
        origin: &Weights,
        measure: &Measure,
        seeds: SeedRange,
        before: &mut Option<Vec<Played>>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Result<Recovered, String>> {
        let place = || Err("between its games".to_string());
        let folder = self.out.join(number.to_string());
        let shown = folder.display();
        let mut local = self.playing.here(Arc::clone(stop));
        let (run, mut crew) = if folder.join(CONFIG).exists() {
            let (run, crew) = self
                .playing
                .begin(Arc::clone(stop), || Run::open(&folder))?;
            let (expected, _) = self.searching.config(run.space.start())?;
            ensure!(
                expected == run.config,
                "{shown}: was made with other options; give those, or another --out"
            );
            (run, crew)
        } else {
            let (_, space) = self.searching.config(origin)?;
            let seen = gate::held_out(Digest::of(b"rehearsal"), 2, 200);
            let drawn = [self.searching.seed, number.into()];
            let Some(bad) = start(&space, drawn, measure, &mut local, seen)? else {
                return Ok(place());
            };
            let (config, _) = self.searching.config(&bad)?;
            self.playing
                .begin(Arc::clone(stop), || Run::create(&folder, config, &bad))?
        };
        let limits = Limits {
            games: run.config.games,
            until: None,
            extend: false,
        };
        let bad = run.space.start().clone();
        let outcome = match watched(run, limits, &mut crew)? {
            (Ended::Finished(outcome), _) => outcome,
            (Ended::Stopped(stage), _) => return Ok(Err(where_it_was(stage))),
        };
        crew.finish();
        let (found, _) = weights_of(&folder.join(WEIGHTS)).context("the result of a rehearsal")?;
        if before.is_none() {
            let games = measure.play(&mut local, std::slice::from_ref(origin), seeds)?;
            *before = games.map(|mut games| games.remove(0));
        }
        let games = measure.play(&mut local, &[bad, found], seeds)?;
        let (Some(before), Some(games)) = (before, games) else {
            return Ok(place());
        };
        let [start, result] = [0, 1].map(|i| measure.gain(&games[i], before));
        Ok(Ok(Recovered {
            start,
            result,
            games: outcome.games,
            why: outcome
                .stopped
                .map_or(String::new(), |reason| reason.to_string()),
        }))
    }
}

/// The result of the rehearsal as text.
fn told(all: &[Recovered], seeds: SeedRange) -> String {
    let rows = all.iter().zip(1..).map(|(one, number)| {
        let interval = one.result.interval.map_or(String::new(), |(low, high)| {
            format!("{low:+.1} to {high:+.1} %")
        });
        [
            number.to_string(),
            format!("{:+.1} %", one.start.mean),
            format!("{:+.1} %", one.result.mean),
            interval,
            format!("{:.0} %", 100.0 * one.share()),
            one.games.to_string(),
            one.why.clone(),
        ]
    });
    let head = [
        "start",
        "loses",
        "result",
        "95 %",
        "recovered",
        "games",
        "stopped, since",
    ];
    let table = aligned(head, rows);
    let mean = all.iter().map(Recovered::share).sum::<f64>() / all.len() as f64;
    let least = all
        .iter()
        .map(Recovered::share)
        .fold(f64::INFINITY, f64::min);
    format!(
        "Against the weights as they were, on the held-out seeds {seeds}:\n\n{table}\n\
         A fit with these settings recovers {:.0} % of a loss in the mean, {:.0} % at the least.\n",
        100.0 * mean,
        100.0 * least
    )
}
