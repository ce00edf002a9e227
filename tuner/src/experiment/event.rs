//! What happens in a run: the lines of its ledger behind the head.

use super::config::Limits;
use crate::{executor, game::Played};
use columns_generator::seeds::SeedRange;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A line of the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// A game of the stage that comes to its end next.
    Game {
        /// Which of the players of the stage played.
        player: usize,
        /// The case.
        seed: u64,
        /// Its result.
        played: Played,
    },
    /// A start that was drawn for a rehearsal.
    Draw(Draw),
    /// A generation of the search.
    Generation(Generation),
    /// A challenge.
    Challenge(Challenge),
    /// The search has stopped, unless the run is extended. Games of a stage that was begun do not
    /// count.
    Stop(Reason),
    /// The best has played the start, or the result so far, on held-out seeds.
    Look(Look),
    /// What a rehearsal has recovered.
    Recovery(Recovery),
    /// The user has extended the run to these limits. More games or time for the search are used
    /// even if it finds nothing better for long.
    Extend(Limits),
    /// The seconds that all processes have worked on a run with limited time.
    Worked(f64),
}

impl Event {
    /// The event of a game.
    pub fn game(executor::Game { player, seed }: executor::Game, played: Played) -> Self {
        Self::Game {
            player,
            seed,
            played,
        }
    }
}

/// A stage of a run; those of each kind are counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// A start is drawn for a rehearsal and plays the weights as they were.
    Draw(u32),
    /// A generation of the search.
    Generation(u32),
    /// The average so far against the best so far.
    Challenge(u32),
    /// The best against the start, or against the result so far, on held-out seeds.
    Look(u32),
    /// What a rehearsal has recovered is measured.
    Recovery,
}

impl fmt::Display for Stage {
    /// As the place of an interruption: interrupted in …
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Draw(_) => f.write_str("the games that draw a start"),
            Self::Generation(number) => write!(f, "generation {number}"),
            Self::Challenge(number) => write!(f, "challenge {number}"),
            Self::Look(_) | Self::Recovery => f.write_str("the games on held-out seeds"),
        }
    }
}

/// Why a search stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// No further generation fits into the games that it may play.
    Games,
    /// Its time is over.
    Time,
    /// Nothing better was found for long.
    NothingBetter,
}

impl fmt::Display for Reason {
    /// As the end of a sentence: the search has stopped, since …
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Games => "no generation was left within its games",
            Self::Time => "its time was over",
            Self::NothingBetter => "nothing better was found for long",
        })
    }
}

/// A start that was drawn for a rehearsal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draw {
    /// A value for each axis.
    pub values: Vec<f64>,
    /// Its score against that of the weights as they were, in percent.
    pub percent: f64,
}

/// The result of a generation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Its number, the first being 1.
    pub generation: u32,
    /// How much better the average as the generation began did than the start, on some seeds, in
    /// the unit of the objective (`change`). The seeds had
    /// no part in that average, so the measurement is not biased; its noise is large.
    pub gain: f64,
    /// The mean width of the beams.
    pub width: u64,
    /// An estimate of how much a step along each axis changes the value of a game; mostly noise.
    pub slope: Vec<f64>,
    /// The centre after the generation: a value for each axis.
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
    /// The change of the score by the objective from the best so far to the average, in percent; each
    /// difference is cut as at the gate.
    pub percent: f64,
    /// True if the change is above 0: then the average is the best from now on.
    pub won: bool,
}

impl fmt::Display for Challenge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let won = if self.won { "won" } else { "lost" };
        let (number, generation, pairs) = (self.challenge, self.generation, self.pairs);
        let gain = self.percent;
        write!(
            f,
            "challenge {number} after generation {generation}: {won}, {gain:+.2} % against the best \
             so far in {pairs} pairs of games"
        )
    }
}

/// The best on held-out seeds, at the gate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// Its number, the first being 1.
    pub look: u32,
    /// The generation whose average was judged.
    pub generation: u32,
    /// The look whose result it played; 0 for the start.
    pub against: u32,
    /// The seeds that were played.
    pub seeds: SeedRange,
    /// Whether it was shown to be better: then it is the result from now on.
    pub better: bool,
    /// Whether nothing was decided within the most pairs: with more of them the judgement continues.
    pub open: bool,
    /// The change of the score in these games, in percent.
    pub percent: f64,
    /// The interval of the judgement, which holds that change.
    pub interval: (f64, f64),
    /// The verdict in a line.
    pub verdict: String,
}

/// What a rehearsal has recovered, measured on held-out seeds against the weights as they were.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recovery {
    /// The held-out seeds.
    pub seeds: SeedRange,
    /// The change of the score from the weights as they were to the start, in percent.
    pub start: f64,
    /// The same to the result.
    pub result: f64,
    /// Its 95 % interval.
    pub interval: (f64, f64),
}

impl Recovery {
    /// The share of the loss that is recovered.
    pub fn share(&self) -> f64 {
        1.0 - self.result / self.start
    }
}
