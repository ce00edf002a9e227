//! What the journal of a fit records.

use crate::games::play::Played;
use crate::store::digest::Digest;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Record {
    /// The first line.
    Begin {
        /// The digest of `config.json` followed by `start.json`.
        run: Digest,
    },
    /// A game.
    Game {
        /// What it was played for.
        stage: Stage,
        /// Which weights played.
        by: By,
        /// The case.
        seed: u64,
        /// What it came to.
        played: Played,
    },
    /// A whole generation, after all its games.
    Generation(Generation),
    /// A whole challenge, after all its games.
    Challenge(Challenge),
    /// The search has stopped here. It may go on later.
    Stop {
        /// After this generation.
        generation: u32,
        /// Why.
        reason: Reason,
    },
}

/// What games are played for. All are counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// A generation of the search.
    Generation(u32),
    /// The average so far against the best so far.
    Challenge(u32),
    /// The result against the start, on held-out seeds.
    Look(u32),
}

/// Which weights play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// Those that the run started from.
    Start,
    /// The best so far.
    Best,
    /// The average of the search's centres so far.
    Average,
    /// The centre with the change of this pair, the first being 0.
    Plus(u32),
    /// The centre with the opposite change.
    Minus(u32),
}

/// Why a search stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// All games that it may play are played.
    Games,
    /// Its time is over.
    Time,
    /// Nothing better was found for long.
    NothingBetter,
}

impl fmt::Display for Reason {
    /// As the end of a sentence: the search has stopped, since …
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Games => f.write_str("all its games were played"),
            Self::Time => f.write_str("its time was over"),
            Self::NothingBetter => f.write_str("nothing better was found for long"),
        }
    }
}

/// What a generation came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Which one, the first being 1.
    pub generation: u32,
    /// The mean over some seeds of the difference of log score, the average as the generation began
    /// less the start. The seeds had no part in that average, so this is an honest measurement, if
    /// one with much noise.
    pub gain: f64,
    /// The mean width of the beams.
    pub width: u64,
    /// By how much a step of each parameter seems to change what a game is worth; mostly noise.
    pub slope: Vec<f64>,
    /// The centre after the generation: a value for each parameter of the configuration.
    pub centre: Vec<f64>,
    /// The average of the centres so far.
    pub average: Vec<f64>,
}

/// What a challenge came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Challenge {
    /// Which one, the first being 1.
    pub challenge: u32,
    /// After which generation.
    pub generation: u32,
    /// How many pairs of games.
    pub pairs: usize,
    /// The mean difference of log score, the average less the best so far.
    pub gain: f64,
    /// Whether the average made more of what is made large: then it is the best from now on.
    pub won: bool,
}
