//! The passes that share the limit of a search, and all that comes before them.

use super::options::{Limit, Observer, Options, Solution, TooLarge, MAX_SIDE};
use super::purse::Purse;
use super::search::{Op, Position, Search};
use crate::beam::{self, Budget, Clock, Found, Settings};
use crate::isa::{self, Cpu, Isa, Kernel};
use crate::puzzles::samegame::board::{Cell, SameGame, Tile};
use crate::puzzles::samegame::features::{Network, COLOURS};

/// The share of the limit that the first pass gets.
const FIRST_SHARE: f64 = 0.04;
/// The share of what is then left that the stages get.
const STAGES_SHARE: f64 = 0.75;
/// The other passes begin where a share of the tiles between these two is removed.
const REWIND: [f64; 2] = [0.0, 0.75];
/// Each begins this share of that range later than the one before, and past the end of the range
/// from its start again: the golden section spreads any number of them evenly.
const REWIND_STEP: f64 = 0.618_034;
/// If more than this share of the limit is left after all passes, there is one more.
const SPARE: f64 = 0.02;
/// The share of the layers that the beam plans as cheap: a good game keeps large groups to the end
/// and jumps over the last layers.
const TAIL: f64 = 0.1;
/// Positions that are built for each place in the beam where they get a second look.
const BUILT: f64 = 3.0;
/// A pass gets at least this many positions for each tile.
const LEAST_WIDTH: u64 = 10;

/// Searches for a game of a high score. `clock` counts seconds.
///
/// # Errors
/// [`TooLarge`].
pub fn solve(board: &SameGame, options: &Options, clock: Clock) -> Result<Solution, TooLarge> {
    improve(board, &[], options, clock)
}

/// As [`solve`], with a game that is known: passes go on from it unless a better one is found first,
/// and what is returned scores no less. Its moves from the first illegal one on are left out.
///
/// # Errors
/// [`TooLarge`].
pub fn improve(
    board: &SameGame,
    known: &[Cell],
    options: &Options,
    clock: Clock,
) -> Result<Solution, TooLarge> {
    let mut game = board.clone();
    let legal = known.iter().take_while(|&&cell| game.remove_tile(cell) > 0);
    Job {
        board,
        colours: colours(board),
        known: &known[..legal.count()],
        options,
        clock,
        observer: None,
    }
    .run_here()
}

/// Searches once, `width` positions wide, and shows all positions to an observer.
///
/// # Errors
/// [`TooLarge`].
///
/// # Panics
/// If the board has more than [`COLOURS`] colours.
pub fn observe(
    board: &SameGame,
    width: usize,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Solution, TooLarge> {
    let options = &Options {
        limit: Limit::Width(width),
        ..*options
    };
    let colours = colours(board);
    assert!(colours.len() <= COLOURS, "too many colours");
    Job {
        board,
        colours,
        known: &[],
        options,
        clock: &|| 0.0,
        observer: Some(observer),
    }
    .run_here()
}

/// The colours that occur, by their names.
fn colours(board: &SameGame) -> Vec<Tile> {
    let mut colours: Vec<Tile> = (0..board.width())
        .flat_map(|x| board.column(x).iter().flatten().copied())
        .collect();
    colours.sort_unstable();
    colours.dedup();
    colours
}

/// A search that is asked for.
struct Job<'a> {
    board: &'a SameGame,
    colours: Vec<Tile>,
    /// A legal game to start from, which may be empty.
    known: &'a [Cell],
    options: &'a Options<'a>,
    clock: Clock<'a>,
    observer: Option<&'a mut dyn Observer>,
}

impl Kernel for Job<'_> {
    type Output = Solution;

    /// Picks the representation; the search enters the processor's features for
    /// each of its kernels.
    fn run<I: Isa>(mut self, isa: I) -> Solution {
        let colours = self.colours.len();
        match self.board.width().max(self.board.height()) {
            ..=16 if colours <= 5 => self.search::<I, 4, 3, 16, 5>(isa),
            ..=16 if colours <= 7 => self.search::<I, 4, 3, 16, 7>(isa),
            ..=16 => self.search::<I, 4, 6, 16, 62>(isa),
            17..=32 if colours <= 7 => self.search::<I, 16, 3, 32, 7>(isa),
            17..=32 => self.search::<I, 16, 6, 32, 62>(isa),
            _ if colours <= 7 => self.search::<I, 64, 3, 64, 7>(isa),
            _ => self.search::<I, 64, 6, 64, 62>(isa),
        }
    }
}

impl<'a> Job<'a> {
    /// Searches with all that this processor has.
    fn run_here(self) -> Result<Solution, TooLarge> {
        let (width, height) = (self.board.width(), self.board.height());
        if width.max(height) > MAX_SIDE {
            return Err(TooLarge { width, height });
        }
        if self.colours.is_empty() {
            return Ok(Solution {
                moves: Vec::new(),
                nodes: 0,
                candidates: 0,
                optimal: true,
            });
        }
        Ok(isa::run(Cpu::detect(), self))
    }

    /// All passes, on boards of one representation.
    #[inline(never)]
    fn search<I: Isa, const N: usize, const P: usize, const B: u32, const C: usize>(
        &mut self,
        isa: I,
    ) -> Solution {
        let options = self.options;
        let network = self.network();
        let (search, root) =
            Search::<I, N, P, B, C>::new(isa, self.board, &self.colours, options, network);
        let settings = Settings {
            // Without a second look those that are built stay.
            built_per_place: if network.is_some() || self.observer.is_some() {
                BUILT
            } else {
                1.0
            },
            max_width: usize::MAX,
            tail: TAIL,
            ..Settings::default()
        };
        let mut passes = Passes {
            search,
            root,
            options,
            settings,
            purse: Purse::new(options.limit, self.clock),
            drawn: 0,
            candidates: 0,
            best: None,
        };
        passes.search.observer = self.observer.take();
        let optimal = passes.run(self.known);
        let (_, path) = passes.best.expect("at least one pass");
        Solution {
            moves: path.iter().map(|op| op.cell::<N, P, B>()).collect(),
            nodes: passes.purse.nodes,
            candidates: passes.candidates,
            optimal,
        }
    }

    /// The learned evaluation, if there is one for this board.
    fn network(&self) -> Option<&'a Network> {
        let few = self.colours.len() <= COLOURS;
        self.options.network.filter(|_| few)
    }
}

/// The passes of a search, on boards of one representation.
pub(super) struct Passes<'a, I, const N: usize, const P: usize, const B: u32, const C: usize> {
    pub(super) search: Search<'a, I, N, P, B, C>,
    pub(super) root: Position<N, P, B>,
    options: &'a Options<'a>,
    pub(super) settings: Settings,
    pub(super) purse: Purse<'a>,
    /// How often noise was drawn.
    drawn: u32,
    candidates: u64,
    /// The best game so far and its score.
    best: Option<(i64, Vec<Op>)>,
}

impl<I: Isa, const N: usize, const P: usize, const B: u32, const C: usize>
    Passes<'_, I, N, P, B, C>
{
    /// Plays the stages and all passes, with a game that is known; returns whether every game was
    /// looked at.
    fn run(&mut self, known: &[Cell]) -> bool {
        if !known.is_empty() {
            let path: Vec<Op> = known.iter().map(|&cell| Op::at::<N, P, B>(cell)).collect();
            let (position, _) = self.search.advance(self.root, &path, self.tiles());
            self.best = Some((position.score, path));
        }
        let most = match self.options.limit {
            Limit::Time(_) => u64::MAX,
            Limit::Nodes(limit) => limit / (LEAST_WIDTH * self.tiles() as u64),
            Limit::Width(_) => 1,
        };
        let passes = most.clamp(1, self.options.passes.max(1).into()) as u32;
        let first = if passes > 1 { FIRST_SHARE } else { 1.0 };
        let budget = self.purse.budget(first);
        if self.play(self.root, &[], budget).complete {
            return true;
        }
        if passes > 1 {
            self.stages(self.purse.left() * STAGES_SHARE);
        }
        for pass in 1..passes.saturating_mul(2) {
            let left = self.purse.left();
            if pass >= passes && (left < SPARE || left * (most as f64) < 1.0) {
                break;
            }
            let (_, path) = self.best.clone().expect("the first pass found a game");
            let [from, to] = REWIND;
            let place = from + (to - from) * (REWIND_STEP * f64::from(pass)).fract();
            let tiles = (place * self.tiles() as f64) as usize;
            let (position, moves) = self.search.advance(self.root, &path, tiles);
            let share = left / f64::from(passes.saturating_sub(pass).max(1));
            let budget = self.purse.budget(share);
            if self.play(position, &path[..moves], budget).complete && moves == 0 {
                return true;
            }
        }
        false
    }

    /// The tiles of the first board.
    pub(super) fn tiles(&self) -> usize {
        self.search.first_tiles as usize
    }

    /// Searches from a position that `moves` lead to, with noise of its own. Keeps the game if it
    /// is the best so far.
    pub(super) fn play(
        &mut self,
        position: Position<N, P, B>,
        moves: &[Op],
        budget: Budget,
    ) -> Found<Op> {
        self.draw();
        let last = position.tiles as usize;
        let clock = self.purse.clock;
        let found = beam::search(
            &mut self.search,
            position,
            last,
            &self.settings,
            budget,
            clock,
        );
        self.search.show(position, &found.path);
        self.search.observer = None;
        self.count(&found);
        if self
            .best
            .as_ref()
            .map_or(true, |&(score, _)| found.score > score)
        {
            self.best = Some((found.score, [moves, &found.path].concat()));
        }
        found
    }

    /// Draws noise that was not drawn before.
    pub(super) fn draw(&mut self) {
        self.search.draw(self.options, self.drawn);
        self.drawn += 1;
    }

    /// Counts what a search has spent.
    pub(super) fn count(&mut self, found: &Found<Op>) {
        self.purse.nodes += found.nodes;
        self.candidates += found.candidates;
    }
}
