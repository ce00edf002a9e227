//! Reads runs: the ledger `run.jsonl` of a judge run, the lines that `judge run --json` prints, and
//! pahcer's `result_*.json`. None of these files contains plans.

use crate::case_facts::CaseFacts;
use crate::key::Key;
use crate::origin::Origin;
use columns_cases::digest::Digest;
use columns_generator::args::SpecArgs;
use serde::de::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A run in the form that the page shows.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Run {
    /// The path of the file.
    pub(crate) name: String,
    /// Identifies the run, whatever its folder: a hash of the head if the judge wrote the file, or the start
    /// time if pahcer did. `None` if the judge's file has no head.
    pub(crate) id: Option<String>,
    pub(crate) head: Head,
    /// The last game of each case. The judge's games are sorted by the name of the case.
    pub(crate) rows: Vec<Row>,
}

/// The head of a run; empty if the judge's file has no head. A pahcer file has only the comment and the start
/// time.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Head {
    pub(crate) name: Option<String>,
    pub(crate) comment: Option<String>,
    /// The command line of the bot.
    pub(crate) bot: String,
    pub(crate) bot_version: String,
    pub(crate) commit: Option<String>,
    /// True if the working tree differed from `commit`.
    pub(crate) has_uncommitted_changes: bool,
    pub(crate) time_limit_s: Option<f64>,
    pub(crate) memory_limit_mib: Option<f64>,
    /// Date and time of the start, in RFC 3339 format.
    pub(crate) start_time: String,
    /// Notes about games that were played after files of the program had changed.
    #[serde(skip_deserializing)]
    pub(crate) notes: Vec<String>,
    #[serde(skip_serializing)]
    cases: Value,
}

/// The result of one game.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    /// The name of the case.
    pub(crate) name: String,
    /// The key of the case, which pairs the row with a plan.
    pub(crate) key: Key,
    /// The properties of the case; `None` for a pahcer file, which names only the seed of a case.
    pub(crate) facts: Option<CaseFacts>,
    /// The seed and options from which the case was probably generated; `None` if the case came from a file,
    /// or if the row comes from pahcer.
    pub(crate) origin: Option<Origin>,
    /// Points; 0 for a failed game.
    pub(crate) points: u64,
    /// The kind of failure; `None` if the game did not fail.
    pub(crate) failure: Option<String>,
    /// The reason for the failure; `None` if the game did not fail.
    pub(crate) reason: Option<String>,
    /// The number of columns that landed; `None` if it is unknown.
    pub(crate) placed: Option<usize>,
    /// The metrics that the bot reported, and the time in seconds, by name.
    pub(crate) metrics: BTreeMap<String, f64>,
    /// The program's files that had changed when the game began.
    #[serde(skip)]
    changed: Vec<String>,
}

/// A game in the judge's ledger or in a pahcer result file.
#[derive(Deserialize)]
struct RecordedGame {
    /// The name of the case; `None` in a pahcer file.
    name: Option<String>,
    seed: Option<u64>,
    #[serde(flatten)]
    facts: Option<CaseFacts>,
    score: u64,
    placed_columns: Option<usize>,
    #[serde(alias = "execution_time")]
    wall_s: Option<f64>,
    status: Option<String>,
    #[serde(alias = "error_message")]
    reason: Option<String>,
    #[serde(default)]
    numbers: BTreeMap<String, f64>,
    #[serde(default)]
    changed: Vec<String>,
}

/// A pahcer result file.
#[derive(Deserialize)]
struct PahcerResult {
    start_time: String,
    comment: Option<String>,
    cases: Vec<RecordedGame>,
}

/// The version of the ledger format that this page reads.
const JUDGE_FORMAT: u64 = 2;

/// The statuses of failed games in the judge's ledger.
const FAILED_STATUSES: [&str; 4] = ["tle", "mle", "invalid", "crashed"];

/// Parses a run. Error messages name the invalid line of `text`. Ignores an incomplete last line, which the
/// judge may still be writing.
pub(crate) fn parse_run(name: &str, text: &str) -> Result<Run, String> {
    let mut run = match serde_json::from_str::<PahcerResult>(text) {
        Ok(result) => result.into(),
        Err(_) if is_foreign(text) => {
            return Err("JSON, but no run of the judge or of pahcer".into());
        }
        Err(_) => parse_ledger(text)?,
    };
    run.name = name.to_string();
    Ok(run)
}

/// True if the text begins with a JSON value that is not one of the judge's heads, rows or summaries.
fn is_foreign(text: &str) -> bool {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let keys = ["ledger", "score", "summary"];
    matches!(values.next(), Some(Ok(value)) if keys.iter().all(|key| value.get(key).is_none()))
}

fn parse_ledger(text: &str) -> Result<Run, String> {
    let mut run = Run::default();
    let mut rows = BTreeMap::new();
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let message = |error: serde_json::Error| {
            let at = format!(" at line {} column {}", error.line(), error.column());
            let what = error.to_string().replace(&at, "");
            format!("line {number}: expected a run of the judge or of pahcer: {what}")
        };
        let value: Value = match serde_json::from_str(line) {
            Ok(value) => value,
            Err(_) if number > 1 && !line.ends_with('\n') => break,
            Err(error) => return Err(message(error)),
        };
        if value.get("ledger").is_some() {
            check_format(&value).map_err(|error| format!("line {number}: {error}"))?;
            run.id = Some(format!("run {}", Digest::new(line.trim().as_bytes())));
            run.head = serde_json::from_value(value).map_err(message)?;
        } else if value.get("summary").is_none() {
            let game: RecordedGame = serde_json::from_value(value).map_err(message)?;
            let row = game.into_row(&run.head);
            let row = row.ok_or_else(|| message(Error::missing_field("name")))?;
            rows.insert(row.name.clone(), row);
        }
    }
    run.rows = rows.into_values().collect();
    run.head.notes = change_notes(&run.rows);
    Ok(run)
}

/// Checks that the judge's head is in the format that this page reads.
fn check_format(head: &Value) -> Result<(), String> {
    let advice = match head["format"].as_u64() {
        Some(JUDGE_FORMAT) => return Ok(()),
        Some(1) => "version 0.2.0 of the page reads it",
        _ => "another version of the page reads it",
    };
    let format = &head["format"];
    Err(format!(
        "expected a run of the judge in format {JUDGE_FORMAT}, found format {format}: {advice}"
    ))
}

/// Describes the games that were played after files of the program had changed.
fn change_notes(rows: &[Row]) -> Vec<String> {
    let mut counts = BTreeMap::<&[String], usize>::new();
    for row in rows.iter().filter(|row| !row.changed.is_empty()) {
        *counts.entry(&row.changed).or_default() += 1;
    }
    let note = |(files, count): (&[String], usize)| {
        let (all, files) = (rows.len(), files.join(", "));
        format!("{count} of {all} games were played after {files} changed")
    };
    counts.into_iter().map(note).collect()
}

impl RecordedGame {
    /// Converts the game to a row; `None` if the game has neither a name nor a seed.
    fn into_row(self, head: &Head) -> Option<Row> {
        let spec = head.cases.pointer("/generated/spec").cloned();
        let spec = spec.and_then(|spec| serde_json::from_value::<SpecArgs>(spec).ok());
        let is_generated = self.facts.is_some() && head.cases.get("files").is_none();
        let origin = self.seed.filter(|_| is_generated);
        let time = self.wall_s.map(|seconds| ("seconds".to_string(), seconds));
        let name = self.name.or(self.seed.map(|seed| format!("{seed:04}")))?;
        let reason = self.reason.filter(|reason| !reason.is_empty());
        // Pahcer writes no status. A game with an error message has failed, and counts as invalid.
        let status = self.status.or(reason.as_ref().map(|_| "invalid".into()));
        Some(Row {
            origin: origin.map(|seed| Origin::new(seed, &spec.unwrap_or_default())),
            facts: self.facts,
            key: Key::from_name(&name),
            name,
            points: self.score,
            failure: status.filter(|status| FAILED_STATUSES.contains(&status.as_str())),
            reason,
            placed: self.placed_columns,
            metrics: self.numbers.into_iter().chain(time).collect(),
            changed: self.changed,
        })
    }
}

impl From<PahcerResult> for Run {
    fn from(result: PahcerResult) -> Self {
        let head = Head {
            comment: result.comment.filter(|comment| !comment.is_empty()),
            start_time: result.start_time,
            ..Head::default()
        };
        Self {
            name: String::new(),
            id: Some(format!("pahcer {}", head.start_time)),
            rows: result
                .cases
                .into_iter()
                .filter_map(|case| case.into_row(&head))
                .collect(),
            head,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_generator::{Profile, Spec, generate};
    use serde_json::json;

    /// Returns a head, and a row for the case of seed 7 with a width of 9.
    fn lines() -> [Value; 2] {
        let spec = Spec::new(Profile::Growing).with_width(9).unwrap();
        let case = generate(7, &spec);
        let facts = CaseFacts::new(&case, None);
        let cases = json!({ "generated": { "seeds": ["my seeds"], "spec": spec } });
        let head = json!({ "crc": "00000000", "ledger": "judge run", "format": 2, "name": "wider",
            "bot": "./a 'b c'", "has_uncommitted_changes": true, "cases": cases,
            "start_time": "2026-11-28T02:51:07Z" });
        let mut row = json!(facts.properties);
        for (name, value) in [
            ("name", json!("0007")),
            ("seed", json!(7)),
            ("case_digest", json!(facts.digest)),
            ("score", json!(141)),
            ("wall_s", json!(0.25)),
            ("status", json!("ok")),
            ("numbers", json!({ "__proto__": 3.0 })),
        ] {
            row[name] = value;
        }
        [head, row]
    }

    #[test]
    fn a_ledger_has_a_head_and_the_last_row_of_each_case() {
        let [head, mut row] = lines();
        let first = row.clone();
        row["score"] = json!(0);
        row["status"] = json!("tle");
        let text = format!("{head}\n{first}\n{row}\n{{\"name\":\"cut");
        let run = parse_run("runs/0003/run.jsonl", &text).unwrap();
        assert_eq!(run.head.name.as_deref(), Some("wider"));
        let [row] = &run.rows[..] else {
            panic!("{run:?}")
        };
        assert_eq!((row.points, row.failure.as_deref()), (0, Some("tle")));
        assert_eq!(
            (row.metrics["seconds"], row.metrics["__proto__"]),
            (0.25, 3.0)
        );
        let origin = row.origin.as_ref().unwrap().generate_named_case().unwrap();
        assert_eq!(
            Some(origin.facts.digest),
            row.facts.as_ref().map(|facts| facts.digest.clone())
        );
        assert!(run.head.notes.is_empty());
        // A note reports the games that were played after the program had changed.
        let mut changed = first.clone();
        changed["changed"] = json!(["bot.awk"]);
        let noted = parse_run("run.jsonl", &format!("{head}\n{changed}\n")).unwrap();
        let sentence = "1 of 1 games were played after bot.awk changed";
        assert_eq!(noted.head.notes, [sentence]);
        // A run in the format of version 0.2.0 is rejected.
        let mut old = head.clone();
        old["format"] = json!(1);
        let error = parse_run("run.jsonl", &format!("{old}\n")).unwrap_err();
        let expected =
            "line 1: expected a run of the judge in format 2, found format 1: version 0.2.0 of the";
        assert!(error.starts_with(expected), "{error}");
        // The same run in another folder has the same id.
        let copy = parse_run("x/run.jsonl", &format!("{head}\n")).unwrap();
        assert!(copy.id.is_some() && copy.id == run.id && copy.rows.is_empty());
        // Lines of `judge run --json` have no head.
        let lines = parse_run("a.jsonl", &format!("{first}\n{{\"summary\": {{}}}}\n")).unwrap();
        assert_eq!((lines.id, lines.rows.len()), (None, 1));
        for foreign in ["{\n \"name\": 1\n}\n", "[1, 2]", "{\"a\": 1}\n{\"b\": 2}\n"] {
            let error = parse_run("package.json", foreign).unwrap_err();
            assert_eq!(error, "JSON, but no run of the judge or of pahcer");
        }
        for (row, message) in [
            ("{\"name\": 1}", ""),
            ("{\"score\": 1}", "missing field `name`"),
        ] {
            let error = parse_run("x", &format!("{head}\n{row}\n")).unwrap_err();
            let expected = "line 2: expected a run of the judge or of pahcer: ";
            assert!(
                error.starts_with(expected) && error.contains(message),
                "{error}"
            );
        }
    }

    #[test]
    fn a_result_of_pahcer_is_a_run() {
        let text = json!({ "start_time": "2026-11-28T02:51:07+09:00", "comment": "memo", "cases": [
            { "seed": 3, "score": 50, "relative_score": 1.0, "execution_time": 0.5, "error_message": "" },
            { "seed": 4, "score": 0, "execution_time": 0.5, "error_message": "exit status 1" } ] });
        let run = parse_run("json/result_1.json", &format!("{text:#}")).unwrap();
        assert_eq!(run.head.comment.as_deref(), Some("memo"));
        let row = |index: usize| {
            (
                run.rows[index].name.as_str(),
                run.rows[index].failure.as_deref(),
            )
        };
        assert_eq!(
            [row(0), row(1)],
            [("0003", None), ("0004", Some("invalid"))]
        );
    }
}
