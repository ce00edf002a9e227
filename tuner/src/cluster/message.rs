//! The messages of driver and workers: JSON, one object for each.

use crate::games::play::Played;
use crate::store::digest::Digest;
use columns_bot::eval::weights::{Weights, PARAMETERS};
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
    /// A value for each parameter of the table, in its order.
    pub weights: Vec<f64>,
}

impl Job {
    /// The weights; `None` if they are not as many as the table has or out of range, which the
    /// version excludes.
    pub fn weights(&self) -> Option<Weights> {
        let mut weights = Weights::default();
        if self.weights.len() != PARAMETERS.len() {
            return None;
        }
        for (parameter, &value) in PARAMETERS.iter().zip(&self.weights) {
            weights.set(parameter.name, value).ok()?;
        }
        Some(weights)
    }
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
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn weights_arrive_to_the_bit(shares in prop::collection::vec(0.0..=1.0_f64, PARAMETERS.len())) {
            let mut weights = Weights::default();
            for (parameter, share) in PARAMETERS.iter().zip(shares) {
                let value = parameter.lowest + share * (parameter.highest - parameter.lowest);
                let value = value.clamp(parameter.lowest, parameter.highest);
                weights.set(parameter.name, value).unwrap();
            }
            let job = Job {
                version: Digest::EMPTY,
                key: "a".into(),
                offer: "b".into(),
                cases: Spec::default(),
                seed: u64::MAX,
                work: 1,
                weights: weights.values(),
            };
            let text = serde_json::to_string(&job).unwrap();
            let back: Job = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(&back, &job);
            prop_assert_eq!(back.weights(), Some(weights));
        }
    }

    #[test]
    fn the_version_of_any_message_can_be_read() {
        let text = format!("{{\"version\":\"{}\",\"news\":[1]}}", version());
        let read: Versioned = serde_json::from_str(&text).unwrap();
        assert_eq!(read.version, version());
        assert!(serde_json::from_str::<Job>(&text).is_err());
    }
}
