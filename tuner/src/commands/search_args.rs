//! The options of a search: its limits, its settings and its games.

use super::number_between;
use super::selfplay::SelfPlayArgs;
use super::target::{FitTarget, TargetArgs, default_search_settings};
use anyhow::{Result, ensure};
use clap::Args;
use columns_cli::options::{integer_between, parse_duration};
use columns_stats::{Objective, gate::DEFAULT_MAX_PAIRS};
use columns_tuner::experiment::config::RunConfig;
use columns_tuner::experiment::state::min_game_count;
use columns_tuner::record::RunLimits;
use columns_tuner::search::{SearchSettings, space::Space};
use std::{path::PathBuf, time::Duration};

/// The maximum number of games of a search without `--games` and `--max-time`.
const DEFAULT_MAX_GAMES: u64 = 100_000;

/// The limits of a fit. A command that resumes it may raise them.
#[derive(Debug, Args)]
pub(crate) struct LimitArgs {
    /// Maximum number of games of the search [default: 100000; with --max-time: no limit]
    #[arg(long, value_name = "N", value_parser = number_between("games", 1_u64, 800_000_000))]
    games: Option<u64>,
    /// Maximum time of the search, such as 30m or 8h; a resumed run continues the count
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    max_time: Option<Duration>,
    /// Maximum number of pairs of games on held-out seeds that judge the result [default: 4000]
    #[arg(long, value_name = "N", value_parser = number_between("pairs of games", 1_u64, 1_000_000))]
    max_pairs: Option<u64>,
    /// Accept a better player even if it fails in more games than its opponent
    #[arg(long)]
    allow_failures: bool,
}

impl LimitArgs {
    /// Returns the limits that the options name.
    pub(crate) fn given(&self) -> RunLimits {
        RunLimits {
            max_games: self.games,
            max_time_s: self.max_time.map(|time| time.as_secs_f64()),
            max_pairs: self.max_pairs,
            last_seed: None,
            allow_failures: self.allow_failures,
        }
    }

    /// Returns the limits of a new run with these options.
    fn with_defaults(&self) -> RunLimits {
        let given = self.given();
        let default_games = self.max_time.is_none().then_some(DEFAULT_MAX_GAMES);
        RunLimits {
            max_games: given.max_games.or(default_games),
            max_pairs: given.max_pairs.or(Some(DEFAULT_MAX_PAIRS)),
            ..given
        }
    }
}

/// The options of a search, except its target (see [`TargetArgs`]) and its limits.
#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// Objective: mean logarithm (`log`) or `sum` of scores
    #[arg(long, value_name = "UNIT", default_value_t = Objective::Log,
        value_parser = super::objective_parser(), hide_possible_values = true)]
    objective: Objective,
    /// Pairs of games per generation [default: 80; for a network: 600]
    #[arg(long, value_name = "N", value_parser = number_between("pairs of games", 2_u32, 100_000))]
    pairs: Option<u32>,
    /// Standard deviation of the random changes, in steps [default: 2.5; for a network: 0.4]
    #[arg(long, value_name = "STEPS", value_parser = number_between("steps", 0.001, 1000.0))]
    noise: Option<f64>,
    /// Maximum move of a parameter in the first generation, in steps [default: 0.75; for a network: 0.1]
    #[arg(long, value_name = "STEPS", value_parser = number_between("steps", 0.001, 1000.0))]
    learning_rate: Option<f64>,
    /// Seed of the search's random numbers and cases
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = integer_between(0, u64::MAX))]
    seed: u64,
    #[command(flatten)]
    selfplay: SelfPlayArgs,
}

impl SearchArgs {
    /// Returns the configuration of a search for this target. `out` is the folder of the run.
    ///
    /// # Errors
    /// Returns an error if a file or an option is invalid, if the starting player lacks a parameter to fit,
    /// or if the limit on games is too small for a generation and a challenge.
    pub(crate) fn read_config(
        &self,
        target: &TargetArgs,
        limits: &LimitArgs,
        out: Option<&PathBuf>,
    ) -> Result<RunConfig> {
        let FitTarget {
            target,
            axes,
            player: mut start,
            files,
        } = target.read_fit_target(&self.selfplay, out)?;
        let default = default_search_settings(target);
        let mut start_player = Space::new(target, &axes, &start)?.start_player();
        let behaviour_digest = start_player.identify(&files)?;
        start.set_files_of(&start_player);
        let config = RunConfig {
            tuner_version: env!("CARGO_PKG_VERSION").into(),
            behaviour_digest,
            case_spec: self.selfplay.case_spec(&start)?,
            objective: self.objective,
            limits: limits.with_defaults(),
            settings: SearchSettings {
                pairs_per_generation: self.pairs.unwrap_or(default.pairs_per_generation),
                noise: self.noise.unwrap_or(default.noise),
                learning_rate: self.learning_rate.unwrap_or(default.learning_rate),
                seed: self.seed,
            },
            target,
            axes,
            start,
        };
        let fewest = min_game_count(&config);
        let games = config.limits.max_games.unwrap_or(u64::MAX);
        ensure!(
            games >= fewest,
            "--games: expected at least {fewest}, a generation of --pairs {} and a challenge, found {games}",
            config.settings.pairs_per_generation
        );
        Ok(config)
    }
}
