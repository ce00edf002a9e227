//! The player: the options of the commands that have one player.

use anyhow::Result;
use clap::Args;
use columns_bot::eval::weights::Weights;
use columns_bot::learned::networks::{self, Network, Networks};
use columns_bot::search::Player;
use columns_bot::weights_file;
use columns_cli::input;
use columns_tuner::games::behaviour::behaviour;
use columns_tuner::store::digest::Digest;
use columns_tuner::store::identity::Identity;
use std::path::PathBuf;

/// The options of the player.
#[derive(Debug, Args)]
pub(crate) struct PlayerArgs {
    /// Weights to play with, as `bot --print-weights` prints them [default: those in the bot]
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,
    /// The learned evaluation to play with, for any number of colours: a file of `tuner learn`, or
    /// `none` [default: that in the game]
    #[arg(long, value_name = "FILE")]
    pub(crate) network: Option<PathBuf>,
}

/// The contents of the files.
pub(crate) struct Evaluation {
    pub(crate) weights: Weights,
    network: Option<Learned>,
}

/// A learned evaluation.
enum Learned {
    InUse(Networks<'static>),
    File(Box<Network>),
}

impl PlayerArgs {
    /// Reads the files.
    ///
    /// # Errors
    /// One line that names the file and what is wrong with it.
    pub(crate) fn read(&self) -> Result<Evaluation> {
        Ok(Evaluation {
            weights: super::weights(self.weights.as_ref())?,
            network: network(self.network.as_ref())?,
        })
    }
}

impl Evaluation {
    pub(crate) fn player(&self) -> Player<'_> {
        Player {
            weights: &self.weights,
            network: self.network.as_ref().map(Learned::networks),
        }
    }

    /// The identity of the player: the contents of its files, and how this build plays.
    pub(crate) fn identity(&self) -> Identity {
        let networks = self.player().network;
        let both = networks.into_iter().flat_map(|n| [Some(n.any), n.two]);
        let learned: Vec<String> = both.flatten().map(Network::text).collect();
        Identity::default()
            .with(
                "--weights",
                Digest::of(weights_file::format(&self.weights).as_bytes()),
            )
            .with("--network", content(&learned))
            .with("behaviour", behaviour(&self.weights))
    }
}

/// The digest of networks; `none` where there is none.
pub(crate) fn content(networks: &[String]) -> String {
    if networks.is_empty() {
        return "none".into();
    }
    Digest::of(networks.concat().as_bytes()).to_string()
}

impl Learned {
    fn networks(&self) -> Networks<'_> {
        match self {
            Self::InUse(networks) => *networks,
            Self::File(network) => Networks::one(network),
        }
    }
}

/// The learned evaluation of a file of `tuner learn`; `none` for none, and without a file that in
/// the bot.
fn network(path: Option<&PathBuf>) -> Result<Option<Learned>> {
    let Some(path) = path else {
        return Ok(networks::in_use().map(Learned::InUse));
    };
    Ok(input::read_network(path)?.map(Learned::File))
}
