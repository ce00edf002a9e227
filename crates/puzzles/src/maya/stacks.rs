//! The field: five stacks of blocks, with four bits for each block.

/// Number of stacks.
pub(super) const WIDTH: usize = 5;
/// Maximum number of blocks in a stack.
pub(super) const HEIGHT: usize = 7;

/// A move that drags a block one cell to the left or right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    /// The stack of the block, 0 to 4 from the left.
    pub stack: usize,
    /// The row of the block, 0 to 6 from the bottom.
    pub row: usize,
    /// True if the block moves to the right, false if to the left.
    pub to_right: bool,
}

/// A field in which every block rests on another one or on the floor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Stacks {
    /// For each stack, the colours of its cells as seven nibbles, 0 for an empty cell. The lowest nibble
    /// is the bottom cell.
    stacks: [u32; WIDTH],
}

/// The lowest bit of each nibble of a stack.
const LOWEST_BITS: u32 = 0x0111_1111;

/// Returns a word in which exactly the lowest bits of the non-zero nibbles are set.
fn occupied_cells(stack: u32) -> u32 {
    (stack | stack >> 1 | stack >> 2 | stack >> 3) & LOWEST_BITS
}

impl Stacks {
    /// Creates a field from the colours of each stack from the bottom up. A stack has at most seven blocks,
    /// and a colour is 1 to 15.
    pub(super) fn new(stacks: &[Vec<u8>; WIDTH]) -> Self {
        Self {
            stacks: std::array::from_fn(|x| {
                (stacks[x].iter().rev()).fold(0, |word, &colour| word << 4 | u32::from(colour))
            }),
        }
    }

    /// Returns the colour of a block, or 0 for an empty cell.
    pub(super) fn colour(&self, stack: usize, row: usize) -> u8 {
        (self.stacks[stack] >> (4 * row) & 15) as u8
    }

    /// Returns the number of blocks in a stack.
    pub(super) fn stack_height(&self, stack: usize) -> usize {
        occupied_cells(self.stacks[stack]).count_ones() as usize
    }

    /// True if no block is left.
    pub(super) fn is_empty(&self) -> bool {
        self.stacks == [0; WIDTH]
    }

    /// True if at least three blocks of one colour are in a line.
    pub(super) fn has_match(&self) -> bool {
        self.matches() != [0; WIDTH]
    }

    /// Returns the field after a move of a block and all clearings, or `None` if the block would leave the
    /// field. The cell of the move must hold a block.
    pub(super) fn after_move(&self, m: Move) -> Option<Self> {
        let Move {
            stack,
            row,
            to_right,
        } = m;
        let target = match (to_right, stack) {
            (true, _) if stack + 1 < WIDTH => stack + 1,
            (false, 1..) => stack - 1,
            _ => return None,
        };
        let mut next = *self;
        let (from, to) = (self.stacks[stack], self.stacks[target]);
        let nibble = 15 << (4 * row);
        if to & nibble == 0 {
            // The block drops onto the target stack, and the blocks above its old cell fall by one.
            let below = (1 << (4 * row)) - 1;
            next.stacks[stack] = from & below | (from >> 4) & !below;
            let colour = u32::from(self.colour(stack, row));
            next.stacks[target] = to | colour << (4 * self.stack_height(target));
        } else {
            let swap = (from ^ to) & nibble;
            next.stacks[stack] ^= swap;
            next.stacks[target] ^= swap;
        }
        while next.clear() {}
        Some(next)
    }

    /// Clears all matches at the same time and lets the blocks fall. Returns true if there was a match.
    fn clear(&mut self) -> bool {
        let matches = self.matches();
        if matches == [0; WIDTH] {
            return false;
        }
        for (stack, &gone) in self.stacks.iter_mut().zip(&matches) {
            let mut gone = gone;
            while gone != 0 {
                // Remove the blocks from the top down, so that the lower bits remain valid.
                let top = gone.ilog2();
                let below = (1 << top) - 1;
                *stack = *stack & below | (*stack >> 4) & !below;
                gone ^= 1 << top;
            }
        }
        true
    }

    /// Returns the blocks in lines of three or more blocks of one colour: for each stack, the lowest bits of
    /// their nibbles.
    fn matches(&self) -> [u32; WIDTH] {
        let mut matches = [0; WIDTH];
        let same = |a: u32, b: u32| !occupied_cells(a ^ b) & occupied_cells(a);
        for x in 0..WIDTH {
            let stack = self.stacks[x];
            let pairs = same(stack, stack >> 4);
            let threes = pairs & pairs >> 4;
            matches[x] |= threes | threes << 4 | threes << 8;
            if x + 2 < WIDTH {
                let middle = self.stacks[x + 1];
                let threes = same(stack, middle) & same(middle, self.stacks[x + 2]);
                for part in &mut matches[x..x + 3] {
                    *part |= threes;
                }
            }
        }
        matches
    }

    /// True if some colour has one or two blocks left. Such a field can never be emptied, since a line needs
    /// three blocks of one colour.
    pub(super) fn is_hopeless(&self) -> bool {
        // Bit sets of the colours with at least one block, with at least two, and with at least three.
        let (mut once, mut twice, mut thrice) = (0_u32, 0_u32, 0_u32);
        for mut stack in self.stacks {
            while stack != 0 {
                let bit = 1 << (stack & 15);
                thrice |= twice & bit;
                twice |= once & bit;
                once |= bit;
                stack >>= 4;
            }
        }
        once & !thrice != 0
    }
}
