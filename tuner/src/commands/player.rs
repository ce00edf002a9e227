//! Who plays: the options of the commands that let one player play.

use anyhow::Result;
use clap::Args;
use columns_bot::network::{self, Network};
use columns_bot::search::Player;
use columns_bot::weights::Weights;
use std::borrow::Cow;
use std::path::PathBuf;

/// Who plays.
#[derive(Debug, Args)]
pub(crate) struct PlayerArgs {
    /// Weights to play with, as `bot --print-weights` prints them [default: those in the bot]
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,
    /// The learned evaluation to play with: a file of `tuner learn`, or `none` [default: that in the
    /// game]
    #[arg(long, value_name = "FILE")]
    pub(crate) network: Option<PathBuf>,
}

/// What the files hold.
pub(crate) struct Evaluation {
    pub(crate) weights: Weights,
    pub(crate) network: Option<Cow<'static, Network>>,
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
            network: self.network.as_deref(),
        }
    }
}

/// The learned evaluation of a file of `tuner learn`; `none` for none, and without a file that in
/// the bot.
fn network(path: Option<&PathBuf>) -> Result<Option<Cow<'static, Network>>> {
    let Some(path) = path else {
        return Ok(network::in_use().map(Cow::Borrowed));
    };
    Ok(super::network_of(path)?.map(|network| Cow::Owned(*network)))
}
