//! Good play by the generic beam search.
//!
//! States are compared at equal numbers of removed tiles: a layer is a number of
//! tiles, and a move advances by the size of its group. A child is ranked and
//! hashed without being built, and of equal children only the best is built. With a learned
//! evaluation more are built than can stay, and that has the last word. The
//! limit is shared by several passes: the first plays the board from its start; every
//! other one plays the best game so far up to some point and searches from there, with
//! other noise on the ranks. There the whole beam is for descendants of one good state.

use super::board::{Cell, SameGame, Tile};
use super::evaluation::{ColourShape, Evaluation, HandSet, Shape};
use super::features::{self, Features, Network, COLOURS};
use super::planes::{Board, Colour, Links, Run};
use super::scoring::Scoring;
use crate::beam::{self, Budget, Children, Clock, Domain, Node, Rank, Settings};
use crate::isa::{self, Cpu, Isa, Kernel};
use crate::network::SCALE;
use std::fmt;
use std::ops::Range;

/// The largest board: columns and rows.
pub const MAX_SIDE: usize = 64;

/// A board that the solver has no representation for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge {
    width: usize,
    height: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, height } = self;
        write!(
            f,
            "the solver takes boards of up to {MAX_SIDE} × {MAX_SIDE}, this one is {width} × {height}"
        )
    }
}

impl std::error::Error for TooLarge {}

/// What a search may spend, all passes together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// Seconds from the call on.
    Time(f64),
    /// Positions built. The outcome does not depend on the machine.
    Nodes(u64),
    /// One pass from the start, so wide in every layer.
    Width(usize),
}

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options<'a> {
    /// What a game is worth.
    pub scoring: Scoring,
    /// When to stop.
    pub limit: Limit,
    /// Searches that the limit is shared by, at least 1; see the module.
    pub passes: u32,
    /// The greatest amount that the rank of a position is changed by, in points.
    pub noise: f64,
    /// Draws the noise; runs that differ in nothing else find different games.
    pub seed: u64,
    /// A learned evaluation for boards of up to [`COLOURS`] colours.
    pub network: Option<&'a Network>,
    /// Positions built for each place in the beam, with a learned evaluation, at least 1.
    pub built: f64,
}

impl Options<'_> {
    /// A second of search for a scoring.
    pub fn new(scoring: Scoring) -> Self {
        Self {
            scoring,
            limit: Limit::Time(1.0),
            passes: PASSES,
            noise: 140.0 * HandSet::scale(scoring),
            seed: 1,
            network: None,
            built: BUILT,
        }
    }
}

/// How many positions to build for each place, for most limits.
const BUILT: f64 = 3.0;

/// How many passes are good for most limits.
pub const PASSES: u32 = 40;
/// The share of the limit that the first pass gets.
const FIRST_SHARE: f64 = 0.15;
/// Between which shares of the tiles removed the other passes begin.
const REWIND: [f64; 2] = [0.0, 0.75];
/// By how much of that range each begins later than the one before, from the end going on at
/// the start: the golden section spreads any number of them evenly.
const REWIND_STEP: f64 = 0.618_034;
/// If more than this share of the limit is left after all passes, there is one more.
const SPARE: f64 = 0.02;

/// A pass gets at least this many positions for each tile.
const LEAST_WIDTH: u64 = 10;

/// A game that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// Which tiles to remove, each a cell of the board as it then is.
    pub moves: Vec<Cell>,
    /// Positions built.
    pub nodes: u64,
    /// Children ranked.
    pub candidates: u64,
    /// Whether every game has been looked at, so that none is better.
    pub optimal: bool,
}

/// Searches for a game of a high score. `clock` counts seconds.
///
/// # Errors
/// [`TooLarge`].
pub fn solve<E: Evaluation + Copy>(
    board: &SameGame,
    options: &Options,
    evaluation: E,
    clock: Clock,
) -> Result<Solution, TooLarge> {
    improve(board, &[], options, evaluation, clock)
}

/// As [`solve`], with a game that is known: all passes start from that, and what is
/// returned scores no less. Moves of it from the first illegal one on are left out.
///
/// # Errors
/// [`TooLarge`].
pub fn improve<E: Evaluation + Copy>(
    board: &SameGame,
    known: &[Cell],
    options: &Options,
    evaluation: E,
    clock: Clock,
) -> Result<Solution, TooLarge> {
    let side = board.width().max(board.height());
    if side > MAX_SIDE {
        return Err(TooLarge {
            width: board.width(),
            height: board.height(),
        });
    }
    let mut game = board.clone();
    let legal = known.iter().take_while(|&&cell| game.remove_tile(cell) > 0);
    let known = &known[..legal.count()];
    let job = Job {
        board,
        known,
        options,
        evaluation,
        clock,
        watch: None,
    };
    Ok(isa::run(Cpu::detect(), job))
}

/// Searches once, `width` positions wide, for someone who looks at the positions.
///
/// # Errors
/// [`TooLarge`].
///
/// # Panics
/// If the board has more than [`COLOURS`] colours.
pub fn watch<E: Evaluation + Copy>(
    board: &SameGame,
    width: usize,
    options: &Options,
    evaluation: E,
    watch: &mut dyn Watch,
) -> Result<Solution, TooLarge> {
    let options = &Options {
        limit: Limit::Width(width),
        ..*options
    };
    let job = Job {
        board,
        known: &[],
        options,
        evaluation,
        clock: &|| 0.0,
        watch: Some(watch),
    };
    assert!(job.colours().len() <= COLOURS, "too many colours");
    if board.width().max(board.height()) > MAX_SIDE {
        return Err(TooLarge {
            width: board.width(),
            height: board.height(),
        });
    }
    Ok(isa::run(Cpu::detect(), job))
}

/// Someone who looks at the positions of a search.
pub trait Watch {
    /// All positions of a layer that were evaluated; the first time the root.
    fn evaluated(&mut self, layer: usize, positions: Vec<Seen>);
    /// The hashes of those that survived, best first.
    fn survived(&mut self, layer: usize, hashes: Vec<u64>);
    /// The positions on the way to the best one and their layers, after the search.
    fn best(&mut self, positions: Vec<(usize, Seen)>);
}

/// What a [`Watch`] sees of a position; its values are in 1/[`SCALE`] of [`features::POINTS`].
pub type Seen = crate::network::Seen<Features>;

struct Job<'a, E> {
    board: &'a SameGame,
    known: &'a [Cell],
    options: &'a Options<'a>,
    evaluation: E,
    clock: Clock<'a>,
    watch: Option<&'a mut dyn Watch>,
}

impl<E: Evaluation + Copy> Kernel for Job<'_, E> {
    type Output = Solution;

    /// Picks the representation; the search enters the processor's features for
    /// each of its kernels.
    fn run<I: Isa>(mut self, isa: I) -> Solution {
        let colours = self.colours().len();
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

impl<'a, E: Evaluation + Copy> Job<'a, E> {
    /// The colours that occur, by their names.
    fn colours(&self) -> Vec<Tile> {
        let mut colours: Vec<Tile> = (0..self.board.width())
            .flat_map(|x| self.board.column(x).iter().flatten().copied())
            .collect();
        colours.sort_unstable();
        colours.dedup();
        colours
    }

    #[inline(never)]
    fn search<I: Isa, const N: usize, const P: usize, const B: u32, const C: usize>(
        &mut self,
        isa: I,
    ) -> Solution {
        let Options { limit, passes, .. } = *self.options;
        let mut watch = self.watch.take();
        let tiles = self.board.tiles_left();
        let most = match limit {
            Limit::Time(_) => u64::MAX,
            Limit::Nodes(limit) => limit / (LEAST_WIDTH * tiles as u64),
            Limit::Width(_) => 1,
        };
        let passes = most.clamp(1, passes.max(1).into()) as u32;
        let looks = watch.is_some() || self.network().is_some();
        let settings = Settings {
            // Without a second look those that are built stay.
            built_per_place: if looks {
                self.options.built.max(1.0)
            } else {
                1.0
            },
            max_width: usize::MAX,
            // A good game keeps large groups to the end and jumps over the last layers.
            tail: 0.1,
            ..Settings::default()
        };
        let began = (self.clock)();
        let mut best = None;
        if !self.known.is_empty() {
            let path: Vec<Op> = self
                .known
                .iter()
                .map(|&cell| Op::at::<N, P, B>(cell))
                .collect();
            let (mut game, root) = self.start::<I, N, P, B, C>(isa, 0);
            let (state, _) = game.play(root, &path, tiles);
            best = Some((state.score, path));
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
            let (mut game, mut state) = self.start::<I, N, P, B, C>(isa, pass);
            game.watch = watch.take();
            let mut moves = 0;
            if let Some((_, path)) = &best {
                let [from, to] = REWIND;
                let place = from + (to - from) * (REWIND_STEP * f64::from(pass)).fract();
                (state, moves) = game.play(state, path, (place * tiles as f64) as usize);
            }
            let last = state.tiles as usize;
            let found = beam::search(&mut game, state, last, &settings, budget, self.clock);
            game.walk(state, &found.path);
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
        let few = self.colours().len() <= COLOURS;
        self.options.network.filter(|_| few)
    }

    /// The game as the beam sees it, with the noise of a pass, and its first state.
    fn start<I: Isa, const N: usize, const P: usize, const B: u32, const C: usize>(
        &self,
        isa: I,
        pass: u32,
    ) -> (Game<'a, I, E, N, P, B, C>, State<N, P, B>) {
        let colours = self.colours();
        let mut board = Board::<N, P, B>::EMPTY;
        for column in 0..self.board.width() {
            for (row, tile) in self.board.column(column).iter().enumerate() {
                if let Some(tile) = tile {
                    let colour = colours.partition_point(|c| c < tile) + 1;
                    board.put(column, row, colour);
                }
            }
        }
        let tiles = self.board.tiles_left() as u32;
        let game = Game {
            isa,
            evaluation: self.evaluation,
            scoring: self.options.scoring,
            colours: colours.len(),
            noise: self.options.noise,
            rank_units: rank_units(self.options.scoring),
            seed: mix(self.options.seed.wrapping_add(u64::from(pass) << 32)),
            runs: Vec::new(),
            first_tiles: tiles,
            network: self.network(),
            learned_units: features::POINTS * HandSet::scale(self.options.scoring)
                / f64::from(SCALE),
            watch: None,
        };
        let root = game.root(board, tiles);
        (game, root)
    }
}

/// The group around a bit of a word.
#[derive(Debug, Clone, Copy)]
struct Op {
    word: u8,
    bit: u8,
}

impl Op {
    fn at<const N: usize, const P: usize, const B: u32>(cell: Cell) -> Self {
        let (word, bit) = Board::<N, P, B>::bit(cell.column, cell.row);
        Self {
            word: word as u8,
            bit: bit as u8,
        }
    }

    fn cell<const N: usize, const P: usize, const B: u32>(self) -> Cell {
        let (column, row) = Board::<N, P, B>::cell(self.word as usize, u32::from(self.bit));
        Cell { column, row }
    }
}

#[derive(Clone, Copy)]
struct State<const N: usize, const P: usize, const B: u32> {
    board: Board<N, P, B>,
    tiles: u32,
    points: f64,
    score: i64,
    /// By what it competes, where there was a second look.
    rank: i32,
}

/// SameGame as the beam sees it.
struct Game<'a, I, E, const N: usize, const P: usize, const B: u32, const C: usize> {
    isa: I,
    evaluation: E,
    scoring: Scoring,
    /// How many colours the first board has; their numbers are from 1 on.
    colours: usize,
    /// How many tiles it has.
    first_tiles: u32,
    noise: f64,
    rank_units: f64,
    seed: u64,
    /// Kept between calls for its memory.
    runs: Vec<Run>,
    network: Option<&'a Network>,
    /// What the network's unit is in points of the scoring.
    learned_units: f64,
    watch: Option<&'a mut dyn Watch>,
}

/// Spreads all bits over all bits (`MurmurHash3`'s finaliser).
#[inline(always)]
fn mix(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ hash >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}

/// Scores are compared as thousandths of points.
const SCORE_UNITS: f64 = 1000.0;

/// How many steps of a rank a point is: four, fewer where a scoring's numbers are so
/// large that ranks would not fit an `i32`.
fn rank_units(scoring: Scoring) -> f64 {
    let [a, b, c] = scoring.group.map(f64::abs);
    4.0 / a.max(b / 100.0).max(c / 100.0).max(1.0)
}

/// What is counted on a board: by word and colour, and in all.
struct Counts<const N: usize, const C: usize> {
    words: [[Colour; C]; N],
    hashes: [u64; N],
    colours: [Colour; C],
    tiles: [u32; C],
    hash: u64,
}

impl<const N: usize, const C: usize> Counts<N, C> {
    /// Counts a whole board.
    #[inline(always)]
    fn new<const P: usize, const B: u32>(board: &Board<N, P, B>, links: &Links<N>) -> Self {
        let mut counts = Self {
            words: [[Colour::default(); C]; N],
            hashes: [0; N],
            colours: [Colour::default(); C],
            tiles: [0; C],
            hash: 0,
        };
        for word in 0..N {
            counts.words[word] = board.count_links(links, word);
            for colour in 0..C {
                counts.colours[colour] += counts.words[word][colour];
                counts.tiles[colour] += board.cells(colour + 1, word).count_ones();
            }
            counts.hashes[word] = board.hash(word);
            counts.hash = counts.hash.wrapping_add(counts.hashes[word]);
        }
        counts
    }

    /// The sums of a child that differs in the words `changed` and in the sums of
    /// the words `counted`, and its hash.
    #[inline(always)]
    fn child<const P: usize, const B: u32>(
        &self,
        board: &Board<N, P, B>,
        links: &Links<N>,
        changed: Range<usize>,
        counted: Range<usize>,
    ) -> ([Colour; C], u64) {
        let mut colours = self.colours;
        for word in counted {
            let now: [Colour; C] = board.count_links(links, word);
            for colour in 0..C {
                colours[colour] -= self.words[word][colour];
                colours[colour] += now[colour];
            }
        }
        let hash = changed.fold(self.hash, |hash, word| {
            let change = board.hash(word).wrapping_sub(self.hashes[word]);
            hash.wrapping_add(change)
        });
        (colours, hash)
    }
}

/// The links of all cells.
#[inline(always)]
fn all_links<const N: usize, const P: usize, const B: u32>(board: &Board<N, P, B>) -> Links<N> {
    let mut links = Links {
        up: [0; N],
        right: [0; N],
    };
    for word in 0..N {
        board.link(word, &mut links);
    }
    links
}

impl<I: Isa, E: Evaluation, const N: usize, const P: usize, const B: u32, const C: usize>
    Game<'_, I, E, N, P, B, C>
{
    /// Plays moves from `state` until at least `tiles` of the first board's tiles are
    /// removed or the moves end; returns how many there were, too.
    fn play(
        &mut self,
        mut state: State<N, P, B>,
        moves: &[Op],
        tiles: usize,
    ) -> (State<N, P, B>, usize) {
        for (played, &op) in moves.iter().enumerate() {
            if (self.first_tiles - state.tiles) as usize >= tiles {
                return (state, played);
            }
            state = self.build(0, &state, op);
        }
        (state, moves.len())
    }

    fn root(&self, board: Board<N, P, B>, tiles: u32) -> State<N, P, B> {
        let left = (1..=self.colours).map(|colour| board.count(colour) as usize);
        State {
            board,
            tiles,
            points: 0.0,
            score: self.score(0.0, left),
            rank: 0,
        }
    }

    /// Shows the states on the path to someone who watches.
    fn walk(&mut self, root: State<N, P, B>, path: &[Op]) {
        if self.watch.is_none() {
            return;
        }
        let isa = self.isa;
        let mut best = Vec::new();
        let mut state = root;
        for played in 0..=path.len() {
            if played > 0 {
                state = self.build(0, &state, path[played - 1]);
            }
            let layer = (self.first_tiles - state.tiles) as usize;
            let seen = isa.enter(Look {
                game: self,
                state: &mut state,
            });
            best.push((layer, seen));
        }
        if let Some(watch) = &mut self.watch {
            watch.best(best);
        }
    }

    /// The score if the game ended here.
    fn score(&self, points: f64, left: impl Iterator<Item = usize>) -> i64 {
        (self.scoring.total(points, left) * SCORE_UNITS).round() as i64
    }

    /// What a position promises.
    #[inline(always)]
    fn value(&self, shapes: &[ColourShape; C], tiles: u32, points: f64) -> f64 {
        self.evaluation.value(&Shape {
            points,
            colours: shapes,
            tiles,
            first_tiles: self.first_tiles,
        })
    }

    /// The rank of a position: its value and the noise that its hash draws.
    #[inline(always)]
    fn ranked(&self, value: f64, hash: u64) -> i32 {
        let unit = (mix(hash ^ self.seed) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
        ((value + self.noise * unit) * self.rank_units) as i32
    }
}

/// Ranks all children of a state.
struct Expand<'a, 'g, I, E, const N: usize, const P: usize, const B: u32, const C: usize> {
    game: &'a mut Game<'g, I, E, N, P, B, C>,
    state: &'a State<N, P, B>,
    children: &'a mut Children<Op>,
}

impl<I: Isa, E: Evaluation, const N: usize, const P: usize, const B: u32, const C: usize> Kernel
    for Expand<'_, '_, I, E, N, P, B, C>
{
    type Output = ();

    #[inline(always)]
    fn run<J: Isa>(self, _: J) {
        let Self {
            game,
            state,
            children,
        } = self;
        let mut runs = std::mem::take(&mut game.runs);
        let parent = all_links(&state.board);
        let mut counts = Counts::<N, C>::new(&state.board, &parent);
        let mut child = state.board;
        let mut links = parent;
        let mut rest = [0; N];
        for word in 0..N {
            rest[word] = Board::<N, P, B>::linked(&links, word);
        }
        for word in 0..N {
            while rest[word] != 0 {
                let seed = rest[word] & rest[word].wrapping_neg();
                let bit = seed.trailing_zeros();
                let size =
                    Board::<N, P, B>::take_group(&parent, &mut rest, (word, seed), &mut runs);
                let colour = state.board.colour(word, bit) - 1;
                let changed = child.remove(&runs);

                // Links look one word to the right, sums one to each side.
                let linked = changed.start.saturating_sub(1)..changed.end;
                let counted = linked.start..(changed.end + 1).min(N);
                for word in linked.clone() {
                    child.link(word, &mut links);
                }
                counts.tiles[colour] -= size;
                let (colours, hash) = counts.child(&child, &links, changed, counted);
                let hash = mix(hash);
                let shapes = std::array::from_fn(|i| ColourShape {
                    tiles: counts.tiles[i],
                    singles: counts.tiles[i] - colours[i].linked(),
                    pairs: colours[i].pairs(),
                    squares: colours[i].squares(),
                });
                let tiles = state.tiles - size;
                let points = state.points + game.scoring.group_points(size as usize);
                let value = game.ranked(game.value(&shapes, tiles, points), hash);
                let op = Op {
                    word: word as u8,
                    bit: bit as u8,
                };
                let rank = Rank {
                    value,
                    ..Rank::default()
                };
                children.push_hashed(size, op, rank, hash);

                counts.tiles[colour] += size;
                for word in linked {
                    child.words[word] = state.board.words[word];
                    links.up[word] = parent.up[word];
                    links.right[word] = parent.right[word];
                }
            }
        }
        game.runs = runs;
    }
}

/// Makes a child.
struct Build<'a, 'g, I, E, const N: usize, const P: usize, const B: u32, const C: usize> {
    game: &'a mut Game<'g, I, E, N, P, B, C>,
    parent: &'a State<N, P, B>,
    op: Op,
}

impl<I: Isa, E: Evaluation, const N: usize, const P: usize, const B: u32, const C: usize> Kernel
    for Build<'_, '_, I, E, N, P, B, C>
{
    type Output = State<N, P, B>;

    #[inline(always)]
    fn run<J: Isa>(self, _: J) -> State<N, P, B> {
        let Self { game, parent, op } = self;
        let mut board = parent.board;
        let links = all_links(&board);
        let mut rest = [0; N];
        for word in 0..N {
            rest[word] = Board::<N, P, B>::linked(&links, word);
        }
        let place = (op.word as usize, 1 << op.bit);
        let size = Board::<N, P, B>::take_group(&links, &mut rest, place, &mut game.runs);
        board.remove(&game.runs);
        let points = parent.points + game.scoring.group_points(size as usize);
        let left = (1..=game.colours).map(|colour| board.count(colour) as usize);
        let score = game.score(points, left);
        State {
            board,
            tiles: parent.tiles - size,
            points,
            score,
            rank: 0,
        }
    }
}

/// Looks at a state a second time.
struct Look<'a, 'g, I, E, const N: usize, const P: usize, const B: u32, const C: usize> {
    game: &'a Game<'g, I, E, N, P, B, C>,
    state: &'a mut State<N, P, B>,
}

impl<I: Isa, E: Evaluation, const N: usize, const P: usize, const B: u32, const C: usize> Kernel
    for Look<'_, '_, I, E, N, P, B, C>
{
    type Output = Seen;

    #[inline(always)]
    fn run<J: Isa>(self, isa: J) -> Seen {
        let Self { game, state } = self;
        let (shapes, features) = state.board.describe::<C>(game.colours);
        let value = game.value(&shapes, state.tiles, state.points);
        let learned = game
            .network
            .map_or(0, |network| network.value(isa, &features));
        let hash = game.hash(state);
        state.rank = game.ranked(value + game.learned_units * f64::from(learned), hash);
        let base = (value / game.learned_units) as i32;
        Seen {
            hash,
            value: base + learned,
            base,
            features,
        }
    }
}

impl<I: Isa, E: Evaluation, const N: usize, const P: usize, const B: u32, const C: usize> Domain
    for Game<'_, I, E, N, P, B, C>
{
    type State = State<N, P, B>;
    type Op = Op;

    fn expand(&mut self, _: usize, state: &Self::State, children: &mut Children<Op>) {
        let isa = self.isa;
        isa.enter(Expand {
            game: self,
            state,
            children,
        });
    }

    fn build(&mut self, _: usize, parent: &Self::State, op: Op) -> Self::State {
        let isa = self.isa;
        isa.enter(Build {
            game: self,
            parent,
            op,
        })
    }

    /// Children are listed with this.
    fn hash(&self, state: &Self::State) -> u64 {
        mix((0..N).fold(0, |hash, word| hash.wrapping_add(state.board.hash(word))))
    }

    /// Without a network and someone who watches nothing is left to do: as many are built as may
    /// stay, and they stay in the order of the candidates.
    fn evaluate(&mut self, _: usize, nodes: &mut [Node<Self::State>]) {
        if self.network.is_none() && self.watch.is_none() {
            return;
        }
        let isa = self.isa;
        let mut all = Vec::new();
        for node in nodes.iter_mut() {
            let seen = isa.enter(Look {
                game: self,
                state: &mut node.state,
            });
            if self.watch.is_some() {
                all.push(seen);
            }
        }
        if let (Some(watch), Some(first)) = (&mut self.watch, nodes.first()) {
            let layer = self.first_tiles - first.state.tiles;
            watch.evaluated(layer as usize, all);
        }
    }

    fn survivors(&mut self, layer: usize, nodes: &[Node<Self::State>]) {
        if self.watch.is_none() {
            return;
        }
        let hashes = nodes.iter().map(|node| self.hash(&node.state)).collect();
        if let Some(watch) = &mut self.watch {
            watch.survived(layer, hashes);
        }
    }

    fn rank(&self, state: &Self::State) -> Rank {
        Rank {
            value: state.rank,
            ..Rank::default()
        }
    }

    fn score(&self, state: &Self::State) -> i64 {
        state.score
    }
}
