//! The results of `judge run --json`: scores of a bot on many cases, without its plans.

use crate::about::About;
use crate::wish::Wish;
use columns_core::text;
use columns_generator::classes::Kind;
use columns_generator::digest::digest;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the page shows of a report.
#[derive(Debug, Serialize)]
pub struct Results {
    /// The name of the file.
    pub name: String,
    /// The command line of the bot.
    pub bot: String,
    /// The games.
    pub rows: Vec<Row>,
}

/// One game.
#[derive(Debug, Serialize)]
pub struct Row {
    /// What the case is called.
    pub name: String,
    /// What a table says of the case.
    pub about: About,
    /// The wish that brings the case back, where this page can make it.
    pub origin: Option<Wish>,
    /// The text of that case.
    pub case: Option<String>,
    /// Points.
    pub points: u64,
    /// The reason why the game is lost.
    pub broken: Option<String>,
    /// The name of the verdict, such as `tle`.
    pub mark: Option<String>,
    /// The number of columns that landed; absent without a valid plan.
    pub placed: Option<usize>,
    /// Wall time of the bot, in seconds.
    pub seconds: Option<f64>,
    /// The numbers that the bot printed about the game, by name.
    pub numbers: BTreeMap<String, f64>,
}

/// The parts of the judge's report that are read here.
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

/// The only format of reports that there is so far.
const FORMAT: u32 = 1;

/// Reads a report.
///
/// # Errors
/// The line of the mistake in it.
pub fn read(name: &str, text: &str) -> Result<Results, String> {
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
    // Only a case that is the very one of the report counts.
    let made = judged
        .seed
        .and_then(|seed| Wish::of_options(seed, options))
        .and_then(|wish| Some((wish.case().ok()?, wish)))
        .filter(|(case, _)| digest(case) == judged.digest);
    Row {
        name: judged.name,
        about: About::new(judged.digest, judged.kind),
        case: made.as_ref().map(|(case, _)| case.to_string()),
        origin: made.map(|(_, wish)| wish),
        points: judged.score,
        broken: judged.reason,
        mark: judged.mark,
        placed: judged.placed,
        seconds: judged.wall_s,
        numbers: judged.numbers,
    }
}
