//! `tuner eval`: the bot over many seeds, a line each.

use anyhow::Result;
use clap::Args;
use columns_bot::search::Player;
use columns_bot::weights::Weights;
use columns_bot::weights_file;
use columns_cli::{input, output};
use columns_generator::args::SpecArgs;
use columns_generator::seeds::SeedRange;
use columns_tuner::play::play;
use rayon::prelude::*;
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

/// Play the bot over many seeds and print a JSON line for each.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Weights to play with; without it those in the bot
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// The learned evaluation to play with: a file of `tuner learn`, `none`, or without it that in the bot
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// The seeds of the cases
    #[arg(long, value_name = "A..=B", default_value = "1..=20")]
    seeds: SeedRange,
    /// States that the search may build in a game
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    nodes: u64,
    #[command(flatten)]
    spec: SpecArgs,
}

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let weights = match &self.weights {
            None => Weights::default(),
            Some(path) => weights_file::parse(&input::read(path, 1 << 20)?)?,
        };
        let network = crate::sample::network(self.network.as_deref())?;
        let player = Player {
            weights: &weights,
            network: network.as_deref(),
        };
        let spec = self.spec.spec()?;
        let seeds: Vec<u64> = self.seeds.into_iter().collect();
        let lines: Vec<String> = seeds
            .par_iter()
            .map(|&seed| {
                let case = columns_generator::generate(seed, &spec);
                let played = play(&case, player, self.nodes);
                format!("{}\n", json!({ "seed": seed, "played": played }))
            })
            .collect();
        output::print(&lines.concat())?;
        Ok(ExitCode::SUCCESS)
    }
}
