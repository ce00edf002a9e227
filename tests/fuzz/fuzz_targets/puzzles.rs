//! Parses inputs of all puzzles, and compares the SameGame solver with an exhaustive search on small
//! boards.

#![no_main]

use columns_puzzles::samegame::notation::parse_boards;
use columns_puzzles::samegame::solver::{self, Limit, MAX_SIDE, Options};
use columns_puzzles::samegame::topcoder::Input;
use columns_puzzles::samegame::{SameGame, Scoring, ScoredGame};
use columns_puzzles::{inc, maya};
use libfuzzer_sys::fuzz_target;
use std::collections::HashMap;

/// Returns the best score that any continuation of a game can reach. `cache` holds the results of the
/// positions that have already been searched.
fn best_score(tally: &ScoredGame, cache: &mut HashMap<String, f64>) -> f64 {
    let key = format!("{:?} {}", tally.board(), tally.points());
    if let Some(&best) = cache.get(&key) {
        return best;
    }
    let mut best = tally.score();
    for (cell, _) in tally.board().groups() {
        let mut next = tally.clone();
        next.remove_group(cell);
        best = best.max(best_score(&next, cache));
    }
    cache.insert(key, best);
    best
}

/// Solves a board. The game must be legal, and must be optimal if the solver reports it as optimal.
fn check_solution(board: &SameGame, scoring: Scoring) {
    let options = Options {
        limit: Limit::Nodes(100_000),
        ..Options::new(scoring)
    };
    let Ok(solution) = solver::solve(board, &options, &|| 0.0) else {
        assert!(board.width().max(board.height()) > MAX_SIDE);
        return;
    };
    let mut tally = ScoredGame::new(board.clone(), scoring);
    for &cell in &solution.moves {
        assert!(tally.board().is_valid_move(cell));
        tally.remove_group(cell);
    }
    let start = ScoredGame::new(board.clone(), scoring);
    let best = best_score(&start, &mut HashMap::new());
    assert!(tally.score() <= best + 1e-6);
    if solution.optimal {
        assert!(tally.score() >= best - 1e-6, "{} of {best}", tally.score());
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Ok(puzzle) = text.parse::<inc::Puzzle>() {
        puzzle.final_board();
        puzzle.best_play();
    }
    if let Ok(puzzle) = text.parse::<maya::Puzzle>()
        && puzzle.moves() <= 3
    {
        puzzle.solve();
    }
    let _ = text.parse::<Input>().map(|input| input.score());
    for board in parse_boards(text).unwrap_or_default() {
        if (1..=14).contains(&board.tiles_left()) {
            for scoring in [Scoring::JS_GAMES, Scoring::TOPCODER, Scoring::TILES] {
                check_solution(&board, scoring);
            }
        }
    }
});
