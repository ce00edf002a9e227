//! `cargo xtask bench`: measures the bot's speed, and computes the fingerprint of its behaviour. Compares the
//! fingerprint with the recorded one, or records it.
//!
//! The fingerprint lists the nodes and points of a fixed set of games. A refactoring must not change any
//! of its numbers.

use crate::cases::{self, NamedCase};
use anyhow::{Result, anyhow, ensure};
use clap::Args;
use columns_bot::learned::networks;
use columns_bot::observe::meter::play_metered;
use columns_bot::search::{Machine, Player};
use columns_bot::{Weights, solve};
use columns_cli::options::integer_between;
use columns_cli::output::print;
use columns_cli::stderr::log;
use columns_cli::{file, input};
use columns_core::beam::{Budget, Clock};
use columns_core::simd::InstructionSet;
use columns_puzzles::samegame::random_board;
use columns_puzzles::samegame::solver::{self, Limit};
use columns_puzzles::samegame::{ScoredGame, Scoring};
use rayon::prelude::*;
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// The path of the recorded fingerprint, relative to the root of the workspace.
const FINGERPRINT_FILE: &str = "crates/workshop/bench.fingerprint";

/// Measure the bot's speed, and compare the fingerprint of its behaviour with the recorded one
///
/// Plays a fixed set of small cases of every kind, first with a fixed number of states, then with a
/// budget of work, which controls the width of the beam as a clock does. Then solves SameGame
/// boards of three sizes. The nodes and points of these games are the fingerprint. A refactoring
/// must not change it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask bench                      compare with the recorded fingerprint
  cargo xtask bench --check              ... and exit with status 1 if it differs
  cargo xtask bench --check --cpu portable
  cargo xtask bench --write              record the fingerprint after a change of behaviour")]
pub(crate) struct Options {
    /// Exit with status 1 if the fingerprint differs from the recorded one
    #[arg(long, conflicts_with = "write")]
    check: bool,

    /// Record the fingerprint instead of comparing it
    #[arg(long)]
    write: bool,

    /// Instructions to use: `detect`, the best of this processor, or `portable`; both give the same
    /// fingerprint
    #[arg(long, default_value = "detect", value_parser = InstructionSet::parse)]
    cpu: InstructionSet,

    /// Number of states to build for each case
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    #[arg(value_parser = integer_between(1, u64::MAX))]
    nodes: u64,
}

struct MeasuredGame {
    name: String,
    nodes: u64,
    points: u64,
    seconds: f64,
}

/// Side lengths of the SameGame boards: one for each board layout of the solver.
const BOARD_SIDES: [usize; 3] = [15, 30, 60];
const BOARD_COLOURS: usize = 5;
/// Budget of work per node, in seconds: about the cost of a node.
const WORK_SECONDS_PER_NODE: f64 = 1e-6;

impl MeasuredGame {
    /// Plays a game with `play` and measures the time. `play` receives a clock, and returns the number of
    /// nodes and the points.
    fn measure(name: String, play: impl FnOnce(Clock) -> (u64, u64)) -> Self {
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

fn play((name, case): &NamedCase, nodes: u64, cpu: InstructionSet) -> MeasuredGame {
    MeasuredGame::measure(name.clone(), |clock| {
        let machine = Machine::new(cpu, 1);
        let solution = solve(
            case,
            &Weights::default(),
            Budget::Nodes(nodes),
            clock,
            machine,
        );
        (solution.search.costs.nodes, solution.points)
    })
}

/// Plays a case with a budget of work for about `nodes` nodes.
fn play_with_work((name, case): &NamedCase, nodes: u64, cpu: InstructionSet) -> MeasuredGame {
    MeasuredGame::measure(format!("{name}-work"), |_| {
        let player = Player {
            weights: &Weights::default(),
            networks: networks::built_in_networks(),
        };
        let solution = play_metered(case, player, nodes as f64 * WORK_SECONDS_PER_NODE, cpu);
        (solution.search.costs.nodes, solution.points)
    })
}

/// Solves a SameGame board. The solver always detects the instruction set itself.
fn play_samegame(side: usize, nodes: u64) -> MeasuredGame {
    MeasuredGame::measure(format!("samegame{side}x{side}"), |clock| {
        let board = random_board(1, side, side, BOARD_COLOURS);
        let options = solver::Options {
            limit: Limit::Nodes(nodes),
            ..solver::Options::new(Scoring::TOPCODER)
        };
        let solution = solver::solve(&board, &options, clock);
        let mut scored_game = ScoredGame::new(board, options.scoring);
        for &cell in &solution.moves {
            scored_game.remove_group(cell);
        }
        (solution.nodes, scored_game.score() as u64)
    })
}

/// Returns the first line of the fingerprint file. `nodes` is the number of nodes for each case.
fn header(nodes: u64) -> String {
    format!("# What the bot does with {nodes} nodes a case: case, nodes, points.")
}

/// Returns the text of the fingerprint file: a line for each game in `played`, their total, then a line for
/// each game in `others`.
fn format_fingerprint(played: &[MeasuredGame], others: &[MeasuredGame], nodes: u64) -> String {
    let mut text = header(nodes) + "\n# Written by `cargo xtask bench --write`.\n";
    let total = MeasuredGame {
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

/// Returns the lines of the recorded fingerprint that the current one does not have, each after a minus, and
/// the lines of the current one that the recorded one does not have, each after a plus.
fn differences(recorded: &str, current: &str) -> String {
    let mut text = String::new();
    for (sign, own, other) in [('-', recorded, current), ('+', current, recorded)] {
        let other: Vec<&str> = other.lines().collect();
        for line in own.lines().filter(|line| !other.contains(line)) {
            let _ = writeln!(text, "{sign} {line}");
        }
    }
    text
}

/// Reads the recorded fingerprint. With `--write`, the file may be missing, but must not have been
/// recorded with another number of nodes.
fn read_recorded(file: &Path, options: &Options) -> Result<String> {
    let recorded = input::read(file, input::MAX_FILE_BYTES);
    if !options.write {
        return recorded.map_err(|error| anyhow!("{error:#}; --write creates it"));
    }
    file::check_outputs([file], [""; 0])?;
    let recorded = recorded.unwrap_or_default();
    ensure!(
        recorded.is_empty() || recorded.starts_with(&header(options.nodes)),
        "{}: expected the header of a fingerprint of {} nodes: remove the file first",
        file.display(),
        options.nodes
    );
    Ok(recorded)
}

pub(crate) fn run(options: &Options, workspace: &Path) -> Result<ExitCode> {
    let file = workspace.join(FINGERPRINT_FILE);
    let recorded = read_recorded(&file, options)?;
    let start = Instant::now();
    let list = cases::cases_of_all_kinds();
    let played: Vec<MeasuredGame> = list
        .par_iter()
        .map(|case| play(case, options.nodes, options.cpu))
        .collect();
    let wall = start.elapsed().as_secs_f64();
    let mut others: Vec<MeasuredGame> = list
        .par_iter()
        .map(|case| play_with_work(case, options.nodes, options.cpu))
        .collect();
    let boards = BOARD_SIDES.par_iter();
    others.par_extend(boards.map(|&side| play_samegame(side, options.nodes)));
    let nodes: u64 = played.iter().map(|case| case.nodes).sum();
    let points: u64 = played.iter().map(|case| case.points).sum();
    let busy: f64 = played.iter().map(|case| case.seconds).sum();
    let mut report = format!("nodes   {nodes}\npoints  {points}\n");
    let _ = writeln!(
        report,
        "speed   {:.0} nodes per second and thread, {:?} path, {wall:.1} s on {} threads",
        nodes as f64 / busy,
        options.cpu,
        rayon::current_num_threads()
    );
    let current = format_fingerprint(&played, &others, options.nodes);
    if options.write {
        file::write(&file, current.as_bytes())?;
        let _ = writeln!(report, "recorded in {}", file.display());
        print(&report)?;
        return Ok(ExitCode::SUCCESS);
    }
    let differences = differences(&recorded, &current);
    if differences.is_empty() {
        print(&(report + "The fingerprint is the recorded one.\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    print(&report)?;
    log(&format!(
        "xtask: the fingerprint differs from the recorded one:\n{}",
        differences.trim_end()
    ));
    Ok(ExitCode::from(u8::from(options.check)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_listed_by_case() {
        let played = |points| MeasuredGame {
            name: "6x13c4".to_string(),
            nodes: 100,
            points,
            seconds: 1.0,
        };
        let (old, new) = (
            format_fingerprint(&[played(47)], &[], 100),
            format_fingerprint(&[played(94)], &[], 100),
        );
        assert!(old.ends_with("\n6x13c4 100 47\ntotal 100 47\n"), "{old}");
        assert_eq!(differences(&old, &old), "");
        assert_eq!(
            differences(&old, &new),
            "- 6x13c4 100 47\n- total 100 47\n+ 6x13c4 100 94\n+ total 100 94\n"
        );
    }
}
