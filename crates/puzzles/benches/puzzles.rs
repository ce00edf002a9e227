//! Benchmarks of the puzzles on large inputs and on the Maya cases.

use columns_cli::stderr::log;
use columns_puzzles::samegame::random_board;
use columns_puzzles::samegame::topcoder::Puzzle;
use columns_puzzles::samegame::{Board, Cell, Tile};
use columns_puzzles::{inc, maya};
use divan::{Bencher, black_box};
use std::path::PathBuf;

fn main() {
    divan::main();
}

/// TopCoder's strategy on a random 50 × 50 board.
#[divan::bench(args = [1, 2, 3, 5, 8, 13, 26], sample_count = 20)]
fn topcoder_50x50(bencher: Bencher, colours: usize) {
    let board = random_board(515, 50, 50, colours);
    let text = format!("ABCDEFGHIJKLMNOPQRSTUVWXYZ\n{board}");
    let puzzle: Puzzle = text.parse().expect("a board");
    bencher.bench_local(|| black_box(&puzzle).compute_score());
}

/// TopCoder's strategy on a board of 1,250 dominoes. The strategy removes 1,156 groups.
#[divan::bench(sample_count = 20)]
fn topcoder_50x50_dominoes(bencher: Bencher) {
    let board: Vec<String> = (0..50)
        .map(|y| {
            let colour = |x: usize| (b'A' + ((x / 2 * 5 + y * 3) % 26) as u8) as char;
            (0..50).map(colour).collect()
        })
        .collect();
    let text = format!("ZYXWVUTSRQPONMLKJIHGFEDCBA\n{}\n", board.join("\n"));
    let puzzle: Puzzle = text.parse().expect("a board");
    bencher.bench_local(|| black_box(&puzzle).compute_score());
}

/// Removes one comb-shaped group of 500,500 tiles from a board of a million tiles.
#[divan::bench(sample_count = 10)]
fn remove_half_of_1000x1000(bencher: Bencher) {
    let [a, b] = ['a', 'b'].map(Tile::from_char);
    let row = |y| (0..1000).map(move |x| if y == 0 || x % 2 == 0 { a } else { b });
    let rows: Vec<Vec<_>> = (0..1000).map(|y| row(y).collect()).collect();
    let board = Board::new(&rows);
    bencher
        .with_inputs(|| board.clone())
        .bench_local_values(|mut board| {
            board.remove_group(Cell::new(0, 0));
            board
        });
}

/// Ten turns on a full 5 × 5 board.
#[divan::bench(sample_count = 20)]
fn inc_5x5_10_turns(bencher: Bencher) {
    let text = "1 10\n23113\n31233\n12312\n32231\n13213\n";
    let puzzle: inc::Puzzle = text.parse().expect("a board");
    bencher.bench_local(|| black_box(&puzzle).compute_final_board());
}

/// Solves a Maya case from the data folder (`COLUMNS_DATA`, or `shared/data` beside the workspace).
#[divan::bench(args = maya_cases(), sample_count = 10, sample_size = 1)]
fn maya_data(bencher: Bencher, case: &str) {
    let text = std::fs::read_to_string(data().join(case)).expect("a readable case");
    let puzzle: maya::Puzzle = text.parse().expect("a case");
    bencher.bench_local(|| black_box(&puzzle).solve());
}

/// Returns the folder with the Maya cases.
fn data() -> PathBuf {
    let folder = std::env::var_os("COLUMNS_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    folder.join("maya")
}

/// Returns the sorted file names of the Maya cases. Without the data folder, prints a warning and returns an
/// empty list.
fn maya_cases() -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(data()) else {
        log("NOT MEASURED: NO MAYA CASES; SET COLUMNS_DATA TO THE DATA FOLDER");
        return Vec::new();
    };
    let mut cases: Vec<String> = entries
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|e| e == "in"))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    cases.sort();
    cases
}
