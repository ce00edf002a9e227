//! `tuner sample`: takes groups of states from games, as training data for `tuner learn`.

use super::{play_args, progress, selfplay::PlayerArgs};
use anyhow::{Context, Result};
use clap::Args;
use columns_bot::{learned::features::FEATURE_COUNT, observe::states::RolloutConfig};
use columns_bot_command::weights_file;
use columns_cases::{digest::Digest, seeds::SeedRange};
use columns_cli::options::integer_between;
use columns_cli::stderr::log;
use columns_cli::{input, output, pool::Pool};
use columns_core::text::group_digits;
use columns_generator::Spec;
use columns_generator_command::CaseOptions;
use columns_tuner::learn::dataset::{DatasetHeader, DatasetWriter, Group};
use columns_tuner::learn::sampling::{self, SamplingSettings};
use serde_json::{Value, json};
use std::{num::NonZeroUsize, ops::ControlFlow, path::PathBuf};

/// Take groups of states from games, for `tuner learn`
///
/// A group holds states of one layer of a beam search: the ancestor of the best state at the end, other
/// survivors, and some states that were pruned. With --rollouts, a group has labels instead of that ancestor:
/// the values that narrow beams reach from each state. After any interruption the same command resumes. A
/// later command may add seeds, always above the seeds in the file.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner sample --seeds 1..=500 --columns 250 --beam-width 400 --out a.groups
  tuner sample --seeds 1..=500 --columns 250 --beam-width 100 --rollouts 12,30 --out c.groups")]
pub(crate) struct Options {
    /// The data set to write or to continue
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// The seeds of the cases
    #[arg(short, long, value_name = "RANGE", default_value = "1..=100")]
    seeds: SeedRange,
    /// Width of the beam, in states
    #[arg(long, value_name = "N", default_value_t = 400,
        value_parser = integer_between(10, 20_000_u32))]
    beam_width: u32,
    #[command(flatten)]
    player: PlayerArgs,
    /// Games at a time [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = super::parse_jobs)]
    jobs: Option<NonZeroUsize>,
    /// Take a group from one layer in N
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = integer_between(1, usize::MAX))]
    every: usize,
    /// Minimum number of layers from a group to the best state
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = integer_between(0, usize::MAX))]
    ahead: usize,
    /// Label states by rollouts over this many columns, with beams of this width
    #[arg(long, value_name = "COLUMNS,WIDTH", value_parser = rollouts, conflicts_with = "ahead")]
    rollouts: Option<RolloutConfig>,
    #[command(flatten)]
    cases: CaseOptions,
}

/// Parses the value of `--rollouts`: the columns and the width of each rollout.
fn rollouts(text: &str) -> Result<RolloutConfig, String> {
    let numbers = text.split_once(',').and_then(|(columns, width)| {
        let number = |text: &str| text.parse().ok().filter(|n| (1..=1000).contains(n));
        Some((number(columns)?, number(width)?))
    });
    let (columns, width) = numbers.ok_or("expected two numbers from 1 to 1000, such as 12,30")?;
    Ok(RolloutConfig { columns, width })
}

impl Options {
    pub(crate) fn run(&self) -> Result<()> {
        let player = self.player.read_player()?;
        let spec = Spec::try_from(self.cases.0)?;
        let settings = SamplingSettings {
            layer_interval: self.every,
            min_layers_ahead: self.ahead,
        };
        let ahead = match self.rollouts {
            Some(RolloutConfig { columns, width }) => json!({ "rollouts": [columns, width] }),
            None => json!(self.ahead),
        };
        let networks = player.network.iter().chain(&player.two_colour_network);
        let networks: String = networks.map(|network| network.to_text()).collect();
        let sampling_options = json!({
            "cases": spec,
            "beam_width": self.beam_width,
            "every": self.every,
            "ahead": ahead,
            "weights": Digest::new(weights_file::format(&player.weights).as_bytes()),
            "network": Digest::new(networks.as_bytes()),
            "behaviour": player.behaviour_digest(),
        });
        self.write(sampling_options, |seed| {
            let case = columns_generator::generate(seed, &spec);
            let (player, width) = (player.as_search_player(), self.beam_width as usize);
            match self.rollouts {
                Some(ahead) => {
                    sampling::sample_labelled_groups(&case, player, width, self.every, ahead)
                }
                None => sampling::sample_groups(&case, player, width, settings),
            }
        })
    }

    /// Plays the games that the file does not contain yet, and appends their groups.
    fn write(
        &self,
        sampling_options: Value,
        play: impl Fn(u64) -> Vec<Group> + Sync,
    ) -> Result<()> {
        progress::checked_seed_count(self.seeds)?;
        let header = DatasetHeader {
            feature_count: FEATURE_COUNT,
            sampling_options,
        };
        let mut writer = DatasetWriter::resume(&self.out, &header)?;
        let name = input::name(&self.out);
        let seeds = writer
            .missing_seeds(self.seeds)
            .with_context(|| name.clone())?;
        let count = seeds.len();
        let total = self.seeds.into_iter().count();
        if count < total {
            let known = total - count;
            log(&format!(
                "{name}: has {known} of the {total} games of --seeds {}",
                self.seeds
            ));
        }
        if seeds.is_empty() {
            return Ok(());
        }
        let stop = play_args::watch_for_interrupt(play_args::RESUMABLE_EFFECT)?;
        let bar = progress::new_game_bar(count);
        let work = |index: usize| play(seeds[index]);
        let tenth = count.div_ceil(10);
        let mut total = 0;
        let played = Pool::new(self.jobs).map_ordered(count, stop, work, |index, groups| {
            total += groups.len();
            writer.append(seeds[index], groups)?;
            bar.inc(1);
            let games = index + 1;
            if bar.is_hidden() && games.is_multiple_of(tenth) && games < count {
                let [games, count, total] = [games, count, total].map(|n| group_digits(n as u64));
                log(&format!("{games} of {count} games, {total} groups"));
            }
            Ok(ControlFlow::Continue(()))
        })?;
        bar.finish_and_clear();
        if played < count {
            return Err(play_args::interruption_error(played, count, "game", true));
        }
        let games = output::count_text(count, "game");
        let groups = output::count_text(total, "group");
        log(&format!("{name}: {games}, {groups}"));
        Ok(())
    }
}
