//! `tuner eval`: plays the bot over many seeds.

use super::selfplay::{PlayerArgs, SelfPlay, warn_if_narrow};
use super::{playing, playing::Playing, progress};
use anyhow::Result;
use clap::Args;
use columns_cli::ledger::Head;
use columns_cli::{file, json, output, table::aligned};
use columns_generator::classes::{Kind, by_class};
use columns_generator::digest::Digest;
use columns_generator::{Spec, seeds::SeedRange};
use columns_judge::bot::Bot;
use columns_stats::Estimate;
use columns_tuner::executor::{Batch, Record, each};
use columns_tuner::game::{Losses, Played, kind};
use columns_tuner::{contestant::Side, kept::Kept};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use std::{fmt::Write as _, iter, path::PathBuf, time::Instant};

/// Play the bot over many seeds, several games at a time
///
/// Each game of the bot has the same budget of work, so the results are the same for any number of
/// threads and on every machine. With --shuffle the first games are a sample of the whole range, so
/// that a reader of --json can end a bad trial early.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner eval --seeds 1..=200 --work 200
  tuner eval --weights w.json --seeds 1001..=1100 --profile growing --json > games.jsonl
  tuner eval --weights w.json --seeds 1..=5000 --out w.jsonl
  tuner eval --weights trial.json --json --shuffle")]
pub(crate) struct Options {
    #[command(flatten)]
    player: PlayerArgs,
    /// A program to play instead of the bot of this build: a command line that reads a case and
    /// prints a plan
    #[arg(long, value_name = "CMD", conflicts_with_all = ["weights", "network", "nats"])]
    bot: Option<Bot>,
    /// The seeds of the cases; a larger range continues the evaluation
    #[arg(short, long, value_name = "RANGE", default_value = "1..=20")]
    seeds: SeedRange,
    /// Play the seeds in a random order, the same every time
    #[arg(long)]
    shuffle: bool,
    /// Ledger for the games: the same command continues it after an interruption
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print JSON lines on standard output: one for each game, as soon as it and all earlier ones
    /// have ended; the games of --out come first
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    games_are: SelfPlay,
    #[command(flatten)]
    playing: Playing,
}

/// The configuration of an evaluation, which determines its games. It is the head of the ledger.
#[derive(Debug, Serialize, Deserialize)]
struct Evaluation {
    cases: Spec,
    #[serde(flatten)]
    side: Side,
}

impl Head for Evaluation {
    const LEDGER: &'static str = "evaluation";
    const WHAT: &'static str = "an evaluation";
    const FORMAT: u32 = 1;
}

/// A line of `--json`: the result of one game.
#[derive(Debug, Serialize)]
struct Line {
    seed: u64,
    #[serde(flatten)]
    played: Played,
    log_score: f64,
}

impl From<&Record> for Line {
    fn from(game: &Record) -> Self {
        Self {
            seed: game.seed,
            played: game.played,
            log_score: game.played.log_score(),
        }
    }
}

impl Options {
    pub(crate) fn run(&self) -> Result<()> {
        let player = match &self.bot {
            Some(bot) => self.games_are.program(&bot.to_string())?,
            None => self.games_are.bot(self.player.read()?)?,
        };
        let cases = self.games_are.cases(&player)?;
        let count = progress::count(self.seeds)?;
        self.check_paths()?;
        let crew = self.playing.crew(playing::loss(self.out.as_ref()))?;
        let side = Side::new(player)?;
        let mut evaluation = Evaluation { cases, side };
        let mut kept = Kept::open(self.out.as_deref(), &mut evaluation, |_, _| ())?;
        let old = kept.games();
        let mut games = each(self.seeds, 1);
        if self.shuffle {
            games.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(0));
        }
        games.sort_by_key(|&game| kept.get(game).is_none());
        let batch = Batch {
            cases: &cases,
            players: std::slice::from_ref(&evaluation.side.player),
            games: &games,
        };
        let (bar, begun) = (progress::games(count), Instant::now());
        let mut results: Vec<Record> = Vec::new();
        let done = &mut |index: usize, played: Played| {
            let game = games[index].record(played);
            if self.json {
                output::print_to_reader(&json::line(&Line::from(&game))?)?;
            }
            results.push(game);
            bar.inc(1);
            Ok(false)
        };
        crew.play(Digest::of(&serde_json::to_vec(&evaluation)?), |executor| {
            kept.play(executor, &batch, done)
        })?;
        bar.finish_and_clear();
        let speed = results.len().saturating_sub(old) as f64 / begun.elapsed().as_secs_f64();
        self.print(&cases, &results, speed)?;
        if results.len() < count {
            let is_kept = self.out.is_some();
            return Err(playing::stopped(results.len(), count, "game", is_kept));
        }
        Ok(())
    }

    /// Checks that the ledger is none of the files that the player reads.
    fn check_paths(&self) -> Result<()> {
        let inputs = [&self.player.weights, &self.player.network];
        file::check_outputs(&self.out, inputs.into_iter().flatten())
    }

    /// Prints the results, unless `--json` has printed them.
    fn print(&self, cases: &Spec, results: &[Record], speed: f64) -> Result<()> {
        if results.is_empty() {
            return Ok(());
        }
        let widths: u64 = results.iter().map(|game| game.played.width).sum();
        if self.bot.is_none() {
            warn_if_narrow(widths as f64 / results.len() as f64);
        }
        if self.json {
            return Ok(());
        }
        let mut text = summary(cases, results);
        if speed > 0.0 {
            let _ = writeln!(text, "speed  {speed:.1} games/s");
        }
        output::print(&text)
    }
}

/// Formats the results of all games, and of the games of each class.
fn summary(cases: &Spec, games: &[Record]) -> String {
    let games = games.iter().map(|game| (game, kind(game.seed, cases)));
    let games: Vec<(&Record, Kind)> = games.collect();
    let row = |(name, games): (&str, Vec<&(&Record, Kind)>)| {
        let games: Vec<Played> = games.iter().map(|(game, _)| game.played).collect();
        let log = Estimate::of(&games.iter().map(Played::log_score).collect::<Vec<_>>());
        let interval = log.interval;
        let points: u64 = games.iter().map(|game| game.points).sum();
        let columns: usize = games.iter().map(|game| game.columns).sum();
        [
            name.to_string(),
            games.len().to_string(),
            format!("{:.4}", log.mean),
            interval.map_or("-".into(), |(low, high)| format!("{low:.4} to {high:.4}")),
            format!("{:.0}", points as f64 / games.len() as f64),
            format!("{:.1}", points as f64 / columns as f64),
            games.iter().filter(|game| game.died()).count().to_string(),
        ]
    };
    let classes = by_class(&games, |(_, kind)| kind);
    let rows = iter::once(("all", games.iter().collect())).chain(classes);
    let header = ["", "games", "log score", "95 %", "mean", "/column", "died"];
    let mut text = aligned(header, rows.map(row));
    let mut losses = Losses::default();
    for (game, _) in &games {
        losses.add(game.seed, &game.played);
    }
    if !losses.is_empty() {
        let _ = writeln!(text, "\nnote: {losses}");
    }
    let sum: u64 = games.iter().map(|(game, _)| game.played.points).sum();
    let _ = writeln!(text, "\nsum    {sum}");
    text
}
