//! Reads reports of `judge run --json`: the scores of a bot on many cases, without its plans.

use crate::about::About;
use crate::origin::Origin;
use columns_core::text;
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

/// One game, as in the report, with its case.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    #[serde(flatten)]
    pub(crate) about: About,
    /// The seed and options that generate the case; absent if the page cannot generate it.
    #[serde(skip_deserializing)]
    pub(crate) origin: Option<Origin>,
    /// The text of the generated case.
    #[serde(skip_deserializing)]
    pub(crate) case: Option<String>,
    /// The name of the case.
    pub(crate) name: String,
    pub(crate) seed: Option<u64>,
    /// Points; 0 for a lost game.
    pub(crate) score: u64,
    /// The reason why the game is lost; absent otherwise.
    pub(crate) reason: Option<String>,
    /// The verdict in short, such as `tle`.
    pub(crate) mark: Option<String>,
    /// The number of columns that landed; absent if there is no valid plan.
    pub(crate) placed: Option<usize>,
    /// Wall time of the bot, in seconds.
    pub(crate) wall_s: Option<f64>,
    /// The numbers that the bot printed, by name.
    #[serde(default)]
    pub(crate) numbers: BTreeMap<String, f64>,
}

/// The fields of a report that the page reads.
#[derive(Deserialize)]
struct Report {
    format: u32,
    bot: String,
    cases: String,
    rows: Vec<Row>,
}

/// The supported version of the report format.
const FORMAT: u32 = 1;

/// Parses a report. Error messages name the invalid line of `text`.
pub(crate) fn read(name: &str, text: &str) -> Result<Results, String> {
    let mut report: Report = serde_json::from_str(text).map_err(|error| {
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
    for row in &mut report.rows {
        generate(row, &report.cases);
    }
    Ok(Results {
        name: name.to_string(),
        bot: report.bot,
        rows: report.rows,
    })
}

/// Generates the case of a game from its seed and the options of the run. Leaves it out if its
/// digest differs from the report.
fn generate(row: &mut Row, options: &str) {
    let seed = row.seed;
    let origin = seed.and_then(|seed| Origin::of_options(seed, options));
    let case = origin.as_ref().and_then(|origin| origin.case().ok());
    if let Some(case) = case.filter(|case| digest(case) == row.about.digest) {
        row.case = Some(case.to_string());
        row.origin = origin;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_generator::{Spec, generate, guess};
    use serde_json::json;

    #[test]
    fn a_row_keeps_its_figures_and_gets_its_case() {
        let case = generate(7, &Spec::default());
        let about = About::of(&case, guess::palette(&case));
        let mut row = json!(about);
        row["name"] = json!("0007");
        row["seed"] = json!(7);
        row["score"] = json!(141);
        row["wall_s"] = json!(0.25);
        let read_row = |row: &serde_json::Value| {
            let report =
                json!({ "format": 1, "bot": "b", "cases": "--seeds 7..=8", "rows": [row] });
            json!(&read("x", &report.to_string()).unwrap().rows[0])
        };
        let result = read_row(&row);
        for (name, value) in row.as_object().unwrap() {
            assert_eq!(result[name], *value, "{name}");
        }
        assert_eq!(result["case"], json!(case.to_string()));
        assert_eq!(result["origin"], json!({ "seed": "7" }));
        // A case with another digest is not the generated one.
        row["digest"] = json!("0000000000000000");
        let result = read_row(&row);
        assert_eq!([&result["case"], &result["origin"]], [&json!(null); 2]);
    }
}
