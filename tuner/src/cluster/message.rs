//! The messages of driver and workers: JSON, one object for each.

use crate::digest::Digest;
use crate::game::Played;
use crate::player::Player;
use columns_generator::Spec;
use serde::{Deserialize, Serialize};

/// The part that messages of all versions have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Versioned {
    /// See [`version()`](super::version).
    pub version: Digest,
}

/// A game to be played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// See [`version()`](super::version).
    pub version: Digest,
    /// Names the game within its run.
    pub key: String,
    /// Identifies this offer of the game, so that the answer to a later offer is not taken for a
    /// copy of the first answer.
    pub offer: String,
    /// What the cases of the seeds are like.
    pub cases: Spec,
    /// The seed of the case.
    pub seed: u64,
    /// Work that the search may do, in microseconds.
    pub work: u64,
    /// Who plays.
    pub player: Player,
}

/// The result of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// See [`version()`](super::version).
    pub version: Digest,
    /// The key of the job.
    pub key: String,
    /// The result.
    pub played: Played,
    /// The processor time of the game, in seconds.
    pub seconds: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::version;

    #[test]
    fn the_version_of_any_message_can_be_read() {
        let text = format!("{{\"version\":\"{}\",\"news\":[1]}}", version());
        let read: Versioned = serde_json::from_str(&text).unwrap();
        assert_eq!(read.version, version());
        assert!(serde_json::from_str::<Job>(&text).is_err());
    }
}
