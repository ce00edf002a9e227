//! The fingerprint of the bot's behaviour, and its speed. A change that should not change the
//! behaviour must leave every number of the fingerprint as it is.

use crate::cases::{self, Named};
use anyhow::{anyhow, Result};
use clap::Args;
use columns_bot::learned::networks;
use columns_bot::observe::meter::play_metered;
use columns_bot::search::Player;
use columns_bot::{solve, Weights};
use columns_cli::mistake::tell;
use columns_cli::output::print;
use columns_cli::paths::{Format, Paths};
use columns_cli::{file, input};
use columns_core::beam::{Budget, Clock};
use columns_core::puzzles::samegame::solver::{self, Limit};
use columns_core::puzzles::samegame::{Scoring, Tally};
use columns_core::simd::Cpu;
use columns_generator::samegame::random_board;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// The fingerprint that is kept, in the root of the workspace.
const FILE: &str = "bench.fingerprint";
/// Most bytes of it that are read.
const LIMIT: u64 = 1 << 20;

/// Print the fingerprint of the bot's behaviour, and its speed
///
/// A fixed set of small cases of every kind is played with a fixed number of states, then within a
/// budget of work, which is steered as by a clock. Boards of SameGame of three sizes follow.
/// A change that should not change the behaviour must not change the fingerprint.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask bench                      the numbers, and whether they are the recorded ones
  cargo xtask bench --check              status 1 if they are not
  cargo xtask bench --check --cpu portable
  cargo xtask bench --write              record them, after a change of behaviour")]
pub(crate) struct Options {
    /// End with status 1 if the fingerprint is not the recorded one
    #[arg(long, conflicts_with = "write")]
    check: bool,

    /// Record the fingerprint
    #[arg(long)]
    write: bool,

    /// Which instructions to use, detect or portable; the fingerprint does not depend on it
    #[arg(long, default_value = "detect", value_parser = Cpu::parse)]
    cpu: Cpu,

    /// How many states to build for each case
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Where the recorded fingerprint is [default: bench.fingerprint of the workspace]
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

/// The result of a case.
struct Played {
    name: String,
    nodes: u64,
    points: u64,
    seconds: f64,
}

/// The sides of the boards of SameGame: one for each size that its solver tells apart.
const SIDES: [usize; 3] = [15, 30, 60];
/// Their colours.
const COLOURS: usize = 5;
/// Seconds of work for each node: about what it takes.
const WORK: f64 = 1e-6;

impl Played {
    /// Plays by `play`, which is given a clock and returns how many states it built, and the points.
    fn new(name: String, play: impl FnOnce(Clock) -> (u64, u64)) -> Self {
        let start = Instant::now();
        let clock = || start.elapsed().as_secs_f64();
        let (nodes, points) = play(&clock);
        Self {
            name,
            nodes,
            points,
            seconds: clock(),
        }
    }
}

fn play((name, case): &Named, nodes: u64, cpu: Cpu) -> Played {
    Played::new(name.clone(), |clock| {
        let solution = solve(case, &Weights::default(), Budget::Nodes(nodes), clock, cpu);
        (solution.found.nodes, solution.points)
    })
}

/// Plays within the work of about as many nodes.
fn play_work((name, case): &Named, nodes: u64, cpu: Cpu) -> Played {
    Played::new(format!("{name}-work"), |_| {
        let player = Player {
            weights: &Weights::default(),
            network: networks::in_use(),
        };
        let solution = play_metered(case, player, nodes as f64 * WORK, cpu);
        (solution.found.nodes, solution.points)
    })
}

/// Plays a board of SameGame. The solver picks its instructions itself.
fn play_samegame(side: usize, nodes: u64) -> Played {
    Played::new(format!("samegame{side}x{side}"), |clock| {
        let board = random_board(1, side, side, COLOURS);
        let options = solver::Options {
            limit: Limit::Nodes(nodes),
            ..solver::Options::new(Scoring::TOPCODER)
        };
        let solution = solver::solve(&board, &options, clock)
            .expect("the sides are within the solver's limit");
        let mut tally = Tally::new(board, options.scoring);
        for &cell in &solution.moves {
            tally.remove(cell);
        }
        (solution.nodes, tally.score() as u64)
    })
}

/// The text of the file: a line for each case and the totals, then lines for `others`.
fn fingerprint(played: &[Played], others: &[Played], nodes: u64) -> String {
    let mut text = format!(
        "# What the bot does with {nodes} nodes a case: case, nodes, points.\n\
         # Written by `cargo xtask bench --write`.\n"
    );
    let total = Played {
        name: "total".to_string(),
        nodes: played.iter().map(|case| case.nodes).sum(),
        points: played.iter().map(|case| case.points).sum(),
        seconds: 0.0,
    };
    for case in played.iter().chain([&total]).chain(others) {
        let _ = writeln!(text, "{} {} {}", case.name, case.nodes, case.points);
    }
    text
}

/// The names in a fingerprint, each with its numbers.
fn numbers(fingerprint: &str) -> BTreeMap<&str, &str> {
    let lines = fingerprint.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(' ')).collect()
}

/// The lines in which two fingerprints differ, by name.
fn differences(recorded: &str, found: &str) -> String {
    let (recorded, found) = (numbers(recorded), numbers(found));
    let names: BTreeSet<&str> = recorded.keys().chain(found.keys()).copied().collect();
    let mut text = String::new();
    for name in names {
        let both = [&recorded, &found].map(|of| of.get(name).copied().unwrap_or("nothing"));
        if both[0] != both[1] {
            let _ = writeln!(text, "  {name}: recorded {}, found {}", both[0], both[1]);
        }
    }
    text
}

pub(crate) fn run(options: &Options, workspace: &Path) -> Result<ExitCode> {
    let file = options.file.clone().unwrap_or_else(|| workspace.join(FILE));
    let recorded = if options.write {
        let format = Format::Text("Written by `cargo xtask bench --write`");
        Paths::default().written(format, [&file]).check()?;
        String::new()
    } else {
        input::read(&file, LIMIT).map_err(|error| anyhow!("{error:#}; --write makes it"))?
    };
    let start = Instant::now();
    let list = cases::all_kinds();
    let played: Vec<Played> = list
        .par_iter()
        .map(|case| play(case, options.nodes, options.cpu))
        .collect();
    let wall = start.elapsed().as_secs_f64();
    let mut others: Vec<Played> = list
        .par_iter()
        .map(|case| play_work(case, options.nodes, options.cpu))
        .collect();
    let boards = SIDES.par_iter();
    others.par_extend(boards.map(|&side| play_samegame(side, options.nodes)));
    let nodes: u64 = played.iter().map(|case| case.nodes).sum();
    let points: u64 = played.iter().map(|case| case.points).sum();
    let busy: f64 = played.iter().map(|case| case.seconds).sum();
    let mut told = format!("nodes   {nodes}\npoints  {points}\n");
    let _ = writeln!(
        told,
        "speed   {:.0} nodes a second and thread, {:?} path, {wall:.1} s on {} threads",
        nodes as f64 / busy,
        options.cpu,
        rayon::current_num_threads()
    );
    let found = fingerprint(&played, &others, options.nodes);
    if options.write {
        file::write(&file, found.as_bytes())?;
        let _ = writeln!(told, "recorded in {}", file.display());
        print(&told)?;
        return Ok(ExitCode::SUCCESS);
    }
    let differences = differences(&recorded, &found);
    if differences.is_empty() {
        told += "These are the recorded numbers.\n";
        print(&told)?;
        return Ok(ExitCode::SUCCESS);
    }
    print(&told)?;
    tell(&format!(
        "xtask: the fingerprint is not the recorded one (nodes, points):\n{differences}"
    ));
    Ok(ExitCode::from(u8::from(options.check)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_named_by_case() {
        let played = |points| Played {
            name: "6x13c4".to_string(),
            nodes: 100,
            points,
            seconds: 1.0,
        };
        let (old, new) = (
            fingerprint(&[played(47)], &[], 100),
            fingerprint(&[played(94)], &[], 100),
        );
        assert!(old.ends_with("\n6x13c4 100 47\ntotal 100 47\n"), "{old}");
        assert_eq!(differences(&old, &old), "");
        assert_eq!(
            differences(&old, &new),
            "  6x13c4: recorded 100 47, found 100 94\n  total: recorded 100 47, found 100 94\n"
        );
        assert_eq!(
            differences("a 1 2\n", "b 1 2\n"),
            "  a: recorded 1 2, found nothing\n  b: recorded nothing, found 1 2\n"
        );
    }
}
