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
        /// Its result.
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

/// What games are played for; the number of each kind of stage counts from 1.
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

/// Which weights played.
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

/// The result of a generation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Its number, the first being 1.
    pub generation: u32,
    /// The mean over some seeds of a difference of log score: that of the average as the generation
    /// began, less that of the start. The seeds had no part in that average, so the measurement is
    /// not biased; its noise is large.
    pub gain: f64,
    /// The mean width of the beams.
    pub width: u64,
    /// An estimate of how much a step of each parameter changes the value of a game; mostly noise.
    pub slope: Vec<f64>,
    /// The centre after the generation: a value for each parameter of the configuration.
    pub centre: Vec<f64>,
    /// The average of the centres so far.
    pub average: Vec<f64>,
}

/// The result of a challenge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Challenge {
    /// Its number, the first being 1.
    pub challenge: u32,
    /// The generation before it.
    pub generation: u32,
    /// The number of pairs of games.
    pub pairs: usize,
    /// The mean difference of log score, the average less the best so far.
    pub gain: f64,
    /// Whether the average did better by the objective: then it is the best from now on.
    pub won: bool,
}
