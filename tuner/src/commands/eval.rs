//! `tuner eval`: the bot over many seeds.

use super::player::PlayerArgs;
use super::selfplay::{warn_if_narrow, SelfPlay};
use super::{interrupt, progress};
use anyhow::{bail, Result};
use clap::Args;
use columns_cli::command::Stopped;
use columns_cli::options::Json;
use columns_cli::output;
use columns_cli::paths::Paths;
use columns_cli::pool::Pool;
use columns_cli::table::aligned;
use columns_generator::seeds::SeedRange;
use columns_judge::classes::{Kind, CLASSES};
use columns_judge::stats::Estimate;
use columns_tuner::experiment::outcome::kind;
use columns_tuner::game::{play, Played};
use rand::seq::SliceRandom;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

/// Play the bot over many seeds, several games at a time
///
/// Each game may do the same work, so the results are the same for any number
/// of threads and on every machine. JSON has a line for each seed; on standard
/// output it comes as soon as the game and all before it are played. With
/// --shuffle the first lines speak for the whole range, so that who reads them
/// can end a bad trial early.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner eval --seeds 1..=200 --work 200
  tuner eval --weights w.json --seeds 1001..=1100 --profile growing --json > games.jsonl
  tuner eval --weights trial.json --json --shuffle")]
pub(crate) struct Options {
    #[command(flatten)]
    player: PlayerArgs,
    /// The seeds of the cases
    #[arg(short, long, value_name = "RANGE", default_value = "1..=20")]
    seeds: SeedRange,
    /// Play the seeds in a random order, the same every time
    #[arg(long)]
    shuffle: bool,
    /// Games at a time [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = super::jobs)]
    jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    json: Json,
    #[command(flatten)]
    games_are: SelfPlay,
}

/// A line of `--json`.
#[derive(Debug, Serialize)]
struct Line {
    seed: u64,
    #[serde(flatten)]
    played: Played,
    log_score: f64,
}

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let player = self.player.read()?;
        let (spec, work) = (self.games_are.spec()?, self.games_are.work());
        let count = progress::count(self.seeds)?;
        Paths::default().written(self.json.file()).check()?;
        let pool = Pool::new(self.jobs);
        let stop = interrupt::watch()?;
        let bar = progress::games(count);
        let begun = Instant::now();
        let mut seeds: Vec<u64> = self.seeds.into_iter().collect();
        if self.shuffle {
            seeds.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(0));
        }
        let seed = |index: usize| seeds[index];
        let work = |index| {
            let case = columns_generator::generate(seed(index), &spec);
            play(&case, &player, work)
        };
        let (mut games, mut lines) = (Vec::new(), String::new());
        let taken = pool.in_order(count, &stop, work, |index, played| {
            let line = Line {
                seed: seed(index),
                played,
                log_score: played.log_score(),
            };
            let text = serde_json::to_string(&line)? + "\n";
            if self.json.is_printed() {
                bar.suspend(|| output::print_to_reader(&text))?;
            } else {
                lines += &text;
            }
            games.push((kind(seed(index), &spec), played));
            bar.inc(1);
            Ok(ControlFlow::Continue(()))
        });
        bar.finish_and_clear();
        taken?;
        if !games.is_empty() {
            let widths: u64 = games.iter().map(|(_, played)| played.width).sum();
            warn_if_narrow(widths as f64 / games.len() as f64);
        }
        if !self.json.is_printed() && !games.is_empty() {
            let seconds = begun.elapsed().as_secs_f64();
            let text = summary(&games, seconds, pool.jobs());
            self.json.give(|| Ok(lines), &text)?;
        }
        if games.len() < count {
            let done = games.len();
            bail!(Stopped(format!("after {done} of {count} games")));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The results of the games, in all and by class.
fn summary(games: &[(Kind, Played)], seconds: f64, jobs: usize) -> String {
    let row = |name: &str, games: &[Played]| {
        let logs: Vec<f64> = games.iter().map(Played::log_score).collect();
        let log = Estimate::of(&logs);
        let points: u64 = games.iter().map(|game| game.points).sum();
        let columns: usize = games.iter().map(|game| game.columns).sum();
        [
            name.to_string(),
            games.len().to_string(),
            format!("{:.4}", log.mean),
            log.interval
                .map_or("-".into(), |(low, high)| format!("{low:.4} to {high:.4}")),
            format!("{:.0}", points as f64 / games.len() as f64),
            format!("{:.1}", points as f64 / columns as f64),
            games.iter().filter(|game| game.died()).count().to_string(),
        ]
    };
    let all: Vec<Played> = games.iter().map(|&(_, played)| played).collect();
    let mut rows = vec![row("all", &all)];
    for (name, holds) in CLASSES {
        let class = games.iter().filter(|(kind, _)| holds(kind));
        let class: Vec<Played> = class.map(|&(_, played)| played).collect();
        if !class.is_empty() {
            rows.push(row(name, &class));
        }
    }
    let header = ["", "games", "log score", "95 %", "mean", "/column", "died"];
    let mut text = aligned(header, rows);
    let sum: u64 = all.iter().map(|game| game.points).sum();
    let rate = all.len() as f64 / seconds;
    let _ = writeln!(text, "\nsum    {sum}");
    let _ = writeln!(text, "speed  {rate:.1} games/s, {jobs} at a time");
    text
}
