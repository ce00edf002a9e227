//! The entry points of the solver, and the phases that share the limit of a search.

use super::anneal::AnnealKernel;
use super::budget_tracker::BudgetTracker;
use super::options::{MAX_SIDE, Options, Solution};
use super::search::{Move, Position, Search};
use crate::samegame::board::{Board, Cell, Tile};
use columns_core::beam::{self, Budget, Clock, Game, SearchResult, Settings};
use columns_core::simd;

/// Share of the limit for the first beam.
const FIRST_SHARE: f64 = 0.04;
/// Share of the remaining limit for the stages. Annealing gets the rest.
const STAGES_SHARE: f64 = 0.3;
/// Share of the layers, counted from the last one, that the beam expects to be cheap. Good games keep large
/// groups until the end, and so skip most of these layers.
const CHEAP_LAYERS_SHARE: f64 = 0.1;

/// Searches for a game with a high score. `clock` returns the time in seconds, from any origin.
///
/// # Panics
/// If the board has more than [`MAX_SIDE`] columns or rows.
pub fn solve(board: &Board, options: &Options, clock: Clock) -> Solution {
    improve(board, &[], options, clock)
}

/// Searches like [`solve`], and returns a game that scores at least as much as `known_moves`.
///
/// Annealing also starts from the known game, unless an earlier phase finds a better one. If a move of the
/// known game is illegal, that move and all later ones are ignored.
///
/// # Panics
/// If the board has more than [`MAX_SIDE`] columns or rows.
pub fn improve(board: &Board, known_moves: &[Cell], options: &Options, clock: Clock) -> Solution {
    let mut game = board.clone();
    let legal = known_moves
        .iter()
        .take_while(|&&cell| game.remove_group(cell) > 0);
    Job {
        board,
        colours: board.colours(),
        known_moves: &known_moves[..legal.count()],
        options,
        clock,
    }
    .run()
}

/// A search of a board. Its fields are the arguments of [`improve`], and the board's colours.
struct Job<'a> {
    board: &'a Board,
    colours: Vec<Tile>,
    /// A legal game to improve, or no moves.
    known_moves: &'a [Cell],
    options: &'a Options,
    clock: Clock<'a>,
}

impl Job<'_> {
    /// Picks the representation of the board by its size and its number of colours, and searches.
    fn run(self) -> Solution {
        let side = self.board.width().max(self.board.height());
        assert!(
            side <= MAX_SIDE,
            "a board has at most {MAX_SIDE} columns and rows"
        );
        match (side, self.colours.len()) {
            (_, 0) => Solution {
                moves: Vec::new(),
                nodes: 0,
                children: 0,
                is_optimal: true,
            },
            (..=16, ..=5) => self.run_phases::<4, 3, 16, 5>(),
            (..=16, ..=7) => self.run_phases::<4, 3, 16, 7>(),
            (..=16, _) => self.run_phases::<4, 6, 16, 62>(),
            (17..=32, ..=7) => self.run_phases::<16, 3, 32, 7>(),
            (17..=32, _) => self.run_phases::<16, 6, 32, 62>(),
            (_, ..=7) => self.run_phases::<64, 3, 64, 7>(),
            (_, _) => self.run_phases::<64, 6, 64, 62>(),
        }
    }

    /// Runs all phases on one representation of the board.
    fn run_phases<const N: usize, const P: usize, const B: u32, const C: usize>(&self) -> Solution {
        let options = self.options;
        let (search, root) = Search::<N, P, B, C>::new(self.board, &self.colours, options);
        let settings = Settings::default()
            .with_built_per_place(1.0)
            .with_max_width(usize::MAX)
            .with_cheap_layer_share(CHEAP_LAYERS_SHARE);
        let mut phases = Phases {
            board: self.board,
            search,
            root,
            options,
            settings,
            budget_tracker: BudgetTracker::new(options.limit, self.clock),
            search_count: 0,
            children: 0,
            best: None,
        };
        let is_optimal = phases.run(self.known_moves);
        let (_, path) = phases.best.expect("at least one beam");
        Solution {
            moves: path.iter().map(|mv| mv.to_cell::<N, P, B>()).collect(),
            nodes: phases.budget_tracker.nodes,
            children: phases.children,
            is_optimal,
        }
    }
}

/// The state of a search on one representation of the board.
pub(super) struct Phases<'a, const N: usize, const P: usize, const B: u32, const C: usize> {
    board: &'a Board,
    pub(super) search: Search<N, P, B, C>,
    pub(super) root: Position<N, P, B>,
    options: &'a Options,
    pub(super) settings: Settings,
    pub(super) budget_tracker: BudgetTracker<'a>,
    /// Number of searches so far. Each has its own noise.
    search_count: u32,
    /// Number of children ranked.
    children: u64,
    /// The score and the moves of the best game so far.
    best: Option<(i64, Vec<Move>)>,
}

impl<const N: usize, const P: usize, const B: u32, const C: usize> Phases<'_, N, P, B, C> {
    /// Runs all phases, or only the first one if its beam proves that no game is better. `known_moves` is a
    /// game to improve, or empty. Returns true if there is such a proof.
    fn run(&mut self, known_moves: &[Cell]) -> bool {
        if !known_moves.is_empty() {
            self.replay(known_moves);
        }
        let budget = self.budget_tracker.budget(FIRST_SHARE);
        let is_complete = self.search_from(self.root, &[], budget).is_complete;
        if is_complete && self.search.is_exact() {
            return true;
        }
        let games = self.run_stages(self.budget_tracker.share_left() * STAGES_SHARE);
        self.anneal(&games);
        false
    }

    /// Anneals the best game so far and `others` until the limit is reached.
    fn anneal(&mut self, others: &[Vec<Move>]) {
        let (_, best) = self.best.as_ref().expect("the first beam found a game");
        let cells = |game: &Vec<Move>| game.iter().map(|mv| mv.to_cell::<N, P, B>()).collect();
        let games: Vec<Vec<Cell>> = [best].into_iter().chain(others).map(cells).collect();
        let game = match self.board.width().max(self.board.height()) {
            ..=16 => self.anneal_games::<16, 4>(&games),
            17..=32 => self.anneal_games::<32, 16>(&games),
            _ => self.anneal_games::<64, 64>(&games),
        };
        self.replay(&game);
    }

    /// Anneals games on a board of up to `S` columns and rows, and returns the best game.
    fn anneal_games<const S: usize, const T: usize>(&mut self, games: &[Vec<Cell>]) -> Vec<Cell> {
        let anneal = AnnealKernel::<S, T> {
            board: self.board,
            scoring: self.options.scoring,
            games,
            seed: self.options.seed,
            budget_tracker: &mut self.budget_tracker,
        };
        simd::run(self.search.cpu, anneal)
    }

    /// Replays a game from the start, and keeps it if it is the best so far.
    fn replay(&mut self, game: &[Cell]) {
        let path: Vec<Move> = game
            .iter()
            .map(|&cell| Move::from_cell::<N, P, B>(cell))
            .collect();
        let mut end = self.root;
        for &mv in &path {
            self.search.build(0, mv, None, &mut end);
        }
        self.keep_if_best(end.score, &path);
    }

    fn keep_if_best(&mut self, score: i64, path: &[Move]) {
        if self.best.as_ref().is_none_or(|&(best, _)| score > best) {
            self.best = Some((score, path.to_vec()));
        }
    }

    pub(super) fn initial_tile_count(&self) -> usize {
        self.search.initial_tile_count as usize
    }

    /// Searches from a position with new noise. `moves` holds the moves that lead to this position. The path
    /// of the result begins with them. Keeps the game if it is the best so far.
    pub(super) fn search_from(
        &mut self,
        position: Position<N, P, B>,
        moves: &[Move],
        budget: Budget,
    ) -> SearchResult<Move> {
        self.seed_noise();
        let last = position.tiles_left as usize;
        let clock = self.budget_tracker.clock;
        let mut result = beam::search(
            &mut self.search,
            position,
            last,
            &self.settings,
            budget,
            &|_| clock(),
            &mut (),
        );
        self.add_costs(&result);
        result.path = [moves, &result.path].concat();
        self.keep_if_best(result.score, &result.path);
        result
    }

    /// Seeds the noise of the next search.
    pub(super) fn seed_noise(&mut self) {
        self.search.seed_noise(self.options, self.search_count);
        self.search_count += 1;
    }

    /// Adds the positions and children of a search to the totals.
    pub(super) fn add_costs(&mut self, result: &SearchResult<Move>) {
        self.budget_tracker.nodes += result.costs.nodes;
        self.children += result.costs.listed_children;
    }
}
