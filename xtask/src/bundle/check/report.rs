//! The results of the checks of a submission.

use serde::Serialize;
use std::fmt;

/// Why a submission is not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Fault {
    TooLarge,
    DoesNotCompile,
    CompilesTooSlowly,
    PlanDiffers,
    PlanIsInvalid,
    Fails,
    Late,
    TooMuchMemory,
    ScoreDiffers,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLarge => "too large",
            Self::DoesNotCompile => "does not compile",
            Self::CompilesTooSlowly => "compiles too slowly",
            Self::PlanDiffers => "plan differs",
            Self::PlanIsInvalid => "plan is invalid",
            Self::Fails => "fails",
            Self::Late => "late",
            Self::TooMuchMemory => "too much memory",
            Self::ScoreDiffers => "score differs",
        })
    }
}

/// A fault, and where it occurred.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Failure {
    pub(crate) fault: Fault,
    pub(crate) details: String,
}

/// The results of all checks.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Report {
    pub(crate) bytes: usize,
    pub(crate) bytes_left: isize,
    pub(crate) compilers: Vec<Compiled>,
    pub(crate) plans: Vec<Compared>,
    pub(crate) contest: Vec<PlayedCase>,
    pub(crate) failures: Vec<Failure>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Compiled {
    pub(crate) version: String,
    pub(crate) seconds: f64,
}

/// The comparison of plans with those of the workspace's bot.
#[derive(Debug, Serialize)]
pub(crate) struct Compared {
    pub(crate) same: usize,
    pub(crate) of: usize,
    /// Its time, divided by that of the workspace's bot.
    pub(crate) slower: f64,
}

/// A case played as in the contest.
#[derive(Debug, Serialize)]
pub(crate) struct PlayedCase {
    pub(crate) case: String,
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) columns: usize,
    pub(crate) score: u64,
    pub(crate) wall_seconds: f64,
    pub(crate) peak_memory_mib: f64,
    /// The score of the workspace's bot, if it played.
    pub(crate) workspace_score: Option<u64>,
}
