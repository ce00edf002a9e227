//! The configuration of a run: all that decides its outcome. It is the head of its ledger.

use crate::ledger::{expect_same, Head};
use crate::search::axis::Axis;
use crate::search::space::{Space, Target};
use crate::{contestant::Contestant, digest::Digest, search::Pace, units::Objective};
use anyhow::{ensure, Result};
use columns_generator::Spec;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::Path};

/// All that decides the outcome of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// Version of the tuner.
    pub tuner: String,
    /// Tells how the start played when the run began, see [`Contestant::behaviour`].
    pub behaviour: Digest,
    /// The files of a program, with digests of their contents.
    pub files: BTreeMap<String, Digest>,
    /// What the cases are like.
    pub cases: Spec,
    /// The objective to maximise.
    pub objective: Objective,
    /// What the run may spend, unless it is extended.
    pub limits: Limits,
    /// The settings of the search.
    pub pace: Pace,
    /// For a rehearsal, the number of its start, from 1.
    pub rehearsal: Option<u32>,
    /// What the axes are numbers of.
    pub target: Target,
    /// What is fitted.
    pub axes: Vec<Axis>,
    /// The player that the run starts from.
    pub start: Contestant,
}

/// What a run may spend. The user may give more of it to a run that has begun or ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// The most games of the search; a judgement's games are not counted.
    pub games: u64,
    /// The most seconds that all processes together spend on the search; `None` without a limit.
    pub seconds: Option<f64>,
    /// The most pairs of games on held-out seeds of a judgement.
    pub pairs: u64,
}

impl Head for Config {
    const LEDGER: &'static str = "run";
    const WHAT: &'static str = "a run of the tuner";
    const FORMAT: u32 = 5;
    const FORMAT_0_2: u32 = 4;
}

impl Config {
    /// The space that is searched.
    ///
    /// # Errors
    /// If this build does not have it.
    pub fn space(&self) -> Result<Space> {
        Space::new(self.target, &self.axes, &self.start)
    }

    /// The identity that all seeds are drawn from. The limits have no part in it: a run that is
    /// extended is the run that it would have been from the beginning.
    ///
    /// # Errors
    /// If the configuration has no form in JSON.
    pub fn identity(&self) -> Result<Digest> {
        let limits = Limits::default();
        Ok(Digest::of_json(&Self {
            limits,
            ..self.clone()
        })?)
    }

    /// Checks that a command with this configuration continues the run that was begun with another:
    /// only the limits and the version of the tuner may differ. How the start plays is compared by
    /// the caller, and the steps of a network are those that were measured when the run began.
    ///
    /// # Errors
    /// One line with the name of the ledger and the part that differs.
    pub fn expect_same(&self, ledger: &Path, begun: &Self) -> Result<()> {
        let mut now = Self {
            tuner: begun.tuner.clone(),
            behaviour: begun.behaviour,
            files: begun.files.clone(),
            limits: begun.limits,
            ..self.clone()
        };
        if now.target == Target::Network {
            now.axes.clone_from(&begun.axes);
        }
        expect_same(ledger, begun, &now)
    }

    /// How the player that the run starts from differs from the one that began the run, in words.
    pub(super) fn change(&self, begun: &Self) -> Option<String> {
        let mut names = begun.files.keys().chain(self.files.keys());
        let changed = names.find(|&name| self.files.get(name) != begun.files.get(name));
        if let Some(name) = changed {
            let how = match (self.files.get(name), begun.files.get(name)) {
                (None, _) => "is not here, or not watched: the run was begun with it",
                (_, None) => "was not there, or not watched, when the run began",
                _ => "has changed since the run began",
            };
            return Some(format!("{name} {how}"));
        }
        let (now, begun) = (self.behaviour, begun.behaviour);
        (now != begun).then(|| {
            format!(
                "the bot does not play as the one that began the run (behaviour {now}, then {begun})"
            )
        })
    }
}

impl Limits {
    /// Whether these limits give more than others do. No limit of time is more than any.
    ///
    /// # Errors
    /// If one of them gives less; it is named by its option.
    pub fn grow(&self, before: &Self) -> Result<bool> {
        let numbers = |limits: &Self| {
            let seconds = limits.seconds.unwrap_or(f64::INFINITY);
            [limits.games as f64, seconds, limits.pairs as f64]
        };
        let shown = |number: f64| number.to_string().replace("inf", "no limit");
        let options = ["--games", "--for", "--most-pairs"].into_iter();
        for ((option, now), before) in options.zip(numbers(self)).zip(numbers(before)) {
            ensure!(
                now >= before,
                "{option}: expected at least {}, which the run has already, found {}: give it the same \
                 or more, or another --out",
                shown(before),
                shown(now)
            );
        }
        Ok(self != before)
    }
}
