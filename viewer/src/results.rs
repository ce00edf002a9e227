//! Reads reports of `judge run --json`: the scores of a bot on many cases, without its plans.

use crate::about::About;
use crate::wish::Wish;
use columns_core::text;
use columns_generator::classes::Kind;
use columns_generator::digest::digest;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The part of a report that the page shows.
#[derive(Debug, Serialize)]
pub(crate) struct Results {
    /// The name of the report's file.
    pub(crate) name: String,
    /// The command line of the bot.
    pub(crate) bot: String,
    pub(crate) rows: Vec<Row>,
}

/// One game of a report.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    /// The name of the case.
    pub(crate) name: String,
    pub(crate) about: About,
    /// The seed and options that generate the case; absent if the page cannot generate it.
    pub(crate) origin: Option<Wish>,
    /// The text of the generated case.
    pub(crate) case: Option<String>,
    pub(crate) points: u64,
    /// The reason why the game is lost; absent otherwise.
    pub(crate) broken: Option<String>,
    /// The verdict in short, such as `tle`.
    pub(crate) mark: Option<String>,
    /// The number of columns that landed; absent if there is no valid plan.
    pub(crate) placed: Option<usize>,
    /// Wall time of the bot, in seconds.
    pub(crate) seconds: Option<f64>,
    /// The numbers that the bot printed, by name.
    pub(crate) numbers: BTreeMap<String, f64>,
}

/// The fields of a report that the page reads.
#[derive(Deserialize)]
struct Report {
    format: u32,
    bot: String,
    cases: String,
    rows: Vec<Judged>,
}

#[derive(Deserialize)]
struct Judged {
    name: String,
    seed: Option<u64>,
    digest: String,
    #[serde(flatten)]
    kind: Kind,
    score: u64,
    reason: Option<String>,
    mark: Option<String>,
    placed: Option<usize>,
    wall_s: Option<f64>,
    #[serde(default)]
    numbers: BTreeMap<String, f64>,
}

/// The supported version of the report format.
const FORMAT: u32 = 1;

/// Parses a report. Error messages name the invalid line of `text`.
pub(crate) fn read(name: &str, text: &str) -> Result<Results, String> {
    let report: Report = serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let expected = "a report of `judge run --json`";
        text::line_first(&error.to_string(), line, column, expected)
    })?;
    if report.format != FORMAT {
        return Err(format!(
            "line 1: expected a report of `judge run --json` in format {FORMAT}, found {}",
            report.format
        ));
    }
    let row = |judged| row(judged, &report.cases);
    Ok(Results {
        name: name.to_string(),
        rows: report.rows.into_iter().map(row).collect(),
        bot: report.bot,
    })
}

fn row(judged: Judged, options: &str) -> Row {
    // The report does not contain the cases: generate each from its seed, and check its digest.
    let generated = judged
        .seed
        .and_then(|seed| Wish::of_options(seed, options))
        .and_then(|wish| Some((wish.case().ok()?, wish)))
        .filter(|(case, _)| digest(case) == judged.digest);
    Row {
        name: judged.name,
        about: About::new(judged.digest, judged.kind),
        case: generated.as_ref().map(|(case, _)| case.to_string()),
        origin: generated.map(|(_, wish)| wish),
        points: judged.score,
        broken: judged.reason,
        mark: judged.mark,
        placed: judged.placed,
        seconds: judged.wall_s,
        numbers: judged.numbers,
    }
}
