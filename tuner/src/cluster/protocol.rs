//! The subjects and the messages between drivers and workers.

use crate::{bot_player::BotPlayer, game_result::GameResult};
use columns_bot::eval::weights::PARAMETERS;
use columns_cases::digest::Digest;
use columns_generator::Spec;
use serde::{Deserialize, Serialize};

/// The version of the message format. Processes with different versions use different subjects.
const FORMAT_VERSION: u32 = 6;

/// The maximum size of a message, in bytes. A [`Job`] with its player takes about 5 KiB; the rest is room for
/// larger networks.
pub(super) const MAX_MESSAGE_BYTES: usize = 1 << 16;

/// Returns the subject on which workers of this build request games. A request is empty. The reply is a
/// `Job`, or empty if there is no game.
pub fn request_subject() -> String {
    format!("columns.{}.games", build_digest())
}

/// Returns the subject of the answers for a run.
pub(super) fn answer_subject(run: Digest) -> String {
    format!("columns.{}.answers.{run}", build_digest())
}

/// A game that a driver hands to a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Job {
    /// The subject for the worker's answer.
    pub(super) answer_subject: String,
    /// The key of the game within its run.
    pub(super) key: String,
    /// The generator's options for the case.
    pub(super) case_spec: Spec,
    pub(super) seed: u64,
    /// The budget of the search: an amount of counted work, in nominal microseconds.
    pub(super) work_us: u64,
    pub(super) player: BotPlayer,
}

/// A worker's answer to a [`Job`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct JobAnswer {
    /// The key of the job, which identifies the game.
    pub(super) key: String,
    pub(super) result: GameResult,
    /// The time in seconds that the worker took to play the game.
    pub(super) duration_s: f64,
}

/// Returns a digest of the properties that two processes must share to work on the same run: the message
/// format, the sample games of [`BotPlayer::behaviour_digest`], and the names and ranges of the parameters.
fn build_digest() -> Digest {
    let mut digest = Digest::new(&FORMAT_VERSION.to_le_bytes());
    digest.update(
        BotPlayer::default()
            .behaviour_digest()
            .to_string()
            .as_bytes(),
    );
    for parameter in PARAMETERS {
        let (min, max) = (parameter.min, parameter.max);
        digest.update(format!("{} {min} {max}\n", parameter.name).as_bytes());
    }
    digest
}
