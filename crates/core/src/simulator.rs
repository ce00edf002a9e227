//! A game in progress, for a case of any size and palette.
//!
//! A [`Simulator`] chooses the layout of the field and the instruction set. It is `Copy`, so a search can
//! copy the game and continue in the copy.
//!
//! ```
//! use columns_core::rules::case::Case;
//! use columns_core::rules::plan::Placement;
//! use columns_core::simulator::{Simulator, Trigger};
//!
//! let case: Case = "6 13\n2\naab\nbba\n".parse()?;
//! let mut game = Simulator::new(&case);
//! // b b    The first column lies on stack 0, the second one, shifted twice, on stack 1:
//! // a b    nothing matches.
//! // a a
//! game.place(Placement { stack: 0, shift: 0 })?;
//! let chain = game.place(Placement { stack: 1, shift: 2 })?;
//! assert_eq!((chain.steps, game.points()), (0, 0));
//! // One more `a` on stack 2 would clear the lowest row, for 47 points.
//! let trigger = Trigger { stack: 2, colour: game.cell(0, 0).unwrap(), is_on_filler: false };
//! assert_eq!(game.simulate_trigger(trigger).steps, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use crate::field::Chain;
use crate::field::lines::find_completing_colours;
use crate::field::{self, FLOOR, Field, Layout, Mask, PlaceKernel};
use crate::for_layout;
use crate::rules::case::{Case, Colour, Column, MATCH_POINTS, MAX_COLOURS};
pub use crate::rules::naive::GameOver;
use crate::rules::notation::Rows;
use crate::rules::plan::Placement;
use crate::simd::{Cells, InstructionSet, Isa, Kernel, run};

/// The field, in the smallest layout for the case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Board {
    Narrow7(Field<2, 3>),
    Narrow15(Field<2, 4>),
    Narrow26(Field<2, 5>),
    Wide7(Field<4, 3>),
    Wide15(Field<4, 4>),
    Wide26(Field<4, 5>),
}

/// Evaluates `$value` with `$field` bound to the field of `$board`, for any layout.
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

/// A jewel that would set off a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trigger {
    /// The stack that the jewel falls onto.
    pub stack: usize,
    /// The colour of the jewel. A colour outside the palette of the case sets off nothing.
    pub colour: Colour,
    /// True if the jewel lies on a filler: a jewel of the same column that matches nothing. False if it lies
    /// on the stack itself.
    pub is_on_filler: bool,
}

impl Trigger {
    /// Converts to a [`field::Trigger`], which has a code instead of a colour.
    fn to_field_trigger(self) -> field::Trigger {
        field::Trigger {
            stack: self.stack as u8,
            code: code(self.colour),
            is_on_filler: self.is_on_filler,
        }
    }
}

/// A game in progress: the field, the points, and the next column.
#[derive(Debug, Clone, Copy)]
pub struct Simulator<'c> {
    case: &'c Case,
    cpu: InstructionSet,
    board: Board,
    /// The highest colour code in the case, from 1 for `a`; 0 if all columns are magic.
    colours: u8,
    placed_columns: usize,
    points: u64,
}

impl<'c> Simulator<'c> {
    /// Starts a game with an empty field.
    pub fn new(case: &'c Case) -> Self {
        let colours = case.palette().last().map_or(0, |colour| colour.index() + 1);
        macro_rules! empty_board {
            ($name:ident, $words:literal, $planes:literal) => {
                Board::$name(Field::EMPTY)
            };
        }
        Self {
            case,
            cpu: InstructionSet::detect(),
            board: for_layout!(Layout::smallest(case.width(), colours), empty_board),
            colours: colours as u8,
            placed_columns: 0,
            points: 0,
        }
    }

    /// Returns the case of this game, including the columns that have landed.
    pub fn case(&self) -> &'c Case {
        self.case
    }

    /// Returns the number of columns that have landed, which is the index of the next column in
    /// [`Case::columns`].
    pub fn placed_columns(&self) -> usize {
        self.placed_columns
    }

    /// Returns the points so far, as the problem statement counts them. [`Chain::points`] counts in units of
    /// [`MATCH_POINTS`].
    pub fn points(&self) -> u64 {
        self.points
    }

    /// Returns the next column, or `None` after the last one.
    pub fn next_column(&self) -> Option<Column> {
        self.case.columns().get(self.placed_columns).copied()
    }

    /// Places the next column, and plays its chain. Returns the chain, with points in units of
    /// [`MATCH_POINTS`].
    ///
    /// # Errors
    /// Returns an error if the column does not fit, or if no column is left; the game is then
    /// unchanged.
    ///
    /// # Panics
    /// If the stack lies outside the field, or if the placement has more than two shifts.
    pub fn place(&mut self, placement: Placement) -> Result<Chain, GameOver> {
        let Placement { stack, shift } = placement;
        let is_valid = stack < self.case.width() && shift <= 2;
        assert!(is_valid, "{placement:?} is no placement on this field");
        let jewels = self.next_column().ok_or(GameOver)?.shifted(shift);
        let column = jewels.map(|jewels| jewels.map(code));
        let height = self.case.height() as u32;
        let chain = with_field!(&mut self.board, field => {
            let placed = run(self.cpu, PlaceKernel { field, height, stack, column });
            let (chain, after) = placed.ok_or(GameOver)?;
            *field = after;
            chain
        });
        self.points += u64::from(chain.points) * MATCH_POINTS;
        self.placed_columns += 1;
        Ok(chain)
    }

    /// Returns the chain that the jewel of a trigger would set off in this game. The chain is empty if the
    /// jewel matches nothing, or if the stack has no room for a column.
    ///
    /// # Panics
    /// If the stack lies outside the field.
    pub fn simulate_trigger(&self, trigger: Trigger) -> Chain {
        let stack = trigger.stack;
        assert!(stack < self.case.width(), "there is no stack {stack}");
        let trigger = trigger.to_field_trigger();
        // The layout may have no code for a colour that the case does not have.
        if trigger.code > self.colours {
            return Chain::default();
        }
        let height = self.case.height() as u32;
        let column = Some(trigger.codes());
        let chain = with_field!(&self.board, field => {
            run(self.cpu, PlaceKernel { field, height, stack, column }).map(|(chain, _)| chain)
        });
        chain.unwrap_or_default()
    }

    /// Returns the trigger with the highest `worth`, and its chain, or `None` if no chain is worth more
    /// than 0. The jewel of a trigger may have any colour of the case, and fall onto any stack with room
    /// for a column. It lies on top of the stack or, if it would match nothing there, on another jewel that
    /// matches nothing.
    ///
    /// `worth` receives every trigger that sets off a chain, so that a caller can also count them. This
    /// method is much faster than calling [`simulate_trigger`](Self::simulate_trigger) for every stack and
    /// colour, since it plays only jewels that match.
    pub fn find_best_trigger(
        &self,
        worth: impl FnMut(Trigger, Chain) -> i64,
    ) -> Option<(Trigger, Chain)> {
        let (width, height, colours) = (self.case.width(), self.case.height(), self.colours);
        with_field!(&self.board, field => {
            run(self.cpu, BestTriggerKernel { field, width, height, colours, worth })
        })
    }

    /// Returns the number of jewels on a stack.
    ///
    /// # Panics
    /// If the stack lies outside the field.
    pub fn stack_height(&self, stack: usize) -> usize {
        assert!(stack < self.case.width(), "there is no stack {stack}");
        with_field!(&self.board, field => field.stack_height(stack)) as usize
    }

    /// Returns the number of jewels on the field.
    pub fn jewel_count(&self) -> usize {
        with_field!(&self.board, field => field.occupied().count() as usize)
    }

    /// Returns the number of stacks with room for a column.
    pub fn open_stack_count(&self) -> usize {
        // The third row from the top: a stack that reaches it has no room for a column.
        let row = FLOOR << (self.case.height() - 3);
        let full = with_field!(&self.board, field => {
            let occupied = field.occupied();
            occupied.and(occupied.splat(row)).count()
        });
        self.case.width() - full as usize
    }

    /// Returns the jewel in a cell, or `None` if the cell is empty or outside the field.
    pub fn cell(&self, stack: usize, row: usize) -> Option<Colour> {
        if stack >= self.case.width() || row >= self.case.height() {
            return None;
        }
        let code = with_field!(&self.board, field => field.cell(stack, row as u32));
        let index = usize::from(code).checked_sub(1)?;
        Some(Colour::from_index(index))
    }

    /// Returns all cells, by row from the floor up. [`format`](crate::rules::notation::format)
    /// writes them as text.
    pub fn to_rows(&self) -> Rows {
        let row = |y| (0..self.case.width()).map(|x| self.cell(x, y)).collect();
        (0..self.case.height()).map(row).collect()
    }

    /// Returns a hash of the field, without the points and the number of placed columns. The field suffices
    /// for [`Position::hash`](crate::beam::Position::hash), which identifies a position only within its
    /// layer.
    pub fn hash(&self) -> u64 {
        with_field!(&self.board, field => field.hash())
    }
}

/// Returns the code of a colour: 1 for `a`.
fn code(colour: Colour) -> u8 {
    colour.index() as u8 + 1
}

/// The kernel that finds the trigger whose chain is worth most.
struct BestTriggerKernel<'a, F, const W: usize, const P: usize> {
    field: &'a Field<W, P>,
    width: usize,
    height: usize,
    colours: u8,
    worth: F,
}

impl<F: FnMut(Trigger, Chain) -> i64, const W: usize, const P: usize> Kernel
    for BestTriggerKernel<'_, F, W, P>
{
    type Output = Option<(Trigger, Chain)>;

    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) -> Self::Output {
        let field = self.field;
        // The lowest empty cell of each stack that has room for a column.
        let free = Mask::from_size(self.width, self.height - 2).without(field.occupied());
        let open = free.without(free.up::<1>());
        let [on_top, above] =
            find_completing_colours(isa, field, open, self.colours, &[0; MAX_COLOURS + 1])
                .code_sets;
        let (mut best, mut best_worth) = (None, 0);
        for (stack, _) in open.cells() {
            let mut jewels =
                u64::from(on_top[stack]) | u64::from(above[stack] & !on_top[stack]) << 32;
            while jewels != 0 {
                let bit = jewels.trailing_zeros() as usize;
                jewels &= jewels - 1;
                let trigger = Trigger {
                    stack,
                    colour: Colour::from_index(bit % 32 - 1),
                    is_on_filler: bit >= 32,
                };
                let (chain, _) = trigger.to_field_trigger().fire(isa, field);
                let worth = (self.worth)(trigger, chain);
                if worth > best_worth {
                    (best, best_worth) = (Some((trigger, chain)), worth);
                }
            }
        }
        best
    }
}
