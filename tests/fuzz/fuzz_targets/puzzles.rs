//! Parses inputs of all puzzles, and solves the short ones of Maya and Inc.

#![no_main]

use columns_puzzles::samegame::notation::parse_boards;
use columns_puzzles::samegame::topcoder::Puzzle;
use columns_puzzles::{inc, maya};
use libfuzzer_sys::fuzz_target;

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
    let _ = parse_boards(text);
});
