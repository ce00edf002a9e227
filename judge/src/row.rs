//! The result of one game.

use columns_generator::classes::Kind;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// How a game ended. It is lost for those behind [`Died`](Self::Died).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// All columns landed.
    #[default]
    Ok,
    /// A column did not fit before all had landed; the points count.
    Died,
    /// Over the time limit; scores 0.
    Tle,
    /// Over the memory limit; scores 0.
    Mle,
    /// No valid plan; scores 0.
    Invalid,
    /// Ended by a signal or with a status that is not 0; scores 0.
    Crashed,
}

impl Mark {
    /// What tables call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Died => "died early",
            Self::Tle => "TLE",
            Self::Mle => "MLE",
            Self::Invalid => "invalid",
            Self::Crashed => "crashed",
        }
    }
}

/// A game of a bot: how it went, and what the bot took and told.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Game {
    /// Points, 0 for a game lost.
    pub score: u64,
    /// How many columns landed; `None` without a valid plan.
    pub placed: Option<usize>,
    /// Steps of the longest chain; `None` without a valid plan.
    pub longest_chain: Option<usize>,
    /// Wall time from start to end of the bot, in seconds.
    pub wall_s: f64,
    /// Processor time of the bot, in seconds.
    pub cpu_s: f64,
    /// Peak resident memory of the bot, in MiB.
    pub peak_memory_mib: f64,
    /// How it ended.
    pub mark: Mark,
    /// The reason, in a line, if it is a failure.
    pub reason: Option<String>,
    /// What the bot told: see [`numbers`](crate::runner::numbers).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub numbers: BTreeMap<String, f64>,
}

/// A game of a run: the case, and how it went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What the case is called.
    pub name: String,
    /// Its seed, where there is one.
    pub seed: Option<u64>,
    /// 64 bits of FNV-1a of the case's text, in hexadecimal.
    pub digest: String,
    /// Its size and its colours.
    #[serde(flatten)]
    pub kind: Kind,
    /// Points of the quickstart rule on this case.
    pub quickstart: u64,
    /// How it went.
    #[serde(flatten)]
    pub game: Game,
    /// Points by the number of columns in the case.
    pub points_per_column: f64,
    /// Points in percent of the best score known, this one included, where other runs were given
    /// to compare with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relative: Option<f64>,
}

/// The fields of a row that are the judge's own. A bot's number of such a name is kept as `bot.NAME`.
#[rustfmt::skip]
pub const FIELDS: [&str; 20] = [
    "name", "seed", "digest", "width", "height", "columns", "magic", "colours",
    "palette", "quickstart", "score", "placed", "longest_chain", "wall_s", "cpu_s",
    "peak_memory_mib", "mark", "reason", "points_per_column", "relative",
];

impl Row {
    /// A number of this game: a field of it in JSON, or a number that the bot reported.
    pub fn number(&self, name: &str) -> Option<f64> {
        let fields = serde_json::to_value(self).ok()?;
        let field = fields.get(name).and_then(Value::as_f64);
        field.or_else(|| self.game.numbers.get(name).copied())
    }
}
