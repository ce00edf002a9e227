//! `tuner parameters`: lists the parameters that a fit may change.

use super::target::ParameterArgs;
use anyhow::Result;
use clap::Args;
use columns_bot::eval::weights::PARAMETERS;
use columns_cli::output;
use columns_cli::table::{format_table, left_cell};
use columns_tuner::bot_player::BotPlayer;

/// Show the parameters that a fit may change: value in use, range, step and meaning
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner parameters
  tuner parameters --parameters potential,steps")]
pub(crate) struct Options {
    #[command(flatten)]
    parameters: ParameterArgs,
}

impl Options {
    pub(crate) fn run(&self) -> Result<()> {
        let axes = self.parameters.axes(&BotPlayer::default())?;
        let row = |name: &str, numbers: [String; 4], meaning: &str| {
            let mut cells = vec![left_cell(name)];
            cells.extend(numbers.map(Into::into));
            cells.push(left_cell(meaning));
            cells
        };
        let head = ["value", "min", "max", "step"].map(String::from);
        let rows = axes.iter().map(|axis| {
            let numbers = [axis.start, axis.min, axis.max, axis.step];
            let numbers = numbers.map(|number| number.to_string());
            row(&axis.name, numbers, meaning(&axis.name))
        });
        output::print(&format_table(row("", head, "meaning"), rows))
    }
}

/// Returns the text that explains the weight `name`; empty if there is no such weight.
fn meaning(name: &str) -> &'static str {
    let parameter = PARAMETERS.iter().find(|parameter| parameter.name == name);
    parameter.map_or("", |parameter| parameter.meaning.trim())
}
