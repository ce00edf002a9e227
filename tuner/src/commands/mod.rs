//! The subcommands, one per file, and their shared parts.

pub(crate) mod compare;
pub(crate) mod export;
pub(crate) mod fit;
pub(crate) mod learn;
pub(crate) mod measure;
pub(crate) mod named_bot;
pub(crate) mod parameters;
pub(crate) mod play_args;
pub(crate) mod progress;
pub(crate) mod sample;
pub(crate) mod search_args;
pub(crate) mod selfplay;
pub(crate) mod target;
pub(crate) mod worker;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use columns_cli::options::number_between;
use columns_stats::Objective;

/// Returns the parser of `--objective`, whose values are `log` and `sum`.
pub(crate) fn objective_parser() -> impl TypedValueParser<Value = Objective> {
    PossibleValuesParser::new(["log", "sum"]).map(|name| match name.as_str() {
        "sum" => Objective::Sum,
        _ => Objective::Log,
    })
}
