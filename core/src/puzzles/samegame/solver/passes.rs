//! The passes that share the limit of a search.

use super::options::{Limit, Observer, Options, Solution, TooLarge, MAX_SIDE};
use super::search::{Op, Search};
use crate::beam::{self, Budget, Clock, Settings};
use crate::isa::{self, Cpu, Isa, Kernel};
use crate::puzzles::samegame::board::{Cell, SameGame, Tile};
use crate::puzzles::samegame::features::{Network, COLOURS};

/// The share of the limit that the first pass gets.
const FIRST_SHARE: f64 = 0.15;
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

/// As [`solve`], with a game that is known: all passes start from it, and what is returned scores
/// no less. Its moves from the first illegal one on are left out.
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
        let Options { limit, passes, .. } = *self.options;
        let mut observer = self.observer.take();
        let tiles = self.board.tiles_left();
        let most = match limit {
            Limit::Time(_) => u64::MAX,
            Limit::Nodes(limit) => limit / (LEAST_WIDTH * tiles as u64),
            Limit::Width(_) => 1,
        };
        let passes = most.clamp(1, passes.max(1).into()) as u32;
        let looks = observer.is_some() || self.network().is_some();
        let settings = Settings {
            // Without a second look those that are built stay.
            built_per_place: if looks { BUILT } else { 1.0 },
            max_width: usize::MAX,
            tail: TAIL,
            ..Settings::default()
        };
        let began = (self.clock)();
        let start = |pass| {
            let network = self.network();
            Search::<I, N, P, B, C>::new(
                isa,
                self.board,
                &self.colours,
                self.options,
                network,
                pass,
            )
        };
        let mut best = None;
        if !self.known.is_empty() {
            let path: Vec<Op> = self
                .known
                .iter()
                .map(|&cell| Op::at::<N, P, B>(cell))
                .collect();
            let (mut search, root) = start(0);
            let (position, _) = search.advance(root, &path, tiles);
            best = Some((position.score, path));
        }
        let (mut nodes, mut candidates, mut optimal) = (0, 0, false);
        for pass in 0..passes.saturating_mul(2) {
            let left = match limit {
                Limit::Time(seconds) => 1.0 - ((self.clock)() - began) / seconds.max(1e-9),
                Limit::Nodes(limit) => 1.0 - nodes as f64 / limit as f64,
                Limit::Width(_) => f64::from(u8::from(pass == 0)),
            };
            if pass >= passes && (left < SPARE || left * (most as f64) < 1.0) {
                break;
            }
            let share = match &best {
                None if passes > 1 => FIRST_SHARE,
                _ => left / f64::from(passes.saturating_sub(pass).max(1)),
            };
            let budget = match limit {
                Limit::Time(seconds) => Budget::Until((self.clock)() + share * seconds),
                Limit::Nodes(limit) => Budget::Nodes((share * limit as f64) as u64),
                Limit::Width(width) => Budget::Width(width),
            };
            let (mut search, mut position) = start(pass);
            search.observer = observer.take();
            let mut moves = 0;
            if let Some((_, path)) = &best {
                let [from, to] = REWIND;
                let place = from + (to - from) * (REWIND_STEP * f64::from(pass)).fract();
                (position, moves) = search.advance(position, path, (place * tiles as f64) as usize);
            }
            let last = position.tiles as usize;
            let found = beam::search(&mut search, position, last, &settings, budget, self.clock);
            search.show(position, &found.path);
            nodes += found.nodes;
            candidates += found.candidates;
            if best
                .as_ref()
                .map_or(true, |&(score, _)| found.score > score)
            {
                let mut path = best.map_or(Vec::new(), |(_, path)| path);
                path.truncate(moves);
                path.extend(&found.path);
                best = Some((found.score, path));
            }
            optimal = found.complete && moves == 0;
            if optimal {
                break;
            }
        }
        let (_, path) = best.expect("at least one pass");
        Solution {
            moves: path.iter().map(|op| op.cell::<N, P, B>()).collect(),
            nodes,
            candidates,
            optimal,
        }
    }

    /// The learned evaluation, if there is one for this board.
    fn network(&self) -> Option<&'a Network> {
        let few = self.colours.len() <= COLOURS;
        self.options.network.filter(|_| few)
    }
}
