//! The options of self-play: the player, the cases, and the limits of a game.

use anyhow::{Result, ensure};
use clap::Args;
use columns_cases::seeds::SeedRange;
use columns_cli::{options, stderr::warn};
use columns_generator::Spec;
use columns_generator_command::CaseOptions;
use columns_judge::options::LimitOptions;
use columns_judge::program::files::ProgramFiles;
use columns_tuner::bot_player::{BotPlayer, narrow_beam_warning};
use columns_tuner::player::{Player, ProgramPlayer};
use std::path::PathBuf;

/// The default number of columns of a case. With the default work, the beam is about as wide as in the
/// longest cases of the contest.
const DEFAULT_COLUMNS: usize = 300;

/// The bot's default amount of work per game, in milliseconds on a reference machine.
const DEFAULT_WORK_MS: f64 = 100.0;

/// The options that replace the bot's weights or its network.
#[derive(Debug, Args)]
pub(crate) struct PlayerArgs {
    /// Weights to play with, as `bot --print-weights` prints them [default: the weights in the bot]
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,
    /// Network to play with, for any number of colours: a file of `tuner learn`, or `none` [default: the
    /// network in the bot]
    #[arg(long, value_name = "FILE")]
    pub(crate) network: Option<PathBuf>,
}

impl PlayerArgs {
    /// Returns the player with the weights and the network that the options name.
    pub(crate) fn read_player(&self) -> Result<BotPlayer> {
        BotPlayer::from_files(self.weights.as_deref(), self.network.as_deref())
    }
}

/// The options of games: the cases, and the limits of the player.
#[derive(Debug, Args)]
pub(crate) struct SelfPlayArgs {
    /// Work of the bot per game, in milliseconds on a reference machine; the contest allows 3800
    /// [default: 100]
    #[arg(long, value_name = "MS", value_parser = options::parse_work_ms)]
    work: Option<f64>,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    cases: CaseOptions,
}

impl SelfPlayArgs {
    /// Returns the player with these weights and networks, limited by `--work`.
    pub(crate) fn bot_player(&self, player: BotPlayer) -> Result<Player> {
        ensure!(
            self.limits == LimitOptions::default(),
            "--time-limit and --memory-limit cannot be used with the bot of this build: give it --work"
        );
        let work_us = (self.work.unwrap_or(DEFAULT_WORK_MS) * 1000.0).round() as u64;
        Ok(Player::Bot { player, work_us })
    }

    /// Returns the player that runs this command line within the time and memory limits.
    pub(crate) fn program_player(&self, command: &str) -> Result<Player> {
        ensure!(
            self.work.is_none(),
            "--work cannot be used with a program: give it --time-limit and --memory-limit"
        );
        Ok(Player::Program(ProgramPlayer {
            command: command.into(),
            limits: self.limits.into(),
            files: ProgramFiles::default(),
        }))
    }

    /// Returns the specification of the cases for a player. Without `--columns`, the bot plays cases of 300
    /// columns, and a program plays cases with the number of columns that the profile determines.
    pub(crate) fn case_spec(&self, player: &Player) -> Result<Spec> {
        let spec = Spec::try_from(self.cases.0)?;
        match (player, self.cases.0.columns) {
            (Player::Bot { .. }, None) => Ok(spec.with_columns(DEFAULT_COLUMNS)?),
            _ => Ok(spec),
        }
    }
}

/// Checks that `--seeds`, if given, begins with the first seed of the run to resume.
pub(crate) fn check_first_seed(seeds: Option<SeedRange>, first: u64) -> Result<()> {
    ensure!(
        seeds.is_none_or(|seeds| seeds.first() == first),
        "--seeds: expected a range that begins at {first}, as when the run began"
    );
    Ok(())
}

/// Warns if beams of this mean width are too narrow for conclusions about the contest.
pub(crate) fn warn_if_narrow(width: f64) {
    if let Some(warning) = narrow_beam_warning(width) {
        warn("tuner", &warning);
    }
}
