//! A game in progress, for a case of any size and palette.
//!
//! A [`Simulator`] chooses the layout of the field and the instruction set by itself. It is `Copy`:
//! a search copies it and continues in the copy.
//!
//! ```
//! use columns_core::rules::case::Case;
//! use columns_core::rules::plan::Placement;
//! use columns_core::simulator::Simulator;
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
//! let a = game.cell(0, 0).unwrap();
//! assert_eq!(game.fire(2, &[a]).steps, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::field::lines::{Placements, wanted};
use crate::field::{Chain, FLOOR, Field, Mask, Place};
use crate::rules::case::{Case, Colour, Column, MATCH_POINTS, MAX_COLOURS};
pub use crate::rules::naive::GameOver;
use crate::rules::notation::Rows;
use crate::rules::plan::Placement;
use crate::simd::{Cells, Cpu, Isa, Kernel, run};

/// The field, in the smallest layout for the case: for up to 6 or 12 stacks, and for up to 6, 14 or
/// 26 colours. Every layout has a code that no colour uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Board {
    Narrow6(Field<2, 3>),
    Narrow14(Field<2, 4>),
    Narrow26(Field<2, 5>),
    Wide6(Field<4, 3>),
    Wide14(Field<4, 4>),
    Wide26(Field<4, 5>),
}

/// Evaluates `$value` with `$field` bound to the field of `$board`, whatever its layout, and with
/// `$wrap` bound to the function that makes a board of such a field.
macro_rules! with_field {
    ($board:expr, $field:ident => $value:expr) => {
        with_field!($board, $field, _wrap => $value)
    };
    ($board:expr, $field:ident, $wrap:ident => $value:expr) => {
        with_field!($board, $field, $wrap => $value; Narrow6 Narrow14 Narrow26 Wide6 Wide14 Wide26)
    };
    ($board:expr, $field:ident, $wrap:ident => $value:expr; $($layout:ident)*) => {
        match $board {
            $(Board::$layout($field) => {
                let $wrap = Board::$layout;
                $value
            })*
        }
    };
}

/// A jewel that would set off a chain, and that chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trigger {
    /// The stack that the jewel falls onto.
    pub stack: usize,
    /// The jewel.
    pub jewel: Colour,
    /// True if the jewel lies on another jewel that matches nothing, false if it lies on top of the
    /// stack.
    pub on_filler: bool,
    /// The chain.
    pub chain: Chain,
}

impl Trigger {
    /// Returns the codes of the jewels, from the bottom to the top.
    fn codes<const P: usize>(self) -> [u8; 3] {
        // No colour of the case has the code of the filler.
        if self.on_filler {
            [(1 << P) - 1, code(self.jewel), 0]
        } else {
            [code(self.jewel), 0, 0]
        }
    }
}

/// A game in progress.
#[derive(Debug, Clone, Copy)]
pub struct Simulator<'c> {
    case: &'c Case,
    cpu: Cpu,
    board: Board,
    /// The highest code of a colour; the codes start at 1.
    colours: u8,
    placed: usize,
    points: u64,
}

impl<'c> Simulator<'c> {
    /// Starts a game with an empty field.
    pub fn new(case: &'c Case) -> Self {
        let colours = case.palette().last().map_or(0, |colour| colour.index() + 1);
        let board = match (case.width(), colours) {
            (..=6, ..=6) => Board::Narrow6(Field::EMPTY),
            (..=6, 7..=14) => Board::Narrow14(Field::EMPTY),
            (..=6, _) => Board::Narrow26(Field::EMPTY),
            (_, ..=6) => Board::Wide6(Field::EMPTY),
            (_, 7..=14) => Board::Wide14(Field::EMPTY),
            (_, _) => Board::Wide26(Field::EMPTY),
        };
        Self {
            case,
            cpu: Cpu::detect(),
            board,
            colours: colours as u8,
            placed: 0,
            points: 0,
        }
    }

    /// Returns the case that the game plays.
    pub fn case(&self) -> &'c Case {
        self.case
    }

    /// Returns the number of columns that landed.
    pub fn placed(&self) -> usize {
        self.placed
    }

    /// Returns the points so far.
    pub fn points(&self) -> u64 {
        self.points
    }

    /// Returns the next column, or `None` after the last one.
    pub fn column(&self) -> Option<Column> {
        self.case.columns().get(self.placed).copied()
    }

    /// Places the next column, clears and settles. Returns the chain, whose points are in units of
    /// [`MATCH_POINTS`]; [`points`](Self::points) is in points.
    ///
    /// # Errors
    /// [`GameOver`] if the column does not fit, or if no column is left; the game is then
    /// unchanged.
    ///
    /// # Panics
    /// If the stack lies outside the field.
    pub fn place(&mut self, placement: Placement) -> Result<Chain, GameOver> {
        let Placement { stack, shift } = placement;
        assert!(stack < self.case.width(), "there is no stack {stack}");
        let column = codes(self.column().ok_or(GameOver)?, shift);
        let height = self.case.height() as u32;
        let chain = with_field!(&mut self.board, field => {
            let placed = run(self.cpu, Place { field, height, stack, column });
            let (chain, after) = placed.ok_or(GameOver)?;
            *field = after;
            chain
        });
        self.points += u64::from(chain.points) * MATCH_POINTS;
        self.placed += 1;
        Ok(chain)
    }

    /// Returns the chain that up to three jewels (bottom to top) on a stack would set off. They
    /// need not be the jewels of the next column. The game stays unchanged. The jewels may reach
    /// two rows above the rim.
    ///
    /// # Panics
    /// If the stack lies outside the field, if there are more than three jewels, or if there is too
    /// little room for them.
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
        // The jewels may lie above the rim, where no column may.
        let (height, column) = (u32::MAX, Some(codes));
        let placed = with_field!(&self.board, field => {
            run(self.cpu, Place { field, height, stack, column }).map(|placed| placed.0)
        });
        placed.expect("no height is exceeded")
    }

    /// Returns the trigger of the highest `worth`: the jewel whose chain is worth most. The jewel may
    /// have any colour of the case and fall onto any stack with room for a column. It lies on top
    /// of the stack, or on another jewel that matches nothing. Returns `None` if no chain is worth
    /// more than 0.
    ///
    /// `worth` receives every chain, so that a caller can also count them. The function is much
    /// faster than [`fire`](Self::fire) for every stack and colour, since it plays only jewels that
    /// match.
    pub fn best_trigger(&self, worth: impl FnMut(Chain) -> i64) -> Option<Trigger> {
        let (width, height, colours) = (self.case.width(), self.case.height(), self.colours);
        with_field!(&self.board, field => {
            run(self.cpu, BestTrigger { field, width, height, colours, worth })
        })
    }

    /// Calls `list` with each placement of the next column, the game after it, and `trigger` with
    /// the chain that it sets off in that game. Of placements that are equal, it lists only the
    /// first. The chain is empty if there is no room for a column on the trigger's stack.
    ///
    /// The function is much faster than [`place`](Self::place) and a new search for the best
    /// trigger. It plays the trigger's chain once, and again only for placements that change it.
    ///
    /// ```
    /// # use columns_core::rules::case::Case;
    /// # use columns_core::simulator::Simulator;
    /// # use columns_core::rules::plan::Placement;
    /// let case: Case = "6 13\n3\naab\nbba\ncab\n".parse()?;
    /// let mut game = Simulator::new(&case);
    /// game.place(Placement { stack: 0, shift: 0 })?;
    /// game.place(Placement { stack: 1, shift: 2 })?;
    /// // The best trigger is a jewel on stack 2. Only a column on that stack spoils its chain.
    /// let trigger = game.best_trigger(|chain| chain.points.into());
    /// let mut spoilt = Vec::new();
    /// game.children(trigger, |placement, _, trigger| {
    ///     if trigger.unwrap().chain.steps == 0 {
    ///         spoilt.push(placement.stack);
    ///     }
    /// });
    /// assert_eq!(spoilt, [2, 2, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the trigger's stack lies outside the field.
    pub fn children(
        &self,
        trigger: Option<Trigger>,
        mut list: impl FnMut(Placement, Self, Option<Trigger>),
    ) {
        let Some(column) = self.column() else { return };
        let (width, height) = (self.case.width(), self.case.height());
        let fits = |trigger: &Trigger| self.stack_height(trigger.stack) + 3 <= height;
        let fitting = trigger.filter(fits);
        let mut child = *self;
        child.placed += 1;
        with_field!(&self.board, field, wrap => {
            let list = |placement, landing: Chain, after, chain| {
                child.board = wrap(after);
                child.points = self.points + u64::from(landing.points) * MATCH_POINTS;
                list(placement, child, trigger.map(|trigger| Trigger { chain, ..trigger }));
            };
            run(self.cpu, ListChildren { field, width, height, column, trigger: fitting, list });
        });
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
    pub fn jewels(&self) -> usize {
        with_field!(&self.board, field => field.occupied().count() as usize)
    }

    /// Returns the number of stacks with room for a column.
    pub fn open_stacks(&self) -> usize {
        // The cells of the lowest row that is occupied only in stacks without room.
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
    pub fn field(&self) -> Rows {
        let row = |y| (0..self.case.width()).map(|x| self.cell(x, y)).collect();
        (0..self.case.height()).map(row).collect()
    }

    /// Returns a hash of the field, but not of the points or of the number of placed columns, so it
    /// suits [`Position::hash`](crate::beam::Position::hash).
    pub fn hash(&self) -> u64 {
        with_field!(&self.board, field => field.hash())
    }
}

/// Returns the code of a colour: 1 for `a`.
fn code(colour: Colour) -> u8 {
    colour.index() as u8 + 1
}

/// Returns the codes of a column after `shift` shifts, bottom first; `None` for the magic column.
fn codes(column: Column, shift: usize) -> Option<[u8; 3]> {
    let jewels = column.shifted(shift)?;
    Some(jewels.map(code))
}

/// The kernel that finds the best trigger.
struct BestTrigger<'a, F, const W: usize, const P: usize> {
    field: &'a Field<W, P>,
    width: usize,
    height: usize,
    colours: u8,
    worth: F,
}

impl<F: FnMut(Chain) -> i64, const W: usize, const P: usize> Kernel for BestTrigger<'_, F, W, P> {
    type Output = Option<Trigger>;

    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) -> Option<Trigger> {
        let field = self.field;
        let open = open(field, self.width, self.height);
        let [on_top, above] = wanted(isa, field, open, self.colours, &[0; MAX_COLOURS + 1]).stacks;
        let (mut best, mut most) = (None, 0);
        for (stack, y) in open.cells() {
            let mut jewels =
                u64::from(on_top[stack]) | u64::from(above[stack] & !on_top[stack]) << 32;
            while jewels != 0 {
                let bit = jewels.trailing_zeros() as usize;
                jewels &= jewels - 1;
                let mut trigger = Trigger {
                    stack,
                    jewel: Colour::from_index(bit % 32 - 1),
                    on_filler: bit >= 32,
                    chain: Chain::default(),
                };
                trigger.chain = field
                    .drop_and_resolve(isa, stack, y, trigger.codes::<P>(), 1)
                    .0;
                let worth = (self.worth)(trigger.chain);
                if worth > most {
                    (best, most) = (Some(trigger), worth);
                }
            }
        }
        best
    }
}

/// Returns the lowest empty cell of each stack that has room for a column.
#[inline(always)]
fn open<const W: usize, const P: usize>(
    field: &Field<W, P>,
    width: usize,
    height: usize,
) -> Mask<W> {
    let free = Mask::area(width, height - 2).without(field.occupied());
    free.without(free.up::<1>())
}

/// The kernel that lists the children of a game. `list` receives the placement, its chain, the field
/// after it, and the trigger's chain on that field.
struct ListChildren<'a, F, const W: usize, const P: usize> {
    field: &'a Field<W, P>,
    width: usize,
    height: usize,
    column: Column,
    trigger: Option<Trigger>,
    list: F,
}

impl<F, const W: usize, const P: usize> Kernel for ListChildren<'_, F, W, P>
where
    F: FnMut(Placement, Chain, Field<W, P>, Chain),
{
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) {
        let open = open(self.field, self.width, self.height);
        let Some(jewels) = codes(self.column, 0) else {
            return self.play(isa, Placements::of(open, 1));
        };
        let equal = jewels == [jewels[0]; 3];
        let all = Placements::of(open, if equal { 1 } else { 3 });
        let floor = isa.load(&Mask::area(self.width, 1).0);
        let landed = self.field.stepper(isa, 0, 0, [0; 3]);
        let mut quiet = all.without(landed.matching(floor, jewels));
        if let Some(trigger) = self.trigger {
            quiet = quiet.without(Placements::on(trigger.stack));
        }
        self.play(isa, all.without(quiet));
        let mut chain = Chain::default();
        if let Some(trigger) = self.trigger {
            let (x, y) = (trigger.stack, self.field.stack_height(trigger.stack));
            let mut stepper = self.field.stepper(isa, x, y, trigger.codes::<P>());
            // The column lies on top of its stack until one of its jewels matches.
            loop {
                let matching = stepper.matching(floor, jewels).and(quiet);
                quiet = quiet.without(matching);
                let during = stepper.field();
                for placement in matching.each() {
                    let x = placement.stack;
                    let codes = codes(self.column, placement.shift).unwrap_or_default();
                    let y = during.stack_height(x);
                    let (rest, _) = during.drop_and_resolve(isa, x, y, codes, chain.steps + 1);
                    self.drop(isa, placement, chain + rest);
                }
                match stepper.step() {
                    0 => break,
                    matches => chain.add_step(matches),
                }
            }
        }
        for placement in quiet.each() {
            self.drop(isa, placement, chain);
        }
    }
}

impl<F, const W: usize, const P: usize> ListChildren<'_, F, W, P>
where
    F: FnMut(Placement, Chain, Field<W, P>, Chain),
{
    /// Lists placements after playing their chains and those of the trigger.
    #[inline(always)]
    fn play<I: Isa>(&mut self, isa: I, placements: Placements<W>) {
        let height = self.height as u32;
        for placement in placements.each() {
            let column = codes(self.column, placement.shift);
            let placed = self.field.placed(isa, height, placement.stack, column);
            let Some((chain, after)) = placed else {
                continue;
            };
            let mut triggered = Chain::default();
            if let Some(trigger) = self.trigger {
                let (x, codes) = (trigger.stack, trigger.codes::<P>());
                let y = after.stack_height(x);
                if y + 3 <= height {
                    triggered = after.drop_and_resolve(isa, x, y, codes, 1).0;
                }
            }
            (self.list)(placement, chain, after, triggered);
        }
    }

    /// Lists a placement that clears nothing. `triggered` is the trigger's chain after it.
    #[inline(always)]
    fn drop<I: Isa>(&mut self, isa: I, placement: Placement, triggered: Chain) {
        let Placement { stack, shift } = placement;
        let codes = codes(self.column, shift).unwrap_or_default();
        let y = self.field.stack_height(stack);
        let after = self.field.stepper(isa, stack, y, codes).field();
        (self.list)(placement, Chain::default(), after, triggered);
    }
}
