//! `tuner space`: the parameters that a fit may change.

use super::searching::Table;
use anyhow::Result;
use clap::Args;
use columns_cli::{json, output, table::aligned};
use columns_tuner::{player::Player, search::space::Axis};
use serde_json::{json, Map, Value};
use std::process::ExitCode;

/// Show the parameters that a fit may change: value in use, range and step
///
/// With --optuna they are a search space of Optuna. What it chooses is a file of weights:
/// `optuna ask` gives the values, and `tuner eval --weights FILE --json --shuffle` plays them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner space
  tuner space --parameters potential,steps --optuna")]
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
        let text = if self.optuna {
            let entries = axes.iter().map(distribution);
            json::pretty(&Value::Object(entries.collect::<Map<_, _>>()))?
        } else {
            let row = |axis: &Axis| {
                let numbers = [axis.start, axis.lowest, axis.highest, axis.step];
                let [start, lowest, highest, step] = numbers.map(|number| number.to_string());
                [axis.name.clone(), start, lowest, highest, step]
            };
            let head = ["", "value", "lowest", "highest", "step"];
            aligned(head, axes.iter().map(row))
        };
        output::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A parameter as Optuna has it. It knows no step that is only a hint; so its values are
/// continuous.
fn distribution(axis: &Axis) -> (String, Value) {
    let range = json!({ "low": axis.lowest, "high": axis.highest, "log": false, "step": null });
    let distribution = json!({ "name": "FloatDistribution", "attributes": range });
    (axis.name.clone(), distribution)
}
