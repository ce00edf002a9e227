//! The stages of a run, and their results, computed from the games.

use crate::record::RunLimits;
use columns_cases::seeds::SeedRange;
use columns_stats::change_text;
use serde::Serialize;
use std::fmt;

/// A stage of a run; the stages of each kind are numbered from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// A generation of the search. The centre moves after it.
    Generation(u32),
    /// A challenge: the averaged player against the best player so far.
    Challenge(u32),
    /// A judgement: the best player so far against the start, or against the current result, on held-out
    /// seeds.
    Judgement(u32),
}

impl fmt::Display for Stage {
    /// Writes the name of the stage, to complete the message "interrupted in …".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Generation(number) => write!(f, "generation {number}"),
            Self::Challenge(number) => write!(f, "challenge {number}"),
            Self::Judgement(_) => f.write_str("the games on held-out seeds"),
        }
    }
}

/// The reason for the end of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The limit on games leaves no room for another generation with a challenge after it.
    GameLimit,
    /// The total time of all processes has reached the time limit.
    TimeLimit,
    /// The search has found nothing better for a long time.
    NothingBetter,
}

impl fmt::Display for StopReason {
    /// Writes the reason as a clause, such as `its time limit was reached`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::GameLimit => "no further generation fitted into its games",
            Self::TimeLimit => "its time limit was reached",
            Self::NothingBetter => "nothing better was found for a long time",
        })
    }
}

/// The result of a generation.
#[derive(Debug, Clone, PartialEq)]
pub struct Generation {
    /// The number of the generation, from 1.
    pub number: u32,
    /// The points of the starting player and of the averaged player on some of the generation's seeds; `None`
    /// for a failed game. The average is taken before the generation. It does not depend on these seeds, so
    /// an estimate from them is unbiased, but noisy.
    pub monitored_points: Vec<[Option<u64>; 2]>,
    /// The number of pairs of opposite changes whose two games differ.
    pub effective_pair_count: u32,
    /// Mean width of the beams; 0 for a program.
    pub mean_beam_width: u64,
    /// The weighted average of the centres of the search so far, one value for each axis.
    pub average: Vec<f64>,
}

/// The result of a challenge: games of the averaged player against the best player so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Challenge {
    /// The number of the challenge, from 1.
    pub number: u32,
    /// The last generation before the challenge.
    pub generation: u32,
    /// The number of pairs of games played.
    pub pair_count: usize,
    /// The change in the score from the best player so far to the averaged player, in percent, as measured by
    /// the objective; `None` if no pair of games can be compared.
    pub percent_change: Option<f64>,
    /// The same change with each game's change clipped and with failed games included: see
    /// [`Objective::mean_change`](columns_stats::Objective::mean_change).
    pub clipped_percent_change: f64,
    /// True if `clipped_percent_change` is above 0. The average is then the new best.
    pub is_won: bool,
}

impl fmt::Display for Challenge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let won = if self.is_won { "won" } else { "lost" };
        let [played, clipped] =
            [self.percent_change, Some(self.clipped_percent_change)].map(change_text);
        write!(
            f,
            "challenge {} after generation {}: {won}, {played} against the best so far in {} pairs of games",
            self.number, self.generation, self.pair_count
        )?;
        if clipped == played {
            return Ok(());
        }
        write!(f, " ({clipped} with each game's change clipped)")
    }
}

/// The result of a judgement: the gate's verdict on the best player so far, from games on held-out seeds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judgement {
    /// The number of the judgement, from 1.
    pub number: u32,
    /// The generation whose average is the judged player.
    pub generation: u32,
    /// The opponent: 0 for the start, otherwise the number of the judgement that made this opponent the
    /// result.
    pub opponent_judgement: u32,
    /// The held-out seeds of the judgement's games.
    pub seeds: SeedRange,
    /// True if the gate has shown that the judged player is better than the opponent.
    pub is_better: bool,
    /// The numbers of failed games of the opponent and of the judged player.
    pub failed_games: [usize; 2],
    /// True if the gate has not decided within the maximum number of pairs. A larger maximum continues the
    /// judgement.
    pub is_open: bool,
    /// The change in the score from the opponent to the judged player, in percent; `None` if no pair of games
    /// can be compared.
    pub percent_change: Option<f64>,
    /// The confidence interval of the change in percent, with each game's change clipped: see
    /// [`gate`](columns_stats::gate).
    pub interval: (f64, f64),
    /// The verdict in one line, for the user.
    pub verdict_text: String,
}

impl Judgement {
    /// True if the judged player becomes the result: it is better than the opponent, and it fails in no more
    /// games, unless the user allows more failures.
    pub fn passes(&self, limits: &RunLimits) -> bool {
        let [opponent, best] = self.failed_games;
        self.is_better && (best <= opponent || limits.allow_failures)
    }
}
