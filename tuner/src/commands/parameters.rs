//! `tuner parameters`: the parameters that a fit may change.

use super::target::Table;
use anyhow::Result;
use clap::Args;
use columns_cli::table::{aligned, text};
use columns_cli::{json, output};
use columns_tuner::{player::Player, search::axis::Axis};
use serde_json::{json, Map, Value};
use std::process::ExitCode;

/// The source that says what each weight means.
const SOURCE: &str = include_str!("../../../bot/src/eval/weights.rs");

/// Show the parameters that a fit may change: value in use, range, step and meaning
///
/// With --optuna they are a search space of Optuna. What it chooses is a file of weights: `optuna ask`
/// gives the values, and `tuner eval --weights FILE --json --shuffle` plays them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner parameters
  tuner parameters --parameters potential,steps --optuna")]
pub(crate) struct Options {
    #[command(flatten)]
    table: Table,
    /// As the JSON that `optuna ask --search-space` takes
    #[arg(long)]
    optuna: bool,
}

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let axes = self.table.axes(&Player::default())?;
        let shown = if self.optuna {
            let entries = axes.iter().map(distribution);
            json::pretty(&Value::Object(entries.collect::<Map<_, _>>()))?
        } else {
            let row = |axis: &Axis| {
                let numbers = [axis.start, axis.lowest, axis.highest, axis.step];
                let [start, lowest, highest, step] = numbers.map(|number| number.to_string());
                let (name, meaning) = (text(&axis.name), text(&meaning(&axis.name)));
                [
                    name,
                    start.into(),
                    lowest.into(),
                    highest.into(),
                    step.into(),
                    meaning,
                ]
            };
            let [value, lowest, highest, step] = ["value", "lowest", "highest", "step"];
            let head = [
                text(""),
                value.into(),
                lowest.into(),
                highest.into(),
                step.into(),
            ];
            let head = head.into_iter().chain([text("meaning")]);
            aligned(head.collect::<Vec<_>>(), axes.iter().map(row))
        };
        output::print(&shown)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// What a weight means: the first sentence of the comment above its field.
fn meaning(name: &str) -> String {
    let (before, _) = SOURCE
        .split_once(&format!("    pub {name}: f64"))
        .unwrap_or_default();
    let lines = before
        .lines()
        .rev()
        .map_while(|line| line.trim().strip_prefix("///"));
    let mut lines: Vec<&str> = lines.map(str::trim).collect();
    lines.reverse();
    lines.join(" ")
}

/// A parameter as Optuna has it. It knows no step that is only a hint; so its values are
/// continuous.
fn distribution(axis: &Axis) -> (String, Value) {
    let range = json!({ "low": axis.lowest, "high": axis.highest, "log": false, "step": null });
    let distribution = json!({ "name": "FloatDistribution", "attributes": range });
    (axis.name.clone(), distribution)
}
