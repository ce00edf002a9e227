//! A move of the search: a placement, and one bit about the parent's trigger.

use columns_core::rules::plan::Placement;

/// A placement, with a mark if the search knows the chain that the parent's trigger sets off on the child's
/// field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move(u8);

impl Move {
    /// The bit that marks a move. The bits below hold 3 × stack + shift.
    const KEEPS_TRIGGER: u8 = 1 << 7;

    /// Creates a move without a mark.
    #[inline(always)]
    pub fn new(Placement { stack, shift }: Placement) -> Self {
        Self((3 * stack + shift) as u8)
    }

    /// Marks the move: the child keeps the trigger of its parent. If a jewel of the column interferes with
    /// the chain, the child's memo has the new chain; otherwise the chain is the same.
    #[inline(always)]
    pub(crate) fn keeping_trigger(self) -> Self {
        Self(self.0 | Self::KEEPS_TRIGGER)
    }

    /// True if the move is marked by [`Move::keeping_trigger`].
    #[inline(always)]
    pub(crate) fn keeps_trigger(self) -> bool {
        self.0 & Self::KEEPS_TRIGGER != 0
    }

    /// Returns the placement, without the mark.
    #[inline(always)]
    pub fn placement(self) -> Placement {
        let index = usize::from(self.0 & !Self::KEEPS_TRIGGER);
        Placement {
            stack: index / 3,
            shift: index % 3,
        }
    }
}
