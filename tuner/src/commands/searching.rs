//! How a fit searches: the options of `fit` and `rehearse`.

use super::selfplay::SelfPlay;
use anyhow::Result;
use clap::Args;
use columns_bot::eval::weights::Weights;
use columns_tuner::fit::config::{Config, FORMAT};
use columns_tuner::fit::search::Pace;
use columns_tuner::fit::space::Space;
use columns_tuner::games::behaviour::behaviour;
use columns_tuner::games::objective::Objective;
use columns_tuner::stats::gate::MOST_PAIRS;

/// How a fit searches.
#[derive(Debug, Args)]
pub(crate) struct Searching {
    /// What to fit, names separated by commas [default: all parameters]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) parameters: Vec<String>,
    /// What to make large
    #[arg(long, value_enum, default_value_t = Objective::Log)]
    objective: Objective,
    /// Games to play at the most; the search also stops when it finds nothing better
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    games: u64,
    /// Pairs of games of a generation
    #[arg(long, value_name = "N", default_value_t = 80)]
    pairs: u32,
    /// How much each parameter is changed to see what that does: a standard deviation, in its steps
    #[arg(long, value_name = "STEPS", default_value_t = 1.5)]
    noise: f64,
    /// How far a parameter goes at the most in the first generation, in its steps
    #[arg(long, value_name = "STEPS", default_value_t = 0.5)]
    rate: f64,
    /// Pairs of games on held-out seeds that judge the result at the most
    #[arg(long, value_name = "N", default_value_t = MOST_PAIRS)]
    most_pairs: u64,
    /// Seed of the search's own random numbers and of the cases that it plays
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) games_are: SelfPlay,
}

impl Searching {
    /// The configuration of a fit that starts from these weights, and its space.
    pub(crate) fn config(&self, start: &Weights) -> Result<(Config, Space)> {
        let space = Space::of_names(&self.parameters, start)?;
        let config = Config {
            format: FORMAT,
            tuner: env!("CARGO_PKG_VERSION").into(),
            behaviour: behaviour(start),
            cases: self.games_are.spec()?,
            work: self.games_are.work(),
            objective: self.objective,
            games: self.games,
            most_pairs: self.most_pairs,
            pace: Pace {
                pairs: self.pairs,
                noise: self.noise,
                rate: self.rate,
                seed: self.seed,
            },
            parameters: space.axes().to_vec(),
        };
        config.check()?;
        Ok((config, space))
    }
}
