//! The results of the checks of a submission.

use columns_judge::row::Row;
use serde::Serialize;

/// Why a submission is not fit.
#[derive(Debug, Serialize)]
pub(crate) struct Failure {
    /// What is wrong, in two or three words.
    pub(crate) fault: &'static str,
    /// Where, and by how much.
    pub(crate) details: String,
}

/// The results of all checks.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Report {
    pub(crate) bytes: usize,
    pub(crate) bytes_left: isize,
    pub(crate) compilers: Vec<Compiled>,
    pub(crate) plans: Vec<Compared>,
    /// The games played as in the contest, as `judge run` reports them.
    pub(crate) contest: Vec<Row>,
    /// The mean score of the workspace's bot in the same games, if it played.
    pub(crate) workspace_score: Option<f64>,
    pub(crate) failures: Vec<Failure>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Compiled {
    pub(crate) version: String,
    pub(crate) seconds: f64,
}

/// How plans compare with those of the workspace's bot.
#[derive(Debug, Serialize)]
pub(crate) struct Compared {
    pub(crate) same: usize,
    pub(crate) of: usize,
    /// Its time, divided by that of the workspace's bot.
    pub(crate) slower: f64,
}
