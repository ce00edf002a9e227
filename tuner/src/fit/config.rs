//! The configuration of a fit: all that decides its outcome, its starting weights apart.

use crate::fit::search::Pace;
use crate::fit::space::Axis;
use crate::games::objective::Objective;
use crate::store::digest::Digest;
use anyhow::{ensure, Context, Result};
use columns_cli::{input, json};
use columns_generator::Spec;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The `format` of the files of a run that this version writes and reads.
pub const FORMAT: u32 = 2;
/// Most bytes of a file of a run that are read, the journal apart.
pub(super) const LIMIT: u64 = 64 << 20;

/// All that decides the outcome of a fit, its starting weights apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// [`FORMAT`].
    pub format: u32,
    /// Version of the tuner.
    pub tuner: String,
    /// How the build plays, see [`behaviour`](crate::games::behaviour::behaviour).
    pub behaviour: Digest,
    /// What the cases are like.
    pub cases: Spec,
    /// Work that the search may do in a game, in microseconds, at least 1.
    pub work: u64,
    /// What the fit makes large.
    pub objective: Objective,
    /// The most games to play, held-out ones not counted, unless the run is extended.
    pub games: u64,
    /// The most pairs of games on held-out seeds that judge a result.
    pub most_pairs: u64,
    /// The settings of the search.
    pub pace: Pace,
    /// The parameters that are fitted.
    pub parameters: Vec<Axis>,
}

/// Most games of a run: as many pairs as there are seeds for.
const MOST_GAMES: u64 = 800_000_000;

impl Config {
    /// Checks the values.
    ///
    /// # Errors
    /// One line that names the first mistake.
    pub fn check(&self) -> Result<()> {
        let Pace {
            pairs, noise, rate, ..
        } = self.pace;
        ensure!(self.work > 0, "expected work for a game, found 0");
        ensure!(
            (2..=100_000).contains(&pairs),
            "expected from 2 to 100000 pairs of games a generation, found {pairs}"
        );
        ensure!(
            noise > 0.0 && noise <= 1000.0,
            "expected a noise above 0 and up to 1000, found {noise}"
        );
        ensure!(
            rate > 0.0 && rate <= 1000.0,
            "expected a rate above 0 and up to 1000, found {rate}"
        );
        ensure!(
            (1..=1_000_000).contains(&self.most_pairs),
            "expected from 1 to 1000000 pairs of held-out games, found {}",
            self.most_pairs
        );
        check_games(self.games)
    }

    /// Reads a configuration; the second value is its text.
    ///
    /// # Errors
    /// One line with the file, the line in it, and what is wrong there.
    pub fn read(path: &Path) -> Result<(Self, String)> {
        let text = input::read(path, LIMIT)?;
        let config = json::parse_format(&text, "the configuration of a run", FORMAT)
            .and_then(|config: Self| config.check().map(|()| config))
            .with_context(|| path.display().to_string())?;
        Ok((config, text))
    }
}

/// Checks the number of games of a run.
///
/// # Errors
/// One line that says how many it can play.
pub fn check_games(games: u64) -> Result<()> {
    ensure!(
        (1..=MOST_GAMES).contains(&games),
        "expected from 1 to {MOST_GAMES} games, found {games}"
    );
    Ok(())
}
