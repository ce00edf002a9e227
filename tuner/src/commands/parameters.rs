//! `tuner parameters`: lists the parameters that a fit may change.

use super::target::ParameterArgs;
use anyhow::Result;
use clap::Args;
use columns_bot::eval::weights::PARAMETERS;
use columns_cli::table::{format_table, left_cell};
use columns_cli::{json, output};
use columns_tuner::{bot_player::BotPlayer, search::axis::Axis};
use serde_json::{Map, Value, json};

/// Show the parameters that a fit may change: value in use, range, step and meaning
///
/// With --optuna, prints them as a search space for Optuna. A file of weights holds the values that
/// Optuna chooses: `optuna ask` gives them, and `judge run --bot 'bot --weights FILE' --json --shuffle` plays
/// them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner parameters
  tuner parameters --parameters potential,steps --optuna")]
pub(crate) struct Options {
    #[command(flatten)]
    table: ParameterArgs,
    /// Print the JSON that `optuna ask --search-space` takes
    #[arg(long)]
    optuna: bool,
}

impl Options {
    pub(crate) fn run(&self) -> Result<()> {
        let axes = self.table.axes(&BotPlayer::default())?;
        let row = |name: &str, numbers: [String; 4], meaning: &str| {
            let mut cells = vec![left_cell(name)];
            cells.extend(numbers.map(Into::into));
            cells.push(left_cell(meaning));
            cells
        };
        let listing = if self.optuna {
            let entries = axes.iter().map(distribution);
            json::to_pretty(&Value::Object(entries.collect::<Map<_, _>>()))?
        } else {
            let head = ["value", "min", "max", "step"].map(String::from);
            let rows = axes.iter().map(|axis| {
                let numbers = [axis.start, axis.min, axis.max, axis.step];
                let numbers = numbers.map(|number| number.to_string());
                row(&axis.name, numbers, meaning(&axis.name))
            });
            format_table(row("", head, "meaning"), rows)
        };
        output::print(&listing)
    }
}

/// Returns the text that explains the weight `name`; empty if there is no such weight.
fn meaning(name: &str) -> &'static str {
    let parameter = PARAMETERS.iter().find(|parameter| parameter.name == name);
    parameter.map_or("", |parameter| parameter.meaning.trim())
}

/// Returns the name of a parameter, and its distribution in Optuna's format. The step is null,
/// since Optuna would choose only multiples of a step.
fn distribution(axis: &Axis) -> (String, Value) {
    let range = json!({ "low": axis.min, "high": axis.max, "log": false, "step": null });
    let distribution = json!({ "name": "FloatDistribution", "attributes": range });
    (axis.name.clone(), distribution)
}
