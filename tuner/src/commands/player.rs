//! The player: the options of the commands that have one player.

use anyhow::Result;
use clap::Args;
use columns_tuner::player::Player;
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

impl PlayerArgs {
    /// Reads the files.
    ///
    /// # Errors
    /// One line that names the file and what is wrong with it.
    pub(crate) fn read(&self) -> Result<Player> {
        Player::read(self.weights.as_deref(), self.network.as_deref())
    }
}
