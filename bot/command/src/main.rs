//! The bot as a command. Without options, it plays as the contest requires.

use anyhow::{Context, Result};
use clap::Parser;
use columns_bot::learned::features;
use columns_bot::learned::networks::{self, Networks};
use columns_bot::observe::meter::play_metered;
use columns_bot::search::{Machine, Player, play};
use columns_bot::{Solution, Weights, submission};
use columns_bot_command::weights_file;
use columns_cli::options::{self, integer_between, number_between};
use columns_cli::output::print;
use columns_cli::stderr::log;
use columns_cli::{command, input};
use columns_core::beam::Budget;
use columns_core::rules::case::Case;
use columns_core::rules::quickstart::play_quickstart;
use columns_core::rules::replay;
use columns_core::simd::InstructionSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Play the Columns Game: read a case from standard input, write a plan to standard output
#[derive(Parser)]
#[command(
    name = "bot",
    after_help = "\
Examples:
  bot < in/0001.txt > out/0001.txt                  as in the contest, within 4 s
  bot --work 500 --stats < in/0001.txt              the same plan on every machine
  bot --threads 0 < in/0001.txt                     a wider search, on all cores
  bot --network network.txt < in/0001.txt           a learned evaluation, under the clock
  bot --quickstart < in/0001.txt                    the statement's sample solution"
)]
#[allow(clippy::struct_excessive_bools)] // each is a flag
struct Options {
    /// End the search this many seconds after the start of `main` [default: 3.8]
    #[arg(long, value_name = "SECONDS", group = "budget",
        value_parser = number_between("seconds", 0.0, 86_400.0))]
    time_limit: Option<f64>,

    /// Build this many states, no matter how long that takes
    #[arg(long, value_name = "N", value_parser = integer_between(1, u64::MAX), group = "budget")]
    nodes: Option<u64>,

    /// Do as much work as a reference machine does in MS milliseconds: the plan is the same on
    /// every machine, and only the time depends on the machine
    #[arg(long, value_name = "MS", value_parser = options::parse_work_ms, group = "budget")]
    work: Option<f64>,

    /// Keep this many states of each layer, no matter how long that takes
    #[arg(long, value_name = "N", group = "budget",
        value_parser = integer_between(1, 100_000_u32))]
    beam_width: Option<u32>,

    /// Use the weights of this JSON file instead of the built-in weights
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// Use the learned evaluation of this file, for any number of colours: a file written by `tuner
    /// learn` or `tuner fit --network`, or `none` [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,

    /// Print the built-in weights as JSON, and nothing else
    #[arg(long, exclusive = true)]
    print_weights: bool,

    /// Print the features that the learned evaluation uses, and nothing else
    #[arg(long, exclusive = true)]
    print_features: bool,

    /// Play like the statement's sample solution: on the lowest stack, leftmost on a tie, without
    /// shifts
    #[arg(long, conflicts_with_all = ["budget", "weights", "network", "cpu", "stats"])]
    quickstart: bool,

    /// Use this instruction set: `detect`, the fastest that this processor has, or `portable`; the plan does
    /// not depend on it [default: detect]
    #[arg(long, value_parser = InstructionSet::parse)]
    cpu: Option<InstructionSet>,

    /// Search with this many threads, but no more than there are cores; 0 for one per core. With
    /// `--nodes` or `--beam-width`, the plan does not depend on it [default: 1]
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true, conflicts_with = "work",
        value_parser = integer_between(0, usize::MAX))]
    threads: usize,

    /// Print a line of JSON about the search on standard error
    #[arg(long)]
    stats: bool,
}

fn main() -> ExitCode {
    let start = Instant::now();
    command::main("bot", |options| run(&options, start))
}

fn run(options: &Options, start: Instant) -> Result<ExitCode> {
    if options.print_weights {
        print(&weights_file::format(&Weights::default()))?;
        return Ok(ExitCode::SUCCESS);
    }
    if options.print_features {
        for (name, count, what) in features::FEATURE_DESCRIPTIONS {
            print(&format!("{name:14} {count:2} {what}\n"))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let weights = read_weights(options.weights.as_deref())?;
    let file = options.network.as_deref().map(input::read_network);
    let file = file.transpose()?;
    let player = Player {
        weights: &weights,
        networks: match &file {
            Some(network) => network.as_deref().map(Networks::new),
            None => Some(networks::built_in_networks().context(
                "the network in bot/src/learned/any.txt does not fit the features: \
                 write a new one with tuner export",
            )?),
        },
    };
    let case = input::read_case(Path::new("-"))?;
    let clock = || start.elapsed().as_secs_f64();
    if options.quickstart {
        print(&play_quickstart(&case).to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    let machine = Machine::new(
        options.cpu.unwrap_or_else(InstructionSet::detect),
        options.threads,
    );
    let solution = match options.work {
        Some(work) => play_metered(&case, player, work / 1e3, machine.cpu),
        None => play(&case, player, budget(options), &clock, machine),
    };
    print(&solution.plan.to_string())?;
    if options.stats {
        log(&stats(&case, &solution, machine, clock()).to_string());
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads the weights from a file. Without a file, returns the built-in ones.
fn read_weights(file: Option<&Path>) -> Result<Weights> {
    let Some(path) = file else {
        return Ok(Weights::default());
    };
    let text = input::read(path, input::MAX_FILE_BYTES)?;
    weights_file::parse(&text).with_context(|| input::name(path))
}

/// Returns the budget that the options set. With `--work`, [`play_metered`] sets the budget instead.
fn budget(options: &Options) -> Budget {
    match (options.nodes, options.beam_width) {
        (Some(nodes), _) => Budget::Nodes(nodes),
        (_, Some(width)) => Budget::Width(width as usize),
        _ => Budget::Deadline(options.time_limit.unwrap_or(submission::TIME_LIMIT_S)),
    }
}

/// Returns the line of JSON that `--stats` prints about a search.
fn stats(case: &Case, solution: &Solution, machine: Machine, wall: f64) -> serde_json::Value {
    let search = &solution.search;
    serde_json::json!({
        "points": solution.points,
        "points_per_column": solution.points as f64 / case.columns().len() as f64,
        "columns": case.columns().len(),
        "depth": search.depth,
        "longest_chain": replay::score(case, &solution.plan).longest_chain,
        "mean_beam_width": search.survivors as f64 / search.layers_searched.max(1) as f64,
        "nodes": search.costs.nodes,
        "children": search.costs.listed_children,
        "cpu": format!("{:?}", machine.cpu).to_lowercase(),
        "threads": machine.threads,
        "wall_s": wall,
    })
}
