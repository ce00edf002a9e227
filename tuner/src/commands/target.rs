//! What a fit changes: the table of weights, the numbers of a network, or values of a program.

use super::selfplay::SelfPlay;
use super::{measure, playing::Crew};
use anyhow::{Context, Result};
use clap::Args;
use columns_cli::input;
use columns_generator::Spec;
use columns_judge::bot::Bot;
use columns_tuner::search::axis::{of_toml, Axis};
use columns_tuner::search::space::{of_names, Target};
use columns_tuner::search::{network, Pace};
use columns_tuner::{
    contestant::Contestant, digest::Digest, experiment::config::Config, player::Player,
};
use std::{collections::BTreeMap, fs, path::PathBuf};

/// Most bytes of a file of parameters.
const LIMIT: u64 = 1 << 20;

/// The value of `--network` alone: the network in the bot.
const OWN: &str = "own";

/// The pace of a search over weights and values; its seed is the user's.
const OF_WEIGHTS: Pace = pace(80, 1.5, 0.5);

/// The pace of a search over the numbers of a network.
const OF_NETWORK: Pace = pace(600, 0.4, 0.1);

const fn pace(pairs: u32, noise: f64, rate: f64) -> Pace {
    Pace {
        pairs,
        noise,
        rate,
        seed: 0,
    }
}

/// What is fitted.
#[derive(Debug, Args)]
pub(crate) struct TargetArgs {
    #[command(flatten)]
    table: Table,
    /// Weights to start from, as `bot --print-weights` prints them [default: those in the bot]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Fit the numbers of the network instead of the weights: all but the weights of its first layer.
    /// The network is a file of `tuner learn` [default: that in the bot]
    #[arg(long, value_name = "FILE", num_args = 0..=1,
        default_missing_value = OWN, conflicts_with = "parameters")]
    network: Option<PathBuf>,
    /// Fit a program instead of the bot of this build: a command line with `{NAME}` for the value of
    /// each parameter in --space. It reads a case and prints a plan, and is judged as `judge run` does
    #[arg(long, value_name = "CMD", requires = "space",
        conflicts_with_all = ["parameters", "weights", "network", "nats"])]
    bot: Option<String>,
    /// The parameters of the program in TOML, one a line: `width = { start = 8, lowest = 1, highest =
    /// 50, step = 2, integer = true }` or `depth = { start = 4, values = [2, 4, 8] }`
    #[arg(long, value_name = "FILE", requires = "bot")]
    space: Option<PathBuf>,
    /// A file that the program reads or calls beside those in its command line. They are watched too:
    /// when one of them changes, the run does not continue
    #[arg(long, value_name = "FILE", requires = "bot", num_args = 1..)]
    watch: Vec<PathBuf>,
}

/// A target with its numbers, the player that the search starts from, its cases, and the default
/// pace.
pub(crate) struct Start {
    pub(crate) target: Target,
    pub(crate) axes: Vec<Axis>,
    pub(crate) files: BTreeMap<String, Digest>,
    pub(crate) contestant: Contestant,
    pub(crate) cases: Spec,
    pub(crate) pace: Pace,
}

impl TargetArgs {
    /// What is fitted, in games of this kind. The steps of a network are not measured yet.
    pub(crate) fn start(&self, games: &SelfPlay) -> Result<Start> {
        if let (Some(command), Some(space)) = (&self.bot, &self.space) {
            let text = input::read(space, LIMIT)?;
            let axes = of_toml(&text).with_context(|| input::name(space))?;
            let (contestant, cases) = games.program(command)?;
            return Ok(Start {
                target: Target::Program,
                axes,
                files: self.files(command)?,
                contestant,
                cases,
                pace: OF_WEIGHTS,
            });
        }
        let network = self
            .network
            .as_deref()
            .filter(|path| path.as_os_str() != OWN);
        let player = Player::read(self.weights.as_deref(), network)?;
        let (target, axes, pace) = if self.network.is_some() {
            let network = player.network.as_deref();
            let network = network.context("expected a network to fit, found none")?;
            (Target::Network, network::axes(network), OF_NETWORK)
        } else {
            (Target::Weights, self.table.axes(&player)?, OF_WEIGHTS)
        };
        let (contestant, cases) = games.bot(player)?;
        Ok(Start {
            target,
            axes,
            files: BTreeMap::new(),
            contestant,
            cases,
            pace,
        })
    }
}

impl TargetArgs {
    /// The files that decide how a program plays, with their digests: the program, the files among its
    /// options, and those to watch.
    fn files(&self, command: &str) -> Result<BTreeMap<String, Digest>> {
        let bot: Bot = command.parse().context("--bot")?;
        let command = bot.command();
        let words = command
            .get_args()
            .map(PathBuf::from)
            .filter(|path| path.is_file());
        let mut files = BTreeMap::new();
        for path in words.chain(self.watch.iter().cloned()) {
            let name = input::name(&path);
            let bytes = fs::read(&path).with_context(|| format!("{name}: cannot be read"))?;
            files.insert(name, Digest::of(&bytes));
        }
        Ok(files)
    }
}

/// Finishes the configuration of a new run: plays a case with a program, and measures the steps of
/// the numbers of a network.
pub(crate) fn ready(mut config: Config, crew: &Crew) -> Result<Config> {
    config.space()?.start().check()?;
    if let (Target::Network, Contestant::Bot { player, work }) = (config.target, &config.start) {
        config.axes = measure::axes(player, *work, &config.cases, crew.threads)?;
    }
    Ok(config)
}

/// Which parameters of the table of weights are fitted.
#[derive(Debug, Args)]
pub(crate) struct Table {
    /// What to fit, names separated by commas: see `tuner parameters` [default: all parameters]
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
