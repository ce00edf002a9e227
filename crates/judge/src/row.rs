//! The row of a game in a run: the case, and the result of the game on it.

use columns_generator::{classes::CaseProperties, digest::Digest};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The way in which a game ended. The variants after [`EndedEarly`](Self::EndedEarly) are failed games, which
/// score 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameStatus {
    /// All columns have landed.
    #[default]
    Ok,
    /// A column did not fit. The points scored before it count.
    EndedEarly,
    /// The bot exceeded the time limit.
    Tle,
    /// The bot exceeded the memory limit.
    Mle,
    /// The bot printed no valid plan.
    Invalid,
    /// The bot was killed by a signal, or exited with a status other than 0.
    Crashed,
}

impl GameStatus {
    /// Returns the name that tables show.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::EndedEarly => "ended early",
            Self::Tle => "TLE",
            Self::Mle => "MLE",
            Self::Invalid => "invalid",
            Self::Crashed => "crashed",
        }
    }

    /// True if the game scores 0, whatever its plan would score.
    pub fn is_failed(self) -> bool {
        self > Self::EndedEarly
    }
}

/// The result of a game, the resources that the bot used, and the metrics that it reported.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Game {
    /// Points; 0 for a failed game.
    pub score: u64,
    /// Number of columns that have landed; `None` if there is no valid plan.
    pub placed: Option<usize>,
    /// Number of steps of the longest chain; `None` if there is no valid plan.
    pub longest_chain: Option<usize>,
    /// Wall time from the start to the end of the bot, in seconds.
    pub wall_s: f64,
    /// Processor time of the bot, in seconds.
    pub cpu_s: f64,
    /// Peak resident memory of the bot, in MiB.
    pub peak_memory_mib: f64,
    /// The end of the game: normal, early or failed.
    pub status: GameStatus,
    /// Why the game failed, in one line; `None` if it has not failed.
    pub reason: Option<String>,
    /// Metrics that the bot reported, by name: see [`parse_metrics`](crate::runner::parse_metrics).
    #[serde(
        rename = "numbers",
        default,
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    pub metrics: BTreeMap<String, f64>,
}

/// A row of a run: a case and the game on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Name of the case, such as `0001`.
    pub name: String,
    /// Seed of the case: see [`CaseEntry::seed`](crate::cases::CaseEntry::seed).
    pub seed: Option<u64>,
    /// Digest of the text of the case.
    pub case_digest: Digest,
    /// Digest of the bot's standard output, which may not be a valid plan.
    #[serde(rename = "plan_digest")]
    pub output_digest: Digest,
    /// The properties of the case, such as its size and its colours.
    #[serde(flatten)]
    pub properties: CaseProperties,
    /// Points of the quickstart rule on this case: see [`columns_core::rules::quickstart`].
    #[serde(rename = "quickstart")]
    pub quickstart_points: u64,
    /// The result of the game. In JSON, its fields are fields of the row.
    #[serde(flatten)]
    pub game: Game,
    /// Points divided by the number of columns of the case.
    pub points_per_column: f64,
}

impl Row {
    /// Looks up a number of this game by name: a field of the row in JSON, or else a metric that the bot
    /// reported.
    pub fn number(&self, name: &str) -> Option<f64> {
        let fields = serde_json::to_value(self).ok()?;
        let field = fields.get(name).and_then(Value::as_f64);
        field.or_else(|| self.game.metrics.get(name).copied())
    }
}
