//! Annealing: good games are changed, a move at a time, and changes that help are kept.
//!
//! A move is the removal of the group of a tile that keeps its name. So after a change the moves
//! that follow can be made again, and mostly bring as much as before: a game is changed in some
//! millionths of a second. A worse game is accepted with a probability that falls as it is worse and
//! as time goes by (simulated annealing: Kirkpatrick, Gelatt & Vecchi 1983). Many games are annealed
//! at first, the best quarter of them in each of the next rounds, and one in the last.

use super::purse::Purse;
use super::search::mix;
use super::tiles::{Colours, Name, Tiles};
use crate::puzzles::samegame::board::{Cell, SameGame};
use crate::puzzles::samegame::evaluation::HandSet;
use crate::puzzles::samegame::scoring::Scoring;
use std::iter::successors;

/// How much worse, in points of js-games' scoring, an accepted game is on average: at first and at
/// the end.
const TEMPERATURES: [f64; 2] = [40.0, 4.0];
/// A changed game costs about as much time as so many positions of the beam.
const POSITIONS: u64 = 2;
/// For so many changed games one game is annealed in the first round.
const CHANGES_A_GAME: f64 = 30_000.0;
/// One of so many games is annealed in the next round, too.
const KEPT: usize = 4;
/// After so many changes there is a look at the limit.
const LOOK_EVERY: u64 = 16;
/// A move is made up to so much earlier or later.
const REACH: usize = 8;
/// As many colours as a board may have.
const MOST_COLOURS: usize = 62;

/// Anneals games with all that is left of the limit and returns the best game seen. `games` are legal
/// games of `board`, the best first.
pub(super) fn anneal<const S: usize, const A: usize>(
    board: &SameGame,
    scoring: Scoring,
    games: &[Vec<Cell>],
    seed: u64,
    purse: &mut Purse,
) -> Vec<Cell> {
    let share = purse.left();
    let mut annealing = Annealing::<S, A>::new(board, scoring, seed);
    let changes = purse.positions(share) / POSITIONS as f64;
    let count = ((changes / CHANGES_A_GAME) as usize).clamp(1, games.len());
    let named = games[..count].iter().map(|game| annealing.named(game));
    let mut lines: Vec<Line> = named.collect();
    let fewer = |&size: &usize| (size > 1).then(|| size.div_ceil(KEPT));
    let sizes: Vec<usize> = successors(Some(count), fewer).collect();
    let rounds = sizes.len() as f64;
    for (round, &size) in sizes.iter().enumerate() {
        lines.truncate(size);
        let each = share / rounds / size as f64;
        let part = |of: f64| (round as f64 + of) / rounds;
        for line in &mut lines {
            annealing.go_on(line, purse, each, part);
        }
        lines.sort_by(|a, b| b.score.total_cmp(&a.score));
    }
    annealing.cells(&lines[0].best)
}

/// A game that is annealed.
struct Line {
    /// The game as it is, and the best that it was.
    moves: Vec<Name>,
    best: Vec<Name>,
    /// The score of the best.
    score: f64,
}

impl Line {
    /// Keeps a game if it is the best so far.
    fn keep<const S: usize, const A: usize>(&mut self, now: &Track<S, A>) {
        if now.score > self.score {
            self.score = now.score;
            self.best.clone_from(&now.moves);
        }
    }
}

/// A position in a game: the board and the points so far.
type Point<const S: usize, const A: usize> = (Tiles<S, A>, f64);

/// A game with the position before each of its moves.
struct Track<const S: usize, const A: usize> {
    moves: Vec<Name>,
    before: Vec<Point<S, A>>,
    score: f64,
}

impl<const S: usize, const A: usize> Track<S, A> {
    fn new() -> Self {
        Self {
            moves: Vec::new(),
            before: Vec::new(),
            score: 0.0,
        }
    }

    fn clear(&mut self) {
        self.moves.clear();
        self.before.clear();
    }
}

/// What all games have in common.
struct Annealing<const S: usize, const A: usize> {
    scoring: Scoring,
    first: Tiles<S, A>,
    colours: Colours,
    random: u64,
    /// What the temperatures are multiplied by.
    scale: f64,
}

impl<const S: usize, const A: usize> Annealing<S, A> {
    fn new(board: &SameGame, scoring: Scoring, seed: u64) -> Self {
        let (first, colours) = Tiles::new(board);
        Self {
            scoring,
            first,
            colours,
            random: mix(seed),
            scale: HandSet::scale(scoring),
        }
    }

    /// The names of the tiles that a game removes.
    fn named(&mut self, game: &[Cell]) -> Line {
        let mut board = self.first;
        let mut moves = Vec::new();
        for &Cell { column, row } in game {
            let Some(name) = board.tile(column, row) else {
                break;
            };
            board.remove(name, &mut self.colours);
            moves.push(name);
        }
        Line {
            best: moves.clone(),
            moves,
            score: f64::MIN,
        }
    }

    /// The cells of a game's moves.
    fn cells(&mut self, moves: &[Name]) -> Vec<Cell> {
        let mut board = self.first;
        let cell = |&name: &Name| {
            let (column, row) = board.cell(name);
            board.remove(name, &mut self.colours);
            Cell { column, row }
        };
        moves.iter().map(cell).collect()
    }

    fn draw(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.random)
    }

    /// A number below `most`.
    fn below(&mut self, most: usize) -> usize {
        (((self.draw() >> 32) * most as u64) >> 32) as usize
    }

    /// Anneals a game with this share of the limit. `part` tells from the part of the share that is
    /// spent how much of all annealing is done.
    fn go_on(&mut self, line: &mut Line, purse: &mut Purse, share: f64, part: impl Fn(f64) -> f64) {
        let mut now = Track::new();
        self.play((self.first, 0.0), &line.moves, &mut now);
        line.keep(&now);
        let (mut tail, mut changed) = (Vec::new(), Track::new());
        let began = purse.left();
        loop {
            let spent = (began - purse.left()) / share;
            if spent >= 1.0 || !purse.pays(LOOK_EVERY * POSITIONS) || now.moves.is_empty() {
                break;
            }
            // The temperature falls fast at first and slowly at the end.
            let to_go = 1.0 - part(spent);
            let [hot, cold] = TEMPERATURES;
            let temperature = (cold + (hot - cold) * to_go * to_go) * self.scale;
            for _ in 0..LOOK_EVERY {
                let from = self.change(&now, &mut tail);
                changed.clear();
                self.play(now.before[from], &tail, &mut changed);
                if changed.score >= now.score - temperature * self.tolerance() {
                    now.moves.truncate(from);
                    now.before.truncate(from);
                    now.moves.append(&mut changed.moves);
                    now.before.append(&mut changed.before);
                    now.score = changed.score;
                    line.keep(&now);
                }
            }
            purse.nodes += LOOK_EVERY * POSITIONS;
        }
        line.moves = now.moves;
    }

    /// Changes a game: a move is made earlier or later, another one is put in, or one is left out.
    /// Returns the number of moves before the change; `tail` are those from there on.
    fn change(&mut self, now: &Track<S, A>, tail: &mut Vec<Name>) -> usize {
        let moves = &now.moves;
        tail.clear();
        let at = self.below(moves.len());
        match self.below(5) {
            0 | 1 => {
                let to = (at + self.below(2 * REACH + 1)).saturating_sub(REACH);
                let to = to.min(moves.len() - 1);
                let from = at.min(to);
                tail.extend_from_slice(&moves[from..]);
                let moved = tail.remove(at - from);
                tail.insert(to - from, moved);
                from
            }
            2 | 3 => {
                // There is a group: the one that the game removes here.
                tail.push(self.any_move(&now.before[at].0));
                tail.extend_from_slice(&moves[at..]);
                at
            }
            _ => {
                tail.extend_from_slice(&moves[at + 1..]);
                at
            }
        }
    }

    /// A tile that can be removed; the board must have one.
    fn any_move(&mut self, board: &Tiles<S, A>) -> Name {
        loop {
            let column = board.column(self.below(board.width));
            let name = column[self.below(column.len())];
            if board.is_in_group(name, &self.colours) {
                return name;
            }
        }
    }

    /// By how many temperatures a game may be worse: exponentially distributed with mean 1, but for
    /// a straight line between powers of two. A logarithm of the system's library would not be the
    /// same on all machines.
    fn tolerance(&mut self) -> f64 {
        let bits = self.draw() | 1;
        let power = bits.leading_zeros();
        let rest = (bits << power << 1) as f64 / (u64::MAX as f64);
        (f64::from(power + 1) - rest) * std::f64::consts::LN_2
    }

    /// Makes moves from a position on, leaving out those that cannot be made, and plays the game to
    /// its end.
    fn play(&mut self, point: Point<S, A>, moves: &[Name], track: &mut Track<S, A>) {
        let (mut board, mut points) = point;
        let mut moves = moves.iter().copied();
        while let Some(name) = moves.next().or_else(|| left_over(&board, &self.colours)) {
            let before = (board, points);
            let size = board.remove(name, &mut self.colours);
            if size > 0 {
                track.moves.push(name);
                track.before.push(before);
                points += self.scoring.group_points(size);
            }
        }
        let left = count(&board, &self.colours);
        track.score = self.scoring.total(points, left);
    }
}

/// The number of tiles of each colour.
fn count<const S: usize, const A: usize>(
    board: &Tiles<S, A>,
    colours: &Colours,
) -> [usize; MOST_COLOURS] {
    let mut counts = [0; MOST_COLOURS];
    for x in 0..board.width {
        for &name in board.column(x) {
            counts[colours.of(name)] += 1;
        }
    }
    counts
}

/// A tile of a group that is still there; one of the most frequent colour only where there is no
/// other.
fn left_over<const S: usize, const A: usize>(
    board: &Tiles<S, A>,
    colours: &Colours,
) -> Option<Name> {
    if board.width == 0 {
        return None;
    }
    let counts = count(board, colours);
    let most = counts.iter().max();
    let mut last = None;
    for x in (0..board.width).rev() {
        let column = board.column(x);
        let beside = if x + 1 < board.width {
            board.column(x + 1)
        } else {
            &[]
        };
        for (y, &name) in column.iter().enumerate().rev() {
            let colour = colours.of(name);
            let is_near = |other: Option<&Name>| other.is_some_and(|&o| colours.of(o) == colour);
            if is_near(column.get(y + 1)) || is_near(beside.get(y)) {
                if Some(&counts[colour]) != most {
                    return Some(name);
                }
                last = last.or(Some(name));
            }
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzles::samegame::solver::Limit;
    use crate::puzzles::samegame::{Tally, Tile};
    use crate::random::Random;

    fn board(random: &mut Random, side: usize) -> SameGame {
        let mut row = || -> Vec<_> {
            let mut tile = || Tile::from_char((b'A' + random.below(4) as u8) as char);
            (0..side).map(|_| tile()).collect()
        };
        let rows: Vec<_> = (0..side).map(|_| row()).collect();
        SameGame::new(&rows).unwrap()
    }

    #[test]
    fn a_tolerance_is_one_on_average_and_rarely_large() {
        let game = board(&mut Random(1), 4);
        let mut annealing = Annealing::<16, 256>::new(&game, Scoring::JS_GAMES, 1);
        let drawn: Vec<f64> = (0..100_000).map(|_| annealing.tolerance()).collect();
        let share = |above: f64| drawn.iter().filter(|&&t| t > above).count() as f64 / 1e5;
        let mean = drawn.iter().sum::<f64>() / 1e5;
        assert!((0.98..1.05).contains(&mean), "{mean}");
        assert!(drawn.iter().all(|&t| t >= 0.0));
        for above in [0.5, 1.0, 2.0, 4.0] {
            let exact = f64::exp(-above);
            assert!((share(above) / exact - 1.0).abs() < 0.15, "{above}");
        }
    }

    /// Anneals the game that only cleans up.
    fn improves<const S: usize, const A: usize>(side: usize) {
        let board = board(&mut Random(side as u64), side);
        let scoring = Scoring::JS_GAMES;
        let mut annealing = Annealing::<S, A>::new(&board, scoring, 1);
        let mut plain = Track::new();
        let first = annealing.first;
        annealing.play((first, 0.0), &[], &mut plain);
        let game = annealing.cells(&plain.moves);
        let score = |game: &[Cell]| {
            let mut tally = Tally::new(board.clone(), scoring);
            assert!(game.iter().all(|&cell| tally.remove(cell) > 0));
            assert!(tally.game().no_more_valid_moves());
            tally.score()
        };
        assert!((score(&game) - plain.score).abs() < 1e-6);

        let limit = 40_000;
        let clock = || 0.0;
        let mut purse = Purse::new(Limit::Nodes(limit), &clock);
        purse.nodes = 100;
        let games = [game.clone(), game[..1].to_vec()];
        let better = anneal::<S, A>(&board, scoring, &games, 1, &mut purse);
        assert!(score(&better) > score(&game) + 200.0, "{}", score(&better));
        assert!((limit - 100..=limit).contains(&purse.nodes));
    }

    #[test]
    fn annealing_makes_games_better_and_spends_what_there_is() {
        improves::<16, 256>(12);
        improves::<32, 1024>(20);
        improves::<64, 4096>(33);
    }
}
