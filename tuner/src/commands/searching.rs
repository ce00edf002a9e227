//! How a search goes: the options of `fit`, `refine` and `rehearse`.

use super::number;
use super::selfplay::{PlayerArgs, SelfPlay};
use anyhow::Result;
use clap::Args;
use columns_cli::options::duration;
use columns_generator::Spec;
use columns_tuner::experiment::config::{Config, Limits};
use columns_tuner::search::space::{of_names, Axis, Space};
use columns_tuner::{
    contestant::Contestant, player::Player, search::Pace, stats::gate::MOST_PAIRS, units::Objective,
};
use std::time::Duration;

/// Reads how many games a run may play: as many pairs as there are seeds for.
pub(crate) fn games(text: &str) -> Result<u64, String> {
    number("games", 1, 800_000_000)(text)
}

/// How a search goes.
#[derive(Debug, Args)]
pub(crate) struct Searching {
    #[command(flatten)]
    pub(crate) player: PlayerArgs,
    /// What to make large
    #[arg(long, value_enum, default_value_t = Objective::Log)]
    objective: Objective,
    /// Games to play at the most; the search also stops when it finds nothing better
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = games)]
    games: u64,
    /// Stop after this time of work, such as 90s, 30m or 8h; then the result is judged
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// Pairs of games of a generation [default: 80; of refine 600]
    #[arg(long, value_name = "N", value_parser = number("pairs of games", 2_u32, 100_000))]
    pairs: Option<u32>,
    /// How much each number is changed to see what that does: a standard deviation, in its steps
    /// [default: 1.5; of refine 0.4]
    #[arg(long, value_name = "STEPS", value_parser = number("steps", 0.001, 1000.0))]
    noise: Option<f64>,
    /// How far a number goes at the most in the first generation, in its steps
    /// [default: 0.5; of refine 0.1]
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

/// The pace of a search over weights; its seed is the user's.
pub(crate) const OF_WEIGHTS: Pace = pace(80, 1.5, 0.5);

/// The pace of a search over the numbers of a network.
pub(crate) const OF_NETWORK: Pace = pace(600, 0.4, 0.1);

const fn pace(pairs: u32, noise: f64, rate: f64) -> Pace {
    Pace {
        pairs,
        noise,
        rate,
        seed: 0,
    }
}

impl Searching {
    /// The configuration of a search over a contestant that plays these cases; `pace` is the
    /// default.
    pub(crate) fn config(
        &self,
        axes: Vec<Axis>,
        (start, cases): (Contestant, Spec),
        pace: Pace,
    ) -> Result<Config> {
        let first = Space::new(&axes, &start)?.start();
        first.check()?;
        Ok(Config {
            tuner: env!("CARGO_PKG_VERSION").into(),
            behaviour: first.behaviour()?,
            cases,
            objective: self.objective,
            limits: Limits {
                games: self.games,
                seconds: self.time.map(|time| time.as_secs_f64()),
            },
            most_pairs: self.most_pairs,
            pace: Pace {
                pairs: self.pairs.unwrap_or(pace.pairs),
                noise: self.noise.unwrap_or(pace.noise),
                rate: self.rate.unwrap_or(pace.rate),
                seed: self.seed,
            },
            rehearsal: None,
            axes,
            start,
        })
    }
}

/// Which parameters of the table of weights are fitted.
#[derive(Debug, Args)]
pub(crate) struct Table {
    /// What to fit, names separated by commas [default: all parameters]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    parameters: Vec<String>,
}

impl Table {
    /// These parameters.
    pub(crate) fn axes(&self, start: &Player) -> Result<Vec<Axis>> {
        let names = self.parameters.iter().map(|name| name.trim().to_string());
        of_names(&names.collect::<Vec<_>>(), start)
    }
}
