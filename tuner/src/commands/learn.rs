//! `tuner learn`: fits a small network that ranks the states of a layer.

use anyhow::{Result, ensure};
use clap::Args;
use columns_bot::learned::features::{FEATURE_COUNT, feature_labels};
use columns_bot::learned::networks;
use columns_cli::options::integer_between;
use columns_cli::stderr::{log, warn};
use columns_cli::{file, input, output};
use columns_core::network::HIDDEN_UNITS;
use columns_tuner::learn::dataset::{Dataset, Group, split_groups};
use columns_tuner::learn::train::{RankingQuality, TrainingSettings};
use columns_tuner::learn::{model::Model, quantised};
use std::path::PathBuf;

/// Fit a small network to groups of states, and show how well it ranks them
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner learn a.groups b.groups --out network.txt")]
pub(crate) struct Options {
    /// Data sets that `tuner sample` has written
    #[arg(required = true, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// File for the network: its quantised parameters on the first line, then its origin
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Fit the smaller network for two colours, from the states with at most two upcoming colours
    #[arg(long)]
    two_colours: bool,
    #[command(flatten)]
    training: TrainingSettings,
    /// Hold out one game in N to measure the ranking
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = integer_between(2, u64::MAX))]
    hold_out: u64,
}

/// The number of hidden units of the two-colour network. A submission has no room for more.
const TWO_COLOUR_UNITS: usize = 8;

impl Options {
    /// Fits a network to the data sets, prints how well it ranks, and writes it to `--out`.
    pub(crate) fn run(&self) -> Result<()> {
        let sets = self.read_sets()?;
        file::check_outputs(&self.out, &self.data)?;
        let [train, test] = self.split(&sets)?;
        if self.out.is_none() {
            warn("tuner", "nothing will be written; see --out");
        }
        let units = if self.two_colours {
            TWO_COLOUR_UNITS
        } else {
            HIDDEN_UNITS
        };
        let mut model = Model::new(FEATURE_COUNT, units, self.training.seed, &train);
        let counts = format!("{} groups to learn from, {}", train.len(), test.len());
        let groups_with_rollouts = test
            .iter()
            .filter(|group| !group.rollout_values.is_empty())
            .count();
        let base = RankingQuality::from_hand_set_values(&test);
        output::print(&format!(
            "{counts} held out, {groups_with_rollouts} of them with values\nbase alone: {base}\n"
        ))?;
        self.training.fit(&mut model, &train, |epoch, loss, model| {
            let quality = RankingQuality::from_model(model, &test);
            let temperature = model.temperature();
            log(&format!(
                "epoch {epoch}: loss {loss:.4}; held out: {quality}; temperature {temperature:.1}"
            ));
        });
        let network = quantised::quantise(&model);
        let quality = RankingQuality::from_network(&network, model.temperature(), &test);
        // Write the file first, so that it exists even if printing fails.
        if let Some(path) = &self.out {
            let origins = sets.iter().map(Dataset::origin);
            let data = origins.collect::<Result<Vec<_>>>()?.join("; ");
            let text = format!(
                "{}\n{:?}; {counts} held out: base alone {base}, with the network {quality}. \
                 The data: {data}\n",
                network.to_text(),
                self.training
            );
            file::write(path, text.as_bytes())?;
        }
        output::print(&format!("quantised: {quality}\n"))
    }

    /// Reads the data sets. Leaves out games that an earlier set also has, and prints their number.
    fn read_sets(&self) -> Result<Vec<Dataset>> {
        let mut sets: Vec<Dataset> = Vec::new();
        for path in &self.data {
            let name = input::name(path);
            let mut set = Dataset::read(path)?;
            let features = set.header.feature_count;
            ensure!(
                features == FEATURE_COUNT,
                "{name}: expected states of {FEATURE_COUNT} numbers, found states of {features}"
            );
            let count = set.games.len();
            for (other, earlier) in self.data.iter().zip(&sets) {
                let duplicates = set.remove_games_of(earlier);
                if duplicates > 0 {
                    let other = input::name(other);
                    log(&format!(
                        "{name}: left out {duplicates} of {count} games, which {other} has too"
                    ));
                }
            }
            sets.push(set);
        }
        Ok(sets)
    }

    /// Splits the groups into groups to learn from and groups to hold out. With `--two-colours`, ignores
    /// groups with more than two upcoming colours.
    fn split<'a>(&self, sets: &'a [Dataset]) -> Result<[Vec<&'a Group>; 2]> {
        let names = feature_labels();
        let colours = names.iter().position(|name| name == "colours");
        let colours = colours.expect("a feature");
        let has_few_colours = |group: &Group| {
            group.features[colours] <= i16::from(networks::TWO_COLOUR_NETWORK_MAX_COLOURS)
        };
        let groups = sets.iter().flat_map(Dataset::groups);
        let groups = groups.filter(|(_, group)| !self.two_colours || has_few_colours(group));
        split_groups(groups, self.hold_out)
    }
}
