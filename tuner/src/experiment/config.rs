//! The configuration of a run, which is the head of its ledger. It determines the outcome, unless the run has
//! a time limit or the games of a program vary.

use crate::search::axis::Axis;
use crate::search::space::{Space, Target};
use crate::{bot_player::BotPlayer, player::Player, search::SearchSettings};
use anyhow::{Result, bail, ensure};
use columns_cases::digest::Digest;
use columns_cli::ledger::{Head, expect_same};
use columns_cli::{input, options::duration_text};
use columns_core::text::group_digits;
use columns_generator::Spec;
use columns_stats::Objective;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::Path};

/// The configuration of a run: the start, the parameters to fit, the cases and the limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunConfig {
    /// Version of the tuner that began the run.
    #[serde(rename = "tuner")]
    pub tuner_version: String,
    /// The digest of the start when the run began: see [`Player::behaviour_digest`].
    #[serde(rename = "behaviour")]
    pub behaviour_digest: Digest,
    /// The files that affect how a program plays, except its executable, with digests of their contents;
    /// empty for the bot.
    #[serde(rename = "files")]
    pub file_digests: BTreeMap<String, Digest>,
    /// The options of the generator: a profile, and values that override it.
    #[serde(rename = "cases")]
    pub case_spec: Spec,
    /// The objective to maximise: the mean logarithm of the score, or the sum of scores.
    pub objective: Objective,
    /// The limits at the beginning; the user may extend them.
    pub limits: RunLimits,
    /// Pairs per generation, noise, learning rate and seed.
    pub settings: SearchSettings,
    /// The part of the player that the run fits: its weights, its network, or values in its command line.
    pub target: Target,
    /// The parameters to fit, with their ranges and their steps.
    pub axes: Vec<Axis>,
    /// The player that the fit starts from.
    pub start: Player,
}

/// The limits of a run. The user may extend them after the run has begun or ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunLimits {
    /// Maximum number of games of the search, without the games of judgements; `None` if there is no
    /// limit.
    #[serde(rename = "games")]
    pub max_games: Option<u64>,
    /// Maximum time of the search in seconds, the total of all processes; `None` if there is no
    /// limit.
    #[serde(rename = "seconds")]
    pub max_seconds: Option<f64>,
    /// Maximum number of pairs of games of a judgement, on held-out seeds.
    #[serde(rename = "pairs")]
    pub max_pairs: u64,
}

impl Head for RunConfig {
    const LEDGER: &'static str = "run";
    const DESCRIPTION: &'static str = "a run of the tuner";
    const FORMAT: u32 = 7;
}

impl RunConfig {
    /// Builds the space of the search from the target, the axes and the start.
    ///
    /// # Errors
    /// Returns an error if the start does not have these parameters, or if this build gives one of them
    /// another range or step.
    pub fn build_space(&self) -> Result<Space> {
        Space::new(self.target, &self.axes, &self.start)
    }

    /// Computes the identity, which determines the seeds of the search and of the judgements. The limits do
    /// not affect the identity, so an extended run continues with the same seeds as before.
    ///
    /// # Errors
    /// Returns an error if the configuration cannot be serialised to JSON.
    pub fn compute_identity(&self) -> Result<Digest> {
        let mut config = self.clone();
        // Keep these limits: other values would change the identity of existing runs, and thus their seeds.
        config.limits = RunLimits {
            max_games: Some(0),
            ..RunLimits::default()
        };
        Ok(Digest::new(&serde_json::to_vec(&config)?))
    }

    /// Checks that a command with this configuration may resume a run. The version of the tuner and the
    /// limits may differ. The caller compares the digests of the player and of the files itself. The steps of
    /// a network's parameters keep the values that were measured when the run began.
    ///
    /// # Errors
    /// Returns an error if any other part differs. The error names the ledger and the part.
    pub fn expect_same(&self, ledger: &Path, begun: &Self) -> Result<()> {
        let mut now = Self {
            tuner_version: begun.tuner_version.clone(),
            behaviour_digest: begun.behaviour_digest,
            file_digests: begun.file_digests.clone(),
            limits: begun.limits,
            ..self.clone()
        };
        if let Some(change) = self.other_build(begun) {
            bail!(
                "{}: {change}: build the bot as it was to continue the run, or begin another one with \
                 another --out",
                input::name(ledger)
            );
        }
        if now.target == Target::Network {
            now.axes.clone_from(&begun.axes);
        }
        expect_same(ledger, begun, &now)
    }

    /// Describes how the weights and networks of this build differ from those at the start of the run.
    /// Returns `None` if they are the same, if the command names other weights or another network, or if a
    /// program plays.
    fn other_build(&self, begun: &Self) -> Option<String> {
        let (Player::Bot { player, .. }, Player::Bot { player: start, .. }) =
            (&self.start, &begun.start)
        else {
            return None;
        };
        (player != start && *player == BotPlayer::default()).then(|| {
            format!(
                "the run began with {}: the bot has changed since, as by tuner export, or the option \
                 --weights or --network is missing",
                player.describe_difference(start)
            )
        })
    }

    /// Describes what has changed since the run began: a file, or the way in which the start plays. `None` if
    /// nothing has changed.
    pub(super) fn describe_change(&self, begun: &Self) -> Option<String> {
        let mut names = begun.file_digests.keys().chain(self.file_digests.keys());
        let changed =
            names.find(|&name| self.file_digests.get(name) != begun.file_digests.get(name));
        if let Some(name) = changed {
            let how = match (self.file_digests.get(name), begun.file_digests.get(name)) {
                (None, _) => "is not here, or not watched: the run was begun with it",
                (_, None) => "was not there, or not watched, when the run began",
                _ => "has changed since the run began",
            };
            return Some(format!("{name} {how}"));
        }
        let (now, begun) = (self.behaviour_digest, begun.behaviour_digest);
        (now != begun).then(|| {
            format!(
                "the bot does not play as the one that began the run (behaviour {now}, then {begun})"
            )
        })
    }
}

impl RunLimits {
    /// True if at least one of these limits is larger than in `before`. A missing limit counts as the
    /// largest.
    ///
    /// # Errors
    /// Returns an error if one of these limits is smaller. The error names its option.
    pub fn extends(&self, before: &Self) -> Result<bool> {
        let numbers = |limits: &Self| {
            let games = limits.max_games.map_or(f64::INFINITY, |games| games as f64);
            let seconds = limits.max_seconds.unwrap_or(f64::INFINITY);
            [games, seconds, limits.max_pairs as f64]
        };
        let text = |option: &str, limit: f64| match option {
            "--max-time" => duration_text(limit),
            _ => group_digits(limit as u64),
        };
        let options = [
            ("--games", " games"),
            ("--max-time", ""),
            ("--max-pairs", " pairs of games"),
        ];
        let both = numbers(self).into_iter().zip(numbers(before));
        for ((option, unit), (now, before)) in options.into_iter().zip(both) {
            ensure!(
                now >= before || before.is_finite(),
                "{option}: the run has no such limit; give the same options as then, or another --out"
            );
            ensure!(
                now >= before,
                "{option}: the run already has {0}{unit}; give {0} or more, or another --out",
                text(option, before)
            );
        }
        Ok(self != before)
    }
}
