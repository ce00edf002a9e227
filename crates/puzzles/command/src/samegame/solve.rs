//! `solve`: searches for good games on many boards.

use super::best::BestGames;
use super::solution::{self, Solutions, SolvedBoard};
use super::text::{points_text, read_boards};
use crate::io::PuzzleArgs;
use anyhow::{Context, Result};
use columns_cli::options::{integer_between, number_between, parse_jobs};
use columns_cli::pool::Pool;
use columns_cli::stderr::log;
use columns_cli::{file, input, json, progress, table::format_table};
use columns_puzzles::samegame::solver::{self, Limit, MAX_SIDE, Options};
use columns_puzzles::samegame::{Board, Cell, ScoredGame, Scoring};
use rayon::prelude::*;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Find games with high scores
///
/// Reads boards as rows from the top: letters or digits, and . or - for an empty cell. Spaces between
/// them are optional. A blank line or a comment line separates boards. Prints a line of moves for each
/// board on standard output, and a table of the scores on standard error. `check` replays the moves.
///
/// Each core searches a board of its own. With at least twice as many cores as boards, several searches
/// with different seeds work on each board, and the best game is kept.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  puzzles samegame solve --scoring js-games --time-limit 30 --jobs 1 boards.txt > games.txt
  puzzles samegame solve --scoring js-games --time-limit 60 --resume best.txt boards.txt
  puzzles samegame solve --scoring quadratic:1,-2,1,500 --nodes 1000000 boards.txt")]
pub(crate) struct Solve {
    #[command(flatten)]
    args: PuzzleArgs,

    #[arg(long, value_name = "SCORING", default_value = "topcoder", help = super::text::SCORING_HELP)]
    scoring: Scoring,

    /// Search each board for this many seconds [default: 5]
    #[arg(long, value_name = "SECONDS", conflicts_with = "nodes",
        value_parser = number_between("seconds", 0.0, 86_400.0))]
    time_limit: Option<f64>,

    /// Stop each search after building about this many positions, instead of after a time limit. For the
    /// same number of --jobs, the games are then the same on every machine
    #[arg(long, value_name = "N", value_parser = integer_between(1, 1_000_000_000_000_u64))]
    nodes: Option<u64>,

    /// Seed of the random noise in the searches
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer_between(0, u64::MAX))]
    seed: u64,

    /// Number of parallel searches [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = parse_jobs)]
    jobs: Option<NonZeroUsize>,

    /// Write the games to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Keep the best known game of each board in this file, and update it after each search. The command
    /// prints these games, even if an earlier run found them. Every run draws new noise, and tries to improve
    /// the known games
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
}

impl Solve {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let file = self.args.path();
        let boards = read_boards(file)?;
        for (number, board) in (1..).zip(&boards) {
            anyhow::ensure!(
                board.width().max(board.height()) <= MAX_SIDE,
                "{}: board {number}: expected at most {MAX_SIDE} × {MAX_SIDE}, found {} × {}",
                input::name(file),
                board.width(),
                board.height()
            );
        }
        self.check_paths()?;
        let best = self.resume.as_deref().map(BestGames::open).transpose()?;
        let threads = Pool::new(self.jobs).jobs();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .context("cannot start the threads")?;
        let start = Instant::now();
        let games = pool.install(|| self.solve_all(&boards, threads, best.as_ref()));
        let solutions = Solutions {
            scoring: self.scoring.to_string(),
            total: games.iter().map(|game| game.score).sum(),
            boards: games,
        };
        let mut text = solution::format_games(&solutions.boards, self.scoring);
        // If a file cannot be written, the games are printed, so that the work is not lost.
        let written = match &self.out {
            Some(path) => file::write(path, text.as_bytes()).map(|()| text.clear()),
            None => Ok(()),
        };
        self.args.json.print(|| json::to_line(&solutions), &text)?;
        if !self.args.json.is_set() {
            let table = table(&solutions, start.elapsed());
            log(table.trim_end_matches('\n'));
        }
        best.map_or(Ok(()), BestGames::close).and(written)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Checks that each output file can be written and is used only once. [`BestGames::open`] checks the
    /// contents of the `--resume` file.
    fn check_paths(&self) -> Result<()> {
        file::check_outputs(self.resume.iter().chain(&self.out), [self.args.path()])
    }

    /// Runs all searches in parallel, and returns the best game of each board.
    fn solve_all(
        &self,
        boards: &[Board],
        threads: usize,
        best: Option<&BestGames>,
    ) -> Vec<SolvedBoard> {
        let searches = (threads / boards.len()).max(1);
        let tasks: Vec<(usize, u64)> = (0..boards.len())
            .flat_map(|board| (0..searches as u64).map(move |search| (board, search)))
            .collect();
        // The seed includes the number of earlier searches on the board, so that every run draws new noise.
        let runs = |board| best.map_or(0, |best| best.search_count(board, self.scoring));
        let seeds: Vec<u64> = (boards.iter())
            .map(|board| self.seed.wrapping_add(runs(board)))
            .collect();
        let bar = progress::new_bar(
            tasks.len() as u64,
            "{bar:40} {pos}/{len} searches, {elapsed} of about {duration}",
        );
        let games = tasks
            .par_iter()
            .with_max_len(1)
            .map(|&(index, search)| {
                let board = &boards[index];
                let known_moves =
                    best.map_or(Vec::new(), |best| best.best_moves(board, self.scoring));
                let seed = seeds[index].wrapping_add(search);
                let game = self.solve_one(index, board, &known_moves, seed);
                bar.inc(1);
                match best {
                    Some(best) => best.add_game(board, self.scoring, &game),
                    None => game,
                }
            })
            .collect::<Vec<SolvedBoard>>();
        bar.finish_and_clear();
        games
            .chunks(searches)
            .filter_map(|games| {
                let best = games
                    .iter()
                    .rev()
                    .max_by(|a, b| a.score.total_cmp(&b.score))?;
                Some(SolvedBoard {
                    nodes: games.iter().map(|game| game.nodes).sum(),
                    children: games.iter().map(|game| game.children).sum(),
                    wall_s: games.iter().map(|game| game.wall_s).fold(0.0, f64::max),
                    known_score: games
                        .iter()
                        .map(|game| game.known_score)
                        .reduce(|a, b| Some(a?.min(b?)))?,
                    ..best.clone()
                })
            })
            .collect()
    }

    /// Runs one search on a board. The result scores at least as much as `known`.
    fn solve_one(&self, index: usize, board: &Board, known: &[Cell], seed: u64) -> SolvedBoard {
        let start = Instant::now();
        let options = Options {
            scoring: self.scoring,
            limit: match self.nodes {
                Some(nodes) => Limit::Nodes(nodes),
                None => Limit::Seconds(self.time_limit.unwrap_or(5.0)),
            },
            seed,
        };
        let clock = || start.elapsed().as_secs_f64();
        let solution = solver::improve(board, known, &options, &clock);
        // Replay the game by the rules, so that the score does not depend on the solver.
        let mut scored_game = ScoredGame::new(board.clone(), self.scoring);
        for &cell in &solution.moves {
            assert!(
                scored_game.remove_group(cell) > 0,
                "the solver plays by the rules"
            );
        }
        SolvedBoard {
            board: index + 1,
            score: scored_game.score(),
            tiles_left: scored_game.board().tile_count(),
            moves: solution.moves.iter().map(|c| (c.column, c.row)).collect(),
            nodes: solution.nodes,
            children: solution.children,
            wall_s: start.elapsed().as_secs_f64(),
            optimal: solution.is_optimal,
            known_score: None,
        }
    }
}

/// Formats a table with a row for each game and a row of totals. The column `before` has the scores that were
/// known before this run. It is left out if there were none.
fn table(solutions: &Solutions, elapsed: Duration) -> String {
    let games = &solutions.boards;
    let header = "board|moves|tiles left|score|before|positions|seconds|";
    let mut rows = vec![header.split('|').map(String::from).collect()];
    rows.extend(games.iter().map(|game| {
        vec![
            game.board.to_string(),
            game.moves.len().to_string(),
            game.tiles_left.to_string(),
            points_text(game.score),
            game.known_score.map(points_text).unwrap_or_default(),
            game.nodes.to_string(),
            format!("{:.1}", game.wall_s),
            if game.optimal { "optimal" } else { "" }.to_string(),
        ]
    }));
    rows.push(vec![
        "total".to_string(),
        String::new(),
        format!(
            "{} cleared",
            games.iter().filter(|g| g.tiles_left == 0).count()
        ),
        points_text(solutions.total),
        points_text(games.iter().filter_map(|game| game.known_score).sum()),
        games.iter().map(|game| game.nodes).sum::<u64>().to_string(),
        format!("{:.1}", elapsed.as_secs_f64()),
        String::new(),
    ]);
    if games.iter().all(|game| game.known_score.is_none()) {
        for row in &mut rows {
            row.remove(4);
        }
    }
    format_table(rows.remove(0), rows)
}
