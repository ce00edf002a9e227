//! A move of the search: a placement, and one bit about the parent's chain.

use columns_core::rules::plan::Placement;

/// A placement, and a mark that says whether it leaves the chain of the state's trigger unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move(u8);

impl Move {
    /// The bit of a move that keeps the trigger. The bits below hold 3 × stack + shift.
    const KEEPS_TRIGGER: u8 = 1 << 7;

    /// Creates a move without the mark.
    #[inline(always)]
    pub fn new(Placement { stack, shift }: Placement) -> Self {
        Self((3 * stack + shift) as u8)
    }

    /// Returns the same placement with the mark: no jewel of the column interferes with the chain
    /// of the state's trigger, so the child has the same chain.
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
        let place = usize::from(self.0 & !Self::KEEPS_TRIGGER);
        Placement {
            stack: place / 3,
            shift: place % 3,
        }
    }
}
