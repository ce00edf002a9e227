//! How a search goes: the options of `tuner fit`.

use super::number;
use super::selfplay::SelfPlay;
use super::target::Start;
use anyhow::{ensure, Result};
use clap::Args;
use columns_cli::options::duration;
use columns_tuner::experiment::config::{Config, Limits};
use columns_tuner::experiment::state::fewest_games;
use columns_tuner::{digest::Digest, search::Pace, stats::gate::MOST_PAIRS, units::Objective};
use std::time::Duration;

/// How a search goes.
#[derive(Debug, Args)]
pub(crate) struct Searching {
    /// The objective to maximise
    #[arg(long, value_enum, default_value_t = Objective::Log)]
    objective: Objective,
    /// Games of the search at the most; it also stops when it finds nothing better. The games that
    /// judge the result come on top, see --most-pairs
    #[arg(long, value_name = "N", default_value_t = 100_000,
        value_parser = number("games", 1_u64, 800_000_000))]
    games: u64,
    /// Search for this time at the most, such as 90s, 30m or 8h, all processes together; then the
    /// result is judged
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// Pairs of games of a generation [default: 80; of a network 600]
    #[arg(long, value_name = "N", value_parser = number("pairs of games", 2_u32, 100_000))]
    pairs: Option<u32>,
    /// How much each number is changed to see the effect: a standard deviation, in its steps
    /// [default: 1.5; of a network 0.4]
    #[arg(long, value_name = "STEPS", value_parser = number("steps", 0.001, 1000.0))]
    noise: Option<f64>,
    /// How far a number moves at the most in the first generation, in its steps
    /// [default: 0.5; of a network 0.1]
    #[arg(long, value_name = "STEPS", value_parser = number("steps", 0.001, 1000.0))]
    rate: Option<f64>,
    /// Pairs of games on held-out seeds that judge the result at the most
    #[arg(long, value_name = "N", default_value_t = MOST_PAIRS,
        value_parser = number("pairs of games", 1_u64, 1_000_000))]
    most_pairs: u64,
    /// Seed of the search's own random numbers and of the cases that it plays
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    pub(crate) games_are: SelfPlay,
}

impl Searching {
    /// The configuration of a search from this start.
    ///
    /// # Errors
    /// If the start does not have the numbers that are fitted, or if the games are too few to play
    /// any.
    pub(crate) fn config(&self, start: Start) -> Result<Config> {
        let config = Config {
            tuner: env!("CARGO_PKG_VERSION").into(),
            behaviour: Digest::EMPTY,
            files: start.files,
            cases: start.cases,
            objective: self.objective,
            limits: Limits {
                games: self.games,
                seconds: self.time.map(|time| time.as_secs_f64()),
                pairs: self.most_pairs,
            },
            pace: Pace {
                pairs: self.pairs.unwrap_or(start.pace.pairs),
                noise: self.noise.unwrap_or(start.pace.noise),
                rate: self.rate.unwrap_or(start.pace.rate),
                seed: self.seed,
            },
            rehearsal: None,
            target: start.target,
            axes: start.axes,
            start: start.contestant,
        };
        let fewest = fewest_games(&config);
        ensure!(
            self.games >= fewest,
            "--games: expected at least {fewest}, a generation of --pairs {} and a challenge, found {}",
            config.pace.pairs,
            self.games
        );
        Ok(config)
    }
}
