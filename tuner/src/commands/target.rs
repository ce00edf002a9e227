//! The target of a fit: the table of weights, the parameters of a network, or values in the command line of a
//! program.

use super::named_bot::{NamedBot, OWN_BOT};
use super::{measure, play_args::Workers, selfplay::SelfPlayArgs};
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use columns_cli::input;
use columns_judge::program::files::FilePatterns;
use columns_tuner::player::Player;
use columns_tuner::search::SearchSettings;
use columns_tuner::search::axis::{Axis, axes_from_toml};
use columns_tuner::search::network_parameters::fitted_parameters;
use columns_tuner::search::space::{Target, axes_of_weights, placeholder};
use columns_tuner::{bot_player::BotPlayer, experiment::config::RunConfig};
use std::path::PathBuf;

/// The value of `--network` when the option has no file: the network in the bot.
const OWN_NETWORK: &str = "own";

/// The options that name the target of a fit.
#[derive(Debug, Args)]
pub(crate) struct TargetArgs {
    #[command(flatten)]
    parameters: ParameterArgs,
    /// Weights to start from [default: the weights in the bot]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Fit a network instead of the weights: all of it but the first layer [default: the network in the bot]
    #[arg(long, value_name = "FILE", num_args = 0..=1,
        default_missing_value = OWN_NETWORK, conflicts_with = "parameters")]
    network: Option<PathBuf>,
    /// Fit a program instead of the bot: a command line with `{NAME}` for the value of each
    /// parameter in --space; without a value, build and fit the bot of columns.toml
    #[arg(long, value_name = "CMD", num_args = 0..=1, default_missing_value = OWN_BOT, requires = "space",
        conflicts_with_all = ["weights", "network", "nats"])]
    bot: Option<String>,
    /// TOML file with the parameters of the program: `width = { start = 8, min = 1, max = 50, step = 2,
    /// integer = true }` or `depth = { start = 4, values = [2, 4, 8] }`
    #[arg(long, value_name = "FILE", requires = "bot")]
    space: Option<PathBuf>,
}

/// The parameters that a fit changes, and the starting player.
pub(crate) struct FitTarget {
    pub(crate) target: Target,
    pub(crate) axes: Vec<Axis>,
    pub(crate) player: Player,
    /// Further files that affect how a program plays.
    pub(crate) files: FilePatterns,
}

/// Returns the default settings of a search for this target. The caller replaces the seed, which is 0.
pub(crate) fn default_search_settings(target: Target) -> SearchSettings {
    let (pairs_per_generation, noise, learning_rate) = match target {
        Target::Weights | Target::Program => (80, 2.5, 0.75),
        Target::Network => (600, 0.4, 0.1),
    };
    SearchSettings {
        pairs_per_generation,
        noise,
        learning_rate,
        seed: 0,
    }
}

impl TargetArgs {
    /// Reads the files that the options name. `out` is the folder of the run. The steps of a network's
    /// parameters are 0 until [`complete_config`] measures them.
    pub(crate) fn read_fit_target(
        &self,
        games: &SelfPlayArgs,
        out: Option<&PathBuf>,
    ) -> Result<FitTarget> {
        if let (Some(bot), Some(space)) = (&self.bot, &self.space) {
            let text = input::read(space, input::MAX_FILE_BYTES)?;
            let axes = axes_from_toml(&text).with_context(|| input::name(space))?;
            let NamedBot { command, files } = NamedBot::resolve("--bot", bot, out)?;
            let (axes, command) = choose_axes(axes, &self.parameters.names(), &command)?;
            return Ok(FitTarget {
                target: Target::Program,
                axes,
                player: games.program_player(&command)?,
                files,
            });
        }
        let file = self.network.as_deref();
        let file = file.filter(|path| path.as_os_str() != OWN_NETWORK);
        let player = BotPlayer::from_files(self.weights.as_deref(), file)?;
        let (target, axes) = if self.network.is_some() {
            let network = player.network.as_deref();
            let network = network.context("expected a network to fit, found none")?;
            (Target::Network, fitted_parameters(network))
        } else {
            (Target::Weights, self.parameters.axes(&player)?)
        };
        Ok(FitTarget {
            target,
            axes,
            player: games.bot_player(player)?,
            files: FilePatterns::default(),
        })
    }
}

/// Returns the axes that a fit of a program varies, and the command line with the start values of the fixed
/// parameters. A parameter that the command line does not name, or that is not among `names`, is fixed.
/// Without `names`, all parameters that the command line names vary.
fn choose_axes(axes: Vec<Axis>, names: &[String], command: &str) -> Result<(Vec<Axis>, String)> {
    let known: Vec<String> = axes.iter().map(|axis| axis.name.clone()).collect();
    for name in names {
        ensure!(
            known.contains(name) && command.contains(&placeholder(name)),
            "--parameters: expected parameters that --space has and the command line names, found {name:?}"
        );
    }
    let mut command = command.to_string();
    let mut chosen = Vec::new();
    for axis in axes {
        let place = placeholder(&axis.name);
        if !command.contains(&place) {
            continue;
        }
        if names.is_empty() || names.contains(&axis.name) {
            chosen.push(axis);
        } else {
            command = command.replace(&place, &axis.format(axis.start));
        }
    }
    ensure!(
        !chosen.is_empty() || known.is_empty(),
        "--bot: expected {} in the command line, found {command:?}",
        known
            .iter()
            .map(|name| placeholder(name))
            .collect::<Vec<_>>()
            .join(" or ")
    );
    Ok((chosen, command))
}

/// Completes the configuration of a new run: checks that a program can play a case, or measures the steps of
/// a network's parameters.
pub(crate) fn complete_config(mut config: RunConfig, workers: &Workers) -> Result<RunConfig> {
    let start = config.build_space()?.start_player();
    if let (Some(reason), Player::Program(program)) = (start.play_sample()?, &start) {
        let command = &program.command;
        bail!("{command}: expected a plan for the sample case (generator 1), found: {reason}");
    }
    start.untrack_output_files();
    if let (Target::Network, Player::Bot { player, work_us }) = (config.target, &config.start) {
        config.axes =
            measure::measure_axes(player, *work_us, &config.case_spec, workers.threads.clone())?;
    }
    Ok(config)
}

/// The option that selects the parameters to fit: weights of the bot, or parameters of a program.
#[derive(Debug, Args)]
pub(crate) struct ParameterArgs {
    /// The parameters to fit: names that `tuner parameters` lists, separated by commas [default:
    /// all parameters]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    parameters: Vec<String>,
}

impl ParameterArgs {
    /// Returns the axes of the selected parameters. Each starts at its weight in `start`.
    pub(crate) fn axes(&self, start: &BotPlayer) -> Result<Vec<Axis>> {
        axes_of_weights(&self.names(), start)
    }

    fn names(&self) -> Vec<String> {
        let names = self.parameters.iter().map(|name| name.trim().to_string());
        names.collect()
    }
}
