//! A game in play, for a case of any size and palette.
//!
//! A [`Simulator`] picks the layout of the field and the instructions of the processor by itself. It
//! is a plain value: a search copies it and plays on in the copy.
//!
//! ```
//! use columns_core::rules::case::Case;
//! use columns_core::rules::plan::Placement;
//! use columns_core::simulator::Simulator;
//!
//! let case: Case = "6 13\n2\naab\nbba\n".parse()?;
//! let mut game = Simulator::new(&case);
//! // b          The first column lies on stack 0 with its `b` on top, the second one beside it, turned
//! // a a        so that its `a` lies at the bottom: nothing matches.
//! game.place(Placement { stack: 0, shift: 0 })?;
//! let chain = game.place(Placement { stack: 1, shift: 2 })?;
//! assert_eq!((chain.steps, game.points()), (0, 0));
//! // One more `a` on stack 2 would clear the lowest row, for 47 points.
//! let a = game.cell(0, 0).unwrap();
//! assert_eq!(game.fire(2, &[a]).steps, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::field::{Chain, Field};
use crate::rules::case::{Case, Colour, Column, MATCH_POINTS};
use crate::rules::naive::GameOver;
use crate::rules::notation::Rows;
use crate::rules::plan::Placement;
use crate::simd::{run, Cpu, Isa, Kernel};

/// The field, in the layout that suits the case: up to 6 and 12 stacks; up to 7, 15 and 26 colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Board {
    Narrow7(Field<2, 3>),
    Narrow15(Field<2, 4>),
    Narrow26(Field<2, 5>),
    Wide7(Field<4, 3>),
    Wide15(Field<4, 4>),
    Wide26(Field<4, 5>),
}

/// Does the same with the field of any layout.
macro_rules! with_field {
    ($board:expr, $field:ident => $value:expr) => {
        match $board {
            Board::Narrow7($field) => $value,
            Board::Narrow15($field) => $value,
            Board::Narrow26($field) => $value,
            Board::Wide7($field) => $value,
            Board::Wide15($field) => $value,
            Board::Wide26($field) => $value,
        }
    };
}

/// A game in play.
#[derive(Debug, Clone, Copy)]
pub struct Simulator<'c> {
    case: &'c Case,
    cpu: Cpu,
    board: Board,
    placed: usize,
    points: u64,
}

impl<'c> Simulator<'c> {
    /// The game of a case before its first column.
    pub fn new(case: &'c Case) -> Self {
        let colours = case.palette().last().map_or(0, |colour| colour.index() + 1);
        let board = match (case.width(), colours) {
            (..=6, ..=7) => Board::Narrow7(Field::EMPTY),
            (..=6, 8..=15) => Board::Narrow15(Field::EMPTY),
            (..=6, _) => Board::Narrow26(Field::EMPTY),
            (_, ..=7) => Board::Wide7(Field::EMPTY),
            (_, 8..=15) => Board::Wide15(Field::EMPTY),
            (_, _) => Board::Wide26(Field::EMPTY),
        };
        Self {
            case,
            cpu: Cpu::detect(),
            board,
            placed: 0,
            points: 0,
        }
    }

    /// The case.
    pub fn case(&self) -> &'c Case {
        self.case
    }

    /// The number of columns placed.
    pub fn placed(&self) -> usize {
        self.placed
    }

    /// The points so far.
    pub fn points(&self) -> u64 {
        self.points
    }

    /// The next column; `None` after the last one.
    pub fn column(&self) -> Option<Column> {
        self.case.columns().get(self.placed).copied()
    }

    /// Places the next column, clears and settles. Returns what that pays.
    ///
    /// # Errors
    /// [`GameOver`] if the column does not fit, or if there is none; the game is then unchanged.
    ///
    /// # Panics
    /// If the stack lies outside of the field.
    pub fn place(&mut self, placement: Placement) -> Result<Chain, GameOver> {
        let Placement { stack, shift } = placement;
        assert!(stack < self.case.width(), "there is no stack {stack}");
        let codes = self
            .column()
            .ok_or(GameOver)?
            .shifted(shift)
            .map(|jewels| jewels.map(code));
        let height = self.case.height() as u32;
        let chain = with_field!(&mut self.board, field => {
            let (chain, after) = run(self.cpu, Place { field, height, stack, codes }).ok_or(GameOver)?;
            *field = after;
            chain
        });
        self.points += u64::from(chain.points) * MATCH_POINTS;
        self.placed += 1;
        Ok(chain)
    }

    /// Plays what up to three jewels (bottom to top) on a stack would set off, whatever the next
    /// column is; the game stays as it is. They may reach two rows above the rim, but not more.
    ///
    /// # Panics
    /// If the stack lies outside of the field, or if there are more jewels or less room.
    pub fn fire(&self, stack: usize, jewels: &[Colour]) -> Chain {
        let top = self.stack_height(stack) + jewels.len();
        assert!(
            jewels.len() <= 3 && top <= self.case.height() + 2,
            "there is no room"
        );
        let mut codes = [0; 3];
        for (to, &jewel) in codes.iter_mut().zip(jewels) {
            *to = code(jewel);
        }
        with_field!(&self.board, field => run(self.cpu, Fire { field, stack, codes }))
    }

    /// The number of jewels on a stack.
    ///
    /// # Panics
    /// If the stack lies outside of the field.
    pub fn stack_height(&self, stack: usize) -> usize {
        assert!(stack < self.case.width(), "there is no stack {stack}");
        with_field!(&self.board, field => field.stack_height(stack)) as usize
    }

    /// The jewel at a cell; `None` if the cell is empty or outside of the field.
    pub fn cell(&self, stack: usize, row: usize) -> Option<Colour> {
        if stack >= self.case.width() || row >= self.case.height() {
            return None;
        }
        let code = with_field!(&self.board, field => field.cell(stack, row as u32));
        let index = usize::from(code).checked_sub(1)?;
        Some(Colour::from_index(index))
    }

    /// All cells, by row from the floor up; [`format`](crate::rules::notation::format) writes them as
    /// text.
    pub fn field(&self) -> Rows {
        let row = |y| (0..self.case.width()).map(|x| self.cell(x, y)).collect();
        (0..self.case.height()).map(row).collect()
    }

    /// A hash of the field.
    pub fn hash(&self) -> u64 {
        with_field!(&self.board, field => field.hash())
    }
}

/// The code of a colour: 1 for `a`.
fn code(colour: Colour) -> u8 {
    colour.index() as u8 + 1
}

/// Places a column.
struct Place<'a, const W: usize, const P: usize> {
    field: &'a Field<W, P>,
    height: u32,
    stack: usize,
    codes: Option<[u8; 3]>,
}

impl<const W: usize, const P: usize> Kernel for Place<'_, W, P> {
    type Output = Option<(Chain, Field<W, P>)>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        self.field.placed(isa, self.height, self.stack, self.codes)
    }
}

/// Sets off a chain.
struct Fire<'a, const W: usize, const P: usize> {
    field: &'a Field<W, P>,
    stack: usize,
    codes: [u8; 3],
}

impl<const W: usize, const P: usize> Kernel for Fire<'_, W, P> {
    type Output = Chain;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Chain {
        let y = self.field.stack_height(self.stack);
        self.field
            .drop_and_resolve(isa, self.stack, y, self.codes, 1)
            .0
    }
}
