//! Compares Maya with a plain search without pruning, and with the cases in the data folder.

use crate::data;
use crate::random::Random;
use columns_puzzles::maya::{Puzzle, format_solution};

/// Colours by stack and row, 0 for an empty cell.
type Cells = [[u8; 7]; 5];

/// Lets blocks fall and clears matches until nothing changes, cell by cell as in the statement.
fn settle_and_clear(cells: &mut Cells) {
    loop {
        for stack in cells.iter_mut() {
            let blocks: Vec<u8> = stack.iter().copied().filter(|&c| c > 0).collect();
            *stack = [0; 7];
            stack[..blocks.len()].copy_from_slice(&blocks);
        }
        let mut matched = [[false; 7]; 5];
        for x in 0..5 {
            for y in 0..7 {
                let c = cells[x][y];
                if c == 0 {
                    continue;
                }
                if x + 2 < 5 && cells[x + 1][y] == c && cells[x + 2][y] == c {
                    (0..3).for_each(|i| matched[x + i][y] = true);
                }
                if y + 2 < 7 && cells[x][y + 1] == c && cells[x][y + 2] == c {
                    (0..3).for_each(|i| matched[x][y + i] = true);
                }
            }
        }
        if matched == [[false; 7]; 5] {
            return;
        }
        for x in 0..5 {
            for y in 0..7 {
                if matched[x][y] {
                    cells[x][y] = 0;
                }
            }
        }
    }
}

/// Tries all legal moves in the order that the problem statement prescribes. Returns true if the field can be
/// emptied in exactly `left` moves. If so, appends the moves to the path.
fn search(cells: &Cells, left: usize, path: &mut Vec<(usize, usize, i32)>) -> bool {
    if left == 0 {
        return *cells == [[0; 7]; 5];
    }
    for x in 0..5 {
        for y in 0..7 {
            for g in [1, -1] {
                let target = x as i32 + g;
                if cells[x][y] == 0 || !(0..5).contains(&target) {
                    continue;
                }
                let mut next = *cells;
                let block = next[x][y];
                next[x][y] = next[target as usize][y];
                next[target as usize][y] = block;
                settle_and_clear(&mut next);
                path.push((x, y, g));
                if search(&next, left - 1, path) {
                    return true;
                }
                path.pop();
            }
        }
    }
    false
}

/// Returns the answer of the naive search, in the statement's format.
fn naive_answer(moves: usize, cells: &Cells) -> String {
    let mut path = Vec::new();
    if !search(cells, moves, &mut path) {
        return "-1\n".to_string();
    }
    path.iter()
        .map(|(x, y, g)| format!("{x} {y} {g}\n"))
        .collect()
}

/// Draws a field without matches. With `threes`, blocks come in threes of one colour, so that many
/// fields have a solution.
fn random_field(random: &mut Random, moves: usize, threes: bool) -> Cells {
    loop {
        let (blocks, colours) = match moves {
            3 => (3 + random.below(8), 1 + random.below(4)),
            _ => (3 + random.below(12), 1 + random.below(5)),
        };
        let mut cells = [[0; 7]; 5];
        let mut colour = 1;
        for block in 0..blocks {
            if block % 3 == 0 || !threes {
                colour = 1 + random.below(colours) as u8;
            }
            let x = random.below(5);
            if let Some(y) = cells[x].iter().position(|&c| c == 0) {
                let at = random.below(y + 1);
                cells[x][at..=y].rotate_right(1);
                cells[x][at] = colour;
            }
        }
        let mut settled = cells;
        settle_and_clear(&mut settled);
        if settled == cells {
            return cells;
        }
    }
}

#[test]
fn random_fields_agree_with_the_naive_search() {
    let mut random = Random(2011);
    let mut solved = [0; 4];
    for round in 0..1500 {
        let moves = 1 + round % 3;
        let cells = random_field(&mut random, moves, round % 5 != 0);
        let blocks = |stack: &[u8; 7]| -> String {
            let blocks = stack.iter().filter(|&&c| c > 0);
            blocks.map(|c| format!("{c} ")).collect()
        };
        let stacks = cells.each_ref().map(blocks).join("0\n");
        let text = format!("{moves}\n{stacks}0\n");
        let puzzle: Puzzle = text.parse().unwrap();
        let solution = puzzle.solve();
        solved[moves] += usize::from(solution.is_some());
        assert_eq!(
            format_solution(solution.as_deref()),
            naive_answer(moves, &cells),
            "{text}"
        );
    }
    // Agreement on unsolvable fields alone would prove little.
    assert!(
        solved[1..].iter().all(|&count| count >= 50),
        "solved {solved:?}"
    );
}

#[test]
fn the_cases_of_the_data_folder_are_solved() {
    let Some(folder) = data::find_data_folder("maya") else {
        return;
    };
    let mut cases = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "in") {
            let puzzle: Puzzle = std::fs::read_to_string(&path).unwrap().parse().unwrap();
            let expected = std::fs::read_to_string(path.with_extension("ans")).unwrap();
            let result = format_solution(puzzle.solve().as_deref());
            let words = |text: &str| {
                text.split_whitespace()
                    .map(String::from)
                    .collect::<Vec<_>>()
            };
            assert_eq!(words(&result), words(&expected), "{}", path.display());
            cases += 1;
        }
    }
    assert!(cases >= 11, "only {cases} cases");
}
