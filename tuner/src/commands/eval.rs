//! `tuner eval`: the bot over many seeds.

use super::selfplay::{warn_if_narrow, PlayerArgs, SelfPlay};
use super::{playing::Playing, progress};
use anyhow::{bail, Result};
use clap::Args;
use columns_cli::{command::Stopped, options::Json, output, paths::Paths, table::aligned};
use columns_generator::classes::{Kind, CLASSES};
use columns_generator::seeds::SeedRange;
use columns_stats::Estimate;
use columns_tuner::executor::{each, Batch};
use columns_tuner::{digest::Digest, game::kind, game::Played};
use rand::seq::SliceRandom;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;
use std::{fmt::Write as _, process::ExitCode, time::Instant};

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
    #[command(flatten)]
    json: Json,
    #[command(flatten)]
    games_are: SelfPlay,
    #[command(flatten)]
    playing: Playing,
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
        let (player, spec) = self.games_are.bot(self.player.read()?)?;
        let players = [player];
        let count = progress::count(self.seeds)?;
        Paths::default().written(self.json.file()).check()?;
        let mut games = each(self.seeds, 1);
        if self.shuffle {
            games.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(0));
        }
        let batch = Batch {
            cases: &spec,
            players: &players,
            games: &games,
        };
        let crew = self.playing.crew()?;
        let bar = progress::games(count);
        let begun = Instant::now();
        let (mut results, mut lines) = (Vec::new(), String::new());
        let identity = Digest::of_json(&(&spec, &players))?;
        let done = &mut |index: usize, played: Played| {
            let seed = batch.games[index].seed;
            let line = Line {
                seed,
                played,
                log_score: played.log_score(),
            };
            let text = serde_json::to_string(&line)? + "\n";
            if self.json.is_printed() {
                bar.suspend(|| output::print_to_reader(&text))?;
            } else {
                lines += &text;
            }
            results.push((kind(seed, &spec), played));
            bar.inc(1);
            Ok(false)
        };
        let taken = crew.play(identity, |executor| executor.play(&batch, done));
        bar.finish_and_clear();
        taken?;
        let done = results.len();
        if done > 0 {
            let widths: u64 = results.iter().map(|(_, played)| played.width).sum();
            warn_if_narrow(widths as f64 / done as f64);
            if !self.json.is_printed() {
                let text = summary(&results, begun.elapsed().as_secs_f64());
                self.json.give(|| Ok(lines), &text)?;
            }
        }
        if done < count {
            bail!(Stopped(format!("after {done} of {count} games")));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The results of the games, in all and by class.
fn summary(games: &[(Kind, Played)], seconds: f64) -> String {
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
    let _ = writeln!(text, "\nsum    {sum}\nspeed  {rate:.1} games/s");
    text
}
