//! Annealing: improving good games by many random changes. One change takes about a microsecond
//! ([`super::replay`]).
//!
//! A worse game is accepted with a probability that decreases with its loss and with falling
//! temperature (simulated annealing: Kirkpatrick, Gelatt & Vecchi 1983). At each temperature, many games
//! are annealed in turn. Each time the temperature falls, good games are copied and poor games are dropped;
//! the number of games stays the same (population annealing: Hukushima & Iba 2003; Machta 2010).
//!
//! A cleared board is worth so much that annealing would accept hardly any change that leaves a tile, so most
//! games would hardly change. To avoid this, annealing ignores a share of the points that a few leftover
//! tiles cost. This share, the *relief*, is large at first and falls towards 0.

use super::budget_tracker::BudgetTracker;
use super::replay::{GameChange, GameRecord, Outcome, Replayer};
use super::search::mix;
use super::tiles::{TileId, Tiles};
use crate::samegame::board::{Board, Cell};
use crate::samegame::evaluation::HandSetEvaluation;
use crate::samegame::scoring::Scoring;
use columns_core::simd::{Isa, Kernel};

/// The first and the last temperature, as mean tolerated losses in points of the js-games scoring.
const TEMPERATURES: [f64; 2] = [40.0, 6.0];
/// Number of temperatures. After each of them, games are copied and dropped.
const TEMPERATURE_STEPS: usize = 100;
/// Relief at the first temperature: the share of the leftover cost that is ignored if one tile is left. With
/// n tiles left, the share is this number to the power of n.
const FIRST_RELIEF: f64 = 0.97;
/// Annealing abandons a changed game that falls behind by more than the tolerated loss plus this number of
/// points of the js-games scoring. Few such games would catch up.
const ABANDON_MARGIN: f64 = 100.0;
/// Number of changed games that cost about as much time as one position of the beam.
const CHANGES_PER_POSITION: u64 = 4;
/// The board size for which [`CHANGES_FOR_ONE_GAME`] holds, in tiles.
const REFERENCE_TILE_COUNT: f64 = 225.0;
/// Unit for the number of changes. If the limit allows n² times this number of changes, n games are annealed,
/// each with n times this number. So a larger limit means more games, and more changes to each game.
/// On a board with twice as many tiles, the unit is eight times as large.
const CHANGES_FOR_ONE_GAME: f64 = 2500.0;
/// Number of positions that annealing counts between two checks of the limit. Each stands for
/// [`CHANGES_PER_POSITION`] changed games.
const POSITIONS_PER_CHECK: u64 = 16;
/// Maximum number of places by which a change shifts moves earlier or later.
const MAX_SHIFT: usize = 20;
/// Maximum number of consecutive moves that a change shifts together.
const MAX_SHIFTED_MOVES: usize = 5;

/// The kernel that anneals games until the limit is reached, and returns the best game found.
pub(super) struct AnnealKernel<'a, 'p, const S: usize, const N: usize> {
    pub(super) board: &'a Board,
    pub(super) scoring: Scoring,
    /// Legal games of the board, the best game first. The limit decides how many of them are annealed.
    pub(super) games: &'a [Vec<Cell>],
    pub(super) seed: u64,
    pub(super) budget_tracker: &'a mut BudgetTracker<'p>,
}

impl<const S: usize, const N: usize> Kernel for AnnealKernel<'_, '_, S, N> {
    type Output = Vec<Cell>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Vec<Cell> {
        let Self {
            games,
            budget_tracker,
            ..
        } = self;
        let share = budget_tracker.share_left();
        let mut annealing = Annealing::<I, S, N>::new(isa, self.board, self.scoring, self.seed);
        let changes = budget_tracker.estimated_positions(share) * CHANGES_PER_POSITION as f64;
        let size = self.board.tile_count() as f64 / REFERENCE_TILE_COUNT;
        let changes_for_one = CHANGES_FOR_ONE_GAME * size * size * size;
        let count = ((changes / changes_for_one).sqrt() as usize).clamp(1, games.len());
        let games = games[..count]
            .iter()
            .map(|game| annealing.new_replica(game));
        let mut games: Vec<Replica> = games.collect();
        let mut best = BestGame {
            moves: Vec::new(),
            score: f64::MIN,
        };
        let mut turns = TEMPERATURE_STEPS * count;
        for step in 0..TEMPERATURE_STEPS {
            let tolerance = annealing.tolerance(step);
            for game in &mut games {
                turns -= 1;
                let end_share = share * turns as f64 / (TEMPERATURE_STEPS * count) as f64;
                annealing.anneal(game, budget_tracker, end_share, tolerance, &mut best);
            }
            games = annealing.resample(&games, tolerance, annealing.tolerance(step + 1));
        }
        annealing.replayer.to_cells(&best.moves)
    }
}

/// A game that annealing changes, one of the population.
#[derive(Clone)]
struct Replica {
    moves: Vec<TileId>,
    /// The outcome of these moves; the default until the game is annealed for the first time.
    outcome: Outcome,
}

/// The best game that annealing has found so far.
struct BestGame {
    moves: Vec<TileId>,
    score: f64,
}

impl BestGame {
    fn keep_if_better<const S: usize, const N: usize>(&mut self, game: &GameRecord<S, N>) {
        if game.outcome.score > self.score {
            self.score = game.outcome.score;
            self.moves.clone_from(&game.moves);
        }
    }
}

/// How readily annealing accepts worse games at one temperature.
#[derive(Clone, Copy)]
struct Tolerance {
    /// The mean tolerated loss, in points of the scoring.
    temperature: f64,
    /// The share of the leftover cost that is ignored if one tile is left. With n tiles left, the share is
    /// this number to the power of n.
    relief: f64,
}

/// The state that all annealed games share.
struct Annealing<I, const S: usize, const N: usize> {
    replayer: Replayer<I, S, N>,
    /// The state of the random number generator.
    random: u64,
    /// Factor that converts [`TEMPERATURES`] and [`ABANDON_MARGIN`] to points of the scoring.
    scale: f64,
}

impl<I: Isa, const S: usize, const N: usize> Annealing<I, S, N> {
    fn new(isa: I, board: &Board, scoring: Scoring, seed: u64) -> Self {
        Self {
            replayer: Replayer::new(isa, board, scoring),
            random: mix(seed),
            scale: HandSetEvaluation::weight_scale(scoring),
        }
    }

    /// Converts a legal game for annealing. Does not compute its outcome.
    fn new_replica(&self, game: &[Cell]) -> Replica {
        Replica {
            moves: self.replayer.to_tile_ids(game),
            outcome: Outcome::default(),
        }
    }

    /// Returns the tolerance at a step, 0 to [`TEMPERATURE_STEPS`].
    fn tolerance(&self, step: usize) -> Tolerance {
        let done = step as f64 / TEMPERATURE_STEPS as f64;
        let remaining = 1.0 - done;
        let [hot, cold] = TEMPERATURES;
        Tolerance {
            // The temperature falls fast at first and slowly at the end.
            temperature: (cold + (hot - cold) * remaining * remaining) * self.scale,
            // The relief stays large for most of the steps and falls fast at the end.
            relief: FIRST_RELIEF * (1.0 - done * done * done * done),
        }
    }

    /// Resamples the games for a lower temperature, without changing their number. The expected number of
    /// copies of a game is proportional to the factor by which its probability grows (systematic resampling).
    fn resample(
        &mut self,
        games: &[Replica],
        tolerance: Tolerance,
        cooler: Tolerance,
    ) -> Vec<Replica> {
        let log_gain = |game: &Replica| {
            let log_weight = |tolerance: Tolerance| {
                game.outcome.relaxed_score(tolerance.relief) / tolerance.temperature
            };
            log_weight(cooler) - log_weight(tolerance)
        };
        let log_gains: Vec<f64> = games.iter().map(log_gain).collect();
        let max = log_gains.iter().copied().fold(f64::MIN, f64::max);
        let weights: Vec<f64> = log_gains.iter().map(|gain| exp(gain - max)).collect();
        let spacing = weights.iter().sum::<f64>() / games.len() as f64;
        let start = self.draw() as f64 / u64::MAX as f64;
        let (mut index, mut cumulative) = (0, weights[0]);
        let copy = |copy_index: usize| {
            let threshold = (copy_index as f64 + start) * spacing;
            while cumulative <= threshold && index + 1 < games.len() {
                index += 1;
                cumulative += weights[index];
            }
            games[index].clone()
        };
        (0..games.len()).map(copy).collect()
    }

    /// Draws 64 random bits.
    #[inline(always)]
    fn draw(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.random)
    }

    /// Draws a number below `bound`.
    #[inline(always)]
    fn draw_below(&mut self, bound: usize) -> usize {
        (((self.draw() >> 32) * bound as u64) >> 32) as usize
    }

    /// Anneals a game at one temperature, until only the share `end_share` of the limit is left.
    #[inline(always)]
    fn anneal(
        &mut self,
        game: &mut Replica,
        budget_tracker: &mut BudgetTracker,
        end_share: f64,
        tolerance: Tolerance,
        best: &mut BestGame,
    ) {
        let empty = GameRecord::new(self.replayer.initial_tiles);
        let mut current = GameRecord::new(self.replayer.initial_tiles);
        let mut candidate = GameRecord::new(self.replayer.initial_tiles);
        let whole_game = GameChange {
            new_moves: game.moves.clone(),
            ..GameChange::default()
        };
        self.replayer.play(&empty, &whole_game, 0.0, &mut current);
        best.keep_if_better(&current);
        let mut change = GameChange::default();
        while budget_tracker.share_left() > end_share
            && budget_tracker.allows(POSITIONS_PER_CHECK)
            && !current.moves.is_empty()
        {
            for _ in 0..POSITIONS_PER_CHECK * CHANGES_PER_POSITION {
                self.draw_change(&current, &mut change);
                let tolerated_loss = tolerance.temperature * self.draw_tolerated_loss();
                let max_behind = tolerated_loss + ABANDON_MARGIN * self.scale;
                let end = self
                    .replayer
                    .play(&current, &change, max_behind, &mut candidate);
                let min_score = current.outcome.relaxed_score(tolerance.relief) - tolerated_loss;
                if let Some(end) =
                    end.filter(|_| candidate.outcome.relaxed_score(tolerance.relief) >= min_score)
                {
                    current.accept(change.first_replaced..end, &mut candidate);
                    best.keep_if_better(&current);
                }
            }
            budget_tracker.nodes += POSITIONS_PER_CHECK;
        }
        game.outcome = current.outcome;
        game.moves = current.moves;
    }

    /// Draws a change to a game: it shifts some consecutive moves earlier or later, inserts a move, or
    /// omits one.
    #[inline(always)]
    fn draw_change(&mut self, current: &GameRecord<S, N>, change: &mut GameChange) {
        let moves = &current.moves;
        let at = self.draw_below(moves.len());
        change.new_moves.clear();
        (change.first_replaced, change.resume_at) = match self.draw_below(10) {
            0..=2 => {
                let count = (1 + self.draw_below(MAX_SHIFTED_MOVES)).min(moves.len() - at);
                let to = (at + self.draw_below(2 * MAX_SHIFT + 1)).saturating_sub(MAX_SHIFT);
                let to = to.min(moves.len() - count);
                let (from, end) = (at.min(to), at.max(to) + count);
                change.new_moves.extend_from_slice(&moves[from..end]);
                if at < to {
                    change.new_moves.rotate_left(count);
                } else {
                    change.new_moves.rotate_right(count);
                }
                (from, end)
            }
            3..=7 => {
                // The board has at least one group: the one that the game removes here.
                let (board, _) = &current.snapshots[at];
                change.new_moves.push(self.draw_move(board));
                (at, at)
            }
            _ => (at, at + 1),
        };
    }

    /// Draws a removable tile. The board must have one.
    #[inline(always)]
    fn draw_move(&mut self, board: &Tiles<S, N>) -> TileId {
        loop {
            let column = self.draw_below(board.width());
            let row = self.draw_below(board.height(self.replayer.isa, column));
            let id = board.tile(self.replayer.isa, column, row);
            if board.is_in_group(self.replayer.isa, id, &self.replayer.colours) {
                return id;
            }
        }
    }

    /// Draws the tolerated loss in units of the temperature. Its distribution is nearly exponential with
    /// mean 1.
    ///
    /// The logarithm is interpolated linearly between powers of two, since the system library's logarithm
    /// differs between machines.
    #[inline(always)]
    fn draw_tolerated_loss(&mut self) -> f64 {
        let bits = self.draw() | 1;
        let power = bits.leading_zeros();
        let fraction = (bits << power << 1) as f64 / (u64::MAX as f64);
        (f64::from(power + 1) - fraction) * std::f64::consts::LN_2
    }
}

/// Approximates e^`power` for `power` ≤ 0, by linear interpolation between powers of two as in
/// [`Annealing::draw_tolerated_loss`].
fn exp(power: f64) -> f64 {
    let exponent = (power / std::f64::consts::LN_2 + 1023.0).max(0.0);
    f64::from_bits((exponent * (1_u64 << 52) as f64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samegame::ScoredGame;
    use crate::samegame::random_board;
    use crate::samegame::solver::Limit;
    use columns_core::simd::{self, InstructionSet, Scalar};

    #[test]
    fn tolerances_are_distributed_exponentially() {
        let game = random_board(1, 4, 4, 4);
        let mut annealing = Annealing::<_, 16, 4>::new(Scalar, &game, Scoring::JS_GAMES, 1);
        let tolerances: Vec<f64> = (0..100_000)
            .map(|_| annealing.draw_tolerated_loss())
            .collect();
        let share = |above: f64| tolerances.iter().filter(|&&t| t > above).count() as f64 / 1e5;
        let mean = tolerances.iter().sum::<f64>() / 1e5;
        assert!((0.98..1.05).contains(&mean), "{mean}");
        assert!(tolerances.iter().all(|&t| t >= 0.0));
        for above in [0.5, 1.0, 2.0, 4.0] {
            let exact = f64::exp(-above);
            assert!((share(above) / exact - 1.0).abs() < 0.15, "{above}");
        }
    }

    #[test]
    fn games_are_copied_in_proportion_to_their_gain_in_probability() {
        for power in [0.0, -0.1, -1.0, -3.7, -20.0] {
            assert!((exp(power) / f64::exp(power) - 1.0).abs() < 0.07, "{power}");
        }
        assert_eq!(exp(-1e9), 0.0);

        let game = random_board(1, 4, 4, 4);
        let mut annealing = Annealing::<_, 16, 4>::new(Scalar, &game, Scoring::JS_GAMES, 1);
        let (tolerance, cooler) = (
            annealing.tolerance(0),
            annealing.tolerance(TEMPERATURE_STEPS),
        );
        let better = 1.0 / (1.0 / cooler.temperature - 1.0 / tolerance.temperature);
        // The first three games differ only in their scores: as the temperature falls, the weight of each
        // grows e times as much as the previous game's. The fourth game has a tile left, and is dropped
        // because the relief falls to 0.
        let games: Vec<Replica> = [(0.0, 0), (1.0, 0), (2.0, 0), (2.0, 1)]
            .map(|(times, left)| Replica {
                outcome: Outcome {
                    score: 3000.0 + times * better,
                    tiles_left: left,
                    leftover_cost: 1000.0 * left as f64,
                },
                ..annealing.new_replica(&[])
            })
            .into();
        let mut counts = [0; 4];
        for _ in 0..1000 {
            let copies = annealing.resample(&games, tolerance, cooler);
            assert_eq!(copies.len(), 4);
            for game in copies {
                let same = |other: &Replica| {
                    (other.outcome.score, other.outcome.tiles_left)
                        == (game.outcome.score, game.outcome.tiles_left)
                };
                counts[games.iter().position(same).unwrap()] += 1;
            }
        }
        let share = |game: usize| f64::from(counts[game]) / 4000.0;
        for (game, exact) in [0.09, 0.245, 0.665, 0.0].into_iter().enumerate() {
            assert!((share(game) - exact).abs() < 0.02, "{counts:?}");
        }
    }

    /// Creates a poor game by removing arbitrary groups, anneals it, and asserts that the annealed game is
    /// better.
    fn improves<const S: usize, const N: usize>(side: usize) {
        let board = random_board(side as u64, side, side, 4);
        let scoring = Scoring::JS_GAMES;
        let annealing = Annealing::<_, S, N>::new(Scalar, &board, scoring, 1);
        let empty = GameRecord::new(annealing.replayer.initial_tiles);
        let mut plain = GameRecord::new(annealing.replayer.initial_tiles);
        annealing
            .replayer
            .play(&empty, &GameChange::default(), 0.0, &mut plain);
        let game = annealing.replayer.to_cells(&plain.moves);
        let score = |game: &[Cell]| {
            let mut scored_game = ScoredGame::new(board.clone(), scoring);
            assert!(game.iter().all(|&cell| scored_game.remove_group(cell) > 0));
            assert!(scored_game.board().is_over());
            scored_game.score()
        };
        assert!((score(&game) - plain.outcome.score).abs() < 1e-6);

        let limit = 40_000;
        let clock = || 0.0;
        let games = [game.clone(), game[..1].to_vec()];
        let anneal = |cpu| {
            let mut budget_tracker = BudgetTracker::new(Limit::Nodes(limit), &clock);
            budget_tracker.nodes = 100;
            let job = AnnealKernel::<S, N> {
                board: &board,
                scoring,
                games: &games,
                seed: 1,
                budget_tracker: &mut budget_tracker,
            };
            let better = simd::run(cpu, job);
            assert!((limit - 100..=limit).contains(&budget_tracker.nodes));
            better
        };
        let better = anneal(InstructionSet::Bmi2);
        assert!(score(&better) > score(&game) + 200.0, "{}", score(&better));
        assert_eq!(better, anneal(InstructionSet::Portable));
    }

    #[test]
    #[ignore = "anneals for seconds; .ci/run plays it"]
    fn annealing_improves_games_and_spends_the_limit() {
        improves::<16, 4>(12);
        improves::<32, 16>(20);
        improves::<64, 64>(33);
    }
}
