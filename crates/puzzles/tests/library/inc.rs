//! Compares Inc with a plain search of the whole game tree, without memoisation.

use crate::random::Random;
use columns_puzzles::inc::Puzzle;

type Board = Vec<Vec<u8>>;

/// Returns the final board if all players choose by the six priorities of the statement. Visits the whole
/// game tree.
fn play(board: &Board, inc: i32, turn: usize, turns: usize) -> Board {
    if turn == turns {
        return board.clone();
    }
    let (height, width) = (board.len(), board[0].len());
    let player = turn % 3;
    let mut best: Option<(bool, bool, usize, Board)> = None;
    let horizontal = [true, false].map(|first| (1..height).map(move |line| (true, first, line)));
    let vertical = [true, false].map(|first| (1..width).map(move |line| (false, first, line)));
    let moves = horizontal
        .into_iter()
        .flatten()
        .chain(vertical.into_iter().flatten());
    for (horizontal, is_before_line, line) in moves {
        let mut next = board.clone();
        for (y, row) in next.iter_mut().enumerate() {
            for (x, digit) in row.iter_mut().enumerate() {
                let place = if horizontal { y } else { x };
                if *digit != 0 && (place < line) == is_before_line {
                    *digit = match (*digit as i32) + inc {
                        0 => 3,
                        4 => 1,
                        digit => digit as u8,
                    };
                }
            }
        }
        let end = play(&next, inc, turn + 1, turns);
        let points = |player: usize| {
            let own = player as u8 + 1;
            end.iter().flatten().filter(|&&d| d == own).count()
        };
        let own = points(player);
        let others = [(player + 1) % 3, (player + 2) % 3].map(points);
        let wins = others.iter().all(|&other| own > other);
        let leads = others.iter().all(|&other| own >= other);
        let better = best
            .as_ref()
            .is_none_or(|&(w, l, p, _)| (wins, leads, own) > (w, l, p));
        if better {
            best = Some((wins, leads, own, end));
        }
    }
    best.unwrap().3
}

#[test]
fn random_boards_agree_with_the_naive_search() {
    let mut random = Random(2007);
    let mut ends = std::collections::HashSet::new();
    for round in 0..60 {
        let (height, width) = (2 + random.below(3), 2 + random.below(3));
        let turns = 1 + round % 5;
        let inc = if random.below(2) == 0 { 1 } else { -1 };
        let holes = random.below(4);
        let board: Board = (0..height)
            .map(|_| {
                let square = |random: &mut Random| match random.below(3 + holes) {
                    digit @ 0..=2 => digit as u8 + 1,
                    _ => 0,
                };
                (0..width).map(|_| square(&mut random)).collect()
            })
            .collect();
        let text = |board: &Board| -> Vec<String> {
            let square = |&d: &u8| if d == 0 { '.' } else { (b'0' + d) as char };
            board
                .iter()
                .map(|row| row.iter().map(square).collect())
                .collect()
        };
        let rows = text(&board);
        let expected = text(&play(&board, inc, 0, turns));
        let text = format!("{inc} {turns}\n{}\n", rows.join("\n"));
        let puzzle: Puzzle = text.parse().unwrap();
        assert_eq!(puzzle.compute_final_board(), expected, "{text}");
        ends.insert(expected);
    }
    assert!(
        ends.len() > 45,
        "only {} different final boards",
        ends.len()
    );
}
