//! Parses inputs of all puzzles, and compares the SameGame solver with an exhaustive search on small
//! boards.

#![no_main]

use columns_puzzles::samegame::notation::parse_boards;
use columns_puzzles::samegame::solver::{self, Limit, MAX_SIDE, Options};
use columns_puzzles::samegame::topcoder::Puzzle;
use columns_puzzles::samegame::{Board, Scoring, ScoredGame};
use columns_puzzles::{inc, maya};
use libfuzzer_sys::fuzz_target;
use std::collections::HashMap;

/// Returns the best score that any continuation of a game can reach. `cache` holds the scores of positions
/// already searched.
fn best_score(scored_game: &ScoredGame, cache: &mut HashMap<String, f64>) -> f64 {
    let key = format!("{:?} {}", scored_game.board(), scored_game.points());
    if let Some(&best) = cache.get(&key) {
        return best;
    }
    let mut best = scored_game.score();
    for (cell, _) in scored_game.board().groups() {
        let mut next = scored_game.clone();
        next.remove_group(cell);
        best = best.max(best_score(&next, cache));
    }
    cache.insert(key, best);
    best
}

/// Solves a board. Asserts that the solution is legal, and that it is optimal if the solver says it is.
fn check_solution(board: &Board, scoring: Scoring) {
    let options = Options {
        limit: Limit::Nodes(100_000),
        ..Options::new(scoring)
    };
    let solution = solver::solve(board, &options, &|| 0.0);
    let mut scored_game = ScoredGame::new(board.clone(), scoring);
    for &cell in &solution.moves {
        assert!(scored_game.board().is_valid_move(cell));
        scored_game.remove_group(cell);
    }
    let start = ScoredGame::new(board.clone(), scoring);
    let best = best_score(&start, &mut HashMap::new());
    assert!(scored_game.score() <= best + 1e-6);
    if solution.is_optimal {
        assert!(scored_game.score() >= best - 1e-6, "{} of {best}", scored_game.score());
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Ok(puzzle) = text.parse::<inc::Puzzle>()
        && puzzle.turn_count() <= 5
    {
        puzzle.compute_final_board();
    }
    if let Ok(puzzle) = text.parse::<maya::Puzzle>()
        && puzzle.move_count() <= 3
    {
        puzzle.solve();
    }
    let _ = text.parse::<Puzzle>().map(|puzzle| puzzle.compute_score());
    for board in parse_boards(text).unwrap_or_default() {
        let is_small = board.width().max(board.height()) <= MAX_SIDE;
        if is_small && (1..=14).contains(&board.tile_count()) {
            for scoring in [Scoring::JS_GAMES, Scoring::TOPCODER, Scoring::TILES] {
                check_solution(&board, scoring);
            }
        }
    }
});
