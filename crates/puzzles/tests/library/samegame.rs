//! Compares SameGame and its solver with a plain implementation, which keeps cells in rows and finds groups
//! by recursion.

use crate::random::Random;
use columns_puzzles::samegame::solver::{self, Limit, Options};
use columns_puzzles::samegame::topcoder::Puzzle;
use columns_puzzles::samegame::{Board, Cell, ScoredGame, Scoring, Tile};
use std::collections::{BTreeSet, HashMap};

/// Rows from the top, as in the TopCoder statement, with `-` for an empty cell.
#[derive(Clone, PartialEq, Debug)]
struct NaiveBoard(Vec<Vec<char>>);

impl NaiveBoard {
    /// Returns a full board of random tiles.
    fn random(random: &mut Random, height: usize, width: usize, colours: usize) -> Self {
        let tile = |random: &mut Random| (b'A' + random.below(colours) as u8) as char;
        Self(
            (0..height)
                .map(|_| (0..width).map(|_| tile(random)).collect())
                .collect(),
        )
    }

    fn lines(&self) -> Vec<String> {
        self.0.iter().map(|row| row.iter().collect()).collect()
    }

    /// Converts to a [`Board`], on which a game can be played.
    fn game(&self) -> Board {
        let row = |row: &Vec<char>| row.iter().map(|&c| Tile::from_char(c)).collect();
        Board::new(&self.0.iter().rev().map(row).collect::<Vec<_>>())
    }

    /// Adds a cell to `group`, and all connected cells of the same colour.
    fn join(&self, y: usize, x: usize, group: &mut BTreeSet<(usize, usize)>) {
        if !group.insert((y, x)) {
            return;
        }
        for (dy, dx) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            let (y2, x2) = (y as i32 + dy, x as i32 + dx);
            let inside =
                y2 >= 0 && x2 >= 0 && y2 < self.0.len() as i32 && x2 < self.0[0].len() as i32;
            if inside && self.0[y2 as usize][x2 as usize] == self.0[y][x] {
                self.join(y2 as usize, x2 as usize, group);
            }
        }
    }

    /// Returns all groups of at least two tiles, ordered by their first cell in reading order.
    fn groups(&self) -> Vec<BTreeSet<(usize, usize)>> {
        let mut groups: Vec<BTreeSet<(usize, usize)>> = Vec::new();
        for y in 0..self.0.len() {
            for x in 0..self.0[0].len() {
                if self.0[y][x] != '-' && !groups.iter().any(|g| g.contains(&(y, x))) {
                    let mut group = BTreeSet::new();
                    self.join(y, x, &mut group);
                    groups.push(group);
                }
            }
        }
        groups.retain(|g| g.len() >= 2);
        groups
    }

    fn remove(&mut self, group: &BTreeSet<(usize, usize)>) {
        for &(y, x) in group {
            self.0[y][x] = '-';
        }
        let (height, width) = (self.0.len(), self.0[0].len());
        let mut columns: Vec<Vec<char>> = (0..width)
            .map(|x| {
                (0..height)
                    .rev()
                    .map(|y| self.0[y][x])
                    .filter(|&c| c != '-')
                    .collect()
            })
            .filter(|column: &Vec<char>| !column.is_empty())
            .collect();
        columns.resize(width, Vec::new());
        for (x, column) in columns.iter().enumerate() {
            for y in 0..height {
                self.0[height - 1 - y][x] = column.get(y).copied().unwrap_or('-');
            }
        }
    }

    fn topcoder_score(mut self, order: &str) -> u64 {
        let mut points = 0;
        loop {
            let rank = |group: &BTreeSet<(usize, usize)>| {
                let &(y, x) = group.first().unwrap();
                (order.find(self.0[y][x]).unwrap(), group.len(), y, x)
            };
            let Some(group) = self.groups().into_iter().min_by_key(rank) else {
                break;
            };
            points += (group.len() * (group.len() - 1) / 2) as u64;
            self.remove(&group);
        }
        let cleared = self.0.iter().flatten().all(|&c| c == '-');
        if cleared { 4 * points } else { points }
    }
}

#[test]
fn topcoder_scores_agree_with_the_naive_game() {
    let mut random = Random(2003);
    let mut cleared = 0;
    for round in 0..400 {
        let side = if round % 10 == 0 { 16 } else { 6 };
        let (height, width) = (1 + random.below(side), 1 + random.below(side));
        let colours = 1 + random.below(if round % 3 == 0 { 8 } else { 3 });
        let board = NaiveBoard::random(&mut random, height, width, colours);
        let mut order: Vec<char> = ('A'..='Z').take(colours + random.below(3)).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i + 1));
        }
        let order: String = order.into_iter().collect();
        let expected = board.clone().topcoder_score(&order);
        let puzzle: Puzzle = format!("{order}\n{}", board.lines().join("\n"))
            .parse()
            .unwrap();
        assert_eq!(puzzle.compute_score(), expected, "{board:?} {order}");
        cleared += usize::from(expected > 0 && expected.is_multiple_of(4));
    }
    assert!(
        cleared > 30,
        "only {cleared} boards that may have been cleared"
    );
}

#[test]
fn random_games_agree_with_the_naive_game() {
    let mut random = Random(81);
    for _ in 0..300 {
        let (height, width) = (1 + random.below(9), 1 + random.below(9));
        let colours = 2 + random.below(4);
        let mut board = NaiveBoard::random(&mut random, height, width, colours);
        let mut scored_game = ScoredGame::new(board.game(), Scoring::TOPCODER);
        let mut points = 0;
        loop {
            let groups = board.groups();
            let game = scored_game.board();
            // A move is legal if and only if its cell is in a group.
            for y in 0..height {
                for x in 0..width {
                    let legal = groups.iter().any(|g| g.contains(&(y, x)));
                    assert_eq!(game.is_valid_move(Cell::new(x, height - 1 - y)), legal);
                }
            }
            assert_eq!(game.is_over(), groups.is_empty());
            let mut sizes: Vec<usize> = game.groups().iter().map(|&(_, n)| n).collect();
            let mut expected: Vec<usize> = groups.iter().map(BTreeSet::len).collect();
            sizes.sort_unstable();
            expected.sort_unstable();
            assert_eq!(sizes, expected);
            if groups.is_empty() {
                break;
            }
            let group = &groups[random.below(groups.len())];
            let &(y, x) = group.iter().nth(random.below(group.len())).unwrap();
            assert_eq!(
                scored_game.remove_group(Cell::new(x, height - 1 - y)),
                group.len()
            );
            points += group.len() * (group.len() - 1) / 2;
            board.remove(group);
            assert_eq!(*scored_game.board(), board.game());
        }
        let left = board.0.iter().flatten().filter(|&&c| c != '-').count();
        assert_eq!(scored_game.board().tile_count(), left);
        let factor = if left == 0 { 4 } else { 1 };
        assert!((scored_game.score() - (points * factor) as f64).abs() < 1e-9);
    }
}

#[test]
fn half_a_million_tiles_are_removed_in_one_move() {
    // A comb: one group of 500,500 tiles with long teeth. The tiles between the teeth stay, and
    // close up into one block.
    let side = 1000;
    let board = |is_a: &dyn Fn(usize, usize) -> bool| {
        let tile = |x, y| Tile::from_char(if is_a(x, y) { 'a' } else { 'b' });
        let row = |y| (0..side).map(|x| tile(x, y)).collect();
        Board::new(&(0..side).map(row).collect::<Vec<_>>())
    };
    let mut game = board(&|x, y| y == 0 || x % 2 == 0);
    assert_eq!(game.remove_group(Cell::new(500, 999)), 500_500);
    assert_eq!(game.remove_group(Cell::new(0, 0)), 499_500);
    assert_eq!(game.tile_count(), 0);
    assert!(game.is_over());
    // A snake that winds through the whole board. A recursive fill would be half a million calls deep.
    let mut game = board(&|x, y| y % 2 == 0 || x == if y % 4 == 1 { side - 1 } else { 0 });
    assert_eq!(game.remove_group(Cell::new(0, 0)), 500_500);
}

/// Returns the best final score of all games that continue from `board` with `points` already scored. A game
/// may end at any position. `cache` maps boards and points to results.
fn best_score(
    board: &NaiveBoard,
    scoring: Scoring,
    points: f64,
    cache: &mut HashMap<String, f64>,
) -> f64 {
    let key = format!("{} {points}", board.lines().concat());
    if let Some(&best) = cache.get(&key) {
        return best;
    }
    let mut left = std::collections::BTreeMap::new();
    for &tile in board.0.iter().flatten().filter(|&&c| c != '-') {
        *left.entry(tile).or_insert(0) += 1;
    }
    let mut best = scoring.final_score(points, left.into_values());
    for group in board.groups() {
        let mut next = board.clone();
        next.remove(&group);
        let points = points + scoring.group_points(group.len());
        best = best.max(best_score(&next, scoring, points, cache));
    }
    cache.insert(key, best);
    best
}

/// Plays `moves`, all of which must be legal, and returns the score.
fn score(board: &Board, moves: &[Cell], scoring: Scoring) -> f64 {
    let mut scored_game = ScoredGame::new(board.clone(), scoring);
    assert!(moves.iter().all(|&cell| scored_game.remove_group(cell) > 0));
    scored_game.score()
}

#[test]
fn the_solver_finds_the_best_game_of_small_boards() {
    let mut random = Random(60);
    let scorings = [
        Scoring::TOPCODER,
        Scoring::TILES,
        Scoring::JS_GAMES,
        "quadratic:1,-8,3,20,1".parse().unwrap(),
        "quadratic:5,-5,0".parse().unwrap(),
    ];
    let mut optimal = 0;
    for round in 0..320 {
        let (height, width) = (1 + random.below(4), 1 + random.below(4));
        let colours = 2 + random.below(3);
        let board = NaiveBoard::random(&mut random, height, width, colours);
        let scoring = scorings[round % scorings.len()];
        let options = Options {
            limit: Limit::Nodes(200_000),
            seed: round as u64,
            ..Options::new(scoring)
        };
        let solution = solver::solve(&board.game(), &options, &|| 0.0);
        let result = score(&board.game(), &solution.moves, scoring);
        let best = best_score(&board, scoring, 0.0, &mut HashMap::new());
        assert!(
            (result - best).abs() < 1e-6,
            "{result}, not {best}: {board:?}"
        );
        optimal += usize::from(solution.is_optimal);
    }
    assert_eq!(optimal, 320, "small boards are searched completely");
}

/// For these scorings, the beam does not tell some games apart.
#[test]
fn a_game_is_called_optimal_only_if_none_is_better() {
    let mut random = Random(66);
    let scorings = [
        "quadratic:0.01,0,0",
        "quadratic:1,0,-4,-0.0004",
        "quadratic:0,0,100,0,4",
        "quadratic:1,0,0,100000,4",
    ];
    for round in 0..40 {
        let mut board = NaiveBoard::random(&mut random, 4, 4, 2);
        // Each colour with a single tile reduces how much the beam values points.
        let singles = if round % 4 < 2 { "" } else { "CDEF" };
        for (row, single) in board.0.iter_mut().zip(singles.chars()) {
            row[random.below(4)] = single;
        }
        let scoring = scorings[round % 4];
        let options = Options {
            limit: Limit::Nodes(2000),
            ..Options::new(scoring.parse().unwrap())
        };
        let solution = solver::solve(&board.game(), &options, &|| 0.0);
        let result = score(&board.game(), &solution.moves, options.scoring);
        let best = best_score(&board, options.scoring, 0.0, &mut HashMap::new());
        let is_best = result > best - 1e-6;
        assert!(is_best || !solution.is_optimal, "{scoring}: {board:?}");
    }
    let rows =
        "AAACAAAAAA ABAAAAAAAA AAAABAAAAB AAAAAAAAAA AAAAAAAAAB ABAAAAAADA AAEBAAAAAA AAABAAABFA";
    let board = NaiveBoard(rows.split(' ').map(|row| row.chars().collect()).collect()).game();
    let better_game = [(0, 0), (0, 0), (1, 0), (3, 0)].map(|(x, y)| Cell::new(x, y));
    let options = Options {
        limit: Limit::Nodes(2000),
        ..Options::new(Scoring::TOPCODER)
    };
    let solution = solver::solve(&board, &options, &|| 0.0);
    let [result, better] =
        [&solution.moves[..], &better_game].map(|moves| score(&board, moves, options.scoring));
    assert!(
        result >= better || !solution.is_optimal,
        "{result}, not {better}"
    );
}

/// Solves a random board twice, and asserts that both searches find the same legal game.
fn check_solver(random: &mut Random, (height, width, colours): (usize, usize, usize)) {
    let board = NaiveBoard::random(random, height, width, colours).game();
    let nodes = 1000;
    let options = Options {
        limit: Limit::Nodes(nodes),
        ..Options::new(Scoring::JS_GAMES)
    };
    let solve = || solver::solve(&board, &options, &|| 0.0);
    let solution = solve();
    // Once the limit is reached, the beam still builds one position in each layer, to finish
    // the game.
    assert!(solution.nodes <= nodes + (height * width) as u64);
    assert!(!solution.moves.is_empty());
    // Boards with 20 colours have so few groups that the search may be exhaustive.
    assert!(colours == 20 || !solution.is_optimal, "{height} × {width}");
    assert_eq!(solution, solve(), "the same nodes give the same game");
    let result = score(&board, &solution.moves, Scoring::JS_GAMES);
    let untouched = score(&board, &[], Scoring::JS_GAMES);
    assert!(result > untouched, "{height} × {width}: {result}");
}

#[test]
fn the_solver_plays_boards_by_the_rules() {
    let mut random = Random(61);
    for size in [
        (15, 15, 5),
        (16, 16, 7),
        (10, 16, 20),
        (17, 3, 3),
        (32, 16, 12),
        (1, 64, 2),
    ] {
        check_solver(&mut random, size);
    }
}

#[test]
#[should_panic(expected = "at most 64 columns and rows")]
fn a_board_with_a_longer_side_is_refused() {
    let tall = NaiveBoard::random(&mut Random(61), 65, 1, 3).game();
    solver::solve(&tall, &Options::new(Scoring::TILES), &|| 0.0);
}

#[test]
#[ignore = "searches for seconds; .ci/run plays it"]
fn the_solver_plays_large_boards_by_the_rules() {
    let mut random = Random(65);
    for size in [(32, 20, 12), (64, 33, 6), (50, 50, 26)] {
        check_solver(&mut random, size);
    }
}

#[test]
#[ignore = "searches for seconds; .ci/run plays it"]
fn stages_and_annealing_find_better_games_than_one_beam() {
    let mut random = Random(64);
    // A single beam of width 1200 builds about as many positions as the limit allows. Its games scored these
    // sums.
    for (scoring, one_beam) in [(Scoring::JS_GAMES, 4754.0), (Scoring::TOPCODER, 2122.0)] {
        let mut sum = 0.0;
        for _ in 0..2 {
            let board = NaiveBoard::random(&mut random, 15, 15, 5).game();
            let nodes = 200_000;
            let options = |nodes| Options {
                limit: Limit::Nodes(nodes),
                ..Options::new(scoring)
            };
            let solution = solver::solve(&board, &options(nodes), &|| 0.0);
            // A stage may start its last beam just before its share is spent. That beam builds up to 3
            // positions in each of 225 layers.
            assert!(solution.nodes < nodes + 3 * 225);
            let result = score(&board, &solution.moves, scoring);
            sum += result;
            // The solver never returns a game worse than the known one.
            let improved = solver::improve(&board, &solution.moves, &options(3000), &|| 0.0);
            assert!(score(&board, &improved.moves, scoring) >= result);
        }
        assert!(sum > one_beam, "{scoring}: {sum}");
    }
}

#[test]
fn a_board_without_tiles_is_solved() {
    let mut board = NaiveBoard(vec![vec!['A', 'A']]).game();
    assert_eq!(board.remove_group(Cell::new(0, 0)), 2);
    for limit in [Limit::Nodes(100), Limit::Seconds(0.1)] {
        let options = Options {
            limit,
            ..Options::new(Scoring::TOPCODER)
        };
        let solution = solver::solve(&board, &options, &|| 0.0);
        assert!(solution.moves.is_empty() && solution.is_optimal);
    }
}

#[test]
fn the_solver_stops_at_its_time_limit() {
    let board = NaiveBoard::random(&mut Random(62), 15, 15, 5).game();
    let options = Options {
        limit: Limit::Seconds(0.5),
        ..Options::new(Scoring::JS_GAMES)
    };
    // A simulated clock, which advances by a millisecond at each check.
    let now = std::cell::Cell::new(0.0);
    let clock = || {
        now.set(now.get() + 1e-3);
        now.get()
    };
    solver::solve(&board, &options, &clock);
    assert!((0.3..0.6).contains(&now.get()), "{} s", now.get());
}
